"""A program whose every way out of this computer is watched from below Python and Qt. Linux and the like."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

PATIENCE_S: Final = 240


class Watched:
    """Runs programs under the watch."""

    def __init__(self, folder: Path, *, library: str) -> None:
        self.home = folder / "fireside"
        self._record = folder / "network"
        self._watch = {"LD_PRELOAD": library, "LC_WATCH_NETWORK": str(self._record)}

    def run(self, *command: str, **environment: str) -> list[str]:
        """Run Python and return what would have left: ``getaddrinfo huggingface.co``."""
        self._record.unlink(missing_ok=True)
        done = subprocess.run(
            [sys.executable, "-P", *command],
            env={
                **os.environ,
                **self._watch,
                "QT_QPA_PLATFORM": "offscreen",
                "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
                **environment,
            },
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, done.stderr[-2000:]
        lines = self._record.read_text().splitlines() if self._record.exists() else []
        return sorted({line.partition(" ")[2] for line in lines})
