"""The build information of a package: how it is installed, and where its updates come from."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.about import PackageKind
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.updates.minisign import PublicKey, parse_key
from fireside.updates.release_client import is_allowed_address

BUILD_NAME: Final = "share/fireside/build.json"
"""Path in the tree; written by ``installer/release``."""


class BuildInfo(msgspec.Struct, frozen=True, kw_only=True):
    """How this copy was packaged. Without an address it does not check for updates."""

    kind: PackageKind = PackageKind.OTHER
    address: str = ""
    """URL of the release repository, ending in a slash."""
    keys: tuple[str, ...] = ()
    """minisign's public keys that releases are signed with: the current one, and its successor."""

    @property
    def public_keys(self) -> tuple[PublicKey, ...]:
        """The valid keys."""
        keys = []
        for text in self.keys:
            with contextlib.suppress(ValueError, IndexError):
                keys.append(parse_key(text))
        return tuple(keys)

    @property
    def is_published(self) -> bool:
        """Whether this copy can check for updates."""
        return is_allowed_address(self.address) and self.address.endswith("/") and bool(self.public_keys)


def read_build_info(tree: Path, *, package: Path) -> BuildInfo:
    """Return the build information of the program in ``tree``; ``package`` is the folder of its modules."""
    if package.parent.name == "app" and (package.parent.parent / "pyproject.toml").is_file():
        return BuildInfo(kind=PackageKind.SOURCE)
    with contextlib.suppress(OSError, JsonInvalid):
        return decode_json((tree / BUILD_NAME).read_bytes(), kind=BuildInfo)
    return BuildInfo()
