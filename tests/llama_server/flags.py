"""Stand for ``llama-server``: its flags become settings of ``fireside serve``, which runs in this process.

A flag that has no counterpart ends the program with its name; the tests that give it are left out.
"""

from __future__ import annotations

import hashlib
import json
import os
import runpy
import shutil
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

MODELS = {"tinyllama": "llama.gguf", "bert": "bert.gguf", "jina": "jina.gguf"}
"""By how their aliases begin."""
LONE = {
    "--cont-batching",
    "--embedding",
    "--reranking",
    "--metrics",
    "--kv-unified",
    "--slots",
    "--no-slots",
    "--verbose",
    "--no-ui",
    "--jinja",
    "--no-jinja",
    "--offline",
    "--no-mmproj",
}
NOT_NEEDED = {
    "--model",
    "--hf-repo",
    "--hf-file",
    "--threads",
    "--n-gpu-layers",
    "--cache-ram",
    "--reasoning-format",
    "--sleep-idle-seconds",
    "-fa",
    "-ctk",
    "-ctv",
}
"""What follows these is not looked at: there is one model, none has a device, and it is loaded when asked."""
_LEAST_N_CTX = 256
_LARGE_N_CTX = 8192
"""For templates: a token of the tiny model is one letter."""
_REASONING = {"on": "on", "off": "off", "auto": "on"}
"""Left to itself, llama-server lets models think that can."""


def main(words: Sequence[str]) -> None:
    """Serve until told to end."""
    given = _read(words)
    home = Path(tempfile.mkdtemp(dir=os.environ["LLAMA_SERVER_MODELS"]))
    alias = given.pop("--alias", "tinyllama-2")
    folder = home / "data" / "models"
    folder.mkdir(mode=0o700, parents=True)
    kind = next((file for name, file in MODELS.items() if alias.startswith(name)), MODELS["tinyllama"])
    shutil.copy(Path(os.environ["LLAMA_SERVER_MODELS"]) / kind, folder / f"{alias}.gguf")
    os.environ |= {
        "FIRESIDE_HOME": str(home),
        "XDG_RUNTIME_DIR": str(home),
        "FIRESIDE_API_ANY_MODEL_NAME": "on",
        "FIRESIDE_API_MODELS": alias,
        "FIRESIDE_API_REQUESTS_PER_CLIENT": "64",
        "FIRESIDE_LOAD_N_THREADS": "1",
        **_settings(given),
    }
    words = ["serve", "--port", given.pop("--port")]
    if (key := given.pop("--api-key", None)) is not None:
        digest = hashlib.sha256(key.encode()).hexdigest()
        token = {"id": "a", "name": "tests", "scopes": ["answer", "load"], "digest": digest}
        (home / "data" / "api-tokens.json").write_text(json.dumps([token]))
    else:
        words.append("--no-token")
    # It listens at both addresses of the loopback unasked.
    if (host := given.pop("--host", "127.0.0.1")) != "127.0.0.1,::1":
        words += ["--host", host]
    if given:
        sys.exit(f"not translated: {' '.join(given)}")
    sys.argv = ["fireside", *words]
    runpy.run_module("fireside", run_name="__main__", alter_sys=True)


def _read(words: Sequence[str]) -> dict[str, str]:
    """Return each flag with what follows it."""
    rest, given = list(words), {}
    while rest:
        flag = rest.pop(0)
        value = "" if flag in LONE else rest.pop(0)
        if flag not in NOT_NEEDED:
            given[flag] = value
    return given


def _settings(given: dict[str, str]) -> Mapping[str, str]:
    """Take out of ``given`` what is a setting, and return it as the environment says it."""
    found = {}
    for flag, name in (
        ("--temp", "SAMPLING_TEMPERATURE"),
        ("--seed", "SAMPLING_SEED"),
        ("--parallel", "LOAD_N_SEQ_MAX"),
        ("--ubatch-size", "LOAD_N_UBATCH"),
        ("--batch-size", "LOAD_N_BATCH"),
        ("--n-predict", "SAMPLING_MAX_TOKENS"),
    ):
        if (value := given.pop(flag, None)) is not None and int(float(value)) >= 0:
            found[f"FIRESIDE_{name}"] = value
    n_slots = 1 if "--kv-unified" in given else int(found.get("FIRESIDE_LOAD_N_SEQ_MAX", "1"))
    n_ctx = int(given.pop("--ctx-size", "4096")) // n_slots
    found["FIRESIDE_LOAD_N_CTX"] = str(max(_LEAST_N_CTX, n_ctx))
    found["FIRESIDE_API_METRICS"] = "on" if "--metrics" in given else "off"
    if (reasoning := given.pop("--reasoning", None)) is not None:
        found["FIRESIDE_ANSWER_REASONING"] = _REASONING[reasoning]
    if (path := given.pop("--chat-template-file", None)) is not None:
        found["FIRESIDE_ANSWER_TEMPLATE"] = Path(path).read_text(encoding="utf-8")
        found["FIRESIDE_LOAD_N_CTX"] = str(_LARGE_N_CTX)
    # Templates that llama.cpp knows by name are not looked at.
    if "{" in (template := given.pop("--chat-template", "")):
        found["FIRESIDE_ANSWER_TEMPLATE"] = template
    if given.get("--pooling") in ("last", "mean"):
        del given["--pooling"]
    for flag in LONE & given.keys():
        del given[flag]
    return found


if __name__ == "__main__":
    main(sys.argv[1:])
