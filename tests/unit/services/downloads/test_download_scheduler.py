"""The queue of downloads: what runs, what waits, what is kept over a restart."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
import pytest

from fakes.fake_hub import FakeHub, Fault, Repo, fake_hub, gguf_bytes
from fakes.hub_place import BLOCK, QUICK
from fireside.core.errors import DownloadBusy, DownloadNotFound
from fireside.core.hub import (
    Download,
    DownloadEvent,
    DownloadFile,
    DownloadId,
    DownloadsChanged,
    DownloadState,
    FileOrigin,
)
from fireside.hub.cancel_token import CancelToken, Stopped
from fireside.hub.download_disk import Disk
from fireside.hub.file_transfer import FileTransfer, TransferContext, TransferReport
from fireside.hub.hub_session import HubSession
from fireside.hub.queue_file import QueueFile
from fireside.hub.rate_limiter import RateLimiter
from fireside.services.downloads import download_scheduler
from fireside.services.downloads.download_scheduler import DownloadScheduler

PATIENCE_S = 20.0


class Place:
    """A queue with real transfers from a hub on loopback."""

    def __init__(self, hub: FakeHub, folder: Path) -> None:
        self.hub = hub
        self.folder = folder / "models"
        self.queue_path = folder / "downloads.json"
        self.events: list[DownloadEvent] = []
        self.done: list[str] = []
        self.n_asked = 0
        self.n_at_once = 2
        self.disk: CrampedDisk | Disk = Disk()
        self._happened = asyncio.Event()
        self._sessions: list[HubSession] = []
        self.downloads = self.make()

    def make(self) -> DownloadScheduler:
        self.session = HubSession(endpoint=self.hub.endpoint)
        self._sessions.append(self.session)
        return DownloadScheduler(
            self._context(),
            transfer=self.transfer,
            folder=lambda: self.folder,
            emit=self._emit,
            n_at_once=lambda: self.n_at_once,
            on_done=self._on_done,
            before_request=self._before_asking,
            queue_file=QueueFile(self.queue_path, disk=Disk()),
        )

    def transfer(
        self, wanted: DownloadFile, /, *, cancel: CancelToken, report: Callable[[TransferReport], None]
    ) -> FileOrigin:
        return FileTransfer(
            self._context(), folder=self.folder, requested=wanted, cancel=cancel, report=report
        ).run()

    def _context(self) -> TransferContext:
        return TransferContext(
            session=self.session,
            disk=self.disk,
            limiter=RateLimiter(limit=lambda: None, clock=time.monotonic),
            options=QUICK,
        )

    async def add(self, name: str) -> DownloadId:
        return await self.downloads.add(await self.downloads.plan(name))

    async def until(self, is_so: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                self._happened.clear()
                await self._happened.wait()

    async def until_state(self, download_id: DownloadId, state: DownloadState) -> Download:
        await self.until(lambda: self.state(download_id) is state)
        return self.known(download_id)

    def close(self) -> None:
        for session in self._sessions:
            session.close()

    def known(self, download_id: DownloadId) -> Download:
        return next(known for known in self.downloads.downloads if known.id == download_id)

    def state(self, download_id: DownloadId) -> DownloadState:
        return self.known(download_id).state

    def names(self) -> list[str]:
        return sorted(path.name for path in self.folder.rglob("*") if path.is_file())

    def _emit(self, event: DownloadEvent) -> None:
        self.events.append(event)
        self._happened.set()

    async def _on_done(self, download: Download) -> None:
        self.done.append(download.title)

    async def _before_asking(self) -> None:
        self.n_asked += 1


@asynccontextmanager
async def place(tmp_path: Path) -> AsyncIterator[Place]:
    with fake_hub() as hub:
        for number in range(4):
            content = gguf_bytes(6 * BLOCK + number, seed=number)
            hub.repos[f"acme/m{number}"] = Repo(files={f"m{number}-Q4_K_M.gguf": content})
        made = Place(hub, tmp_path)
        await made.downloads.start()
        yield made
        hub.release()
        await made.downloads.close()
        made.close()


@pytest.fixture
async def here(tmp_path: Path) -> AsyncIterator[Place]:
    async with place(tmp_path) as here:
        yield here


async def test_a_finished_download_is_in_the_library(here: Place) -> None:
    download = await here.until_state(await here.add("acme/m0"), DownloadState.DONE)
    assert here.done == ["acme/m0:Q4_K_M"]
    assert download.n_bytes == download.size_bytes
    assert here.names() == ["m0-Q4_K_M.gguf", "m0-Q4_K_M.gguf.origin.json"]
    assert here.n_asked == 1


async def test_a_model_is_downloaded_with_its_parts_and_projector(here: Place) -> None:
    parts = {f"big-Q8_0-0000{number}-of-00002.gguf": gguf_bytes(2 * BLOCK) for number in (1, 2)}
    files = {**parts, "mmproj-F16.gguf": gguf_bytes(BLOCK), "mmproj-F32.gguf": gguf_bytes(BLOCK)}
    here.hub.repos["acme/big"] = Repo(files=files)
    await here.until_state(await here.add("acme/big"), DownloadState.DONE)
    assert [name for name in here.names() if name.endswith(".gguf")] == [*parts, "mmproj-F16.gguf"]


async def test_the_number_of_concurrent_downloads_is_bounded(here: Place) -> None:
    here.hub.plan(Fault.STALL, after=BLOCK, times=2)
    ids = [await here.add(f"acme/m{number}") for number in range(4)]
    await here.until(lambda: here.hub.stalled.is_set())
    assert [here.state(known) for known in ids[2:]] == [DownloadState.QUEUED] * 2
    here.hub.release()
    for known in ids:
        await here.until_state(known, DownloadState.DONE)


async def test_a_paused_download_yields_and_resumes_later(here: Place) -> None:
    here.n_at_once = 1
    here.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    first, second = await here.add("acme/m0"), await here.add("acme/m1")
    await here.until(lambda: here.known(first).n_bytes >= 3 * BLOCK)
    await here.downloads.pause(first)
    await here.until_state(second, DownloadState.DONE)
    assert here.state(first) is DownloadState.PAUSED
    here.hub.seen.clear()
    await here.downloads.resume(first)
    await here.until_state(first, DownloadState.DONE)
    asked = [seen.range for seen in here.hub.seen if seen.server == "content"]
    assert asked == [f"bytes={3 * BLOCK}-{6 * BLOCK - 1}"]


class CrampedDisk(Disk):
    """Has room for small files alone, until some is made."""

    def __init__(self) -> None:
        self.free = [3 * BLOCK]

    def free_bytes(self, folder: Path) -> int:
        return self.free[0]


async def test_a_download_waiting_for_space_holds_no_slot(
    here: Place,
) -> None:
    here.n_at_once = 1
    here.disk = CrampedDisk()
    here.hub.repos["acme/small"] = Repo(files={"small-Q4_0.gguf": gguf_bytes(2 * BLOCK, seed=5)})
    here.hub.repos["acme/other"] = Repo(files={"other-Q4_0.gguf": gguf_bytes(2 * BLOCK, seed=6)})
    large = await here.add("acme/m0")
    await here.until_state(large, DownloadState.WAITING_FOR_SPACE)
    await here.until_state(await here.add("acme/small"), DownloadState.DONE)
    here.hub.plan(Fault.STALL, after=BLOCK, times=2)
    other = await here.add("acme/other")
    await here.until(lambda: here.known(other).n_bytes > 0)
    here.disk.free[0] = 10**12
    await here.until_state(large, DownloadState.QUEUED)
    here.hub.release()
    await here.until_state(other, DownloadState.DONE)
    await here.until_state(large, DownloadState.DONE)


async def test_a_cancelled_download_leaves_no_files(here: Place) -> None:
    here.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    download_id = await here.add("acme/m0")
    await here.until(lambda: here.known(download_id).n_bytes >= 3 * BLOCK)
    assert here.names() == ["m0-Q4_K_M.gguf.part", "m0-Q4_K_M.gguf.part.journal"]
    await here.downloads.cancel(download_id)
    assert here.downloads.downloads == ()
    await here.until(lambda: not (here.folder / "acme").exists())


async def test_a_paused_then_cancelled_download_leaves_no_files(here: Place) -> None:
    here.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    first = await here.add("acme/m0")
    await here.until(lambda: here.known(first).n_bytes >= 3 * BLOCK)
    await here.downloads.pause(first)
    second = await here.add("acme/m1")
    await here.until_state(second, DownloadState.DONE)
    await here.downloads.cancel(first)
    assert "m0-Q4_K_M.gguf.part" not in here.names()


async def test_the_order_can_be_changed(here: Place) -> None:
    here.n_at_once = 1
    here.hub.plan(Fault.STALL, after=BLOCK)
    ids = [await here.add(f"acme/m{number}") for number in range(3)]
    await here.downloads.move(ids[2], position=1)
    assert [known.id for known in here.downloads.downloads] == [ids[0], ids[2], ids[1]]
    here.hub.release()
    for known in ids:
        await here.until_state(known, DownloadState.DONE)
    assert here.done == ["acme/m0:Q4_K_M", "acme/m2:Q4_K_M", "acme/m1:Q4_K_M"]


async def test_a_failed_download_has_a_reason_and_can_be_retried(
    here: Place, caplog: pytest.LogCaptureFixture
) -> None:
    here.hub.plan(Fault.WRONG_BYTES)
    download_id = await here.add("acme/m0")
    failed = await here.until_state(download_id, DownloadState.FAILED)
    assert failed.error is not None
    assert failed.error.code == "download_damaged"
    assert failed.n_bytes == 0, "nothing of it is here any more"
    assert "the download of acme/m0" in caplog.text
    await here.downloads.resume(download_id)
    await here.until_state(download_id, DownloadState.DONE)


async def test_running_downloads_resume_at_the_next_start(here: Place) -> None:
    here.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    download_id = await here.add("acme/m0")
    await here.until(lambda: here.known(download_id).n_bytes >= 3 * BLOCK)
    await here.downloads.close()
    here.hub.seen.clear()
    here.downloads = here.make()
    await here.downloads.start()
    await here.until_state(download_id, DownloadState.DONE)
    asked = [seen.range for seen in here.hub.seen if seen.server == "content"]
    assert asked == [f"bytes={3 * BLOCK}-{6 * BLOCK - 1}"]


@pytest.mark.parametrize("junk", [b"", b"\0\0", b"[]", b'{"format":2,"downloads":[]}'])
async def test_a_damaged_queue_file_counts_as_empty(here: Place, tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "downloads.json").write_bytes(junk)
    assert here.downloads.downloads == ()


async def test_the_same_model_twice_is_one_download(here: Place) -> None:
    here.hub.plan(Fault.STALL, after=BLOCK)
    first = await here.add("acme/m0")
    assert await here.add("acme/m0") == first
    here.hub.repos["acme/m0"].files["m0-Q4_K_M.gguf"] = gguf_bytes(3 * BLOCK)
    with pytest.raises(DownloadBusy):
        await here.add("acme/m0")


def seeing(hub: FakeHub) -> None:
    """Stock two sizes of a model with one projector."""
    sizes = {f"seeing-{quant}.gguf": gguf_bytes(n * BLOCK) for quant, n in (("Q4_K_M", 2), ("Q8_0", 3))}
    hub.repos["acme/seeing"] = Repo(files={**sizes, "mmproj-F16.gguf": gguf_bytes(6 * BLOCK, seed=9)})


async def test_two_quants_share_a_running_projector_download(here: Place) -> None:
    seeing(here.hub)
    here.hub.plan(Fault.STALL, after=2 * BLOCK, n_before=1)
    small = await here.add("acme/seeing:Q4_K_M")
    large = await here.add("acme/seeing:Q8_0")
    await here.until(lambda: here.known(small).n_bytes == 4 * BLOCK)
    assert here.state(large) is DownloadState.QUEUED
    await here.downloads.cancel(small)
    await here.until_state(large, DownloadState.DONE)
    asked = [seen.range for seen in here.hub.seen if "mmproj" in seen.path and seen.range]
    assert asked[-1] == f"bytes={2 * BLOCK}-{6 * BLOCK - 1}"


async def test_a_projector_that_has_changed_since_is_not_shared(here: Place) -> None:
    seeing(here.hub)
    here.hub.plan(Fault.STALL, after=BLOCK)
    await here.add("acme/seeing:Q4_K_M")
    here.hub.repos["acme/seeing"].files["mmproj-F16.gguf"] = gguf_bytes(6 * BLOCK, seed=8)
    with pytest.raises(DownloadBusy):
        await here.add("acme/seeing:Q8_0")


async def test_an_unknown_download_is_reported(here: Place) -> None:
    for work in (here.downloads.pause, here.downloads.resume, here.downloads.cancel):
        with pytest.raises(DownloadNotFound):
            await work(DownloadId("gone"))


async def test_every_state_of_a_download_is_emitted(here: Place) -> None:
    download_id = await here.add("acme/m0")
    await here.until_state(download_id, DownloadState.DONE)
    told = [
        event.downloads[0].state
        for event in here.events
        if isinstance(event, DownloadsChanged) and event.downloads
    ]
    assert told[0] is DownloadState.RUNNING
    assert told[-1] is DownloadState.DONE


async def test_a_busy_file_has_a_printable_name(here: Place) -> None:
    here.n_at_once = 1
    here.hub.plan(Fault.STALL, after=BLOCK)
    await here.add("acme/m0")
    plan = await here.downloads.plan("acme/m0")
    (wanted,) = plan.files
    file = msgspec.structs.replace(wanted.file, path="a\u202eb.gguf")
    other = msgspec.structs.replace(plan, files=(msgspec.structs.replace(wanted, file=file),))
    with pytest.raises(DownloadBusy) as caught:
        await here.downloads.add(other)
    assert caught.value.name == "a\ufffdb.gguf"


async def test_a_download_is_stored_before_it_is_prepared_and_does_not_run_meanwhile(
    here: Place,
) -> None:
    found: list[tuple[str, DownloadState]] = []

    async def prepare() -> None:
        await here.downloads.apply_settings()
        stored = QueueFile(here.queue_path, disk=Disk()).load()
        found.extend((download.title, download.state) for download in stored)
        assert here.names() == []

    download_id = await here.downloads.add(await here.downloads.plan("acme/m0"), prepare=prepare)
    assert found == [("acme/m0:Q4_K_M", DownloadState.QUEUED)]
    await here.until_state(download_id, DownloadState.DONE)


async def test_a_download_runs_even_if_its_preparation_failed(here: Place) -> None:

    async def prepare() -> None:
        raise DownloadBusy(name="m0")

    with pytest.raises(DownloadBusy):
        await here.downloads.add(await here.downloads.plan("acme/m0"), prepare=prepare)
    (download,) = here.downloads.downloads
    await here.until_state(download.id, DownloadState.DONE)


async def test_a_download_cancelled_during_preparation_leaves_no_files(here: Place) -> None:

    async def prepare() -> None:
        (download,) = here.downloads.downloads
        await here.downloads.cancel(download.id)
        part = here.folder / "acme" / "m0" / "m0-Q4_K_M.gguf.part"
        part.parent.mkdir(parents=True)
        part.write_bytes(b"GGUF")

    await here.downloads.add(await here.downloads.plan("acme/m0"), prepare=prepare)
    assert here.names() == []
    assert here.downloads.downloads == ()


async def test_a_transfer_that_ends_after_close_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()

    def deaf(
        _place: Place,
        wanted: DownloadFile,
        /,
        *,
        cancel: CancelToken,
        report: Callable[[TransferReport], None],
    ) -> FileOrigin:
        may_end.wait(PATIENCE_S)
        raise Stopped

    monkeypatch.setattr(Place, "transfer", deaf)
    monkeypatch.setattr(download_scheduler, "_CLOSE_S", 0.05)
    tasks_before = asyncio.all_tasks()
    async with place(tmp_path) as here:
        await here.add("acme/m0")
        await here.downloads.close()
        (thread,) = [each for each in threading.enumerate() if each.name.startswith("download ")]
        may_end.set()
        await asyncio.to_thread(thread.join)
        assert asyncio.all_tasks() == tasks_before
