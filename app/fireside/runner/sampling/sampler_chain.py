"""llama.cpp's samplers, in the order of its own default."""

from __future__ import annotations

import ctypes
from typing import Any, Final

from fireside.core.options import SamplingParams
from fireside.runner.native import lib
from fireside.runner.sampling.candidate_array import Candidates

_MIN_KEEP: Final = 1
_MIROSTAT_TOKENS: Final = 100
"""Tokens from which the first mirostat estimates the distribution; llama.cpp's own number."""

COLDEST: Final = 1e-3
"""Below this temperature the best token is as good as certain, and dividing by it may leave the numbers."""


class NativeChain:
    """Samplers that choose one of the candidates. ``close`` frees them.

    Args:
        vocab: llama.cpp's vocabulary.
        n_ctx: how far back “the whole context” looks.
    """

    def __init__(self, params: SamplingParams, *, seed: int, vocab: Any, n_vocab: int, n_ctx: int) -> None:
        self._chain: Any = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        self.remembers = uses_dry(params)
        """Whether it must be told of every token."""
        links = _dry(params, vocab=vocab, n_ctx=n_ctx) if self.remembers else []
        if params.temperature < COLDEST:
            links.append(lib.llama_sampler_init_greedy())
        elif params.mirostat:
            links += _mirostat(params, seed=seed, n_vocab=n_vocab)
        else:
            links += _cuts(params, seed=seed)
        for link in links:
            lib.llama_sampler_chain_add(self._chain, link)  # which owns it from now on

    def choose(self, candidates: Candidates) -> int:
        """Return the token chosen from ``candidates``, which the chain sorts and cuts as it likes."""
        lib.llama_sampler_apply(self._chain, candidates.reference)
        return candidates.selected

    def accept(self, token: int) -> None:
        """Count ``token`` as taken."""
        lib.llama_sampler_accept(self._chain, token)

    def close(self) -> None:
        if self._chain is not None:
            lib.llama_sampler_free(self._chain)
            self._chain = None


def uses_dry(params: SamplingParams) -> bool:
    """Tell whether the DRY penalty is on."""
    return params.dry_multiplier > 0 and params.dry_base >= 1 and params.dry_penalty_last_n != 0


def n_top(params: SamplingParams) -> int:
    """Return how many of the best tokens a chain for ``params`` can use; 0 if it wants to see all."""
    sees_all = params.mirostat or params.top_n_sigma > 0 or uses_dry(params)
    return 0 if sees_all else params.top_k


def _dry(params: SamplingParams, *, vocab: Any, n_ctx: int) -> list[Any]:
    breakers = [text.encode() for text in params.dry_sequence_breakers]
    last_n = params.dry_penalty_last_n
    return [
        lib.llama_sampler_init_dry(
            vocab,
            params.dry_multiplier,
            params.dry_base,
            params.dry_allowed_length,
            n_ctx if last_n < 0 else min(last_n, n_ctx),
            (ctypes.c_char_p * len(breakers))(*breakers),
            len(breakers),
        )
    ]


def _mirostat(params: SamplingParams, *, seed: int, n_vocab: int) -> list[Any]:
    tau, eta = params.mirostat_tau, params.mirostat_eta
    if params.mirostat == 1:
        last = lib.llama_sampler_init_mirostat(n_vocab, seed, tau, eta, _MIROSTAT_TOKENS)
    else:
        last = lib.llama_sampler_init_mirostat_v2(seed, tau, eta)
    return [_temperature(params), last]


def _cuts(params: SamplingParams, *, seed: int) -> list[Any]:
    links = []
    if params.top_n_sigma > 0:
        links.append(lib.llama_sampler_init_top_n_sigma(params.top_n_sigma))
    if params.top_k > 0:
        links.append(lib.llama_sampler_init_top_k(params.top_k))
    if params.typical_p < 1:
        links.append(lib.llama_sampler_init_typical(params.typical_p, _MIN_KEEP))
    if params.top_p < 1:
        links.append(lib.llama_sampler_init_top_p(params.top_p, _MIN_KEEP))
    if params.min_p > 0:
        links.append(lib.llama_sampler_init_min_p(params.min_p, _MIN_KEEP))
    if params.xtc_probability > 0:
        links.append(
            lib.llama_sampler_init_xtc(params.xtc_probability, params.xtc_threshold, _MIN_KEEP, seed)
        )
    return [*links, _temperature(params), lib.llama_sampler_init_dist(seed)]


def _temperature(params: SamplingParams) -> Any:
    if params.dynatemp_range <= 0:
        return lib.llama_sampler_init_temp(params.temperature)
    # The lowest temperature that is reached must still be one that can be divided by.
    spread = min(params.dynatemp_range, params.temperature - COLDEST)
    return lib.llama_sampler_init_temp_ext(params.temperature, max(spread, 0.0), params.dynatemp_exponent)
