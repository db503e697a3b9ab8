"""The requirements of ELF files, read with `readelf` (binutils)."""

from __future__ import annotations

import platform
import re
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from provision.failure import SetupFailure

OPENMP = "libgomp.so.1"
"""The library of GCC's OpenMP, which a bare system lacks."""
_SYSTEM_FOLDERS = ("/usr/lib/{}-linux-gnu", "/lib/{}-linux-gnu", "/usr/lib64", "/usr/lib")
_MAGIC = b"\x7fELF"
_FILE = re.compile(r"^File: (.*)$")
_NEEDED = re.compile(r"\(NEEDED\).*\[(.*)\]")
_GLIBC = re.compile(r"Name: GLIBC_(\d+)\.(\d+)")


@dataclass(frozen=True, kw_only=True)
class ElfNeeds:
    """The libraries that a file is linked against, and the newest version of glibc among its symbols."""

    libraries: frozenset[str]
    glibc: tuple[int, int]


def elf_files(folder: Path) -> list[Path]:
    """Return all programs and libraries in ``folder``, sorted, without links."""
    return sorted(path for path in folder.rglob("*") if not path.is_symlink() and _is_elf(path))


def read_needs(files: Iterable[Path]) -> dict[Path, ElfNeeds]:
    """Return the requirements of ELF files."""
    paths = [str(file) for file in files]
    if not paths:
        return {}
    # The first file twice: readelf does not print the name of a single file.
    output = subprocess.run(
        ["readelf", "--wide", "--dynamic", "--version-info", *paths, paths[0]],
        capture_output=True,
        text=True,
        check=True,
        env={"LC_ALL": "C", "PATH": "/usr/bin:/bin"},
    ).stdout
    libraries: dict[str, set[str]] = {path: set() for path in paths}
    glibc = dict.fromkeys(paths, (0, 0))
    path = paths[0]
    for line in output.splitlines():
        if match := _FILE.match(line):
            path = match[1]
        elif match := _NEEDED.search(line):
            libraries[path].add(match[1])
        elif match := _GLIBC.search(line):
            glibc[path] = max(glibc[path], (int(match[1]), int(match[2])))
    return {Path(p): ElfNeeds(libraries=frozenset(libraries[p]), glibc=glibc[p]) for p in paths}


def find_library(name: str) -> Path:
    """Return this machine's library with a soname. Raises SetupFailure if it is missing."""
    machine = platform.machine()
    for folder in _SYSTEM_FOLDERS:
        if (path := Path(folder.format(machine)) / name).exists():
            return path.resolve()
    raise SetupFailure(
        sentence=f"The library {name} is not on this machine, and the result takes a copy of it.",
        advice="Run set-up once with “make setup”; it installs what Qt needs.",
    )


def _is_elf(path: Path) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC
