"""What is known of a slot's cache beside its tokens, and how its state is saved and brought back."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

from fireside.runner.image_token_ids import whole_images
from fireside.runner.kv_memory import ShiftableMemory, StatePart
from fireside.runner.prompt_cache.cache_miss import LastRead
from fireside.runner.prompt_cache.checkpoints import (
    Checkpoints,
    bytes_of,
    checkpoint_at,
    fitting,
    places_of,
    with_checkpoint,
    within,
)
from fireside.runner.prompt_cache.kv_trim import holds, keep_prefix, restore, rollback, trim
from fireside.runner.prompt_cache.moved_parts import Moved, moved_parts
from fireside.runner.prompt_cache.state_snapshot import Match, Snapshot, match_held
from fireside.runner.slots import Sequence, Slot
from fireside.runner.tokens import Tokens, common_prefix

CHECKPOINT_EVERY: Final = 1024
"""Tokens of a long text or answer from one checkpoint to the next."""
_MAX_MARKS: Final = 6
"""Each mark ends a step early, so an old conversation is not stopped at for every turn."""


class SlotCache:
    """A slot's cache: whose it is, the ways back in it, and where the next ones are to be made.

    Args:
        checkpoint_bytes: how much all ways back together may take now, which take so many bytes.
    """

    def __init__(
        self, slot: Slot, memory: ShiftableMemory, *, checkpoint_bytes: Callable[[int], int]
    ) -> None:
        self.slot = slot
        self.owner: str | None = None
        self.last: Sequence | None = None
        """The request that has the slot, or had it last."""
        self.variant = ""
        self._memory = memory
        self._checkpoint_bytes = checkpoint_bytes
        self._checkpoints: Checkpoints = ()
        self._marks: deque[int] = deque()
        self._tried_at = 0
        """Tokens that were held when a checkpoint was last to be made, there or not."""

    @property
    def is_whole(self) -> bool:
        """Whether the memory holds nothing but what another prompt may use."""
        return 0 < self.slot.n_past == len(self.slot.cached)

    def match(self, wanted: Tokens, *, variant: str) -> Match:
        """Return what of ``wanted`` can be kept here, or copied from here."""
        slot = self.slot
        if self.variant != variant or not slot.n_past:
            return Match()
        return match_held(
            slot.cached,
            wanted,
            shape=self._memory.shape,
            first=self._memory.first_position(slot.index),
            checkpoints=places_of(fitting(self._checkpoints, slot.cached)),
        )

    def moved(self, wanted: Tokens, *, variant: str, n_kept: int, n_least: int) -> Moved:
        """Return what of ``wanted`` can be kept here with parts of at least ``n_least`` tokens moved.

        Args:
            n_kept: what can be kept where it is. ``n_least`` of 0 moves nothing.
        """
        if not n_least or self.variant != variant or not self._memory.can_shift:
            return Moved(n_kept)
        return moved_parts(self.slot.held, wanted, n_kept=n_kept, n_least=n_least)

    def will_have(self, wanted: Tokens, *, variant: str) -> int:
        """Return how many tokens of ``wanted`` can be copied from here before this prompt is read through."""
        sequence = self.slot.sequence
        if sequence is None or self.variant != variant or not self._is_reading(sequence):
            return 0
        n_prompt = len(sequence.prompt)
        n_common = whole_images(wanted, common_prefix(sequence.prompt, wanted))
        shape = self._memory.shape
        return shape.reachable(
            n_common,
            n_held=n_prompt + 1,
            first=shape.first_needed(n_prompt),
            checkpoints=(*places_of(self._checkpoints), *self._marks),
        )

    def _is_reading(self, sequence: Sequence) -> bool:
        return self.slot.n_past < len(sequence.prompt) and sequence.answer.n_tokens == 0

    # Another conversation

    def keep(self, n_tokens: int) -> int:
        """Keep at most so many tokens; return how many are left."""
        slot = self.slot
        n_own = len(slot.cached)
        if slot.n_past > n_own:  # what was moved is for nothing else
            slot.n_past = keep_prefix(self._memory, slot.index, n_keep=n_own, n_cached=slot.n_past)
        n_kept = n_tokens
        if n_tokens < slot.n_past:
            n_kept = trim(self._memory, slot.index, n_tokens, held=slot.cached, checkpoints=self._checkpoints)
        self._checkpoints = fitting(self._checkpoints, slot.cached[:n_kept])
        return n_kept

    def close_up(self, moved: Moved) -> int:
        """Cut out what is not wanted and move what follows it; return how many tokens are left.

        What was moved keeps the values that it had behind other text.
        """
        for start, end in moved.holes:
            if not self._memory.remove(self.slot.index, start, end):
                self.empty()
                return 0
            self._memory.shift(self.slot.index, end, start - end)
        self._memory.remove_from(self.slot.index, moved.n_tokens)
        return moved.n_tokens

    def bring(self, snapshot: Snapshot, n_tokens: int) -> int:
        """Put at most so many tokens of ``snapshot`` in place of what is here; return how many."""
        n_kept = restore(self._memory, self.slot.index, snapshot, n_tokens)
        self._checkpoints = fitting(snapshot.checkpoints, snapshot.tokens[:n_kept])
        return n_kept

    def empty(self) -> None:
        """Forget what is here."""
        self._memory.clear(self.slot.index)
        self.slot.n_past = 0
        if self.slot.sequence is None:
            self.slot.n_tokens = 0
        self._checkpoints = ()

    def mark(self, marks: Iterable[int], *, n_past: int, n_prompt: int) -> None:
        """Have checkpoints made while the rest of a prompt is read, if the memory needs any."""
        self._tried_at = 0
        self._marks = (
            chosen_marks(marks, n_past=n_past, n_prompt=n_prompt) if self._memory.shape.forgets else deque()
        )

    # Saving

    def last_read(self, *, is_bad: bool = False) -> LastRead | None:
        """Return what was read here for the request that had the slot last."""
        if self.last is None:
            return None
        return LastRead(
            tokens=self.slot.cached.copy(),
            n_prompt=len(self.last.prompt),
            n_reasoning=self.last.answer.n_reasoning,
            is_bad=is_bad,
        )

    @property
    def state_bytes(self) -> int:
        """How large a snapshot would be."""
        n_checkpoints = bytes_of(self._checkpoints)
        n_state = self._memory.state_bytes(self.slot.index, StatePart.WHOLE)
        return n_state + n_checkpoints + self.slot.cached.nbytes

    def snapshot(self) -> Snapshot | None:
        """Return a copy of everything; ``None`` where there is no memory for it."""
        try:
            state = self._memory.save_state(self.slot.index, StatePart.WHOLE)
            tokens = self.slot.cached.copy()
        except MemoryError:
            return None
        if state is None:
            return None
        return Snapshot(
            tokens=tokens,
            owner=self.owner,
            variant=self.variant,
            state=state,
            checkpoints=fitting(self._checkpoints, tokens),
        )

    # While a prompt is read

    def n_readable(self) -> int:
        """Return how many of the slot's pending tokens may be in one step: up to the next mark."""
        slot = self.slot
        while self._marks and self._marks[0] <= slot.n_past:
            self._marks.popleft()
        return min(slot.n_pending, self._marks[0] - slot.n_past) if self._marks else slot.n_pending

    def advanced(self) -> None:
        """Make a checkpoint if one is wanted where the cache ends now."""
        slot, memory = self.slot, self._memory
        if not self._is_mark() or not self.is_whole or not holds(memory, slot.index, slot.cached):
            return
        limit_bytes = self._checkpoint_bytes(bytes_of(self._checkpoints))
        self._tried_at = slot.n_past
        state = None
        if memory.state_bytes(slot.index, StatePart.PARTIAL) <= limit_bytes:
            with suppress(MemoryError):
                state = memory.save_state(slot.index, StatePart.PARTIAL)
        if state is not None:
            self._checkpoints = with_checkpoint(
                fitting(self._checkpoints, slot.cached),
                checkpoint_at(slot.cached, state),
                limit_bytes=limit_bytes,
            )

    def _is_mark(self) -> bool:
        """Whether a checkpoint is wanted here: at a mark, and now and then in a long answer."""
        n_past = self.slot.n_past
        if self._marks:
            is_mark = self._marks[0] == n_past
            if is_mark:
                self._marks.popleft()
            return is_mark
        if (
            not self._memory.shape.forgets
            or self.slot.sequence is None
            or self._is_reading(self.slot.sequence)
        ):
            return False
        last = self._checkpoints[-1].n_tokens if self._checkpoints else 0
        return n_past - max(last, self._tried_at) >= CHECKPOINT_EVERY

    def give_back(self) -> None:
        """Drop the checkpoints for which there is no memory any more."""
        limit_bytes = self._checkpoint_bytes(bytes_of(self._checkpoints)) if self._checkpoints else 0
        self._checkpoints = within(self._checkpoints, limit_bytes=limit_bytes)

    def rewind(self) -> int:
        """Find a state to go on from after a step that was broken off; return how many tokens it holds."""
        slot, memory = self.slot, self._memory
        if memory.shape.is_recurrent:
            # The running state may be half written, whatever position it says it is at.
            return rollback(memory, slot.index, held=slot.cached, checkpoints=self._checkpoints)
        # Micro-batches that were done are kept. The last token must be evaluated again even if it is in the
        # cache: its logits may be lost.
        n_held = memory.last_position(slot.index) + 1
        n_keep = min(n_held, slot.n_tokens - 1)
        return keep_prefix(memory, slot.index, n_keep=n_keep, n_cached=n_held)


def chosen_marks(marks: Iterable[int], *, n_past: int, n_prompt: int) -> deque[int]:
    """Return where to make checkpoints while a prompt is read: at the first of ``marks`` and at the newest.

    Without marks that is just before its last token, so that another answer to it can be written. In between,
    a long text gets some as well.
    """
    ahead = sorted({mark for mark in marks if n_past < mark < n_prompt})
    if not ahead:
        ahead = [n_prompt - 1] if n_prompt - 1 > n_past else []
    elif len(ahead) > _MAX_MARKS:
        ahead = [ahead[0], *ahead[1 - _MAX_MARKS :]]
    between = range(n_past + CHECKPOINT_EVERY, n_prompt, CHECKPOINT_EVERY)
    far = {place for place in between if all(abs(place - mark) > CHECKPOINT_EVERY // 2 for mark in ahead)}
    return deque(sorted(far.union(ahead)))
