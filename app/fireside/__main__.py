"""Start Fireside: the window or a command."""

from __future__ import annotations

import sys


def main() -> None:
    """Entry point of the ``fireside`` command."""
    from fireside.cli.exit_handling import status_of

    sys.exit(status_of(_run))


def _run() -> int:
    # What takes its time is brought in here, where Ctrl+C is expected.
    from fireside.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
