"""Set Fireside up and start it: `python3 installer/bootstrap.py run`. Needs Python and nothing else.

This file has to be valid in any Python 3, so that an old one prints a message and not a syntax error.
"""

import sys

OLDEST_PYTHON = (3, 11)


def main() -> int:
    if sys.version_info < OLDEST_PYTHON:
        sys.stderr.write(
            "Fireside needs Python 3.11 or newer, and this is Python {}.{}.\n"
            "If a newer one is installed under another name, say so: make run PYTHON=python3.12\n".format(
                *sys.version_info[:2]
            )
        )
        return 1
    from provision.commands import main as run_command

    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
