"""Read files for a collection: bytes, text, chunks. Blocks; any thread."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.os_errors import os_error_words
from fireside.documents.messages import MAX_FILE_BYTES, ReadReply, ReadRequest
from fireside.retrieval.chunking import chunks_of
from fireside.retrieval.scanned_pages import NO_TEXT
from fireside.retrieval.sources import ReadFile, WaitingFile

ReadFiles = Callable[[Sequence[ReadRequest]], Iterable[ReadReply]]
"""Reads files in a process of their own, each when its reply is asked for; it says what is wrong with one."""

BATCH_FILES: Final = 32
BATCH_BYTES: Final = 2_000_000
"""Of files that are read together; a larger one is read alone."""
NEEDS_OCR: Final = tr_noop("no text: it needs OCR.")


def batch_of(waiting: Sequence[WaitingFile]) -> tuple[WaitingFile, ...]:
    """Return those from the front that are read together: at least one."""
    n_bytes = 0
    for n, file in enumerate(waiting[:BATCH_FILES]):
        n_bytes += file.size
        if n and n_bytes > BATCH_BYTES:
            return tuple(waiting[:n])
    return tuple(waiting[:BATCH_FILES])


def read_batch(files: Sequence[WaitingFile], read: ReadFiles) -> Iterator[ReadFile]:
    """Yield what is in files, in their order. A file with the bytes that it had is not read again.

    Each is read when it is asked for: what was taken before may be kept first.
    """
    opened = [_open(file) for file in files]
    replies = iter(read([each.request for each in opened if isinstance(each, _Changed)]))
    for each in opened:
        if isinstance(each, _Changed):
            yield _read_file(next(replies), digest=each.hash, name=each.request.name)
        else:
            yield each


class _Changed(NamedTuple):
    """A file that has to be read."""

    hash: str
    request: ReadRequest


def _open(file: WaitingFile) -> _Changed | ReadFile:
    try:
        data = _bytes_of(Path(file.path))
    except OSError as exc:
        return ReadFile(hash="", error=_cannot_open(exc))
    digest = hashlib.sha256(data).hexdigest()
    if digest == file.hash:
        return ReadFile(hash=digest, is_same=True)
    if len(data) > MAX_FILE_BYTES:
        return ReadFile(hash="", error=tr_noop("larger than 50 MB"))
    return _Changed(digest, ReadRequest(name=file.name, data=data))


def _read_file(reply: ReadReply, *, digest: str, name: str) -> ReadFile:
    if reply.problem:
        return ReadFile(hash="", error=reply.problem)
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


def _bytes_of(path: Path) -> bytes:
    # Between the scan and now it may have become a link or a pipe.
    if not stat.S_ISREG(path.lstat().st_mode):
        raise FileNotFoundError
    with path.open("rb") as file:
        return file.read(MAX_FILE_BYTES + 1)


def _cannot_open(exc: OSError) -> Translatable:
    return Phrase(tr_noop("it cannot be opened ({reason})."), {"reason": os_error_words(exc)})
