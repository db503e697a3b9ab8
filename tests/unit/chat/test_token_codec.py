"""Tokens of answers round trip through compression; damaged data is empty."""

import zlib

import pytest

from fireside.chat.token_scoring import pack_ids, pack_scores, unpack_ids, unpack_scores
from fireside.core.generation import OutputKind, TokenProbability
from fireside.core.inspection import ScoredToken


def test_ids_come_back_as_they_were_and_take_little_room() -> None:
    ids = tuple((7 * place) % 50_000 for place in range(1000))
    packed = pack_ids(b"".join(each.to_bytes(4, "little") for each in ids))
    assert unpack_ids(packed) == ids
    assert len(packed) < 3000


def test_probabilities_come_back_as_they_were() -> None:
    top = (TokenProbability(3, b"\xff", -0.5), TokenProbability(4, b" a", -2.0))
    tokens = (ScoredToken(3, b"\xff", -0.5, OutputKind.REASONING, top),)
    assert unpack_scores(pack_scores(tokens)) == tokens


@pytest.mark.parametrize("damaged", [b"", b"nonsense", zlib.compress(b"abc"), pack_ids(b"abcd" * 90)[:-9]])
def test_damaged_data_is_empty(damaged: bytes) -> None:
    assert unpack_ids(damaged) == ()
    assert unpack_scores(damaged) == ()
