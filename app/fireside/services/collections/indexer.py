"""Keep collections up to date with their files, in the background, while no chat is being answered."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable, Generator, Sequence, Set
from functools import partial
from itertools import takewhile
from typing import Final, TypeVar

from msgspec.structs import replace

from fireside.core.collection import Activity, Collection, CollectionState, SkippedFiles
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.folder_scan import is_recording, scan_root, without
from fireside.retrieval.sources import ReadFile, WaitingFile
from fireside.services.collections.file_reading import BATCH_FILES, ReadFiles, next_batch, read_batch
from fireside.services.collections.recording_reader import Transcribe, read_recording
from fireside.services.collections.scanned_page_reader import RunPageStep
from fireside.services.collections.semantic_search import RunStep

SCAN_INTERVAL_S: Final = 9.0
"""Between two scans of the folders: a change is noticed within ten seconds."""
MAX_SHARE: Final = 0.02
"""Largest share of the time that scans may take; after a long scan the next one comes later."""
_REPORT_S: Final = 0.5
_CLOSE_RETRY_S: Final = 0.05
_YIELD_S: Final = 0.25
_CHECK_S: Final = 0.01
"""Interval at which it is checked whether a chat began, which interrupts a step of work."""

Embed = Callable[[Collection, RunStep], Awaitable[bool]]
"""Embeds the texts of a collection that have no vector yet, one batch a step. Returns whether there were
any."""
ReadScans = Callable[[Collection, RunPageStep], Awaitable[bool]]
"""Has a model read the pages without text, one a step. Returns whether there were any."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class _InterruptedError(Exception):
    """The collection was changed while it was updated (paused, given another model or folder), or the next
    scan of the folders is due."""


class _Progress:
    """What is being done for a collection now, as it is reported."""

    def __init__(self) -> None:
        self.activity = Activity.IDLE
        self.working_on = ""
        self.problem = ""
        self.skipped: tuple[SkippedFiles, ...] = ()


class Indexer:
    """Scans, reads and embeds, one collection after the other. Lives on the engine's loop."""

    def __init__(
        self,
        *,
        store: Callable[[], Awaitable[CollectionStore]],
        read: ReadFiles,
        embed: Embed,
        read_scans: ReadScans,
        transcribe: Transcribe,
        is_answering: Callable[[], bool],
        report: Callable[[CollectionId, CollectionState], None],
    ) -> None:
        """``is_answering`` returns whether a chat is being answered: no step starts meanwhile."""
        self._store = store
        self._read = read
        self._embed = embed
        self._read_scans = read_scans
        self._transcribe = transcribe
        self._is_answering = is_answering
        self._report = report
        self._progress: dict[CollectionId, _Progress] = {}
        self._reported_s = 0.0
        self._yield_at_s = math.inf
        """When the current update must yield to a scan of the folders."""
        self._scan_s = 0.0
        """Seconds spent on scanning folders in this pass."""
        self._last_scan_s = 0.0
        self._rescan_requested = asyncio.Event()
        self._update_lock = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False

    def start(self) -> None:
        """Start scanning at intervals, unless it already runs."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="read collections")

    def rescan_now(self) -> None:
        """Scan the folders now, without waiting for the interval."""
        self._rescan_requested.set()

    async def close(self) -> None:
        """Stop. A file that is being read is read again next time."""
        self._is_closing = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def catch_up(self, collection_id: CollectionId) -> None:
        """Update one collection and return when that is done. Raises ``FiresideError``."""
        async with self._update_lock:
            while True:
                with contextlib.suppress(_InterruptedError):
                    collection = await (await self._store()).collections.get(collection_id)
                    await self._update(collection, most_s=math.inf)
                    return

    def state(self, collection_id: CollectionId, stored: CollectionState) -> CollectionState:
        """Return the ``stored`` state of a collection with what is being done for it now."""
        progress = self._progress.get(collection_id, _Progress())
        return replace(
            stored,
            activity=progress.activity,
            working_on=progress.working_on,
            problem=progress.problem,
            skipped=progress.skipped,
        )

    async def _run(self) -> None:
        while True:
            self._rescan_requested.clear()
            self._last_scan_s, self._scan_s = self._scan_s, 0.0
            await self._update_all()
            with contextlib.suppress(TimeoutError):
                # Not wait_for, which may take the cancellation of this task for that of the wait.
                async with asyncio.timeout(max(SCAN_INTERVAL_S, self._scan_s / MAX_SHARE)):
                    await self._rescan_requested.wait()

    async def _update_all(self) -> None:
        """Update each collection once."""
        try:
            collections = await (await self._store()).collections.all()
        except FiresideError as exc:
            log.warning("the collections cannot be read: %s", exc)
            return
        for collection in collections:
            progress = self._progress.setdefault(collection.id, _Progress())
            if collection.is_paused:
                if progress.activity is not Activity.PAUSED:
                    await self._report_state(collection.id, Activity.PAUSED)
                continue
            try:
                async with self._update_lock:
                    most_s = max(SCAN_INTERVAL_S, self._last_scan_s / MAX_SHARE)
                    await self._update(collection, most_s=most_s)
            except _InterruptedError:
                self._rescan_requested.set()
            except FiresideError as exc:
                progress.problem = exc.info().sentence
                await self._restore_state(collection.id)
            except Exception:
                log.exception("a collection could not be brought up to date")
                progress.problem = tr("An internal error prevents reading it.")
                await self._restore_state(collection.id)

    async def _restore_state(self, collection_id: CollectionId) -> None:
        with contextlib.suppress(FiresideError):
            await self._report_state(collection_id, Activity.IDLE)

    async def _update(self, collection: Collection, *, most_s: float) -> None:
        """Scan, read and embed one collection.

        After ``most_s`` seconds it yields to the other collections, and to a scan for changes.
        """
        began = time.monotonic()
        n_changes = await self._scan(collection.id)
        await (await self._store()).sources.retry_temporary(collection.id)
        scanned = time.monotonic()
        self._scan_s += scanned - began
        self._yield_at_s = scanned + most_s
        progress = self._progress.setdefault(collection.id, _Progress())
        has_worked = await self._read_pending(collection)
        progress.problem = ""
        has_worked |= await self._embed_missing(collection)
        if await self._read_scans(collection, partial(self._step, collection, Activity.READING_SCANS)):
            await self._embed_missing(collection)
            has_worked = True
        progress.working_on = ""
        if has_worked or n_changes:
            await (await self._store()).sources.remove_unused()
        if has_worked or n_changes or progress.activity is not Activity.IDLE:
            await self._report_state(collection.id, Activity.IDLE)

    async def _scan(self, collection_id: CollectionId) -> int:
        store = await self._store()
        skipped: list[SkippedFiles] = []
        n_changes = 0
        left_out = await store.collections.left_out(collection_id)
        for root in await store.collections.roots(collection_id):
            scan = await asyncio.to_thread(scan_root, root.path, should_continue=lambda: not self._is_closing)
            scan = without(scan, left_out)
            changes = await store.sources.apply_scan(collection_id, root.id, scan)
            n_changes += changes.n_new + changes.n_changed + changes.n_moved + changes.n_gone
            skipped += scan.skipped
        n_by_reason: dict[str, int] = {}
        for each in skipped:
            n_by_reason[each.reason] = n_by_reason.get(each.reason, 0) + each.n_files
        self._progress.setdefault(collection_id, _Progress()).skipped = tuple(
            SkippedFiles(reason=tr(reason), n_files=n) for reason, n in n_by_reason.items()
        )
        return n_changes

    async def _read_pending(self, collection: Collection) -> bool:
        store, has_read = await self._store(), False
        progress = self._progress[collection.id]
        roots = {root.path for root in await store.collections.roots(collection.id)}
        while pending := await store.sources.waiting(collection.id, limit=BATCH_FILES):
            has_read = True
            documents = await asyncio.to_thread(_documents_before_a_recording, pending, roots)
            if not documents:
                read = await self._transcribed(collection, pending[0])
                await store.sources.store_result(pending[0], read)
                continue
            batch = next_batch(documents)
            # Each result is stored before the next file is read: a kill costs one file.
            files = read_batch(batch, self._read)
            try:
                for file in batch:
                    progress.working_on = file.name
                    await self._before_step(collection, Activity.READING)
                    await store.sources.store_result(file, await asyncio.to_thread(next, files))
            finally:
                # Ends the process that reads, also where this task was cancelled while a thread waits for it.
                asyncio.get_running_loop().run_in_executor(None, _close, files)
        progress.working_on = ""
        return has_read

    async def _transcribed(self, collection: Collection, file: WaitingFile) -> ReadFile:
        """Transcribe a recording, which may take an hour: chats go on meanwhile, a pause ends it.

        Raises ``_InterruptedError``.
        """
        progress = self._progress[collection.id]
        progress.working_on = file.name
        await self._before_step(collection, Activity.READING)

        def show(position: str) -> None:
            progress.working_on = f"{file.name}, {position}"

        work = asyncio.create_task(read_recording(file, self._transcribe, on_progress=show))
        try:
            while not work.done():
                await asyncio.wait({work}, timeout=_REPORT_S)
                if await (await self._store()).collections.get(collection.id) != collection:
                    raise _InterruptedError
                await self._report_state(collection.id, Activity.READING, is_throttled=True)
            return work.result()
        finally:
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)
            progress.working_on = ""

    async def _embed_missing(self, collection: Collection) -> bool:
        return await self._embed(collection, partial(self._step, collection, Activity.EMBEDDING, ""))

    async def _step(
        self, collection: Collection, activity: Activity, name: str, do: Callable[[], Awaitable[T]]
    ) -> T:
        """Run a step while no chat is answered; a chat that begins cancels it, and it is run again
        afterwards."""
        self._progress[collection.id].working_on = name
        while True:
            await self._before_step(collection, activity)
            work = asyncio.ensure_future(do())
            try:
                while not work.done() and not self._is_answering():
                    await asyncio.wait({work}, timeout=_CHECK_S)
                if work.done():
                    return work.result()
            finally:
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)

    async def _before_step(self, collection: Collection, activity: Activity) -> None:
        """Wait while a chat is answered, and report progress at intervals. Raises ``_EndedEarlyError``."""
        if time.monotonic() > self._yield_at_s:
            raise _InterruptedError
        while self._is_answering():
            await self._report_state(collection.id, Activity.WAITING, is_throttled=True)
            await asyncio.sleep(_YIELD_S)
        if await (await self._store()).collections.get(collection.id) != collection:
            raise _InterruptedError
        await self._report_state(collection.id, activity, is_throttled=True)

    async def _report_state(
        self, collection_id: CollectionId, activity: Activity, *, is_throttled: bool = False
    ) -> None:
        """Report the state of a collection; with ``is_throttled`` at most every ``_REPORT_S``, unless the
        activity has changed."""
        progress = self._progress.setdefault(collection_id, _Progress())
        has_changed = progress.activity is not activity
        progress.activity = activity
        now = time.monotonic()
        if is_throttled and not has_changed and now - self._reported_s < _REPORT_S:
            return
        self._reported_s = now
        stored = await (await self._store()).sources.state(collection_id)
        self._report(collection_id, self.state(collection_id, stored))


def _close(files: Generator[ReadFile, None, None]) -> None:
    while True:
        try:
            return files.close()
        except ValueError:  # a thread is in it
            time.sleep(_CLOSE_RETRY_S)


def _documents_before_a_recording(files: Sequence[WaitingFile], roots: Set[str]) -> tuple[WaitingFile, ...]:
    """Return the files before the first recording that was added by itself. Blocks."""
    return tuple(takewhile(lambda file: file.path not in roots or not is_recording(file.path), files))
