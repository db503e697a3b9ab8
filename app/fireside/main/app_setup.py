"""Build the services of the engine thread, for the window and for commands."""

from __future__ import annotations

import asyncio
import logging
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum, auto
from pathlib import Path
from typing import assert_never

from fireside.chat.app import App
from fireside.chat.app_parts import AppParts
from fireside.chat.attachments import FileReadingProcess
from fireside.chat.stream_writer import NextFrame, sixtieth
from fireside.core.errors import ErrorInfo, StorageError
from fireside.core.events import AppEvent, ModelStatusChanged
from fireside.core.runtime import RuntimesChanged
from fireside.documents.messages import reading_command
from fireside.engine.clock import LoopClock
from fireside.engine.devices.card_sources import DeviceMemory, card_sources
from fireside.engine.devices.device_listing import DeviceLister
from fireside.engine.engine_context import EngineContext
from fireside.engine.host_info import probe_host
from fireside.engine.planning.planner import Planner
from fireside.engine.processes.llama_setup import LlamaSetup
from fireside.engine.processes.runner_process import runner_command
from fireside.engine.rule_check import RuleCheck
from fireside.engine.runtimes.runner_spawner import RunnerSpawner
from fireside.engine.saved_state_purge import SavedStatePurge
from fireside.engine.sharing.shared_engine import SharedEngine
from fireside.engine.template_example import TemplateExample
from fireside.hub.catalogue import CATALOGUE_NAME
from fireside.hub.connection_log import ConnectionLog
from fireside.main.about_setup import build_about, build_runtime_downloads
from fireside.main.engine_sharing import EngineSharing, share_engine
from fireside.main.hardware_setup import build_computer, build_speeds, cache_options_of
from fireside.main.hub_setup import (
    build_access,
    build_engines,
    build_secrets,
    build_tool_servers,
    build_web,
    route_of,
)
from fireside.main.library_setup import build_library
from fireside.main.local_api_setup import build_local_api
from fireside.main.planner_setup import build_planner
from fireside.main.runtime_setup import (
    base_environment,
    build_llama_setup,
    build_runtime_parts,
    build_spawner,
    runtime_in_use,
)
from fireside.main.startup_context import StartupContext
from fireside.main.tuning_setup import build_tuning_parts
from fireside.services.about_service import AboutParts
from fireside.services.collections.page_renderer import PageRenderer
from fireside.services.engines import EngineParts
from fireside.services.hub.hub_service import HubParts
from fireside.services.hub_access import HubAccess
from fireside.services.machine.engine_settings import engine_options
from fireside.services.machine.host_measurement import memory_of_loaded
from fireside.services.tool_servers.server_launches import ToolServerParts
from fireside.services.transfer.backups import BackupLocation
from fireside.services.web_access import WebParts
from fireside.settings.paths import resources_folder
from fireside.settings.redaction import Redaction
from fireside.storage.store import Store
from fireside.updates.runtime_downloads import RuntimeDownloads

log = logging.getLogger(__name__)

IN_MEMORY = ":memory:"
QUEUE_NAME = "downloads.json"
MEASURED_NAME = "measured.json"
MOVE_JOURNAL_NAME = "library-move.json"
BACKUPS_NAME = "backups"
COLLECTIONS_NAME = "collections.db"


class Persistence(Enum):
    """Whether and how this run's conversations are stored."""

    NOTHING = auto()
    """In memory only."""
    AS_OWNER = auto()
    """In the database, which is also cleaned up after the last run; for one program at a time."""
    AS_GUEST = auto()
    """In the database, which a window may own at the same time."""


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
        persistence: how conversations are stored. Only their owner resumes the downloads of the last run.
        next_frame: returns when the window shows the next frame; streamed text is saved once a frame.
        added: model files for this run only, in addition to those in the settings.
        redaction: receives each secret, so that none is written to the log.
        with_engines: whether to offer models of other engines; the owner, which manages them, always does.
        sharing: how this program shares an engine with others; ``None`` for an engine of its own.
    """
    states = SavedStatePurge(context.paths.states_folder)
    store, problem = await _open_store(context.paths.database_file, persistence=persistence, states=states)
    spawner = build_spawner(context.paths, on_change=lambda note: emit(RuntimesChanged(note=note)))
    setup = build_llama_setup()
    engine, planner, device_memory = _build_engine(context, spawner=spawner, setup=setup, emit=emit)
    if sharing is not None:
        await share_engine(engine, sharing, data_folder=context.paths.data_folder)
    owns_data = persistence is Persistence.AS_OWNER
    external = _external_access(context, redaction, persistence=persistence, with_engines=with_engines)
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
        about=external.about,
        engines=external.engines,
        tool_servers=external.servers,
        web=external.web,
        local_api=build_local_api(context, forget=states.delete_owner) if owns_data else None,
        backup_location=_backup_location(context) if owns_data else None,
        show_template=TemplateExample(command=runner_command(), environment=base_environment()),
        check_rule=RuleCheck(command=runner_command(), environment=base_environment()),
        list_devices=_device_lister(context, spawner=spawner, setup=setup),
        device_memory=device_memory,
        read_files=FileReadingProcess(command=reading_command(), environment=base_environment()),
        render_page=PageRenderer(environment=base_environment()),
        runtimes=build_runtime_parts(context.paths, downloads=external.downloads),
        tuning=build_tuning_parts(context.paths, spawner),
        hub=_hub_parts(context, external.access, engine=engine, spawner=spawner, persistence=persistence),
    )
    return await _started(App(parts), setup, persistence=persistence)


async def _started(app: App, setup: LlamaSetup, *, persistence: Persistence) -> App:
    if persistence is Persistence.AS_OWNER:
        setup.start()
        await app.forget_if_off()
    await app.start()
    return app


@dataclass(frozen=True, kw_only=True)
class _ExternalAccess:
    """The parts with access to the hub, other engines, Fireside's releases, MCP servers, and the web."""

    access: HubAccess
    engines: EngineParts | None
    about: AboutParts
    downloads: RuntimeDownloads | None
    servers: ToolServerParts
    web: WebParts


def _external_access(
    context: StartupContext, redaction: Redaction | None, *, persistence: Persistence, with_engines: bool
) -> _ExternalAccess:
    secrets, log = build_secrets(context, redaction=redaction or Redaction()), ConnectionLog()
    access, is_owner = build_access(context, secrets, log=log), persistence is Persistence.AS_OWNER
    route, engines = route_of(access), None
    if is_owner or with_engines:
        engines = build_engines(context, access, secrets, log=log, is_owner=is_owner)
    return _ExternalAccess(
        access=access,
        engines=engines,
        about=build_about(context, route=route, log=log),
        downloads=build_runtime_downloads(context, route=route, log=log),
        servers=build_tool_servers(context, access, secrets),
        web=build_web(access, secrets, log=log),
    )


def _build_engine(
    context: StartupContext,
    *,
    spawner: RunnerSpawner,
    setup: LlamaSetup,
    emit: Callable[[AppEvent], None],
) -> tuple[SharedEngine, Planner, DeviceMemory]:
    device_memory = DeviceMemory(card_sources(os.environ))
    planner = build_planner(
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
    *,
    engine: SharedEngine,
    spawner: RunnerSpawner,
    persistence: Persistence,
) -> HubParts:
    speeds = build_speeds(context.paths)
    return HubParts(
        access=access,
        computer=build_computer(
            context,
            spawner=spawner,
            speeds=speeds,
            loaded_memory=lambda: memory_of_loaded(engine.running_models()),
        ),
        speeds=speeds,
        catalogue_file=resources_folder() / CATALOGUE_NAME,
        queue_file=context.paths.data_folder / QUEUE_NAME if persistence is Persistence.AS_OWNER else None,
        move_journal=context.paths.data_folder / MOVE_JOURNAL_NAME,
    )


def _backup_location(context: StartupContext) -> BackupLocation:
    return BackupLocation(
        database=context.paths.database_file, usual_folder=context.paths.data_folder / BACKUPS_NAME
    )


async def _open_store(
    database: Path, *, persistence: Persistence, states: SavedStatePurge
) -> tuple[Store, ErrorInfo | None]:
    """Open the database; if that fails, use one in memory and return the error."""
    try:
        match persistence:
            case Persistence.NOTHING:
                return await Store.open(IN_MEMORY, clock=time.time), None
            case Persistence.AS_OWNER:
                store = await Store.open(database, clock=time.time, before_purge=states.delete_owner)
                return store, store.read_only.info() if store.read_only is not None else None
            case Persistence.AS_GUEST:
                store = await Store.join(database, clock=time.time)
                if store.read_only is None:
                    return store, None
                await store.close()
                raise store.read_only
            case _:
                assert_never(persistence)
    except StorageError as exc:
        log.exception("chats are kept in memory")
        return await Store.open(IN_MEMORY, clock=time.time), exc.info()
