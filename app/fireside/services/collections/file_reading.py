"""Read files of a collection and cut their text into chunks. Blocks; any thread."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Generator, Iterable, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import os_error_text
from fireside.documents.messages import MAX_FILE_BYTES, ReadReply, ReadRequest
from fireside.retrieval.chunking import chunks_of
from fireside.retrieval.scanned_pages import NO_TEXT
from fireside.retrieval.sources import ReadFile, WaitingFile

ReadFiles = Callable[[Sequence[ReadRequest]], Iterable[ReadReply]]
"""Reads files in a separate process, each when its reply is requested; a failure is part of the reply."""

BATCH_FILES: Final = 32
BATCH_BYTES: Final = 2_000_000
"""Of the files of one batch; a larger file is read alone."""
NEEDS_OCR: Final = tr_noop("no text: it needs OCR.")


def next_batch(waiting: Sequence[WaitingFile]) -> tuple[WaitingFile, ...]:
    """Return the files from the front that are read together: at least one."""
    n_bytes = 0
    for n, file in enumerate(waiting[:BATCH_FILES]):
        n_bytes += file.size
        if n and n_bytes > BATCH_BYTES:
            return tuple(waiting[:n])
    return tuple(waiting[:BATCH_FILES])


def read_batch(files: Sequence[WaitingFile], read: ReadFiles) -> Generator[ReadFile, None, None]:
    """Yield the result of each file, in order. A file with unchanged content is not read again.

    Each file is read when its result is requested, so the caller can store the previous result first.
    """
    prepared = [_open(file) for file in files]
    replies = iter(read([item.request for item in prepared if isinstance(item, _Changed)]))
    for item in prepared:
        if isinstance(item, _Changed):
            yield _read_file(next(replies), digest=item.hash, name=item.request.name)
        else:
            yield item


class _Changed(NamedTuple):
    """A file whose content changed, so that it has to be read."""

    hash: str
    request: ReadRequest


def _open(file: WaitingFile) -> _Changed | ReadFile:
    try:
        data = _bytes_of(Path(file.path))
    except OSError as exc:
        return ReadFile(hash="", error=cannot_open(exc), is_temporary=True)
    digest = hashlib.sha256(data).hexdigest()
    if digest == file.hash:
        return ReadFile(hash=digest, is_same=True)
    if len(data) > MAX_FILE_BYTES:
        return ReadFile(hash="", error=tr_noop("larger than 50 MB"))
    return _Changed(digest, ReadRequest(name=file.name, data=data))


def _read_file(reply: ReadReply, *, digest: str, name: str) -> ReadFile:
    if reply.problem:
        return ReadFile(hash="", error=reply.problem, is_temporary=reply.is_temporary)
    chunks = chunks_of(reply, name=name)
    scans = (1,) if reply.picture else reply.scans
    error = "" if chunks else NEEDS_OCR if scans else NO_TEXT
    return ReadFile(
        hash=digest if chunks or scans else "",
        chunks=chunks,
        scans=scans,
        warnings=reply.warnings,
        error=error,
    )


def read_unchanged(path: str, content_hash: str) -> bytes | None:
    """Return the content of a file if it is what was indexed; ``None`` if it has changed. Raises
    ``OSError``."""
    with Path(path).open("rb") as file:
        data = file.read(MAX_FILE_BYTES + 1)
    return data if hashlib.sha256(data).hexdigest() == content_hash else None


def _bytes_of(path: Path) -> bytes:
    # Between the scan and now it may have become a link or a pipe.
    if not stat.S_ISREG(path.lstat().st_mode):
        raise FileNotFoundError
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def cannot_open(exc: OSError) -> Translatable:
    """Return that a file cannot be opened, and why."""
    return Phrase(tr_noop("it cannot be opened ({reason})."), {"reason": os_error_text(exc)})
