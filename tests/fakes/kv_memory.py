"""A fake memory with the limits of llama.cpp's: full attention, sliding window, recurrent state."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from fireside.runner.kv_memory import MemoryShape, State, StatePart

_SLACK = 2
"""A window keeps a few cells more than it attends to."""

Cells = dict[int, int]


class KvMemory:
    """Each sequence has cells of full-attention layers, and of sliding-window or recurrent layers.

    A recurrent state is one cell whose content depends on every token before.
    """

    def __init__(self, shape: MemoryShape, *, n_seq_max: int) -> None:
        self.shape = shape
        self.n_cells = 1 << 20
        self.shares_cells = False
        self._full: list[Cells] = [{} for _ in range(n_seq_max)]
        self._partial: list[Cells] = [{} for _ in range(n_seq_max)]

    def read(self, sequence: int, tokens: Sequence[int]) -> None:
        """Evaluate ``tokens`` after those in the sequence."""
        for token in tokens:
            position = self.last_position(sequence) + 1
            self._full[sequence][position] = token
            partial = self._partial[sequence]
            if self.shape.is_recurrent:
                state = next(iter(partial.values()), 0)
                partial.clear()
                partial[position] = (state * 31 + token + 1) % 2**31
            elif self.shape.n_swa:
                partial[position] = token
                partial.pop(position - self.shape.n_swa - _SLACK, None)

    def lose_oldest(self, sequence: int, n: int) -> None:
        """Remove cells of the window that are still needed, which llama.cpp never does."""
        for position in sorted(self._partial[sequence])[: n + _SLACK]:
            del self._partial[sequence][position]

    def sees(self, sequence: int) -> tuple[Cells, Cells]:
        """Return all cells that the next token attends to."""
        first = self.shape.first_needed(len(self._full[sequence])) if self.shape.n_swa else 0
        return dict(self._full[sequence]), {
            position: value for position, value in self._partial[sequence].items() if position >= first
        }

    @classmethod
    def fresh(cls, shape: MemoryShape, tokens: Sequence[int]) -> tuple[Cells, Cells]:
        """Return what the token after ``tokens`` attends to in a new memory."""
        memory = cls(shape, n_seq_max=1)
        memory.read(0, tokens)
        return memory.sees(0)

    # What the runner uses

    def remove_from(self, sequence: int, position: int) -> bool:
        if self.shape.is_recurrent and 0 < position <= max(self._partial[sequence], default=-1):
            return False
        for cells in (self._full[sequence], self._partial[sequence]):
            for removed in [other for other in cells if other >= position]:
                del cells[removed]
        return True

    def clear(self, sequence: int) -> None:
        self._full[sequence].clear()
        self._partial[sequence].clear()

    def first_position(self, sequence: int) -> int:
        return min(
            self._partial[sequence] if self.shape.needs_checkpoints else self._full[sequence], default=-1
        )

    def last_position(self, sequence: int) -> int:
        full = max(self._full[sequence], default=-1)
        return min(full, max(self._partial[sequence], default=-1)) if self.shape.needs_checkpoints else full

    def state_bytes(self, sequence: int, part: StatePart) -> int:
        state = self.save_state(sequence, part)
        return 0 if state is None else state.nbytes

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        full = [] if part is StatePart.PARTIAL else list(self._full[sequence].items())
        partial = list(self.sees(sequence)[1].items())
        return np.frombuffer(json.dumps([full, partial]).encode(), np.uint8)

    def load_state(self, sequence: int, state: State, part: StatePart) -> bool:
        try:
            full, partial = json.loads(state.tobytes())
        except ValueError:
            return False
        if part is StatePart.WHOLE:
            self._full[sequence] = dict(full)
        self._partial[sequence] = dict(partial)
        return True
