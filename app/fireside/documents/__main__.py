"""Read files from standard input, one after the other: ``python -P -m fireside.documents``."""

from __future__ import annotations

import contextlib
import os
import sys
from typing import Final

from fireside.documents.messages import LENGTH, decode_request, encode

_MAX_ADDRESS_SPACE: Final = 3 << 30
"""Bytes, most of which are never used; the parent watches the memory in use."""
_MAX_CPU_S: Final = 60
_NICE: Final = 5
"""Generations have priority."""


def main() -> int:
    """Answer each request with a reply until standard input ends, both with their length in front."""
    confine()
    from fireside.documents.extraction import read

    requests, replies = sys.stdin.buffer, sys.stdout.buffer
    while head := requests.read(LENGTH.size):
        request = decode_request(requests.read(*LENGTH.unpack(head)))
        reply = encode(read(request))
        replies.write(LENGTH.pack(len(reply)) + reply)
        replies.flush()
    return 0


def confine() -> None:
    """Limit the memory and processor time of this process.

    Windows has such limits only for jobs, and macOS refuses that on memory; there the parent's watch remains.
    """
    if sys.platform != "win32":
        import resource

        os.nice(_NICE)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for limit, value in ((resource.RLIMIT_AS, _MAX_ADDRESS_SPACE), (resource.RLIMIT_CPU, _MAX_CPU_S)):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(limit, (value, value))


if __name__ == "__main__":
    sys.exit(main())
