"""Where releases are published: the one place that says so. Each package carries it."""

from __future__ import annotations

import json
from pathlib import Path

ADDRESS = ""
"""The folder of the releases, with a slash at its end. Empty: no copy looks anywhere for newer ones."""
KEYS: tuple[str, ...] = ()
"""Public keys as minisign writes them: the one that signs, and its successor, whose secret lies elsewhere."""
_NAME = "share/fireside/build.json"


def write_build(tree: Path, *, kind: str) -> None:
    """Write into ``tree`` how it is installed, see ``app/fireside/updates/build.py``.

    ``kind`` is "folders" where versions lie beside each other, or "system" for a package of the system.
    """
    path = tree / _NAME
    path.parent.mkdir(parents=True, exist_ok=True)
    said = {"kind": kind, "address": ADDRESS, "keys": list(KEYS)}
    path.write_text(json.dumps(said) + "\n", encoding="utf-8")
