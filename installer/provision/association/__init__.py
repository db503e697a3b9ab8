"""Let this user's system open model files with Fireside, and put Fireside among the programs."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from provision.association import linux, macos, windows
from provision.layout import Layout


def associate(layout: Layout) -> tuple[str, ...]:
    """Tell the system; return what was written. Raises ``OSError``. Nothing needs an administrator."""
    if sys.platform == "win32":
        return windows.write(windows.entries(layout))
    if sys.platform == "darwin":
        return macos.write(layout, applications=_mac_applications())
    return linux.write(root=layout.root, program=layout.scripts / "fireside", data_home=data_home())


def dissociate() -> tuple[str, ...]:
    """Take back what ``associate`` did; return what was removed. Raises ``OSError``."""
    if sys.platform == "win32":
        return windows.remove()
    if sys.platform == "darwin":
        return macos.remove(applications=_mac_applications())
    return linux.remove(data_home=data_home())


def data_home() -> Path:
    """Return where desktops look for what this user added."""
    given = os.environ.get("XDG_DATA_HOME", "")
    return Path(given) if Path(given).is_absolute() else Path.home() / ".local" / "share"


def _mac_applications() -> Path:
    return Path.home() / "Applications"
