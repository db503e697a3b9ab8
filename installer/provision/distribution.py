"""The Linux distribution, and its command that installs packages."""

from __future__ import annotations

import platform
import shlex
from collections.abc import Iterable, Mapping
from enum import Enum


class Family(Enum):
    """Distributions that share a package manager and, mostly, package names."""

    DEBIAN = "debian"
    FEDORA = "fedora"
    ARCH = "arch"
    SUSE = "suse"


_FAMILY_OF = {
    "debian": Family.DEBIAN,
    "ubuntu": Family.DEBIAN,
    "fedora": Family.FEDORA,
    "rhel": Family.FEDORA,
    "centos": Family.FEDORA,
    "arch": Family.ARCH,
    "suse": Family.SUSE,
    "opensuse": Family.SUSE,
}

_INSTALL = {
    Family.DEBIAN: ("apt-get", "install", "-y", "--no-install-recommends"),
    Family.FEDORA: ("dnf", "install", "-y"),
    Family.ARCH: ("pacman", "-S", "--needed", "--noconfirm"),
    Family.SUSE: ("zypper", "--non-interactive", "install"),
}
_REFRESH = {Family.DEBIAN: ("apt-get", "update")}
"""For families that find no package before the first refresh."""


def family_of(os_release: Mapping[str, str]) -> Family | None:
    """Return the family in an os-release file, by its ID or ID_LIKE."""
    names = [os_release.get("ID", ""), *os_release.get("ID_LIKE", "").split()]
    for name in names:
        # openSUSE has opensuse-leap and opensuse-tumbleweed
        family = _FAMILY_OF.get(name.lower()) or _FAMILY_OF.get(name.lower().partition("-")[0])
        if family is not None:
            return family
    return None


def this_family() -> Family | None:
    """Return the family of this Linux, or None if it is unknown."""
    try:
        return family_of(platform.freedesktop_os_release())
    except OSError:
        return None


def install_arguments(family: Family, packages: Iterable[str]) -> tuple[str, ...]:
    """Return the command that installs ``packages`` as root."""
    return (*_INSTALL[family], *packages)


def install_command(family: Family, packages: Iterable[str], *, is_root: bool) -> str:
    """Return the command line that installs ``packages``, for the user to type."""
    lines = [install_arguments(family, packages)]
    if family in _REFRESH:
        lines.insert(0, _REFRESH[family])
    return " && ".join(shlex.join(command if is_root else ("sudo", *command)) for command in lines)
