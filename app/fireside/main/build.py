"""Build the services of the engine thread, for the window and for commands."""

from __future__ import annotations

import asyncio
import importlib
import logging
import os
import socket
import time
from collections.abc import Callable
from enum import Enum, auto
from importlib.util import find_spec
from pathlib import Path
from typing import Final, assert_never

import msgspec
import send2trash

from fireside.bridge.runtime_folder import chats_endpoint, engine_endpoint
from fireside.chat.app import App, AppParts, engine_options
from fireside.chat.attachments import FileReadingProcess
from fireside.chat.stream_writer import NextFrame, sixtieth
from fireside.core.components import MEDIA
from fireside.core.errors import ErrorInfo, StorageError
from fireside.core.events import AppEvent, ModelStatusChanged
from fireside.documents.messages import MEDIA_VARIABLE, reading_command
from fireside.engine.cache_budget import CacheProbe
from fireside.engine.clock import LoopClock
from fireside.engine.devices.card_sources import DeviceMemory, card_sources
from fireside.engine.devices.device_listing import DeviceLister
from fireside.engine.engine_context import EngineContext
from fireside.engine.host_info import probe_host
from fireside.engine.one_shot_programs import RuleCheck, TemplateExample
from fireside.engine.planning.dry_run import DryRunProcess
from fireside.engine.planning.measurement_cache import MeasurementCache
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.sharing.joined_engine import EngineUnresponsive, VersionMismatch
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.engine.tuning.records import TuningRecords
from fireside.engine.tuning.tuning_processes import BenchProcesses
from fireside.hub.catalogue import CATALOGUE_NAME
from fireside.main.library import build_library
from fireside.main.machine import (
    build_computer,
    build_llama_setup,
    build_runtime_parts,
    build_spawner,
    build_speeds,
    cache_options_of,
    runtime_in_use,
)
from fireside.main.network import Network, build_network
from fireside.main.startup_context import (
    COLLECTIONS_NAME,
    StartupContext,
    backup_location,
    base_environment,
)
from fireside.services.collections.collection_service import CollectionService
from fireside.services.collections.page_renderer import PageRenderer
from fireside.services.data_lock import DataLock
from fireside.services.hub.hub_service import HubParts
from fireside.services.hub_access import HubAccess
from fireside.services.local_api import LocalApiParts, RunningApi
from fireside.services.machine.host_measurement import memory_of_loaded
from fireside.services.machine.tuning_service import TuningParts
from fireside.services.passphrase_service import PassphraseParts
from fireside.services.service_context import ServiceContext
from fireside.services.skills.skill_service import SkillParts
from fireside.services.speech.speech_service import SpeechParts
from fireside.settings.api_tokens import TOKENS_NAME, ApiTokens
from fireside.settings.conversions import devices_port, serves_clients, serves_devices
from fireside.settings.paths import Paths, resources_folder
from fireside.settings.redaction import Redaction
from fireside.storage.encryption import DatabaseKey
from fireside.storage.store import Store
from fireside.wire.cache_files import SavedStatePurge

log = logging.getLogger(__name__)

IN_MEMORY = ":memory:"
QUEUE_NAME = "downloads.json"
MEASURED_NAME = "measured.json"
MOVE_JOURNAL_NAME = "library-move.json"
RECORDINGS_NAME = "recordings"
SKILLS_NAME = "skills"
_SOUND_SYSTEMS: Final = ("PULSE_", "PIPEWIRE_", "ALSA_", "JACK_")
"""Variables that say where the sound system is, as on WSL, in containers and over SSH."""
_REVIEWS_NAME: Final = "skills-reviewed"
SPEECH_LIST_NAME = "speech.json"
_LIBRARY_FOLDER: Final = "LLAMA_CPP_LIB_PATH"
_MODULE: Final = "llama_cpp"
_IDLE_S: Final = 30.0
"""Seconds that a dry run stays open: enough for a user who tries several context lengths."""
RECORDS_NAME: Final = "tunings.json"
TEXT_NAME: Final = "texts/measured.txt"
_QUESTIONS_NAME: Final = "texts/Fireside.jsonl"


class Persistence(Enum):
    """Whether and how this run's conversations are stored."""

    NOTHING = auto()
    """In memory only."""
    AS_OWNER = auto()
    """In the database, which is also cleaned up after the last run; for one program at a time."""
    AS_GUEST = auto()
    """In the database, which a window may own at the same time."""


class ProgramLifetime(Enum):
    """How long a program runs, which decides who may use its engine."""

    FOR_A_COMMAND = auto()
    """No other program may: it ends with the command."""
    FOR_A_CHAT = auto()
    """Other chats and commands may, where no window or server runs, until the chat ends."""
    LONG = auto()
    """All programs may."""


class EngineSharing(msgspec.Struct, frozen=True, kw_only=True):
    """How a program shares an engine with others of the same user and data folder."""

    name: str
    """The name of the program in lists of the clients of a model."""
    lifetime: ProgramLifetime
    warn: Callable[[str], object] = log.warning
    """Takes a line that says why the running engine is not used."""


async def build_app(
    context: StartupContext,
    *,
    emit: Callable[[AppEvent], None],
    persistence: Persistence,
    next_frame: NextFrame = sixtieth,
    added: tuple[str, ...] = (),
    redaction: Redaction | None = None,
    sharing: EngineSharing | None = None,
    with_engines: bool = False,
) -> App:
    """Build and start all services of the engine's loop.

    Args:
        persistence: how conversations are stored. Only their owner resumes downloads.
        next_frame: returns when the window shows the next frame; text is saved once a frame.
        added: model files for this run only. redaction: receives each secret, which no log has then.
        with_engines: whether to offer models of other engines; the owner always does.
        sharing: how it shares an engine with others; ``None`` for its own.
    """
    states = SavedStatePurge(context.paths.states_folder)
    store, problem = await _open_store(context, persistence=persistence, states=states)
    spawner, setup = build_spawner(context.paths, emit=emit), build_llama_setup()
    engine, planner, memory = _engine(context, spawner=spawner, setup=setup, emit=emit)
    await share_engine(engine, sharing, data_folder=context.paths.data_folder)
    is_owner = persistence is Persistence.AS_OWNER
    network = build_network(context, redaction or Redaction(), is_owner=is_owner, with_engines=with_engines)
    hub = _hub_parts(context, network.access, engine, memory, spawner=spawner, setup=setup, is_owner=is_owner)
    parts = AppParts(
        collections_file=str(context.paths.data_folder / COLLECTIONS_NAME),
        store=store,
        engine=engine,
        library=build_library(context, added=added),
        settings=context.settings,
        emit=emit,
        next_frame=next_frame,
        problem=problem,
        problems=context.problems,
        states=states,
        planner=planner,
        about=network.about,
        engines=network.engines,
        tool_servers=network.servers,
        skills=_skill_parts(context),
        web=network.web,
        local_api=_local_api(context, forget=states.delete_owner) if is_owner else None,
        backup_location=backup_location(context.paths) if is_owner else None,
        passphrase=PassphraseParts(lock=context.lock, secrets=network.secrets),
        show_template=TemplateExample(command=runner_command(), environment=base_environment()),
        check_rule=RuleCheck(command=runner_command(), environment=base_environment()),
        list_devices=_device_lister(context, spawner=spawner, setup=setup),
        device_memory=memory,
        read_files=_file_reading(network),
        render_page=PageRenderer(environment=base_environment()),
        speech=_speech_parts(context, network),
        runtimes=build_runtime_parts(context.paths, downloads=network.downloads),
        tuning=_tuning_parts(context.paths, spawner),
        hub=hub,
    )
    return await _started(App(parts), setup, is_owner=is_owner)


async def _started(app: App, setup: LlamaSetup, *, is_owner: bool) -> App:
    if is_owner:
        setup.start()
        await app.forget_if_off()
    await app.start()
    return app


def _engine(
    context: StartupContext,
    *,
    spawner: RunnerSpawner,
    setup: LlamaSetup,
    emit: Callable[[AppEvent], None],
) -> tuple[SharedEngine, Planner, DeviceMemory]:
    device_memory = DeviceMemory(card_sources(os.environ))
    planner = _planner(
        spawner,
        memory=device_memory,
        measured_file=context.paths.data_folder / MEASURED_NAME,
        cache=lambda: cache_options_of(context),
    )
    engine_context = EngineContext(
        spawn=spawner,
        clock=LoopClock(),
        probe=probe_host,
        planner=planner,
        cache=lambda: cache_options_of(context),
        free_memory=lambda devices: asyncio.to_thread(device_memory.free_memory, devices),
        setup=setup,
    )
    engine = SharedEngine(
        engine_context,
        on_status=lambda status: emit(ModelStatusChanged(status=status)),
        options=engine_options(context.settings.resolved()),
    )
    return engine, planner, device_memory


def _device_lister(context: StartupContext, *, spawner: RunnerSpawner, setup: LlamaSetup) -> DeviceLister:
    return DeviceLister(
        command=runner_command(),
        environment=lambda: setup.checked(spawner.environment_of(runtime_in_use(context))),
    )


def _hub_parts(
    context: StartupContext,
    access: HubAccess,
    engine: SharedEngine,
    memory: DeviceMemory,
    *,
    spawner: RunnerSpawner,
    setup: LlamaSetup,
    is_owner: bool,
) -> HubParts:
    speeds = build_speeds(context.paths)
    return HubParts(
        access=access,
        computer=build_computer(
            context,
            spawner=spawner,
            speeds=speeds,
            memory=memory,
            loaded_memory=lambda: memory_of_loaded(engine.running_models()),
            setup=setup,
        ),
        speeds=speeds,
        catalogue_file=resources_folder() / CATALOGUE_NAME,
        queue_file=context.paths.data_folder / QUEUE_NAME if is_owner else None,
        move_journal=context.paths.data_folder / MOVE_JOURNAL_NAME,
    )


def _file_reading(network: Network) -> FileReadingProcess:
    media = {MEDIA_VARIABLE: str(network.components.place_of(MEDIA))}
    return FileReadingProcess(command=reading_command(), environment={**base_environment(), **media})


def _speech_parts(context: StartupContext, network: Network) -> SpeechParts:
    sound_system = {name: value for name, value in os.environ.items() if name.startswith(_SOUND_SYSTEMS)}
    return SpeechParts(
        components=network.components,
        environment={**base_environment(), **sound_system},
        recordings=context.paths.data_folder / RECORDINGS_NAME,
        list_file=resources_folder() / SPEECH_LIST_NAME,
    )


def _skill_parts(context: StartupContext) -> SkillParts:
    data = context.paths.data_folder
    return SkillParts(
        own=data / SKILLS_NAME,
        reviews=data / _REVIEWS_NAME,
        home=Path.home(),
        environ=os.environ,
        trash=send2trash.send2trash,
    )


async def _open_store(
    context: StartupContext, *, persistence: Persistence, states: SavedStatePurge
) -> tuple[Store, ErrorInfo | None]:
    """Open the database; if that fails, use one in memory and return the error."""
    database, lock = context.paths.database_file, context.lock
    try:
        match persistence:
            case Persistence.NOTHING:
                return await Store.open(IN_MEMORY, clock=time.time), None
            case Persistence.AS_OWNER:
                store = await Store.open(
                    database,
                    clock=time.time,
                    before_purge=states.delete_owner,
                    key=await asyncio.to_thread(_key, lock),
                )
                return store, store.read_only.info() if store.read_only is not None else None
            case Persistence.AS_GUEST:
                key = await asyncio.to_thread(_key, lock)
                store = await Store.join(database, clock=time.time, key=key)
                if store.read_only is None:
                    return store, None
                await store.close()
                raise store.read_only
            case _:
                assert_never(persistence)
    except StorageError as exc:
        log.exception("chats are kept in memory")
        return await Store.open(IN_MEMORY, clock=time.time), exc.info()


def _key(lock: DataLock) -> DatabaseKey | None:
    """Return the key of databases. Raises ``passphrase_needed`` or ``passphrase_unfinished``."""
    lock.check_ready()
    lock.remove_plain_states()
    return lock.database_key()


async def share_engine(engine: SharedEngine, sharing: EngineSharing | None, *, data_folder: Path) -> None:
    """Use a running engine if there is one; otherwise, or if that fails, this program's own engine."""

    if sharing is None:
        return

    async def find() -> None:
        endpoint, chats, name = engine_endpoint(data_folder), chats_endpoint(data_folder), sharing.name
        match sharing.lifetime:
            case ProgramLifetime.LONG:
                await engine.share(endpoint, name=name)
            case ProgramLifetime.FOR_A_CHAT:
                if not await engine.join(endpoint, name=name, on_lost=find):
                    await engine.share(chats, name=name, on_lost=find)
            case ProgramLifetime.FOR_A_COMMAND:
                if not await engine.join(endpoint, name=name):
                    await engine.join(chats, name=name)

    try:
        await find()
    except (VersionMismatch, EngineUnresponsive) as exc:
        sharing.warn(f"{exc}\n")
    except OSError as exc:
        log.warning("the engine is not shared: %r", exc)


def _local_api(context: StartupContext, *, forget: Callable[[str], None]) -> LocalApiParts:
    """Return the parts; ``forget`` deletes the cached states of a client's session."""
    tokens = ApiTokens(context.paths.data_folder / TOKENS_NAME, on_damaged=context.problems.add)

    async def start(services: ServiceContext, collections: CollectionService) -> RunningApi:
        await asyncio.to_thread(importlib.import_module, "fireside.api.server")
        from fireside.api.devices import DeviceOptions
        from fireside.api.options import api_options
        from fireside.api.server import ApiServer

        resolved = context.settings.resolved()
        options = msgspec.structs.replace(api_options(resolved), serves_here=serves_clients(resolved))
        devices = DeviceOptions(
            port=devices_port(resolved),
            folder=context.paths.data_folder / "devices",
            host_name=socket.gethostname(),
        )
        server = ApiServer(
            services,
            options,
            collections=collections,
            tokens=tokens,
            forget=forget,
            devices=devices if serves_devices(resolved) else None,
        )
        await server.start()
        return server

    return LocalApiParts(tokens=tokens, start=start)


def _planner(
    spawner: RunnerSpawner, *, memory: DeviceMemory, measured_file: Path, cache: CacheProbe
) -> Planner:
    """Return the planner, which uses each load's runtime and stores measurements in ``measured_file``."""

    def open_dry_run(runtime: str) -> DryRunProcess:
        return DryRunProcess(command=runner_command(), environment=spawner.environment_of(runtime))

    def build(runtime: str) -> str:
        return _build_name(spawner, runtime)

    return Planner(
        open_dry_run=open_dry_run,
        measured=MeasurementCache(measured_file, build=build),
        cache=cache,
        display=lambda: memory.display_device,
        measure_devices=memory.measured,
        idle_s=_IDLE_S,
    )


def _build_name(spawner: RunnerSpawner, runtime: str) -> str:
    """Return a name of a runtime's build of llama.cpp, which changes with the build. Reads the disk."""
    folder = spawner.environment_of(runtime).get(_LIBRARY_FOLDER, "")
    try:
        if folder:
            return f"{folder} {Path(folder).stat().st_mtime_ns}"
        return _package_version()
    except OSError:
        return folder


def _package_version() -> str:
    """Return the name and version of the installed binding; empty if it is not installed.

    Read from the file name, since ``importlib.metadata`` would be imported for this only.
    """
    spec = find_spec(_MODULE)
    if spec is None or spec.origin is None:
        return ""
    folders = Path(spec.origin).parents[1].glob(f"{_MODULE}*.dist-info")
    return max((folder.stem for folder in folders), default="")


def _tuning_parts(paths: Paths, spawner: RunnerSpawner) -> TuningParts:
    """Return the parts of the tuning service."""
    return TuningParts(
        processes=BenchProcesses(command=runner_command(), environment_of=spawner.environment_of),
        records=TuningRecords(paths.data_folder / RECORDS_NAME),
        text_file=resources_folder() / TEXT_NAME,
        questions_file=resources_folder() / _QUESTIONS_NAME,
        build_of=lambda runtime: _build_name(spawner, runtime),
        probe=probe_host,
    )
