"""Run the local API without a window: ``fireside serve``."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, TextIO

import msgspec

from fireside.api.options import LOOPBACK, ApiOptions, api_options
from fireside.api.server import ApiServer
from fireside.cli.arguments import Arguments
from fireside.cli.serve import ServeArguments
from fireside.main.app_setup import Persistence, build_app
from fireside.main.engine_sharing import EngineSharing, ProgramLifetime
from fireside.main.found_problems import print_problems
from fireside.main.startup_context import StartupContext
from fireside.settings.api_tokens import TOKENS_NAME, ApiTokens
from fireside.settings.log import LogFile
from fireside.settings.redaction import Redaction

_LOG: Final = "serve"
_NAME: Final = "fireside serve"
_HOW_TO_ADD: Final = "No access token yet. Add one with: fireside api-token add NAME\n"


def run_serve(context: StartupContext, arguments: Arguments) -> int:
    """Serve until a signal ends it. Returns the exit status; raises ``FiresideError``."""
    redaction = Redaction()
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG):
        asyncio.run(_serve(context, arguments, redaction=redaction))
    return 0


async def _serve(context: StartupContext, arguments: Arguments, *, redaction: Redaction) -> None:
    options = _options(context, arguments.serve)
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
                print_problems(context)
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


def _options(context: StartupContext, arguments: ServeArguments) -> ApiOptions:
    options = api_options(context.settings.resolved(), host=arguments.host or LOOPBACK)
    if arguments.port is not None:
        options = msgspec.structs.replace(options, port=arguments.port)
    if arguments.socket:
        options = msgspec.structs.replace(options, socket=str(Path(arguments.socket).absolute()))
    if arguments.no_token:
        options = msgspec.structs.replace(options, needs_token=False)
    return options


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
