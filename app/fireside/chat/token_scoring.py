"""Collect the probabilities of an answer's tokens while the answer is replayed, and report progress."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable
from typing import Final

import msgspec

from fireside.core.generation import OutputKind, TextDelta, TokenLogprobs
from fireside.core.inspection import ScoredToken
from fireside.core.task import Replay

_PROMPT_SHARE: Final = 0.3
"""The prompt's share of the progress, which is small because most of the prompt is cached."""
_STEP: Final = 0.01


class TokenScores:
    """The probabilities of one replayed answer.

    Args:
        report: receives the progress, 0 to 1, at each hundredth.
    """

    def __init__(self, replay: Replay, *, report: Callable[[float], None]) -> None:
        self.tokens: list[ScoredToken] = []
        self._n_tokens = len(replay.tokens)
        self._n_characters = len(replay.text)
        self._n_received = 0
        self._reported = 0.0
        self._report = report

    def on_prompt(self, *, n_done: int, n_total: int) -> None:
        """Report progress with the prompt."""
        self._advance(_PROMPT_SHARE * n_done / max(1, n_total))

    def on_output(self, event: TextDelta) -> None:
        """Add the next output of the answer."""
        self.tokens += scored(event.logprobs, kind=event.kind)
        self._n_received += len(event.text)
        if self._n_tokens:
            done = event.n_completion / self._n_tokens
        else:
            done = self._n_received / max(1, self._n_characters)
        self._advance(_PROMPT_SHARE + (1 - _PROMPT_SHARE) * done)

    def _advance(self, fraction: float) -> None:
        fraction = min(1.0, fraction)
        if fraction - self._reported >= _STEP:
            self._reported = fraction
            self._report(fraction)


def scored(logprobs: Iterable[TokenLogprobs], *, kind: OutputKind) -> list[ScoredToken]:
    """Return the tokens of one piece of output with their probabilities."""
    return [
        ScoredToken(entry.chosen.token, entry.chosen.piece, entry.chosen.logprob, kind, entry.top)
        for entry in logprobs
    ]


# Compressed tokens of answers for the database, which are decompressed with a size limit


_MAX_BYTES: Final = 256 * 1024 * 1024
"""No data packed here is larger."""
_LEVEL: Final = 6

_scored: msgspec.msgpack.Decoder[tuple[ScoredToken, ...]] = msgspec.msgpack.Decoder(tuple[ScoredToken, ...])


def pack_ids(ids: bytes) -> bytes:
    """Compress 32-bit ids, to about two bytes a token."""
    return zlib.compress(ids, _LEVEL) if ids else b""


def unpack_ids(packed: bytes) -> tuple[int, ...]:
    """Return the ids; none if the data is damaged."""
    ids = _unpacked(packed)
    if len(ids) % 4:
        return ()
    return tuple(int.from_bytes(ids[at : at + 4], "little", signed=True) for at in range(0, len(ids), 4))


def pack_scores(tokens: tuple[ScoredToken, ...]) -> bytes:
    """Compress probabilities, to about a hundred bytes a token with ten alternatives."""
    return zlib.compress(msgspec.msgpack.encode(tokens), _LEVEL) if tokens else b""


def unpack_scores(packed: bytes) -> tuple[ScoredToken, ...]:
    """Return the probabilities; none if the data is damaged."""
    try:
        return _scored.decode(_unpacked(packed)) if packed else ()
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return ()


def _unpacked(packed: bytes) -> bytes:
    decompressor = zlib.decompressobj()
    try:
        data = decompressor.decompress(packed, _MAX_BYTES)
    except zlib.error:
        return b""
    return data if decompressor.eof else b""
