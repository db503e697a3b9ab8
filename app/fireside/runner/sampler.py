"""Choose tokens from logits: llama.cpp's sampler chains, in the order of llama.cpp's own default."""

from __future__ import annotations

from typing import Any, Final

from fireside.core.constraint import Constraint
from fireside.core.errors import InvalidParameter
from fireside.core.options import SamplingParams
from fireside.runner.cache import Tokens
from fireside.runner.decoder import Choice, SamplerRequest
from fireside.runner.llama import Context
from fireside.runner.native import lib

_MIN_KEEP: Final = 1


class NativeSampler:
    """One request's way to choose tokens. ``close`` frees it."""

    def __init__(self, request: SamplerRequest, *, context: Context, n_vocab: int) -> None:
        params, seed, prompt = request.params, request.seed, request.prompt
        self._context = context
        self._forced: list[int] = []
        self._greedy_only = params.temperature == 0 and not _has_penalties(params)
        self._chain: Any = None
        if self._greedy_only:
            return
        self._chain = lib.llama_sampler_chain_init(lib.llama_sampler_chain_default_params())
        for link in _links(params, seed=seed, n_vocab=n_vocab):
            lib.llama_sampler_chain_add(self._chain, link)
        if _has_penalties(params):
            for token in prompt[-params.repeat_last_n :]:
                lib.llama_sampler_accept(self._chain, int(token))

    def sample(self, index: int) -> Choice:
        """Return the next token from the logits at ``index`` of the last batch."""
        if self._forced:
            return Choice(self._forced.pop(0))
        if self._greedy_only:
            # The same token as llama.cpp's greedy sampler, the first of the best, in a tenth of the time.
            return Choice(int(self._context.logits(index).argmax()))
        return Choice(int(lib.llama_sampler_sample(self._chain, self._context.handle, index)))

    def force(self, tokens: Tokens) -> None:
        """Let the next calls of ``sample`` return these."""
        self._forced += [int(token) for token in tokens]

    def constrain(self, constraint: Constraint, *, already: str, ends_answer: bool) -> None:
        """Refuse: chains know no rules."""
        reason = f"{type(constraint).__name__} is not supported (written: {already!r}, ends: {ends_answer})."
        raise InvalidParameter(name="constraint", reason=reason)

    def close(self) -> None:
        if self._chain is not None:
            lib.llama_sampler_free(self._chain)
            self._chain = None


def _has_penalties(params: SamplingParams) -> bool:
    return params.repeat_last_n > 0 and (
        params.repeat_penalty != 1 or params.frequency_penalty != 0 or params.presence_penalty != 0
    )


def _links(params: SamplingParams, *, seed: int, n_vocab: int) -> list[Any]:
    """Return the samplers of one chain. The chain owns and frees them."""
    links = []
    if _has_penalties(params):
        links.append(
            lib.llama_sampler_init_penalties(
                n_vocab,
                params.repeat_last_n,
                params.repeat_penalty,
                params.frequency_penalty,
                params.presence_penalty,
            )
        )
    if params.temperature == 0:
        return [*links, lib.llama_sampler_init_greedy()]
    if params.top_k > 0:
        links.append(lib.llama_sampler_init_top_k(params.top_k))
    if params.typical_p < 1:
        links.append(lib.llama_sampler_init_typical(params.typical_p, _MIN_KEEP))
    if params.top_p < 1:
        links.append(lib.llama_sampler_init_top_p(params.top_p, _MIN_KEEP))
    if params.min_p > 0:
        links.append(lib.llama_sampler_init_min_p(params.min_p, _MIN_KEEP))
    links.append(lib.llama_sampler_init_temp(params.temperature))
    links.append(lib.llama_sampler_init_dist(seed))
    return links
