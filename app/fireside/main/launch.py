"""Serve the local API for one coding agent, as long as it runs: ``fireside launch``."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Final

import msgspec

from fireside.api.http_error import HttpError
from fireside.api.options import api_options
from fireside.api.server import ApiServer
from fireside.cli.arguments import Arguments
from fireside.cli.launch import AGENTS, N_CTX, N_CTX_WANTED, Agent, Endpoint, not_installed_text
from fireside.cli.screen import Screen, one_line
from fireside.main.app_setup import Persistence, build_app
from fireside.main.engine_sharing import EngineSharing, ProgramLifetime
from fireside.main.startup_context import StartupContext
from fireside.settings.api_tokens import USUAL_SCOPES, ApiTokens
from fireside.settings.log import LogFile
from fireside.settings.redaction import Redaction

_NAME: Final = "fireside launch"
_LOG: Final = "launch"
_SIGNAL_STATUS: Final = 128
_LOCAL: Final = "127.0.0.1"


def run_launch(context: StartupContext, arguments: Arguments) -> int:
    """Run an agent and return its exit status. Raises ``FiresideError``."""
    agent = AGENTS[arguments.launch.agent]
    program = shutil.which(agent.program)
    screen = Screen(output=sys.stdout, status=sys.stderr)
    if program is None:
        screen.say(f"fireside: {not_installed_text(agent)}\n")
        return 1
    redaction = Redaction()
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG):
        try:
            running = _launch(context, arguments, agent, program, redaction=redaction, screen=screen)
            return asyncio.run(running)
        except HttpError as exc:
            screen.say(f"fireside: {one_line(exc.message)}\n")
            return 1


async def _launch(
    context: StartupContext,
    arguments: Arguments,
    agent: Agent,
    program: str,
    *,
    redaction: Redaction,
    screen: Screen,
) -> int:
    async with _served(context, arguments.model, redaction=redaction, screen=screen) as endpoint:
        screen.say(
            f"{agent.name} answers with {one_line(endpoint.model)}, context {endpoint.n_ctx:,} tokens.\n"
        )
        if endpoint.n_ctx < N_CTX_WANTED:
            screen.say("That is short for an agent: choose a model with more by --model if it refuses.\n")
        start = agent.start(endpoint)
        with _config_file(start.config) as config:
            command = (program, *start.arguments, *config, *arguments.launch.arguments)
            return await _run(command, {**os.environ, **_direct(os.environ), **start.environment})


@contextlib.asynccontextmanager
async def _served(
    context: StartupContext, model: str | None, *, redaction: Redaction, screen: Screen
) -> AsyncIterator[Endpoint]:
    """Serve the local API at a port of its own with a model that is loaded; raises ``HttpError``."""
    # Another one may be running. As the engine is shared, nothing is loaded twice.
    options = msgspec.structs.replace(
        api_options(context.settings.resolved()), port=0, needs_token=True, includes_remote=False
    )
    tokens = ApiTokens(None)
    secret = tokens.add(_NAME, USUAL_SCOPES)
    redaction.add(secret)
    app = await build_app(
        context,
        emit=lambda _event: None,
        persistence=Persistence.NOTHING,
        redaction=redaction,
        sharing=EngineSharing(name=_NAME, lifetime=ProgramLifetime.LONG, warn=sys.stderr.write),
    )
    try:
        server = ApiServer(
            app.services, options, collections=app.collections, tokens=tokens, forget=app.forget_states
        )
        await server.start()
        try:
            screen.say("Loading the model…\n")
            model_id, n_ctx = await server.load(model or "", n_ctx=N_CTX)
            yield Endpoint(url=server.address, token=secret.reveal(), model=model_id, n_ctx=n_ctx)
        finally:
            await server.stop()
    finally:
        await app.close()


@contextlib.contextmanager
def _config_file(config: str) -> Iterator[tuple[str, ...]]:
    """Write a temporary file, if there is anything to write, and return its path as an argument."""
    if not config:
        yield ()
        return
    # In a folder that only this user can read: the file holds the token.
    with tempfile.TemporaryDirectory(prefix="fireside-") as folder:
        path = Path(folder) / "config.yaml"
        path.write_text(config, encoding="utf-8")
        yield (str(path),)


def _direct(environ: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that keep requests to this computer from a proxy."""
    return {name: ",".join(filter(None, (environ.get(name), _LOCAL))) for name in ("NO_PROXY", "no_proxy")}


async def _run(command: tuple[str, ...], environment: Mapping[str, str]) -> int:
    """Run a program in this terminal and return its exit status, as a shell would."""
    process = await asyncio.create_subprocess_exec(*command, env=environment)
    with _signals_left_to(process):
        status = await process.wait()
    return status if status >= 0 else _SIGNAL_STATUS - status


@contextlib.contextmanager
def _signals_left_to(process: asyncio.subprocess.Process) -> Iterator[None]:
    """Leave Ctrl+C to a program in the same terminal, which gets it too, and pass on that it should end."""

    def end(*_: object) -> None:
        with contextlib.suppress(ProcessLookupError):
            process.terminate()

    handlers = {signal.SIGINT: lambda *_: None, signal.SIGTERM: end}
    if sys.platform != "win32":
        handlers[signal.SIGHUP] = end
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
