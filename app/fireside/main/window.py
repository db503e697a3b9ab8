"""Run Fireside with its window, from start to orderly end."""

from __future__ import annotations

import asyncio
import concurrent.futures
import contextlib
import faulthandler
import logging
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Final, NamedTuple

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QMessageLogContext,
    Qt,
    QtMsgType,
    QTranslator,
    QUrl,
    qInstallMessageHandler,
)
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from fireside import __version__
from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread, FramePump
from fireside.bridge.file_opening import FiresideApplication
from fireside.bridge.garbage import GuiGarbageCollector
from fireside.bridge.process_signals import ProcessSignals
from fireside.bridge.single_instance import SingleInstance
from fireside.core.errors import FiresideError, RequestError
from fireside.core.i18n import English, set_language, tr, tr_noop
from fireside.core.ids import ConversationId, DraftId
from fireside.main.startup_context import StartupContext
from fireside.settings.conversions import language, lock_after_s, text_size_px
from fireside.settings.languages import ENGLISH, LANGUAGE_SYSTEM, TRANSLATED
from fireside.settings.log import LogFile
from fireside.settings.paths import resources_folder
from fireside.settings.redaction import Redaction
from fireside.settings.window_state import WindowState, load_state, save_state
from fireside.ui.privacy.locking import IdleLock
from fireside.ui.quick import QuickController
from fireside.ui.shell.about_sheet import read_about
from fireside.ui.shell.appearance import apply_colours
from fireside.ui.shell.application import FirstPaint, make_application, make_theme, show_in_folder
from fireside.ui.shell.tray import Tray, TrayController
from fireside.ui.shell.window import ProgramContext
from fireside.ui.shell.windows import Ending, Windows
from fireside.ui.sound_player import SoundPlayer, use_sound_player
from fireside.ui.taskbar import make_taskbar
from fireside.ui.tasks import OnError, TaskRunner

if TYPE_CHECKING:
    from fireside.chat.app import App

# Choose the language of the program and load its translations.

_BASE: Final = "fireside_"
_QT_BASE: Final = "qtbase_"


class QtLanguage:
    """A ``Language`` with the texts of a ``.qm`` file."""

    def __init__(self, translator: QTranslator, *, code: str) -> None:
        self.code = code
        self._translator = translator
        self._locale = QLocale(code)
        self._english = English()

    def translate(self, text: str, comment: str, n: int | None) -> str:
        """See ``Language.translate``."""
        translation = self._translator.translate("", text, comment or None, -1 if n is None else n)
        if not translation:
            return self._english.translate(text, comment, n)
        return translation if n is None else translation.replace("%n", self.number(n, decimals=0))

    def number(self, value: float, *, decimals: int) -> str:
        """See ``Language.number``."""
        return self._locale.toString(float(value), "f", decimals)


def choose_language(configured: str, *, system: QLocale) -> str:
    """Return the code of the language to use: the configured one, else the system's if it is translated."""
    if configured != LANGUAGE_SYSTEM:
        return configured
    names = [name.replace("-", "_") for name in system.uiLanguages()]
    for name in names:
        language = name.partition("_")[0]
        for code in (ENGLISH, *TRANSLATED):
            if name.startswith(code) or language == code:
                return code
    return ENGLISH


def install_language(code: str, *, resources: Path, application: QCoreApplication) -> None:
    """Set the language of the program and of Qt's dialogs; English if it has no translation."""
    if code == ENGLISH:
        set_language(English())
        return
    translator = QTranslator(application)
    if not translator.load(f"{_BASE}{code}", str(resources / "translations")):
        log.warning("there is no translation for %s", code)
        return
    QLocale.setDefault(QLocale(code))
    qt_translator = QTranslator(application)
    if qt_translator.load(_QT_BASE + code, QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)):
        application.installTranslator(qt_translator)
    set_language(QtLanguage(translator, code=code))


log = logging.getLogger(__name__)
failures = logging.getLogger("fireside.failures")

_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}

ALREADY_RUNNING = 0
"""Exit status of a second start, which has raised the window of the first."""
SWITCH_INTERVAL_S = 0.0005
"""Seconds after which a computing thread releases the interpreter to a waiting one. With Python's own 5 ms
the window would wait that long several times a frame while a formula is drawn or an answer is stored."""


def run_window(context: StartupContext, *, files: Sequence[str] = (), quick_question: bool = False) -> int:
    """Show the window until it is closed and return the exit status.

    ``files`` are added to the library; ``quick_question`` also opens a quick question. If Fireside is running
    already, both are passed to its window.
    """
    application = make_application(sys.argv[:1], resources=resources_folder())
    # Before any text is rendered, also by the engine.
    code = choose_language(language(context.settings.resolved()), system=QLocale.system())
    install_language(code, resources=resources_folder(), application=application)
    instance = SingleInstance(data_folder=context.paths.data_folder)
    if not instance.acquire():
        if instance.hand_over(files, quick_question=quick_question):
            return ALREADY_RUNNING
        sys.stderr.write("Fireside is already running, but its window does not respond.\n")
        return 1
    redaction = Redaction()
    try:
        with (
            LogFile(context.paths.logs_folder, redaction=redaction),
            failures_logged(context.paths.logs_folder),
        ):
            _put_theme_in_use(context, application)
            ending, is_start = Ending.REOPEN, True
            while ending is not Ending.QUIT:
                opened = _Opened(files=files, quick_question=quick_question) if is_start else _Opened()
                ending = _run_owner(
                    context, application, instance, opened=opened, is_start=is_start, redaction=redaction
                )
                is_start = False
                if ending is Ending.LOCK:
                    context.lock.lock()
    finally:
        instance.release()
    return 0


class _Opened(NamedTuple):
    """What the start was asked to open."""

    files: Sequence[str] = ()
    quick_question: bool = False


def _run_owner(
    context: StartupContext,
    application: FiresideApplication,
    instance: SingleInstance,
    *,
    opened: _Opened,
    is_start: bool,
    redaction: Redaction,
) -> Ending:
    """Run the engine and the windows until they are closed, once the data is unlocked; return what is next.

    ``is_start``: whether the system's keyring may unlock the data, and not after it was locked.
    """
    sys.setswitchinterval(SWITCH_INTERVAL_S)
    garbage = GuiGarbageCollector()
    painted: concurrent.futures.Future[None] = concurrent.futures.Future()

    async def build(pump: FramePump) -> App:
        # Its modules take longer to import than the window to be painted, and two threads that import wait
        # for each other.
        await asyncio.wrap_future(painted)
        from fireside.main.build import EngineSharing, Persistence, ProgramLifetime, build_app

        return await build_app(
            context,
            emit=pump.add,
            next_frame=pump.next_frame,
            persistence=Persistence.AS_OWNER,
            redaction=redaction,
            sharing=EngineSharing(name="window", lifetime=ProgramLifetime.LONG),
        )

    thread: EngineThread[App] = EngineThread(build=build)
    client = EngineClient(thread)
    loop = QEventLoop(application)
    signals = ProcessSignals()
    try:
        with loop:
            if not _is_open(context, instance, loop, signals, is_start=is_start):
                return Ending.QUIT
            thread.start()
            ending: Ending = loop.run_until_complete(
                _run_until_closed(
                    context,
                    application,
                    instance,
                    client,
                    signals=signals,
                    opened=opened,
                    on_painted=lambda: painted.set_result(None),
                )
            )
            return ending
    finally:
        signals.close()
        if not painted.done():
            painted.set_result(None)
        if not thread.stop():
            log.error("the engine thread did not end in time")
        garbage.close()


def _is_open(
    context: StartupContext,
    instance: SingleInstance,
    loop: QEventLoop,
    signals: ProcessSignals,
    *,
    is_start: bool,
) -> bool:
    """Return whether the data is unlocked and converted, once it is; false if the user quits instead."""
    if not context.has_passphrase:
        return True
    from fireside.main.gate import pass_gate

    return bool(loop.run_until_complete(pass_gate(context, instance, signals, asks_keyring=is_start)))


async def _run_until_closed(
    context: StartupContext,
    application: FiresideApplication,
    instance: SingleInstance,
    client: EngineClient,
    *,
    signals: ProcessSignals,
    opened: _Opened,
    on_painted: Callable[[], None],
) -> Ending:
    closed: asyncio.Future[WindowState] = asyncio.get_running_loop().create_future()

    def on_end(state: WindowState) -> None:
        if not closed.done():
            closed.set_result(state)

    tray = Tray(icon=application.windowIcon())
    windows = make_windows(context, application, client, tray=tray, on_end=on_end, has_theme=True)
    idle = IdleLock(
        application,
        client,
        windows.program.tasks,
        limit_s=lambda: _lock_after_s(windows),
        lock=windows.lock_unasked,
    )
    quick = QuickController(windows)
    tray_controller = TrayController(windows, tray=tray, open_quick_question=quick.open)
    _save_conversations(windows, context.paths.state_file)
    instance.quick_question_requested.connect(quick.open)
    instance.activation_requested.connect(lambda paths: _activate(windows, paths))
    application.opening.opened.connect(lambda paths: _activate(windows, paths))
    signals.quit_requested.connect(windows.quit)
    if opened.quick_question:
        # Only once the answering model is known.
        windows.front.conversations.subject_changed.connect(
            quick.open, Qt.ConnectionType.SingleShotConnection
        )
    FirstPaint(windows.front).painted.connect(on_painted)
    windows.show()
    tray_controller.refresh()
    _open_files(windows, opened.files)
    application.opening.start()
    state = await closed
    idle.close()
    quick.close()
    tray.close()
    await windows.settled()
    await asyncio.to_thread(save_state, context.paths.state_file, state)
    await _cancel_remaining_tasks()
    windows.destroy()
    return windows.ending


async def _cancel_remaining_tasks() -> None:
    """Cancel all other tasks of this loop, as ``asyncio.run`` does, to avoid warnings about pending tasks."""
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def _save_conversations(windows: Windows, path: Path) -> None:
    """Save the open conversations at each change, so that they are restored after a kill or crash."""
    saved = _conversations(load_state(path))
    tasks = windows.program.tasks

    def on_changed() -> None:
        nonlocal saved
        state = windows.state()
        if _conversations(state) != saved:
            saved = _conversations(state)
            tasks.run(asyncio.to_thread(save_state, path, state))

    windows.state_changed.connect(on_changed)


def _conversations(state: WindowState) -> tuple[tuple[ConversationId | None, DraftId], ...]:
    first = (state.last_conversation, state.new_draft)
    return (first, *((other.last_conversation, other.new_draft) for other in state.others))


def make_windows(
    context: StartupContext,
    application: QApplication,
    client: EngineClient,
    *,
    tray: Tray | None = None,
    on_end: Callable[[WindowState], None],
    has_theme: bool = False,
) -> Windows:
    """Return the windows of the last run, not yet shown. Needs the running qasync loop.

    ``on_end`` is called once the last window is closed; with ``has_theme`` the theme is in use already.
    """
    resources = resources_folder()
    loop = asyncio.get_running_loop()

    def show_error(error: FiresideError) -> None:
        windows.front.notices.show_error(error)

    def make_tasks(on_error: OnError) -> TaskRunner:
        def on_bug(bug: BaseException) -> None:
            reason = f"{type(bug).__name__}: {bug}"
            on_error(RequestError.of("service_failed", what=tr_noop("A part of the window"), reason=reason))

        return TaskRunner(loop, on_error=on_error, on_bug=on_bug)

    if not has_theme:
        _put_theme_in_use(context, application)
    tasks = make_tasks(show_error)
    player = SoundPlayer(
        client,
        tasks=tasks,
        on_error=show_error,
        set_up=lambda play: windows.front.set_up_speech((), tr("Play"), play),
        parent=client,
    )
    use_sound_player(player)
    program = ProgramContext(
        client=client,
        tasks=tasks,
        make_tasks=make_tasks,
        about=lambda: read_about(resources, version=__version__),
        open_url=_open_url,
        reveal=show_in_folder,
    )
    windows = Windows(
        program,
        state=load_state(context.paths.state_file),
        make_taskbar=make_taskbar,
        notifier=tray or Tray(icon=application.windowIcon()),
        on_last_closed=on_end,
    )
    return windows


def _lock_after_s(windows: Windows) -> float:
    known = windows.front.context.settings.latest if windows.all else ()
    return lock_after_s(known) if known else 0.0


def _put_theme_in_use(context: StartupContext, application: QApplication) -> None:
    """Apply the settings in force, so that the first frame has them already."""
    resolved = context.settings.resolved()
    look = make_theme(application, resources=resources_folder())
    apply_colours(resolved)
    look.set_text_size(text_size_px(resolved))


def _open_url(url: str) -> None:
    if not QDesktopServices.openUrl(QUrl(url)):
        log.warning("the system opened no program for a link")


def _activate(windows: Windows, paths: Sequence[str]) -> None:
    """Raise the front window and add ``paths`` to the library."""
    windows.raise_front()
    _open_files(windows, paths)


def _open_files(windows: Windows, paths: Sequence[str]) -> None:
    if paths:
        windows.front.router.add_files(paths)


@contextlib.contextmanager
def failures_logged(logs_folder: Path) -> Iterator[None]:
    """Send uncaught exceptions and Qt's messages to the log, and the stacks of a native crash to a file.

    A slot that raises does not end the program.
    """
    old_hook, old_thread_hook = sys.excepthook, threading.excepthook
    sys.excepthook = _on_exception
    threading.excepthook = _on_thread_exception
    old_handler = qInstallMessageHandler(_on_qt_message)
    with _crash_file(logs_folder):
        try:
            yield
        finally:
            qInstallMessageHandler(old_handler)
            sys.excepthook, threading.excepthook = old_hook, old_thread_hook


@contextlib.contextmanager
def _crash_file(logs_folder: Path) -> Iterator[None]:
    try:
        file = (logs_folder / "crash.txt").open("a", encoding="utf-8")
    except OSError:
        yield  # without a writable folder a native crash leaves no stacks
        return
    with file:
        faulthandler.enable(file)
        try:
            yield
        finally:
            faulthandler.disable()


def _on_exception(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    if issubclass(kind, KeyboardInterrupt):
        return
    failures.critical("uncaught", exc_info=(kind, error, trace))
    sys.__excepthook__(kind, error, trace)


def _on_thread_exception(arguments: threading.ExceptHookArgs) -> None:
    name = arguments.thread.name if arguments.thread is not None else "?"
    if arguments.exc_value is not None:
        failures.critical("uncaught in thread %s", name, exc_info=arguments.exc_value)


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, message: str) -> None:
    failures.log(_LEVELS.get(kind, logging.WARNING), "Qt: %s (%s)", message, context.category)
