"""Make the samplers of one model; constraints are compiled in other threads."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from fireside.runner.decoder import SamplerRequest
from fireside.runner.sampling.candidate_array import Candidates
from fireside.runner.sampling.grammar_compiler import GrammarCompiler
from fireside.runner.sampling.grammar_dry_run import dry_run_grammar
from fireside.runner.sampling.grammar_preparation import GrammarPreparation
from fireside.runner.sampling.logprobs import LogprobReader
from fireside.runner.sampling.penalties import Adjustments
from fireside.runner.sampling.sampler import LogitsSource, SamplerShared, TokenSampler
from fireside.runner.sampling.sampler_chain import (
    MIN_TEMPERATURE,
    NativeChain,
    applies_penalties_first,
    chain_kinds,
    n_top,
)
from fireside.runner.sampling.sampling_checks import check_sampling, check_token_ids
from fireside.runner.sampling.token_table import build_table


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
