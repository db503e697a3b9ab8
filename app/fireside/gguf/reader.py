"""Read and check the header of a GGUF file, never its tensor data.

Bounded in time and memory whatever the file contains: see the limits here, in ``cursor``, ``metadata`` and
``tensors``. It refuses what llama.cpp refuses, with a reason for the user. An accepted file is not safe for
that: it is still loaded in a process of its own.
"""

from __future__ import annotations

import os
import stat
import struct
from math import prod
from pathlib import Path
from typing import Never

from fireside.core.errors import ModelFileInvalid, ModelFileMissing, format_bytes
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import os_error_text
from fireside.gguf.cursor import ByteSource, Cursor
from fireside.gguf.format_constants import (
    MAGIC,
    REMOVED_TENSOR_TYPES,
    SNIFF_BYTES,
    TENSOR_TYPES,
    foreign_format_reason,
)
from fireside.gguf.header import GgufHeader, MetadataValue, TensorInfo, printable
from fireside.gguf.metadata import MetadataReader

MAX_METADATA = 4096
"""All known files have fewer than 200."""
MAX_TENSORS = 16_384
"""All known files have fewer than 3,000."""
MAX_ALIGNMENT = 64 * 1024
DEFAULT_ALIGNMENT = 32
SUPPORTED_VERSIONS = (2, 3)


def read_header(path: str | os.PathLike[str]) -> GgufHeader:
    """Return the header of the file at ``path``. Blocks on the disk; for any thread.

    Raises ``ModelFileMissing`` or ``ModelFileInvalid``, nothing else.
    """
    name = os.fspath(path)
    try:
        status = os.stat(name)  # noqa: PTH116, the path may be invalid
        if not stat.S_ISREG(status.st_mode):
            # A named pipe would block for ever.
            reason: Translatable = (
                tr_noop("it is a folder.")
                if stat.S_ISDIR(status.st_mode)
                else tr_noop("it is not an ordinary file.")
            )
            raise ModelFileInvalid(path=name, reason=reason)
        with Path(name).open("rb", buffering=0) as source:
            return read_header_from(source, size_bytes=status.st_size, path=name)
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise ModelFileMissing(path=name) from exc
    except ValueError as exc:  # A null character or a lone surrogate, which no file name contains.
        raise ModelFileMissing(path=name) from exc
    except OSError as exc:
        reason = Phrase(tr_noop("it cannot be read ({reason})."), {"reason": os_error_text(exc)})
        raise ModelFileInvalid(path=name, reason=reason) from exc


def read_header_from(source: ByteSource, *, size_bytes: int, path: str) -> GgufHeader:
    """Return the header at the start of ``source``, a file of ``size_bytes``.

    ``path`` is for errors and the result only. Raises ``ModelFileInvalid`` and the source's ``OSError``.
    """
    cursor = Cursor(source, size_bytes=size_bytes, path=path)
    version = _read_version(cursor, size_bytes=size_bytes)
    n_tensors, n_metadata = cursor.u64(), cursor.u64()
    if n_tensors > MAX_TENSORS:
        cursor.refuse_damaged(f"invalid number of tensors ({n_tensors})")
    if n_metadata > MAX_METADATA:
        cursor.refuse_damaged(f"invalid number of properties ({n_metadata})")
    reader = MetadataReader(cursor)
    metadata = reader.read(n_metadata)
    alignment = _alignment(cursor, metadata)
    tensors = read_tensors(cursor, n_tensors)
    end = cursor.position
    data_offset = padded(end, alignment) if tensors else end
    check_layout(cursor, tensors, data_offset=data_offset, alignment=alignment, size_bytes=size_bytes)
    return GgufHeader(
        path=path,
        size_bytes=size_bytes,
        version=version,
        alignment=alignment,
        data_offset=data_offset,
        metadata=metadata,
        tensors=tensors,
        kinds=reader.kinds,
    )


def _read_version(cursor: Cursor, *, size_bytes: int) -> int:
    if size_bytes == 0:
        cursor.refuse(tr_noop("it is empty."))
    head = cursor.take(min(SNIFF_BYTES, size_bytes))
    if not head.startswith(MAGIC):
        cursor.refuse(foreign_format_reason(head))
    cursor.rewind(len(MAGIC))
    version = cursor.u32()
    if version == 0:
        cursor.refuse_damaged("it says GGUF version 0, which does not exist")
    if version not in SUPPORTED_VERSIONS:
        cursor.refuse(_describe_version(version))
    return version


def _describe_version(version: int) -> Translatable:
    if version == 1:
        return tr_noop("GGUF version 1 is no longer supported. Download it again.")
    if version & 0xFFFF == 0:
        return tr_noop("it is in big-endian format, which is not supported.")
    return Phrase(tr_noop("GGUF version {version} is not supported (up to 3)."), {"version": version})


def _alignment(cursor: Cursor, metadata: dict[str, MetadataValue]) -> int:
    value = metadata.get("general.alignment", DEFAULT_ALIGNMENT)
    if isinstance(value, bool) or not isinstance(value, int):
        cursor.refuse_damaged("its alignment is not a number")
    if not 0 < value <= MAX_ALIGNMENT or value & (value - 1):
        cursor.refuse_damaged(f"its alignment is {value}, not a power of two up to {MAX_ALIGNMENT}")
    return value


# Read the list of tensors in a GGUF header and check the positions of their data


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
