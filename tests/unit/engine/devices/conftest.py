"""Libraries that stand in for drivers, made by the C compiler."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

FAKES = Path(__file__).resolve().parents[3] / "fakes"

MakeLibrary = Callable[..., str]


@pytest.fixture(scope="session")
def make_library(tmp_path_factory: pytest.TempPathFactory) -> MakeLibrary:
    """Return what compiles a file of ``tests/fakes`` into a shared library, and its path."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("needs a C compiler")
    folder = tmp_path_factory.mktemp("libraries")

    def make(name: str, *flags: str) -> str:
        library = folder / f"{name}{''.join(flags)}.so"
        if not library.exists():
            command = [
                compiler,
                "-shared",
                "-fPIC",
                "-w",
                *flags,
                "-o",
                str(library),
                str(FAKES / f"{name}.c"),
            ]
            subprocess.run(command, check=True, capture_output=True)
        return str(library)

    return make
