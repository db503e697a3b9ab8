"""Tokens of answers as they are kept: small, and read back with bounds."""

from __future__ import annotations

import zlib
from typing import Final

import msgspec

from fireside.core.inspection import ScoredToken

_MAX_BYTES: Final = 256 * 1024 * 1024
"""More unpacks from nothing that was packed here."""
_LEVEL: Final = 6

_scored: msgspec.msgpack.Decoder[tuple[ScoredToken, ...]] = msgspec.msgpack.Decoder(tuple[ScoredToken, ...])


def pack_ids(ids: bytes) -> bytes:
    """Return ids of 32 bits, packed: about two bytes a token."""
    return zlib.compress(ids, _LEVEL) if ids else b""


def unpack_ids(packed: bytes) -> tuple[int, ...]:
    """Return the ids; none where what was kept is damaged."""
    ids = _unpacked(packed)
    if len(ids) % 4:
        return ()
    return tuple(int.from_bytes(ids[at : at + 4], "little", signed=True) for at in range(0, len(ids), 4))


def pack_scores(tokens: tuple[ScoredToken, ...]) -> bytes:
    """Return probabilities, packed: about a hundred bytes a token with ten alternatives."""
    return zlib.compress(msgspec.msgpack.encode(tokens), _LEVEL) if tokens else b""


def unpack_scores(packed: bytes) -> tuple[ScoredToken, ...]:
    """Return the probabilities; none where what was kept is damaged."""
    try:
        return _scored.decode(_unpacked(packed)) if packed else ()
    except msgspec.MsgspecError:
        return ()


def _unpacked(packed: bytes) -> bytes:
    unpacking = zlib.decompressobj()
    try:
        whole = unpacking.decompress(packed, _MAX_BYTES)
    except zlib.error:
        return b""
    return whole if unpacking.eof else b""
