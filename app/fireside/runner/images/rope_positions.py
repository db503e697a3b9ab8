"""Map token indices to positions in models whose images take fewer positions than tokens (M-RoPE).

Everything else in the runner counts in tokens.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from fireside.runner.kv_memory import State

_N_FIELDS = 3
_COUNT_BYTES = 4


class SpanPosition(NamedTuple):
    """A span of an image in the memory of a sequence: its token indices, and its positions."""

    start: int
    n_tokens: int
    position: int
    n_pos: int

    @property
    def end(self) -> int:
        """Index after its last cell."""
        return self.start + self.n_tokens


class RopePositions:
    """The image spans in the memory of one sequence, in order."""

    def __init__(self) -> None:
        self._spans: list[SpanPosition] = []

    def position(self, index: int) -> int:
        """Return the position of the token at ``index``, which may start an image but not be inside one."""
        before = [span for span in self._spans if span.end <= index]
        if not before:
            return index
        last = before[-1]
        return last.position + last.n_pos + index - last.end

    def index(self, position: int) -> int:
        """Return the index of the last token at ``position``; -1 for -1."""
        before = [span for span in self._spans if span.position <= position]
        if not before:
            return position
        last = before[-1]
        if position < last.position + last.n_pos:
            return last.end - 1
        return last.end + position - last.position - last.n_pos

    def add(self, *, start: int, n_tokens: int, n_pos: int) -> None:
        """Add a span at token index ``start``, replacing everything after it."""
        self.cut(start)
        self._spans.append(SpanPosition(start, n_tokens, self.position(start), n_pos))

    def cut(self, n_tokens: int) -> None:
        """Remove the spans that are not within the first ``n_tokens``."""
        self._spans = [span for span in self._spans if span.end <= n_tokens]

    def packed(self) -> State:
        """Return the table as bytes, to be appended to a saved state."""
        numbers = [field for span in self._spans for field in (span.start, span.n_tokens, span.n_pos)]
        return np.array([*numbers, len(self._spans)], np.int32).view(np.uint8)

    def unpack(self, state: State) -> State | None:
        """Restore the table from the end of a saved state and return the rest; ``None`` if there is none."""
        if state.nbytes < _COUNT_BYTES:
            return None
        n_spans = int(state[-_COUNT_BYTES:].copy().view(np.int32)[0])
        n_table = _COUNT_BYTES * (1 + _N_FIELDS * n_spans)
        if n_spans < 0 or n_table > state.nbytes:
            return None
        table = state[state.nbytes - n_table : state.nbytes - _COUNT_BYTES].copy().view(np.int32)
        self._spans = []
        for start, n_tokens, n_pos in table.reshape(n_spans, _N_FIELDS).tolist():
            self.add(start=start, n_tokens=n_tokens, n_pos=n_pos)
        return state[: state.nbytes - n_table]
