"""The window before the data is unlocked: asks, converts, undoes, and opens nothing without the key."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import cast

import apsw
import msgspec
import pytest
from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from fakes.program import until
from fireside.bridge.process_signals import ProcessSignals
from fireside.bridge.single_instance import SingleInstance
from fireside.core.errors import StorageError
from fireside.main.gate import pass_gate
from fireside.main.startup_context import StartupContext, load_context
from fireside.services.data_lock import DataLock
from fireside.storage.encryption import is_plain
from fireside.ui.privacy.gate import GateWindow

WORD = "correct horse"
Scenario = Callable[[GateWindow], Coroutine[object, object, None]]


class Around(QObject):
    """Stands for the single instance and the signals of the process."""

    activation_requested = Signal(object)
    quit_requested = Signal()


@pytest.fixture
def context(own_home: Path) -> StartupContext:
    """A data folder whose data is to be encrypted, and is not yet."""
    found = load_context({"FIRESIDE_HOME": str(own_home / "fireside")}, command_line={})
    lock = DataLock(found.lock._places, cost=2**14)
    found.paths.data_folder.mkdir(parents=True)
    database = apsw.Connection(str(found.paths.database_file))
    database.execute("CREATE TABLE chat (text TEXT); INSERT INTO chat VALUES ('zanzibar')")
    database.close()
    lock.set_up(WORD)
    return msgspec.structs.replace(found, held=[lock])


def passes(qapp: QApplication, context: StartupContext, scenario: Scenario, *, is_shown: bool = True) -> bool:
    """Return what the gate returns when the user does ``scenario`` with its window."""
    loop = QEventLoop(qapp)
    asyncio.set_event_loop(loop)
    around = Around()

    def shown() -> GateWindow | None:
        windows = (each for each in qapp.topLevelWidgets() if isinstance(each, GateWindow))
        return next((window for window in windows if window.isVisible()), None)

    async def both() -> bool:
        gate = asyncio.ensure_future(
            pass_gate(
                context, cast("SingleInstance", around), cast("ProcessSignals", around), asks_keyring=False
            )
        )
        if is_shown:
            await until(lambda: shown() is not None or gate.done())
        if (window := shown()) is not None:
            await scenario(window)
        return await asyncio.wait_for(gate, 30)

    quits = qapp.quitOnLastWindowClosed()
    qapp.setQuitOnLastWindowClosed(False)
    try:
        with loop:
            is_passed: bool = loop.run_until_complete(both())
            return is_passed
    finally:
        qapp.setQuitOnLastWindowClosed(quits)
        qapp.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        asyncio.set_event_loop(None)
        assert shown() is None


async def nothing(_: GateWindow) -> None:
    pass


def test_without_a_passphrase_there_is_no_gate(qapp: QApplication, own_home: Path) -> None:
    context = load_context({"FIRESIDE_HOME": str(own_home / "fireside")}, command_line={})
    assert passes(qapp, context, nothing, is_shown=False)


def test_what_was_begun_is_finished_without_asking_again(qapp: QApplication, context: StartupContext) -> None:
    assert passes(qapp, context, nothing)
    assert not is_plain(context.paths.database_file)
    assert passes(qapp, context, nothing, is_shown=False)


def test_a_wrong_passphrase_is_said_and_the_right_one_opens(
    qapp: QApplication, context: StartupContext
) -> None:
    context.lock.finish()
    context.lock.lock()

    async def scenario(window: GateWindow) -> None:
        assert window.windowTitle() == "Fireside"
        assert not window.unlock.isEnabled()
        QTest.keyClicks(window.field, "wrong")
        QTest.keyClick(window.field, Qt.Key.Key_Return)
        assert window.focusWidget() is window.field, "another Return must not quit"
        await until(lambda: window.error.isVisible())
        assert "not the passphrase" in window.error.text()
        assert window.field.text() == "wrong"
        assert context.lock.is_locked
        QTest.keyClicks(window.field, WORD)
        QTest.mouseClick(window.unlock, Qt.MouseButton.LeftButton)

    assert passes(qapp, context, scenario)
    assert not context.lock.is_locked


def test_who_closes_the_window_quits(qapp: QApplication, context: StartupContext) -> None:
    context.lock.finish()
    context.lock.lock()

    async def scenario(window: GateWindow) -> None:
        window.close()

    assert not passes(qapp, context, scenario)
    assert context.lock.is_locked


def test_cancel_puts_everything_back(
    qapp: QApplication, context: StartupContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    going = threading.Event()
    finish = context.lock.finish

    def slowly(on_progress: Callable[[float], bool]) -> tuple[Path, ...]:
        def report(fraction: float) -> bool:
            return on_progress(fraction) if going.is_set() or going.wait(20) else False

        return finish(report)

    monkeypatch.setattr(context.lock, "finish", slowly)

    async def scenario(window: GateWindow) -> None:
        await until(lambda: window.cancel.isVisible())
        assert window.title.text() == "Encrypting your data"
        QTest.mouseClick(window.cancel, Qt.MouseButton.LeftButton)
        await asyncio.sleep(0)
        going.set()

    assert passes(qapp, context, scenario)
    assert not context.lock.has_passphrase
    assert is_plain(context.paths.database_file)


def test_a_failure_is_said_and_can_be_tried_again_or_undone(
    qapp: QApplication, context: StartupContext, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("fireside.storage.encryption._BUSY_MS", 10)
    other = apsw.Connection(str(context.paths.database_file))
    other.execute("BEGIN IMMEDIATE")

    async def scenario(window: GateWindow) -> None:
        await until(lambda: window.retry.isVisible())
        assert "locked" in window.error.text()
        QTest.mouseClick(window.retry, Qt.MouseButton.LeftButton)
        await until(lambda: not window.retry.isVisible())
        await until(lambda: window.retry.isVisible())
        other.close()
        QTest.mouseClick(window.undo, Qt.MouseButton.LeftButton)

    assert passes(qapp, context, scenario)
    assert not context.lock.has_passphrase


def test_a_key_file_that_cannot_be_read_is_said(qapp: QApplication, context: StartupContext) -> None:
    context.lock.finish()
    context.lock.lock()
    files = list(context.paths.data_folder.glob("passphrase*.json"))
    kept = files[0].read_bytes()
    for file in files:
        file.write_bytes(b"")

    async def scenario(window: GateWindow) -> None:
        await until(lambda: window.retry.isVisible())
        assert "key file" in window.error.text()
        assert not window.undo.isVisible()
        files[0].write_bytes(kept)
        QTest.mouseClick(window.retry, Qt.MouseButton.LeftButton)
        await until(lambda: window.field.isVisible())
        window.close()

    assert not passes(qapp, context, scenario)
    with pytest.raises(StorageError, match="locked"):
        context.lock.database_key()
