"""Start the speech host: ``python -P -m fireside.speech_host FOLDER…``, with the folders of components."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

_MAX_ADDRESS_SPACE: Final = 12 << 30
"""Bytes, most of which are never used: the largest models of the list take 2 GB."""


def main() -> int:
    """Serve until the program ends."""
    sys.path.extend(sys.argv[1:])  # behind the program's own packages
    confine()
    # Output that a library prints must not mix with the frames.
    reports = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    from fireside.speech_host.host import SpeechHost

    SpeechHost(sys.stdin.buffer, reports).serve()
    reports.flush()
    os._exit(0)  # jobs may be in the middle of a native call


def confine() -> None:
    """Limit the memory of this process, where the system has such a limit."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MAX_ADDRESS_SPACE, _MAX_ADDRESS_SPACE))


if __name__ == "__main__":
    sys.exit(main())
