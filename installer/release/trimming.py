"""Which files of the locked packages are in the tree: those that the program loads."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from release.elf import ElfNeeds

_UNUSED_PACKAGE = re.compile(r"hf_xet(?:-[^/]*)?/.*")
"""Fireside has its own downloads."""
_EXCLUDED = re.compile(
    r"""
    bin/.*                                          # commands of packages
    | huggingface_hub/(?:cli|inference)/.*          # its own command, and models that run elsewhere
    | numpy/(?:f2py|doc|distutils|_pyinstaller)/.*
    | numpy/(?:random|fft|ma|polynomial)/.*         # loaded when first named, which nothing here does
    | numpy/_core/_\w+_tests\..*
    | yaml/_yaml\..*                                # the same in C; its Python does as well
    | numpy/_core/_simd\..*                         # for its tests
    | PIL/_(?:avif|imagingft|imagingcms|imagingtk)\..*  # what it never opens or draws
    | apsw/(?:sqlite_extra.*|shell\.py|speedtest\.py|trace\.py|fts_test_strings)
    | numpy/.*/include/.*
    | (?:pythonwin|isapi|adodbapi|win32comext)/.* | PyWin32\.chm  # of pywin32: an editor, servers, databases
    | shiboken6/vc(?:amp|corlib|omp)140\.dll         # of Microsoft's runtime, needed by nothing
    | [^/]*\.dist-info/(?:RECORD|INSTALLER|REQUESTED|WHEEL|direct_url\.json|top_level\.txt)
    | (?:.*/)?(?:__pycache__|tests?|conftest\.py)(?:/.*)?
    | .*\.(?:pyi|pyx|pxd|pxi|c|cpp|h|hpp|a|lib|md|rst)
    """,
    re.VERBOSE,
)
_QT = re.compile(
    r"""
    (?:__init__|_config|_git_pyside_version)\.py
    | support/.*\.py
    | Qt(?:Core|Gui|Widgets|Network|Svg|DBus)\.abi3\.so
    | libpyside6\.abi3\.so\..*
    | Qt/lib/.*                                     # of these, what the others need
    | Qt/plugins/platforms/libq(?:xcb|wayland|offscreen)\.so
    | Qt/plugins/(?:wayland-graphics-integration-client|wayland-shell-integration)/.*
    | Qt/plugins/wayland-decoration-client/.*
    | Qt/plugins/(?:platformthemes|xcbglintegrations|iconengines)/.*
    | Qt/plugins/platforminputcontexts/lib(?:compose|ibus)platforminputcontextplugin\.so
    | Qt/plugins/imageformats/libq(?:gif|ico|jpeg|svg|webp)\.so
    # The same for Windows, where they lie higher.
    | Qt(?:Core|Gui|Widgets|Network|Svg)\.pyd
    | Qt6(?:Core|Gui|Widgets|Network|Svg)\.dll
    | pyside6\.abi3\.dll
    | (?:msvcp|vcruntime|concrt)140[^/]*\.dll
    | plugins/platforms/q(?:windows|offscreen)\.dll
    | plugins/(?:styles|iconengines)/.*
    | plugins/imageformats/q(?:gif|ico|jpeg|svg|webp)\.dll
    """,
    re.VERBOSE,
)
QT_LIBRARIES = PurePosixPath("PySide6/Qt/lib")
_LIBRARY_FOLDERS = (QT_LIBRARIES, PurePosixPath("pillow.libs"))


def is_kept(path: PurePosixPath, *, languages: frozenset[str]) -> bool:
    """Return whether a file of the packages is in the tree. ``languages`` are those of the window."""
    name = str(path)
    if _UNUSED_PACKAGE.fullmatch(name):
        return False
    if _EXCLUDED.fullmatch(name):
        return "licenses" in path.parts  # licence texts may have any name
    if path.parts[0] != "PySide6":
        return True
    inner = name.removeprefix("PySide6/")
    translations = {f"translations/qtbase_{language}.qm" for language in languages}
    return inner.removeprefix("Qt/") in translations or _QT.fullmatch(inner) is not None


def unneeded_libraries(needs: Mapping[PurePosixPath, ElfNeeds]) -> frozenset[PurePosixPath]:
    """Return the libraries of Qt and Pillow that no file in the tree needs, directly or indirectly.

    ``needs`` has all programs and libraries, by their path in the folder of packages.
    """
    by_name = {path.name: path for path in needs if path.parent in _LIBRARY_FOLDERS}
    needed: set[PurePosixPath] = set()
    pending = [path for path in needs if path.parent not in _LIBRARY_FOLDERS]
    while pending:
        for name in needs[pending.pop()].libraries & by_name.keys():
            library = by_name[name]
            if library not in needed:
                needed.add(library)
                pending.append(library)
    return frozenset(by_name.values()) - needed
