"""Events of the output parser."""

from __future__ import annotations

import msgspec

from fireside.core.generation import CallDelta, OutputKind
from fireside.core.message import ToolCallPart
from fireside.core.task import Constraint


class OutputText(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the raw output. All parts in order are exactly the raw output."""

    kind: OutputKind
    text: str


class ToolCallMade(msgspec.Struct, frozen=True, kw_only=True):
    """A tool call; its text came just before, as ``MARKUP``.

    With ``is_cut`` the answer reached its limit in the middle of it: the arguments are no complete JSON.
    """

    call: ToolCallPart
    is_cut: bool = False


class ConstraintStart(msgspec.Struct, frozen=True, kw_only=True):
    """From here on the output is constrained. Always the last event of its list.

    ``prefix`` is the part of the constrained text that is already written, up to the end of what was fed.
    ``ends_answer`` says whether the answer is over once the constraint is fulfilled. One of ``alternatives``
    may come instead of the constrained text and lifts the constraint: reasoning begins with them.
    """

    constraint: Constraint
    prefix: str
    ends_answer: bool
    alternatives: tuple[str, ...] = ()


OutputEvent = OutputText | CallDelta | ToolCallMade | ConstraintStart
