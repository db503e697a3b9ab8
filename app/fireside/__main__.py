"""Start Fireside: the window or a command."""

from __future__ import annotations

import sys
from typing import Final

_NO_ERROR_BOXES: Final = 0x0001 | 0x0002


def main() -> None:
    """Entry point of the ``fireside`` command."""
    from fireside.cli.exit_handling import status_of

    leave_no_core_files()
    sys.exit(status_of(_run))


def leave_no_core_files() -> None:
    """Have a crash leave no copy of the memory, which holds chats and tokens, and show no message box.

    All processes that this one starts inherit that: runners, readers of documents, tool hosts and servers.
    """
    if sys.platform == "win32":
        import ctypes

        ctypes.windll.kernel32.SetErrorMode(_NO_ERROR_BOXES)
    else:
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _run() -> int:
    # What takes its time is brought in here, where Ctrl+C is expected.
    from fireside.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
