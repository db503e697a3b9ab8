"""Read and write the origin of a downloaded file, in a file beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.hub import FileOrigin, origin_name
from fireside.hub.download_disk import Disk

_FORMAT: Final = 1


def origin_path(target: Path) -> Path:
    return target.with_name(origin_name(target.name))


def read_origin(target: Path, *, disk: Disk) -> FileOrigin | None:
    """Return a file's origin; ``None`` if there is none or it cannot be read."""
    try:
        content = disk.read(origin_path(target))
        origin = None if content is None else decode_json(content, kind=FileOrigin)
    except (OSError, JsonInvalid):
        return None
    if origin is None or origin.format != _FORMAT or origin.block_bytes <= 0 or origin.size_bytes < 0:
        return None
    return origin


def write_origin(target: Path, origin: FileOrigin, *, disk: Disk) -> None:
    """Write the origin atomically. Raises ``OSError``."""
    disk.write_whole(origin_path(target), msgspec.json.format(msgspec.json.encode(origin), indent=1))
