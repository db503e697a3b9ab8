"""Run the commands that are about what is loaded in the engine that runs: ask it, and build nothing."""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator

from fireside.bridge.runtime_folder import engine_place
from fireside.cli.arguments import Arguments
from fireside.cli.loaded_models import (
    NOT_RUNNING,
    NOTHING_LOADED,
    PS_COMMAND,
    meant,
    running_json,
    running_table,
)
from fireside.cli.screen import Screen, printable
from fireside.core.errors import FiresideError
from fireside.engine.sharing.joined_engine import JoinedEngine, OtherVersion, join
from fireside.engine.sharing.local_endpoint import local_endpoint
from fireside.main.engine_sharing import other_version_words
from fireside.main.startup_context import StartupContext


def run_running_command(context: StartupContext, arguments: Arguments) -> int:
    """List what is loaded, or unload a model. Returns the exit status."""
    return asyncio.run(_run(context, arguments, screen=Screen(output=sys.stdout, status=sys.stderr)))


async def _run(context: StartupContext, arguments: Arguments, *, screen: Screen) -> int:
    try:
        async with _engine(context, client=f"fireside {arguments.command}") as engine:
            if arguments.command == PS_COMMAND:
                return _list(engine, screen=screen, as_json=arguments.as_json)
            return await _stop(engine, arguments.name, screen=screen)
    except OtherVersion as exc:
        screen.say(f"fireside: {other_version_words(exc)}")
    except FiresideError as exc:
        screen.say(f"fireside: {printable(exc.sentence())}\n")
    return 1


@contextlib.asynccontextmanager
async def _engine(context: StartupContext, *, client: str) -> AsyncIterator[JoinedEngine | None]:
    engine = await join(local_endpoint(engine_place(context.paths.data_folder)), client=client)
    if engine is None:
        yield None
        return
    following = asyncio.create_task(engine.run())
    try:
        yield engine
    finally:
        following.cancel()
        await asyncio.gather(following, return_exceptions=True)


def _list(engine: JoinedEngine | None, *, screen: Screen, as_json: bool) -> int:
    models = engine.running() if engine is not None else ()
    if as_json:
        screen.write(running_json(models, is_running=engine is not None))
    elif engine is None:
        screen.say(f"{NOT_RUNNING}\n")
    elif not models:
        screen.say(f"{NOTHING_LOADED}\n")
    else:
        screen.write(running_table(models))
    return 0


async def _stop(engine: JoinedEngine | None, name: str, *, screen: Screen) -> int:
    if engine is None:
        screen.say(f"{NOT_RUNNING}\n")
        return 1
    found = meant(engine.running(), name)
    if len(found) != 1:
        names = ", ".join(f"“{printable(model.model_id)}”" for model in found)
        why = (
            f"“{printable(name)}” may be {names}. Type more of the name."
            if found
            else (f"“{printable(name)}” is not loaded. “fireside ps” lists loaded models.")
        )
        screen.say(f"fireside: {why}\n")
        return 1
    (model,) = found
    await engine.unload(model.model_id)
    screen.write(f"“{printable(model.model_id)}” unloaded.\n")
    return 0
