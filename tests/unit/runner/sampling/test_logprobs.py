"""Probabilities with the texts of their tokens."""

from __future__ import annotations

import numpy as np

from fireside.runner.sampling.logprobs import LogprobReader

CONTROL = 3


def piece(token: int) -> bytes:
    return b"" if token == CONTROL else bytes([97 + token])


def test_a_control_token_among_the_likeliest_has_its_name() -> None:
    reader = LogprobReader(n_vocab=8, piece=piece, spelled=lambda token: b"<|%d|>" % token)
    logits = np.array([0, 1, 2, 9, 4, 5, 6, 7], np.float32)
    read = reader.read(logits, token=CONTROL, n_top=2)
    assert [each.piece for each in read.top] == [b"<|3|>", b"h"]
    assert read.chosen.piece == b""  # as in the answer
