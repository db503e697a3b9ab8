"""A selection that runs across messages, as two points. Pure: no Qt.

Messages that are scrolled away keep their place in it, though they have no widget.
"""

from __future__ import annotations

import msgspec


class Point(msgspec.Struct, frozen=True, kw_only=True, order=True):
    """A place in the text: message, block of that message, character of that block."""

    message: int
    block: int
    position: int


END = 2**31 - 1
"""As ``block`` or ``position``: the last there is."""


class Selection(msgspec.Struct, frozen=True, kw_only=True):
    """From where the user began to where they are now; either may come first in the text."""

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
        """Return the selection with its moving end elsewhere."""
        return Selection(anchor=self.anchor, caret=caret)

    def covers_whole(self, message: int) -> bool:
        """Say whether ``message`` lies wholly between the two ends."""
        after_start = self.start.message < message or self.start == Point(
            message=message, block=0, position=0
        )
        before_end = self.end.message > message or self.end == Point(message=message, block=END, position=END)
        return after_start and before_end

    def span(self, message: int, *, block: int) -> tuple[int, int] | None:
        """Characters selected in one block, first and one past the last; ``None`` where there are none."""
        place = (message, block)
        if not (self.start.message, self.start.block) <= place <= (self.end.message, self.end.block):
            return None
        first = self.start.position if place == (self.start.message, self.start.block) else 0
        last = self.end.position if place == (self.end.message, self.end.block) else END
        return (first, last) if last > first else None


def everything(*, n_messages: int) -> Selection:
    """Select the whole conversation."""
    return Selection(
        anchor=Point(message=0, block=0, position=0),
        caret=Point(message=max(0, n_messages - 1), block=END, position=END),
    )
