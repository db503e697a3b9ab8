"""A memory of lists that forgets like llama.cpp's: full attention, a sliding window, a running state."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np

from fireside.runner.kv_memory import MemoryShape, State, StatePart

_SLACK = 2
"""A window keeps a few cells more than it shows."""

Cells = dict[int, int]


class KvMemory:
    """Each sequence has the cells of its full-attention layers and those of the layers that forget.

    A hybrid model has both: where ``is_recurrent``, the running state is one cell whose content depends on
    every token before.
    """

    def __init__(self, shape: MemoryShape, *, n_seq_max: int) -> None:
        self.shape = shape
        self.n_cells = 1 << 20
        self.shares_cells = False
        self._full: list[Cells] = [{} for _ in range(n_seq_max)]
        self._moving: list[Cells] = [{} for _ in range(n_seq_max)]

    def read(self, sequence: int, tokens: Sequence[int]) -> None:
        """Evaluate ``tokens`` behind what is there."""
        for token in tokens:
            position = self.last_position(sequence) + 1
            self._full[sequence][position] = token
            moving = self._moving[sequence]
            if self.shape.is_recurrent:
                state = next(iter(moving.values()), 0)
                moving.clear()
                moving[position] = (state * 31 + token + 1) % 2**31
            elif self.shape.n_swa:
                moving[position] = token
                moving.pop(position - self.shape.n_swa - _SLACK, None)

    def lose_oldest(self, sequence: int, n: int) -> None:
        """Lose cells of the window that are still looked at, which llama.cpp never does."""
        for position in sorted(self._moving[sequence])[: n + _SLACK]:
            del self._moving[sequence][position]

    def sees(self, sequence: int) -> tuple[Cells, Cells]:
        """Return everything that the next token looks at."""
        first = self.shape.first_needed(len(self._full[sequence])) if self.shape.n_swa else 0
        return dict(self._full[sequence]), {
            position: value for position, value in self._moving[sequence].items() if position >= first
        }

    @classmethod
    def fresh(cls, shape: MemoryShape, tokens: Sequence[int]) -> tuple[Cells, Cells]:
        """Return what the token behind ``tokens`` looks at in a memory that read just those."""
        memory = cls(shape, n_seq_max=1)
        memory.read(0, tokens)
        return memory.sees(0)

    # What the runner uses

    def remove_from(self, sequence: int, position: int) -> bool:
        if self.shape.is_recurrent and 0 < position <= max(self._moving[sequence], default=-1):
            return False
        for cells in (self._full[sequence], self._moving[sequence]):
            for each in [each for each in cells if each >= position]:
                del cells[each]
        return True

    def clear(self, sequence: int) -> None:
        self._full[sequence].clear()
        self._moving[sequence].clear()

    def first_position(self, sequence: int) -> int:
        return min(
            self._moving[sequence] if self.shape.needs_checkpoints else self._full[sequence], default=-1
        )

    def last_position(self, sequence: int) -> int:
        full = max(self._full[sequence], default=-1)
        return min(full, max(self._moving[sequence], default=-1)) if self.shape.needs_checkpoints else full

    def state_bytes(self, sequence: int, part: StatePart) -> int:
        state = self.save_state(sequence, part)
        return 0 if state is None else state.nbytes

    def save_state(self, sequence: int, part: StatePart) -> State | None:
        full = [] if part is StatePart.PARTIAL else list(self._full[sequence].items())
        moving = list(self.sees(sequence)[1].items())
        return np.frombuffer(json.dumps([full, moving]).encode(), np.uint8)

    def load_state(self, sequence: int, state: State, part: StatePart) -> bool:
        try:
            full, moving = json.loads(state.tobytes())
        except ValueError:
            return False
        if part is StatePart.WHOLE:
            self._full[sequence] = dict(full)
        self._moving[sequence] = dict(moving)
        return True
