"""How the process that reads a file is started."""

from __future__ import annotations

import sys


def reading_command() -> tuple[str, ...]:
    """Return the command that starts such a process of this very program."""
    if getattr(sys, "frozen", False):
        return (sys.executable, "--documents")
    # -P: modules in the working directory are not imported.
    return (sys.executable, "-P", "-m", "fireside.documents")
