"""One row of the download queue: progress, state and buttons."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from fireside.core.errors import format_bytes
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr, tr_noop
from fireside.ui.downloads.download_text import LineText, line_text, title_of
from fireside.ui.downloads.recovery_actions import RecoveryButtons
from fireside.ui.kit.layout import column, in_middle, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, plain_tooltip

if TYPE_CHECKING:
    from fireside.ui.downloads.download_controller import DownloadController
    from fireside.ui.downloads.downloads_page import DownloadsPage

TO_THE_TOP: Final = -1_000_000
TO_THE_END: Final = 1_000_000
_MOVES: Final = (
    (tr_noop("Move to the top"), TO_THE_TOP),
    (tr_noop("Move up"), -1),
    (tr_noop("Move down"), 1),
    (tr_noop("Move to the end"), TO_THE_END),
)


class DragHandle(IconButton):
    """Can be dragged; a click opens a menu with the same moves."""

    dragged = Signal(QPoint)
    """Carries the position of the pointer, in global coordinates."""
    dropped = Signal(QPoint)
    cancelled = Signal()
    """Emitted when the drag is cancelled."""

    def __init__(self, move_by: Callable[[int], None], *, title: str, parent: QWidget | None = None) -> None:
        """``move_by`` moves the row down by a number of positions; up if negative."""
        super().__init__(
            "grip-vertical",
            name=tr("Move “{title}” in the queue").format(title=title),
            size=16,
            tint="dim",
            parent=parent,
        )
        self.setAccessibleDescription(tr("Drag to reorder, or press Alt with an arrow key"))
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self._move_by = move_by
        self._pressed_at: QPoint | None = None
        self._is_dragging = False
        self.clicked.connect(self.open_menu)

    def open_menu(self) -> QMenu:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for label, steps in _MOVES:
            action = QAction(tr(label), menu)
            action.triggered.connect(lambda _checked=False, steps=steps: self._move_by(steps))
            menu.addAction(action)
        menu.popup(self.mapToGlobal(QPoint(0, self.height())))
        return menu

    def mousePressEvent(self, event: QMouseEvent) -> None:
        super().mousePressEvent(event)
        if event.button() is Qt.MouseButton.LeftButton:
            self._pressed_at = event.globalPosition().toPoint()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        position = event.globalPosition().toPoint()
        if self._pressed_at is None:
            super().mouseMoveEvent(event)
            return
        distance = (position - self._pressed_at).manhattanLength()
        if not self._is_dragging and distance >= QGuiApplication.styleHints().startDragDistance():
            self._is_dragging = True
            self.setDown(False)
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
            # So that Esc cancels the drag, wherever the keyboard focus was.
            self.setFocus(Qt.FocusReason.MouseFocusReason)
        if self._is_dragging:
            self.dragged.emit(position)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        was_dragging, was_pressed = self._is_dragging, self._pressed_at is not None
        self._end()
        if was_dragging:
            self.dropped.emit(event.globalPosition().toPoint())
        elif was_pressed:
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._is_dragging and event.key() == Qt.Key.Key_Escape:
            self._end()
            self.setDown(False)
            self.cancelled.emit()
            return
        super().keyPressEvent(event)

    def _end(self) -> None:
        self._pressed_at = None
        self._is_dragging = False
        self.setCursor(Qt.CursorShape.OpenHandCursor)


CONFIRM_FROM_BYTES: Final = 50_000_000
"""Smaller partial downloads are cancelled without confirmation, since they are quickly fetched again."""
_CAN_PAUSE: Final = frozenset(
    {
        DownloadState.QUEUED,
        DownloadState.RUNNING,
        DownloadState.CHECKING,
        DownloadState.WAITING_FOR_NETWORK,
        DownloadState.WAITING_FOR_SPACE,
    }
)


class DownloadRow(QFrame):
    """Shows a download; updates only the parts that changed."""

    def __init__(
        self,
        download: Download,
        *,
        actions: DownloadController,
        queue: DownloadsPage,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._queue = queue
        self.setObjectName("card")
        self._id = download.id
        self._download = download
        self._text: LineText | None = None
        title = title_of(download)
        self._name = title.name
        self.setAccessibleName(f"{title.name} {title.label}".strip())
        self.drag_handle = DragHandle(partial(queue.move_by, self._id), title=title.name)
        self.bar = ProgressBar(name=tr("Download of {name}").format(name=title.name))
        self._icon = Picture("clock", tint="dim", size=14)
        self.facts = ElidedLabel(role="small")
        self.problem = WrappedLabel(role="small")
        self.recovery = RecoveryButtons(download, name=title.name, actions=actions)
        self._make_buttons()
        self._arrange(label=title.label)
        for part in self.tab_order:
            part.installEventFilter(self)
        self._model_state = (False, False)
        self._lost_text: LineText | None = None
        self.show_download(download)

    @property
    def download(self) -> Download:
        return self._download

    @property
    def tab_order(self) -> tuple[QWidget, ...]:
        """The focusable widgets, in visual order."""
        top = (self.drag_handle, self.chat, self.show_file, self.pause_button, self.cancel)
        return (*top, *self.recovery.buttons, self.keep_button, self.confirm)

    def show_download(self, download: Download) -> None:
        """Show the current state of the download; unchanged parts are not updated."""
        is_new_state = self._text is None or download.state is not self._download.state
        self._download = download
        self.bar.set_fraction(download.n_bytes / download.size_bytes if download.size_bytes else 0.0)
        is_done = download.state is DownloadState.DONE
        text = self._lost_text if self._lost_text is not None and is_done else line_text(download)
        if text == self._text and not is_new_state:
            return
        previous, self._text = self._text, text
        self.facts.set_full_text(text.line)
        if previous is None or (previous.tint, previous.icon) != (text.tint, text.icon):
            self._icon.set_icon(text.icon, tint=text.tint)
            self.bar.set_tint("accent" if text.tint == "dim" and download.n_bytes == 0 else text.tint)
        if previous is None or (previous.state, previous.problem) != (text.state, text.problem):
            self._show_problem(text)
        if is_new_state:
            self._show_state(download.state)

    def show_model(self, *, can_chat: bool, is_in_library: bool, lost_text: LineText | None) -> None:
        """Show whether the finished model can be used in chat, and whether its file is in the library.

        ``lost_text`` is the text for one that is not in the library or cannot be used.
        """
        if lost_text != self._lost_text:
            self._lost_text = lost_text
            self.show_download(self._download)
        if (can_chat, is_in_library) != self._model_state:
            self._model_state = (can_chat, is_in_library)
            self._show_state(self._download.state)

    def show_drag_handle(self, *, is_shown: bool) -> None:
        """Show the drag handle, or hide it where there is no other row to move past."""
        self.drag_handle.setVisible(is_shown)
        self._layout.setContentsMargins(SPACE_S if is_shown else SPACE_L, SPACE_M, SPACE_M, SPACE_M)

    def confirm_cancel(self) -> None:
        """Cancel at once a download that has only started; otherwise ask for confirmation in the row."""
        is_done = self._download.state is DownloadState.DONE
        if is_done or self._download.n_bytes < CONFIRM_FROM_BYTES:
            self._actions.cancel(self._id)
            return
        arrived = format_bytes(self._download.n_bytes)
        self._question_text.setText(tr("Discard the {arrived} downloaded so far?").format(arrived=arrived))
        self._question.show()
        self.keep_button.setFocus(Qt.FocusReason.OtherFocusReason)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QKeyEvent) and (steps := _steps(event)):
            # Elsewhere in the window, Alt and an arrow key switch between chats.
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            # Buttons would handle arrow keys themselves.
            if event.type() is QEvent.Type.KeyPress:
                if not self.drag_handle.isHidden():
                    self._queue.move_by(self._id, steps)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and not self._question.isHidden():
            self._on_keep()
        else:
            super().keyPressEvent(event)

    def _make_buttons(self) -> None:
        name = self._name
        # One button for both actions, so that it keeps the keyboard focus.
        self.pause_button = IconButton("pause", name=tr("Pause {name}").format(name=name))
        self.pause_button.clicked.connect(self._on_pause)
        self.chat = Button(tr("Chat"), icon="message-square")
        self.chat.setAccessibleName(tr("Chat with {name}").format(name=name))
        self.chat.clicked.connect(lambda: self._queue.chat(self._id))
        self.show_file = IconButton("folder-open", name=tr("Show {name} in folder").format(name=name))
        self.show_file.clicked.connect(lambda: self._queue.show_file(self._id))
        self.cancel = IconButton("x", name=tr("Cancel {name}").format(name=name))
        self.cancel.clicked.connect(self.confirm_cancel)

    def _arrange(self, *, label: str) -> None:
        self.title = ElidedLabel(self._name, role="strong")
        self.title.setToolTip(plain_tooltip(self._download.title))
        top = row(self.title)
        if label:
            top.addWidget(Label(label, role="badge"), 0, Qt.AlignmentFlag.AlignVCenter)
        top.addStretch(1)
        for button in (self.chat, self.show_file, self.pause_button, self.cancel):
            top.addWidget(button)
        self._layout = row(
            in_middle(self.drag_handle),
            stretch(
                column(
                    top,
                    self.bar,
                    row(self._icon, stretch(self.facts), spacing=SPACE_S - 2),
                    self.problem,
                    self.recovery,
                    self._make_question(),
                    spacing=SPACE_XS + 2,
                )
            ),
            spacing=SPACE_XS,
            on=self,
        )
        self.show_drag_handle(is_shown=False)

    def _make_question(self) -> QWidget:
        self._question = QWidget()
        self._question_text = WrappedLabel(role="body")
        self.keep_button = Button(tr("Keep"), on_click=self._on_keep)
        self.confirm = Button(tr("Discard"), kind="danger", on_click=self._on_confirm)
        self.confirm.setAccessibleName(
            tr("Cancel {name} and discard the partial file").format(name=self._name)
        )
        row(
            stretch(self._question_text),
            self.keep_button,
            self.confirm,
            margins=(0, SPACE_XS, 0, 0),
            on=self._question,
        )
        self._question.hide()
        return self._question

    def _show_problem(self, text: LineText) -> None:
        self.problem.set_role("error" if text.tint == "danger" else "small")
        self.problem.show_text(text.problem)
        self.recovery.show_steps(self._download)
        self.setAccessibleDescription(". ".join(part for part in (text.state, text.problem) if part))

    def _show_state(self, state: DownloadState) -> None:
        is_done = state is DownloadState.DONE
        can_chat, is_in_library = self._model_state
        self.bar.setVisible(not is_done)
        is_paused = state is DownloadState.PAUSED
        self.pause_button.setVisible(is_paused or state in _CAN_PAUSE)
        self.pause_button.set_icon("play" if is_paused else "pause")
        self.pause_button.set_name(
            (tr("Resume {name}") if is_paused else tr("Pause {name}")).format(name=self._name)
        )
        self.chat.setVisible(is_done and can_chat)
        self.show_file.setVisible(is_done and is_in_library)
        cancel = tr("Remove from list: {name}") if is_done else tr("Cancel {name}")
        self.cancel.set_name(cancel.format(name=self._name))
        if is_done:
            self._question.hide()

    def _on_pause(self) -> None:
        is_paused = self._download.state is DownloadState.PAUSED
        (self._actions.resume if is_paused else self._actions.pause)(self._id)

    def _on_keep(self) -> None:
        self._question.hide()
        self.cancel.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_confirm(self) -> None:
        self._question.hide()
        self._actions.cancel(self._id)


def _steps(event: QKeyEvent) -> int:
    if event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier != Qt.KeyboardModifier.AltModifier:
        return 0
    return {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
