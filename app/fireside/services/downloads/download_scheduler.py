"""Schedule downloads: which run, which wait, and report their progress."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import DownloadBusy, DownloadError, DownloadNotFound, ErrorInfo, FiresideError
from fireside.core.for_window import for_window
from fireside.core.hub import (
    Download,
    DownloadEvent,
    DownloadFile,
    DownloadId,
    DownloadProgressed,
    DownloadsChanged,
    DownloadState,
    HubFile,
)
from fireside.gguf.header import printable
from fireside.hub.download_job import DownloadJob, JobResult, TransferRunner
from fireside.hub.download_plan import DownloadPlan, Recommend, make_plan
from fireside.hub.file_transfer import TransferContext
from fireside.hub.partial_file import remove_leftovers
from fireside.hub.queue_file import QueueFile
from fireside.hub.rate_limiter import SpeedMeter
from fireside.services.daemon_threads import DaemonThreads

log = logging.getLogger(__name__)

TICK_S: Final = 0.25
_CLOSE_S: Final = 3.0
_JOIN_INTERVAL_S: Final = 0.5
_ENDED: Final = frozenset({DownloadState.DONE, DownloadState.FAILED, DownloadState.PAUSED})
_WAITING: Final = frozenset({DownloadState.WAITING_FOR_NETWORK, DownloadState.WAITING_FOR_SPACE})


class DownloadScheduler:
    """Owns the download queue. Lives on one event loop; transfers run in threads of their own.

    Only what ``add`` or ``resume`` requested, in this run or an earlier one, is fetched. ``emit`` receives
    the whole queue when a state changes, as ``DownloadsChanged``, and single downloads a few times a second
    while they run, as ``DownloadProgressed``. Methods that take a download's id raise ``DownloadNotFound``.
    """

    def __init__(
        self,
        context: TransferContext,
        *,
        transfer: TransferRunner,
        folder: Callable[[], Path],
        emit: Callable[[DownloadEvent], None],
        n_at_once: Callable[[], int],
        on_done: Callable[[Download], Awaitable[None]],
        before_request: Callable[[], Awaitable[None]],
        queue_file: QueueFile | None = None,
    ) -> None:
        """``folder`` returns the library folder, which may be moved.

        ``on_done`` is awaited when a model is complete and registered, before its download is reported as
        done; ``before_request`` before a request to the hub: it loads the token.
        """
        self._session = context.session
        self._disk = context.disk
        self._transfer = transfer
        self._folder = folder
        self._emit = emit
        self._n_at_once = n_at_once
        self._on_done = on_done
        self._before_request = before_request
        self._queue_file = queue_file
        self._list = DownloadList()
        self._threads = DaemonThreads(name="downloads")
        self._jobs: dict[DownloadId, ActiveDownload] = {}
        self._in_preparation: set[DownloadId] = set()
        self._discarded: dict[DownloadId, tuple[DownloadFile, ...]] = {}
        self._save_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ticker: asyncio.Task[None] | None = None
        self._is_closed = False
        self._has_ended = False
        self._is_suspended = False
        self._updated = asyncio.Event()

    @property
    def downloads(self) -> tuple[Download, ...]:
        return self._list.all

    async def start(self) -> None:
        """Read the queue of the last run, and resume the downloads that ran or waited when it ended."""
        if self._queue_file is None:
            return
        stored = await asyncio.to_thread(self._queue_file.load)
        for download in stored:
            self._list.store(download)
        self._changed()
        if any(download.state is DownloadState.QUEUED for download in stored):
            self._in_background(self._resume_stored())

    async def _resume_stored(self) -> None:
        await self._before_request()
        await self._after_change()

    async def plan(self, text: str, *, recommend: Recommend | None = None) -> DownloadPlan:
        """Return the download plan for ``text``; ``recommend`` chooses a quant, in a thread. Raises
        ``HubError``."""
        await self._before_request()
        return await self._threads.run(lambda: make_plan(self._session, text, recommend=recommend))

    async def add(
        self, plan: DownloadPlan, *, prepare: Callable[[], Awaitable[None]] | None = None
    ) -> DownloadId:
        """Add a model at the end of the queue, or resume it if it is already there.

        ``prepare`` is awaited once the queue with it is stored, and before it runs, so that what it prepares
        is not lost in a crash. The download runs even if ``prepare`` fails.

        Raises ``DownloadBusy`` if a file of it belongs to another download, and what ``prepare`` raises.
        """
        known = self._list.unfinished(plan)
        if known is not None:
            await self.resume(known.id)
            return known.id
        self._list.remove_finished(plan)
        download = Download(
            id=DownloadId(secrets.token_hex(8)),
            title=plan.title,
            files=plan.files,
            state=DownloadState.QUEUED,
        )
        self._list.store(download)
        if prepare is not None:
            await self._prepare(download.id, prepare)
        await self._after_change()
        return download.id

    async def _prepare(self, download_id: DownloadId, prepare: Callable[[], Awaitable[None]]) -> None:
        self._in_preparation.add(download_id)
        try:
            await self._after_change()
            await prepare()
        finally:
            self._in_preparation.discard(download_id)
            await self._remove_discarded(download_id)
            self._schedule()

    @for_window
    async def pause(self, download_id: DownloadId) -> None:
        """Stop a download and keep its partial files."""
        download = self._list.require(download_id)
        if download.state not in _ENDED:
            self._stop(download_id)
            self._list.set_state(download, state=DownloadState.PAUSED)
            await self._after_change()

    @for_window
    async def resume(self, download_id: DownloadId) -> None:
        """Resume a paused download, or retry a failed or waiting one now."""
        download = self._list.require(download_id)
        if download_id in self._jobs and download.state in _WAITING:
            self._jobs[download_id].retry_now()
        if download.state in (DownloadState.PAUSED, DownloadState.FAILED):
            await self._before_request()
            self._list.set_state(self._list.require(download_id), state=DownloadState.QUEUED)
            await self._after_change()

    @for_window
    async def cancel(self, download_id: DownloadId) -> None:
        """Remove a download from the queue and its partial file from the disk. A complete model stays."""
        download = self._list.require(download_id)
        self._list.remove(download_id)
        if download_id in self._jobs or download_id in self._in_preparation:
            self._discarded[download_id] = download.files
            self._stop(download_id)
        elif download.state is not DownloadState.DONE:
            await asyncio.to_thread(self._remove_leftovers, self._list.unneeded(download.files))
        await self._after_change()

    @for_window
    async def move(self, download_id: DownloadId, *, position: int) -> None:
        """Move a download within the queue; ``position`` counts from 0."""
        self._list.move(download_id, position=position)
        await self._after_change()

    async def apply_settings(self) -> None:
        """Apply the number of concurrent downloads, and retry at once those that wait for the network."""
        for download_id in self._running()[max(1, self._n_at_once()) :]:
            self._requeue(download_id)
        for job in self._jobs.values():
            job.retry_now()
        await self._after_change()

    async def suspend_all(self) -> None:
        """Stop all transfers until ``resume_all``; returns when no file is written any more."""
        self._is_suspended = True
        jobs = list(self._jobs.items())
        for download_id, _ in jobs:
            self._requeue(download_id)
        self._changed()
        for _, job in jobs:
            while job.is_alive:
                await asyncio.to_thread(job.join, _JOIN_INTERVAL_S)

    async def resume_all(self) -> None:
        """Resume what ``suspend_all`` stopped."""
        self._is_suspended = False
        await self._after_change()

    async def watch(self, download_id: DownloadId) -> AsyncGenerator[Download, None]:
        """Yield a download after each change of the queue, until it is done, failed or removed."""
        while (download := self._list.get(download_id)) is not None:
            updated = self._updated
            yield download
            if download.state in (DownloadState.DONE, DownloadState.FAILED):
                return
            await updated.wait()

    @for_window
    async def clear_done(self) -> None:
        """Remove finished downloads from the list; their models stay."""
        self._list.clear_done()
        await self._after_change()

    async def close(self) -> None:
        """Stop all transfers and keep the queue. Takes a few seconds at most."""
        self._is_closed = True
        jobs = list(self._jobs.values())
        for job in jobs:
            job.stop()
        for job in jobs:
            await asyncio.to_thread(job.join, _CLOSE_S / len(jobs))
        if self._ticker is not None:
            self._ticker.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_CLOSE_S)
        await self._save()
        self._has_ended = True

    async def _after_change(self) -> None:
        self._schedule()
        self._changed()
        await self._save()

    def _schedule(self) -> None:
        """Start the downloads that may run, in queue order; one that waits for disk space blocks no other."""
        n_running = len(self._running())
        for download in self.downloads:
            if self._is_closed or self._is_suspended or n_running >= max(1, self._n_at_once()):
                break
            if download.state is DownloadState.QUEUED and self._can_start(download):
                self._start(download)
                n_running += 1
        if self._jobs and self._ticker is None:
            self._ticker = asyncio.create_task(self._tick(), name="downloads")

    def _can_start(self, download: Download) -> bool:
        """Whether no job writes a file of ``download``; a job that is still stopping counts."""
        if download.id in self._jobs or download.id in self._in_preparation:
            return False
        return not self._is_written(frozenset(file.name for file in download.files))

    def _is_written(self, names: frozenset[str], *, by_other_than: ActiveDownload | None = None) -> bool:
        jobs = (job for job in self._jobs.values() if job is not by_other_than)
        return any(names & job.files for job in jobs if not job.waits_for_space)

    def _start(self, download: Download) -> None:
        loop = asyncio.get_running_loop()

        def on_end(result: JobResult) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._on_job_ended, download.id, result)

        job = ActiveDownload(download, transfer=self._transfer, on_end=on_end, clock=time.monotonic)
        self._jobs[download.id] = job
        self._list.set_state(download, state=DownloadState.RUNNING)
        job.start()

    def _stop(self, download_id: DownloadId) -> None:
        job = self._jobs.get(download_id)
        if job is not None:
            job.stop()

    def _running(self) -> list[DownloadId]:
        return [known for known, job in self._jobs.items() if not job.is_stopping and not job.waits_for_space]

    def _requeue(self, download_id: DownloadId) -> None:
        """Stop a download and let it wait for its turn."""
        self._stop(download_id)
        download = self._list.get(download_id)
        if download is not None and download.state.is_active:
            self._list.set_state(download, state=DownloadState.QUEUED)

    def _on_job_ended(self, download_id: DownloadId, result: JobResult) -> None:
        if self._has_ended:  # A transfer that did not stop in time. The loop may be closing by now.
            return
        self._in_background(self._finish(download_id, result))

    def _in_background(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finish(self, download_id: DownloadId, result: JobResult) -> None:
        job = self._jobs.pop(download_id, None)
        await self._remove_discarded(download_id)
        download = self._list.get(download_id)
        if download is not None and result.is_done:
            await self._notify_library(download)
            if download_id in self._list:  # It may have been removed meanwhile.
                self._list.set_state(download, state=DownloadState.DONE, n_bytes=download.size_bytes)
        elif download is not None and download.state.is_active:
            if result.error is None:  # The program is ending; the next run resumes the download.
                self._list.set_state(download, state=DownloadState.QUEUED)
            else:
                log.warning("the download of %s failed: %s", download.title, result.error)
                n_bytes = None if job is None else job.report.n_bytes
                failed = result.error.info()
                self._list.set_state(download, state=DownloadState.FAILED, n_bytes=n_bytes, error=failed)
        await self._after_change()

    async def _notify_library(self, download: Download) -> None:
        try:
            await self._on_done(download)
        except FiresideError as exc:
            # The files are there; the next scan of the library finds them.
            log.warning("a finished download is not in the library yet: %s", exc)

    async def _tick(self) -> None:
        """Report the progress of running downloads, as long as there are any."""
        try:
            while self._jobs and not self._is_closed:
                await asyncio.sleep(TICK_S)
                for download_id, job in tuple(self._jobs.items()):
                    download = self._list.get(download_id)
                    if download is not None and download.state.is_active and not job.is_stopping:
                        self._measure(download, job)
        finally:
            self._ticker = None

    def _measure(self, download: Download, job: ActiveDownload) -> None:
        measured = job.measured(download)
        self._list.store(measured)
        if measured.state is not download.state:
            # One that waited for disk space yielded to others; it is queued again once there is space.
            had_no_space = download.state is DownloadState.WAITING_FOR_SPACE
            has_slot = len(self._running()) <= max(1, self._n_at_once())
            if had_no_space and not (has_slot and not self._is_written(job.files, by_other_than=job)):
                self._requeue(download.id)
            self._schedule()
            self._changed()
        else:
            self._publish(DownloadProgressed(download=measured))

    def _changed(self) -> None:
        self._publish(DownloadsChanged(downloads=self.downloads))

    def _publish(self, event: DownloadEvent) -> None:
        self._emit(event)
        updated, self._updated = self._updated, asyncio.Event()
        updated.set()

    async def _save(self) -> None:
        """Return when the queue is on the disk; it is written even if the caller is cancelled."""
        await asyncio.shield(self._in_background(self._write_queue()))

    async def _write_queue(self) -> None:
        if self._queue_file is not None:
            async with self._save_lock:
                await asyncio.to_thread(self._queue_file.save, self.downloads)

    async def _remove_discarded(self, download_id: DownloadId) -> None:
        """Remove the partial files of a download that was cancelled while they were in use."""
        discarded = self._discarded.pop(download_id, None)
        if discarded is not None:
            await asyncio.to_thread(self._remove_leftovers, self._list.unneeded(discarded))

    def _remove_leftovers(self, files: Sequence[DownloadFile]) -> None:
        try:
            remove_leftovers(files, folder=self._folder(), disk=self._disk)
        except DownloadError as exc:
            log.warning("what has arrived of a download was not removed: %s", exc)


# The ordered list of downloads and their states


_DONE: Final = DownloadState.DONE


class DownloadList:
    """Downloads in queue order. Not thread-safe."""

    def __init__(self) -> None:
        self._downloads: dict[DownloadId, Download] = {}

    def __iter__(self) -> Iterator[Download]:
        """Iterate over a snapshot."""
        return iter(self.all)

    def __contains__(self, download_id: DownloadId) -> bool:
        return download_id in self._downloads

    @property
    def all(self) -> tuple[Download, ...]:
        return tuple(self._downloads.values())

    def get(self, download_id: DownloadId) -> Download | None:
        return self._downloads.get(download_id)

    def require(self, download_id: DownloadId) -> Download:
        """Return a download. Raises ``DownloadNotFound``."""
        download = self._downloads.get(download_id)
        if download is None:
            raise DownloadNotFound(id=download_id)
        return download

    def unfinished(self, plan: DownloadPlan) -> Download | None:
        """Return the unfinished download of exactly the files of ``plan``, if there is one."""
        return next(
            (download for download in self if download.files == plan.files and download.state is not _DONE),
            None,
        )

    def remove_finished(self, plan: DownloadPlan) -> None:
        """Remove finished downloads of the same model from the list.

        Raises ``DownloadBusy`` if the model belongs to another download, or a file would get another content.
        Projectors may be shared: two quants of a model use the same one.
        """
        in_use = self._unfinished_files()
        for number, file in enumerate(plan.files):
            if file.name in in_use and (number == 0 or in_use[file.name] != file.file):
                raise DownloadBusy(name=printable(file.file.path))
        self._replace_all(
            download for download in self if download.title != plan.title or download.state is not _DONE
        )

    def unneeded(self, files: Iterable[DownloadFile]) -> tuple[DownloadFile, ...]:
        """Return those of ``files`` that no unfinished download needs."""
        in_use = self._unfinished_files()
        return tuple(file for file in files if file.name not in in_use)

    def store(self, download: Download) -> None:
        """Add a download at the end, or replace the one with its id."""
        self._downloads[download.id] = download

    def set_state(
        self,
        download: Download,
        *,
        state: DownloadState,
        n_bytes: int | None = None,
        error: ErrorInfo | None = None,
    ) -> None:
        """Replace ``download`` by its copy in another state; see ``with_state``."""
        self.store(with_state(download, state=state, n_bytes=n_bytes, error=error))

    def remove(self, download_id: DownloadId) -> None:
        del self._downloads[download_id]

    def move(self, download_id: DownloadId, *, position: int) -> None:
        """Move a download to ``position``, from 0; beyond the end is the end. Raises ``DownloadNotFound``."""
        moved = self.require(download_id)
        others = [download for download in self if download.id != download_id]
        others.insert(max(0, position), moved)
        self._replace_all(others)

    def clear_done(self) -> None:
        self._replace_all(download for download in self if download.state is not _DONE)

    def _unfinished_files(self) -> dict[str, HubFile]:
        return {
            file.name: file.file
            for download in self
            if download.state is not _DONE
            for file in download.files
        }

    def _replace_all(self, downloads: Iterable[Download]) -> None:
        self._downloads = {download.id: download for download in downloads}


# A running download: its job, its speed, and its state for the window


class ActiveDownload(DownloadJob):
    """A job with a speed meter, which belongs to the scheduler's loop."""

    def __init__(
        self,
        download: Download,
        *,
        transfer: TransferRunner,
        on_end: Callable[[JobResult], None],
        clock: Callable[[], float],
    ) -> None:
        super().__init__(download, transfer=transfer, on_end=on_end)
        self._meter = SpeedMeter(clock=clock)

    @property
    def waits_for_space(self) -> bool:
        """Whether it waits for free disk space; others may run meanwhile."""
        return self.report.state is DownloadState.WAITING_FOR_SPACE

    def measured(self, download: Download) -> Download:
        """Return ``download`` with its current progress and speed. To be called at regular intervals."""
        report, meter = self.report, self._meter
        is_running = report.state is DownloadState.RUNNING
        if is_running:
            meter.update(report.n_bytes)
        else:
            meter.restart()
        return msgspec.structs.replace(
            download,
            state=report.state,
            n_bytes=report.n_bytes,
            bytes_per_s=meter.bytes_per_s,
            seconds_left=meter.seconds_left(download.size_bytes - report.n_bytes),
            is_stalled=is_running and meter.is_stalled,
            note=report.note,
        )


def with_state(
    download: Download, *, state: DownloadState, n_bytes: int | None = None, error: ErrorInfo | None = None
) -> Download:
    """Return ``download`` in ``state``, with no speed and no note except ``error``."""
    return msgspec.structs.replace(
        download,
        state=state,
        n_bytes=download.n_bytes if n_bytes is None else n_bytes,
        bytes_per_s=0.0,
        seconds_left=None,
        is_stalled=False,
        note="",
        error=error,
    )
