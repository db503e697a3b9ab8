"""``fireside launch``: serve the local API for one coding agent, as long as it runs."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.cli.agents import AGENTS, Agent, ModelEndpoint, not_installed_text
from fireside.cli.command_parser import CommandParser, model_name
from fireside.cli.screen import Screen, one_line
from fireside.cli.unlocking import unlock

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext
    from fireside.settings.redaction import Redaction

_NAME: Final = "fireside launch"
_LOG: Final = "launch"
_SIGNAL_STATUS: Final = 128
_LOCAL: Final = "127.0.0.1"
_N_CTX: Final = 65_536
"""Context length to load an agent's model with, if model and memory have it: a first prompt has 5,000 to
20,000 tokens, and files are added to it."""
_N_CTX_WANTED: Final = 24_576
"""A shorter context is pointed out to the user."""
_DESCRIPTION: Final = """\
Start a coding agent that answers with a model of this computer. It gets the address, a token and
the model by its arguments and environment, for this run only: none of its files is changed.
The local API runs as long as the agent, at a port of its own, and uses what is loaded already.
"""
_EXAMPLES: Final = """\
examples:
  fireside launch codex
  fireside launch claude --model Qwen3-8B.Q4_K_M
  fireside launch opencode -- run "Explain this project"    what follows -- goes to the agent
  fireside --set load.n_ctx=131072 launch claude            with a context length of your choice
"""


def define(command: CommandParser) -> None:
    """Add what may be typed after ``launch``."""
    command.description = _DESCRIPTION
    command.epilog = _EXAMPLES
    command.does(launch)
    command.add_argument("agent", choices=tuple(AGENTS), help=", ".join(AGENTS))
    command.add_argument(
        "--model", type=model_name, help="a name from “fireside list”; the one used last by default"
    )
    command.add_argument(
        "agent_arguments", nargs="*", metavar="argument", help="behind --, what the agent gets"
    )


def launch(context: StartupContext, *, agent: str, model: str | None, agent_arguments: Sequence[str]) -> int:
    """Run an agent and return its exit status. Raises ``FiresideError``."""
    from fireside.api.http_error import HttpError
    from fireside.settings.log import LogFile
    from fireside.settings.redaction import Redaction

    chosen = AGENTS[agent]
    program = shutil.which(chosen.program)
    screen = Screen(output=sys.stdout, status=sys.stderr)
    if program is None:
        screen.say(f"fireside: {not_installed_text(chosen)}\n")
        return 1
    redaction = Redaction()

    async def serve_and_run() -> int:
        async with _served(context, model, redaction=redaction, screen=screen) as endpoint:
            return await _run_agent(chosen, program, agent_arguments, endpoint=endpoint, screen=screen)

    unlock(context, needs_data=False)
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG):
        try:
            return asyncio.run(serve_and_run())
        except HttpError as exc:
            screen.say(f"fireside: {one_line(exc.message)}\n")
            return 1


async def _run_agent(
    agent: Agent, program: str, arguments: Sequence[str], *, endpoint: ModelEndpoint, screen: Screen
) -> int:
    screen.say(f"{agent.name} answers with {one_line(endpoint.model)}, context {endpoint.n_ctx:,} tokens.\n")
    if endpoint.n_ctx < _N_CTX_WANTED:
        screen.say("That is short for an agent: choose a model with more by --model if it refuses.\n")
    start = agent.start(endpoint)
    with _config_file(start.config) as config:
        command = (program, *start.arguments, *config, *arguments)
        return await _run(command, {**os.environ, **_direct(os.environ), **start.environment})


@contextlib.asynccontextmanager
async def _served(
    context: StartupContext, model: str | None, *, redaction: Redaction, screen: Screen
) -> AsyncIterator[ModelEndpoint]:
    """Serve the local API at a port of its own with a model that is loaded; raises ``HttpError``."""
    from fireside.api.options import api_options
    from fireside.api.server import ApiServer
    from fireside.main.build import EngineSharing, Persistence, ProgramLifetime, build_app
    from fireside.settings.api_tokens import USUAL_SCOPES, ApiTokens

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
            model_id, n_ctx = await server.load(model or "", n_ctx=_N_CTX)
            yield ModelEndpoint(url=server.address, token=secret.reveal(), model=model_id, n_ctx=n_ctx)
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
