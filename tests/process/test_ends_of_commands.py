"""Commands whose output is not read to its end, or that are interrupted before they have begun."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("signals and /dev/full", allow_module_level=True)

FIRESIDE = [sys.executable, "-m", "fireside"]
LONG = ("--temperature", "0", "--max-tokens", "200", "SmolLM2-135M-Instruct", "Write a long story.")


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if name not in ("DISPLAY", "WAYLAND_DISPLAY")}
    return {
        **kept,
        "FIRESIDE_HOME": str(own_home / "fireside"),
        "FIRESIDE_LOAD_N_CTX": "1024",
        "FIRESIDE_LOAD_N_THREADS": "1",
        "PYTHONPATH": os.pathsep.join(sys.path),
    }


def test_who_has_read_enough_of_an_answer_ends_it_quietly(
    environment: dict[str, str], starter_model_path: Path
) -> None:
    process = subprocess.Popen(
        [*FIRESIDE, "run", *LONG],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    with process:
        process.stdout.read(10)
        process.stdout.close()
        output = process.stderr.read().decode()
    assert process.returncode == 141
    assert output == ""


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize("arguments", [("list",), ("run", *LONG)])
def test_a_full_disk_is_told_in_a_sentence(
    environment: dict[str, str], starter_model_path: Path, arguments: tuple[str, ...]
) -> None:
    with Path("/dev/full").open("w") as full:
        ended = subprocess.run(
            [*FIRESIDE, *arguments],
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=120,
        )
    assert ended.returncode == 1
    assert ended.stderr == "fireside: output incomplete: No space left on device.\n"


def test_an_interrupt_while_the_program_is_still_brought_in_ends_it_without_a_stack(
    environment: dict[str, str],
) -> None:
    # The interrupt comes from within, so that it meets the import however fast the machine is.
    code = (
        "import os, runpy, signal, sys\n"
        "class Meets:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name == 'fireside.cli.command_line':\n"
        "            signal.raise_signal(signal.SIGINT)\n"
        "sys.meta_path.insert(0, Meets())\n"
        "sys.argv = ['fireside', 'list']\n"
        "runpy.run_module('fireside', run_name='__main__')\n"
    )
    ended = subprocess.run(
        [sys.executable, "-c", code],
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=60,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (130, "", "")
