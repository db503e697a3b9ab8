"""Copy a Python interpreter with its standard library into a relocatable tree."""

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

_DESCRIBE = """
import json, os, sys, sysconfig
print(json.dumps({
    "program": os.path.realpath(sys.executable),
    "library": sysconfig.get_path("stdlib"),
    "modules": sysconfig.get_config_var("DESTSHARED"),
    "version": "%d.%d" % sys.version_info[:2],
    "full_version": "%d.%d.%d" % sys.version_info[:3],
}))
"""
_PRINT_PACKAGE_FOLDERS = "import site; print(*site.getsitepackages(), sep='\\n')"

_EXCLUDED = re.compile(
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
    """An interpreter; ``library`` is its standard library, ``modules`` the folder of compiled modules."""

    program: Path
    library: Path
    modules: Path
    version: str
    full_version: str


def find_interpreter(requested: Path | None) -> Interpreter:
    """Return the interpreter to copy: ``requested``, else the system's, else the current one.

    Its version has to be that of the current one, for which the packages are installed. Raises SetupFailure.
    """
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    default = Path(f"/usr/bin/python{version}")
    program = requested or (default if default.exists() else Path(sys.executable))
    output = subprocess.run(
        [program, "-I", "-c", _DESCRIBE], capture_output=True, text=True, check=True
    ).stdout
    values = json.loads(output)
    interpreter = Interpreter(
        program=Path(values["program"]),
        library=Path(values["library"]),
        modules=Path(values["modules"]),
        version=values["version"],
        full_version=values["full_version"],
    )
    if interpreter.version != version:
        raise SetupFailure(
            sentence=f"{program} is Python {interpreter.version}, and this runs with Python {version}.",
            advice=f"Name a Python {version} with --python, or run this with that one.",
        )
    libraries = read_needs([interpreter.program])[interpreter.program].libraries
    if any(name.startswith("libpython") for name in libraries):
        raise SetupFailure(
            sentence=f"{program} takes its library from a fixed folder, so a copy could not be moved.",
            advice="Name one that was built without --enable-shared, with --python.",
        )
    return interpreter


def is_excluded(path: PurePosixPath) -> bool:
    """Return whether the program does not need a file of the standard library."""
    return _EXCLUDED.fullmatch(str(path)) is not None


def copy_interpreter(interpreter: Interpreter, *, tree: Path) -> Path:
    """Copy an interpreter into ``tree``; return the program of the copy, which is relocatable with the
    tree."""
    program = tree / "bin" / f"python{interpreter.version}"
    program.parent.mkdir(parents=True)
    shutil.copyfile(interpreter.program, program)
    program.chmod(0o755)
    library = tree / "lib" / f"python{interpreter.version}"
    for source in sorted(interpreter.library.rglob("*")):
        path = source.relative_to(interpreter.library)
        if source.is_file() and not is_excluded(PurePosixPath(path)):
            copy_file(source, library / path)
    for source in sorted(interpreter.modules.glob("*.so")):
        if not is_excluded(PurePosixPath("lib-dynload") / source.name):
            copy_file(source, library / "lib-dynload" / source.name)
    return program


def packages_folder(program: Path) -> Path:
    """Return the folder in its tree where a copied interpreter looks for packages."""
    command: list[str | Path] = [program, "-I", "-c", _PRINT_PACKAGE_FOLDERS]
    folders = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    library = program.parents[1] / "lib" / program.name
    return next(path for folder in folders if (path := Path(folder)).parent == library)


def copy_file(source: Path, target: Path) -> None:
    """Copy the content of a file, creating the folders of ``target``."""
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)
