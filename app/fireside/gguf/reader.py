"""Read and check the header of a GGUF file, never its tensor data.

Bounded in time and memory whatever the file contains: see the limits here, in ``cursor``, ``metadata`` and
``tensors``. It refuses what llama.cpp refuses, with a reason for the user. An accepted file is not safe for
that: it is still loaded in a process of its own.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from fireside.core.errors import ModelFileInvalid, ModelFileMissing
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import os_error_text
from fireside.gguf.cursor import ByteSource, Cursor
from fireside.gguf.file_signatures import MAGIC, SNIFF_BYTES, foreign_format_reason
from fireside.gguf.header import GgufHeader, MetadataValue
from fireside.gguf.metadata import MetadataReader
from fireside.gguf.tensors import check_layout, padded, read_tensors

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
