"""Give requests their slots, with as much of their prompts as can be had, and keep what they leave."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from collections.abc import Sequence as Listed
from typing import Final

from fireside.core.generation import CacheUse
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.prompt_cache.cache_miss import Circumstances, LastRead, Owners, explain
from fireside.runner.prompt_cache.moved_parts import Moved
from fireside.runner.prompt_cache.shared_cells import SharedCells
from fireside.runner.prompt_cache.slot_cache import SlotCache
from fireside.runner.prompt_cache.slot_selection import SlotCandidate, choose_slot, worth_copying
from fireside.runner.prompt_cache.state_cache import CacheHit, DiskReader, Level, StateCache
from fireside.runner.prompt_cache.state_snapshot import Match, Snapshot, Suspect
from fireside.runner.slots import Sequence, Slot

CHECK_VARIABLE: Final = "FIRESIDE_RUNNER_CHECK"
"""Set to 1, it is checked before each step that llama.cpp holds what we believe."""
N_WORTH_SAVING: Final = 32
"""Fewer tokens are read again as fast."""
_SHUTDOWN_GRACE_S: Final = 1.2
"""The engine waits two seconds for a runner to end by itself."""
_SLACK_S: Final = 0.3
_MUCH: Final = 0.9
"""A request that found so much of its prompt is not told what else there might have been."""
_N_WORTH_WAITING: Final = 32
"""Tokens that another slot is just reading are waited for if there are so many."""


class SlotAssignment:
    """Gives requests their slots. Everything runs in the loop's thread.

    Args:
        state_cache: where states go when their slot is given away, and when nothing else is to be done.
        n_least_moved: parts of a prompt with so many tokens are used where a slot holds them elsewhere;
            0 is never.
    """

    def __init__(
        self,
        *,
        memory: ShiftableMemory,
        slots: Listed[Slot],
        state_cache: StateCache,
        n_least_moved: int = 0,
    ) -> None:
        self._slot_caches = [
            SlotCache(slot, memory, checkpoint_bytes=state_cache.checkpoint_bytes) for slot in slots
        ]
        self.cells = SharedCells(n_cells=memory.n_cells, caches=self._slot_caches, give_up=self._give_up)
        self._memory = memory
        self._n_least_moved = n_least_moved
        self._checks = os.environ.get(CHECK_VARIABLE) == "1"
        self._state_cache = state_cache
        self._owners = Owners()
        self._readings: dict[int, DiskReader] = {}
        self._neighbours: dict[int, Sequence | None] = {}

    # A slot

    def is_ready(self, sequence: Sequence) -> bool:
        """Whether ``sequence`` should be assigned now, or rather wait a little while others are served.

        It waits for its state to be read from disk, and for another slot that is just reading the same text,
        once. Where no request is served it is always ready.
        """
        if not any(cache.slot.sequence is not None for cache in self._slot_caches):
            return True
        reading = self._readings.get(sequence.request_id)
        if reading is not None:
            return reading.is_done
        if self._waits_for_neighbour(sequence):
            return False
        hit = self._state_cache.find(sequence.prompt[:-1], variant=variant_of(sequence))
        if hit is None or hit.file is None:
            return True
        self._readings[sequence.request_id] = DiskReader(self._state_cache, hit.file)
        return False

    def withdraw(self, sequence: Sequence) -> None:
        """Note that ``sequence`` will not be assigned."""
        self._readings.pop(sequence.request_id, None)
        self._neighbours.pop(sequence.request_id, None)

    def assign_slot(self, sequence: Sequence, free: Listed[Slot]) -> Slot:
        """Let ``sequence`` in at one of the ``free`` slots. Its sampler is made already."""
        # The last token is always evaluated again, because its logits are what is wanted.
        wanted = sequence.prompt[:-1]
        variant = variant_of(sequence)
        known = self._last_read_of(sequence.task.owner)
        matches = [cache.match(wanted, variant=variant) for cache in self._slot_caches]
        hit, snapshot = self._best_hit(sequence, matches)
        moved = [
            cache.moved(wanted, variant=variant, n_kept=match.n_usable, n_least=self._n_least_moved)
            for cache, match in zip(self._slot_caches, matches, strict=True)
        ]
        choice = choose_slot(
            (
                SlotCandidate(
                    slot=slot.index,
                    n_usable=moved[slot.index].n_tokens,
                    n_cached=slot.n_past,
                    is_saved=self._is_saved(self._slot_caches[slot.index]),
                    last_used=slot.last_used,
                )
                for slot in free
            ),
            n_found=0 if hit is None else hit.match.n_usable,
        )
        cache = self._slot_caches[choice.slot]
        self._note(cache)
        self._clear_saved(but=cache, source=hit)
        if choice.takes_hit and hit is not None:
            use = self._bring(cache, hit, snapshot)
        else:
            use = self._keep(cache, matches[choice.slot], moved[choice.slot])
        n_common = 0
        if self._memory.shape.forgets:
            n_common = max([match.n_common for match in matches] + ([hit.match.n_common] if hit else []))
        use = self._explained(sequence, use, known, n_common=n_common)
        cache.owner, cache.variant, cache.last = sequence.task.owner, variant, sequence
        sequence.start(use, now=time.perf_counter())
        cache.slot.occupy(sequence, n_kept=sequence.n_cached)
        if not choice.takes_hit and sequence.n_cached > matches[choice.slot].n_usable:
            cache.slot.n_genuine = matches[choice.slot].n_usable
        cache.mark(sequence.marks, n_past=sequence.n_cached, n_prompt=len(sequence.prompt))
        return cache.slot

    # While a prompt is read

    def n_readable(self, slot: Slot) -> int:
        """Return how many of the slot's pending tokens may be in one step: up to the next mark."""
        if self._checks:
            self._check(slot)
        return self._slot_caches[slot.index].n_readable()

    def advanced(self, slot: Slot) -> None:
        """Note that the cache holds ``slot.n_past`` tokens now, and make a checkpoint if it is time."""
        self._slot_caches[slot.index].advanced()

    def rewind(self, slot: Slot) -> None:
        """Find a state to go on from after a step that was broken off."""
        slot.n_past = self._slot_caches[slot.index].rewind()

    def distrust(self, slot: Slot) -> None:
        """Drop what ``slot`` holds, which led to no numbers, and every state that it may have come from.

        Otherwise the same question would fail again for as long as one of them is kept.
        """
        cache = self._slot_caches[slot.index]
        self._note(cache, is_bad=True)
        cached = slot.tokens[:0] if cache.last is None else cache.last.prompt[: cache.last.n_cached]
        suspect = Suspect(cached=cached, owner=cache.owner, variant=cache.variant)
        cache.empty()
        for other in self._slot_caches:
            is_own = other.owner is not None and other.owner == suspect.owner
            if other.slot.sequence is None and suspect.covers(
                other.slot.cached, variant=other.variant, is_own=is_own
            ):
                other.empty()
        cache.owner = None
        self._state_cache.drop(suspect)

    def _check(self, slot: Slot) -> None:
        """Raise ``RuntimeError`` if llama.cpp holds other tokens than we believe, as far as it tells."""
        last = self._memory.last_position(slot.index)
        if last != slot.n_past - 1:
            raise RuntimeError(f"slot {slot.index} ends at {last}, not behind {slot.n_past} tokens")

    # When a turn is over

    def save(self, *, is_interrupted: Callable[[], bool]) -> None:
        """Save the states of all free slots, the newest first, until something else is to be done.

        First what other programs need the memory for is given back.
        """
        self._state_cache.give_back()
        for cache in self._slot_caches:
            cache.give_back()
        for cache in sorted(self._slot_caches, key=lambda cache: -cache.slot.last_used):
            if is_interrupted():
                return
            if cache.slot.sequence is None:
                self._save(cache)

    @property
    def shutdown_grace_s(self) -> float:
        """How long ``close`` may take; 0 if there is nothing to be saved from a process that ends."""
        return _SHUTDOWN_GRACE_S + _SLACK_S if self._state_cache.disk is not None else 0.0

    def close(self) -> None:
        """Bring everything to the disk, answers that are being written too, as far as there is time."""
        deadline = time.monotonic() + _SHUTDOWN_GRACE_S
        for cache in sorted(self._slot_caches, key=lambda cache: -cache.slot.last_used):
            if time.monotonic() < deadline:
                self._save(cache)
        self._state_cache.close(within_s=max(0.0, deadline - time.monotonic()))

    # Where a state comes from

    def _best_hit(
        self, sequence: Sequence, matches: Listed[Match]
    ) -> tuple[CacheHit | None, Snapshot | None]:
        """Return what holds most of the prompt beside the cache of a slot itself, and that in memory."""
        reading = self._readings.pop(sequence.request_id, None)
        self._neighbours.pop(sequence.request_id, None)
        wanted, variant = sequence.prompt[:-1], variant_of(sequence)
        n_copied, slot = max(
            (
                (match.n_usable, cache.slot.index)
                for cache, match in zip(self._slot_caches, matches, strict=True)
                if cache.is_whole and worth_copying(match.n_usable, n_held=cache.slot.n_past)
            ),
            default=(0, 0),
        )
        hit = self._state_cache.find(wanted, variant=variant)
        if n_copied > (0 if hit is None else hit.match.n_usable):
            return CacheHit(Level.CONTEXT, matches[slot], slot=slot), None
        if hit is None or hit.file is None:
            return hit, None if hit is None else hit.snapshot
        if max(match.n_usable for match in matches) >= hit.match.n_usable:
            return None, None
        is_read = reading is not None and reading.file.name == hit.file.name
        snapshot = reading.result() if reading is not None and is_read else self._state_cache.read(hit.file)
        return (None, None) if snapshot is None else (hit, snapshot)

    def _waits_for_neighbour(self, sequence: Sequence) -> bool:
        """Whether another request is just reading so much of this prompt that it pays to wait for it."""
        if sequence.request_id in self._neighbours:
            neighbour = self._neighbours[sequence.request_id]
        else:
            neighbour = self._neighbours[sequence.request_id] = self._neighbour_of(sequence)
        if neighbour is None:
            return False
        wanted, variant = sequence.prompt[:-1], variant_of(sequence)
        for cache in self._slot_caches:
            if cache.slot.sequence is neighbour:
                n_now = cache.match(wanted, variant=variant).n_usable
                if n_now < cache.will_have(wanted, variant=variant):
                    return True
        self._neighbours[sequence.request_id] = None
        return False

    def _neighbour_of(self, sequence: Sequence) -> Sequence | None:
        wanted, variant = sequence.prompt[:-1], variant_of(sequence)
        hit = self._state_cache.find(wanted, variant=variant)
        n_now = max(cache.match(wanted, variant=variant).n_usable for cache in self._slot_caches)
        n_now = max(n_now, 0 if hit is None else hit.match.n_usable)
        n_later, cache = max(
            ((cache.will_have(wanted, variant=variant), cache) for cache in self._slot_caches),
            key=lambda each: each[0],
        )
        return cache.slot.sequence if n_later - n_now >= _N_WORTH_WAITING else None

    # States

    def _keep(self, cache: SlotCache, match: Match, moved: Moved | None = None) -> CacheUse:
        if cache.slot.n_past - match.n_usable >= N_WORTH_SAVING:
            self._save(cache)
        if moved is not None and moved.n_tokens > match.n_usable:
            return CacheUse(n_context=cache.close_up(moved))
        return CacheUse(n_context=cache.keep(match.n_usable))

    def _bring(self, cache: SlotCache, hit: CacheHit, snapshot: Snapshot | None) -> CacheUse:
        if hit.slot == cache.slot.index:
            return self._keep(cache, hit.match)
        if hit.slot is not None:
            snapshot = self._slot_caches[hit.slot].snapshot()
        self._save(cache)
        cache.empty()
        if snapshot is None or not self.cells.make_room(len(snapshot.tokens), but=cache):
            return CacheUse()
        n_kept = cache.bring(snapshot, hit.match.n_usable)
        if hit.level is Level.CONTEXT:
            return CacheUse(n_context=n_kept)
        if n_kept < hit.match.n_usable:
            self._state_cache.distrust(snapshot)
        else:
            self._state_cache.used(snapshot)
        return CacheUse(n_memory=n_kept) if hit.level is Level.MEMORY else CacheUse(n_disk=n_kept)

    def come_back(self, slot: Slot) -> None:
        """Bring to ``slot``, which was set aside, what is kept of its tokens; the rest is read again."""
        cache = self._slot_caches[slot.index]
        hit = self._state_cache.find(slot.tokens[:-1], variant=cache.variant)
        if hit is not None and hit.snapshot is not None:
            use = self._bring(cache, hit, hit.snapshot)
            slot.n_past = use.n_memory

    def _give_up(self, cache: SlotCache) -> None:
        """Empty a cache, and save what it holds if it is worth it."""
        self._save(cache)
        if cache.slot.sequence is None:
            self._note(cache)
            cache.owner = cache.last = None
        cache.empty()

    def _clear_saved(self, *, but: SlotCache, source: CacheHit | None) -> None:
        """Empty the caches of free slots that can be had again, where others' steps look at them."""
        if not self._memory.shares_cells:
            return
        for cache in self._slot_caches:
            is_source = source is not None and source.slot == cache.slot.index
            if cache.slot.sequence is None and cache is not but and not is_source and self._is_saved(cache):
                self._give_up(cache)

    def _is_saved(self, cache: SlotCache) -> bool:
        return self._state_cache.has(cache.slot.cached, variant=cache.variant)

    def _save(self, cache: SlotCache) -> None:
        """Save the slot's state, if it is worth it and has not been saved yet."""
        if cache.slot.n_past < N_WORTH_SAVING or not cache.is_whole:
            return
        if self._state_cache.wants(
            cache.slot.cached,
            variant=cache.variant,
            owner=cache.owner,
            n_bytes=cache.state_bytes,
        ):
            snapshot = cache.snapshot()
            if snapshot is not None:
                self._state_cache.put(snapshot)

    def _note(self, cache: SlotCache, *, is_bad: bool = False) -> None:
        """Remember what was read in a slot that is about to be given away."""
        last = cache.last_read(is_bad=is_bad)
        if cache.owner is not None and last is not None:
            self._owners.note(cache.owner, last)

    def _last_read_of(self, owner: str | None) -> LastRead | None:
        """Return what was last read for ``owner``, in a slot or before."""
        if owner is None:
            return None
        theirs = [cache for cache in self._slot_caches if cache.owner == owner]
        if not theirs:
            return self._owners.last(owner)
        return max(theirs, key=lambda cache: cache.slot.last_used).last_read()

    def _explained(
        self, sequence: Sequence, use: CacheUse, known: LastRead | None, *, n_common: int
    ) -> CacheUse:
        owner, disk = sequence.task.owner, self._state_cache.disk
        if owner is None:
            return use
        n_used = use.n_context + use.n_memory + use.n_disk
        is_short = n_used < _MUCH * len(sequence.prompt)
        others = disk.others_of(owner) if disk is not None and is_short else None
        miss = explain(
            known,
            sequence.prompt,
            n_used=n_used,
            circumstances=Circumstances(
                n_common=n_common,
                turns_dropped=sequence.is_truncated,
                damaged=(disk is not None and disk.take_damaged(owner))
                or (known is not None and known.is_bad),
                other_options=others is not None and others.other_options,
                other_model=others is not None and others.other_model,
            ),
        )
        return CacheUse(n_context=use.n_context, n_memory=use.n_memory, n_disk=use.n_disk, miss=miss)


def variant_of(sequence: Sequence) -> str:
    """Return what the state of a sequence depends on beside its tokens."""
    scales = sequence.task.lora_scales
    return "" if scales is None else ",".join(f"{scale:.9g}" for scale in scales)
