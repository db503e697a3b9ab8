"""Find the files that a server's program needs to read, and fingerprint the program."""

from __future__ import annotations

import hashlib
import shutil
from collections.abc import Iterator, Mapping
from itertools import takewhile
from pathlib import Path
from typing import Final

from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.files.digest import digest_of

_SIBLINGS: Final = ("bin", "lib", "lib64", "libexec", "pyvenv.cfg")
"""Siblings of a program's folder that belong to it, also in a home folder."""
_PACKAGES: Final = "node_modules"
_MANIFESTS: Final = ("package.json", "pyproject.toml")
"""In the folder of a project, whose scripts read what is in it."""
_SCRIPT_SUFFIXES: Final = frozenset(
    f".{name}"
    for name in ("bat", "cjs", "cmd", "jar", "js", "lua", "mjs", "php", "pl", "ps1", "py", "rb", "sh", "ts")
)
"""Of files that an interpreter runs. What else arguments name is data, which changes while a server runs."""
_SHEBANG_BYTES: Final = 300
_PASSED_VARIABLES: Final = frozenset(
    {
        "PATH", "LANG", "LANGUAGE", "TZ", "TERM", "SHELL", "USER", "LOGNAME", "HOME", "TMPDIR",
        "SSL_CERT_FILE",
        "APPDATA", "COMSPEC", "HOMEDRIVE", "HOMEPATH", "LOCALAPPDATA", "NUMBER_OF_PROCESSORS", "OS",
        "PATHEXT",
        "PROCESSOR_ARCHITECTURE", "PROGRAMDATA", "PROGRAMFILES", "SYSTEMDRIVE", "SYSTEMROOT", "TEMP", "TMP",
        "USERNAME", "USERPROFILE", "WINDIR",
    }
)  # fmt: skip


_OFFLINE: Final = {
    "npm_config_offline": "true",
    "pnpm_config_offline": "true",
    "UV_OFFLINE": "1",
    "PIP_NO_INDEX": "1",
}
"""Has programs that download packages use what they have, or fail at once instead of trying for a minute."""


def executable_of(command: str, *, environ: Mapping[str, str], cwd: str) -> str:
    """Return the absolute path of the file that a command starts, links unresolved. Raises
    ``ToolServerInvalid``."""
    located = shutil.which(command, path=environ.get("PATH")) if Path(command).name == command else command
    path = Path(cwd or ".").absolute() / Path(located or command).expanduser()
    if located is None or not path.is_file():
        raise ToolServerInvalid(
            reason=Phrase(tr_noop("the program “{name}” is not on this computer."), {"name": command})
        )
    return str(path)


def content_hash(command: tuple[str, ...], *, cwd: str = "") -> str:
    """Return the SHA-256 of a program, together with the script that it runs if its arguments name one.

    Empty where the program cannot be read. Blocks.
    """
    scripts = [file for file in _files_in(command, cwd) if file.suffix.lower() in _SCRIPT_SUFFIXES]
    hashes = [_file_hash(file) for file in (Path(command[0]), *scripts)]
    return hashlib.sha256("".join(hashes).encode()).hexdigest() if scripts else hashes[0]


def _file_hash(path: Path) -> str:
    try:
        return digest_of(path)
    except (OSError, ValueError):  # ValueError: no name of a file
        return ""


def _files_in(command: tuple[str, ...], cwd: str) -> Iterator[Path]:
    """Return the files that arguments name, relative ones in ``cwd``."""
    for argument in command[1:]:
        path = Path(cwd) / argument
        if path.is_absolute() and path.is_file():
            yield path


def program_files(command: tuple[str, ...], *, cwd: str = "") -> tuple[str, ...]:
    """Return what a server reads of its own: the program and its siblings, files named as arguments, and
    the packages that these belong to."""
    files: dict[str, None] = {}
    for program in _programs(Path(command[0])):
        files[str(program)] = None
        files |= dict.fromkeys(_packages_of(program))
        if program.parent.name in ("bin", "Scripts"):
            for name in _SIBLINGS:
                sibling = program.parent.parent / name
                if sibling.exists():
                    files[str(sibling)] = None
    for file in _files_in(command, cwd):
        files[str(file)] = None
        files |= dict.fromkeys(_packages_of(file))
    return tuple(files)


def _packages_of(file: Path) -> list[str]:
    """Return the outermost folder of npm packages that a file is in, else the project of a script; never the
    home folder, nor one above it."""
    if packages := [str(parent) for parent in file.parents if parent.name == _PACKAGES]:
        return packages[-1:]
    if file.suffix.lower() not in _SCRIPT_SUFFIXES:
        return []
    home = Path.home()
    below = takewhile(lambda parent: not home.is_relative_to(parent), file.parents)
    return [str(each) for each in below if any((each / name).is_file() for name in _MANIFESTS)][:1]


def server_environment(
    environ: Mapping[str, str], *, own: Mapping[str, str], home: Path | None, is_offline: bool = False
) -> dict[str, str]:
    """Return the whole environment of a server: what programs need, no secrets of others, and its ``own``.

    ``home`` is the folder that a confined server gets in place of the user's; ``is_offline``, whether it has
    no network.
    """
    inherited = {
        name: value
        for name, value in environ.items()
        if name.upper() in _PASSED_VARIABLES or name.startswith("LC_")
        if not value.startswith("()")
    }
    if home is not None:
        inherited |= {"HOME": str(home), "TMPDIR": str(home / "tmp")}
    return {**inherited, **(_OFFLINE if is_offline else {}), **own}


def _programs(start: Path) -> Iterator[Path]:
    """Yield the program, its link targets, and the interpreter that a script or environment names."""
    pending, seen = [start], set[Path]()
    while pending:
        program = pending.pop(0)
        if program in seen or len(seen) > 20:
            continue
        seen.add(program)
        yield program
        if program.is_symlink():
            pending.append(program.parent / program.readlink())
        pending += _interpreters(program)
        pending += _base_of(program)


def _interpreters(script: Path) -> list[Path]:
    try:
        with script.open("rb") as file:
            head = file.read(_SHEBANG_BYTES)
    except OSError:
        return []
    if not head.startswith(b"#!"):
        return []
    arguments = head[2:].split(b"\n", 1)[0].decode(errors="replace").split()
    if arguments and Path(arguments[0]).name == "env":
        interpreter = shutil.which(arguments[-1]) if len(arguments) > 1 else None
        return [Path(interpreter)] if interpreter else []
    return [Path(arguments[0])] if arguments else []


def _base_of(program: Path) -> list[Path]:
    """Return the base interpreter of a virtual environment."""
    try:
        lines = (program.parent.parent / "pyvenv.cfg").read_text(errors="replace").splitlines()
    except OSError:
        return []
    values = dict(line.partition("=")[::2] for line in lines)
    home = next((value.strip() for key, value in values.items() if key.strip() == "home"), "")
    return [Path(home) / "python3"] if home else []
