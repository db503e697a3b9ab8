"""``fireside serve``: the local API without a window."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

import msgspec

from fireside.cli.command_app import unlock
from fireside.cli.command_parser import CommandParser, UsageError
from fireside.cli.screen import print_problems

if TYPE_CHECKING:
    from fireside.api.options import ApiOptions
    from fireside.api.server import ApiServer
    from fireside.main.startup_context import StartupContext
    from fireside.settings.api_tokens import ApiTokens
    from fireside.settings.redaction import Redaction

_LOG: Final = "serve"
_NAME: Final = "fireside serve"
_HOW_TO_ADD: Final = "No access token yet. Add one with: fireside api-token add NAME\n"
_LOCKED: Final = (
    "Your data is locked: documents cannot be searched, and prompts are not cached on disk. Start this in a "
    "terminal, or keep the key in the system's keyring.\n"
)
_MAX_PORT: Final = 65_535
_DESCRIPTION: Final = """\
Serve the models of this computer to other programs, in the dialects of OpenAI, Ollama,
Anthropic and llama.cpp. The first line printed is the address. Ctrl+C ends it.
The window and commands such as “fireside run” use the models that it has loaded.
"""
_EXAMPLES: Final = """\
examples:
  fireside serve
  fireside serve --port 0              any free port
  fireside serve --no-token            for clients that send no token, such as Ollama's
  fireside serve --host 192.168.1.5    for other computers, with a token; not encrypted
  fireside serve --socket ~/fireside.sock    for programs of this user alone
"""


def define(command: CommandParser) -> None:
    """Add what may be typed after ``serve``."""
    command.description = _DESCRIPTION
    command.epilog = _EXAMPLES
    command.does(serve)
    command.add_argument("--port", type=_port, metavar="N", help="port, 3473 by default; 0 takes a free one")
    command.add_argument(
        "--host", default="", metavar="ADDRESS", help="address to listen at; 127.0.0.1 by default"
    )
    command.add_argument(
        "--socket", default="", metavar="PATH", help="listen at a Unix socket of this user, at no port"
    )
    command.add_argument("--no-token", action="store_true", help="let every program of this computer in")


def _port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > _MAX_PORT:
        raise argparse.ArgumentTypeError(f"“{text}” is not a port from 0 to {_MAX_PORT}")
    return int(text)


def serve(context: StartupContext, *, port: int | None, host: str, socket: str, no_token: bool) -> int:
    """Serve until a signal ends it. Returns the exit status; raises ``FiresideError``."""
    from fireside.api.options import LOOPBACK, api_options
    from fireside.settings.log import LogFile
    from fireside.settings.redaction import Redaction

    if socket and (host or port is not None):
        raise UsageError("--socket listens at no port: leave out --host and --port")
    options = api_options(context.settings.resolved(), host=host or LOOPBACK)
    if port is not None:
        options = msgspec.structs.replace(options, port=port)
    if socket:
        options = msgspec.structs.replace(options, socket=str(Path(socket).absolute()))
    if no_token:
        options = msgspec.structs.replace(options, needs_token=False)
    redaction = Redaction()
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG):
        unlock(context, needs_data=sys.stdin.isatty())
        if context.lock.is_locked:
            sys.stderr.write(_LOCKED)
        asyncio.run(_serve(context, options, redaction=redaction))
    return 0


async def _serve(context: StartupContext, options: ApiOptions, *, redaction: Redaction) -> None:
    from fireside.api.server import ApiServer
    from fireside.main.build import EngineSharing, Persistence, ProgramLifetime, build_app
    from fireside.settings.api_tokens import TOKENS_NAME, ApiTokens

    tokens = ApiTokens(context.paths.data_folder / TOKENS_NAME, on_damaged=context.problems.add)
    ended = asyncio.Event()
    with _signals_handled(ended.set):
        sharing = EngineSharing(name=_NAME, lifetime=ProgramLifetime.LONG, warn=sys.stderr.write)
        app = await build_app(
            context,
            emit=lambda _event: None,
            persistence=Persistence.NOTHING,
            redaction=redaction,
            sharing=sharing,
            with_engines=options.includes_remote,
        )
        try:
            server = ApiServer(
                app.services,
                options,
                collections=app.collections,
                tokens=tokens,
                forget=app.forget_states,
            )
            await server.start()
            # Only now, so that the address is the first line of the output.
            with _requests_printed():
                _print_address(server, options, tokens)
                print_problems(context.problems)
                await ended.wait()
                await server.stop()
        finally:
            await app.close()


def _print_address(server: ApiServer, options: ApiOptions, tokens: ApiTokens) -> None:
    sys.stdout.write(f"{server.address}\n")
    sys.stdout.flush()
    if options.needs_token and not tokens.all():
        sys.stderr.write(_HOW_TO_ADD)
    if not options.is_loopback:
        sys.stderr.write("Other computers on this network can connect, with a token. Nothing is encrypted.\n")


@contextlib.contextmanager
def _signals_handled(end: Callable[[], None]) -> Iterator[None]:
    """Call ``end`` on signals that stop a service, and ignore that its terminal is closed."""
    loop = asyncio.get_running_loop()
    numbers = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        numbers.append(signal.SIGBREAK)
    else:
        hup_handler = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    handlers = {
        number: signal.signal(number, lambda *_: loop.call_soon_threadsafe(end)) for number in numbers
    }
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if sys.platform != "win32":
            signal.signal(signal.SIGHUP, hup_handler)


@contextlib.contextmanager
def _requests_printed() -> Iterator[None]:
    """Print a line for each request, without its contents, to the terminal or the journal."""
    handler = logging.StreamHandler(sys.stderr)
    if not _is_journal(sys.stderr):
        handler.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("fireside.api")
    log.addHandler(handler)
    try:
        yield
    finally:
        log.removeHandler(handler)


def _is_journal(stream: TextIO) -> bool:
    """Return whether ``stream`` goes to systemd's journal, which adds times itself (systemd.exec(5))."""
    journal = os.environ.get("JOURNAL_STREAM")
    if journal is None:
        return False
    status = os.fstat(stream.fileno())
    return journal == f"{status.st_dev}:{status.st_ino}"
