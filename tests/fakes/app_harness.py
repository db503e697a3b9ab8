"""A whole ``App`` over a real database and a scripted engine, for tests of the chat layer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from fakes.about import about_parts
from fakes.children import file_reading, rule_checks, template_examples
from fakes.devices import device_memory, listing
from fakes.engine import FakeEngine, Script, says
from fakes.fake_web import web_parts
from fakes.hub_harness import QUICK
from fakes.keyrings import WorkingKeyring
from fakes.runtimes import runtime_parts
from fakes.skills import skill_parts
from fakes.speech import speech_parts
from fakes.tool_servers_harness import parts_in
from fakes.tuning import tuning_parts
from fireside.bridge.engine_thread import FramePump
from fireside.chat.app import App, AppParts
from fireside.chat.stream_writer import sixtieth
from fireside.core.chat import StoredMessage
from fireside.core.events import AppEvent
from fireside.core.hub import Download, DownloadId, DownloadState
from fireside.core.ids import ConversationId, ModelId
from fireside.core.status import Device
from fireside.documents.page_rendering import render
from fireside.engine.host_info import Host
from fireside.engine.planning.planner import Planner
from fireside.hub.catalogue import CATALOGUE_NAME
from fireside.library.library import Library
from fireside.services.hub.hub_service import HubParts
from fireside.services.hub_access import HubAccess, HubToken
from fireside.services.machine.host_measurement import HostMeasurement
from fireside.services.machine.read_speeds import ReadSpeeds
from fireside.settings.conversions import load_options
from fireside.settings.file import SettingsFile
from fireside.settings.keyring_backends import Backend
from fireside.settings.paths import resources_folder
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import SecretFile, Secrets
from fireside.settings.service import Settings
from fireside.storage.store import MEMORY, Store
from fireside.wire.cache_files import SavedStatePurge

PATIENCE_S = 20.0
NO_HUB = "http://127.0.0.1:0"
"""Where nothing can listen."""


class AppHarness:
    """The app, its engine, and everything that it reported."""

    def __init__(self, *, engine: FakeEngine, store: Store) -> None:
        self.app: App
        self.engine = engine
        self.store = store
        self.events: list[AppEvent] = []
        self._happened = asyncio.Event()

    def emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self._happened.set()

    async def until(self, kind: type[AppEvent], *, n_times: int = 1) -> None:
        """Return once so many events of this kind have been reported."""
        while len(self.seen(kind)) < n_times:
            self._happened.clear()
            await self._happened.wait()

    async def until_so(self, is_so: Callable[[], bool]) -> None:
        """Return when ``is_so``; it is looked at after each event."""
        async with asyncio.timeout(PATIENCE_S):
            while not is_so():
                self._happened.clear()
                await self._happened.wait()

    def download(self, download_id: DownloadId) -> Download:
        return next(known for known in self.app.downloads.downloads if known.id == download_id)

    async def until_state(self, download_id: DownloadId, state: DownloadState) -> Download:
        """Return when a download is in ``state``."""
        await self.until_so(lambda: self.download(download_id).state is state)
        return self.download(download_id)

    async def settled(self, conversation: ConversationId) -> StoredMessage:
        """Wait until no answer runs and return the conversation's last message as stored."""
        await self.app.generations.settled(conversation)
        return (await self.store.conversations.open(conversation)).messages[-1]

    @property
    def model_id(self) -> ModelId:
        first = self.app.models.default_model()
        assert first is not None
        return first

    def seen(self, kind: type[AppEvent]) -> list[AppEvent]:
        return [event for event in self.events if isinstance(event, kind)]


async def no_devices() -> tuple[Device, ...]:
    """Stands for a runner that says which devices there are."""
    return ()


def hub_parts(
    settings: Settings,
    folder: Path,
    *,
    goes_on: bool = True,
    hub: str = NO_HUB,
    catalogue: Path | None = None,
    keyring: Callable[[], Backend] | None = None,
) -> HubParts:
    """Return what asks the hub of ``settings``, ``hub`` if they name none, with transfers that are quick and
    all files in ``folder``. Where there is no ``keyring``, the system is asked for one."""
    secrets = Secrets(
        file=SecretFile(folder / "secrets"),
        environ={},
        redaction=Redaction(),
        find_backend=keyring,
    )
    return HubParts(
        access=HubAccess(settings=settings, token=HubToken(secrets), public_hub=hub),
        computer=HostMeasurement(
            devices=no_devices,
            host=lambda: Host(n_cores=2, available_bytes=8 << 30),
            options=lambda: load_options(settings.resolved()),
        ),
        speeds=ReadSpeeds(None, probe=lambda: 2e10),
        catalogue_file=catalogue or resources_folder() / CATALOGUE_NAME,
        queue_file=folder / "downloads.json" if goes_on else None,
        move_journal=folder / "move.json",
        transfer_options=QUICK,
    )


@asynccontextmanager
async def app_harness(
    folder: Path,
    *,
    starter: Path,
    script: Script | None = None,
    database: str | Path = ":memory:",
    collections_file: str = MEMORY,
    environ: Mapping[str, str] | None = None,
    goes_on: bool = True,
    engine: FakeEngine | None = None,
    pump: FramePump | None = None,
    calls_tools: bool = True,
) -> AsyncIterator[AppHarness]:
    """Open an app whose models are the real starter model and whose settings are in ``folder``.

    ``engine`` is one that does more than say a ``script``; ``pump`` takes what is reported, in place of
    the list that is kept otherwise; ``calls_tools`` is whether the models have a place for tools, which the
    starter's template lacks.
    """
    store = await Store.open(database, clock=time.time)
    engine = engine or FakeEngine(says("Hi") if script is None else script)
    settings = Settings(file=SettingsFile(folder / "settings.json"), environ=environ or {})
    settings.load()
    library = Library(
        library_folder=folder / "models",
        starter_folder=starter.parent,
        added=(),
        cache_path=folder / "models.json",
        trash=lambda _: None,
    )
    harness = AppHarness(engine=engine, store=store)
    parts = AppParts(
        planner=Planner(),
        store=store,
        engine=engine,
        library=library,
        settings=settings,
        about=about_parts(folder),
        emit=harness.emit if pump is None else pump.add,
        next_frame=sixtieth if pump is None else pump.next_frame,
        states=SavedStatePurge(folder / "states"),
        hub=hub_parts(settings, folder, goes_on=goes_on),
        show_template=template_examples(),
        collections_file=collections_file,
        runtimes=runtime_parts(folder / "runtimes", starter=starter),
        tuning=tuning_parts(folder),
        speech=speech_parts(folder),
        read_files=file_reading(),
        render_page=render,
        check_rule=rule_checks(),
        list_devices=listing,
        device_memory=device_memory(),
        tool_servers=parts_in(folder, WorkingKeyring()),
        skills=skill_parts(folder),
        web=web_parts(folder),
    )
    app = App(parts)
    harness.app = app
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("fireside.gguf.facts.calls_tools", lambda _header: calls_tools)
        await app.start()
        try:
            yield harness
        finally:
            await app.close()
