"""Heights and offsets of the messages of a conversation, estimated until measured. Pure: no Qt."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

_LINE = 22.0
_CHAR = 7.2
_FRAME = 76.0


def estimated_height(text: str, *, width: int) -> float:
    """Return an estimate of a message's height in pixels, from its text."""
    return _FRAME + _LINE * (len(text) / max(30.0, width / _CHAR) + text.count("\n") * 0.6)


class Heights:
    """Heights in pixels and their running sum, kept valid up to the first one that changed."""

    def __init__(self, heights: Iterable[float] = ()) -> None:
        self._heights = list(heights)
        self._offsets = [0.0]

    def __len__(self) -> int:
        return len(self._heights)

    def __getitem__(self, index: int) -> float:
        return self._heights[index]

    def set(self, index: int, height: float) -> None:
        """Set the height of one message in pixels."""
        self._heights[index] = height
        del self._offsets[index + 1 :]

    def truncate(self, length: int) -> None:
        """Remove all but the first ``length`` messages."""
        del self._heights[length:]
        del self._offsets[length + 1 :]

    def append(self, height: float) -> None:
        """Add a message at the end."""
        self._heights.append(height)

    def offset(self, index: int) -> float:
        """Return the distance of message ``index`` from the top of the conversation."""
        self._sum_up_to(index)
        return self._offsets[index]

    def total(self) -> float:
        """Return the height of the whole conversation."""
        return self.offset(len(self._heights))

    def index_at(self, y: float) -> int:
        """Return the message at ``y``; the first or the last where ``y`` is outside."""
        self._sum_up_to(len(self._heights))
        return max(0, min(len(self._heights) - 1, bisect_right(self._offsets, y) - 1))

    def _sum_up_to(self, index: int) -> None:
        offsets: list[float] = self._offsets
        heights: Sequence[float] = self._heights
        for k in range(len(offsets) - 1, index):
            offsets.append(offsets[-1] + heights[k])
