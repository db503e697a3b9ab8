"""Draft with the model's own heads for multi-token prediction (MTP), for all sequences in one batch.

A head reads a token together with the state that the model had before it, and predicts the token after. It
has a KV cache of its own. So it follows all that the model computes: states wait until a draft is wanted, or
until they are enough for a batch. What was not followed (images, a cache read from the disk, a context shift)
the heads do not see: they begin anew behind it, and only their drafts are worse.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Generic, Protocol, TypeVar

import numpy as np
import numpy.typing as npt

from fireside.runner.decoder import Batch, DecodedPart, DecodeResult, DraftRequest
from fireside.runner.speculation.draft_model import N_CATCH_UP, DraftContext, likeliest
from fireside.runner.tokens import NO_TOKENS, Tokens, common_prefix

MIN_PROBABILITY: Final = 0.5
"""A draft ends before the first token with a probability below this; lower than with a draft model, whose
steps take longer."""
N_READ: Final = 128
"""Waiting tokens after which they are read."""

States = npt.NDArray[np.float32]
"""Hidden states, [tokens, embedding width], or one of them."""


class BatchWithStates(Batch, Protocol):
    """Tokens of one step, each with the state before it."""

    def add_with_states(
        self, tokens: Tokens, states: States, *, sequence: int, position: int, wants_logits: bool
    ) -> int:
        """Append tokens of one sequence, the first at ``position``; return the batch index of the last."""
        ...


StateBatchT = TypeVar("StateBatchT", bound=BatchWithStates, contravariant=True)


class HeadDecoder(DraftContext[StateBatchT], Protocol[StateBatchT]):
    """The context of the heads."""

    n_batch: int
    n_embd: int
    """Width of a state."""
    n_heads: int
    """Heads that predict in turn, one for each token of a draft; 1 for a head that predicts them all."""

    def state(self, index: int) -> States:
        """Return the state after the token at ``index`` of the last batch, which needs logits there."""
        ...

    def select_head(self, head: int) -> None:
        """Have the next steps run this head."""
        ...


class _Sequence:
    """What is known of one slot: ``tokens[:n_known]``, of which ``n_held`` are in the heads' cache.

    ``states[i]`` is the state before the token at ``n_held + i``.
    """

    def __init__(self, *, n_ctx: int, n_embd: int) -> None:
        self.tokens = np.zeros(n_ctx + 1, np.int32)
        self.states = np.zeros((2 * N_READ + 1, n_embd), np.float32)
        self.n_held = 0
        self.n_known = 0
        self.n_cells = 0
        """Positions that have cells, with those of the last draft."""

    @property
    def n_waiting(self) -> int:
        return self.n_known - self.n_held

    def restart(self, before: Tokens) -> None:
        """Know ``before`` without having seen it."""
        self.n_held = self.n_known = len(before)
        self.tokens[: self.n_known] = before
        self.states[0] = 0

    def truncate(self, n: int) -> None:
        """Forget the tokens from ``n`` on."""
        self.n_known = n
        if n < self.n_held:
            self.n_held = n
            self.states[0] = 0  # the state before it is gone

    def hold(self, n: int) -> None:
        """Count the first ``n`` waiting tokens as read."""
        self.n_held += n
        n_left = self.n_waiting + 1
        self.states[:n_left] = self.states[n : n + n_left]


class _Draft:
    """One draft while it grows, with the states behind its tokens."""

    def __init__(self, request: DraftRequest) -> None:
        self.slot = request.slot
        self.n_max = request.n_max
        self.index = -1
        self.tokens: list[int] = []
        self.states: list[States] = []


class PredictionHeads(Generic[StateBatchT]):
    """A drafter over the heads of the model, whose sequences have the slot indices of the model.

    Args:
        states: returns the states after so many tokens, which are all of the model's last batch.
        make_batch: called once with the largest number of tokens in a step.
    """

    is_free = False

    def __init__(
        self,
        *,
        context: HeadDecoder[StateBatchT],
        states: Callable[[int], States],
        make_batch: Callable[[int], StateBatchT],
    ) -> None:
        self._context = context
        self._states = states
        self._batch = make_batch(context.n_batch)
        self._sequences: dict[int, _Sequence] = {}

    # Following the model

    def follow(self, parts: Sequence[DecodedPart]) -> None:
        """Take in the tokens of the model's last batch, in their order, with the states behind them."""
        states = self._states(sum(len(part.tokens) for part in parts))
        at = 0
        for part in parts:
            self._follow(part, states[at : at + len(part.tokens)])
            at += len(part.tokens)

    def _follow(self, part: DecodedPart, states: States) -> None:
        sequence = self._sequence(part.slot)
        start = len(part.before)
        if common_prefix(sequence.tokens[: sequence.n_known], part.before) < start:
            self._clear(part.slot)
            sequence.restart(part.before)
        n = start + common_prefix(sequence.tokens[start : sequence.n_known], part.tokens)
        sequence.truncate(n)
        if n > start:
            sequence.states[sequence.n_waiting] = states[n - start - 1]
        while n < start + len(part.tokens):
            part_end = min(start + len(part.tokens), n + N_READ)
            sequence.tokens[n:part_end] = part.tokens[n - start : part_end - start]
            first = sequence.n_waiting + 1
            sequence.states[first : first + part_end - n] = states[n - start : part_end - start]
            sequence.n_known = n = part_end
            if sequence.n_waiting > N_READ and not self._read(part.slot, N_READ):
                return

    def _sequence(self, slot: int) -> _Sequence:
        if slot not in self._sequences:
            self._sequences[slot] = _Sequence(n_ctx=self._context.n_ctx, n_embd=self._context.n_embd)
        return self._sequences[slot]

    def _read(self, slot: int, n: int) -> bool:
        """Read the first ``n`` waiting tokens with every head; false if that failed."""
        sequence = self._sequences[slot]
        while n > 0:
            n_now = min(n, self._context.n_batch)
            for head in range(self._context.n_heads):
                self._batch.clear()
                self._add_waiting(slot, n_now, wants_logits=False)
                if not self._decode(head, slots=(slot,)):
                    return False
            sequence.hold(n_now)
            n -= n_now
        return True

    def _add_waiting(self, slot: int, n: int, *, wants_logits: bool) -> int:
        """Add the first ``n`` waiting tokens to the batch; return the index of the last."""
        sequence = self._sequences[slot]
        at = sequence.n_held
        return self._add(slot, sequence.tokens[at : at + n], sequence.states[:n], at=at, wants=wants_logits)

    def _add(self, slot: int, tokens: Tokens, states: States, *, at: int, wants: bool) -> int:
        sequence = self._sequences[slot]
        if sequence.n_cells > at and not self._context.remove_from(slot, at):
            self._context.clear(slot)
        sequence.n_cells = at + len(tokens)
        return self._batch.add_with_states(tokens, states, sequence=slot, position=at, wants_logits=wants)

    def _decode(self, head: int, *, slots: Sequence[int]) -> bool:
        """Compute the batch with ``head``; without space, once more without the cells of other slots."""
        if self._context.n_heads > 1:
            self._context.select_head(head)
        if self._context.decode(self._batch) is DecodeResult.DONE:
            return True
        for slot in set(self._sequences).difference(slots):
            self._clear(slot)
        if self._context.decode(self._batch) is DecodeResult.DONE:
            return True
        for slot in slots:
            self._clear(slot)
        return False

    def _clear(self, slot: int) -> None:
        sequence = self._sequences[slot]
        if sequence.n_cells:
            self._context.clear(slot)
        sequence.n_cells = 0
        sequence.restart(NO_TOKENS)

    # Drafting

    def draft(self, requests: Sequence[DraftRequest]) -> list[Tokens | None]:
        """Return a draft for each of ``requests``; ``None`` for a text that is still being read."""
        drafts = [self._begin(request) for request in requests]
        growing = [draft for draft in drafts if draft is not None and draft.n_max > 0]
        n = 0
        while growing:
            self._batch.clear()
            for draft in growing:
                draft.index = self._add_next(draft)
            if not self._decode(n, slots=[draft.slot for draft in growing]):
                break
            if n == 0 and self._context.n_heads == 1:
                for draft in growing:
                    self._sequences[draft.slot].hold(self._sequences[draft.slot].n_waiting)
            growing = [draft for draft in growing if self._extend(draft)]
            n += 1
        return [None if draft is None else np.array(draft.tokens, np.int32) for draft in drafts]

    def _begin(self, request: DraftRequest) -> _Draft | None:
        sequence, n = self._sequence(request.slot), len(request.tokens)
        draft = _Draft(request)
        if common_prefix(sequence.tokens[: sequence.n_known], request.tokens[:-1]) < n - 1:
            draft.n_max = 0
            return draft
        draft.n_max = min(draft.n_max, self._context.n_ctx - n)
        if self._context.n_heads > 1:
            draft.n_max = min(draft.n_max, self._context.n_heads)
        sequence.truncate(n - 1)
        sequence.tokens[n - 1] = request.tokens[-1]
        sequence.n_known = n
        is_late = sequence.n_waiting > N_CATCH_UP
        if (is_late or self._context.n_heads > 1) and not self._read(request.slot, sequence.n_waiting - 1):
            draft.n_max = 0
        return None if is_late else draft

    def _add_next(self, draft: _Draft) -> int:
        """Add what the next token of ``draft`` is predicted from; return the index of its last token."""
        sequence = self._sequences[draft.slot]
        n_held = sequence.n_held
        if not draft.tokens:
            return self._add_waiting(draft.slot, sequence.n_waiting, wants_logits=True)
        if self._context.n_heads > 1:
            # Each head has a layer of its own in the cache: it reads the draft from its beginning.
            tokens = np.array([sequence.tokens[n_held], *draft.tokens], np.int32)
            states = np.stack([sequence.states[0], *draft.states])
            return self._add(draft.slot, tokens, states, at=n_held, wants=True)
        tokens, states = np.array(draft.tokens[-1:], np.int32), draft.states[-1][np.newaxis]
        return self._add(draft.slot, tokens, states, at=n_held + len(draft.tokens) - 1, wants=True)

    def _extend(self, draft: _Draft) -> bool:
        """Add the likeliest token if it is likely enough; return whether another one is wanted."""
        token = likeliest(self._context.logits(draft.index), at_least=MIN_PROBABILITY)
        if token is None:
            return False
        draft.tokens.append(token)
        draft.states.append(self._context.state(draft.index).copy())
        return len(draft.tokens) < draft.n_max
