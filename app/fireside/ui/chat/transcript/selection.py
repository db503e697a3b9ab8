"""The value of a selection across messages, as two points. Pure: no Qt.

It may include messages outside the viewport, which have no widget.
"""

from __future__ import annotations

import msgspec


class Point(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A position in the transcript: message, text widget of that message, character of that text."""

    message: int
    block: int
    position: int


END = 2**31 - 1
"""As ``block`` or ``position``: the last one."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """From the anchor, where the user started, to the caret; either may come first in the text."""

    anchor: Point
    caret: Point

    @property
    def start(self) -> Point:
        return min(self.anchor, self.caret)

    @property
    def end(self) -> Point:
        return max(self.anchor, self.caret)

    @property
    def is_empty(self) -> bool:
        return self.anchor == self.caret

    def moved_to(self, caret: Point) -> Selection:
        """Return the selection with another caret."""
        return Selection(anchor=self.anchor, caret=caret)

    def covers_whole(self, message: int) -> bool:
        """Return whether ``message`` is selected as a whole."""
        after_start = self.start.message < message or self.start == Point(
            message=message, block=0, position=0
        )
        before_end = self.end.message > message or self.end == Point(message=message, block=END, position=END)
        return after_start and before_end

    def span(self, message: int, *, block: int) -> tuple[int, int] | None:
        """Return the selected characters of one block, first and one past the last; ``None`` for none."""
        key = (message, block)
        if not (self.start.message, self.start.block) <= key <= (self.end.message, self.end.block):
            return None
        first = self.start.position if key == (self.start.message, self.start.block) else 0
        last = self.end.position if key == (self.end.message, self.end.block) else END
        return (first, last) if last > first else None


def everything(*, n_messages: int) -> Selection:
    """Return the selection of the whole conversation."""
    return Selection(
        anchor=Point(message=0, block=0, position=0),
        caret=Point(message=max(0, n_messages - 1), block=END, position=END),
    )
