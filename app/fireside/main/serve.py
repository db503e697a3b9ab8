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
from fireside.core.events import AppEvent
from fireside.main.app_setup import Persistence, build_app
from fireside.main.engine_sharing import EngineSharing, ProgramLifetime
from fireside.main.startup_context import StartupContext
from fireside.settings.api_tokens import TOKENS_NAME, Tokens
from fireside.settings.log import LogFile
from fireside.settings.redaction import Redaction

_LOG: Final = "serve"
_NAME: Final = "fireside serve"
_HOW_TO_ADD: Final = "No access token yet. Add one with: fireside api-token add NAME\n"


def run_serve(context: StartupContext, arguments: Arguments) -> int:
    """Serve until told to end. Returns the exit status; raises ``FiresideError``."""
    redaction = Redaction()
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG):
        asyncio.run(_serve(context, arguments, redaction=redaction))
    return 0


async def _serve(context: StartupContext, arguments: Arguments, *, redaction: Redaction) -> None:
    options = _options(context, arguments.serve)
    tokens = Tokens(context.paths.data_folder / TOKENS_NAME)
    ended = asyncio.Event()
    with _until_told(ended.set):
        sharing = EngineSharing(name=_NAME, stays=ProgramLifetime.LONG, say=sys.stderr.write)
        app = await build_app(
            context,
            emit=_ignore,
            keep=Persistence.NOTHING,
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
            # From here on, so that the address is the first line in a terminal too.
            with _requests_shown():
                _say_where(server, options, tokens)
                await ended.wait()
                await server.stop()
        finally:
            await app.close()


def _say_where(server: ApiServer, options: ApiOptions, tokens: Tokens) -> None:
    sys.stdout.write(f"{server.address}\n")
    sys.stdout.flush()
    if options.needs_token and not tokens.all():
        sys.stderr.write(_HOW_TO_ADD)
    if not options.is_loopback:
        sys.stderr.write("Other computers on this network can connect, with a token. Nothing is encrypted.\n")


def _options(context: StartupContext, words: ServeArguments) -> ApiOptions:
    options = api_options(context.settings.resolved(), host=words.host or LOOPBACK)
    if words.port is not None:
        options = msgspec.structs.replace(options, port=words.port)
    if words.socket:
        options = msgspec.structs.replace(options, socket=str(Path(words.socket).absolute()))
    if words.no_token:
        options = msgspec.structs.replace(options, needs_token=False)
    return options


def _ignore(event: AppEvent) -> None:
    """There is no window to tell."""
    del event


@contextlib.contextmanager
def _until_told(end: Callable[[], None]) -> Iterator[None]:
    """Call ``end`` on the signals that ask a service to stop; a terminal that closes is no reason to."""
    loop = asyncio.get_running_loop()
    wanted = [signal.SIGINT, signal.SIGTERM]
    if sys.platform == "win32":
        wanted.append(signal.SIGBREAK)
    else:
        before_hup = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    before = {each: signal.signal(each, lambda *_: loop.call_soon_threadsafe(end)) for each in wanted}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
        if sys.platform != "win32":
            signal.signal(signal.SIGHUP, before_hup)


@contextlib.contextmanager
def _requests_shown() -> Iterator[None]:
    """Print a line for each request, without what was asked, to the terminal or the journal."""
    shown = logging.StreamHandler(sys.stderr)
    if not _is_journal(sys.stderr):
        shown.setFormatter(logging.Formatter("%(asctime)s %(message)s"))
    log = logging.getLogger("fireside.api")
    log.addHandler(shown)
    try:
        yield
    finally:
        log.removeHandler(shown)


def _is_journal(stream: TextIO) -> bool:
    """Whether systemd's journal reads ``stream``: it notes the time of each line itself (systemd.exec(5))."""
    named = os.environ.get("JOURNAL_STREAM")
    if named is None:
        return False
    opened = os.fstat(stream.fileno())
    return named == f"{opened.st_dev}:{opened.st_ino}"
