"""The sampler of one request."""

from __future__ import annotations

import math
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

import numpy as np

from fireside.core.errors import ConstraintInvalid, ModelOutputInvalid
from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.core.task import Constraint
from fireside.runner.decoder import SampledToken
from fireside.runner.sampling.candidate_array import Candidates
from fireside.runner.sampling.constraint import ConstraintMatcher, advance_past
from fireside.runner.sampling.penalties import Adjustments
from fireside.runner.sampling.sampler_chain import NativeChain
from fireside.runner.sampling.shortlist import Ids, Logits, Shortlist, tokens_in_reach, top_tokens
from fireside.runner.tokens import Tokens


class LogitsSource(Protocol):
    def logits(self, index: int) -> Logits:
        """Return a writable view of the logits at ``index`` of the last batch."""
        ...


@dataclass(frozen=True, kw_only=True)
class SamplerShared:
    """What all samplers of one model share. The buffers are refilled for each token."""

    source: LogitsSource
    candidates: Candidates
    logprobs: LogprobReader
    make_matcher: Callable[[Constraint, bool], ConstraintMatcher]
    """Returns the matcher of a constraint without blocking. Raises ``NotReady``, ``ConstraintInvalid``."""
    end_tokens: Ids


class TokenSampler:
    """A ``Sampler`` with biases, penalties, a constraint and a native chain, or greedy. Call ``close``.

    Args:
        chain: owned by the sampler; ``None`` samples greedily.
        n_top: number of best tokens that suffice for the chain; 0 if it needs all.
        masks_before_sampling: apply the constraint before sampling, because sampling changes the chain's
            state.
        n_logprobs: number of likeliest tokens to report; ``None`` for no probabilities.
    """

    def __init__(
        self,
        shared: SamplerShared,
        *,
        adjustments: Adjustments,
        chain: NativeChain | None,
        n_top: int,
        masks_before_sampling: bool,
        n_logprobs: int | None,
    ) -> None:
        self._shared = shared
        self._adjustments = adjustments
        self._chain = chain
        self._n_top = n_top
        self._masks_before_sampling = masks_before_sampling
        self._n_logprobs = n_logprobs
        self._forced: deque[int] = deque()
        self._matcher: ConstraintMatcher | None = None
        self._alternatives: dict[int, Tokens] = {}
        """Alternatives to the first constrained token: the rest of each, by its first token."""

    def sample(self, index: int) -> SampledToken:
        """Sample the next token from the logits at ``index`` of the last batch.

        Raises:
            ModelOutputInvalid: the logits are not finite.
            ConstraintInvalid: the constraint, which ends the answer, became too complex to follow.
        """
        logits = self._shared.source.logits(index)
        token = self._pop_forced() if self._forced else self._choose(logits)
        self._adjustments.accept(token)
        if self._chain is not None and self._chain.needs_history:
            self._chain.accept(token)
        if self._n_logprobs is None:
            return SampledToken(token)
        return SampledToken(token, self._shared.logprobs.read(logits, token=token, n_top=self._n_logprobs))

    def force(self, tokens: Tokens) -> None:
        """Make the next calls of ``sample`` return ``tokens``. A constraint that they violate is dropped."""
        self._forced.extend(map(int, tokens))

    def constrain(
        self, constraint: Constraint, *, prefix: str, ends_answer: bool, alternatives: Sequence[Tokens] = ()
    ) -> bool:
        """Constrain the following tokens to ``constraint``, of which ``prefix`` is written.

        The next token may start one of ``alternatives`` instead, which lifts the constraint. If ``prefix``
        violates it, the answer continues unconstrained, the log says so, and false is returned.

        Raises:
            NotReady: it is being compiled; nothing has changed.
            ConstraintInvalid: it cannot be compiled. One that does not end the answer is ignored instead: it
                only helps to get a part right.
        """
        try:
            matcher = self._shared.make_matcher(constraint, ends_answer)
        except ConstraintInvalid as exc:
            if ends_answer:
                raise
            self._matcher = None
            sys.stderr.write(f"A constraint was dropped: {exc.sentence()}\n")
        else:
            self._matcher = advance_past(matcher, prefix)
            self._alternatives = (
                {} if prefix else {int(tokens[0]): tokens[1:] for tokens in alternatives if len(tokens)}
            )
        return self._matcher is not None

    def close(self) -> None:
        if self._chain is not None:
            self._chain.close()
            self._chain = None

    def _pop_forced(self) -> int:
        token = self._forced.popleft()
        self._alternatives = {}
        if self._matcher is not None and not self._matcher.consume(token):
            self._matcher = None
        return token

    def _choose(self, logits: Logits) -> int:
        matcher = self._matcher
        try:
            if matcher is not None and matcher.is_complete:
                if matcher.ends_answer:
                    ends = self._shared.end_tokens
                    return int(ends[logits[ends].argmax()])
                self._matcher = matcher = None
            return self._choose_with(matcher, logits)
        except ConstraintInvalid as exc:
            if matcher is None or matcher.ends_answer:
                raise
            self._matcher = None
            sys.stderr.write(f"A constraint was dropped: {exc.sentence()}\n")
            return self._choose_with(None, logits)

    def _choose_with(self, matcher: ConstraintMatcher | None, logits: Logits) -> int:
        self._adjustments.apply(logits)
        try:
            return (
                self._pick(logits, among=None) if matcher is None else self._pick_constrained(logits, matcher)
            )
        finally:
            self._adjustments.undo(logits)

    def _pick_constrained(self, logits: Logits, matcher: ConstraintMatcher) -> int:
        """Sample a token that ``matcher`` allows, and advance it.

        Most sampled tokens are allowed, and checking one is far cheaper than computing the mask: so a token
        is sampled freely first, and among the allowed ones only if it is refused. If the chain cuts nothing
        off, the result has exactly the distribution of the allowed tokens; else tokens are cut before or
        after the constraint, as everywhere in llama.cpp.
        """
        alternatives, self._alternatives = self._alternatives, {}
        if not self._masks_before_sampling:
            token = self._pick(logits, among=None)
            if matcher.consume(token):
                return token
            if token in alternatives or (matcher.is_fulfilled and not matcher.ends_answer):
                return self._release(token, alternatives)
        allowed = matcher.allowed()
        token = self._pick(logits, among=np.union1d(allowed, list(alternatives)) if alternatives else allowed)
        if not matcher.consume(token):
            return self._release(token, alternatives)
        return token

    def _release(self, token: int, alternatives: Mapping[int, Tokens]) -> int:
        self._matcher = None
        self._forced.extend(map(int, alternatives.get(token, ())))
        return token

    def _pick(self, logits: Logits, *, among: Ids | None) -> int:
        if self._chain is None:
            return _best(logits, among=among)
        short = tokens_in_reach(logits, among=among, n_top=self._n_top)
        if short is None:
            raise ModelOutputInvalid
        n = len(short.ids)
        if n < (1 if self._chain.needs_history else 2):
            return int(short.ids[0]) if n else _best(logits, among=among)
        self._shared.candidates.fill(short)
        return self._chain.choose(self._shared.candidates)


def _best(logits: Logits, *, among: Ids | None) -> int:
    """Return the best token, the first among equals, as llama.cpp's greedy sampler does."""
    token = int(logits.argmax()) if among is None else int(among[logits[among].argmax()])
    if math.isnan(logits[token]) or logits[token] == math.inf:
        raise ModelOutputInvalid
    return token


# Log probabilities of tokens, from the logits before any bias, penalty, constraint or sampler


_IMPOSSIBLE: Final = -9999.0
"""In place of the logarithm of zero, which JSON cannot represent."""
_SAFE: Final = 50.0
"""Up to this absolute value of the best logit the sum of exponentials has a float's full precision."""


class LogprobReader:
    """Computes log probabilities from logits. Shared by all samplers: it owns a buffer of vocabulary size.

    Args:
        piece: returns the bytes of a token.
        token_bytes: returns the name of a token without bytes, such as a control token.
    """

    def __init__(
        self, *, n_vocab: int, piece: Callable[[int], bytes], token_bytes: Callable[[int], bytes]
    ) -> None:
        self._scratch = np.empty(n_vocab, np.float32)
        self._piece = piece
        self._token_bytes = token_bytes

    def read(self, logits: Logits, *, token: int, n_top: int) -> TokenLogprobs:
        """Return the natural log probabilities of ``token`` and of the ``n_top`` likeliest tokens."""
        short = top_tokens(logits, max(1, n_top)) or Shortlist(np.arange(len(logits)), logits)
        log_sum = self._log_sum(logits, highest=float(short.logits.max()))

        def probability(token: int, text: bytes) -> TokenProbability:
            logprob = float(logits[token]) - log_sum
            return TokenProbability(token, text, max(logprob, _IMPOSSIBLE))

        # The sampled token is reported with its part of the answer, which is empty for a control token.
        return TokenLogprobs(
            probability(token, self._piece(token)),
            tuple(
                probability(candidate, self._piece(candidate) or self._token_bytes(candidate))
                for candidate in _likeliest(short, n_top)
            ),
        )

    def _log_sum(self, logits: Logits, *, highest: float) -> float:
        shift = 0.0 if abs(highest) <= _SAFE else highest
        shifted = np.subtract(logits, np.float32(shift), out=self._scratch) if shift else logits
        np.exp(shifted, out=self._scratch)
        return shift + math.log(float(self._scratch.sum()))


def _likeliest(short: Shortlist, n: int) -> list[int]:
    """Return the ``n`` best tokens, best first; among equals the lower id."""
    order = np.lexsort((short.ids, -short.logits))
    return [int(token) for token in short.ids[order[:n]]]
