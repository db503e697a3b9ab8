"""Build what every start of the program needs."""

from __future__ import annotations

import logging
import os
import sys
import time
from collections.abc import Callable, Mapping
from enum import Enum, auto
from pathlib import Path
from typing import assert_never

import msgspec

from fireside.chat.app import App
from fireside.core.errors import ErrorInfo, StorageError
from fireside.core.events import AppEvent, ModelStatusChanged
from fireside.core.options import SettingValue
from fireside.engine.cache_budget import cache_options, probe_room
from fireside.engine.clock import LoopClock
from fireside.engine.engine import Engine
from fireside.engine.environment import runner_environment
from fireside.engine.forgetting import KeptStates
from fireside.engine.host import probe_host
from fireside.engine.runner_process import RunnerSpawner, runner_command
from fireside.main.library import build_library
from fireside.settings.file import SettingsFile
from fireside.settings.paths import Paths, locate
from fireside.settings.service import Settings
from fireside.settings.typed import (
    cache_disk_bytes,
    cache_memory_bytes,
    data_folder,
    models_folder,
)
from fireside.storage.store import Store
from fireside.wire.messages import CacheOptions

log = logging.getLogger(__name__)

IN_MEMORY = ":memory:"


class Keep(Enum):
    """What becomes of this run's conversations."""

    NOTHING = auto()
    """They are gone with it."""
    AS_OWNER = auto()
    """They are kept, and what an earlier run left undone is tidied: only one program may do that."""
    AS_GUEST = auto()
    """They are kept in a database that a window may own at the same time."""


class Ground(msgspec.Struct, frozen=True, kw_only=True):
    """What is known before anything is built: where things live and what the person set."""

    paths: Paths
    settings: Settings


def lay_ground(environ: Mapping[str, str], *, command_line: Mapping[str, SettingValue]) -> Ground:
    """Find the settings file, read it, and find everything that it moves."""
    settings = Settings(
        file=SettingsFile(locate(environ).settings_file), environ=environ, command_line=command_line
    )
    settings.load()
    resolved = settings.resolved()
    paths = locate(environ, data=data_folder(resolved), models=models_folder(resolved))
    return Ground(paths=paths, settings=settings)


async def build_app(
    ground: Ground,
    *,
    emit: Callable[[AppEvent], None],
    keep: Keep,
    added: tuple[str, ...] = (),
) -> App:
    """Build everything that lives on the engine's loop, and start it.

    Args:
        keep: what becomes of this run's conversations.
        added: model files for this run alone, beside those in the settings.
    """
    states = KeptStates(ground.paths.states_folder)
    store, problem = await _open_store(ground.paths.database_file, keep=keep, states=states)
    engine = Engine(
        spawn=build_spawner(),
        clock=LoopClock(),
        probe=probe_host,
        on_status=lambda status: emit(ModelStatusChanged(status=status)),
        cache=lambda: _cache_options(ground),
    )
    app = App(
        store=store,
        engine=engine,
        library=build_library(ground.paths, ground.settings, added=added),
        settings=ground.settings,
        emit=emit,
        clock=time.monotonic,
        problem=problem,
        states=states,
    )
    if keep is Keep.AS_OWNER:
        await app.forget_if_off()
    await app.start()
    return app


def build_spawner() -> RunnerSpawner:
    """Return what starts runners of this very program."""
    return RunnerSpawner(
        command=runner_command(),
        environment=runner_environment(os.environ, app_folder=_app_folder()),
    )


def _cache_options(ground: Ground) -> CacheOptions:
    folder = ground.paths.states_folder
    resolved = ground.settings.resolved()
    return cache_options(
        folder,
        room=probe_room(folder),
        memory_bytes=cache_memory_bytes(resolved),
        disk_bytes=cache_disk_bytes(resolved),
    )


async def _open_store(database: Path, *, keep: Keep, states: KeptStates) -> tuple[Store, ErrorInfo | None]:
    """Open the database; where that cannot be done, keep this session in memory and say why."""
    try:
        match keep:
            case Keep.NOTHING:
                return await Store.open(IN_MEMORY, clock=time.time), None
            case Keep.AS_OWNER:
                return await Store.open(database, clock=time.time, before_purge=states.forget), None
            case Keep.AS_GUEST:
                return await Store.join(database, clock=time.time), None
            case _:
                assert_never(keep)
    except StorageError as exc:
        log.exception("conversations are kept in memory")
        return await Store.open(IN_MEMORY, clock=time.time), exc.info()


def _app_folder() -> Path | None:
    """Return the folder that holds the package, or nothing in a frozen program."""
    return None if getattr(sys, "frozen", False) else Path(__file__).resolve().parents[2]
