"""Where the model lies that comes with the program."""

from __future__ import annotations

import sys
from pathlib import Path


def starter_folder() -> Path:
    """Return the folder of the embedded model: in a packaged program, else in the environment's prefix."""
    root = getattr(sys, "_MEIPASS", sys.prefix)  # Set by PyInstaller.
    return Path(root) / "share" / "fireside" / "models"
