"""The services of the program, for as long as one command runs."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import queue
import sys
from collections.abc import Coroutine, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, TypeVar

from fireside.cli.screen import Screen, print_problems
from fireside.core.errors import StorageError

if TYPE_CHECKING:
    from fireside.chat.app import App
    from fireside.cli.engine_loop import EngineLoop
    from fireside.core.events import AppEvent
    from fireside.main.startup_context import StartupContext


_LOG: Final = "commands"
"""The name of the log file, which differs from the window's so that each has one writer."""

T = TypeVar("T")


@dataclass(frozen=True, kw_only=True)
class CommandApp:
    """The services, on a loop in a thread of their own, and the terminal."""

    app: App
    loop: EngineLoop
    events: queue.SimpleQueue[AppEvent]
    """Filled from the engine's thread."""
    screen: Screen = field(default_factory=lambda: Screen(output=sys.stdout, status=sys.stderr))

    def wait(self, work: Coroutine[object, object, T]) -> T:
        """Run ``work`` on the loop and return its result; an interrupt of the waiting thread cancels it."""
        return self.loop.wait(work)


@contextlib.contextmanager
def command_app(
    context: StartupContext,
    *,
    shares_as: str = "",
    is_chat: bool = False,
    is_stored: bool = False,
    needs_data: bool = False,
    added: tuple[str, ...] = (),
    with_engines: bool = False,
) -> Iterator[CommandApp]:
    """Start the services and close them at the end. Raises ``FiresideError``.

    Args:
        shares_as: the command, under whose name it uses the engine of a program that runs; empty for an
            engine of its own.
        is_chat: whether the user talks in the terminal for a while, so that other chats may use its engine.
        is_stored: whether chats are stored.
        needs_data: whether it is about what a passphrase protects, as documents are.
        added: model files for this run only.
        with_engines: whether to offer models of other engines.
    """
    from fireside.cli.engine_loop import EngineLoop
    from fireside.main.build import EngineSharing, Persistence, ProgramLifetime, build_app
    from fireside.settings.log import LogFile
    from fireside.settings.redaction import Redaction

    unlock(context, needs_data=is_stored or needs_data)
    events: queue.SimpleQueue[AppEvent] = queue.SimpleQueue()
    redaction = Redaction()
    lifetime = ProgramLifetime.FOR_A_CHAT if is_chat else ProgramLifetime.FOR_A_COMMAND
    sharing = EngineSharing(name=f"fireside {shares_as}", lifetime=lifetime, warn=sys.stderr.write)
    # Without a file of its own, the log would be mixed with the output.
    with LogFile(context.paths.logs_folder, redaction=redaction, name=_LOG), EngineLoop() as loop:
        app = loop.wait(
            build_app(
                context,
                emit=events.put,
                persistence=Persistence.AS_GUEST if is_stored else Persistence.NOTHING,
                redaction=redaction,
                added=added,
                sharing=sharing if shares_as else None,
                with_engines=with_engines,
            )
        )
        print_problems(context.problems)
        try:
            yield CommandApp(app=app, loop=loop, events=events)
        finally:
            loop.wait(app.close())


# Unlock the data for a command: by the keyring, or by the passphrase, typed without being shown


_ATTEMPTS: Final = 3


def unlock(context: StartupContext, *, needs_data: bool = True) -> None:
    """Unlock the data, if it has a passphrase.

    Without ``needs_data`` nobody is asked: what the keyring does not unlock stays locked, and documents and
    saved states are not used. Raises ``StorageError``: wrong three times, nobody to ask, or half encrypted.
    """
    lock = context.lock
    if not lock.has_passphrase:
        return
    if lock.is_locked:
        from fireside.main.network import build_secrets
        from fireside.settings.redaction import Redaction

        asyncio.run(lock.unlock_from_keyring(build_secrets(context, redaction=Redaction())))
    if lock.is_locked and not needs_data:
        return
    if lock.is_locked:
        _ask(context)
    lock.check_ready()


def _ask(context: StartupContext) -> None:
    if not sys.stdin.isatty():
        raise StorageError.of("passphrase_needed")
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return context.lock.unlock(getpass.getpass("Passphrase of your chats: "))
        except EOFError:
            raise StorageError.of("passphrase_needed") from None
        except StorageError as exc:
            if exc.code != "passphrase_wrong" or attempt == _ATTEMPTS:
                raise
            sys.stderr.write(f"{exc.sentence()}\n")
    return None
