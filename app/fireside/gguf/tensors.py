"""Read the list of tensors in a GGUF header and check the positions of their data."""

from __future__ import annotations

import struct
from math import prod
from typing import Never

from fireside.core.errors import format_bytes
from fireside.core.i18n import Phrase, tr_noop
from fireside.gguf.cursor import Cursor
from fireside.gguf.format_constants import REMOVED_TENSOR_TYPES, TENSOR_TYPES
from fireside.gguf.header import TensorInfo, printable

MAX_NAME_BYTES = 63
"""ggml's ``GGML_MAX_NAME`` less the final zero."""
MAX_DIMENSIONS = 4
MAX_ELEMENTS = 2**63 - 1
MAX_PADDING = 64 * 1024
"""Bytes behind the last tensor: files end at a multiple of their alignment, of which this is the largest."""
MAX_PLAUSIBLE_BYTES = 16 * 10**12
"""A file that would have to be larger than this is damaged, not incomplete."""

_AFTER_N_DIMENSIONS = tuple(struct.Struct(f"<{n}QIQ") for n in range(MAX_DIMENSIONS + 1))
"""The shape, the type and the offset, by the number of dimensions."""


def read_tensors(cursor: Cursor, count: int) -> tuple[TensorInfo, ...]:
    names: set[str] = set()
    tensors: list[TensorInfo] = []
    for _ in range(count):
        tensor = _read_tensor(cursor)
        if tensor.name in names:
            cursor.refuse_damaged(f"{_named(tensor.name)} is there twice")
        names.add(tensor.name)
        tensors.append(tensor)
    return tuple(tensors)


def _read_tensor(cursor: Cursor) -> TensorInfo:
    length = cursor.string_length(limit=MAX_NAME_BYTES, what="the name of a tensor")
    try:
        name = cursor.take(length).decode()
    except UnicodeDecodeError:
        cursor.refuse_damaged("the name of a tensor is no text")
    n_dimensions = cursor.u32()
    if n_dimensions > MAX_DIMENSIONS:
        cursor.refuse_damaged(f"{_named(name)} has {n_dimensions} dimensions")
    *dimensions, type_id, offset = cursor.unpack(_AFTER_N_DIMENSIONS[n_dimensions])
    shape = tuple(dimensions)
    if type_id not in TENSOR_TYPES:
        _refuse_tensor_type(cursor, name, type_id)
    n_elements = prod(shape)
    if not 0 < n_elements <= MAX_ELEMENTS or max(shape, default=1) > MAX_ELEMENTS:
        cursor.refuse_damaged(f"{_named(name)} has an impossible size")
    tensor_type = TENSOR_TYPES[type_id]
    row = shape[0] if shape else 1
    if row % tensor_type.block_size:
        cursor.refuse_damaged(
            f"{_named(name)} has rows of {row} numbers, which {tensor_type.name} cannot hold"
        )
    n_bytes = n_elements // tensor_type.block_size * tensor_type.block_bytes
    return TensorInfo(
        name=name, shape=shape, type_id=type_id, offset=offset, n_elements=n_elements, n_bytes=n_bytes
    )


def _refuse_tensor_type(cursor: Cursor, name: str, type_id: int) -> Never:
    if type_id in REMOVED_TENSOR_TYPES:
        cursor.refuse(
            Phrase(
                tr_noop(
                    "the quantization {kind} is no longer supported by llama.cpp. Download "
                    "another one, such as Q4_0."
                ),
                {"kind": REMOVED_TENSOR_TYPES[type_id]},
            )
        )
    cursor.refuse(
        Phrase(
            tr_noop("the tensor “{name}” has an unsupported type ({kind})."),
            {"name": printable(name), "kind": type_id},
        )
    )


def check_layout(
    cursor: Cursor, tensors: tuple[TensorInfo, ...], *, data_offset: int, alignment: int, size_bytes: int
) -> None:
    """Refuse unless the tensors are contiguous, as llama.cpp requires, and fill the file to its end.

    What follows them would be read into memory too.
    """
    expected = needed = 0
    for tensor in tensors:
        end = data_offset + tensor.offset + tensor.n_bytes
        if tensor.offset != expected:
            if end > size_bytes:
                cursor.refuse_damaged(f"{_named(tensor.name)} lies outside the file")
            cursor.refuse_damaged(f"{_named(tensor.name)} does not begin where the one before it ends")
        if end > MAX_PLAUSIBLE_BYTES:
            cursor.refuse_damaged(f"{_named(tensor.name)} lies outside the file")
        expected = padded(tensor.offset + tensor.n_bytes, alignment)
        needed = end
    if needed > size_bytes:
        cursor.refuse(
            Phrase(
                tr_noop("the download is incomplete: {part}."),
                {"part": _fraction_text(size_bytes, needed)},
            )
        )
    surplus = size_bytes - max(needed, data_offset)
    if surplus > MAX_PADDING:
        cursor.refuse(
            Phrase(
                tr_noop(
                    "{size} behind its last tensor belong to none; the file is damaged, or was joined from "
                    "parts that are files of their own."
                ),
                {"size": format_bytes(surplus)},
            )
        )


def _named(tensor: str) -> str:
    return f"the tensor “{printable(tensor)}”"


def _fraction_text(part: int, whole: int) -> Phrase:
    part_text, whole_text = format_bytes(part), format_bytes(whole)
    if part_text == whole_text:
        return Phrase(tr_noop("{part} of {whole} bytes"), {"part": part, "whole": whole})
    return Phrase(tr_noop("{part} of {whole}"), {"part": part_text, "whole": whole_text})


def padded(n: int, alignment: int) -> int:
    """Return ``n`` rounded up to a multiple of ``alignment``."""
    return -(-n // alignment) * alignment
