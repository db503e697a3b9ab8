"""The download queue: what runs, what waits, what survives a restart."""

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
from fakes.hub_harness import BLOCK, QUICK
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


class Harness:
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
        self, requested: DownloadFile, /, *, cancel: CancelToken, report: Callable[[TransferReport], None]
    ) -> FileOrigin:
        return FileTransfer(
            self._context(), folder=self.folder, requested=requested, cancel=cancel, report=report
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
async def open_place(tmp_path: Path) -> AsyncIterator[Harness]:
    with fake_hub() as hub:
        for number in range(4):
            content = gguf_bytes(6 * BLOCK + number, seed=number)
            hub.repos[f"acme/m{number}"] = Repo(files={f"m{number}-Q4_K_M.gguf": content})
        harness = Harness(hub, tmp_path)
        await harness.downloads.start()
        yield harness
        hub.release()
        await harness.downloads.close()
        harness.close()


@pytest.fixture
async def harness(tmp_path: Path) -> AsyncIterator[Harness]:
    async with open_place(tmp_path) as place:
        yield place


async def test_a_finished_download_is_in_the_library(harness: Harness) -> None:
    download = await harness.until_state(await harness.add("acme/m0"), DownloadState.DONE)
    assert harness.done == ["acme/m0:Q4_K_M"]
    assert download.n_bytes == download.size_bytes
    assert harness.names() == ["m0-Q4_K_M.gguf", "m0-Q4_K_M.gguf.origin.json"]
    assert harness.n_asked == 1


async def test_a_model_is_downloaded_with_its_parts_and_projector(harness: Harness) -> None:
    parts = {f"big-Q8_0-0000{number}-of-00002.gguf": gguf_bytes(2 * BLOCK) for number in (1, 2)}
    files = {**parts, "mmproj-F16.gguf": gguf_bytes(BLOCK), "mmproj-F32.gguf": gguf_bytes(BLOCK)}
    harness.hub.repos["acme/big"] = Repo(files=files)
    await harness.until_state(await harness.add("acme/big"), DownloadState.DONE)
    assert [name for name in harness.names() if name.endswith(".gguf")] == [*parts, "mmproj-F16.gguf"]


async def test_the_number_of_concurrent_downloads_is_bounded(harness: Harness) -> None:
    harness.hub.plan(Fault.STALL, after=BLOCK, times=2)
    ids = [await harness.add(f"acme/m{number}") for number in range(4)]
    await harness.until(lambda: harness.hub.stalled.is_set())
    assert [harness.state(known) for known in ids[2:]] == [DownloadState.QUEUED] * 2
    harness.hub.release()
    for known in ids:
        await harness.until_state(known, DownloadState.DONE)


async def test_a_paused_download_yields_and_resumes_later(harness: Harness) -> None:
    harness.n_at_once = 1
    harness.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    first, second = await harness.add("acme/m0"), await harness.add("acme/m1")
    await harness.until(lambda: harness.known(first).n_bytes >= 3 * BLOCK)
    await harness.downloads.pause(first)
    await harness.until_state(second, DownloadState.DONE)
    assert harness.state(first) is DownloadState.PAUSED
    harness.hub.seen.clear()
    await harness.downloads.resume(first)
    await harness.until_state(first, DownloadState.DONE)
    ranges = [seen.range for seen in harness.hub.seen if seen.server == "content"]
    assert ranges == [f"bytes={3 * BLOCK}-{6 * BLOCK - 1}"]


class CrampedDisk(Disk):
    """Has space for small files only, until some is freed."""

    def __init__(self) -> None:
        self.free = [3 * BLOCK]

    def free_bytes(self, folder: Path) -> int:
        return self.free[0]


async def test_a_download_waiting_for_space_holds_no_slot(
    harness: Harness,
) -> None:
    harness.n_at_once = 1
    harness.disk = CrampedDisk()
    harness.hub.repos["acme/small"] = Repo(files={"small-Q4_0.gguf": gguf_bytes(2 * BLOCK, seed=5)})
    harness.hub.repos["acme/other"] = Repo(files={"other-Q4_0.gguf": gguf_bytes(2 * BLOCK, seed=6)})
    large = await harness.add("acme/m0")
    await harness.until_state(large, DownloadState.WAITING_FOR_SPACE)
    await harness.until_state(await harness.add("acme/small"), DownloadState.DONE)
    harness.hub.plan(Fault.STALL, after=BLOCK, times=2)
    other = await harness.add("acme/other")
    await harness.until(lambda: harness.known(other).n_bytes > 0)
    harness.disk.free[0] = 10**12
    await harness.until_state(large, DownloadState.QUEUED)
    harness.hub.release()
    await harness.until_state(other, DownloadState.DONE)
    await harness.until_state(large, DownloadState.DONE)


async def test_a_cancelled_download_leaves_no_files(harness: Harness) -> None:
    harness.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    download_id = await harness.add("acme/m0")
    await harness.until(lambda: harness.known(download_id).n_bytes >= 3 * BLOCK)
    assert harness.names() == ["m0-Q4_K_M.gguf.part", "m0-Q4_K_M.gguf.part.journal"]
    await harness.downloads.cancel(download_id)
    assert harness.downloads.downloads == ()
    await harness.until(lambda: not (harness.folder / "acme").exists())


async def test_a_paused_then_cancelled_download_leaves_no_files(harness: Harness) -> None:
    harness.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    first = await harness.add("acme/m0")
    await harness.until(lambda: harness.known(first).n_bytes >= 3 * BLOCK)
    await harness.downloads.pause(first)
    second = await harness.add("acme/m1")
    await harness.until_state(second, DownloadState.DONE)
    await harness.downloads.cancel(first)
    assert "m0-Q4_K_M.gguf.part" not in harness.names()


async def test_the_order_can_be_changed(harness: Harness) -> None:
    harness.n_at_once = 1
    harness.hub.plan(Fault.STALL, after=BLOCK)
    ids = [await harness.add(f"acme/m{number}") for number in range(3)]
    await harness.downloads.move(ids[2], position=1)
    assert [known.id for known in harness.downloads.downloads] == [ids[0], ids[2], ids[1]]
    harness.hub.release()
    for known in ids:
        await harness.until_state(known, DownloadState.DONE)
    assert harness.done == ["acme/m0:Q4_K_M", "acme/m2:Q4_K_M", "acme/m1:Q4_K_M"]


async def test_a_failed_download_has_a_reason_and_can_be_retried(
    harness: Harness, caplog: pytest.LogCaptureFixture
) -> None:
    harness.hub.plan(Fault.WRONG_BYTES)
    download_id = await harness.add("acme/m0")
    failed = await harness.until_state(download_id, DownloadState.FAILED)
    assert failed.error is not None
    assert failed.error.code == "download_damaged"
    assert failed.n_bytes == 0, "nothing of it is here any more"
    assert "the download of acme/m0" in caplog.text
    await harness.downloads.resume(download_id)
    await harness.until_state(download_id, DownloadState.DONE)


async def test_running_downloads_resume_at_the_next_start(harness: Harness) -> None:
    harness.hub.plan(Fault.STALL, after=3 * BLOCK + 5)
    download_id = await harness.add("acme/m0")
    await harness.until(lambda: harness.known(download_id).n_bytes >= 3 * BLOCK)
    await harness.downloads.close()
    harness.hub.seen.clear()
    harness.downloads = harness.make()
    await harness.downloads.start()
    await harness.until_state(download_id, DownloadState.DONE)
    ranges = [seen.range for seen in harness.hub.seen if seen.server == "content"]
    assert ranges == [f"bytes={3 * BLOCK}-{6 * BLOCK - 1}"]


@pytest.mark.parametrize("junk", [b"", b"\0\0", b"[]", b'{"format":2,"downloads":[]}'])
async def test_a_damaged_queue_file_counts_as_empty(harness: Harness, tmp_path: Path, junk: bytes) -> None:
    (tmp_path / "downloads.json").write_bytes(junk)
    assert harness.downloads.downloads == ()


async def test_the_same_model_twice_is_one_download(harness: Harness) -> None:
    harness.hub.plan(Fault.STALL, after=BLOCK)
    first = await harness.add("acme/m0")
    assert await harness.add("acme/m0") == first
    harness.hub.repos["acme/m0"].files["m0-Q4_K_M.gguf"] = gguf_bytes(3 * BLOCK)
    with pytest.raises(DownloadBusy):
        await harness.add("acme/m0")


def seeing(hub: FakeHub) -> None:
    """Put two quants of a vision model with one projector on the hub."""
    sizes = {f"seeing-{quant}.gguf": gguf_bytes(n * BLOCK) for quant, n in (("Q4_K_M", 2), ("Q8_0", 3))}
    hub.repos["acme/seeing"] = Repo(files={**sizes, "mmproj-F16.gguf": gguf_bytes(6 * BLOCK, seed=9)})


async def test_two_quants_share_a_running_projector_download(harness: Harness) -> None:
    seeing(harness.hub)
    harness.hub.plan(Fault.STALL, after=2 * BLOCK, n_before=1)
    small = await harness.add("acme/seeing:Q4_K_M")
    large = await harness.add("acme/seeing:Q8_0")
    await harness.until(lambda: harness.known(small).n_bytes == 4 * BLOCK)
    assert harness.state(large) is DownloadState.QUEUED
    await harness.downloads.cancel(small)
    await harness.until_state(large, DownloadState.DONE)
    ranges = [seen.range for seen in harness.hub.seen if "mmproj" in seen.path and seen.range]
    assert ranges[-1] == f"bytes={2 * BLOCK}-{6 * BLOCK - 1}"


async def test_a_projector_that_has_changed_since_is_not_shared(harness: Harness) -> None:
    seeing(harness.hub)
    harness.hub.plan(Fault.STALL, after=BLOCK)
    await harness.add("acme/seeing:Q4_K_M")
    harness.hub.repos["acme/seeing"].files["mmproj-F16.gguf"] = gguf_bytes(6 * BLOCK, seed=8)
    with pytest.raises(DownloadBusy):
        await harness.add("acme/seeing:Q8_0")


async def test_an_unknown_download_is_reported(harness: Harness) -> None:
    for work in (harness.downloads.pause, harness.downloads.resume, harness.downloads.cancel):
        with pytest.raises(DownloadNotFound):
            await work(DownloadId("gone"))


async def test_every_state_of_a_download_is_emitted(harness: Harness) -> None:
    download_id = await harness.add("acme/m0")
    await harness.until_state(download_id, DownloadState.DONE)
    events = [
        event.downloads[0].state
        for event in harness.events
        if isinstance(event, DownloadsChanged) and event.downloads
    ]
    assert events[0] is DownloadState.RUNNING
    assert events[-1] is DownloadState.DONE


async def test_a_busy_file_has_a_printable_name(harness: Harness) -> None:
    harness.n_at_once = 1
    harness.hub.plan(Fault.STALL, after=BLOCK)
    await harness.add("acme/m0")
    plan = await harness.downloads.plan("acme/m0")
    (requested,) = plan.files
    file = msgspec.structs.replace(requested.file, path="a\u202eb.gguf")
    other = msgspec.structs.replace(plan, files=(msgspec.structs.replace(requested, file=file),))
    with pytest.raises(DownloadBusy) as caught:
        await harness.downloads.add(other)
    assert caught.value.name == "a\ufffdb.gguf"


async def test_a_download_is_stored_before_it_is_prepared_and_does_not_run_meanwhile(
    harness: Harness,
) -> None:
    found: list[tuple[str, DownloadState]] = []

    async def prepare() -> None:
        await harness.downloads.apply_settings()
        stored = QueueFile(harness.queue_path, disk=Disk()).load()
        found.extend((download.title, download.state) for download in stored)
        assert harness.names() == []

    download_id = await harness.downloads.add(await harness.downloads.plan("acme/m0"), prepare=prepare)
    assert found == [("acme/m0:Q4_K_M", DownloadState.QUEUED)]
    await harness.until_state(download_id, DownloadState.DONE)


async def test_a_download_runs_even_if_its_preparation_failed(harness: Harness) -> None:

    async def prepare() -> None:
        raise DownloadBusy(name="m0")

    with pytest.raises(DownloadBusy):
        await harness.downloads.add(await harness.downloads.plan("acme/m0"), prepare=prepare)
    (download,) = harness.downloads.downloads
    await harness.until_state(download.id, DownloadState.DONE)


async def test_a_download_cancelled_during_preparation_leaves_no_files(harness: Harness) -> None:

    async def prepare() -> None:
        (download,) = harness.downloads.downloads
        await harness.downloads.cancel(download.id)
        part = harness.folder / "acme" / "m0" / "m0-Q4_K_M.gguf.part"
        part.parent.mkdir(parents=True)
        part.write_bytes(b"GGUF")

    await harness.downloads.add(await harness.downloads.plan("acme/m0"), prepare=prepare)
    assert harness.names() == []
    assert harness.downloads.downloads == ()


async def test_a_transfer_that_ends_after_close_starts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end = threading.Event()

    def deaf(
        _place: Harness,
        requested: DownloadFile,
        /,
        *,
        cancel: CancelToken,
        report: Callable[[TransferReport], None],
    ) -> FileOrigin:
        may_end.wait(PATIENCE_S)
        raise Stopped

    monkeypatch.setattr(Harness, "transfer", deaf)
    monkeypatch.setattr(download_scheduler, "_CLOSE_S", 0.05)
    tasks_before = asyncio.all_tasks()
    async with open_place(tmp_path) as place:
        await place.add("acme/m0")
        await place.downloads.close()
        (thread,) = [each for each in threading.enumerate() if each.name.startswith("download ")]
        may_end.set()
        await asyncio.to_thread(thread.join)
        assert asyncio.all_tasks() == tasks_before
