"""Verify models against their downloads, one at a time, and repair damaged files."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo, FileUnverifiable, FiresideError
from fireside.core.events import AppEvent
from fireside.core.for_window import for_window
from fireside.core.hub import (
    BLOCK_BYTES,
    CheckEnded,
    CheckProgressed,
    DownloadFile,
    DownloadId,
    DownloadState,
    VerifyOutcome,
    VerifyResult,
)
from fireside.core.i18n import tr_noop
from fireside.core.model import ModelEntry
from fireside.core.os_errors import render_os_error
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.download_disk import Disk
from fireside.hub.download_plan import DownloadPlan
from fireside.hub.file_repair import CheckedFile, reopen_download, repair_request, verify
from fireside.hub.hub_session import HubSession
from fireside.hub.provenance import read_origin
from fireside.library.library import Library
from fireside.library.lookup import files_of
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.download_scheduler import DownloadScheduler
from fireside.services.library.model_service import ModelService
from fireside.services.throttle import Throttle

_CLOSE_S: Final = 2.0

log = logging.getLogger(__name__)


class _RepairFailed(Exception):
    def __init__(self, error: ErrorInfo) -> None:
        super().__init__(error.sentence)
        self.error = error


class _Check:
    """A model that is being verified, or waits for its turn."""

    def __init__(self, entry: ModelEntry, *, repair: bool) -> None:
        self.entry = entry
        self.repair = repair
        self.cancel = CancelToken()
        self.task: asyncio.Task[None] | None = None
        self.has_started = False

    def stop(self) -> None:
        self.cancel.stop()
        # A task that is cancelled before its first step never runs, and would not report its end.
        if self.task is not None and self.has_started:
            self.task.cancel()


class Verification:
    """A queue of checks of model files. Lives on one event loop; files are read in threads.

    A damaged file is repaired as a download, so that the repair resumes after a restart.
    """

    def __init__(
        self,
        *,
        library: Library,
        models: ModelService,
        downloads: DownloadScheduler,
        session: HubSession,
        before_request: Callable[[], Awaitable[None]],
        files_lock: asyncio.Lock,
        emit: Callable[[AppEvent], None],
    ) -> None:
        """``files_lock`` is held while files are read or renamed, so that they are not moved then."""
        self._library = library
        self._models = models
        self._downloads = downloads
        self._session = session
        self._before_request = before_request
        self._files_lock = files_lock
        self._emit = emit
        self._disk = Disk()
        self._threads = DaemonThreads(name="check")
        self._checks: dict[str, _Check] = {}
        self._check_lock = asyncio.Lock()
        self._is_closed = False

    @for_window
    async def start(self, path: str, *, repair: bool) -> None:
        """Start to compare a model's files with their digests, and to repair them if ``repair``.

        One model is checked at a time; others wait. A model of unknown origin is read once to identify it by
        its content. Progress is emitted as ``CheckProgressed``, at most ten times a second, the end as
        ``CheckEnded``. Raises ``ModelFileMissing``.
        """
        entry = self._models.entry_at(path)
        if path not in self._checks and not self._is_closed:
            check = _Check(entry, repair=repair)
            self._checks[path] = check
            check.task = asyncio.create_task(self._run(check), name="check")

    @for_window
    async def cancel(self, path: str) -> None:
        """Cancel a check; ``CheckEnded`` follows. A repair that runs becomes a paused download."""
        if path in self._checks:
            self._checks[path].stop()

    async def close(self) -> None:
        """Stop all checks. A repair that runs resumes at the next start."""
        self._is_closed = True
        checks = list(self._checks.values())
        for check in checks:
            check.stop()
        tasks = [check.task for check in checks if check.task is not None]
        if tasks:
            await asyncio.wait(tasks, timeout=_CLOSE_S)

    async def _run(self, check: _Check) -> None:
        results: tuple[VerifyResult, ...] = ()
        error: ErrorInfo | None = None
        path = check.entry.path
        check.has_started = True
        try:
            check.cancel.check()
            async with self._check_lock:
                results = await self._check(check)
            if any(result.outcome is not VerifyOutcome.SOUND for result in results):
                await self._models.rescan()
        except (Stopped, asyncio.CancelledError):
            results = ()
        except _RepairFailed as exc:
            error = exc.error
        except FiresideError as exc:
            error = exc.info()
        except Exception:
            log.exception("a check ended by a fault")
            error = FileUnverifiable(path=path, reason=tr_noop("an internal error occurred.")).info()
        del self._checks[path]
        self._emit(CheckEnded(path=path, results=results, error=error))

    async def _check(self, check: _Check) -> tuple[VerifyResult, ...]:
        """Verify all files, then repair what is damaged if requested."""
        file_check = FileCheck(
            check.entry,
            library=self._library,
            disk=self._disk,
            cancel=check.cancel,
            report=self._reporter(check, is_repairing=False),
        )
        async with self._files_lock:
            results = await self._threads.run(file_check.read_all)
        if not check.repair or not file_check.damaged:
            return results
        await self._repair(check, file_check.damaged)
        fetched_bytes = {checked.result.path: _n_damaged_bytes(checked) for checked in file_check.damaged}
        return tuple(
            msgspec.structs.replace(
                result, outcome=VerifyOutcome.REPAIRED, fetched_bytes=fetched_bytes[result.path]
            )
            if result.path in fetched_bytes
            else result
            for result in results
        )

    async def _repair(self, check: _Check, damaged: Sequence[CheckedFile]) -> None:
        """Fetch the damaged blocks as a download. Raises ``Stopped`` if that is paused or cancelled."""
        await self._before_request()
        if check.entry.spec is not None:
            await self._models.unload(check.entry.spec.id)
        # A reopened file must become a download even if the caller is cancelled, or it would be lost.
        queueing = asyncio.ensure_future(self._queue(check, damaged))
        try:
            download_id = await asyncio.shield(queueing)
            await self._wait_until_repaired(check, download_id)
        except asyncio.CancelledError:
            download_id = await queueing
            if not self._is_closed:
                await self._downloads.pause(download_id)
            raise

    async def _queue(self, check: _Check, damaged: Sequence[CheckedFile]) -> DownloadId:
        async with self._files_lock:
            folder = self._library.folder
            for checked in damaged:
                if not Path(checked.result.path).is_relative_to(folder):
                    reason = tr_noop("it is damaged; only files in the library folder can be repaired.")
                    raise FileUnverifiable(path=checked.result.path, reason=reason)
            files = await self._threads.run(lambda: self._repair_requests(damaged, folder=folder))

            def reopen_all() -> None:
                for checked in damaged:
                    reopen_download(Path(checked.result.path), checked, disk=self._disk.below(folder))

            return await self._downloads.add(
                DownloadPlan(title=f"{files[0].repo}:{_label(check.entry)}", files=files, why=""),
                # Only once it is in the queue: a reopened file that is not in the queue would be lost.
                prepare=lambda: self._threads.run(reopen_all),
            )

    async def _wait_until_repaired(self, check: _Check, download_id: DownloadId) -> None:
        report = self._reporter(check, is_repairing=True)
        async with aclosing(self._downloads.watch(download_id)) as states:
            async for download in states:
                if download.state is DownloadState.DONE:
                    return
                if download.state is DownloadState.PAUSED:
                    break
                if download.error is not None:
                    raise _RepairFailed(download.error)
                report((download.n_bytes, download.size_bytes))
        raise Stopped

    def _repair_requests(self, damaged: Sequence[CheckedFile], *, folder: Path) -> tuple[DownloadFile, ...]:
        return tuple(
            repair_request(
                Path(checked.result.path),
                checked,
                session=self._session,
                name=Path(checked.result.path).relative_to(folder).as_posix(),
            )
            for checked in damaged
        )

    def _reporter(self, check: _Check, *, is_repairing: bool) -> Throttle[tuple[int, int]]:
        def emit(progress: tuple[int, int]) -> None:
            if check.entry.path in self._checks:
                n_bytes, size_bytes = progress
                self._emit(
                    CheckProgressed(
                        path=check.entry.path,
                        n_bytes=n_bytes,
                        size_bytes=size_bytes,
                        is_repairing=is_repairing,
                    )
                )

        return Throttle(emit, loop=asyncio.get_running_loop())


def _n_damaged_bytes(checked: CheckedFile) -> int:
    n_bytes = len(checked.result.bad_blocks) * checked.origin.block_bytes
    return min(n_bytes, checked.origin.size_bytes)


def _label(entry: ModelEntry) -> str:
    return entry.spec.quantization if entry.spec is not None else entry.file_name


# Verify all files of a model against their known digests


Report = Callable[[tuple[int, int]], None]


class FileCheck:
    """One verification of one model. ``read_all`` runs in one thread; ``cancel`` stops it from any other."""

    def __init__(
        self, entry: ModelEntry, *, library: Library, disk: Disk, cancel: CancelToken, report: Report
    ) -> None:
        """``report`` receives the bytes read so far and the total of all files."""
        self.damaged: list[CheckedFile] = []
        """Damaged files whose origin is known, so that they can be repaired."""
        self._entry = entry
        self._library = library
        self._disk = disk
        self._cancel = cancel
        self._report = report
        self._n_before = 0
        self._n_total = 0

    def read_all(self) -> tuple[VerifyResult, ...]:
        """Return the result for each file. Blocks as long as the disk takes.

        Files that were not downloaded are hashed, so that the library knows their content from now on. Raises
        ``Stopped``, ``ModelFileMissing`` or ``FileUnverifiable``.
        """
        files = files_of(self._entry)
        self._n_total = sum(self._disk.size_of(path) or 0 for path in files)
        downloaded = [path for path in files if read_origin(path, disk=self._disk) is not None]
        results = [self._verify(path) for path in downloaded]
        if Path(self._entry.path) not in downloaded:
            results += self._identify()
        return tuple(results)

    def _verify(self, path: Path) -> VerifyResult:
        checked = verify(path, disk=self._disk, cancel=self._cancel, on_progress=self._report_progress)
        if checked.result.outcome is VerifyOutcome.DAMAGED:
            self.damaged.append(checked)
        self._n_before += self._disk.size_of(path) or 0
        return checked.result

    def _identify(self) -> list[VerifyResult]:
        """Hash the whole model. Where its content was known before, it must be the same."""
        path = self._entry.path
        try:
            hashes = self._library.identify(path, on_progress=self._report_unless_stopped)
        except OSError as exc:
            raise FileUnverifiable(path=path, reason=f"{render_os_error(exc)}.") from exc
        known = self._entry.sha256
        outcome = VerifyOutcome.KNOWN
        if known and len(hashes) == 1:
            outcome = VerifyOutcome.SOUND if hashes[0] == known else VerifyOutcome.DAMAGED
        n_blocks = -(-self._entry.size_bytes // BLOCK_BYTES)
        return [VerifyResult(path=path, outcome=outcome, n_blocks=n_blocks)]

    def _report_unless_stopped(self, n_bytes: int) -> None:
        self._cancel.check()
        self._report_progress(n_bytes)

    def _report_progress(self, n_bytes: int) -> None:
        self._report((min(self._n_before + n_bytes, self._n_total), self._n_total))
