"""What the program and the process that measures loads without making them tell each other: lines of JSON."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.options import LoadOptions
from fireside.core.status import Device, MemoryReport

MEASURE: Final = "--measure"
"""Makes the program of a runner answer ``MeasureRequest``s until its input ends."""

MAX_LINE_BYTES: Final = 1 << 20


class MeasureRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A load whose memory is wanted. The layers are a number."""

    path: str
    options: LoadOptions


class MeasureReply(msgspec.Struct, frozen=True, kw_only=True):
    """What the load would allocate, by buffer, or why it cannot be told."""

    memory: tuple[MemoryReport, ...] = ()
    devices: tuple[Device, ...] = ()
    """As they are now."""
    problem: str = ""
    """A sentence; empty if all went well."""
    unloadable: ErrorInfo | None = None
    """Why no load of this model can succeed, where that is the problem."""
