"""What a parser of raw output reports."""

from __future__ import annotations

import msgspec

from fireside.core.constraint import Constraint
from fireside.core.generation import OutputKind
from fireside.core.message import ToolCallPart


class OutputText(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of the raw output. All stretches in order are the raw output, to the letter."""

    kind: OutputKind
    text: str


class ToolCallMade(msgspec.Struct, frozen=True, kw_only=True):
    """A tool was called; the text of the call came just before, as ``MARKUP``."""

    call: ToolCallPart


class ConstraintBegins(msgspec.Struct, frozen=True, kw_only=True):
    """From here on the output is to be held to ``constraint``. Always the last event of its list.

    ``already`` is the part of the constrained text that is written, up to the end of what was fed.
    ``ends_answer`` says whether the answer is over where the constraint is fulfilled. One of
    ``unless`` may come instead of the constrained text, and releases the output: reasoning begins with them.
    """

    constraint: Constraint
    already: str
    ends_answer: bool
    unless: tuple[str, ...] = ()


OutputEvent = OutputText | ToolCallMade | ConstraintBegins
