"""The cached state of one slot: its owner, its checkpoints, and how it is saved, trimmed and restored."""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec

from fireside.core.generation import CacheMiss
from fireside.runner.image_token_ids import whole_images
from fireside.runner.kv_memory import ShiftableMemory, StatePart
from fireside.runner.prompt_cache.checkpoints import (
    Checkpoints,
    checkpoint_at,
    positions_of,
    prune,
    total_bytes,
    valid_for,
    with_checkpoint,
)
from fireside.runner.prompt_cache.kv_trim import holds, keep_prefix, restore, rollback, trim
from fireside.runner.prompt_cache.state_snapshot import (
    StateMatch,
    StateSnapshot,
    is_repeatable,
    match_held,
    whole_units,
)
from fireside.runner.slots import Sequence, Slot
from fireside.runner.tokens import Tokens, common_prefix

CHECKPOINT_EVERY: Final = 1024
"""Distance between checkpoints within a long text or answer, in tokens."""
_MAX_TURN_CHECKPOINTS: Final = 6
"""Each checkpoint ends a step early, so a long conversation does not get one for every turn."""


class SlotCache:
    """The cached state of one slot, with its owner, its checkpoints and the positions of the next ones.

    Args:
        checkpoint_bytes: returns the limit for all checkpoints of the slot, given the bytes they take now.
    """

    def __init__(
        self, slot: Slot, memory: ShiftableMemory, *, checkpoint_bytes: Callable[[int], int]
    ) -> None:
        self.slot = slot
        self.owner: str | None = None
        self.stays_in_memory = False
        """Whether its state may not be written to the disk."""
        self.last: Sequence | None = None
        """The request that has the slot, or had it last."""
        self.variant = ""
        self._memory = memory
        self._checkpoint_bytes = checkpoint_bytes
        self._checkpoints: Checkpoints = ()
        self._checkpoint_positions: deque[int] = deque()
        self._tried_at = 0
        """``n_past`` when a checkpoint was last attempted, whether or not it was made."""

    @property
    def disk_owner(self) -> str | None:
        """Whose state it is on the disk; ``None`` if it may not be there."""
        return None if self.stays_in_memory else self.owner

    @property
    def is_whole(self) -> bool:
        """Whether all tokens in the KV cache may be reused by another prompt."""
        return 0 < self.slot.n_past == len(self.slot.cached)

    def match(self, prompt: Tokens, *, variant: str) -> StateMatch:
        """Return how much of ``prompt`` can be kept in this slot or copied from it."""
        slot = self.slot
        if self.variant != variant or not slot.n_past:
            return StateMatch()
        return match_held(
            slot.cached,
            prompt,
            shape=self._memory.shape,
            first=self._memory.first_position(slot.index),
            checkpoints=positions_of(valid_for(self._checkpoints, slot.cached)),
            variant=variant,
        )

    def plan_reuse(self, prompt: Tokens, *, variant: str, n_kept: int, min_chunk: int) -> ReusePlan:
        """Return how much of ``prompt`` can be kept here by shifting chunks of at least ``min_chunk`` tokens.

        Args:
            n_kept: tokens that can be kept without shifting.
            min_chunk: 0 disables shifting.
        """
        if not min_chunk or self.variant != variant or not self._memory.can_shift or is_repeatable(variant):
            return ReusePlan(n_kept)
        return plan_reuse(self.slot.held, prompt, n_kept=n_kept, min_chunk=min_chunk)

    def n_usable_later(self, prompt: Tokens, *, variant: str) -> int:
        """Return how many tokens of ``prompt`` can be copied from here once this prompt is evaluated."""
        sequence = self.slot.sequence
        if sequence is None or self.variant != variant or not self._is_reading(sequence):
            return 0
        n_prompt = len(sequence.prompt)
        n_common = whole_units(common_prefix(sequence.prompt, prompt), variant=variant)
        n_common = whole_images(prompt, n_common)
        shape = self._memory.shape
        return shape.reachable(
            n_common,
            n_held=n_prompt + 1,
            first=shape.first_needed(n_prompt),
            checkpoints=(*positions_of(self._checkpoints), *self._checkpoint_positions),
        )

    def _is_reading(self, sequence: Sequence) -> bool:
        return self.slot.n_past < len(sequence.prompt) and sequence.output.n_tokens == 0

    # Reuse by the next request

    def trim(self, n_tokens: int) -> int:
        """Keep at most the first ``n_tokens``; return how many are left."""
        slot = self.slot
        n_own = len(slot.cached)
        if slot.n_past > n_own:  # shifted tokens are of no use to another prompt
            slot.n_past = keep_prefix(self._memory, slot.index, n_keep=n_own, n_cached=slot.n_past)
        n_kept = n_tokens
        if n_tokens < slot.n_past:
            n_kept = trim(self._memory, slot.index, n_tokens, held=slot.cached, checkpoints=self._checkpoints)
        self._checkpoints = valid_for(self._checkpoints, slot.cached[:n_kept])
        return n_kept

    def forget_answer(self) -> None:
        """Of a repeatable request that has ended, keep only what may be reused: its prompt."""
        slot = self.slot
        if slot.sequence is None and self.last is not None and is_repeatable(self.variant):
            n_kept = min(whole_units(len(self.last.prompt), variant=self.variant), len(slot.cached))
            if n_kept < slot.n_past:
                slot.n_past = slot.n_tokens = self.trim(n_kept)

    def apply_reuse(self, plan: ReusePlan) -> int:
        """Remove the ranges of ``plan`` and shift what follows them; return how many tokens are left.

        Shifted tokens keep the KV values that they had after other text.
        """
        for start, end in plan.removed_ranges:
            if not self._memory.remove(self.slot.index, start, end):
                self.clear()
                return 0
            self._memory.shift(self.slot.index, end, start - end)
        self._memory.remove_from(self.slot.index, plan.n_tokens)
        return plan.n_tokens

    def restore(self, snapshot: StateSnapshot, n_tokens: int) -> int:
        """Replace the cache by at most ``n_tokens`` of ``snapshot``; return how many it holds."""
        n_kept = restore(self._memory, self.slot.index, snapshot, n_tokens)
        self._checkpoints = valid_for(snapshot.checkpoints, snapshot.tokens[:n_kept])
        return n_kept

    def clear(self) -> None:
        """Clear the cache."""
        self._memory.clear(self.slot.index)
        self.slot.n_past = 0
        if self.slot.sequence is None:
            self.slot.n_tokens = 0
        self._checkpoints = ()

    def schedule_checkpoints(self, positions: Iterable[int], *, n_past: int, n_prompt: int) -> None:
        """Set where checkpoints are made while a prompt is evaluated, if the memory needs any."""
        self._tried_at = 0
        if is_repeatable(self.variant):
            positions = [whole_units(position, variant=self.variant) for position in positions]
            n_prompt = self._last_pass_at + 1
        self._checkpoint_positions = (
            choose_checkpoints(positions, n_past=n_past, n_prompt=n_prompt)
            if self._memory.shape.needs_checkpoints
            else deque()
        )

    # Saving

    def last_read(self, *, is_invalid: bool = False) -> LastRead | None:
        """Return the tokens of the last request of this slot, to explain later misses."""
        if self.last is None:
            return None
        return LastRead(
            tokens=self.slot.cached.copy(),
            n_prompt=len(self.last.prompt),
            n_reasoning=self.last.output.n_reasoning,
            is_invalid=is_invalid,
        )

    @property
    def state_bytes(self) -> int:
        """Size of a snapshot."""
        n_checkpoints = total_bytes(self._checkpoints)
        n_state = self._memory.state_bytes(self.slot.index, StatePart.WHOLE)
        return n_state + n_checkpoints + self.slot.cached.nbytes

    def snapshot(self) -> StateSnapshot | None:
        """Return a copy of the state; ``None`` where there is not enough memory for it."""
        try:
            state = self._memory.save_state(self.slot.index, StatePart.WHOLE)
            tokens = self.slot.cached.copy()
        except MemoryError:
            return None
        if state is None:
            return None
        return StateSnapshot(
            tokens=tokens,
            owner=self.disk_owner,
            variant=self.variant,
            state=state,
            checkpoints=valid_for(self._checkpoints, tokens),
        )

    # While a prompt is read

    def n_readable(self) -> int:
        """Return how many of the slot's pending tokens may be in one step: up to where the next begins."""
        slot = self.slot
        while self._checkpoint_positions and self._checkpoint_positions[0] <= slot.n_past:
            self._checkpoint_positions.popleft()
        ends = [slot.n_tokens]
        if self._checkpoint_positions:
            ends.append(self._checkpoint_positions[0])
        if slot.n_past < self._last_pass_at:
            ends.append(self._last_pass_at)
        return min(ends) - slot.n_past

    @property
    def _last_pass_at(self) -> int:
        """Where the last pass over a repeatable request's prompt begins; 0 for other requests."""
        if self.last is None or not is_repeatable(self.variant):
            return 0
        return whole_units(len(self.last.prompt) - 1, variant=self.variant)

    def on_advanced(self) -> None:
        """Make a checkpoint if one is due where the cache ends now."""
        slot, memory = self.slot, self._memory
        if not self._is_checkpoint_due() or not self.is_whole or not holds(memory, slot.index, slot.cached):
            return
        limit_bytes = self._checkpoint_bytes(total_bytes(self._checkpoints))
        self._tried_at = slot.n_past
        state = None
        if memory.state_bytes(slot.index, StatePart.PARTIAL) <= limit_bytes:
            with suppress(MemoryError):
                state = memory.save_state(slot.index, StatePart.PARTIAL)
        if state is not None:
            self._checkpoints = with_checkpoint(
                valid_for(self._checkpoints, slot.cached),
                checkpoint_at(slot.cached, state),
                limit_bytes=limit_bytes,
            )

    def _is_checkpoint_due(self) -> bool:
        """Whether a checkpoint is due: at a scheduled position, and at intervals in a long answer."""
        n_past = self.slot.n_past
        if self._checkpoint_positions:
            is_due = self._checkpoint_positions[0] == n_past
            if is_due:
                self._checkpoint_positions.popleft()
            return is_due
        if (
            not self._memory.shape.needs_checkpoints
            or self.slot.sequence is None
            or self._is_reading(self.slot.sequence)
        ):
            return False
        last = self._checkpoints[-1].n_tokens if self._checkpoints else 0
        return n_past - max(last, self._tried_at) >= CHECKPOINT_EVERY

    def prune_checkpoints(self) -> None:
        """Drop checkpoints for which there is no longer enough memory."""
        limit_bytes = self._checkpoint_bytes(total_bytes(self._checkpoints)) if self._checkpoints else 0
        self._checkpoints = prune(self._checkpoints, limit_bytes=limit_bytes)

    def rewind(self) -> int:
        """Restore a valid state after an aborted decode; return how many tokens it holds."""
        slot, memory = self.slot, self._memory
        if memory.shape.is_recurrent:
            # The recurrent state may be half written, whatever its position says.
            return rollback(memory, slot.index, held=slot.cached, checkpoints=self._checkpoints)
        # Micro-batches that were done are kept. The last token must be evaluated again even if it is in the
        # cache: its logits may be lost.
        n_held = memory.last_position(slot.index) + 1
        n_keep = min(n_held, slot.n_tokens - 1)
        return keep_prefix(memory, slot.index, n_keep=n_keep, n_cached=n_held)


def choose_checkpoints(positions: Iterable[int], *, n_past: int, n_prompt: int) -> deque[int]:
    """Return where to make checkpoints while a prompt is evaluated: the first and the newest ``positions``.

    Without ``positions`` just before its last token, so that another answer can be generated. A long text
    gets some in between as well.
    """
    scheduled = sorted({position for position in positions if n_past < position < n_prompt})
    if not scheduled:
        scheduled = [n_prompt - 1] if n_prompt - 1 > n_past else []
    elif len(scheduled) > _MAX_TURN_CHECKPOINTS:
        scheduled = [scheduled[0], *scheduled[1 - _MAX_TURN_CHECKPOINTS :]]
    between = range(n_past + CHECKPOINT_EVERY, n_prompt, CHECKPOINT_EVERY)
    added = {n for n in between if all(abs(n - position) > CHECKPOINT_EVERY // 2 for position in scheduled)}
    return deque(sorted(added.union(scheduled)))


# Find chunks of a prompt that a cache holds at later positions, to reuse them by KV shifting.
#
# As ``--cache-reuse`` of llama.cpp's server does.


class ReusePlan(NamedTuple):
    """How many prompt tokens a cache holds once ``removed_ranges`` are cut out of it and closed up.

    Each range is half-open, in positions that count after the ranges before it were removed.
    """

    n_tokens: int
    removed_ranges: tuple[tuple[int, int], ...] = ()


def plan_reuse(held: Tokens, prompt: Tokens, *, n_kept: int, min_chunk: int) -> ReusePlan:
    """Return how to reuse chunks of ``held`` for ``prompt`` beyond their common ``n_kept`` tokens.

    Args:
        min_chunk: the fewest tokens of a chunk that is reused.
    """
    removed_ranges = []
    source = target = n_kept
    while len(prompt) - target >= min_chunk:
        index = _find(held, prompt[target : target + min_chunk], start=source)
        if index < 0:
            break
        if index > source:
            removed_ranges.append((target, target + index - source))
        n_same = common_prefix(held[index:], prompt[target:])
        source, target = index + n_same, target + n_same
    return ReusePlan(target, tuple(removed_ranges))


def _find(held: Tokens, part: Tokens, *, start: int) -> int:
    """Return the index of ``part`` in ``held`` from ``start`` on; -1 if it does not occur."""
    data, part_data, size = held.tobytes(), part.tobytes(), held.itemsize
    offset = data.find(part_data, start * size)
    while offset % size and offset >= 0:  # in the middle of a token
        offset = data.find(part_data, offset + 1)
    return offset if offset < 0 else offset // size


# Explain cache misses: why tokens that were evaluated before had to be evaluated again


_NOISE: Final = 16
"""Misses of so few tokens are not reported: a template may format the end of an answer differently."""
_NEAR: Final = 0.05
"""A checkpoint is near enough if at most this fraction must be evaluated again."""
_MAX_OWNERS: Final = 512
_MAX_BYTES: Final = 16 << 20


class LastRead(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The tokens of an owner's previous request: prompt and answer."""

    tokens: Tokens
    n_prompt: int
    """The rest of ``tokens`` is the answer."""
    n_reasoning: int = 0
    """Tokens of reasoning in that answer."""
    is_invalid: bool = False
    """Whether its logits were not finite, so that its states were dropped."""


class MissContext(msgspec.Struct, frozen=True, kw_only=True):
    """Facts that may explain why less of a prompt was cached than had been evaluated before."""

    n_common: int = 0
    """Prompt tokens that some cache begins with, whether or not it can roll back to that point."""
    turns_dropped: bool = False
    damaged: bool = False
    other_options: bool = False
    other_model: bool = False


def explain_miss(
    last: LastRead | None, prompt: Tokens, *, n_used: int, context: MissContext
) -> CacheMiss | None:
    """Return why only ``n_used`` tokens of ``prompt`` came from a cache; ``None`` for no miss.

    States lost from the caches take precedence over changes in the conversation.
    """
    n_known = 0 if last is None else common_prefix(last.tokens, prompt)
    n_expected = max(n_known, context.n_common)
    if n_expected - n_used > max(_NOISE, n_expected * _NEAR):
        return _lost(n_used, context) or CacheMiss.EVICTED
    if last is None:
        # If it was evaluated at all, then by another runner; only that one's files are evidence.
        return _lost(n_used, context) if n_used <= _NOISE else None
    if len(last.tokens) - n_known > _NOISE and len(prompt) - n_known > 1:
        return _changed(last, n_known, context)
    return None


def _lost(n_used: int, context: MissContext) -> CacheMiss | None:
    if context.damaged:
        return CacheMiss.DAMAGED
    if context.n_common - n_used > _NOISE:
        return CacheMiss.WINDOW_PASSED
    if context.other_options:
        return CacheMiss.OPTIONS_CHANGED
    if context.other_model:
        return CacheMiss.OTHER_MODEL
    return None


def _changed(last: LastRead, n_known: int, context: MissContext) -> CacheMiss:
    if context.turns_dropped:
        return CacheMiss.TURNS_DROPPED
    if last.n_reasoning and n_known >= last.n_prompt - _NOISE:
        return CacheMiss.REASONING_DROPPED
    return CacheMiss.EDITED


class LastReads:
    """The previous request of each owner, least recently used dropped first to stay within a budget."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, LastRead] = OrderedDict()
        self._n_bytes = 0

    def last(self, owner: str) -> LastRead | None:
        """Return the previous request of ``owner``."""
        read = self._last.get(owner)
        if read is not None:
            self._last.move_to_end(owner)
        return read

    def record(self, owner: str, read: LastRead) -> None:
        """Store ``read`` as the previous request of ``owner``."""
        replaced = self._last.pop(owner, None)
        self._n_bytes += read.tokens.nbytes - (0 if replaced is None else replaced.tokens.nbytes)
        self._last[owner] = read
        while len(self._last) > _MAX_OWNERS or self._n_bytes > _MAX_BYTES:
            _, oldest = self._last.popitem(last=False)
            self._n_bytes -= oldest.tokens.nbytes
