"""Before the services are built: unlock the data, and finish what a passphrase began."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from fireside.bridge.process_signals import ProcessSignals
from fireside.bridge.single_instance import SingleInstance
from fireside.core.errors import FiresideError, StorageError
from fireside.files.data_key import DataState
from fireside.main.startup_context import StartupContext
from fireside.services.data_lock import ConversionStopped
from fireside.settings.redaction import Redaction
from fireside.settings.secrets import Secrets
from fireside.settings.window_state import load_state
from fireside.ui.privacy.gate import GateWindow

_PROGRESS_S: Final = 0.05


class _Action(Enum):
    UNLOCK = auto()
    RETRY = auto()
    UNDO = auto()
    QUIT = auto()


class _Quit(Exception):
    """The user has closed the gate."""


async def pass_gate(
    context: StartupContext, instance: SingleInstance, signals: ProcessSignals, *, asks_keyring: bool
) -> bool:
    """Return whether the data may be opened: at once without a passphrase. False if the user quits.

    ``asks_keyring``: whether the system's keyring may unlock it, as at a start, and not once it was locked.
    """
    if not context.lock.has_passphrase:
        return True
    gate = _Gate(context, instance, signals)
    try:
        await gate.unlock(asks_keyring=asks_keyring)
        await gate.convert()
    except _Quit:
        return False
    finally:
        gate.close()
    return True


class _Gate:
    def __init__(self, context: StartupContext, instance: SingleInstance, signals: ProcessSignals) -> None:
        self._context = context
        self._lock = context.lock
        self._instance, self._signals = instance, signals
        self._actions: asyncio.Queue[tuple[_Action, str]] = asyncio.Queue()
        self._stopped = threading.Event()
        self._window: GateWindow | None = None

    @property
    def window(self) -> GateWindow:
        """The window, made and shown when it is first needed."""
        if self._window is None:
            window = GateWindow(geometry=load_state(self._context.paths.state_file).geometry)
            window.passphrase_entered.connect(lambda text: self._put(_Action.UNLOCK, text))
            window.retried.connect(lambda: self._put(_Action.RETRY))
            window.cancelled.connect(self._stopped.set)  # at once: the conversion may be at its end
            window.cancelled.connect(lambda: self._put(_Action.UNDO))
            window.quit_requested.connect(lambda: self._put(_Action.QUIT))
            self._signals.quit_requested.connect(window.close)
            self._instance.activation_requested.connect(window.come_to_front)
            window.show()
            window.activateWindow()
            self._window = window
        return self._window

    def close(self) -> None:
        if self._window is not None:
            self._signals.quit_requested.disconnect(self._window.close)
            self._instance.activation_requested.disconnect(self._window.come_to_front)
            self._window.finish()
            self._window.deleteLater()

    async def unlock(self, *, asks_keyring: bool) -> None:
        """Return once the data is unlocked."""
        while self._lock.is_locked:
            try:
                await asyncio.to_thread(self._lock.read)
                if not (asks_keyring and await self._lock.unlock_from_keyring(self._secrets())):
                    await self._ask()
            except StorageError as exc:  # the key file cannot be read
                self.window.show_failure(exc, can_undo=False)
                await self._next()

    async def _ask(self) -> None:
        self.window.ask()
        while True:
            _, text = await self._next()
            try:
                return await asyncio.to_thread(self._lock.unlock, text)
            except StorageError as exc:
                self.window.show_wrong(exc)

    async def convert(self) -> None:
        """Encrypt or decrypt what is left, if anything is."""
        is_undoing = False
        while await asyncio.to_thread(self._lock.needs_work):
            try:
                is_undoing = await self._convert(is_undoing=is_undoing)
            except FiresideError as exc:
                self.window.show_failure(exc, can_undo=not is_undoing)
                action, _ = await self._next()
                if action is _Action.UNDO:
                    is_undoing = await self._reverse()

    async def _convert(self, *, is_undoing: bool) -> bool:
        """Convert once, and return whether that is to be undone."""
        content = await asyncio.to_thread(self._lock.read)
        assert content is not None
        is_removal = content.state is DataState.DECRYPTING
        self.window.show_conversion(is_removal=is_removal, is_undoing=is_undoing)
        self._stopped.clear()
        work = asyncio.ensure_future(asyncio.to_thread(self._lock.finish, self._reporter()))
        action = asyncio.ensure_future(self._next())
        try:
            await asyncio.wait((work, action), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                self._stopped.set()
            failed = await work
        except ConversionStopped:
            await action  # raises where the user quits
            return await self._reverse()
        finally:
            action.cancel()
        if failed:
            number = len(failed)
            self._context.problems.add(StorageError.of("backups_plain", number=number))
        return is_undoing

    async def _reverse(self) -> bool:
        await asyncio.to_thread(self._lock.reverse)
        return True

    def _reporter(self) -> Callable[[float], bool]:
        """Return what the conversion calls from its thread."""
        loop, window, last = asyncio.get_running_loop(), self.window, 0.0

        def report(fraction: float) -> bool:
            nonlocal last
            now = time.monotonic()
            if now - last >= _PROGRESS_S or fraction >= 1.0:
                last = now
                loop.call_soon_threadsafe(window.show_progress, fraction)
            return not self._stopped.is_set()

        return report

    def _secrets(self) -> Secrets:
        # Imports what reaches the network, which the first paint does without.
        from fireside.main.network import build_secrets

        return build_secrets(self._context, redaction=Redaction())

    def _put(self, action: _Action, text: str = "") -> None:
        self._actions.put_nowait((action, text))

    async def _next(self) -> tuple[_Action, str]:
        """Return what the user does next. Raises ``_Quit``."""
        action, text = await self._actions.get()
        if action is _Action.QUIT:
            raise _Quit
        return action, text
