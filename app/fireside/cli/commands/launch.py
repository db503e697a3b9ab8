"""``fireside launch``: serve the local API for one coding agent, as long as it runs."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import shutil
import signal
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.cli.command_app import unlock
from fireside.cli.command_parser import CommandParser, model_name
from fireside.cli.screen import Screen, one_line

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


# Coding agents of other makers, and what each is started with to answer with a model of this computer


_TOKEN_VARIABLE: Final = "FIRESIDE_TOKEN"  # noqa: S105 - the name of a variable


class ModelEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """Where an agent finds its model."""

    url: str
    """The address of the local API, without a path."""
    token: str
    model: str
    n_ctx: int


class AgentStart(msgspec.Struct, frozen=True, kw_only=True):
    """What an agent is started with."""

    arguments: tuple[str, ...] = ()
    """Before those of the user."""
    environment: Mapping[str, str] = {}
    """Variables to set; an empty one counts as unset for all of them."""
    config: str = ""
    """The contents of a configuration file, for an agent that reads its model from one alone; its path
    becomes the last of ``arguments``."""


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """A coding agent."""

    name: str
    program: str
    package: str
    """Its package of npm."""
    start: Callable[[ModelEndpoint], AgentStart]


def _claude(endpoint: ModelEndpoint) -> AgentStart:
    models = ("ANTHROPIC_MODEL", "ANTHROPIC_SMALL_FAST_MODEL", "CLAUDE_CODE_SUBAGENT_MODEL")
    sizes = tuple(f"ANTHROPIC_DEFAULT_{size}_MODEL" for size in ("FABLE", "OPUS", "SONNET", "HAIKU"))
    clouds = tuple(f"CLAUDE_CODE_USE_{cloud}" for cloud in ("BEDROCK", "VERTEX", "FOUNDRY"))
    return AgentStart(
        environment={
            "ANTHROPIC_BASE_URL": endpoint.url,
            "ANTHROPIC_AUTH_TOKEN": endpoint.token,
            **dict.fromkeys((*models, *sizes), endpoint.model),
            **dict.fromkeys(("ANTHROPIC_API_KEY", *clouds), ""),
            "CLAUDE_CODE_AUTO_COMPACT_WINDOW": str(endpoint.n_ctx),
            "CLAUDE_CODE_MAX_OUTPUT_TOKENS": str(_reply_tokens(endpoint)),
            # It changes with each request, so nothing behind it would be found in the prompt cache.
            "CLAUDE_CODE_ATTRIBUTION_HEADER": "0",
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        }
    )


def _codex(endpoint: ModelEndpoint) -> AgentStart:
    provider = "model_providers.fireside"
    # Values that are no TOML count as text, so none needs quotes, which batch files on Windows lose.
    settings = {
        "model_provider": "fireside",
        f"{provider}.name": "Fireside",
        f"{provider}.base_url": f"{endpoint.url}/v1",
        f"{provider}.wire_api": "responses",
        f"{provider}.env_key": _TOKEN_VARIABLE,
        "model_context_window": str(endpoint.n_ctx),
        "check_for_update_on_startup": "false",
        "analytics.enabled": "false",
    }
    overrides = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
    return AgentStart(
        arguments=("-m", endpoint.model, *overrides), environment={_TOKEN_VARIABLE: endpoint.token}
    )


def _opencode(endpoint: ModelEndpoint) -> AgentStart:
    model = f"fireside/{endpoint.model}"
    limit = {"context": endpoint.n_ctx, "output": _reply_tokens(endpoint)}
    config = {
        "model": model,
        "small_model": model,
        "autoupdate": False,
        "share": "disabled",
        "provider": {
            "fireside": {
                "npm": "@ai-sdk/openai-compatible",
                "name": "Fireside",
                "options": {"baseURL": f"{endpoint.url}/v1", "apiKey": f"{{env:{_TOKEN_VARIABLE}}}"},
                "models": {endpoint.model: {"name": endpoint.model, "tool_call": True, "limit": limit}},
            }
        },
    }
    return AgentStart(
        environment={
            "OPENCODE_CONFIG_CONTENT": json.dumps(config),
            "OPENCODE_DISABLE_MODELS_FETCH": "1",
            _TOKEN_VARIABLE: endpoint.token,
        }
    )


def _continue(endpoint: ModelEndpoint) -> AgentStart:
    model = {
        "name": endpoint.model,
        "provider": "openai",
        "model": endpoint.model,
        "apiBase": f"{endpoint.url}/v1",
        "apiKey": endpoint.token,
        "roles": ["chat", "edit", "apply"],
        "capabilities": ["tool_use"],
        "defaultCompletionOptions": {"contextLength": endpoint.n_ctx, "maxTokens": _reply_tokens(endpoint)},
    }
    # Every JSON text is YAML.
    config = json.dumps({"name": "Fireside", "version": "1.0.0", "schema": "v1", "models": [model]})
    return AgentStart(
        arguments=("--config",), environment={"CONTINUE_CLI_ENABLE_TELEMETRY": "0"}, config=config
    )


def _reply_tokens(endpoint: ModelEndpoint) -> int:
    return endpoint.n_ctx // 4


AGENTS: Final[Mapping[str, Agent]] = {
    "claude": Agent(name="Claude Code", program="claude", package="@anthropic-ai/claude-code", start=_claude),
    "codex": Agent(name="Codex", program="codex", package="@openai/codex", start=_codex),
    "opencode": Agent(name="opencode", program="opencode", package="opencode-ai", start=_opencode),
    "continue": Agent(name="Continue", program="cn", package="@continuedev/cli", start=_continue),
}


def not_installed_text(agent: Agent) -> str:
    """Return that an agent is not installed, and how it would be."""
    return (
        f"{agent.name} is not installed: there is no program “{agent.program}”. "
        f"Install it with: npm install -g {agent.package}"
    )
