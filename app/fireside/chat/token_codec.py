"""Compressed tokens of answers for the database, which are decompressed with a size limit."""

from __future__ import annotations

import zlib
from typing import Final

import msgspec

from fireside.core.inspection import ScoredToken

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
