"""Collect what one step has to report, and send it in the order in which each request lives through it."""

from __future__ import annotations

from collections.abc import Callable

from fireside.core.ids import RequestId
from fireside.wire.messages import Piece, PromptRead, Report, TokensDecoded

Send = Callable[..., None]


class Outbox:
    """Reports since the last ``flush``.

    Args:
        send: writes reports, as many as it is given, at once.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._progress: list[PromptRead] = []
        self._pieces: list[Piece] = []
        self._ends: list[Report] = []

    def add_progress(self, request_id: RequestId, *, n_done: int, n_total: int, n_cached: int) -> None:
        self._progress.append(
            PromptRead(request_id=request_id, n_done=n_done, n_total=n_total, n_cached=n_cached)
        )

    def add_piece(self, piece: Piece) -> None:
        self._pieces.append(piece)

    def add_end(self, report: Report) -> None:
        """Add the last report of a request."""
        self._ends.append(report)

    def flush(self) -> None:
        """Send everything: what was read, then what was written, then what is over."""
        reports: list[Report] = [*self._progress]
        if self._pieces:
            reports.append(TokensDecoded(pieces=tuple(self._pieces)))
        reports += self._ends
        if reports:
            self._send(*reports)
            self._progress.clear()
            self._pieces.clear()
            self._ends.clear()
