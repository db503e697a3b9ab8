"""A file that is not exactly as it was written is refused."""

from __future__ import annotations

import io
import zlib
from typing import Final

import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.runner.prompt_cache.cache_key import CacheKey
from fireside.runner.prompt_cache.checkpoints import checkpoint_at, valid_for
from fireside.runner.prompt_cache.file_format import (
    PREFIX,
    DamagedFile,
    encoded,
    file_bytes,
    header_of,
    read_header,
    read_snapshot,
)
from fireside.runner.prompt_cache.state_snapshot import StateSnapshot

KEY = CacheKey(model="m", options="o")
TOKENS = np.arange(7, dtype=np.int32)


def _bytes(n: int, *, seed: int = 0) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.random.default_rng(seed).integers(0, 256, n, np.uint8)


SNAPSHOT: Final = StateSnapshot(
    tokens=TOKENS,
    owner="chat",
    variant="0.5",
    state=_bytes(400),
    checkpoints=(
        checkpoint_at(TOKENS[:2], _bytes(30, seed=1)),
        checkpoint_at(TOKENS[:5], _bytes(20, seed=2)),
    ),
)


def _written(snapshot: StateSnapshot = SNAPSHOT) -> bytes:
    header = header_of(snapshot, KEY, owner=snapshot.owner or "")
    content = b"".join(map(bytes, encoded(header, snapshot)))
    assert len(content) == file_bytes(header)
    return content


WRITTEN = _written()


def _read(content: bytes) -> StateSnapshot:
    return read_snapshot(io.BytesIO(content), n_file_bytes=len(content))[1]


def test_written_snapshot_is_read_back() -> None:
    snapshot = _read(WRITTEN)
    assert snapshot.tokens.tolist() == TOKENS.tolist()
    assert (snapshot.owner, snapshot.variant) == ("chat", "0.5")
    assert snapshot.state.tobytes() == SNAPSHOT.state.tobytes()
    assert [(checkpoint.n_tokens, checkpoint.state.tobytes()) for checkpoint in snapshot.checkpoints] == [
        (checkpoint.n_tokens, checkpoint.state.tobytes()) for checkpoint in SNAPSHOT.checkpoints
    ]
    assert valid_for(snapshot.checkpoints, TOKENS) == snapshot.checkpoints


def test_header_describes_the_file() -> None:
    header = read_header(io.BytesIO(WRITTEN), n_file_bytes=len(WRITTEN))
    assert header.token_array.tolist() == TOKENS.tolist()
    assert [checkpoint.n_tokens for checkpoint in header.checkpoints] == [2, 5]


def test_state_of_many_chunks_is_read_back() -> None:
    large = StateSnapshot(tokens=TOKENS, owner="chat", variant="", state=_bytes(9 << 20))
    assert _read(_written(large)).state.tobytes() == large.state.tobytes()


def test_truncated_file_is_refused() -> None:
    for n in range(len(WRITTEN)):
        with pytest.raises(DamagedFile):
            _read(WRITTEN[:n])


def test_any_flipped_bit_is_detected() -> None:
    for index in range(len(WRITTEN)):
        damaged = bytearray(WRITTEN)
        damaged[index] ^= 1 << index % 8
        with pytest.raises(DamagedFile):
            _read(bytes(damaged))


def test_file_with_trailing_bytes_is_refused() -> None:
    with pytest.raises(DamagedFile):
        _read(WRITTEN + b"\0")


def test_other_version_is_refused_before_the_header_is_read() -> None:
    other = bytearray(WRITTEN)
    other[8] += 1
    with pytest.raises(DamagedFile, match="version"):
        read_header(io.BytesIO(bytes(other)), n_file_bytes=len(other))


@given(st.binary(max_size=300))
def test_random_bytes_are_refused(content: bytes) -> None:
    for reader in (read_header, read_snapshot):
        with pytest.raises(DamagedFile):
            reader(io.BytesIO(content), n_file_bytes=len(content))
        forged = WRITTEN[: PREFIX.size] + content
        with pytest.raises(DamagedFile):
            reader(io.BytesIO(forged), n_file_bytes=len(forged))


@given(st.binary(max_size=300))
def test_random_header_with_a_valid_checksum_is_refused(body: bytes) -> None:
    magic, version, _, _ = PREFIX.unpack(WRITTEN[: PREFIX.size])
    forged = PREFIX.pack(magic, version, len(body), zlib.crc32(body)) + body
    with pytest.raises(DamagedFile):
        read_header(io.BytesIO(forged), n_file_bytes=len(forged))


@pytest.mark.parametrize(
    "change",
    [
        {"tokens": b"abc"},
        {"tokens": b""},
        {"n_state_bytes": -1},
        {"n_state_bytes": 0},
        {"n_state_bytes": 1 << 60},
        {"checkpoints": ((9, 30), (5, 20))},
        {"checkpoints": ((5, 30), (2, 20))},
        {"checkpoints": ((2, 30), (2, 20))},
        {"checkpoints": ((0, 30), (2, 20))},
        {"checkpoints": ((2, 60), (5, -10))},
    ],
)
def test_inconsistent_header_with_a_valid_checksum_is_refused(
    change: dict[str, object],
) -> None:
    header = header_of(SNAPSHOT, KEY, owner="chat")
    forged = msgspec.msgpack.encode({**msgspec.to_builtins(header, builtin_types=(bytes,)), **change})
    decoded = msgspec.msgpack.decode(forged, type=type(header))
    content = b"".join(map(bytes, encoded(decoded, SNAPSHOT)))
    with pytest.raises(DamagedFile):
        _read(content)
