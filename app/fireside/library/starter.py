"""Where the model lies that comes with the program."""

from __future__ import annotations

import sys
from pathlib import Path


def starter_folder() -> Path:
    """Return the folder of the embedded model, in the prefix of the Python that runs this."""
    return Path(sys.prefix) / "share" / "fireside" / "models"
