"""Shared libraries that stand in for drivers, made by the C compiler from the sources beside this file."""

from __future__ import annotations

import subprocess
from pathlib import Path

FAKES = Path(__file__).resolve().parent


class NativeLibraries:
    """Compiles each library once, into ``folder``."""

    def __init__(self, *, compiler: str, folder: Path) -> None:
        self._compiler = compiler
        self._folder = folder

    def make(self, name: str, *flags: str) -> str:
        """Return the path of ``name.c`` as a shared library."""
        library = self._folder / f"{name}{''.join(flags)}.so"
        if not library.exists():
            source = FAKES / f"{name}.c"
            command = [self._compiler, "-shared", "-fPIC", "-w", *flags, "-o", str(library), str(source)]
            subprocess.run(command, check=True, capture_output=True)
        return str(library)
