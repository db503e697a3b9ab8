"""What the builder of a package said of it: how it is installed, and where newer versions are."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.about import PackageKind
from fireside.updates.minisign import PublicKey, parse_key
from fireside.updates.release_client import is_allowed_address

BUILD_NAME: Final = "share/fireside/build.json"
"""In the tree, written by ``installer/release``."""


class Build(msgspec.Struct, frozen=True, kw_only=True):
    """How this copy came here. Without an address it looks nowhere for newer ones."""

    kind: PackageKind = PackageKind.OTHER
    address: str = ""
    """The folder of the releases, ending in a slash."""
    keys: tuple[str, ...] = ()
    """Those that releases are signed with, as minisign writes them: the one in use, and its successor."""

    @property
    def public_keys(self) -> tuple[PublicKey, ...]:
        """The keys that can be read."""
        found = []
        for text in self.keys:
            with contextlib.suppress(ValueError, IndexError):
                found.append(parse_key(text))
        return tuple(found)

    @property
    def is_published(self) -> bool:
        """Whether newer versions can be looked for."""
        return is_allowed_address(self.address) and self.address.endswith("/") and bool(self.public_keys)


def read_build(tree: Path, *, package: Path) -> Build:
    """Return what is said of the program in ``tree``; ``package`` is the folder of its modules."""
    if package.parent.name == "app" and (package.parent.parent / "pyproject.toml").is_file():
        return Build(kind=PackageKind.SOURCE)
    with contextlib.suppress(OSError, msgspec.MsgspecError, UnicodeDecodeError):
        return msgspec.json.decode((tree / BUILD_NAME).read_bytes(), type=Build)
    return Build()
