"""Read the files that come on standard input: ``python -P -m fireside.documents``."""

from __future__ import annotations

import contextlib
import sys
from typing import Final

from fireside.documents.messages import decode_requests, encode

_MAX_BYTES: Final = 3 << 30
"""Of addresses, most of which are never used; the parent watches over the memory itself."""
_MAX_CPU_S: Final = 60


def main() -> int:
    """Answer with what is in each file."""
    _confine()
    requests = decode_requests(sys.stdin.buffer.read())
    from fireside.documents.extraction import read

    sys.stdout.buffer.write(encode([read(request) for request in requests]))
    sys.stdout.buffer.flush()
    return 0


def _confine() -> None:
    """Windows has no such limits without a job, and macOS refuses that on memory; both are watched over."""
    if sys.platform != "win32":
        import resource

        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        for limit, most in ((resource.RLIMIT_AS, _MAX_BYTES), (resource.RLIMIT_CPU, _MAX_CPU_S)):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(limit, (most, most))


if __name__ == "__main__":
    sys.exit(main())
