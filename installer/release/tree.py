"""Assemble the relocatable tree: Python, packages, llama.cpp, the program and its starter model.

Byte code is compiled here and never checked against the sources, so that an installed tree is never written
to and starts fast on a read-only file system.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from provision import starter_model
from provision.failure import SetupFailure
from provision.layout import Layout
from release.components import (
    SYSTEM_LIBRARIES,
    Component,
    fonts_and_icons_in,
    llama_cpp_in,
    model_of,
    packages_in,
    python_of,
    system_library,
)
from release.elf import OPENMP, elf_files, find_library, read_needs
from release.interpreter import Interpreter, copy_file, copy_interpreter, packages_folder
from release.notices import write_notices
from release.trimming import QT_LIBRARIES, is_kept, unneeded_libraries

MODEL_FOLDER = "share/fireside/models"
OLDEST_GLIBC = (2, 35)
"""Ubuntu 22.04, Debian 12, Fedora 36."""

_LAUNCHER = """\
#!/bin/sh
# Starts Fireside from wherever its folder lies, without what is set or installed for other Pythons.
program=$(readlink -f -- "$0") || exit
exec "${{program%/*}}/{python}" -I -m fireside "$@"
"""


def assemble_base(
    tree: Path, *, interpreter: Interpreter, packages: Path, runtime: Path, layout: Layout
) -> None:
    """Write the tree without the program and the model into the new folder ``tree``.

    Args:
        packages: the folder of the locked packages.
        runtime: the archive of a llama.cpp build, see ``installer/runtimes``.
        layout: the checkout; its environment has the binding of llama.cpp.
    """
    shutil.rmtree(tree, ignore_errors=True)
    program = copy_interpreter(interpreter, tree=tree)
    target = packages_folder(program)
    copy_packages(packages, target=target, layout=layout)
    needs = {PurePosixPath(path.relative_to(target)): n for path, n in read_needs(elf_files(target)).items()}
    for library in unneeded_libraries(needs):
        (target / library).unlink()
    unpack_runtime(runtime, folder=target / "llama_cpp" / "lib")
    for name in SYSTEM_LIBRARIES:
        folder = target / "llama_cpp" / "lib" if name == OPENMP else target / QT_LIBRARIES
        shutil.copyfile(find_library(name), folder / name)
    launcher = tree / "bin" / "fireside"
    launcher.write_text(_LAUNCHER.format(python=program.name), encoding="utf-8")
    launcher.chmod(0o755)
    compile_folder(tree / "lib", tree=tree)


def assemble(tree: Path, *, base: Path, interpreter: Interpreter, layout: Layout, version: str) -> None:
    """Write the whole tree into the new folder ``tree``: ``base``, the program and the starter model.

    Raises SetupFailure if a licence text is missing, or if a file needs a newer glibc than supported.
    """
    shutil.rmtree(tree, ignore_errors=True)
    shutil.copytree(base, tree, symlinks=True, copy_function=os.link)
    package = packages_folder(next((tree / "bin").glob("python3*"))) / "fireside"
    copy_program(layout, tree=tree, package=package)
    compile_folder(package, tree=tree)
    components = (
        python_of(interpreter),
        *components_of(layout, packages=package.parent),
        *map(system_library, SYSTEM_LIBRARIES),
    )
    write_notices(tree, components, version=version, packages=package.parent.relative_to(tree))
    check(tree)


def copy_program(layout: Layout, *, tree: Path, package: Path) -> None:
    """Copy the program and its resources to ``package``, and the starter model into ``tree``."""
    for source in _files(layout.app / "fireside"):
        if source.parts[-2] != "__pycache__":
            copy_file(source, package / source.relative_to(layout.app / "fireside"))
    for source in _files(layout.root / "resources"):
        path = source.relative_to(layout.root / "resources")
        if path.parts[0] != "screenshots" and source.suffix != ".ts":
            copy_file(source, package / "_resources" / path)
    for name in (starter_model.FILE, starter_model.LICENCE):
        copy_file(layout.models / name, tree / MODEL_FOLDER / name)
    shutil.copyfile(layout.root / "LICENSE", tree / "LICENSE")


def components_of(layout: Layout, *, packages: Path) -> tuple[Component, ...]:
    """Return the third-party components of the tree on every system, without Python."""
    return (
        *packages_in(packages),
        llama_cpp_in(packages / "llama_cpp" / "lib"),
        *fonts_and_icons_in(layout.root / "resources"),
        model_of(layout.models / starter_model.FILE, licence=layout.models / starter_model.LICENCE),
    )


def check(tree: Path) -> None:
    """Raise SetupFailure if a file in ``tree`` needs a newer glibc than ``OLDEST_GLIBC``."""
    for path, needs in read_needs(elf_files(tree)).items():
        if needs.glibc > OLDEST_GLIBC:
            raise SetupFailure(
                sentence=f"{path.relative_to(tree)} needs glibc {needs.glibc[0]}.{needs.glibc[1]}.",
                advice="Build on an older system, or name another interpreter with --python.",
            )


def system_libraries(tree: Path) -> frozenset[str]:
    """Return the sonames of the libraries that ``tree`` needs from the system."""
    files = elf_files(tree)
    own = {path.name for path in tree.rglob("*.so*")}
    return frozenset(name for needs in read_needs(files).values() for name in needs.libraries) - own


def compile_folder(folder: Path, *, tree: Path) -> None:
    """Compile the modules in ``folder`` with the tree's Python; the byte code does not contain its path."""
    python = next((tree / "bin").glob("python3*"))
    arguments = ("-q", "-f", "--invalidation-mode", "unchecked-hash", "-s", tree, "-p", "", folder)
    # The order of sets in byte code depends on the hash seed.
    variables = {"PYTHONHASHSEED": "0", "PATH": os.environ.get("PATH", os.defpath)}
    subprocess.run([python, "-s", "-P", "-m", "compileall", *arguments], env=variables, check=True)


def unpack_runtime(archive: Path, *, folder: Path) -> None:
    """Unpack the archive of a runtime into ``folder``, without its single top folder."""
    with tarfile.open(archive) as tar:
        for member in tar:
            name = PurePosixPath(member.name).name
            target = folder / name
            folder.mkdir(parents=True, exist_ok=True)
            if member.issym() and PurePosixPath(member.linkname).name == member.linkname:
                target.symlink_to(member.linkname)
            elif member.isfile():
                source = tar.extractfile(member)
                assert source is not None
                with source, target.open("wb") as file:
                    shutil.copyfileobj(source, file)


def copy_packages(packages: Path, *, target: Path, layout: Layout) -> None:
    """Copy the files of ``packages`` that the program loads, and llama-cpp-python without its libraries,
    which are those of the runtime."""
    languages = _languages(layout)
    (dist_info,) = layout.site_packages.glob("llama_cpp_python-*.dist-info")
    binding = (*sorted((layout.site_packages / "llama_cpp").glob("*.py")), *_files(dist_info))
    sources = {source.relative_to(packages): source for source in _files(packages)}
    sources |= {source.relative_to(layout.site_packages): source for source in binding}
    for path, source in sources.items():
        if is_kept(PurePosixPath(path), languages=languages):
            copy_file(source, target / path)


def _languages(layout: Layout) -> frozenset[str]:
    names = (path.stem for path in (layout.root / "resources" / "translations").glob("*.qm"))
    return frozenset(name.rpartition("_")[2] for name in names)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
