"""``fireside FILE.gguf``, with the real program: alone, and while another one runs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fakes.gguf_files import model_file

FIRESIDE = [sys.executable, "-m", "fireside"]
PATIENCE_S = 80.0

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="ends the window by a signal")


@pytest.fixture
def environment(own_home: Path) -> dict[str, str]:
    return {
        **os.environ,
        "FIRESIDE_HOME": str(own_home / "fireside"),
        "PYTHONPATH": os.pathsep.join(sys.path),
        "QT_QPA_PLATFORM": "offscreen",
    }


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "some where" / "tiny ü.gguf"
    model_file().write(path)
    return path


def until(condition: Callable[[], bool], *, of: subprocess.Popen[str]) -> None:
    """Wait for what another process does, which can only be looked for."""
    deadline = time.monotonic() + PATIENCE_S
    while not condition():
        assert of.poll() is None, of.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.02)


@contextmanager
def running(environment: dict[str, str], *files: str) -> Iterator[subprocess.Popen[str]]:
    """The program with its window, until the end of the block, where it is closed and must end well."""
    process = subprocess.Popen(
        [*FIRESIDE, *files], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        until(lambda: any(Path(environment["XDG_RUNTIME_DIR"]).glob("*/*.socket")), of=process)
        yield process
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=PATIENCE_S)
        assert (process.returncode, said) == (0, "")
    finally:
        process.kill()
        process.communicate()


def is_in_the_library(environment: dict[str, str], model: Path) -> bool:
    """Whether the settings name the file as one that was added."""
    settings = Path(environment["FIRESIDE_HOME"]).rglob("settings.json")
    return any(str(model) in found.read_text(encoding="utf-8") for found in settings)


def test_a_file_is_added_where_it_lies(environment: dict[str, str], model: Path) -> None:
    with running(environment, str(model)) as process:
        until(lambda: is_in_the_library(environment, model), of=process)
    assert model.is_file()


def test_a_second_start_hands_its_file_to_the_first_and_ends(
    environment: dict[str, str], model: Path
) -> None:
    with running(environment) as first:
        second = subprocess.run(
            [*FIRESIDE, model.name],
            cwd=model.parent,
            env=environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
        )
        assert (second.returncode, second.stdout, second.stderr) == (0, "", "")
        until(lambda: is_in_the_library(environment, model), of=first)
