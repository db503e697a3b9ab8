"""Sealed files give back what was sealed, and nothing else."""

from __future__ import annotations

from io import BufferedReader, BytesIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.files.sealed_file import (
    CHUNK_BYTES,
    NotSealed,
    SealedReader,
    content_bytes,
    seal,
    sealed_bytes,
)

KEY = bytes(range(32))
SIZES = (0, 1, CHUNK_BYTES - 1, CHUNK_BYTES, CHUNK_BYTES + 1, 2 * CHUNK_BYTES, 2 * CHUNK_BYTES + 5)


def opened(sealed: bytes, *, key: bytes = KEY) -> bytes:
    return BufferedReader(SealedReader(BytesIO(sealed), n_file_bytes=len(sealed), key=key)).read()


def content_of(n_bytes: int) -> bytes:
    return bytes(number % 251 for number in range(1000)) * (n_bytes // 1000) + b"z" * (n_bytes % 1000)


@pytest.mark.parametrize("n_bytes", SIZES)
def test_what_was_sealed_comes_back(n_bytes: int) -> None:
    content = content_of(n_bytes)
    sealed = b"".join(seal([content[:7], memoryview(content)[7:]], key=KEY))
    assert opened(sealed) == content
    assert len(sealed) == sealed_bytes(n_bytes)
    assert content_bytes(len(sealed)) == n_bytes
    assert n_bytes < 500 or content[:500] not in sealed


def test_two_files_of_one_content_have_nothing_in_common() -> None:
    first, second = (b"".join(seal([b"the same"], key=KEY)) for _ in range(2))
    assert first[8:] != second[8:]


SEALED = b"".join(seal([content_of(2 * CHUNK_BYTES + 9)], key=KEY))
CHUNK = CHUNK_BYTES + 16


@pytest.mark.parametrize(
    "changed",
    [
        SEALED[: 24 + 2 * CHUNK],  # the last chunk is missing
        SEALED[: 24 + CHUNK],
        SEALED[:-1],
        SEALED[:20],
        SEALED + b"0",
        SEALED[:24]
        + SEALED[24 + CHUNK : 24 + 2 * CHUNK]
        + SEALED[24 : 24 + CHUNK]
        + SEALED[24 + 2 * CHUNK :],
        b"",
        b"x" * 2000,
    ],
)
def test_a_file_that_is_cut_or_put_together_otherwise_is_refused(changed: bytes) -> None:
    with pytest.raises(NotSealed):
        opened(changed)


@given(place=st.integers(0, len(SEALED) - 1), bit=st.integers(0, 7))
def test_no_bit_may_change(place: int, bit: int) -> None:
    changed = bytearray(SEALED)
    changed[place] ^= 1 << bit
    with pytest.raises(NotSealed):
        opened(bytes(changed))


def test_another_key_opens_nothing() -> None:
    with pytest.raises(NotSealed):
        opened(SEALED, key=bytes(32))
