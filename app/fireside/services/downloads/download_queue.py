"""The queue of downloads: what runs, what waits, and telling how far each is."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Sequence
from pathlib import Path
from typing import Final

from fireside.core.errors import FiresideError, LibraryFolderAway
from fireside.core.hub import (
    Download,
    DownloadEvent,
    DownloadId,
    DownloadProgressed,
    DownloadsChanged,
    DownloadState,
    WantedFile,
)
from fireside.hub.download_job import JobResult, TransferRunner
from fireside.hub.download_plan import DownloadPlan, Recommend, make_plan
from fireside.hub.file_transfer import TransferContext
from fireside.hub.partial_file import remove_leftovers
from fireside.hub.queue_file import QueueFile
from fireside.services.daemon_threads import DaemonThreads
from fireside.services.downloads.active_download import ActiveDownload
from fireside.services.downloads.download_list import DownloadList

log = logging.getLogger(__name__)

TICK_S: Final = 0.25
_CLOSE_S: Final = 3.0
_LOOK_S: Final = 0.5
_ENDED: Final = frozenset({DownloadState.DONE, DownloadState.FAILED, DownloadState.PAUSED})
_WAITING: Final = frozenset({DownloadState.WAITING_FOR_NETWORK, DownloadState.WAITING_FOR_SPACE})


class Downloads:
    """Owns the queue. Every method on one event loop; transfers run in threads of their own.

    Nothing is fetched but what ``add`` or ``resume`` asked for, in this run or an earlier one. ``emit`` gets
    the whole queue when something in it is in another state, and single downloads a few times a second while
    they run.
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
        before_asking: Callable[[], Awaitable[None]],
        queue_file: QueueFile | None = None,
    ) -> None:
        """``folder`` returns the library's, which may be moved.

        ``on_done`` is awaited when a model is whole and registered, before its download says so;
        ``before_asking`` before the hub is asked: there the token is looked for.
        """
        self._session = context.session
        self._disk = context.disk
        self._transfer = transfer
        self._folder = folder
        self._emit = emit
        self._n_at_once = n_at_once
        self._on_done = on_done
        self._before_asking = before_asking
        self._queue_file = queue_file
        self._list = DownloadList()
        self._errands = DaemonThreads(name="downloads")
        self._jobs: dict[DownloadId, ActiveDownload] = {}
        self._in_preparation: set[DownloadId] = set()
        self._discarded: dict[DownloadId, tuple[WantedFile, ...]] = {}
        self._save_lock = asyncio.Lock()
        self._tasks: set[asyncio.Task[None]] = set()
        self._ticker: asyncio.Task[None] | None = None
        self._is_closed = False
        self._is_over = False
        self._is_held = False
        self._moved = asyncio.Event()

    @property
    def downloads(self) -> tuple[Download, ...]:
        """The queue, in its order."""
        return self._list.all

    async def start(self) -> None:
        """Read the queue of the last run, and go on with what ran or waited when it ended."""
        if self._queue_file is None:
            return
        stored = await asyncio.to_thread(self._queue_file.load)
        for download in stored:
            self._list.put(download)
        self._changed()
        if any(download.state is DownloadState.QUEUED for download in stored):
            self._in_background(self._go_on())

    async def _go_on(self) -> None:
        await self._before_asking()
        await self._after_change()

    async def plan(self, text: str, *, recommend: Recommend | None = None) -> DownloadPlan:
        """Ask the hub what ``text`` names; ``recommend`` chooses a size, in a thread. Raises ``HubError``."""
        await self._before_asking()
        return await self._errands.run(lambda: make_plan(self._session, text, recommend=recommend))

    async def add(
        self, plan: DownloadPlan, *, prepare: Callable[[], Awaitable[None]] | None = None
    ) -> DownloadId:
        """Put a model at the end of the queue, or go on with it if it is there.

        ``prepare`` is awaited when the queue with it is on the disk, and before it runs: what is made ready
        then is not forgotten, whatever happens. It runs all the same if that fails.

        Raises ``DownloadBusy`` if a file of it belongs to another download, and what ``prepare`` raises.
        """
        known = self._list.unfinished(plan)
        if known is not None:
            await self.resume(known.id)
            return known.id
        self._list.make_way_for(plan)
        download = Download(
            id=DownloadId(secrets.token_hex(8)),
            title=plan.title,
            files=plan.files,
            state=DownloadState.QUEUED,
        )
        self._list.put(download)
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

    async def pause(self, download_id: DownloadId) -> None:
        """Stop a download; what has arrived is kept. Raises ``DownloadNotFound``, as all others do."""
        download = self._list.known(download_id)
        if download.state not in _ENDED:
            self._stop(download_id)
            self._list.rest(download, state=DownloadState.PAUSED)
            await self._after_change()

    async def resume(self, download_id: DownloadId) -> None:
        download = self._list.known(download_id)
        if download_id in self._jobs and download.state in _WAITING:
            self._jobs[download_id].hurry()
        if download.state in (DownloadState.PAUSED, DownloadState.FAILED):
            await self._before_asking()
            self._list.rest(self._list.known(download_id), state=DownloadState.QUEUED)
            await self._after_change()

    async def cancel(self, download_id: DownloadId) -> None:
        download = self._list.known(download_id)
        self._list.remove(download_id)
        if download_id in self._jobs or download_id in self._in_preparation:
            self._discarded[download_id] = download.files
            self._stop(download_id)
        elif download.state is not DownloadState.DONE:
            await asyncio.to_thread(self._remove_leftovers, self._list.wanted_by_none(download.files))
        await self._after_change()

    async def move(self, download_id: DownloadId, *, position: int) -> None:
        self._list.move(download_id, position=position)
        await self._after_change()

    async def settings_changed(self) -> None:
        """Run as many at a time as is set now, and try again at once what waits for the network."""
        for download_id in self._running()[max(1, self._n_at_once()) :]:
            self._requeue(download_id)
        for job in self._jobs.values():
            job.hurry()
        await self._after_change()

    async def hold(self) -> None:
        """Stop every transfer and begin none until ``release``; returns when no file is written any more."""
        self._is_held = True
        jobs = list(self._jobs.items())
        for download_id, _ in jobs:
            self._requeue(download_id)
        self._changed()
        for _, job in jobs:
            while job.is_alive:
                await asyncio.to_thread(job.join, _LOOK_S)

    async def release(self) -> None:
        """Go on with all that ``hold`` stopped."""
        self._is_held = False
        await self._after_change()

    async def follow(self, download_id: DownloadId) -> AsyncGenerator[Download, None]:
        """Give a download each time something in the queue moves, until it is done, failed or gone."""
        while (download := self._list.get(download_id)) is not None:
            moved = self._moved
            yield download
            if download.state in (DownloadState.DONE, DownloadState.FAILED):
                return
            await moved.wait()

    async def clear_done(self) -> None:
        self._list.clear_done()
        await self._after_change()

    async def close(self) -> None:
        """Stop every transfer and keep the queue. Takes a few seconds at most."""
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
        self._is_over = True

    async def _after_change(self) -> None:
        self._schedule()
        self._changed()
        await self._save()

    def _schedule(self) -> None:
        """Start what may run now, from the head of the queue; what waits for room on the disk holds nothing
        up."""
        n_running = len(self._running())
        for download in self.downloads:
            if self._is_closed or self._is_held or n_running >= max(1, self._n_at_once()):
                break
            if download.state is DownloadState.QUEUED and self._is_free(download):
                self._start(download)
                n_running += 1
        if self._jobs and self._ticker is None:
            self._ticker = asyncio.create_task(self._tick(), name="downloads")

    def _is_free(self, download: Download) -> bool:
        """Whether no job holds a file of it: one that was stopped a moment ago does, too."""
        if download.id in self._jobs or download.id in self._in_preparation:
            return False
        return not self._is_written(frozenset(wanted.name for wanted in download.files))

    def _is_written(self, names: frozenset[str], *, by_other_than: ActiveDownload | None = None) -> bool:
        jobs = (job for job in self._jobs.values() if job is not by_other_than)
        return any(names & job.files for job in jobs if not job.waits_for_space)

    def _start(self, download: Download) -> None:
        loop = asyncio.get_running_loop()

        def on_end(ended: JobResult) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(self._ended, download.id, ended)

        job = ActiveDownload(download, transfer=self._transfer, on_end=on_end, clock=time.monotonic)
        self._jobs[download.id] = job
        self._list.rest(download, state=DownloadState.RUNNING)
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
            self._list.rest(download, state=DownloadState.QUEUED)

    def _ended(self, download_id: DownloadId, ended: JobResult) -> None:
        if self._is_over:  # A transfer that did not heed its stop in time. The loop may be ending by now.
            return
        self._in_background(self._finish(download_id, ended))

    def _in_background(self, work: Coroutine[object, object, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    async def _finish(self, download_id: DownloadId, ended: JobResult) -> None:
        job = self._jobs.pop(download_id, None)
        await self._remove_discarded(download_id)
        download = self._list.get(download_id)
        if download is not None and ended.is_done:
            await self._tell_library(download)
            if download_id in self._list:  # It may have been taken off the queue meanwhile.
                self._list.rest(download, state=DownloadState.DONE, n_bytes=download.size_bytes)
        elif download is not None and download.state.is_active:
            if ended.error is None:
                self._list.rest(
                    download, state=DownloadState.QUEUED
                )  # The program ends, and goes on next time.
            else:
                log.warning("the download of %s failed: %s", download.title, ended.error)
                n_bytes = None if job is None else job.report.n_bytes
                failed = ended.error.info()
                self._list.rest(download, state=DownloadState.FAILED, n_bytes=n_bytes, error=failed)
        await self._after_change()

    async def _tell_library(self, download: Download) -> None:
        try:
            await self._on_done(download)
        except FiresideError as exc:
            # The files are there; the next look at the library finds them.
            log.warning("a finished download is not in the library yet: %s", exc)

    async def _tick(self) -> None:
        """Tell how far the running downloads are, as long as there are any."""
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
        self._list.put(measured)
        if measured.state is not download.state:
            # One that waits for room makes way for others, and waits for its turn when there is some.
            is_back = download.state is DownloadState.WAITING_FOR_SPACE
            has_turn = len(self._running()) <= max(1, self._n_at_once())
            if is_back and not (has_turn and not self._is_written(job.files, by_other_than=job)):
                self._requeue(download.id)
            self._schedule()
            self._changed()
        else:
            self._tell(DownloadProgressed(download=measured))

    def _changed(self) -> None:
        self._tell(DownloadsChanged(downloads=self.downloads))

    def _tell(self, event: DownloadEvent) -> None:
        self._emit(event)
        moved, self._moved = self._moved, asyncio.Event()
        moved.set()

    async def _save(self) -> None:
        """Return when the queue is on the disk; it gets there also if no caller waits any more."""
        await asyncio.shield(self._in_background(self._write_queue()))

    async def _write_queue(self) -> None:
        if self._queue_file is not None:
            async with self._save_lock:
                await asyncio.to_thread(self._queue_file.save, self.downloads)

    async def _remove_discarded(self, download_id: DownloadId) -> None:
        """Remove what is left of a download that was cancelled while its files were in use."""
        discarded = self._discarded.pop(download_id, None)
        if discarded is not None:
            await asyncio.to_thread(self._remove_leftovers, self._list.wanted_by_none(discarded))

    def _remove_leftovers(self, files: Sequence[WantedFile]) -> None:
        try:
            remove_leftovers(files, folder=self._folder(), disk=self._disk)
        except LibraryFolderAway as exc:
            log.warning("what has arrived of a download was not removed: %s", exc)
