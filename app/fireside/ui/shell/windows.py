"""All windows of the program: opening, closing, and their state for the next start."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from msgspec import structs
from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from fireside.core.i18n import tr
from fireside.core.ids import ConversationId, DraftId
from fireside.settings.window_state import MAX_OTHERS, OtherWindow, WindowState
from fireside.ui.shell.answer_notes import Notifier
from fireside.ui.shell.draft_registry import DraftRegistry
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.shell.window import ProgramContext
from fireside.ui.taskbar import Taskbar, TaskbarProgress

_OFFSET_PX: Final = 28
"""Offset of a new window from the one it was opened from."""


class Ending(Enum):
    """What comes after the last window has closed."""

    QUIT = auto()
    LOCK = auto()
    """The keys of the data are forgotten, and the passphrase is asked for."""
    REOPEN = auto()
    """The data is converted, and the windows open again."""


class Windows(QObject):
    """Owns the windows, which share one engine. GUI thread only.

    Each window has its own request runner, so that no reply reaches a destroyed window.
    """

    state_changed = Signal()
    """The result of ``state`` has changed."""
    quick_question_requested = Signal()
    """The user asked for the quick question window."""

    def __init__(
        self,
        program: ProgramContext,
        *,
        state: WindowState,
        make_taskbar: Callable[[QWidget], Taskbar],
        notifier: Notifier,
        on_last_closed: Callable[[WindowState], None],
    ) -> None:
        """Create the windows of ``state``, still hidden.

        ``on_last_closed`` is called with the final state when the last window has closed.
        """
        super().__init__()
        self.program = program
        self._make_taskbar = make_taskbar
        self._notifier = notifier
        self._on_last_closed = on_last_closed
        self._state = state
        self._is_ending = False
        self.ending = Ending.QUIT
        """What comes after the last window."""
        self._drafts = DraftRegistry()
        self._windows: list[MainWindow] = []
        """Most recently used first."""
        self._closing_windows: list[MainWindow] = []
        """Windows that closed while the program ended."""
        self.hides_on_close: Callable[[], bool] = lambda: False
        """Returns whether the last window is hidden instead of closed."""
        for other in reversed(state.others):
            self._make(_window_state(other, front=state))
        self._make(state)

    # State

    @property
    def front(self) -> MainWindow:
        """The most recently used window."""
        return self._windows[0]

    @property
    def all(self) -> tuple[MainWindow, ...]:
        """Every window, most recently used first."""
        return tuple(self._windows)

    def state(self) -> WindowState:
        """Return the state to restore at the next start."""
        if not self._windows:
            return self._state
        first, *others = (window.window_state() for window in self._windows)
        return structs.replace(first, others=tuple(map(_other_window, others[:MAX_OTHERS])))

    def is_first(self, window: MainWindow) -> bool:
        """Return whether ``window`` shows the program's taskbar progress and notifications."""
        return bool(self._windows) and min(self._windows, key=lambda each: each.number) is window

    # Actions

    def show(self) -> None:
        """Show and start all windows."""
        for window in reversed(self._windows):
            window.show()
            window.start()

    def open_new(self, conversation_id: ConversationId | None = None) -> MainWindow:
        """Open another window next to the front one, with a conversation or with the new chat."""
        front = self.front
        state = front.window_state()
        placed = _cascaded_geometry(front)
        window = self._make(
            structs.replace(state, geometry=b"", last_conversation=conversation_id, new_draft=DraftId(""))
        )
        window.resize(placed.size())
        window.move(placed.topLeft())
        window.show()
        window.start()
        self.state_changed.emit()
        return window

    def raise_front(self) -> MainWindow:
        """Show, raise and activate the most recently used window, also from the tray."""
        window = self.front
        window.showNormal() if window.isMinimized() else window.show()
        window.raise_()
        window.activateWindow()
        return window

    def request_quit(self) -> None:
        """Quit once no temporary chat is open; the user is asked about each that has something."""
        self._request(Ending.QUIT)

    def lock(self) -> None:
        """Close every window for the data to be locked, after the same question."""
        self._request(Ending.LOCK)

    def lock_unasked(self) -> None:
        """Close every window for the data to be locked, and temporary chats with them: nobody is there to
        answer, and a question must not keep the data unlocked."""
        self.ending = Ending.LOCK
        self.quit()

    def reopen(self) -> None:
        """Close every window for the data to be converted, after the same question."""
        self._request(Ending.REOPEN)

    def _request(self, ending: Ending) -> None:
        for window in self.all:
            if window.conversations.has_unkept:
                window.showNormal() if window.isMinimized() else window.show()
                window.conversations.leave(lambda: self._request(ending))
                return
        self.ending = ending
        self.quit()

    def quit(self) -> None:
        """Close every window, even where closing only hides it, and whatever is open."""
        self._state = self.state()
        self._is_ending = True
        for window in self.all:
            window.close()

    def destroy(self) -> None:
        """Destroy the closed windows, where the program goes on without them."""
        for window in self._closing_windows:
            window.deleteLater()
        self._closing_windows.clear()

    async def settled(self) -> None:
        """Wait until the last requests, such as saved drafts, are answered; some seconds at most."""
        for tasks in (self.program.tasks, *(window.context.tasks for window in self._closing_windows)):
            await tasks.wait_until_idle()

    # Internals

    def _make(self, state: WindowState) -> MainWindow:
        def on_close(state: WindowState) -> None:
            self._on_closed(window, state)

        window = MainWindow(
            self.program,
            state=state,
            make_taskbar=lambda widget: _FirstWindowTaskbar(self, widget, self._make_taskbar(widget)),
            make_notifier=lambda widget: _FirstWindowNotifier(self, widget, self._notifier),
            on_close=on_close,
        )
        window.number = 1 + max((each.number for each in self._windows), default=0)
        window.hides_on_close = self._should_hide
        window.asks_on_close = lambda: not (self._is_ending or self._is_logging_out)
        window.conversations.share_drafts(self._drafts, own_id=state.new_draft)
        window.window_requested.connect(self.open_new)
        window.quit_requested.connect(self.request_quit)
        window.lock_requested.connect(self.lock)
        window.reopen_requested.connect(self.reopen)
        window.quick_question_requested.connect(self.quick_question_requested)
        window.conversations.subject_changed.connect(self.state_changed)
        window.chat.composer.draft_changed.connect(lambda text: self._on_draft(window, text))
        window.installEventFilter(self)
        self._windows.insert(0, window)
        return window

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.WindowActivate and watched in self._windows:
            self._windows.sort(key=lambda window: window is not watched)
        return super().eventFilter(watched, event)

    def _should_hide(self) -> bool:
        is_last = len(self._windows) == 1 and not self._is_ending
        return is_last and not self._is_logging_out and self.hides_on_close()

    @property
    def _is_logging_out(self) -> bool:
        """Whether a window that refused to close would block the user's logout."""
        application = QGuiApplication.instance()
        return isinstance(application, QGuiApplication) and application.isSavingSession()

    def _on_closed(self, window: MainWindow, state: WindowState) -> None:
        if window not in self._windows:
            return
        if len(self._windows) == 1:
            self._closing_windows.append(window)
            self._windows.clear()
            self._on_last_closed(self._state if self._is_ending else state)
        else:
            self._windows.remove(window)
            if self._is_ending:
                self._closing_windows.append(window)
            else:
                window.conversations.hand_over_draft()
                self.program.tasks.run(_destroy_when_idle(window))
                self.state_changed.emit()

    def _on_draft(self, window: MainWindow, text: str) -> None:
        """Show a note in other windows with a different draft of the same chat: only the latest is saved."""
        for other in self._windows:
            shows_same = other.chat.conversation_id == window.chat.conversation_id is not None
            if other is not window and shows_same and other.chat.composer.text() not in ("", text):
                other.toast.show_message(
                    tr("The draft was changed in another window. The latest version is kept.")
                )


class _FirstWindowTaskbar:
    """Taskbar progress that is shown only by the first window."""

    def __init__(self, windows: Windows, window: QWidget, taskbar: Taskbar) -> None:
        self._windows = windows
        self._window = window
        self._taskbar = taskbar

    def show(self, progress: TaskbarProgress) -> None:
        if isinstance(self._window, MainWindow) and self._windows.is_first(self._window):
            self._taskbar.show(progress)

    def clear(self) -> None:
        if isinstance(self._window, MainWindow) and self._windows.is_first(self._window):
            self._taskbar.clear()


class _FirstWindowNotifier:
    """Notifications that are shown only by the first window, while no window is active."""

    def __init__(self, windows: Windows, window: QWidget, notifier: Notifier) -> None:
        self._windows = windows
        self._window = window
        self._notifier = notifier

    def show(self, *, title: str, text: str) -> None:
        is_first = isinstance(self._window, MainWindow) and self._windows.is_first(self._window)
        if is_first and QApplication.activeWindow() is None:
            self._notifier.show(title=title, text=text)

    def clear(self) -> None:
        self._notifier.clear()


async def _destroy_when_idle(window: MainWindow) -> None:
    """Destroy a closed window once its last requests, such as its saved draft, are answered."""
    await window.context.tasks.wait_until_idle()
    window.context.tasks.cancel_all()
    await window.context.tasks.wait_until_idle()
    window.deleteLater()


def _cascaded_geometry(window: QWidget) -> QRect:
    """Return the geometry of a new window of the same size: lower and to the right, all on the screen.

    The size excludes the frame, the position includes it, as ``resize`` and ``move`` expect.
    """
    is_large = window.isMaximized() or window.isFullScreen()
    geometry = window.normalGeometry() if is_large else QRect(window.pos(), window.size())
    screen, frame = window.screen().availableGeometry(), window.frameGeometry().size() - window.size()
    size = geometry.size().boundedTo(screen.size() - frame)
    last = screen.bottomRight() - QRect(QPoint(), size + frame).bottomRight()
    position = geometry.topLeft() + QPoint(_OFFSET_PX, _OFFSET_PX)
    return QRect(
        QPoint(
            max(screen.left(), min(position.x(), last.x())), max(screen.top(), min(position.y(), last.y()))
        ),
        size,
    )


def _other_window(state: WindowState) -> OtherWindow:
    """Return the part of a window's state that is stored for windows other than the front one."""
    return OtherWindow(**{name: getattr(state, name) for name in OtherWindow.__struct_fields__})


def _window_state(other: OtherWindow, *, front: WindowState) -> WindowState:
    """Return the state of a window as ``front``, with the fields of ``other``."""
    return structs.replace(front, others=(), **structs.asdict(other))
