"""The samplers of one model, and how they are made; constraints are compiled in other threads."""

from __future__ import annotations

import ctypes
import math
import subprocess
import sys
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec
import numpy as np
from llama_cpp.llama_cpp import _lib

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ConstraintInvalid, ModelOutputInvalid
from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.core.i18n import tr_noop
from fireside.core.task import Constraint
from fireside.runner.decoder import SampledToken, SamplerRequest
from fireside.runner.native import lib
from fireside.runner.sampling.candidate_array import Candidates
from fireside.runner.sampling.constraint import ConstraintMatcher, advance_past
from fireside.runner.sampling.grammar_limits import kind_of
from fireside.runner.sampling.grammar_preparation import GrammarCompiler, GrammarPreparation
from fireside.runner.sampling.penalties import Adjustments
from fireside.runner.sampling.sampler_chain import (
    MIN_TEMPERATURE,
    NativeChain,
    applies_penalties_first,
    chain_kinds,
    n_top,
)
from fireside.runner.sampling.sampling_checks import check_sampling, check_token_ids
from fireside.runner.sampling.shortlist import Ids, Logits, Shortlist, tokens_in_reach, top_tokens
from fireside.runner.tokens import Tokens
from fireside.wire.runner_modes import CHECK_CONSTRAINT, ConstraintCheckReply, ConstraintCheckRequest

if TYPE_CHECKING:
    from llguidance import LLTokenizer

# The sampler of one request.


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


class SamplingVocabulary(Protocol):
    """What samplers need of a model's vocabulary."""

    n_tokens: int

    @property
    def handle(self) -> Any:
        """Handle of llama.cpp's vocabulary."""
        ...

    @property
    def end_tokens(self) -> tuple[int, ...]:
        """The end-of-generation tokens."""
        ...

    def piece(self, token: int) -> bytes: ...
    def token_bytes(self, token: int) -> bytes: ...


class SamplerFactory:
    """Makes samplers. Everything except compiling constraints runs in the decoding thread.

    Args:
        source: provides the logits.
        n_ctx: context of one sequence in tokens.
    """

    def __init__(self, *, source: LogitsSource, vocab: SamplingVocabulary, n_ctx: int) -> None:
        self._vocab = vocab
        self._n_ctx = n_ctx
        n_vocab = vocab.n_tokens
        self._end_tokens = np.array(vocab.end_tokens, np.int64)
        self._preparation = GrammarPreparation(self._build_compiler, dry_run=dry_run_grammar)
        self._shared = SamplerShared(
            source=source,
            candidates=Candidates(n_vocab),
            logprobs=LogprobReader(n_vocab=n_vocab, piece=vocab.piece, token_bytes=vocab.token_bytes),
            make_matcher=self._preparation.matcher,
            end_tokens=self._end_tokens,
        )

    def __call__(self, request: SamplerRequest) -> TokenSampler:
        """Return a sampler.

        Raises:
            NotReady: constraints are being compiled; call again.
            InvalidParameter, ConstraintInvalid: invalid sampling parameters or constraint.
        """
        params = request.params
        check_sampling(params)
        check_token_ids(params, n_vocab=self._vocab.n_tokens)
        self._preparation.prepare(request.constraints)
        self._preparation.start_compiling(request.likely)
        may_not_end = params.ignore_eos or params.min_tokens > 0
        return TokenSampler(
            self._shared,
            adjustments=Adjustments(
                params,
                prompt=request.prompt,
                penalises=applies_penalties_first(params),
                forbidden=(*map(int, self._end_tokens), *params.stop_tokens) if may_not_end else (),
                n_forbidden=None if params.ignore_eos else params.min_tokens,
            ),
            chain=self._chain(request),
            n_top=n_top(params),
            masks_before_sampling=params.mirostat != 0,
            n_logprobs=params.top_logprobs,
        )

    def _chain(self, request: SamplerRequest) -> NativeChain | None:
        params = request.params
        if params.temperature < MIN_TEMPERATURE and not chain_kinds(params):
            return None
        vocab = self._vocab
        chain = NativeChain(
            params, seed=request.seed, vocab=vocab.handle, n_vocab=vocab.n_tokens, n_ctx=self._n_ctx
        )
        if chain.needs_history:
            for token in request.prompt[-self._n_ctx :]:
                chain.accept(int(token))
        return chain

    def _build_compiler(self) -> GrammarCompiler:
        vocab = self._vocab
        table = build_table(vocab.handle, token_bytes=vocab.token_bytes, end_tokens=self._end_tokens.tolist())
        return GrammarCompiler(table)


# llguidance's tokenizer table for a vocabulary: every token's bytes, and which tokens are special


_SPECIAL_MARK: Final = b"\xff"
"""Prefix for special tokens: the bytes are the token's name, not text."""

_ATTRIBUTE_UNKNOWN: Final = 1
_ATTRIBUTE_UNUSED: Final = 2
_ATTRIBUTE_CONTROL: Final = 8
_ATTRIBUTE_USER_DEFINED: Final = 16


def build_table(vocab: Any, *, token_bytes: Callable[[int], bytes], end_tokens: list[int]) -> LLTokenizer:
    """Return the table of llama.cpp's ``vocab``. Takes 0.2 to 1 s, mostly without the interpreter lock.

    Args:
        token_bytes: returns the bytes of a token, or the name of a control token.
        end_tokens: the end-of-generation tokens, at least one.
    """
    # Imported only by runners that use constraints.
    from llguidance import LLTokenizer

    n_tokens = int(lib.llama_vocab_n_tokens(vocab))
    return LLTokenizer.from_llamacpp(  # type: ignore[attr-defined, no-any-return]  # missing from its stubs
        tokens=[_marked_bytes(vocab, token, token_bytes(token)) for token in range(n_tokens)],
        vocab_ptr=vocab,
        tokenize_fptr=ctypes.cast(_lib.llama_tokenize, ctypes.c_void_p).value,
        eos_token=end_tokens,
        slices=None,
    )


def _marked_bytes(vocab: Any, token: int, piece: bytes) -> bytes:
    """Return ``piece``, the bytes of ``token``, with a prefix if it is special."""
    attribute = lib.llama_vocab_get_attr(vocab, token)
    special = attribute & (_ATTRIBUTE_UNKNOWN | _ATTRIBUTE_UNUSED | _ATTRIBUTE_CONTROL) or (
        attribute & _ATTRIBUTE_USER_DEFINED and piece.startswith(b"<") and piece.endswith(b">")
    )
    return _SPECIAL_MARK + piece if special and piece else piece


# Compile a constraint in a separate process first, where a crash or a hang does no harm.
#
# No static check finds all inputs on which a compiler recurses too deep or does not terminate; this does.


LIMIT_S: Final = 5.0


def dry_run_grammar(constraint: Constraint, *, limit_s: float = LIMIT_S) -> None:
    """Compile ``constraint`` in a child process and wait for it. Thread-safe.

    Raises:
        ConstraintInvalid: it cannot be compiled, or not within the limits.
    """
    kind = kind_of(constraint)
    try:
        finished = subprocess.run(  # noqa: S603  # our own program, and nothing of the constraint's
            # -P: modules in the working directory are not imported.
            [sys.executable, "-P", "-m", "fireside.runner", CHECK_CONSTRAINT],
            input=msgspec.json.encode(ConstraintCheckRequest(constraint=constraint)),
            capture_output=True,
            timeout=limit_s,
            check=True,
        )
        problem = decode_json(finished.stdout, kind=ConstraintCheckReply).problem
    except subprocess.TimeoutExpired as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("compiling it takes too long.")) from exc
    except (subprocess.CalledProcessError, JsonInvalid) as exc:
        raise ConstraintInvalid(kind=kind, reason=tr_noop("it is too complex.")) from exc
    if problem:
        raise ConstraintInvalid(kind=kind, reason=problem)
