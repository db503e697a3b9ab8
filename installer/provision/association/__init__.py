"""Register Fireside with the user's desktop, as a program that opens model files."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from provision.association import linux, macos, windows
from provision.layout import Layout


def associate(layout: Layout) -> tuple[str, ...]:
    """Register Fireside; return what was written. Raises ``OSError``. Needs no administrator."""
    if sys.platform == "win32":
        return windows.write(windows.entries(layout))
    if sys.platform == "darwin":
        return macos.write(layout, applications=_mac_applications())
    return linux.write(root=layout.root, program=layout.scripts / "fireside", data_home=data_home())


def dissociate() -> tuple[str, ...]:
    """Undo ``associate``; return what was removed. Raises ``OSError``."""
    if sys.platform == "win32":
        return windows.remove()
    if sys.platform == "darwin":
        return macos.remove(applications=_mac_applications())
    return linux.remove(data_home=data_home())


def data_home() -> Path:
    """Return the user's folder for desktop entries, media types and icons."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"


def _mac_applications() -> Path:
    return Path.home() / "Applications"
