"""What the window asks of the hub and the library, through the engine thread, with a real runner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from fakes.fake_hub import FakeHub, Fault, Where, fake_hub
from fakes.fake_hub_api import Repo
from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread
from fireside.bridge.garbage import GuiGarbageCollector
from fireside.chat.app import App
from fireside.core.discovery import ModelQuery
from fireside.core.events import AppEvent, MessageReplaced
from fireside.core.hub import (
    BLOCK_BYTES,
    CheckEnded,
    Download,
    DownloadId,
    DownloadProgressed,
    DownloadState,
    VerifyOutcome,
)
from fireside.core.library import MoveEnded
from fireside.core.model import ModelEntry
from fireside.core.options import SettingValue
from fireside.core.status import Ready
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context

REPO = "acme/smol-GGUF"
FILE = "smol-Q4_1.gguf"


class Client:
    """The façade, and everything that it reported."""

    def __init__(self, client: EngineClient) -> None:
        self.it = client
        self.events: list[AppEvent] = []
        self._happened = asyncio.Event()
        client.frame.connect(self._on_frame)

    def _on_frame(self, events: tuple[AppEvent, ...]) -> None:
        self.events.extend(events)
        self._happened.set()

    async def until(self, kind: type[AppEvent]) -> AppEvent:
        while not (found := [event for event in self.events if isinstance(event, kind)]):
            self._happened.clear()
            await self._happened.wait()
        return found[-1]

    async def until_state(self, download_id: DownloadId, state: DownloadState) -> Download:
        while True:
            # Before asking: what happens between the answer and its arrival here must not be missed.
            self._happened.clear()
            for download in (await self.it.snapshot()).downloads:
                if download.id == download_id and download.state is state:
                    return download
            await self._happened.wait()

    async def until_bytes(self, download_id: DownloadId, n_bytes: int) -> None:
        while not any(
            isinstance(event, DownloadProgressed)
            and event.download.id == download_id
            and event.download.n_bytes >= n_bytes
            for event in self.events
        ):
            self._happened.clear()
            await self._happened.wait()

    async def entry(self) -> ModelEntry:
        return next(entry for entry in (await self.it.snapshot()).models if entry.file_name == FILE)


@contextmanager
def engine_thread(home: Path, hub: FakeHub) -> Iterator[EngineClient]:
    environ = {
        "FIRESIDE_HOME": str(home),
        "FIRESIDE_HUB_ENDPOINT": hub.endpoint,
        "FIRESIDE_LOAD_N_THREADS": "1",
    }
    context = load_context(environ, command_line={})
    thread = EngineThread[App](
        build=lambda pump: build_app(
            context, emit=pump.add, next_frame=pump.next_frame, persistence=Persistence.AS_OWNER
        )
    )
    client = EngineClient(thread)
    thread.start()
    try:
        yield client
    finally:
        assert thread.stop(), "the engine thread did not end in time"


def run(
    application: QApplication, home: Path, hub: FakeHub, scenario: Callable[[Client], Awaitable[None]]
) -> None:
    # As in the program: what is left of a loop must not be collected by the next engine thread.
    garbage = GuiGarbageCollector()
    try:
        with engine_thread(home, hub) as client, QEventLoop(application) as loop:
            loop.run_until_complete(asyncio.wait_for(scenario(Client(client)), 120))
    finally:
        garbage.close()


@pytest.fixture(scope="module")
def content(starter_model_path: Path) -> bytes:
    """A model that loads and is not the one that comes with the program."""
    return starter_model_path.read_bytes() + bytes(32)


@pytest.fixture
def hub(content: bytes) -> Iterator[FakeHub]:
    with fake_hub() as made:
        header = {"total": 134_515_008, "architecture": "llama", "context_length": 8192}
        made.repos[REPO] = Repo(files={FILE: content}, header=header)
        yield made


def test_from_a_search_to_an_answer_over_a_restart_and_a_repair_and_a_move(
    qapp: QApplication, tmp_path: Path, hub: FakeHub, content: bytes
) -> None:
    home, new = tmp_path / "home", tmp_path / "new"

    async def begins(client: Client) -> None:
        (found,) = (await client.it.hub.search(ModelQuery(text="smol"))).models
        model = await client.it.hub.model(found.repo)
        advice = await client.it.hub.advise(model)
        assert advice.best == FILE
        hub.plan(Fault.STALL, after=3 * BLOCK_BYTES + 5)
        download_id = await client.it.hub.download(model, path=advice.best)
        await client.until_bytes(download_id, 3 * BLOCK_BYTES)

    async def goes_on(client: Client) -> None:
        (download,) = (await client.it.snapshot()).downloads
        await client.until_state(download.id, DownloadState.DONE)
        entry = await client.entry()
        assert entry.spec is not None
        await client.it.models.load(entry.spec.id, conversation_id=None)
        damage(Path(entry.path))
        await client.it.verification.start(entry.path, repair=True)
        checked = await client.until(CheckEnded)
        assert isinstance(checked, CheckEnded)
        assert [result.outcome for result in checked.results] == [VerifyOutcome.REPAIRED]
        assert await asyncio.to_thread(Path(entry.path).read_bytes) == content

    async def moves(client: Client) -> None:
        entry = await client.entry()
        assert entry.spec is not None
        await client.it.models.load(entry.spec.id, conversation_id=None)
        await client.it.library_move.start(str(new))
        moved = await client.until(MoveEnded)
        assert isinstance(moved, MoveEnded)
        assert moved.error is None
        assert Path((await client.entry()).path).is_relative_to(new)
        states = {status.model_id: status.state for status in (await client.it.snapshot()).statuses}
        assert not isinstance(states[entry.spec.id], Ready)
        # Now and then this model goes on until its context is full: one or two minutes.
        short: dict[str, SettingValue] = {"sampling.max_tokens": 8}
        await client.it.generations.send(None, text="Hello", model_id=entry.spec.id, settings=short)
        answer = await client.until(MessageReplaced)
        assert isinstance(answer, MessageReplaced)
        assert answer.message.message.text

    run(qapp, home, hub, begins)
    hub.seen.clear()
    hub.release()
    run(qapp, home, hub, goes_on)
    asked = [seen.range for seen in hub.seen if seen.server == "content"]
    assert asked[0] is not None
    assert asked[0].startswith(f"bytes={3 * BLOCK_BYTES}-")
    run(qapp, home, hub, moves)


def damage(path: Path) -> None:
    with path.open("r+b") as file:
        file.seek(5 * BLOCK_BYTES + 7)
        byte = file.read(1)
        file.seek(-1, 1)
        file.write(bytes([byte[0] ^ 1]))


def test_giving_up_a_request_ends_the_wait_at_once(qapp: QApplication, tmp_path: Path, hub: FakeHub) -> None:
    async def scenario(client: Client) -> None:
        hub.plan(Fault.STALL, where=Where.API)
        search = asyncio.ensure_future(client.it.hub.search(ModelQuery(text="x")))
        await asyncio.to_thread(hub.stalled.wait, 10)
        search.cancel()
        with pytest.raises(asyncio.CancelledError):
            await search
        assert await client.it.hub.catalogue()

    run(qapp, tmp_path, hub, scenario)
