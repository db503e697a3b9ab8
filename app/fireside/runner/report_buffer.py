"""Collect what one step has to report, and send it in the order in which each request lives through it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Final

import msgspec

from fireside.core.ids import RequestId
from fireside.wire.messages import Piece, PromptRead, Report, TokensDecoded

Send = Callable[..., None]
_MAX_LOGPROBS: Final = 2048
"""Tokens with probabilities in one frame: what was held back for long must not make one that is refused."""


class ReportBuffer:
    """Reports since the last ``flush``.

    Args:
        send: writes reports, as many as it is given, at once.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._progress: list[PromptRead] = []
        self._pieces: list[Piece] = []
        self._finisher: list[Report] = []

    def add_progress(self, request_id: RequestId, *, n_done: int, n_total: int, n_cached: int) -> None:
        """Report how much of a prompt is read."""
        self._progress.append(
            PromptRead(request_id=request_id, n_done=n_done, n_total=n_total, n_cached=n_cached)
        )

    def add_piece(self, piece: Piece) -> None:
        """Add a piece of an answer to this step's frame."""
        self._pieces.append(piece)

    def add_end(self, report: Report) -> None:
        """Add the last report of a request."""
        self._finisher.append(report)

    def flush(self) -> None:
        """Send everything: what was read, then what was written, then what is over."""
        reports: list[Report] = [*self._progress]
        reports += [TokensDecoded(pieces=pieces) for pieces in _frames(self._pieces)]
        reports += self._finisher
        if reports:
            self._send(*reports)
            self._progress.clear()
            self._pieces.clear()
            self._finisher.clear()


def _frames(pieces: Sequence[Piece]) -> Iterator[tuple[Piece, ...]]:
    """Return ``pieces`` in portions for one frame each."""
    frame: list[Piece] = []
    n_free = _MAX_LOGPROBS
    for piece in pieces:
        for part in _parts(piece):
            if len(part.logprobs) > n_free:
                yield tuple(frame)
                frame, n_free = [], _MAX_LOGPROBS
            frame.append(part)
            n_free -= len(part.logprobs)
    if frame:
        yield tuple(frame)


def _parts(piece: Piece) -> Iterator[Piece]:
    """Return ``piece``, and what it has of probabilities beyond one frame in further ones without text."""
    if len(piece.logprobs) <= _MAX_LOGPROBS:
        yield piece
        return
    for start in range(0, len(piece.logprobs), _MAX_LOGPROBS):
        logprobs = piece.logprobs[start : start + _MAX_LOGPROBS]
        yield msgspec.structs.replace(piece, text="" if start else piece.text, logprobs=logprobs)
