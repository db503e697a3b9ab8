"""Give requests their seats, with as much of their prompts as can be had, and keep what they leave."""

from __future__ import annotations

import time
from collections.abc import Callable
from collections.abc import Sequence as Listed
from typing import Final, NamedTuple

from fireside.core.generation import CacheUse
from fireside.runner.prefix.checkpoints import checkpoint_at, fitting, places_of, with_checkpoint
from fireside.runner.prefix.choice import Seat, choose_seat, worth_copying
from fireside.runner.prefix.cut import cut, go_back, keep_prefix, restore
from fireside.runner.prefix.holding import Holding, chosen_marks
from fireside.runner.prefix.memory import Memory, StatePart
from fireside.runner.prefix.snapshot import Match, Snapshot, match_held
from fireside.runner.prefix.store import MemoryStore
from fireside.runner.prefix.tokens import Tokens
from fireside.runner.slots import Sequence, Slot

N_WORTH_SAVING: Final = 32
"""Fewer tokens are read again as fast."""
_CHECKPOINT_SHARE: Final = 4
"""The checkpoints of one slot take at most this part of the budget in memory."""
_LEAST_CHECKPOINT_BYTES: Final = 64 << 20


class Offer(NamedTuple):
    """A state that could be brought to a seat: a saved one, or that of another slot."""

    match: Match
    snapshot: Snapshot | None = None
    slot: Slot | None = None


_NO_OFFER: Final = Offer(Match())


class Seating:
    """Gives requests their seats. Everything runs in the loop's thread.

    Args:
        store: where states go when their seat is given away, and when nothing else is to be done.
    """

    def __init__(self, *, memory: Memory, slots: Listed[Slot], memory_bytes: int = 0) -> None:
        self._memory = memory
        self._slots = slots
        self._holdings = [Holding() for _ in slots]
        self._store = MemoryStore(limit_bytes=memory_bytes, shape=memory.shape)
        self._checkpoint_bytes = max(memory_bytes // _CHECKPOINT_SHARE, _LEAST_CHECKPOINT_BYTES)

    def seat(self, sequence: Sequence, free: Listed[Slot]) -> Slot:
        """Let ``sequence`` in at one of the ``free`` slots. Its sampler is made already.

        Nothing here may fail from the cut on: the cache and what is known of it change together.
        """
        # The last token is always evaluated again, because its logits are what is wanted.
        wanted = sequence.prompt[:-1]
        variant = _variant(sequence)
        offer = self._best_offer(wanted, variant)
        matches = {slot.index: self._match(slot, wanted, variant) for slot in free}
        choice = choose_seat(
            (
                Seat(
                    slot=slot.index,
                    n_usable=matches[slot.index].n_usable,
                    n_cached=slot.n_past,
                    is_saved=self._is_saved(slot),
                    last_used=slot.last_used,
                )
                for slot in free
            ),
            n_offered=offer.match.n_usable,
        )
        slot = self._slots[choice.slot]
        use = self._bring(offer, slot) if choice.takes_offer else self._keep(slot, matches[slot.index])
        sequence.start(use, now=time.perf_counter())
        holding = self._holdings[slot.index]
        holding.owner, holding.variant = sequence.task.owner, variant
        if self._memory.shape.forgets:
            holding.marks = chosen_marks((), n_past=sequence.n_cached, n_prompt=len(sequence.prompt))
        slot.seat(sequence, n_kept=sequence.n_cached)
        return slot

    # While a prompt is read

    def n_readable(self, slot: Slot) -> int:
        """Return how many of the slot's pending tokens may be in one step: up to the next mark."""
        mark = self._holdings[slot.index].next_mark(slot.n_past)
        return slot.n_pending if mark is None else min(slot.n_pending, mark - slot.n_past)

    def advanced(self, slot: Slot) -> None:
        """Note that the cache holds ``slot.n_past`` tokens now, and make a checkpoint if it is time."""
        holding = self._holdings[slot.index]
        if not holding.marks or holding.marks[0] != slot.n_past:
            return
        holding.marks.popleft()
        state = self._memory.save_state(slot.index, StatePart.MOVING)
        if state is not None:
            holding.checkpoints = with_checkpoint(
                holding.checkpoints,
                checkpoint_at(slot.cached, state),
                limit_bytes=self._checkpoint_bytes,
            )

    def rewind(self, slot: Slot) -> None:
        """Find a state to go on from after a step that was broken off.

        A recurrent state may be half written then, whatever position it says it is at.
        """
        if self._memory.shape.is_recurrent:
            checkpoints = self._holdings[slot.index].checkpoints
            slot.n_past = go_back(self._memory, slot.index, held=slot.cached, checkpoints=checkpoints)
            return
        # Micro-batches that were done are kept. The last token must be evaluated again even if it is in the
        # cache: its logits may be lost.
        n_held = self._memory.last_position(slot.index) + 1
        n_keep = min(n_held, slot.n_tokens - 1)
        slot.n_past = keep_prefix(self._memory, slot.index, n_keep=n_keep, n_cached=n_held)

    # When nothing else is to be done

    def save(self, *, is_wanted_elsewhere: Callable[[], bool]) -> None:
        """Put the states of all free slots into the store, until something else is to be done."""
        for slot in sorted(self._slots, key=lambda slot: -slot.last_used):
            if is_wanted_elsewhere():
                return
            if slot.sequence is None:
                self._put_away(slot)

    # States

    def _match(self, slot: Slot, wanted: Tokens, variant: str) -> Match:
        holding = self._holdings[slot.index]
        if holding.variant != variant or not slot.n_past:
            return Match()
        return match_held(
            slot.cached,
            wanted,
            shape=self._memory.shape,
            first=self._memory.first_position(slot.index),
            checkpoints=places_of(fitting(holding.checkpoints, slot.cached)),
        )

    def _best_offer(self, wanted: Tokens, variant: str) -> Offer:
        """Return what holds most of ``wanted`` beside the cache of the seat itself."""
        offers = [_NO_OFFER]
        found = self._store.find(wanted, variant=variant)
        if found is not None:
            offers.append(Offer(found.match, snapshot=found.snapshot))
        for slot in self._slots:
            match = self._match(slot, wanted, variant)
            if _is_whole(slot) and worth_copying(match.n_usable, n_held=slot.n_past):
                offers.append(Offer(match, slot=slot))
        return max(offers, key=lambda offer: offer.match.n_usable)

    def _keep(self, slot: Slot, match: Match) -> CacheUse:
        holding = self._holdings[slot.index]
        if slot.n_past - match.n_usable >= N_WORTH_SAVING:
            self._put_away(slot)
        n_kept = match.n_usable
        if n_kept < slot.n_past:
            n_kept = cut(self._memory, slot.index, n_kept, held=slot.cached, checkpoints=holding.checkpoints)
        holding.checkpoints = fitting(holding.checkpoints, slot.cached[:n_kept])
        return CacheUse(n_context=n_kept)

    def _bring(self, offer: Offer, slot: Slot) -> CacheUse:
        if offer.slot is slot:
            return self._keep(slot, offer.match)
        snapshot = offer.snapshot
        if offer.slot is not None:
            snapshot = self._snapshot(offer.slot)
        self._put_away(slot)
        if snapshot is None:
            self._memory.clear(slot.index)
            self._holdings[slot.index].checkpoints = ()
            return CacheUse()
        n_kept = restore(self._memory, slot.index, snapshot, offer.match.n_usable)
        self._holdings[slot.index].checkpoints = fitting(snapshot.checkpoints, snapshot.tokens[:n_kept])
        self._store.touch(snapshot)
        return CacheUse(n_context=n_kept) if offer.slot is not None else CacheUse(n_memory=n_kept)

    def _is_saved(self, slot: Slot) -> bool:
        return self._store.has(slot.cached, variant=self._holdings[slot.index].variant)

    def _put_away(self, slot: Slot) -> None:
        """Save the slot's state, if it is worth it and has not been saved yet."""
        if slot.n_past < N_WORTH_SAVING or not _is_whole(slot) or self._is_saved(slot):
            return
        holding = self._holdings[slot.index]
        n_bytes = self._memory.state_bytes(slot.index, StatePart.WHOLE) + sum(
            checkpoint.n_bytes for checkpoint in holding.checkpoints
        )
        if self._store.make_room(slot.cached, variant=holding.variant, n_bytes=n_bytes + slot.cached.nbytes):
            snapshot = self._snapshot(slot)
            if snapshot is not None:
                self._store.put(snapshot)

    def _snapshot(self, slot: Slot) -> Snapshot | None:
        holding = self._holdings[slot.index]
        try:
            state = self._memory.save_state(slot.index, StatePart.WHOLE)
        except MemoryError:
            return None
        if state is None:
            return None
        tokens = slot.cached.copy()
        return Snapshot(
            tokens=tokens,
            owner=holding.owner,
            variant=holding.variant,
            state=state,
            checkpoints=fitting(holding.checkpoints, tokens),
        )


def _is_whole(slot: Slot) -> bool:
    """Whether the memory holds nothing but what another prompt may use."""
    return 0 < slot.n_past == len(slot.cached)


def _variant(sequence: Sequence) -> str:
    scales = sequence.task.lora_scales
    return "" if scales is None else ",".join(f"{scale:.9g}" for scale in scales)
