"""Turn the tokens of one answer into output that is ready to send."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.ids import RequestId
from fireside.runner.stops import AnswerText
from fireside.wire.messages import Piece


class Answer:
    """What one sequence has written so far. Knows nothing of tokens but their bytes."""

    def __init__(self, request_id: RequestId, *, stop: Sequence[str]) -> None:
        self.n_tokens = 0
        self.n_blank = 0
        """Tokens at the end that are nothing but space."""
        self._request_id = request_id
        self._text = AnswerText(stop)
        self._written: list[str] = []

    @property
    def stopped(self) -> bool:
        """Whether a stop string appeared. Nothing follows then."""
        return self._text.stopped

    @property
    def text(self) -> str:
        """Everything that was given out."""
        return "".join(self._written)

    def feed(self, piece: bytes) -> Piece | None:
        """Add the bytes of the next token; return what is ready, if anything is."""
        self.n_tokens += 1
        self.n_blank = 0 if piece.strip() else self.n_blank + 1
        return self._piece(self._text.feed(piece))

    def end(self) -> Piece | None:
        """Return what was held back; the answer is over."""
        return self._piece(self._text.end())

    def _piece(self, text: str) -> Piece | None:
        if not text:
            return None
        self._written.append(text)
        return Piece(self._request_id, text, self.n_tokens)
