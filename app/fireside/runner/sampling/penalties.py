"""Apply logit biases and penalties to the few tokens that they concern, and undo them."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final

import numpy as np

from fireside.core.options import SamplingParams
from fireside.runner.sampling.sampling_checks import FORBIDDEN_BIAS
from fireside.runner.sampling.shortlist import Ids, Logits
from fireside.runner.tokens import Tokens

_INITIAL_CAPACITY: Final = 64


class Penalties:
    """Repeat, frequency and presence penalties over the last tokens, computed as in llama.cpp.

    Its sampler scans the whole vocabulary; this touches only tokens that have occurred.
    """

    def __init__(self, params: SamplingParams, prompt: Tokens) -> None:
        self._last_n = params.repeat_last_n
        self._repeat = np.float32(params.repeat_penalty)
        self._frequency = np.float32(params.frequency_penalty)
        self._presence = np.float32(params.presence_penalty)
        self._recent: deque[int] = deque()
        self._index_of: dict[int, int] = {}
        self._n = 0
        self._ids = np.zeros(_INITIAL_CAPACITY, np.int64)
        self._counts = np.zeros(_INITIAL_CAPACITY, np.float32)
        for token in prompt[-self._last_n :]:
            self.accept(int(token))

    @property
    def ids(self) -> Ids:
        """Tokens that are penalised, without duplicates."""
        return self._ids[: self._n]

    def accept(self, token: int) -> None:
        """Add ``token`` as the newest, and drop the one that leaves the window."""
        self._recent.append(token)
        index = self._index_of.get(token)
        if index is None:
            self._add(token)
        else:
            self._counts[index] += 1
        if len(self._recent) > self._last_n:
            self._remove(self._recent.popleft())

    def _add(self, token: int) -> None:
        if self._n == len(self._ids):
            self._ids = np.concatenate([self._ids, np.zeros_like(self._ids)])
            self._counts = np.concatenate([self._counts, np.zeros_like(self._counts)])
        self._ids[self._n] = token
        self._counts[self._n] = 1
        self._index_of[token] = self._n
        self._n += 1

    def _remove(self, token: int) -> None:
        index = self._index_of[token]
        self._counts[index] -= 1
        if self._counts[index] > 0:
            return
        # Move the last entry into the gap.
        self._n -= 1
        last = int(self._ids[self._n])
        self._ids[index], self._counts[index] = last, self._counts[self._n]
        self._index_of[last] = index
        del self._index_of[token]

    def apply(self, logits: Logits) -> None:
        """Lower the logits of the tokens that have occurred."""
        ids = self._ids[: self._n]
        values = logits[ids]
        values = np.where(values <= 0, values * self._repeat, values / self._repeat)
        values -= self._counts[: self._n] * self._frequency + self._presence
        logits[ids] = values


class Adjustments:
    """All changes to logits before sampling: biases, forbidden tokens, penalties.

    The logits belong to llama.cpp, and several answers may be sampled from the same ones, so the caller must
    undo the adjustments.

    Args:
        forbidden: tokens that end an answer, where it may not end.
        n_forbidden: for how many tokens it may not; ``None`` for ever.
        penalises: apply the penalties here; else the sampler chain does.
    """

    def __init__(
        self,
        params: SamplingParams,
        *,
        prompt: Tokens,
        forbidden: Iterable[int],
        n_forbidden: int | None = None,
        penalises: bool = True,
    ) -> None:
        self._given: dict[int, float] = {}
        for token, bias in params.logit_bias:
            self._given[token] = self._given.get(token, 0.0) + bias
        self._n_forbidden = n_forbidden or 0
        self._set_biases(self._given | dict.fromkeys(forbidden, FORBIDDEN_BIAS))
        self._penalties = Penalties(params, prompt) if penalises and has_penalties(params) else None
        self._unbiased: Logits = np.empty(0, np.float32)
        self._unpenalised: Logits = np.empty(0, np.float32)

    def _set_biases(self, biases: Mapping[int, float]) -> None:
        self._bias_ids = np.fromiter(biases, np.int64, len(biases))
        values = np.fromiter(biases.values(), np.float32, len(biases))
        self._biases = np.where(values <= FORBIDDEN_BIAS, np.float32(-np.inf), values)

    def accept(self, token: int) -> None:
        """Record a sampled token."""
        if self._n_forbidden:
            self._n_forbidden -= 1
            if not self._n_forbidden:
                self._set_biases(self._given)
        if self._penalties is not None:
            self._penalties.accept(token)

    def apply(self, logits: Logits) -> None:
        """Adjust ``logits`` in index."""
        if len(self._bias_ids):
            self._unbiased = logits[self._bias_ids]
            logits[self._bias_ids] += self._biases
        if self._penalties is not None:
            self._unpenalised = logits[self._penalties.ids]
            self._penalties.apply(logits)

    def undo(self, logits: Logits) -> None:
        """Undo the last ``apply``. No token may have been accepted in between."""
        if self._penalties is not None:
            logits[self._penalties.ids] = self._unpenalised
        if len(self._bias_ids):
            logits[self._bias_ids] = self._unbiased


def has_penalties(params: SamplingParams) -> bool:
    """Whether any penalty is on."""
    return params.repeat_last_n > 0 and (
        params.repeat_penalty != 1 or params.frequency_penalty != 0 or params.presence_penalty != 0
    )
