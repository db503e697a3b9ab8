"""The reports of one step are sent in order, in frames within the limit."""

from __future__ import annotations

import pytest

from fireside.core.generation import TokenLogprobs, TokenProbability
from fireside.core.ids import RequestId
from fireside.runner.connection import ReportBuffer
from fireside.wire.frames import encode_frame
from fireside.wire.messages import MAX_REPORT_BYTES, Piece, Report, TokensDecoded

LIKELY = tuple(TokenProbability(number, b"a" * 16, -float(number)) for number in range(20))


def logprobs(n_tokens: int) -> tuple[TokenLogprobs, ...]:
    return tuple(
        TokenLogprobs(TokenProbability(number, b"a" * 16, -1.0), LIKELY) for number in range(n_tokens)
    )


def sent(pieces: list[Piece]) -> list[TokensDecoded]:
    reports: list[Report] = []
    buffer = ReportBuffer(lambda *some: reports.extend(some))
    for piece in pieces:
        buffer.add_piece(piece)
    buffer.flush()
    return [report for report in reports if isinstance(report, TokensDecoded)]


@pytest.mark.parametrize("sizes", [(20_000,), (1500, 1500, 1500), (0, 5000, 0, 3), (2048, 1)])
def test_frames_stay_small_however_many_probabilities_were_held_back(sizes: tuple[int, ...]) -> None:
    pieces = [
        Piece(RequestId(number), f"text {number}", 1, logprobs=logprobs(n_tokens))
        for number, n_tokens in enumerate(sizes)
    ]
    frames = sent(pieces)
    assert all(len(encode_frame(frame)) < MAX_REPORT_BYTES for frame in frames)
    for piece in pieces:
        parts = [part for frame in frames for part in frame.pieces if part.request_id == piece.request_id]
        assert "".join(part.text for part in parts) == piece.text
        assert tuple(entry for part in parts for entry in part.logprobs) == piece.logprobs


def test_pieces_of_a_step_are_one_frame() -> None:
    (frame,) = sent([Piece(RequestId(number), "a", 1, logprobs=logprobs(1)) for number in range(8)])
    assert len(frame.pieces) == 8


def test_nothing_is_sent_without_reports() -> None:
    assert sent([]) == []
