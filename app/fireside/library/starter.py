"""The folder of the starter model."""

from __future__ import annotations

import sys
from pathlib import Path


def starter_folder() -> Path:
    """Return the folder of the embedded model, in the prefix of the running Python."""
    return Path(sys.prefix) / "share" / "fireside" / "models"
