"""What is known of a slot's cache beside its tokens."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from typing import Final

from fireside.runner.prefix.checkpoints import Checkpoints

_MAX_MARKS: Final = 6
"""Each mark ends a step early, so an old conversation is not stopped at for every turn."""


class Holding:
    """Whose cache it is, the ways back in it, and where the next ones are to be made."""

    def __init__(self) -> None:
        self.owner: str | None = None
        self.variant = ""
        self.checkpoints: Checkpoints = ()
        self.marks: deque[int] = deque()
        """Numbers of tokens at which a checkpoint is wanted, ascending."""

    def next_mark(self, n_past: int) -> int | None:
        """Return the first mark behind ``n_past`` tokens."""
        while self.marks and self.marks[0] <= n_past:
            self.marks.popleft()
        return self.marks[0] if self.marks else None


def chosen_marks(marks: Iterable[int], *, n_past: int, n_prompt: int) -> deque[int]:
    """Return where to make checkpoints while a prompt is read: at the first of ``marks`` and at the newest.

    Without marks that is just before its last token, so that another answer to it can be written.
    """
    ahead = sorted({mark for mark in marks if n_past < mark < n_prompt})
    if not ahead:
        return deque([n_prompt - 1] if n_prompt - 1 > n_past else [])
    return deque(ahead if len(ahead) <= _MAX_MARKS else [ahead[0], *ahead[1 - _MAX_MARKS :]])
