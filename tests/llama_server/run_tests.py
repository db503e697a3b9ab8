"""Run the tests of llama.cpp's own server against ``fireside serve``: ``run_tests.py FOLDER [ARGUMENT…]``.

FOLDER is a checkout of llama.cpp, or the source of llama-cpp-python, which has one; the tests are run where
they lie. Their server is ``flags.py``, their models are a few kilobytes of random weights, and which of them
are left out is said in ``exclusions.toml``. What follows FOLDER goes to pytest.
"""

from __future__ import annotations

import os
import shlex
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import gguf

from llama.tiny_bert import write_bert
from llama.tiny_models import write_llama
from llama_server.flags import MODELS

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
TESTS = Path("tools", "server", "tests")
CHATML = (
    "{% for message in messages %}"
    "<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n"
    "{% endfor %}"
    "{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)


def main(folder: str, *words: str) -> int:
    """Return pytest's exit status."""
    source = Path(folder)
    places = (source / TESTS, source / "vendor" / "llama.cpp" / TESTS)
    tests = next((place for place in places if place.is_dir()), None)
    if tests is None:
        sys.stderr.write(f"{folder}: here is no {TESTS}\n")
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        models = Path(temporary)
        write_llama(models / MODELS["tinyllama"], chat_template=CHATML, n_ctx=8192, writes_letters=True)
        write_bert(models / MODELS["bert"], pooling=gguf.PoolingType.MEAN, n_ctx=512)
        write_bert(models / MODELS["jina"], pooling=gguf.PoolingType.RANK, n_ctx=512)
        command = [sys.executable, "-m", "pytest", "-q", "-p", "llama_server.plugin", "-p", "no:randomly"]
        return subprocess.run(
            [*command, "-p", "no:cacheprovider", *(words or ("unit",))],
            cwd=tests,
            env=_environment(models, tests=tests),
            check=False,
        ).returncode


def _environment(models: Path, *, tests: Path) -> dict[str, str]:
    packages = os.environ.get("FIRESIDE_CLIENTS", "")
    paths = [str(ROOT / "app"), str(ROOT / "tests"), str(tests), packages]
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(filter(None, paths)),
        "PYTHONDONTWRITEBYTECODE": "1",
        "LLAMA_SERVER_BIN_PATH": str(_program(models)),
        "LLAMA_SERVER_MODELS": str(models),
        "PORT": str(port),
    }


def _program(folder: Path) -> Path:
    """Write what starts ``flags.py``, as one file that can be run."""
    command = [sys.executable, "-P", str(HERE / "flags.py")]
    if os.name == "nt":
        program = folder / "llama-server.cmd"
        program.write_text(f"@{subprocess.list2cmdline(command)} %*\n")
    else:
        program = folder / "llama-server"
        program.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n')
        program.chmod(0o700)
    return program


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
