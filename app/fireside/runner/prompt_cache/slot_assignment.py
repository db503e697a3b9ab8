"""Assign slots to requests, reuse cached prefixes of their prompts, and save the states of idle slots."""

from __future__ import annotations

import os
import time
from collections import abc
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from fireside.core.generation import CacheUse, Priority
from fireside.runner.kv_memory import ShiftableMemory
from fireside.runner.prompt_cache.slot_cache import (
    LastRead,
    LastReads,
    MissContext,
    ReusePlan,
    SlotCache,
    explain_miss,
)
from fireside.runner.prompt_cache.state_cache import CacheHit, CacheLevel, DiskReader, StateCache
from fireside.runner.prompt_cache.state_snapshot import (
    StateMatch,
    StateSnapshot,
    Suspect,
    variant_mark,
    whole_units,
)
from fireside.runner.slots import Sequence, Slot
from fireside.runner.tokens import Tokens

CHECK_VARIABLE: Final = "FIRESIDE_RUNNER_CHECK"
"""Environment variable: 1 checks before each step that llama.cpp's positions match ours."""
N_WORTH_SAVING: Final = 32
"""Fewer tokens are evaluated again as fast as they are restored."""
_SHUTDOWN_GRACE_S: Final = 1.2
"""The engine waits two seconds for a runner to exit by itself."""
_SLACK_S: Final = 0.3
_MOSTLY_CACHED: Final = 0.9
"""Above this cached fraction of a prompt, files of other options or models are not looked for."""
_N_WORTH_WAITING: Final = 32
"""A request waits for another slot that is evaluating at least so many tokens of its prompt."""


class SlotAssignment:
    """Assigns slots and their caches to requests. Everything runs in the loop's thread.

    Args:
        state_cache: stores the states of slots that are reassigned, and of idle slots.
        min_reuse_chunk: fewest tokens of a chunk that is reused by KV shifting; 0 disables that.
    """

    def __init__(
        self,
        *,
        memory: ShiftableMemory,
        slots: abc.Sequence[Slot],
        state_cache: StateCache,
        min_reuse_chunk: int = 0,
    ) -> None:
        self._slot_caches = [
            SlotCache(slot, memory, checkpoint_bytes=state_cache.checkpoint_bytes) for slot in slots
        ]
        self.cells = SharedCells(n_cells=memory.n_cells, caches=self._slot_caches, evict=self._evict)
        self._memory = memory
        self._min_reuse_chunk = min_reuse_chunk
        self._is_checking = os.environ.get(CHECK_VARIABLE) == "1"
        self._state_cache = state_cache
        self._last_reads = LastReads()
        self._disk_readers: dict[int, DiskReader] = {}
        self._neighbours: dict[int, Sequence | None] = {}

    # Admission

    def is_ready(self, sequence: Sequence) -> bool:
        """Whether ``sequence`` should get a slot now, rather than wait a little while others are computed.

        It waits while its state is read from disk, and once for another slot that is evaluating the same
        prefix. Where no request is running it is always ready.
        """
        if not any(cache.slot.sequence is not None for cache in self._slot_caches):
            return True
        disk_reader = self._disk_readers.get(sequence.request_id)
        if disk_reader is not None:
            return disk_reader.is_done
        if self._waits_for_neighbour(sequence):
            return False
        hit = self._state_cache.find(_reusable(sequence), variant=variant_of(sequence))
        if hit is None or hit.file is None:
            return True
        self._disk_readers[sequence.request_id] = DiskReader(self._state_cache, hit.file)
        return False

    def cancel(self, sequence: Sequence) -> None:
        """Forget ``sequence``, which will not get a slot."""
        self._disk_readers.pop(sequence.request_id, None)
        self._neighbours.pop(sequence.request_id, None)

    def assign_slot(self, sequence: Sequence, free: abc.Sequence[Slot]) -> Slot:
        """Assign ``sequence`` to the best of the ``free`` slots and return it. Its sampler exists already."""
        prefix = _reusable(sequence)
        variant = variant_of(sequence)
        for cache in self._slot_caches:
            cache.forget_answer()
        last_read = self._last_read_of(sequence.task.owner)
        matches = [cache.match(prefix, variant=variant) for cache in self._slot_caches]
        hit, snapshot = self._best_hit(sequence, matches)
        plans = [
            cache.plan_reuse(prefix, variant=variant, n_kept=match.n_usable, min_chunk=self._min_reuse_chunk)
            for cache, match in zip(self._slot_caches, matches, strict=True)
        ]
        choice = choose_slot(
            (
                SlotCandidate(
                    slot=slot.index,
                    n_usable=plans[slot.index].n_tokens,
                    n_cached=slot.n_past,
                    is_saved=self._is_saved(self._slot_caches[slot.index]),
                    last_used=slot.last_used,
                )
                for slot in free
            ),
            n_found=0 if hit is None else hit.match.n_usable,
        )
        cache = self._slot_caches[choice.slot]
        self._record_last_read(cache)
        self._evict_idle(exclude=cache, source=hit, all_of_them=sequence.task.is_repeatable)
        if choice.uses_hit and hit is not None:
            use = self._restore(cache, hit, snapshot)
        else:
            use = self._reuse(cache, matches[choice.slot], plans[choice.slot])
        n_common = 0
        if self._memory.shape.needs_checkpoints:
            n_common = max([match.n_common for match in matches] + ([hit.match.n_common] if hit else []))
        use = self._with_miss(sequence, use, last_read, n_common=n_common)
        cache.owner, cache.variant, cache.last = sequence.task.owner, variant, sequence
        cache.stays_in_memory = sequence.task.stays_in_memory
        sequence.start(use, now=time.perf_counter())
        cache.slot.occupy(sequence, n_kept=sequence.n_cached)
        if not choice.uses_hit and sequence.n_cached > matches[choice.slot].n_usable:
            cache.slot.n_unshifted = matches[choice.slot].n_usable
        cache.schedule_checkpoints(
            sequence.message_ends, n_past=sequence.n_cached, n_prompt=len(sequence.prompt)
        )
        return cache.slot

    # While a prompt is read

    def n_readable(self, slot: Slot) -> int:
        """Return how many of the slot's pending tokens may be in one step: up to the next checkpoint."""
        if self._is_checking:
            self._check(slot)
        return self._slot_caches[slot.index].n_readable()

    def on_advanced(self, slot: Slot) -> None:
        """Handle that the cache now holds ``slot.n_past`` tokens: make a checkpoint if one is due."""
        self._slot_caches[slot.index].on_advanced()

    def rewind(self, slot: Slot) -> None:
        """Set ``n_past`` to what is valid after an aborted decode; the rest is evaluated again."""
        slot.n_past = self._slot_caches[slot.index].rewind()

    def discard_invalid(self, slot: Slot) -> None:
        """Drop the cache of ``slot``, whose logits were not finite, and every state it may have come from.

        Otherwise the same prompt would fail again for as long as one of them is kept.
        """
        cache = self._slot_caches[slot.index]
        self._record_last_read(cache, is_invalid=True)
        cached = slot.tokens[:0] if cache.last is None else cache.last.prompt[: cache.last.n_cached]
        suspect = Suspect(cached=cached, owner=cache.owner, variant=cache.variant)
        cache.clear()
        for other in self._slot_caches:
            is_own = other.owner is not None and other.owner == suspect.owner
            if other.slot.sequence is None and suspect.covers(
                other.slot.cached, variant=other.variant, is_own=is_own
            ):
                other.clear()
        cache.owner = None
        self._state_cache.drop(suspect)

    def _check(self, slot: Slot) -> None:
        """Raise ``RuntimeError`` if llama.cpp's last position of the sequence is not ours."""
        last = self._memory.last_position(slot.index)
        if last != slot.n_past - 1:
            raise RuntimeError(f"slot {slot.index} ends at {last}, not behind {slot.n_past} tokens")

    # Saving

    def save(self, *, is_interrupted: Callable[[], bool]) -> None:
        """Save the states of all idle slots, most recently used first, until ``is_interrupted`` is true.

        First memory that has become short is released.
        """
        self._state_cache.shrink()
        for cache in self._slot_caches:
            cache.prune_checkpoints()
        for cache in sorted(self._slot_caches, key=lambda cache: -cache.slot.last_used):
            if is_interrupted():
                return
            if cache.slot.sequence is None:
                self._save(cache)

    @property
    def shutdown_grace_s(self) -> float:
        """How long ``close`` may take, in seconds; 0 without a disk cache."""
        return _SHUTDOWN_GRACE_S + _SLACK_S if self._state_cache.disk is not None else 0.0

    def close(self) -> None:
        """Save all slots to disk, those of running requests too, as far as there is time."""
        deadline = time.monotonic() + _SHUTDOWN_GRACE_S
        for cache in sorted(self._slot_caches, key=lambda cache: -cache.slot.last_used):
            if time.monotonic() < deadline:
                self._save(cache)
        self._state_cache.close(timeout_s=max(0.0, deadline - time.monotonic()))

    # Cache lookup

    def _best_hit(
        self, sequence: Sequence, matches: abc.Sequence[StateMatch]
    ) -> tuple[CacheHit | None, StateSnapshot | None]:
        """Return the best state to copy or restore for the prompt, with its snapshot if it is in memory."""
        disk_reader = self._disk_readers.pop(sequence.request_id, None)
        self._neighbours.pop(sequence.request_id, None)
        prefix, variant = _reusable(sequence), variant_of(sequence)
        n_copied, slot = max(
            (
                (match.n_usable, cache.slot.index)
                for cache, match in zip(self._slot_caches, matches, strict=True)
                if cache.is_whole
                and worth_copying(match.n_usable, n_held=cache.slot.n_past)
                # Which cells a sequence has decides how sums are added up: it stays where it was read.
                and not (sequence.task.is_repeatable and cache.slot.sequence is None)
            ),
            default=(0, 0),
        )
        hit = self._state_cache.find(prefix, variant=variant)
        if n_copied > (0 if hit is None else hit.match.n_usable):
            return CacheHit(CacheLevel.CONTEXT, matches[slot], slot=slot), None
        if hit is None or hit.file is None:
            return hit, None if hit is None else hit.snapshot
        if max(match.n_usable for match in matches) >= hit.match.n_usable:
            return None, None
        is_read = disk_reader is not None and disk_reader.file.name == hit.file.name
        snapshot = (
            disk_reader.result() if disk_reader is not None and is_read else self._state_cache.read(hit.file)
        )
        return (None, None) if snapshot is None else (hit, snapshot)

    def _waits_for_neighbour(self, sequence: Sequence) -> bool:
        """Whether another slot is evaluating so much of this prompt that waiting for it pays off."""
        if sequence.request_id in self._neighbours:
            neighbour = self._neighbours[sequence.request_id]
        else:
            neighbour = self._neighbours[sequence.request_id] = self._neighbour_of(sequence)
        if neighbour is None:
            return False
        prefix, variant = _reusable(sequence), variant_of(sequence)
        for cache in self._slot_caches:
            if cache.slot.sequence is neighbour:
                n_usable = cache.match(prefix, variant=variant).n_usable
                if n_usable < cache.n_usable_later(prefix, variant=variant):
                    return True
        self._neighbours[sequence.request_id] = None
        return False

    def _neighbour_of(self, sequence: Sequence) -> Sequence | None:
        prefix, variant = _reusable(sequence), variant_of(sequence)
        hit = self._state_cache.find(prefix, variant=variant)
        n_usable = max(cache.match(prefix, variant=variant).n_usable for cache in self._slot_caches)
        n_usable = max(n_usable, 0 if hit is None else hit.match.n_usable)
        n_later, cache = max(
            ((cache.n_usable_later(prefix, variant=variant), cache) for cache in self._slot_caches),
            key=lambda candidate: candidate[0],
        )
        return cache.slot.sequence if n_later - n_usable >= _N_WORTH_WAITING else None

    # States of slots

    def _reuse(self, cache: SlotCache, match: StateMatch, plan: ReusePlan | None = None) -> CacheUse:
        if cache.slot.n_past - match.n_usable >= N_WORTH_SAVING:
            self._save(cache)
        if plan is not None and plan.n_tokens > match.n_usable:
            return CacheUse(n_context=cache.apply_reuse(plan))
        return CacheUse(n_context=cache.trim(match.n_usable))

    def _restore(self, cache: SlotCache, hit: CacheHit, snapshot: StateSnapshot | None) -> CacheUse:
        if hit.slot == cache.slot.index:
            return self._reuse(cache, hit.match)
        if hit.slot is not None:
            snapshot = self._slot_caches[hit.slot].snapshot()
        self._save(cache)
        cache.clear()
        if snapshot is None or not self.cells.free_cells(len(snapshot.tokens), exclude=cache):
            return CacheUse()
        n_kept = cache.restore(snapshot, hit.match.n_usable)
        if hit.level is CacheLevel.CONTEXT:
            return CacheUse(n_context=n_kept)
        if n_kept < hit.match.n_usable:
            self._state_cache.discard(snapshot)
        else:
            self._state_cache.touch(snapshot)
        return CacheUse(n_memory=n_kept) if hit.level is CacheLevel.MEMORY else CacheUse(n_disk=n_kept)

    def resume_slot(self, slot: Slot) -> None:
        """Restore the saved tokens of ``slot``, which was preempted; the rest is evaluated again."""
        cache = self._slot_caches[slot.index]
        hit = self._state_cache.find(slot.tokens[:-1], variant=cache.variant)
        if hit is not None and hit.snapshot is not None:
            use = self._restore(cache, hit, hit.snapshot)
            slot.n_past = use.n_memory

    def _evict(self, cache: SlotCache) -> None:
        """Clear a slot's cache, after saving its state if that is worth it."""
        self._save(cache)
        if cache.slot.sequence is None:
            self._record_last_read(cache)
            cache.owner = cache.last = None
        cache.clear()

    def _evict_idle(self, *, exclude: SlotCache, source: CacheHit | None, all_of_them: bool) -> None:
        """With shared cells, clear idle caches that are saved: steps of other slots would scan them too.

        Args:
            all_of_them: whether the others are saved for it, so that a prompt is read from the first cell on.
        """
        if not self._memory.shares_cells:
            return
        for cache in self._slot_caches:
            is_source = source is not None and source.slot == cache.slot.index
            if cache.slot.sequence is not None or cache is exclude or is_source:
                continue
            if all_of_them:
                self._save(cache)
            is_short = all_of_them and cache.slot.n_past < N_WORTH_SAVING
            if is_short or self._is_saved(cache):
                self._evict(cache)

    def _is_saved(self, cache: SlotCache) -> bool:
        return self._state_cache.has(cache.slot.cached, variant=cache.variant)

    def _save(self, cache: SlotCache) -> None:
        """Save the slot's state if it is worth it and not saved yet."""
        cache.forget_answer()
        if cache.slot.n_past < N_WORTH_SAVING or not cache.is_whole:
            return
        if self._state_cache.accepts(
            cache.slot.cached,
            variant=cache.variant,
            owner=cache.disk_owner,
            n_bytes=cache.state_bytes,
        ):
            snapshot = cache.snapshot()
            if snapshot is not None:
                self._state_cache.store(snapshot)

    def _record_last_read(self, cache: SlotCache, *, is_invalid: bool = False) -> None:
        """Record the tokens of a slot that is about to be reassigned, to explain later misses."""
        last = cache.last_read(is_invalid=is_invalid)
        if cache.owner is not None and last is not None:
            self._last_reads.record(cache.owner, last)

    def _last_read_of(self, owner: str | None) -> LastRead | None:
        """Return the previous request of ``owner``, from its slot or as recorded."""
        if owner is None:
            return None
        own_caches = [cache for cache in self._slot_caches if cache.owner == owner]
        if not own_caches:
            return self._last_reads.last(owner)
        return max(own_caches, key=lambda cache: cache.slot.last_used).last_read()

    def _with_miss(
        self, sequence: Sequence, use: CacheUse, last_read: LastRead | None, *, n_common: int
    ) -> CacheUse:
        owner, disk = sequence.task.owner, self._state_cache.disk
        if owner is None or not sequence.task.reuses_cache:
            return use
        n_used = use.n_context + use.n_memory + use.n_disk
        is_short = n_used < _MOSTLY_CACHED * len(sequence.prompt)
        unusable = disk.unusable_files_of(owner) if disk is not None and is_short else None
        miss = explain_miss(
            last_read,
            sequence.prompt,
            n_used=n_used,
            context=MissContext(
                n_common=n_common,
                turns_dropped=sequence.is_truncated,
                damaged=(disk is not None and disk.pop_damaged(owner))
                or (last_read is not None and last_read.is_invalid),
                other_options=unusable is not None and unusable.other_options,
                other_model=unusable is not None and unusable.other_model,
            ),
        )
        return CacheUse(n_context=use.n_context, n_memory=use.n_memory, n_disk=use.n_disk, miss=miss)


def variant_of(sequence: Sequence) -> str:
    """Return what the state of a sequence depends on besides its tokens: how it is read, and its adapters."""
    mark = variant_mark(is_repeatable=sequence.task.is_repeatable)
    return mark + ",".join(f"{scale:.9g}" for scale in sequence.task.lora_scales or ())


def _reusable(sequence: Sequence) -> Tokens:
    """Return the beginning of a prompt that may come from a cache; the logits of its end are needed."""
    n_most = len(sequence.prompt) - 1 if sequence.task.reuses_cache else 0
    return sequence.prompt[: whole_units(n_most, variant=variant_of(sequence))]


_RESTORE_COST: Final = 32
"""Restoring a saved state takes about as long as evaluating so many tokens."""
_COPY_SHARE: Final = 8
"""Divisor: a state is copied whole, which is worth it if at least an eighth of it is used."""


class SlotCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A free slot as a candidate for one prompt."""

    slot: int
    n_usable: int
    """Tokens of the prompt that its cache can provide."""
    n_cached: int
    is_saved: bool
    """Whether its cache is also saved elsewhere."""
    last_used: float


class SlotChoice(msgspec.Struct, frozen=True, kw_only=True):
    slot: int
    uses_hit: bool
    """Whether the cache hit from elsewhere replaces the slot's own cache."""


def choose_slot(candidates: Iterable[SlotCandidate], *, n_found: int) -> SlotChoice:
    """Return the candidate that saves most tokens, less the cost of what its cache loses.

    Throwing away a long conversation to save the 30 tokens of a shared system prompt is a bad trade, so a
    quarter of what would be lost counts against a candidate; where it is saved elsewhere, a quarter of what
    restoring it costs. Among equals a cache is used in place, and the least recently used slot is chosen.

    Args:
        n_found: tokens of the prompt that could be restored from elsewhere into any slot; 0 for none.
    """
    options = [
        (
            _gain(candidate, n_found=n_found, uses_hit=uses_hit),
            not uses_hit,
            -candidate.last_used,
            candidate,
        )
        for candidate in candidates
        for uses_hit in ((False, True) if n_found else (False,))
    ]
    _, stays, _, candidate = max(options, key=lambda option: option[:3])
    return SlotChoice(slot=candidate.slot, uses_hit=not stays)


def _gain(candidate: SlotCandidate, *, n_found: int, uses_hit: bool) -> float:
    n_kept = 0 if uses_hit else candidate.n_usable
    n_lost = candidate.n_cached - n_kept
    loss = min(n_lost, _RESTORE_COST) if candidate.is_saved else n_lost
    return (n_found - _RESTORE_COST if uses_hit else n_kept) - loss / 4


def worth_copying(n_usable: int, *, n_held: int) -> bool:
    """Whether ``n_usable`` tokens are worth copying a state of ``n_held``."""
    return n_usable >= max(_RESTORE_COST, n_held / _COPY_SHARE)


# Allocation of the KV cells that all slots share: admission, eviction of idle slots, preemption


_MARGIN: Final = 16
"""Divisor: this part of all cells must be free for an admitted or resumed request to generate in, else it
would soon be preempted."""


class SharedCells:
    """Decides which requests hold cells of the KV cache when not all fit. A cell holds one token.

    The request that came first always continues, and its slot never needs more cells than there are. Those
    that came last are preempted: their tokens stay known, and are evaluated again or restored from the cache
    once there is space.

    Args:
        evict: clears a slot's cache, after saving it where possible.
    """

    def __init__(
        self, *, n_cells: int, caches: abc.Sequence[SlotCache], evict: Callable[[SlotCache], None]
    ) -> None:
        self._n_cells = n_cells
        self._caches = caches
        self._evict = evict

    @property
    def n_free(self) -> int:
        """Number of free cells."""
        return self._n_cells - sum(cache.slot.n_past for cache in self._caches)

    def free_cells(self, n_tokens: int, *, exclude: SlotCache | None = None) -> bool:
        """Evict idle slots, least recently used first, until ``n_tokens`` cells are free; false otherwise.

        Args:
            exclude: a cache that is not evicted.
        """
        idle = [cache for cache in self._caches if cache.slot.sequence is None and cache is not exclude]
        for cache in sorted(idle, key=lambda cache: cache.slot.last_used):
            if self.n_free >= n_tokens:
                break
            if cache.slot.n_past:
                self._evict(cache)
        return self.n_free >= n_tokens

    def free_cells_for(self, slot: Slot, n_tokens: int) -> bool:
        """Free cells for ``slot``, preempting others if need be; false if ``slot`` itself was preempted."""
        while not self.free_cells(n_tokens):
            preempted = self.preempt_one()
            if preempted is None or preempted is slot:
                return preempted is None
        return True

    def admits(self, sequence: Sequence) -> bool:
        """Whether the prompt of ``sequence`` fits next to all tokens that the running requests hold."""
        busy = self._busy()
        if any(running.is_preempted and not running.is_paused for _, running in busy):
            return False  # preempted requests came before
        computing = [pair for pair in busy if not pair[1].is_preempted]
        return not computing or self._fits(computing, len(sequence.prompt))

    def preempt_one(self) -> Slot | None:
        """Evict the cells of the running request with the lowest priority; ``None`` if only one runs."""
        computing = [(slot, sequence) for slot, sequence in self._busy() if not sequence.is_preempted]
        if len(computing) < 2:
            return None
        slot, sequence = max(computing, key=lambda pair: _preemption_order(pair[1]))
        sequence.is_preempted = True
        self._evict(self._caches[slot.index])
        return slot

    def next_to_resume(self) -> Slot | None:
        """Free cells for the next preempted request that fits again, and return its slot."""
        busy = self._busy()
        preempted = [pair for pair in busy if pair[1].is_preempted and not pair[1].is_paused]
        if not preempted:
            return None
        slot, sequence = min(preempted, key=lambda pair: _preemption_order(pair[1]))
        computing = [pair for pair in busy if not pair[1].is_preempted]
        if computing and not self._fits(computing, slot.n_tokens):
            return None
        self.free_cells(slot.n_tokens)
        sequence.is_preempted = False
        return slot

    def _busy(self) -> list[tuple[Slot, Sequence]]:
        slots = (cache.slot for cache in self._caches)
        return [(slot, slot.sequence) for slot in slots if slot.sequence is not None]

    def _fits(self, others: abc.Sequence[tuple[Slot, Sequence]], n_tokens: int) -> bool:
        """Whether ``n_tokens`` fit next to the tokens of ``others``, with the margin."""
        n_claimed = sum(slot.n_tokens for slot, _ in others)
        return n_claimed + n_tokens + self._n_cells // _MARGIN <= self._n_cells


def _preemption_order(sequence: Sequence) -> tuple[bool, bool, float]:
    """Paused requests are preempted first, then background before interactive, then the latest."""
    is_background = sequence.task.priority is not Priority.INTERACTIVE
    return sequence.is_paused, is_background, sequence.accepted_at
