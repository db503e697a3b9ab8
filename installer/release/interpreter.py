"""Copy a Python interpreter with its standard library into a tree that can be moved."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from provision.failure import SetupFailure
from release.elf import read_needs

_ASK = """
import json, os, sys, sysconfig
print(json.dumps({
    "program": os.path.realpath(sys.executable),
    "library": sysconfig.get_path("stdlib"),
    "modules": sysconfig.get_config_var("DESTSHARED"),
    "version": "%d.%d" % sys.version_info[:2],
    "full_version": "%d.%d.%d" % sys.version_info[:3],
}))
"""
_ASK_PACKAGES = "import site; print(*site.getsitepackages(), sep='\\n')"

_LEFT_OUT = re.compile(
    r"""
    (?:test|idlelib|tkinter|turtledemo|turtle\.py|lib2to3|ensurepip|distutils|pydoc_data|venv
      |site-packages|dist-packages|sqlite3|curses|dbm|config-.*|sitecustomize\.py|EXTERNALLY-MANAGED
      |LICENSE\.txt)(?:/.*)?
    | (?:.*/)?(?:__pycache__|tests?)/.*
    | .*\.(?:a|o|exe)
    | lib-dynload/(?:_test|_ctypes_test|_xx|xx|_tkinter|_sqlite3|_curses|_dbm|_gdbm|nis|ossaudiodev).*
    """,
    re.VERBOSE,
)


@dataclass(frozen=True, kw_only=True)
class Interpreter:
    """An interpreter of this machine. ``modules`` are its compiled ones."""

    program: Path
    library: Path
    modules: Path
    version: str
    full_version: str


def find_interpreter(wanted: Path | None) -> Interpreter:
    """Return the interpreter to copy: ``wanted``, else the system's, else the one that runs this.

    It has to be of the version of the one that runs this, for which the packages are installed. Raises
    SetupFailure.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    usual = Path(f"/usr/bin/python{version}")
    chosen = wanted or (usual if usual.exists() else Path(sys.executable))
    told = subprocess.run([chosen, "-I", "-c", _ASK], capture_output=True, text=True, check=True).stdout
    values = json.loads(told)
    found = Interpreter(
        program=Path(values["program"]),
        library=Path(values["library"]),
        modules=Path(values["modules"]),
        version=values["version"],
        full_version=values["full_version"],
    )
    if found.version != version:
        raise SetupFailure(
            sentence=f"{chosen} is Python {found.version}, and this runs with Python {version}.",
            advice=f"Name a Python {version} with --python, or run this with that one.",
        )
    libraries = read_needs([found.program])[found.program].libraries
    if any(name.startswith("libpython") for name in libraries):
        raise SetupFailure(
            sentence=f"{chosen} takes its library from a fixed folder, so a copy could not be moved.",
            advice="Name one that was built without --enable-shared, with --python.",
        )
    return found


def is_left_out(path: PurePosixPath) -> bool:
    """Tell whether a file of the standard library is one that the program has no use for."""
    return _LEFT_OUT.fullmatch(str(path)) is not None


def copy_interpreter(found: Interpreter, *, tree: Path) -> Path:
    """Copy ``found`` into ``tree``; return the copy, which runs from wherever the tree is moved."""
    program = tree / "bin" / f"python{found.version}"
    program.parent.mkdir(parents=True)
    shutil.copyfile(found.program, program)
    program.chmod(0o755)
    library = tree / "lib" / f"python{found.version}"
    for source in sorted(found.library.rglob("*")):
        path = source.relative_to(found.library)
        if source.is_file() and not is_left_out(PurePosixPath(path)):
            _copy(source, library / path)
    for source in sorted(found.modules.glob("*.so")):
        if not is_left_out(PurePosixPath("lib-dynload") / source.name):
            _copy(source, library / "lib-dynload" / source.name)
    return program


def packages_folder(program: Path) -> Path:
    """Return where a copied interpreter looks for installed packages, within its own tree."""
    told = subprocess.run(
        [program, "-I", "-c", _ASK_PACKAGES], capture_output=True, text=True, check=True
    ).stdout
    library = program.parents[1] / "lib" / program.name
    return next(path for line in told.splitlines() if (path := Path(line)).parent == library)


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
