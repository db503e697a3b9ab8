"""Explain cache misses: why tokens that were evaluated before had to be evaluated again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import msgspec

from fireside.core.generation import CacheMiss
from fireside.runner.tokens import Tokens, common_prefix

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
