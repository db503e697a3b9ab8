"""Forced tokens at the beginning of an answer (``Replay``), and how many of them one step can decode."""

from __future__ import annotations

from collections import abc

import numpy as np

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import tr_noop
from fireside.core.task import Replay
from fireside.runner.decoder import Vocabulary
from fireside.runner.prompt.text_checks import check_text
from fireside.runner.slots import Slot
from fireside.runner.tokens import NO_TOKENS, Tokens


def replayed_tokens(replay: Replay | None, vocab: Vocabulary) -> Tokens:
    """Return the tokens that the answer is forced to begin with.

    Raises:
        InvalidParameter: there are none, and nothing else is to be generated.
        InvalidText: a text holds NUL or a lone surrogate.
    """
    if replay is None:
        return NO_TOKENS
    if replay.tokens:
        tokens = np.array(replay.tokens, np.int32)
        if int(tokens.min()) < 0:
            raise InvalidParameter(name="replay", reason=tr_noop("an image cannot be generated."))
    else:
        check_text(replay.text)
        tokens = (
            vocab.tokenize_special(replay.text) if replay.parse_special else vocab.tokenize_text(replay.text)
        )
    if replay.ends and not len(tokens):
        raise InvalidParameter(name="replay", reason=tr_noop("there is nothing in it."))
    return tokens


def forced_drafts(slots: abc.Sequence[Slot], *, n_available: int, n_each: int) -> dict[int, Tokens]:
    """Return for each of ``slots`` the forced tokens that can be decoded with its last one, by slot index.

    Args:
        n_available: tokens that the step has left for all of them.
        n_each: most tokens for one of them.
    """
    drafts: dict[int, Tokens] = {}
    for slot in slots:
        sequence = slot.sequence
        if sequence is None or not sequence.n_to_replay:
            continue
        n = min(n_each, n_available, sequence.n_to_replay, slot.n_ctx - slot.n_tokens)
        if n > 0:
            start = sequence.output.n_tokens
            drafts[slot.index] = sequence.replay[start : start + n]
            n_available -= n
    return drafts
