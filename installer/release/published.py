"""The address and keys of releases, which are written into each package."""

from __future__ import annotations

import json
from pathlib import Path

ADDRESS = ""
"""The folder of the releases, with a slash at its end. Empty: no copy looks for updates."""
KEYS: tuple[str, ...] = ()
"""Public keys of minisign: the current one and its successor, whose secret key is stored separately."""
_NAME = "share/fireside/build.json"


def write_build(tree: Path, *, kind: str) -> None:
    """Write the kind of installation into ``tree``, see ``app/fireside/updates/build.py``.

    ``kind`` is "folders" for an installation with several versions, or "system" for a package of the system.
    """
    path = tree / _NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    content = {"kind": kind, "address": ADDRESS, "keys": list(KEYS)}
    path.write_text(json.dumps(content) + "\n", encoding="utf-8")
