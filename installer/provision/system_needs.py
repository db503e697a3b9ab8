"""The requirements that the system has to meet, each checked by using it."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial

from provision.distribution import Family

APT, DNF, PACMAN, ZYPPER = Family.DEBIAN, Family.FEDORA, Family.ARCH, Family.SUSE


@dataclass(frozen=True, kw_only=True)
class Need:
    """A requirement: its name, the package with it for each family, and whether it is met."""

    name: str
    packages: dict[Family, str]
    is_met: Callable[[], bool]


@dataclass(frozen=True, kw_only=True)
class Language:
    """The names of a compiled language: in the compiler's options, its variable, and its commands."""

    name: str
    variable: str
    commands: tuple[str, ...]


C = Language(name="c", variable="CC", commands=("cc", "gcc", "clang"))
CXX = Language(name="c++", variable="CXX", commands=("c++", "g++", "clang++"))


# From `readelf -d` of the Qt libraries that the window uses and of Qt's X11 plugin. Names as in
# Debian 12, Fedora 42, Arch and openSUSE Tumbleweed.
_QT_LIBRARIES = (
    ("libEGL.so.1", "libegl1", "libglvnd-egl", "libglvnd", "libEGL1"),
    ("libGL.so.1", "libgl1", "libglvnd-glx", "libglvnd", "libGL1"),
    ("libz.so.1", "zlib1g", "zlib-ng-compat", "zlib", "libz1"),
    ("libzstd.so.1", "libzstd1", "libzstd", "zstd", "libzstd1"),
    ("libglib-2.0.so.0", "libglib2.0-0", "glib2", "glib2", "libglib-2_0-0"),
    ("libgthread-2.0.so.0", "libglib2.0-0", "glib2", "glib2", "libgthread-2_0-0"),
    ("libdbus-1.so.3", "libdbus-1-3", "dbus-libs", "dbus", "libdbus-1-3"),
    ("libfontconfig.so.1", "libfontconfig1", "fontconfig", "fontconfig", "libfontconfig1"),
    ("libfreetype.so.6", "libfreetype6", "freetype", "freetype2", "libfreetype6"),
    ("libgssapi_krb5.so.2", "libgssapi-krb5-2", "krb5-libs", "krb5", "krb5"),
    ("libbrotlidec.so.1", "libbrotli1", "libbrotli", "brotli", "libbrotlidec1"),
    ("libxkbcommon.so.0", "libxkbcommon0", "libxkbcommon", "libxkbcommon", "libxkbcommon0"),
    (
        "libxkbcommon-x11.so.0",
        "libxkbcommon-x11-0",
        "libxkbcommon-x11",
        "libxkbcommon-x11",
        "libxkbcommon-x11-0",
    ),
    ("libX11.so.6", "libx11-6", "libX11", "libx11", "libX11-6"),
    ("libX11-xcb.so.1", "libx11-xcb1", "libX11-xcb", "libx11", "libX11-xcb1"),
    ("libxcb.so.1", "libxcb1", "libxcb", "libxcb", "libxcb1"),
    ("libxcb-glx.so.0", "libxcb-glx0", "libxcb", "libxcb", "libxcb-glx0"),
    ("libxcb-randr.so.0", "libxcb-randr0", "libxcb", "libxcb", "libxcb-randr0"),
    ("libxcb-render.so.0", "libxcb-render0", "libxcb", "libxcb", "libxcb-render0"),
    ("libxcb-shape.so.0", "libxcb-shape0", "libxcb", "libxcb", "libxcb-shape0"),
    ("libxcb-shm.so.0", "libxcb-shm0", "libxcb", "libxcb", "libxcb-shm0"),
    ("libxcb-sync.so.1", "libxcb-sync1", "libxcb", "libxcb", "libxcb-sync1"),
    ("libxcb-xfixes.so.0", "libxcb-xfixes0", "libxcb", "libxcb", "libxcb-xfixes0"),
    ("libxcb-xkb.so.1", "libxcb-xkb1", "libxcb", "libxcb", "libxcb-xkb1"),
    ("libxcb-util.so.1", "libxcb-util1", "xcb-util", "xcb-util", "libxcb-util1"),
    ("libxcb-cursor.so.0", "libxcb-cursor0", "xcb-util-cursor", "xcb-util-cursor", "libxcb-cursor0"),
    ("libxcb-icccm.so.4", "libxcb-icccm4", "xcb-util-wm", "xcb-util-wm", "libxcb-icccm4"),
    ("libxcb-image.so.0", "libxcb-image0", "xcb-util-image", "xcb-util-image", "libxcb-image0"),
    ("libxcb-keysyms.so.1", "libxcb-keysyms1", "xcb-util-keysyms", "xcb-util-keysyms", "libxcb-keysyms1"),
    (
        "libxcb-render-util.so.0",
        "libxcb-render-util0",
        "xcb-util-renderutil",
        "xcb-util-renderutil",
        "libxcb-render-util0",
    ),
)


def qt_library_needs() -> tuple[Need, ...]:
    """Return the libraries that Qt loads from the system to open a window."""
    return tuple(
        Need(
            name=soname,
            packages={APT: apt, DNF: dnf, PACMAN: pacman, ZYPPER: zypper},
            is_met=partial(_loads, soname),
        )
        for soname, apt, dnf, pacman, zypper in _QT_LIBRARIES
    )


def environment_need() -> Need:
    """Return what Python needs to create an environment with pip, which Debian packages separately."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return Need(
        name="Python’s ensurepip module",
        packages={
            APT: f"python{version}-venv",
            DNF: "python3-pip",
            PACMAN: "python",
            ZYPPER: f"python{version.replace('.', '')}-base",
        },
        is_met=_has_ensurepip,
    )


def compiler_needs() -> tuple[Need, ...]:
    """Return the compilers for llama.cpp; none on Windows, where the build finds Visual Studio."""
    if sys.platform == "win32":
        return ()
    return (
        Need(
            name="a C compiler",
            packages={APT: "gcc", DNF: "gcc", PACMAN: "gcc", ZYPPER: "gcc"},
            is_met=lambda: compiles(C, header="stdio.h"),
        ),
        Need(
            name="a C++ compiler",
            packages={APT: "g++", DNF: "gcc-c++", PACMAN: "gcc", ZYPPER: "gcc-c++"},
            is_met=lambda: compiles(CXX, header="vector"),
        ),
    )


def unmet(needs: Iterable[Need]) -> tuple[Need, ...]:
    """Return the requirements that the system does not meet."""
    return tuple(need for need in needs if not need.is_met())


def packages_for(needs: Iterable[Need], *, family: Family) -> tuple[str, ...]:
    """Return the packages with ``needs``, without duplicates."""
    return tuple(dict.fromkeys(need.packages[family] for need in needs))


def _loads(soname: str) -> bool:
    try:
        ctypes.CDLL(soname)
    except OSError:
        return False
    return True


def _has_ensurepip() -> bool:
    importlib.invalidate_caches()
    return importlib.util.find_spec("ensurepip") is not None and importlib.util.find_spec("venv") is not None


def compiles(language: Language, *, header: str, flags: tuple[str, ...] = ()) -> bool:
    """Return whether the compiler of a language accepts a file that includes a standard header."""
    configured = os.environ.get(language.variable)
    names = (configured,) if configured else language.commands
    compiler = next((path for name in names if (path := shutil.which(name))), None)
    if compiler is None:
        return False
    result = subprocess.run(
        [compiler, *flags, "-x", language.name, "-fsyntax-only", "-"],
        input=f"#include <{header}>\n".encode(),
        capture_output=True,
        check=False,
    )
    return result.returncode == 0
