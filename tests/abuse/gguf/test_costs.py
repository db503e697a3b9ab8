"""The dearest headers that the limits allow: what they make of the memory, and that a clear answer comes."""

from __future__ import annotations

import io
import struct
import tracemalloc
from collections.abc import Callable

import pytest

from fakes.gguf_files import ARRAY, I64, STRING, U8, ArrayOf, GgufFile, Tensor, string_bytes
from fireside.gguf import GgufHeader, read_header_from
from fireside.gguf.cursor import MAX_ARRAY_STRINGS
from fireside.gguf.reader import MAX_METADATA, MAX_TENSORS

MAX_MEMORY = 64 * 1024 * 1024


def many_strings(count: int) -> bytes:
    head = b"GGUF" + struct.pack("<IQQ", 3, 0, 1) + string_bytes("k")
    return head + struct.pack("<IIQ", ARRAY, STRING, count) + string_bytes("") * count


DEAREST: dict[str, Callable[[], bytes]] = {
    "tensors": lambda: GgufFile(tensors=[Tensor(f"{n:063d}", (1,)) for n in range(MAX_TENSORS)]).to_bytes(),
    "properties": lambda: GgufFile(metadata=[(f"{n:060d}", n) for n in range(MAX_METADATA)]).to_bytes(),
    "long names": lambda: GgufFile(metadata=[(f"{n:065535d}", n) for n in range(250)]).to_bytes(),
    "texts": lambda: GgufFile(metadata=[(f"k{n}", "é" * (128 * 1024)) for n in range(63)]).to_bytes(),
    "lists of bytes": lambda: GgufFile(
        metadata=[(f"k{n}", ArrayOf(U8, [1] * 1024)) for n in range(MAX_METADATA)]
    ).to_bytes(),
    "lists of numbers": lambda: GgufFile(
        metadata=[(f"k{n}", ArrayOf(I64, [2**40 + n] * 1024)) for n in range(1_000)]
    ).to_bytes(),
    "lists of texts": lambda: GgufFile(
        metadata=[(f"k{n}", ArrayOf(STRING, ["x"] * 64)) for n in range(MAX_METADATA)]
    ).to_bytes(),
    "one list of texts": lambda: many_strings(MAX_ARRAY_STRINGS),
}


def read(content: bytes) -> GgufHeader:
    return read_header_from(io.BytesIO(content), size_bytes=len(content), path="m.gguf")


@pytest.mark.parametrize("name", DEAREST)
def test_no_header_takes_more_than_its_share_of_memory(name: str) -> None:
    content = DEAREST[name]()
    tracemalloc.start()
    try:
        header = read(content)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert header.metadata or header.tensors
    assert peak < MAX_MEMORY


def test_lists_beyond_the_room_for_all_are_passed_over_and_counted() -> None:
    metadata = [(f"k{n}", ArrayOf(U8, [n % 256] * 1024)) for n in range(65)]
    header = read(GgufFile(metadata=[*metadata, ("last", "still read")]).to_bytes())
    assert header.metadata["k63"] == (63,) * 1024
    assert not isinstance(header.metadata["k64"], tuple)
    assert header.length("k64") == 1024
    assert header.text("last") == "still read"
