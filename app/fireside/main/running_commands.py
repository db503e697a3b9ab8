"""Run the commands about loaded models, which ask the running engine."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator, Sequence
from pathlib import Path

from fireside.bridge.runtime_folder import chats_endpoint, engine_endpoint
from fireside.cli.arguments import Arguments
from fireside.cli.loaded_models import (
    NOT_RUNNING,
    NOTHING_LOADED,
    PS_COMMAND,
    find_running,
    running_json,
    running_table,
)
from fireside.cli.screen import Screen, one_line
from fireside.core.errors import FiresideError
from fireside.engine.sharing.joined_engine import EngineUnresponsive, JoinedEngine, VersionMismatch, join
from fireside.engine.sharing.local_endpoint import local_endpoint
from fireside.main.engine_sharing import not_shared_text
from fireside.main.startup_context import StartupContext


def run_running_command(context: StartupContext, arguments: Arguments) -> int:
    """List loaded models, or unload one. Returns the exit status."""
    return asyncio.run(_run(context, arguments, screen=Screen(output=sys.stdout, status=sys.stderr)))


async def _run(context: StartupContext, arguments: Arguments, *, screen: Screen) -> int:
    folder, client = context.paths.data_folder, f"fireside {arguments.command}"
    try:
        # Both exist where a window was opened while chats ran in terminals.
        async with (
            _engine(engine_endpoint(folder), client=client) as main_engine,
            _engine(chats_endpoint(folder), client=client) as chats_engine,
        ):
            engines = [engine for engine in (main_engine, chats_engine) if engine is not None]
            if arguments.command == PS_COMMAND:
                return _list(engines, screen=screen, as_json=arguments.as_json)
            return await _stop(engines, arguments.name, screen=screen)
    except (VersionMismatch, EngineUnresponsive) as exc:
        screen.say(f"fireside: {not_shared_text(exc)}")
    except FiresideError as exc:
        screen.say(f"fireside: {one_line(exc.sentence())}\n")
    return 1


@contextlib.asynccontextmanager
async def _engine(endpoint: Path, *, client: str) -> AsyncIterator[JoinedEngine | None]:
    engine = await join(local_endpoint(endpoint), client=client)
    if engine is None:
        yield None
        return
    task = asyncio.create_task(engine.run())
    try:
        yield engine
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def _list(engines: Sequence[JoinedEngine], *, screen: Screen, as_json: bool) -> int:
    models = [model for engine in engines for model in engine.running_models()]
    if as_json:
        screen.write(running_json(models, is_running=bool(engines)))
    elif not engines:
        screen.say(f"{NOT_RUNNING}\n")
    elif not models:
        screen.say(f"{NOTHING_LOADED}\n")
    else:
        screen.write(running_table(models))
    return 0


async def _stop(engines: Sequence[JoinedEngine], name: str, *, screen: Screen) -> int:
    if not engines:
        screen.say(f"{NOT_RUNNING}\n")
        return 1
    matches = {model.model_id for engine in engines for model in find_running(engine.running_models(), name)}
    if len(matches) != 1:
        names = ", ".join(f"“{one_line(model_id)}”" for model_id in sorted(matches))
        reason = (
            f"“{one_line(name)}” may be {names}. Type more of the name."
            if matches
            else (f"“{one_line(name)}” is not loaded. “fireside ps” lists loaded models.")
        )
        screen.say(f"fireside: {one_line(reason)}\n")
        return 1
    (model_id,) = matches
    for engine in engines:
        await engine.unload(model_id)
    screen.write(f"“{one_line(model_id)}” unloaded.\n")
    return 0
