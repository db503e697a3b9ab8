"""What of the locked packages goes into the tree: what the program loads, and nothing else."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import PurePosixPath

from release.elf import ElfNeeds

_LEFT_OUT = re.compile(
    r"""
    bin/.*                                          # commands of packages
    | hf_xet(?:-[^/]*)?/.*                          # downloads go through our own transfer
    | numpy/(?:f2py|doc|_pyinstaller)/.*
    | numpy/.*/include/.*
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
    """,
    re.VERBOSE,
)
QT_LIBRARIES = PurePosixPath("PySide6/Qt/lib")


def is_kept(path: PurePosixPath, *, languages: frozenset[str]) -> bool:
    """Tell whether a file of the installed packages is wanted. ``languages`` are those of the window."""
    name = str(path)
    if _LEFT_OUT.fullmatch(name):
        return "licenses" in path.parts  # a licence may be called what it wants
    if path.parts[0] != "PySide6":
        return True
    inner = name.removeprefix("PySide6/")
    translations = {f"Qt/translations/qtbase_{language}.qm" for language in languages}
    return inner in translations or _QT.fullmatch(inner) is not None


def unneeded_qt_libraries(needs: Mapping[PurePosixPath, ElfNeeds]) -> frozenset[PurePosixPath]:
    """Return the libraries of Qt that nothing kept needs, not even through another one.

    ``needs`` has every program and library, by its path within the packages' folder.
    """
    by_name = {path.name: path for path in needs if path.parent == QT_LIBRARIES}
    wanted: set[PurePosixPath] = set()
    waiting = [path for path in needs if path.parent != QT_LIBRARIES]
    while waiting:
        for name in needs[waiting.pop()].libraries & by_name.keys():
            library = by_name[name]
            if library not in wanted:
                wanted.add(library)
                waiting.append(library)
    return frozenset(by_name.values()) - wanted
