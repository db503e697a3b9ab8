"""Read the files that come on standard input, one by one: ``python -P -m fireside.documents``."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

from fireside.documents.messages import LENGTH, decode_request, encode

_MAX_BYTES: Final = 3 << 30
"""Of addresses, most of which are never used; the parent watches over the memory itself."""
_MAX_CPU_S: Final = 60
_NICE: Final = 5
"""An answer that is being written comes first."""


def main() -> int:
    """Answer each file with what is in it, until no more come. Both are frames."""
    confine()
    from fireside.documents.extraction import read

    taken, given = sys.stdin.buffer, sys.stdout.buffer
    while head := taken.read(LENGTH.size):
        request = decode_request(taken.read(*LENGTH.unpack(head)))
        reply = encode(read(request))
        given.write(LENGTH.pack(len(reply)) + reply)
        given.flush()
    return 0


def confine() -> None:
    """Bound what this process may take.

    Windows has no such limits without a job, and macOS refuses that on memory; both are watched over.
    """
    if sys.platform != "win32":
        import resource

        os.nice(_NICE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for limit, most in ((resource.RLIMIT_AS, _MAX_BYTES), (resource.RLIMIT_CPU, _MAX_CPU_S)):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(limit, (most, most))


if __name__ == "__main__":
    sys.exit(main())
