"""Start Fireside: the window, a command, or (in a packaged program) one of its child processes."""

from __future__ import annotations

import runpy
import sys


def main() -> None:
    """Entry point of the ``fireside`` command."""
    if sys.argv[1:2] == ["--runner"]:  # a frozen program has no other executable to start its runners with
        runpy.run_module("fireside.runner", run_name="__main__")
        return
    if sys.argv[1:2] == ["--documents"]:  # the same for what reads attached files
        runpy.run_module("fireside.documents", run_name="__main__")
        return
    from fireside.cli.exit_handling import status_of

    sys.exit(status_of(_run))


def _run() -> int:
    # What takes its time is brought in here, where Ctrl+C is expected.
    from fireside.main import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    main()
