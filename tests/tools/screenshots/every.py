"""Every picture over a client in memory, in every look: both themes, sizes, languages, contrast, direction.

Usage: PYTHONPATH=tests python tests/tools/screenshots/every.py FOLDER [LOOK …]
All looks take about half an hour.
Each look gets a folder of its own; what is cut off in a picture is said beside its name.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

SCRIPTS: Final = (
    "states",
    "context",
    "loading",
    "pages",
    "engines",
    "documents",
    "tool_pages",
    "sheets",
    "projects",
    "material",
    "speech",
)
LOOKS: Final[dict[str, tuple[str, ...]]] = {
    "usual": (),
    "least": ("--size=640x600",),
    "german": ("--language=de",),
    "german-least": ("--language=de", "--size=640x600"),
    "contrast": ("--high-contrast",),
    "large-text": ("--text-size=20",),
    "least-large-text": ("--size=640x600", "--text-size=28"),
    "german-least-large-text": ("--language=de", "--size=640x600", "--text-size=28"),
    "right-to-left": ("--right-to-left",),
    "double": (),
}
DOUBLE: Final = "double"
"""The look of a screen with twice as many pixels in each direction."""


def main() -> int:
    """Take them all; return how many scripts did not get to their end."""
    folder, *names = sys.argv[1:]
    n_failed = 0
    for look in names or LOOKS:
        scale = {"QT_SCALE_FACTOR": "2"} if look == DOUBLE else {}
        for script in SCRIPTS:
            sys.stdout.write(f"{look}: {script}\n")
            sys.stdout.flush()
            path = Path(__file__).with_name(f"{script}.py")
            command = [sys.executable, str(path), str(Path(folder) / look), *LOOKS[look]]
            n_failed += subprocess.run(command, env=os.environ | scale, check=False).returncode != 0
    return n_failed


if __name__ == "__main__":
    raise SystemExit(main())
