"""Keep collections in step with their files, in the background and behind every chat."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, TypeVar

from msgspec.structs import replace

from fireside.core.collection import Activity, Collection, CollectionState, Skipped
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.ids import CollectionId
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.folder_scan import scan_root
from fireside.services.collections.meaning import Step
from fireside.services.collections.reading import BATCH_FILES, ReadFiles, batch_of, read_batch
from fireside.services.collections.scans import PageStep

EACH_S: Final = 9.0
"""Between two looks at the folders: a change is seen within ten seconds."""
MAX_SHARE: Final = 0.02
"""Of the time that looking at the folders takes; after a long look the next one comes later."""
_REPORT_S: Final = 0.5
_YIELD_S: Final = 0.25
_LOOK_S: Final = 0.01
"""Between two looks whether a chat has begun, for which a piece of work makes way."""

Embed = Callable[[Collection, Step], Awaitable[bool]]
"""Embeds what has no vector yet of a collection, a piece by each step. Returns whether it did anything."""
ReadScans = Callable[[Collection, PageStep], Awaitable[bool]]
"""Has a model read the pages without text, one by each step. Returns whether it did any."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class _EndedEarlyError(Exception):
    """The collection was changed while it was brought up to date (paused, given another model or folder), or
    it is time to look at the folders again."""


class _Doing:
    """What is done for a collection now, as it is told."""

    def __init__(self) -> None:
        self.activity = Activity.IDLE
        self.working_on = ""
        self.problem = ""
        self.skipped: tuple[Skipped, ...] = ()


class Indexing:
    """Scans, reads and embeds, one collection after the other. Lives on the engine's loop."""

    def __init__(
        self,
        *,
        store: Callable[[], Awaitable[CollectionStore]],
        read: ReadFiles,
        embed: Embed,
        read_scans: ReadScans,
        is_answering: Callable[[], bool],
        report: Callable[[CollectionId, CollectionState], None],
    ) -> None:
        """Take ``is_answering`` as whether a chat is being answered: then nothing new is begun."""
        self._store = store
        self._read = read
        self._embed = embed
        self._read_scans = read_scans
        self._is_answering = is_answering
        self._report = report
        self._doing: dict[CollectionId, _Doing] = {}
        self._reported_s = 0.0
        self._ends_s = math.inf
        """When what goes on is to make way for a look at the folders."""
        self._looked_s = 0.0
        """What looking at folders has taken in this pass."""
        self._last_looked_s = 0.0
        self._wanted = asyncio.Event()
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False

    def start(self) -> None:
        """Begin to look, again and again; no second time if it already does."""
        if self._task is None:
            self._task = asyncio.create_task(self._run(), name="read collections")

    def look_now(self) -> None:
        """Have the folders looked at without waiting."""
        self._wanted.set()

    async def close(self) -> None:
        """End. A file that is being read is read again the next time."""
        self._is_closing = True
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def catch_up(self, collection_id: CollectionId) -> None:
        """Bring one collection up to date and return when it is. Raises ``FiresideError``."""
        async with self._turn:
            while True:
                with contextlib.suppress(_EndedEarlyError):
                    collection = await (await self._store()).collections.get(collection_id)
                    await self._bring_up(collection, most_s=math.inf)
                    return

    def state(self, collection_id: CollectionId, stored: CollectionState) -> CollectionState:
        """Return what the database knows with what is done now."""
        doing = self._doing.get(collection_id, _Doing())
        return replace(
            stored,
            activity=doing.activity,
            working_on=doing.working_on,
            problem=doing.problem,
            skipped=doing.skipped,
        )

    async def _run(self) -> None:
        while True:
            self._wanted.clear()
            self._last_looked_s, self._looked_s = self._looked_s, 0.0
            await self._pass()
            with contextlib.suppress(TimeoutError):
                # Not wait_for, which may take the end of this task for that of the wait.
                async with asyncio.timeout(max(EACH_S, self._looked_s / MAX_SHARE)):
                    await self._wanted.wait()

    async def _pass(self) -> None:
        """Go through all collections once."""
        try:
            collections = await (await self._store()).collections.all()
        except FiresideError as exc:
            log.warning("the collections cannot be read: %s", exc)
            return
        for collection in collections:
            doing = self._doing.setdefault(collection.id, _Doing())
            if collection.is_paused:
                if doing.activity is not Activity.PAUSED:
                    await self._tell(collection.id, Activity.PAUSED)
                continue
            try:
                async with self._turn:
                    most_s = max(EACH_S, self._last_looked_s / MAX_SHARE)
                    await self._bring_up(collection, most_s=most_s)
            except _EndedEarlyError:
                self._wanted.set()
            except FiresideError as exc:
                doing.problem = exc.info().sentence
                await self._settle(collection.id)
            except Exception:
                log.exception("a collection could not be brought up to date")
                doing.problem = tr("An internal error prevents reading it.")
                await self._settle(collection.id)

    async def _settle(self, collection_id: CollectionId) -> None:
        with contextlib.suppress(FiresideError):
            await self._tell(collection_id, Activity.IDLE)

    async def _bring_up(self, collection: Collection, *, most_s: float) -> None:
        """Scan, read and embed one collection.

        What takes longer than ``most_s`` makes way for the other collections, and for changes.
        """
        began = time.monotonic()
        n_changes = await self._scan(collection.id)
        scanned = time.monotonic()
        self._looked_s += scanned - began
        self._ends_s = scanned + most_s
        doing = self._doing.setdefault(collection.id, _Doing())
        has_worked = await self._read_waiting(collection)
        doing.problem = ""
        has_worked |= await self._embed_missing(collection)
        if await self._read_scans(collection, partial(self._step, collection, Activity.READING_SCANS)):
            await self._embed_missing(collection)
            has_worked = True
        doing.working_on = ""
        if has_worked or n_changes:
            await (await self._store()).sources.remove_unused()
        if has_worked or n_changes or doing.activity is not Activity.IDLE:
            await self._tell(collection.id, Activity.IDLE)

    async def _scan(self, collection_id: CollectionId) -> int:
        store = await self._store()
        skipped: list[Skipped] = []
        n_changes = 0
        for root in await store.collections.roots(collection_id):
            scan = await asyncio.to_thread(scan_root, root.path, is_wanted=lambda: not self._is_closing)
            changes = await store.sources.take_scan(collection_id, root.id, scan)
            n_changes += changes.n_new + changes.n_changed + changes.n_moved + changes.n_gone
            skipped += scan.skipped
        sums: dict[str, int] = {}
        for each in skipped:
            sums[each.reason] = sums.get(each.reason, 0) + each.n_files
        self._doing.setdefault(collection_id, _Doing()).skipped = tuple(
            Skipped(reason=tr(reason), n_files=n) for reason, n in sums.items()
        )
        return n_changes

    async def _read_waiting(self, collection: Collection) -> bool:
        store, has_read = await self._store(), False
        doing = self._doing[collection.id]
        while waiting := await store.sources.waiting(collection.id, limit=BATCH_FILES):
            batch = batch_of(waiting)
            # Each is kept before the next is read: a kill costs one file.
            files = read_batch(batch, self._read)
            for file in batch:
                doing.working_on = file.name
                await self._before_step(collection, Activity.READING)
                await store.sources.put(file, await asyncio.to_thread(next, files))
            has_read = True
        doing.working_on = ""
        return has_read

    async def _embed_missing(self, collection: Collection) -> bool:
        return await self._embed(collection, partial(self._step, collection, Activity.EMBEDDING, ""))

    async def _step(
        self, collection: Collection, activity: Activity, name: str, do: Callable[[], Awaitable[T]]
    ) -> T:
        """Do a piece of work once no chat is answered; one that begins ends it, and it is done anew."""
        self._doing[collection.id].working_on = name
        while True:
            await self._before_step(collection, activity)
            work = asyncio.ensure_future(do())
            try:
                while not work.done() and not self._is_answering():
                    await asyncio.wait({work}, timeout=_LOOK_S)
                if work.done():
                    return work.result()
            finally:
                work.cancel()
                await asyncio.gather(work, return_exceptions=True)

    async def _before_step(self, collection: Collection, activity: Activity) -> None:
        """Wait while a chat is answered, and tell now and then how far it is. Raises ``_EndedEarlyError``."""
        if time.monotonic() > self._ends_s:
            raise _EndedEarlyError
        while self._is_answering():
            await self._tell(collection.id, Activity.WAITING, is_brief=True)
            await asyncio.sleep(_YIELD_S)
        if await (await self._store()).collections.get(collection.id) != collection:
            raise _EndedEarlyError
        await self._tell(collection.id, activity, is_brief=True)

    async def _tell(self, collection_id: CollectionId, activity: Activity, *, is_brief: bool = False) -> None:
        """Report where a collection stands; what is ``is_brief`` not more often than it can be read."""
        doing = self._doing.setdefault(collection_id, _Doing())
        is_news = doing.activity is not activity
        doing.activity = activity
        now = time.monotonic()
        if is_brief and not is_news and now - self._reported_s < _REPORT_S:
            return
        self._reported_s = now
        stored = await (await self._store()).sources.state(collection_id)
        self._report(collection_id, self.state(collection_id, stored))
