"""Read files from standard input, one after the other: ``python -P -m fireside.documents``."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Final

from fireside.documents.messages import (
    MAX_CPU_S,
    MAX_REQUEST_BYTES,
    ReadReply,
    ReadRequest,
    decode_request,
    encode,
)
from fireside.wire.frames import frame_of, read_frame

_MAX_ADDRESS_SPACE: Final = 3 << 30
"""Bytes, most of which are never used; the parent watches the memory in use."""
_ANSWER_S: Final = 10.0
"""Of ``MAX_CPU_S``, for an answer with what was read so far."""
_CHECK_S: Final = 0.5
_NICE: Final = 5
"""Generations have priority."""


def main() -> int:
    """Answer each request with a reply until standard input ends, both in frames."""
    confine()
    while (request := read_frame(sys.stdin.buffer, limit_bytes=MAX_REQUEST_BYTES)) is not None:
        limit_cpu_time()
        _answer(decode_request(request))
    return 0


def confine() -> None:
    """Limit the memory and processor time of this process.

    Windows has such limits only for jobs, and macOS refuses that on memory; there the parent's watch remains.
    """
    if sys.platform != "win32":
        import resource

        os.nice(_NICE)
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (_MAX_ADDRESS_SPACE, _MAX_ADDRESS_SPACE))
        limit_cpu_time()


def limit_cpu_time() -> None:
    """End this process after twice ``MAX_CPU_S`` of processor time from now, should its parent be gone."""
    if sys.platform != "win32":
        import resource

        with contextlib.suppress(ValueError, OSError):
            _, most = resource.getrlimit(resource.RLIMIT_CPU)
            resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + 2 * MAX_CPU_S), most))


def _answer(request: ReadRequest) -> None:
    """Reply with the content of a file, or in time with what was read of it so far.

    What reads it cannot be stopped, so that ends this process.
    """
    from fireside.documents.extraction import read

    so_far: list[Callable[[], ReadReply]] = []
    deadline = time.process_time() + MAX_CPU_S - _ANSWER_S
    may_reply, is_read = threading.Lock(), threading.Event()

    def watch() -> None:
        while not is_read.wait(_CHECK_S):
            if so_far and time.process_time() > deadline and may_reply.acquire(blocking=False):
                _send(so_far[-1]())
                os._exit(0)

    threading.Thread(target=watch, daemon=True, name="time limit").start()
    reply = read(request, keep=so_far.append)
    with may_reply:  # never again where the other thread has it
        is_read.set()
        _send(reply)


def _send(reply: ReadReply) -> None:
    sys.stdout.buffer.write(frame_of(encode(reply)))
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    sys.exit(main())
