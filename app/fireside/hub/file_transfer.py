"""Download one file of the hub, with resume, retries and verification."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import (
    DownloadError,
    HubAnswerInvalid,
    HubError,
    HubOffline,
    HubRateLimited,
    format_wait,
)
from fireside.core.hub import BLOCK_BYTES, DownloadFile, DownloadState, FileOrigin, VerifyOutcome
from fireside.core.i18n import tr, tr_noop
from fireside.core.os_errors import render_os_error
from fireside.hub.cancel_token import CancelToken
from fireside.hub.download_disk import Disk, is_full
from fireside.hub.file_hashing import read_digests
from fireside.hub.file_repair import reopen_in_journal, verify
from fireside.hub.hub_session import FileMetadata, HubSession
from fireside.hub.journal import Journal, JournalHeader
from fireside.hub.partial_file import PartialFile, PartialPaths
from fireside.hub.provenance import read_origin, write_origin
from fireside.hub.rate_limiter import RateLimiter
from fireside.hub.response_stream import ResponseStream
from fireside.hub.safe_filenames import path_below

MARGIN_BYTES: Final = 1_000_000_000
"""Disk space that is left free for everything else."""
SMALL_DISK_SHARE: Final = 50
"""The margin is at most one part in so many of the whole disk."""
RANGE_BYTES: Final = 1024 * 1024 * 1024
"""Largest range of one request: servers cut off longer responses, and some refuse them."""
_MAGIC: Final = b"GGUF"
_DISK_FULL_NOTE: Final = tr_noop("The disk is full. Resumes when there is space.")
_MAX_ROUNDS: Final = 3
"""How often blocks that the disk did not keep are fetched again."""


class TransferOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Tuning values of a transfer; tests use small ones."""

    block_bytes: int = BLOCK_BYTES
    range_bytes: int = RANGE_BYTES
    margin_bytes: int = MARGIN_BYTES
    first_retry_s: float = 1.0
    longest_retry_s: float = 30.0
    longest_retry_after_s: float = 600.0
    """Where the hub asks for a delay. Time while the computer sleeps does not count as waiting, and the
    hub counts in windows of five minutes."""
    space_wait_s: float = 5.0


class TransferReport(msgspec.Struct, frozen=True, kw_only=True):
    """Progress of one file."""

    state: DownloadState
    n_bytes: int
    note: str = ""


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")


class TransferContext(msgspec.Struct, frozen=True, kw_only=True):
    """What the transfers of one program share. Any thread."""

    session: HubSession
    disk: Disk
    limiter: RateLimiter
    options: TransferOptions = TransferOptions()
    now: Callable[[], str] = _now
    """Returns the time in ISO 8601."""
    unload: Callable[[Path], None] = lambda _: None
    """Called from a transfer's thread before an existing file is replaced: not every system allows that
    while the file is in use."""


class FileTransfer:
    """Downloads ``requested`` into ``folder``. ``run`` belongs to one thread; ``cancel`` stops it from any.

    It can be resumed after a kill or a power cut at any moment: at most one block is fetched twice. The file
    gets its name only once its content has the digest that the hub states.
    """

    def __init__(
        self,
        context: TransferContext,
        *,
        folder: Path,
        requested: DownloadFile,
        cancel: CancelToken,
        report: Callable[[TransferReport], None],
    ) -> None:
        """``report`` is called from the transfer's thread."""
        self._session = context.session
        self._disk = context.disk.below(folder)
        self._limiter = context.limiter
        self._now = context.now
        self._options = context.options
        self._unload = context.unload
        self._folder = folder
        self._requested = requested
        self._cancel = cancel
        self._report = report
        self._paths = PartialPaths.of(path_below(folder, requested.name))
        self._note = ""
        self._n_failures = 0
        self._n_reported = 0

    def run(self) -> FileOrigin:
        """Return the file's origin once it is complete, verified and registered.

        Waits without limit, and reports it, while the network is unavailable, the hub is busy or the disk is
        full. Raises ``Stopped``, ``DownloadError``, or a ``HubError`` that waiting does not help.
        """
        while True:
            try:
                return self._attempt()
            except OSError as exc:
                if not is_full(exc):
                    path = str(exc.filename or self._paths.target)
                    raise DownloadError.of(
                        "download_unwritable", path=path, reason=f"{render_os_error(exc)}."
                    ) from exc
            self._report(
                TransferReport(
                    state=DownloadState.WAITING_FOR_SPACE, n_bytes=self._n_reported, note=tr(_DISK_FULL_NOTE)
                )
            )
            self._cancel.wait(self._options.space_wait_s)

    def _attempt(self) -> FileOrigin:
        """Resume from the partial file, to the end. Raises ``OSError``, too."""
        self._wait_for_space_to_start()
        self._disk.make_folder(self._paths.target.parent)
        with Journal.open(self._paths.journal, disk=self._disk, name=self._paths.target.name) as journal:
            try:
                return self._existing_origin(journal) or self._run(journal)
            finally:
                if not journal.blocks:
                    self._discard(journal)

    def _run(self, journal: Journal) -> FileOrigin:
        if journal.header is None or not self._matches_request(journal.header):
            journal.reset(self._header())
        for _ in range(_MAX_ROUNDS):
            with PartialFile(disk=self._disk, path=self._paths.part, journal=journal) as partial:
                self._fetch(partial)
                self._report_state(DownloadState.CHECKING, partial)
                if partial.is_sound(self._cancel):
                    partial.finish()
                elif not partial.n_missing_bytes:
                    break  # The disk kept what arrived, so the server sent wrong content.
            if journal.is_verified:
                return self._register(journal)
        self._discard(journal)
        self._report(TransferReport(state=DownloadState.CHECKING, n_bytes=0))
        raise DownloadError.of("download_damaged", name=self._paths.target.name)

    def _existing_origin(self, journal: Journal) -> FileOrigin | None:
        """Return the file's origin if the file is complete, with or without its registration."""
        actual_bytes = self._disk.size_of(self._paths.target)
        if actual_bytes is None:
            return None
        origin = read_origin(self._paths.target, disk=self._disk)
        if self._requested.mends and origin is not None and self._reopen_if_damaged(origin, journal):
            return None
        if journal.is_verified and self._disk.size_of(self._paths.part) is None:
            return self._register(journal)
        expected = self._requested.file
        if origin is None or origin.size_bytes != actual_bytes:
            return self._adopt(journal) if actual_bytes == expected.size_bytes else None
        request = (self._requested.repo, self._requested.commit, expected.path)
        if origin.digest != expected.digest and (origin.repo, origin.commit, origin.path) != request:
            return None
        self._discard(journal)
        return origin

    def _reopen_if_damaged(self, origin: FileOrigin, journal: Journal) -> bool:
        """Count the sound blocks of a damaged file as arrived; return ``False`` if the file is sound."""
        if origin.digest != self._requested.file.digest:
            return False
        self._report(TransferReport(state=DownloadState.CHECKING, n_bytes=0))
        checked = verify(self._paths.target, disk=self._disk, cancel=self._cancel)
        if checked.result.outcome is VerifyOutcome.SOUND:
            return False
        self._unload(self._paths.target)
        reopen_in_journal(journal, self._paths.target, checked, disk=self._disk)
        return True

    def _adopt(self, journal: Journal) -> FileOrigin | None:
        """Use an existing file if it has the expected content."""
        if journal.blocks:
            return None
        header = self._header()
        self._report(TransferReport(state=DownloadState.CHECKING, n_bytes=0))
        with self._disk.open_to_read(self._paths.target) as file:
            digests = read_digests(file, header, cancel=self._cancel)
        if digests.digest != header.digest:
            return None
        journal.reset(header, dict(enumerate(digests.blocks)))
        return self._register(journal)

    def _discard(self, journal: Journal) -> None:
        self._disk.remove(self._paths.part)
        journal.remove()
        for parent in self._paths.target.parents:
            if parent == self._folder or not self._disk.remove_empty_folder(parent):
                break

    def _register(self, journal: Journal) -> FileOrigin:
        """Rename the complete file, then write its origin."""
        header = journal.header
        assert header is not None
        if self._disk.size_of(self._paths.part) is not None:
            if self._disk.size_of(self._paths.target) is not None:
                self._unload(self._paths.target)
            self._disk.replace(self._paths.part, self._paths.target)
            self._disk.synchronise_folder(self._paths.target.parent)
        origin = FileOrigin(
            repo=header.repo,
            commit=header.commit,
            path=header.path,
            size_bytes=header.size_bytes,
            digest=header.digest,
            block_bytes=header.block_bytes,
            blocks=tuple(digest for _, digest in sorted(journal.blocks.items())),
            downloaded_at=self._now(),
        )
        write_origin(self._paths.target, origin, disk=self._disk)
        journal.remove()
        self._report(TransferReport(state=DownloadState.DONE, n_bytes=header.size_bytes))
        return origin

    def _fetch(self, partial: PartialFile) -> None:
        """Return once every block has arrived."""
        while partial.n_missing_bytes:
            self._cancel.check()
            try:
                self._connect(partial)
            except HubError as exc:
                self._wait_for_network(exc, partial)
            except OSError as exc:
                if not is_full(exc):
                    raise
                partial.drop_unfinished()
                self._report_state(DownloadState.WAITING_FOR_SPACE, partial, note=tr(_DISK_FULL_NOTE))
                self._cancel.wait(self._options.space_wait_s)

    def _connect(self, partial: PartialFile) -> None:
        """Request the next missing range, once. Raises ``HubError`` or ``OSError``."""
        metadata = self._session.file_metadata(
            self._requested.repo, self._requested.commit, self._requested.file.path
        )
        self._restart_if_changed(metadata, partial)
        self._wait_for_space(lambda: partial.n_bytes_to_reserve, n_arrived=partial.n_arrived_bytes)
        partial.reserve()
        begin, end = partial.next_gap()
        end = min(end, begin + self._options.range_bytes)
        with (
            self._session.open_range(
                metadata.location, begin=begin, end=end, size_bytes=metadata.size_bytes
            ) as body,
            self._cancel.interrupting(body),
        ):
            self._report_state(DownloadState.RUNNING, partial)
            try:
                n_before = partial.n_arrived_bytes
                self._receive(body, begin=begin, end=end, partial=partial)
                if partial.n_arrived_bytes == n_before:
                    raise HubAnswerInvalid(host=self._session.host, reason=tr_noop("it is empty."))
            except HubError:
                self._cancel.check()  # A connection that ``stop`` interrupted looks like a broken one.
                raise

    def _receive(self, body: ResponseStream, *, begin: int, end: int, partial: PartialFile) -> None:
        offset = body.first_byte
        for chunk in body:
            self._cancel.check()
            data = chunk[max(0, begin - offset) : max(0, end - offset)]
            position = max(offset, begin)
            offset += len(chunk)
            if not data:
                continue
            if position == 0:
                self._check_magic(data, host=body.host)
            partial.write(position, data)
            self._n_failures = 0
            self._limiter.throttle(len(data), cancel=self._cancel)
            self._report_state(DownloadState.RUNNING, partial)
            if position + len(data) >= end:
                return

    def _restart_if_changed(self, metadata: FileMetadata, partial: PartialFile) -> None:
        header = partial.header
        if (metadata.digest, metadata.size_bytes) == (header.digest, header.size_bytes):
            return
        if partial.n_missing_bytes < header.size_bytes:
            self._note = tr("The file on Hugging Face has changed; the download restarts.")
        partial.restart(
            msgspec.structs.replace(header, digest=metadata.digest, size_bytes=metadata.size_bytes)
        )

    def _check_magic(self, start: bytes, *, host: str) -> None:
        if not self._requested.file.path.casefold().endswith(".gguf"):
            return
        if start[: len(_MAGIC)] != _MAGIC[: len(start)]:
            raise DownloadError.of("download_no_model", name=self._paths.target.name, host=host)

    def _wait_for_network(self, error: HubError, partial: PartialFile) -> None:
        # Offline mode counts as temporary: the transfer resumes after it.
        if not error.retryable and not isinstance(error, HubOffline):
            raise error
        self._cancel.check()
        longest = self._options.longest_retry_s
        wait_s = min(longest, self._options.first_retry_s * 2.0 ** min(self._n_failures, 10))
        if isinstance(error, HubRateLimited) and error.wait_s is not None:
            wait_s = min(self._options.longest_retry_after_s, error.wait_s)
        self._n_failures += 1
        note = error.sentence()
        if wait_s > longest:
            note = tr("{why} Retrying in {wait}.").format(why=note, wait=format_wait(wait_s))
        self._report_state(DownloadState.WAITING_FOR_NETWORK, partial, note=note)
        self._cancel.wait(wait_s)

    def _wait_for_space_to_start(self) -> None:
        n_partial = self._disk.size_of(self._paths.part) or 0
        n_present = self._disk.size_of(self._paths.target)
        if n_present != self._requested.file.size_bytes:
            self._wait_for_space(lambda: self._requested.file.size_bytes - n_partial, n_arrived=0)

    def _wait_for_space(self, needed: Callable[[], int], *, n_arrived: int) -> None:
        """Return once the rest of the file and the margin fit on the disk."""
        folder = self._paths.target.parent
        while (n_bytes := needed()) > 0:
            # The margin of a large disk would leave a 16 GB stick empty.
            margin = min(self._options.margin_bytes, self._disk.total_bytes(folder) // SMALL_DISK_SHARE)
            free = self._disk.free_bytes(folder)
            if free >= n_bytes + margin:
                return
            full = DownloadError.of(
                "download_disk_full",
                folder=str(folder),
                needed_bytes=n_bytes + margin,
                file_bytes=n_bytes,
                reserve_bytes=margin,
                free_bytes=free,
            )
            note = tr("{why} Resumes when there is space.").format(why=full.sentence())
            self._report(TransferReport(state=DownloadState.WAITING_FOR_SPACE, n_bytes=n_arrived, note=note))
            self._cancel.wait(self._options.space_wait_s)

    def _report_state(self, state: DownloadState, partial: PartialFile, *, note: str = "") -> None:
        self._n_reported = partial.n_arrived_bytes
        self._report(TransferReport(state=state, n_bytes=self._n_reported, note=note or self._note))

    def _header(self) -> JournalHeader:
        return JournalHeader(
            repo=self._requested.repo,
            commit=self._requested.commit,
            path=self._requested.file.path,
            digest=self._requested.file.digest,
            size_bytes=self._requested.file.size_bytes,
            block_bytes=self._options.block_bytes,
        )

    def _matches_request(self, header: JournalHeader) -> bool:
        request = (self._requested.repo, self._requested.commit, self._requested.file.path)
        return (header.repo, header.commit, header.path) == request
