"""Run Fireside with its window: build it, show it, end it in order."""

from __future__ import annotations

import asyncio
import concurrent.futures
import logging
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QLocale, Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication
from qasync import QEventLoop

from fireside import __version__
from fireside.bridge.client import EngineClient
from fireside.bridge.engine_thread import EngineThread, FramePump
from fireside.bridge.file_opening import Application
from fireside.bridge.garbage import GuiGarbageCollector
from fireside.bridge.process_signals import ProcessSignals
from fireside.bridge.single_instance import SingleInstance
from fireside.core.errors import FiresideError
from fireside.core.ids import ConversationId, DraftId
from fireside.main.language import choose_language, install_language
from fireside.main.startup_context import StartupContext
from fireside.main.unexpected_errors import failures_logged
from fireside.settings.conversions import accent, contrast, density, language, text_size_px, theme
from fireside.settings.log import LogFile
from fireside.settings.paths import resources_folder
from fireside.settings.redaction import Redaction
from fireside.settings.window_state import WindowState, load_state, save_state
from fireside.ui.quick import QuickController
from fireside.ui.shell.about_sheet import read_about
from fireside.ui.shell.application import make_application, make_theme
from fireside.ui.shell.first_paint import FirstPaint
from fireside.ui.shell.program_context import ProgramContext
from fireside.ui.shell.show_in_folder import show_in_folder
from fireside.ui.shell.tray import Tray
from fireside.ui.shell.tray_controller import TrayController
from fireside.ui.shell.windows import Windows
from fireside.ui.taskbar import make_taskbar
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import Accent, Contrast, Density, Theme, ThemeChoice

if TYPE_CHECKING:
    from fireside.chat.app import App

log = logging.getLogger(__name__)

ALREADY_RUNNING = 0
"""Exit status of a second start: it did what was wanted, the window is in front."""
TURN_S = 0.0005
"""A thread that computes hands the interpreter on after this long, if another wants it. With Python's own
5 ms the window would wait so long several times a frame while a formula is drawn or an answer is stored."""


def run_window(context: StartupContext, *, files: Sequence[str] = (), asks: bool = False) -> int:
    """Show the window until it is closed, with ``files`` added to the library, and with ``asks`` a quick
    question over it. Returns the exit status.

    If Fireside runs already, its window comes to the front and gets the files.
    """
    application = make_application(sys.argv[:1], resources=resources_folder())
    # Before anything is said, also by the engine, whose words are shown.
    code = choose_language(language(context.settings.resolved()), system=QLocale.system())
    install_language(code, resources=resources_folder(), application=application)
    instance = SingleInstance(data_folder=context.paths.data_folder)
    if not instance.acquire():
        if instance.hand_over(files, quick_question=asks):
            return ALREADY_RUNNING
        sys.stderr.write("Fireside is already running, but its window does not respond.\n")
        return 1
    redaction = Redaction()
    try:
        with (
            LogFile(context.paths.logs_folder, redaction=redaction),
            failures_logged(context.paths.logs_folder),
        ):
            _run_owner(context, application, instance, files=files, asks=asks, redaction=redaction)
    finally:
        instance.release()
    return 0


def _run_owner(
    context: StartupContext,
    application: Application,
    instance: SingleInstance,
    *,
    files: Sequence[str],
    asks: bool,
    redaction: Redaction,
) -> None:
    sys.setswitchinterval(TURN_S)
    garbage = GuiGarbageCollector()
    seen: concurrent.futures.Future[None] = concurrent.futures.Future()

    async def build(pump: FramePump) -> App:
        # Its modules take longer to import than the window to be seen, and two threads that import wait for
        # each other.
        await asyncio.wrap_future(seen)
        from fireside.main.app_setup import Persistence, build_app
        from fireside.main.engine_sharing import EngineSharing, ProgramLifetime

        return await build_app(
            context,
            emit=pump.add,
            next_frame=pump.next_frame,
            keep=Persistence.AS_OWNER,
            redaction=redaction,
            sharing=EngineSharing(name="window", stays=ProgramLifetime.LONG),
        )

    thread: EngineThread[App] = EngineThread(build=build)
    client = EngineClient(thread)
    thread.start()
    loop = QEventLoop(application)
    signals = ProcessSignals()
    try:
        with loop:
            loop.run_until_complete(
                _until_closed(
                    context,
                    application,
                    instance,
                    client,
                    signals=signals,
                    files=files,
                    asks=asks,
                    on_seen=lambda: seen.set_result(None),
                )
            )
    finally:
        signals.close()
        if not seen.done():
            seen.set_result(None)
        if not thread.stop():
            log.error("the engine thread did not end in time")
        garbage.close()


async def _until_closed(
    context: StartupContext,
    application: Application,
    instance: SingleInstance,
    client: EngineClient,
    *,
    signals: ProcessSignals,
    files: Sequence[str],
    asks: bool,
    on_seen: Callable[[], None],
) -> None:
    closed: asyncio.Future[WindowState] = asyncio.get_running_loop().create_future()

    def on_end(state: WindowState) -> None:
        if not closed.done():
            closed.set_result(state)

    tray = Tray(icon=application.windowIcon())
    windows = make_windows(context, application, client, tray=tray, on_end=on_end)
    quick = QuickController(windows)
    in_tray = TrayController(windows, tray=tray, open_quick_question=quick.open)
    _remember_conversations(windows, context.paths.state_file)
    instance.quick_question_requested.connect(quick.open)
    instance.activation_requested.connect(lambda paths: _on_called(windows, paths))
    application.opening.opened.connect(lambda paths: _on_called(windows, paths))
    signals.quit_requested.connect(windows.quit)
    if asks:
        # Once it is known which model answers.
        once = Qt.ConnectionType.SingleShotConnection
        windows.front.conversations.subject_changed.connect(quick.open, once)
    FirstPaint(windows.front).painted.connect(on_seen)
    is_first_start = not context.paths.state_file.exists() and not context.paths.database_file.exists()
    windows.show()
    if is_first_start and not asks and not files:
        _show_tour(windows, context.paths.state_file)
    in_tray.refresh()
    _open_files(windows, files)
    application.opening.start()
    state = await closed
    quick.close()
    tray.close()
    await windows.settled()
    await asyncio.to_thread(save_state, context.paths.state_file, state)
    await _end_rest()


async def _end_rest() -> None:
    """End what still runs on this loop, as ``asyncio.run`` does: what is dropped with its loop complains."""
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)


def _show_tour(windows: Windows, state_file: Path) -> None:
    """Show the tour once there is something to see, and see to it that it does not come again."""
    windows.program.tasks.run(asyncio.to_thread(save_state, state_file, windows.state()))
    show = windows.front.command_controller.show_tour
    windows.front.conversations.subject_changed.connect(show, Qt.ConnectionType.SingleShotConnection)


def _remember_conversations(windows: Windows, path: Path) -> None:
    """Save which conversations are open whenever that changes: a killed program opens them again."""
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
) -> Windows:
    """Return the windows that were open last, not yet shown. Needs the running qasync loop.

    ``on_end`` is called once no window is left.
    """
    resources = resources_folder()
    loop = asyncio.get_running_loop()

    def show_error(error: FiresideError) -> None:
        windows.front.notices.show_error(error)

    program = ProgramContext(
        client=client,
        tasks=TaskRunner(loop, on_error=show_error),
        make_tasks=lambda on_error: TaskRunner(loop, on_error=on_error),
        theme=_theme(context, application),
        about=lambda: read_about(resources, version=__version__),
        open_url=_open_url,
        reveal=show_in_folder,
    )
    windows = Windows(
        program,
        state=load_state(context.paths.state_file),
        make_taskbar=make_taskbar,
        notifier=tray or Tray(icon=application.windowIcon()),
        on_end=on_end,
    )
    return windows


def _theme(context: StartupContext, application: QApplication) -> Theme:
    """Return the look that the settings ask for, so that the first frame has it already."""
    resolved = context.settings.resolved()
    look = make_theme(application, resources=resources_folder())
    look.set_choice(ThemeChoice(theme(resolved)))
    look.set_accent(Accent(accent(resolved)))
    look.set_contrast(Contrast(contrast(resolved)))
    look.set_density(Density(density(resolved)))
    look.set_text_size(text_size_px(resolved))
    return look


def _open_url(url: str) -> None:
    if not QDesktopServices.openUrl(QUrl(url)):
        log.warning("the system opened no program for a link")


def _on_called(windows: Windows, paths: Sequence[str]) -> None:
    """Come to the front, with ``paths`` added to the library."""
    windows.raise_front()
    _open_files(windows, paths)


def _open_files(windows: Windows, paths: Sequence[str]) -> None:
    if paths:
        windows.front.router.add_files(paths)
