"""Verify a downloaded file, and repair it by fetching only its damaged blocks."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import DownloadError, FileUnverifiable, ModelFileMissing
from fireside.core.hub import BLOCK_BYTES, DownloadFile, FileOrigin, HubFile, VerifyOutcome, VerifyResult
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk
from fireside.hub.file_hashing import read_digests
from fireside.hub.hub_session import HubSession
from fireside.hub.journal import Journal, JournalHeader
from fireside.hub.partial_file import PartialPaths
from fireside.hub.provenance import origin_path, read_origin

_BLOB: Final = re.compile(r"sha256[-:](?P<digest>[0-9a-f]{64})")


class CheckedFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was verified: its origin, the result, and the digests of its sound blocks."""

    origin: FileOrigin
    result: VerifyResult
    intact_blocks: dict[int, str]


def verify(
    target: Path, *, disk: Disk, cancel: CancelToken, on_progress: Callable[[int], None] = lambda _: None
) -> CheckedFile:
    """Read a file and compare it with what was downloaded. Opens no connection.

    Raises ``FileUnverifiable`` if it was not downloaded by Fireside and its name has no checksum either,
    ``ModelFileMissing``, ``Stopped``.
    """
    origin = read_origin(target, disk=disk)
    try:
        size_bytes = disk.size_of(target)
        if size_bytes is None:
            raise ModelFileMissing(path=str(target))
        if origin is None:
            origin = _origin_of_blob(target, size_bytes)
        if origin is None:
            reason = tr("it was not downloaded with Fireside, so its checksum is unknown.")
            raise FileUnverifiable(path=str(target), reason=reason)
        header = header_of(origin)
        with disk.open_to_read(target) as file:
            digests = read_digests(file, header, cancel=cancel, on_progress=on_progress)
    except OSError as exc:
        raise FileUnverifiable(path=str(target), reason=f"{render_os_error(exc)}.") from exc
    is_sound = digests.digest == origin.digest and size_bytes == origin.size_bytes
    intact = {
        number: digest
        for number, digest in enumerate(digests.blocks)
        if is_sound or (number < len(origin.blocks) and origin.blocks[number] == digest)
    }
    if not is_sound and len(intact) == header.n_blocks and size_bytes <= origin.size_bytes:
        intact = {}  # The digests of the blocks cannot be right either.
    damaged = tuple(number for number in range(header.n_blocks) if number not in intact)
    outcome = VerifyOutcome.SOUND if is_sound else VerifyOutcome.DAMAGED
    result = VerifyResult(path=str(target), outcome=outcome, n_blocks=header.n_blocks, bad_blocks=damaged)
    return CheckedFile(origin=origin, result=result, intact_blocks=intact)


def _origin_of_blob(target: Path, size_bytes: int) -> FileOrigin | None:
    """Return the origin that a blob's name tells: Ollama and others name blobs by their SHA-256."""
    match = _BLOB.fullmatch(target.name)
    if match is None:
        return None
    return FileOrigin(
        repo="",
        commit="",
        path=target.name,
        size_bytes=size_bytes,
        digest=match["digest"],
        block_bytes=BLOCK_BYTES,
        blocks=(),
        downloaded_at="",
    )


def start_repair(
    target: Path, checked: CheckedFile, *, session: HubSession, disk: Disk, name: str
) -> DownloadFile:
    """Turn a damaged file into a partial download; a ``FileTransfer`` of the result repairs it.

    Raises what ``repair_request`` and ``reopen_download`` raise.
    """
    request = repair_request(target, checked, session=session, name=name)
    reopen_download(target, checked, disk=disk)
    return request


def repair_request(target: Path, checked: CheckedFile, *, session: HubSession, name: str) -> DownloadFile:
    """Return what to fetch to repair a damaged file; ``name`` is its name below the library folder.

    Asks the hub: if it has another version now, the file cannot be repaired. Raises ``HubError`` or
    ``FileUnverifiable``.
    """
    origin = checked.origin
    if not origin.repo:
        reason = tr_noop("it was not downloaded with Fireside. Download it again where it came from.")
        raise FileUnverifiable(path=str(target), reason=reason)
    metadata = session.file_metadata(origin.repo, origin.commit, origin.path)
    if (metadata.digest, metadata.size_bytes) != (origin.digest, origin.size_bytes):
        reason = tr_noop("the file on Hugging Face has changed. Download the new one instead.")
        raise FileUnverifiable(path=str(target), reason=reason)
    file = HubFile(path=origin.path, size_bytes=origin.size_bytes, digest=origin.digest)
    return DownloadFile(repo=origin.repo, commit=origin.commit, file=file, name=name, mends=True)


def reopen_download(target: Path, checked: CheckedFile, *, disk: Disk) -> None:
    """Turn a damaged file into a partial download of which only the damaged blocks are missing.

    Afterwards only a ``FileTransfer`` of the result of ``repair_request`` restores it. Raises
    ``DownloadBusy`` or ``download_unwritable``.
    """
    try:
        with Journal.open(PartialPaths.of(target).journal, disk=disk, name=checked.origin.path) as journal:
            reopen_in_journal(journal, target, checked, disk=disk)
    except OSError as exc:
        raise DownloadError.of(
            "download_unwritable", path=str(target), reason=f"{render_os_error(exc)}."
        ) from exc


def reopen_in_journal(journal: Journal, target: Path, checked: CheckedFile, *, disk: Disk) -> None:
    """Like ``reopen_download``, with the file's open ``journal``. Raises ``OSError``."""
    journal.reset(header_of(checked.origin), checked.intact_blocks)
    disk.replace(target, PartialPaths.of(target).part)
    disk.remove(origin_path(target))
    disk.synchronise_folder(target.parent)


def header_of(origin: FileOrigin) -> JournalHeader:
    """Return the journal header of a downloaded file."""
    return JournalHeader(
        repo=origin.repo,
        commit=origin.commit,
        path=origin.path,
        digest=origin.digest,
        size_bytes=origin.size_bytes,
        block_bytes=origin.block_bytes,
    )
