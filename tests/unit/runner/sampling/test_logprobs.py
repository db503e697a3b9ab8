"""Log probabilities and the texts of their tokens."""

from __future__ import annotations

import math

import numpy as np
import pytest

from fireside.runner.sampling.sampler_factory import LogprobReader

CONTROL = 3


def piece(token: int) -> bytes:
    return b"" if token == CONTROL else bytes([97 + token])


def test_control_token_among_the_likeliest_is_named() -> None:
    reader = LogprobReader(n_vocab=8, piece=piece, token_bytes=lambda token: b"<|%d|>" % token)
    logits = np.array([0, 1, 2, 9, 4, 5, 6, 7], np.float32)
    read = reader.read(logits, token=CONTROL, n_top=2)
    assert [candidate.piece for candidate in read.top] == [b"<|3|>", b"h"]
    assert read.chosen.piece == b""  # as in the answer


@pytest.mark.parametrize("n_vocab", [40, 4096])
@pytest.mark.parametrize("shift", [0.0, 49.0, -49.0, 51.0, 2000.0, -2000.0])
def test_probabilities_are_exact_for_any_range_of_logits(n_vocab: int, shift: float) -> None:
    logits = np.random.default_rng(1).normal(shift, 3, n_vocab).astype(np.float32)
    logits[3] = -np.inf
    exact = logits.astype(np.float64)
    exact -= exact.max() + math.log(np.exp(exact - exact.max()).sum())
    reader = LogprobReader(n_vocab=n_vocab, piece=lambda _: b"x", token_bytes=lambda _: b"y")
    read = reader.read(logits, token=7, n_top=5)
    assert read.chosen.logprob == pytest.approx(exact[7], abs=1e-4)
    assert [candidate.token for candidate in read.top] == np.argsort(-exact)[:5].tolist()
    assert [candidate.logprob for candidate in read.top] == pytest.approx(
        np.sort(exact)[::-1][:5].tolist(), abs=1e-4
    )
