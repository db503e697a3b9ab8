"""Say why tokens that were read before are read again."""

from __future__ import annotations

from collections import OrderedDict
from typing import Final

import msgspec

from fireside.core.generation import CacheMiss
from fireside.runner.tokens import Tokens, common_prefix

_NOISE: Final = 16
"""So few tokens are not worth a word: a template may write the end of an answer otherwise than the model."""
_NEAR: Final = 0.05
"""A checkpoint is near if less than this part has to be read again."""
_MAX_OWNERS: Final = 512
_MAX_BYTES: Final = 16 << 20


class LastRead(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """What was read and written for an owner the last time."""

    tokens: Tokens
    n_prompt: int
    """The rest of ``tokens`` is the answer."""
    n_reasoning: int = 0
    """Tokens of reasoning in that answer."""
    is_bad: bool = False
    """Whether it led to no numbers, and was dropped."""


class Circumstances(msgspec.Struct, frozen=True, kw_only=True):
    """What else is known where a prompt has found less in the caches than was read before."""

    n_common: int = 0
    """Tokens of the prompt that some cache holds, whether it can go back there or not."""
    turns_dropped: bool = False
    damaged: bool = False
    other_options: bool = False
    other_model: bool = False


def explain(
    last: LastRead | None, prompt: Tokens, *, n_used: int, circumstances: Circumstances
) -> CacheMiss | None:
    """Return why not more than ``n_used`` tokens of ``prompt`` came from a cache; ``None`` if all is well.

    What was lost from the caches counts before what has changed in the conversation.
    """
    n_known = 0 if last is None else common_prefix(last.tokens, prompt)
    n_expected = max(n_known, circumstances.n_common)
    if n_expected - n_used > max(_NOISE, n_expected * _NEAR):
        return _lost(n_used, circumstances) or CacheMiss.EVICTED
    if last is None:
        # Read by another runner, if at all; only what that one left behind tells.
        return _lost(n_used, circumstances) if n_used <= _NOISE else None
    if len(last.tokens) - n_known > _NOISE and len(prompt) - n_known > 1:
        return _changed(last, n_known, circumstances)
    return None


def _lost(n_used: int, circumstances: Circumstances) -> CacheMiss | None:
    if circumstances.damaged:
        return CacheMiss.DAMAGED
    if circumstances.n_common - n_used > _NOISE:
        return CacheMiss.WINDOW_PASSED
    if circumstances.other_options:
        return CacheMiss.OPTIONS_CHANGED
    if circumstances.other_model:
        return CacheMiss.OTHER_MODEL
    return None


def _changed(last: LastRead, n_known: int, circumstances: Circumstances) -> CacheMiss:
    if circumstances.turns_dropped:
        return CacheMiss.TURNS_DROPPED
    if last.n_reasoning and n_known >= last.n_prompt - _NOISE:
        return CacheMiss.REASONING_DROPPED
    return CacheMiss.EDITED


class Owners:
    """What was last read for each owner, within a budget; what was used longest ago is forgotten."""

    def __init__(self) -> None:
        self._last: OrderedDict[str, LastRead] = OrderedDict()
        self._n_bytes = 0

    def last(self, owner: str) -> LastRead | None:
        """Return what was last read for ``owner``."""
        read = self._last.get(owner)
        if read is not None:
            self._last.move_to_end(owner)
        return read

    def note(self, owner: str, read: LastRead) -> None:
        """Remember what was read for ``owner``."""
        replaced = self._last.pop(owner, None)
        self._n_bytes += read.tokens.nbytes - (0 if replaced is None else replaced.tokens.nbytes)
        self._last[owner] = read
        while len(self._last) > _MAX_OWNERS or self._n_bytes > _MAX_BYTES:
            _, oldest = self._last.popitem(last=False)
            self._n_bytes -= oldest.tokens.nbytes
