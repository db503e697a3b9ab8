"""Snapshots: the saved state of one sequence with its tokens, and how much of a prompt a state provides."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.runner.image_token_ids import whole_images
from fireside.runner.kv_memory import MemoryShape, State
from fireside.runner.prompt_cache.checkpoints import Checkpoints, positions_of
from fireside.runner.tokens import Tokens, common_prefix

COVERED_SHARE: Final = 0.95
"""A snapshot that shares this fraction of an older one's tokens replaces it."""


class StateMatch(msgspec.Struct, frozen=True, kw_only=True):
    """How much of a prompt a state holds, in tokens."""

    n_common: int = 0
    n_usable: int = 0
    """At most ``n_common``; less where the memory cannot be cut exactly there."""


class StateSnapshot(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The saved state of a sequence after ``tokens``, with checkpoints for going back to fewer."""

    tokens: Tokens
    owner: str | None
    variant: str
    """What else the state depends on per request: the scales of adapters."""
    state: State
    checkpoints: Checkpoints = ()

    @property
    def n_bytes(self) -> int:
        """Size in memory, checkpoints included."""
        states = sum(checkpoint.n_bytes for checkpoint in self.checkpoints)
        return int(self.tokens.nbytes) + int(self.state.nbytes) + states

    def match(self, prompt: Tokens, *, variant: str, shape: MemoryShape) -> StateMatch:
        """Return how much of ``prompt`` the snapshot can restore."""
        if variant != self.variant:
            return StateMatch()
        checkpoints = positions_of(self.checkpoints)
        return match_saved(self.tokens, prompt, shape=shape, checkpoints=checkpoints, variant=variant)

    def covers(self, other: Tokens, *, variant: str) -> bool:
        """Whether this snapshot makes a state of ``other`` superfluous."""
        return variant == self.variant and covers(self.tokens, other)


class Suspect(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """A sequence whose logits were not finite: any state it may have been restored from is invalid too."""

    cached: Tokens
    """The part of its prompt that came from a cache."""
    owner: str | None
    variant: str

    def covers(self, tokens: Tokens, *, variant: str, is_own: bool) -> bool:
        """Whether a state of ``tokens`` is suspect too: of the same owner, or holding all of ``cached``."""
        if variant != self.variant:
            return False
        return is_own or 0 < len(self.cached) == common_prefix(tokens, self.cached)

    def covers_snapshot(self, snapshot: StateSnapshot) -> bool:
        is_own = self.owner is not None and snapshot.owner == self.owner
        return self.covers(snapshot.tokens, variant=snapshot.variant, is_own=is_own)


def covers(tokens: Tokens, other: Tokens) -> bool:
    """Whether a state of ``tokens`` makes one of ``other`` superfluous."""
    return common_prefix(tokens, other) >= COVERED_SHARE * len(other)


def match_saved(
    tokens: Tokens, prompt: Tokens, *, shape: MemoryShape, checkpoints: tuple[int, ...], variant: str = ""
) -> StateMatch:
    """Return how much of ``prompt`` a saved state of ``tokens`` can restore.

    Of a sliding window llama.cpp saves only what the next token attends to.
    """
    first = shape.first_needed(len(tokens))
    return match_held(tokens, prompt, shape=shape, first=first, checkpoints=checkpoints, variant=variant)


def match_held(
    tokens: Tokens,
    prompt: Tokens,
    *,
    shape: MemoryShape,
    first: int,
    checkpoints: tuple[int, ...],
    variant: str = "",
) -> StateMatch:
    """Return how much of ``prompt`` a memory of ``tokens`` can keep, whose oldest position is ``first``."""
    n_common = whole_images(tokens, whole_units(common_prefix(tokens, prompt), variant=variant))
    n_usable = shape.reachable(n_common, n_held=len(tokens), first=first, checkpoints=checkpoints)
    return StateMatch(n_common=n_common, n_usable=n_usable)


# What a repeatable request may reuse, so that it gets the same answer whatever the caches hold.
#
# llama.cpp computes one token with other instructions than several, and adds up in an order that depends on
# how many there are; a close choice between two tokens then goes the other way. So a repeatable request reads
# its prompt in passes that end at multiples of ``UNIT``, the last of which begins at the same token each
# time, and reuses whole units that were read in the same way, by other repeatable requests: never an answer,
# whose tokens were computed one by one.


UNIT: Final = 16
"""In tokens. With it all tried ways to cut a prompt into passes gave the same numbers, bit for bit."""
_MARK: Final = "="


def variant_mark(*, is_repeatable: bool) -> str:
    """Return what distinguishes the variants of states that repeatable requests may reuse from the others."""
    return _MARK if is_repeatable else ""


def is_repeatable(variant: str) -> bool:
    """Whether states of this variant are those of repeatable requests."""
    return variant.startswith(_MARK)


def whole_units(n_tokens: int, *, variant: str) -> int:
    """Return how many of ``n_tokens`` at the beginning may be reused in this variant."""
    return n_tokens // UNIT * UNIT if is_repeatable(variant) else n_tokens
