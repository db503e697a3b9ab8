"""llama.cpp's sampler chain, in the order that a request specifies."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from fireside.core.options import PARAMETERS, SamplerKind, SamplingParams
from fireside.runner.native import lib
from fireside.runner.sampling.candidate_array import Candidates
from fireside.runner.sampling.penalties import has_penalties

_MIN_KEEP: Final = 1
_MIROSTAT_TOKENS: Final = 100
"""Tokens from which mirostat 1 estimates the distribution; llama.cpp's default."""

MIN_TEMPERATURE: Final = 1e-3
"""Below this temperature the best token is practically certain, and dividing by it may overflow."""

_STATEFUL: Final = frozenset({SamplerKind.PENALTIES, SamplerKind.DRY})
"""Samplers that must accept every token."""


class NativeChain:
    """A native sampler chain. ``close`` frees it.

    Args:
        vocab: handle of llama.cpp's vocabulary.
        n_ctx: window of penalties over “the whole context”, in tokens.
    """

    def __init__(self, params: SamplingParams, *, seed: int, vocab: Any, n_vocab: int, n_ctx: int) -> None:
        self._chain: Any = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        kinds = chain_kinds(params)
        adapts = params.adaptive_p_target > 0
        self.needs_history = adapts or not _STATEFUL.isdisjoint(kinds)
        """Whether it must accept every token."""
        samplers = [
            _sampler(kind, params, seed=seed, vocab=vocab, n_vocab=n_vocab, n_ctx=n_ctx) for kind in kinds
        ]
        if params.temperature < MIN_TEMPERATURE:
            samplers.append(lib.llama_sampler_init_greedy())
        elif params.mirostat:
            samplers.append(_mirostat(params, seed=seed, n_vocab=n_vocab))
        elif adapts:
            target, decay = params.adaptive_p_target, params.adaptive_p_decay
            samplers.append(lib.llama_sampler_init_adaptive_p(target, decay, seed))
        else:
            samplers.append(lib.llama_sampler_init_dist(seed))
        for sampler in samplers:
            lib.llama_sampler_chain_add(self._chain, sampler)  # which owns it from now on

    def choose(self, candidates: Candidates) -> int:
        """Return the token selected from ``candidates``, which the chain sorts and truncates."""
        lib.llama_sampler_apply(self._chain, candidates.reference)
        return candidates.selected

    def accept(self, token: int) -> None:
        """Accept a sampled token."""
        lib.llama_sampler_accept(self._chain, token)

    def close(self) -> None:
        if self._chain is not None:
            lib.llama_sampler_free(self._chain)
            self._chain = None


def applies_penalties_first(params: SamplingParams) -> bool:
    """Whether penalties come first: then they are applied here to few tokens, and not in the chain."""
    return _active(params)[:1] == [SamplerKind.PENALTIES]


def chain_kinds(params: SamplingParams) -> list[SamplerKind]:
    """Return the samplers of a chain for ``params``, in order, before the final selection."""
    kinds = _active(params)[applies_penalties_first(params) :]
    if params.temperature < MIN_TEMPERATURE:
        return [kind for kind in kinds if kind in _STATEFUL]
    if params.mirostat:
        return [kind for kind in kinds if kind in _STATEFUL or kind is SamplerKind.TEMPERATURE]
    return kinds


def n_top(params: SamplingParams) -> int:
    """Return how many of the best tokens suffice for a chain for ``params``; 0 if it needs all."""
    kinds = chain_kinds(params)
    if SamplerKind.TOP_K not in kinds:
        return 0
    before = set(kinds[: kinds.index(SamplerKind.TOP_K)])
    # These two depend on the best token only, unless the temperature is dynamic.
    independent = (
        {SamplerKind.MIN_P} if params.dynatemp_range > 0 else {SamplerKind.MIN_P, SamplerKind.TEMPERATURE}
    )
    return params.top_k if before <= independent else 0


def _active(params: SamplingParams) -> list[SamplerKind]:
    off = {row.sampler for row in PARAMETERS.values() if row.off == getattr(params, row.name)}
    return [
        kind
        for kind in params.samplers
        if kind not in off and (kind is not SamplerKind.PENALTIES or has_penalties(params))
    ]


def _sampler(
    kind: SamplerKind, params: SamplingParams, *, seed: int, vocab: Any, n_vocab: int, n_ctx: int
) -> Any:
    match kind:
        case SamplerKind.PENALTIES:
            repeat, last_n = params.repeat_penalty, min(params.repeat_last_n, n_ctx)
            frequency, presence = params.frequency_penalty, params.presence_penalty
            return lib.llama_sampler_init_penalties(n_vocab, last_n, repeat, frequency, presence)
        case SamplerKind.DRY:
            return _dry(params, vocab=vocab, n_ctx=n_ctx)
        case SamplerKind.TOP_N_SIGMA:
            return lib.llama_sampler_init_top_n_sigma(params.top_n_sigma)
        case SamplerKind.TOP_K:
            return lib.llama_sampler_init_top_k(params.top_k)
        case SamplerKind.TYPICAL_P:
            return lib.llama_sampler_init_typical(params.typical_p, _MIN_KEEP)
        case SamplerKind.TOP_P:
            return lib.llama_sampler_init_top_p(params.top_p, _MIN_KEEP)
        case SamplerKind.MIN_P:
            return lib.llama_sampler_init_min_p(params.min_p, _MIN_KEEP)
        case SamplerKind.XTC:
            return lib.llama_sampler_init_xtc(params.xtc_probability, params.xtc_threshold, _MIN_KEEP, seed)
        case SamplerKind.TEMPERATURE:
            return _temperature(params)


def _dry(params: SamplingParams, *, vocab: Any, n_ctx: int) -> Any:
    breakers = [text.encode() for text in params.dry_sequence_breakers]
    last_n = params.dry_penalty_last_n
    return lib.llama_sampler_init_dry(
        vocab,
        params.dry_multiplier,
        params.dry_base,
        params.dry_allowed_length,
        n_ctx if last_n < 0 else min(last_n, n_ctx),
        (ctypes.c_char_p * len(breakers))(*breakers),
        len(breakers),
    )


def _mirostat(params: SamplingParams, *, seed: int, n_vocab: int) -> Any:
    tau, eta = params.mirostat_tau, params.mirostat_eta
    if params.mirostat == 1:
        return lib.llama_sampler_init_mirostat(n_vocab, seed, tau, eta, _MIROSTAT_TOKENS)
    return lib.llama_sampler_init_mirostat_v2(seed, tau, eta)


def _temperature(params: SamplingParams) -> Any:
    if params.dynatemp_range <= 0:
        return lib.llama_sampler_init_temp(params.temperature)
    # The lowest temperature of the range must still be one that can be divided by.
    spread = min(params.dynatemp_range, params.temperature - MIN_TEMPERATURE)
    return lib.llama_sampler_init_temp_ext(params.temperature, max(spread, 0.0), params.dynatemp_exponent)
