"""Draft with a smaller model of the same vocabulary, for all sequences in one batch."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol

import numpy as np
import numpy.typing as npt

from fireside.runner.decoder import Batch, BatchT, DecodedPart, DecodeResult, DraftRequest
from fireside.runner.sampling.shortlist import Blocks
from fireside.runner.tokens import NO_TOKENS, Tokens, common_prefix

MIN_PROBABILITY: Final = 0.75
"""A draft ends before the first token with a probability below this."""
N_READ: Final = 128
"""Most prompt tokens that the draft model evaluates in one step; the streams wait meanwhile."""
N_CATCH_UP: Final = 32
"""Most pending tokens that it evaluates and drafts after in the same step."""
_REACH: Final = 10.0
"""Nats below the best logit; tokens beyond it contribute one part in twenty thousand each."""


class DraftContext(Protocol[BatchT]):
    """The draft model's context. Sizes in tokens; ``n_ctx`` is that of one sequence."""

    n_ctx: int
    n_seq_max: int

    def decode(self, batch: BatchT) -> DecodeResult: ...
    def logits(self, index: int) -> npt.NDArray[np.float32]: ...
    def remove_from(self, sequence: int, position: int) -> bool: ...
    def clear(self, sequence: int) -> None: ...


class _DraftSequence:
    """One slot's sequence in the draft model: ``tokens[:n_held]`` are in its KV cache."""

    def __init__(self, n_ctx: int) -> None:
        self.tokens = np.zeros(n_ctx, np.int32)
        self.n_held = 0

    @property
    def held(self) -> Tokens:
        return self.tokens[: self.n_held]

    def hold(self, tokens: Tokens) -> None:
        self.tokens[self.n_held : self.n_held + len(tokens)] = tokens
        self.n_held += len(tokens)


class _Draft:
    """One draft while it grows."""

    def __init__(self, request: DraftRequest) -> None:
        self.slot = request.slot
        self.n_max = request.n_max
        self.index = -1
        self.tokens: list[int] = []


class DraftModel(Generic[BatchT]):
    """A drafter with a context of its own, whose sequences have the slot indices of the main model.

    Args:
        context: the draft model's.
        make_batch: called once with the largest number of tokens in a step.
        n_vocab: size of the draft model's vocabulary.
    """

    is_free = False

    def __init__(
        self,
        *,
        context: DraftContext[BatchT],
        make_batch: Callable[[int], BatchT],
        n_batch: int,
        n_vocab: int,
    ) -> None:
        self._context = context
        self._n_batch = n_batch
        self._batch = make_batch(n_batch)
        self._n_vocab = n_vocab
        self._sequences = [_DraftSequence(context.n_ctx) for _ in range(context.n_seq_max)]

    def follow(self, parts: Sequence[DecodedPart]) -> None:
        """Needs nothing of it: the draft model reads the text itself."""

    def draft(self, requests: Sequence[DraftRequest]) -> list[Tokens | None]:
        """Return a draft for each of ``requests``; ``None`` for a text that is still being evaluated."""
        batch: Batch = self._batch
        batch.clear()
        n_available = self._n_batch
        drafts: list[_Draft | None] = []
        n_read = N_READ
        for request in requests:
            pending = self._pending(request)
            draft = _Draft(request)
            if len(pending) == 0:
                draft.n_max = 0
            elif len(pending) <= min(N_CATCH_UP, n_available):
                draft.index = self._add(request.slot, pending, wants_logits=True)
                n_available -= len(pending)
            else:
                part = pending[: min(n_read, n_available, len(pending) - 1)]
                if len(part):
                    self._add(request.slot, part, wants_logits=False)
                n_read -= len(part)
                n_available -= len(part)
                drafts.append(None)
                continue
            drafts.append(draft)
        if n_available < self._n_batch and not self._extend_all(
            [draft for draft in drafts if draft is not None]
        ):
            self._clear(requests)
            return [None for _ in requests]
        return [None if draft is None else np.array(draft.tokens, np.int32) for draft in drafts]

    def _pending(self, request: DraftRequest) -> Tokens:
        """Trim the cache to the prefix of ``request``; return what it lacks, empty if it cannot be read."""
        sequence = self._sequences[request.slot]
        tokens = request.tokens
        if len(tokens) + request.n_max > len(sequence.tokens):
            return NO_TOKENS
        # The last token is always evaluated, for its logits.
        n_kept = common_prefix(sequence.held, tokens[:-1])
        pending = tokens[n_kept:]
        if int(pending.min()) < 0 or int(pending.max()) >= self._n_vocab:
            return NO_TOKENS
        if n_kept < sequence.n_held:
            if not self._context.remove_from(request.slot, n_kept):
                self._context.clear(request.slot)
                n_kept = 0
            sequence.n_held = n_kept
        return tokens[sequence.n_held :]

    def _add(self, slot: int, tokens: Tokens, *, wants_logits: bool) -> int:
        sequence = self._sequences[slot]
        index = self._batch.add(tokens, sequence=slot, position=sequence.n_held, wants_logits=wants_logits)
        sequence.hold(tokens)
        return index

    def _extend_all(self, drafts: list[_Draft]) -> bool:
        """Decode the batch, then one token after the other of all ``drafts`` together; false on failure."""
        active = [draft for draft in drafts if draft.n_max > 0]
        while True:
            if self._context.decode(self._batch) is not DecodeResult.DONE:
                return False
            self._batch.clear()
            active = [draft for draft in active if self._extend(draft)]
            if not active:
                return True

    def _extend(self, draft: _Draft) -> bool:
        """Add the likeliest token if it is likely enough; return whether it was batched to draft another."""
        token = likeliest(self._context.logits(draft.index))
        if token is None:
            return False
        draft.tokens.append(token)
        if len(draft.tokens) == draft.n_max:
            return False
        draft.index = self._add(draft.slot, np.array([token], np.int32), wants_logits=True)
        return True

    def _clear(self, requests: Sequence[DraftRequest]) -> None:
        for request in requests:
            self._context.clear(request.slot)
            self._sequences[request.slot].n_held = 0


def likeliest(logits: npt.NDArray[np.float32], *, at_least: float = MIN_PROBABILITY) -> int | None:
    """Return the likeliest token; ``None`` if its probability is below ``at_least``."""
    blocks = Blocks(logits)
    peaks = blocks.peaks
    best = peaks.max()
    # Its probability is the inverse of the sum of all, each relative to it.
    relative = np.exp(peaks - best)
    if not float(relative.sum()) * at_least <= 1:
        return None
    # Of blocks whose best token is out of reach, only that one counts.
    is_near = peaks > best - _REACH
    ids = blocks.ids(is_near)
    near = logits.take(ids)
    total = float(np.exp(near - best).sum()) + float(relative[~is_near].sum())
    return int(ids[near.argmax()]) if total * at_least <= 1 else None
