"""The window of the quick question: a chat pane with buttons to open, copy or discard the chat."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QCloseEvent,
    QCursor,
    QGuiApplication,
    QKeySequence,
    QMouseEvent,
    QPainterPath,
    QRegion,
    QResizeEvent,
    QShortcut,
)
from PySide6.QtWidgets import QFrame, QWidget

from fireside.bridge.client import EngineClient
from fireside.core.i18n import tr
from fireside.ui.chat.answer.links import OpenUrl
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import SPACE_L, SPACE_S, theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import ElidedLabel, Label

_WIDTH: Final = 680
_RADIUS: Final = 16
_HEIGHT: Final = 520
"""Once there is an answer; before that the card is as high as its field."""


class QuickCard(QWidget):
    """A frameless window; ``QuickController`` handles its buttons."""

    closed = Signal()

    def __init__(self, *, client: EngineClient, tasks: TaskRunner, open_url: OpenUrl) -> None:
        super().__init__(None, Qt.WindowType.Tool | Qt.WindowType.FramelessWindowHint)
        # The main window may be hidden in the tray, so closing this card must not quit the program.
        self.setAttribute(Qt.WidgetAttribute.WA_QuitOnClose, False)
        self.setWindowTitle(tr("Quick question"))
        self._drag_offset: QPoint | None = None
        self.pane = ChatPane(client=client, tasks=tasks, open_url=open_url, saves_drafts=False)
        self.model_name = ElidedLabel("", parent=self)
        self.close_button = IconButton("x", name=tr("Close"), size=16)
        self.open_button = Button(tr("Open in Fireside"), icon="app-window")
        self.copy_button = Button(tr("Copy"), icon="copy", kind="quiet")
        self.discard_button = Button(tr("Discard"), icon="trash-2", kind="quiet")
        self._lay_out()
        self.pane.composer.menu_button.hide()
        self.pane.composer.tools_button.hide()
        self.pane.composer.compare_button.hide()
        self.pane.composer.dictate_button.hide()
        self.pane.composer.talk_button.hide()
        self.pane.transcript.messages_changed.connect(self._fit)
        self.close_button.clicked.connect(self.close)
        self.discard_button.setCheckable(True)
        self.discard_button.setToolTip(tr("Deletes this chat when the card is closed"))
        QShortcut(QKeySequence(Qt.Key.Key_Escape), self).activated.connect(self.close)
        # With the keyboard focus, the field handles Escape before shortcuts do.
        self.pane.composer.editor.stop_pressed.connect(self.close)

    @property
    def keeps_chat(self) -> bool:
        """Whether the chat stays when the card is closed."""
        return not self.discard_button.isChecked()

    def open_empty(self) -> None:
        """Show an empty field in the middle of the screen with the pointer."""
        self.pane.open_new(draft="")
        self.discard_button.setChecked(False)
        self._fit()
        screen = QGuiApplication.screenAt(QCursor.pos()) or QGuiApplication.primaryScreen()
        screen_area = screen.availableGeometry()
        self.move(
            screen_area.center().x() - self.width() // 2,
            screen_area.top() + max(0, (screen_area.height() - _HEIGHT) // 3),
        )
        self.show()
        self.raise_()
        self.activateWindow()
        self.pane.focus_composer()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # A mask also rounds the corners where there is no compositor.
        path = QPainterPath()
        path.addRoundedRect(QRectF(self.rect()), _RADIUS, _RADIUS)
        self.setMask(QRegion(path.toFillPolygon().toPolygon()))

    def closeEvent(self, event: QCloseEvent) -> None:
        super().closeEvent(event)
        self.closed.emit()

    # Dragging, since the window has no title bar

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            handle = self.windowHandle()
            if handle is None or not handle.startSystemMove():
                self._drag_offset = event.globalPosition().toPoint() - self.pos()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self._drag_offset is not None:
            self.move(event.globalPosition().toPoint() - self._drag_offset)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        super().mouseReleaseEvent(event)
        self._drag_offset = None

    def _lay_out(self) -> None:
        self.model_name.setProperty("role", "mute")
        title = Label(tr("Quick question"), role="strong")
        top = row(title, stretch(self.model_name), self.close_button, margins=(SPACE_L, 0, 0, 0))
        buttons = (self.open_button, self.copy_button, stretch(), self.discard_button)
        self._foot = boxed(row(*buttons, margins=(SPACE_L, 0, SPACE_L, SPACE_S)))
        frame = QFrame(self)
        frame.setObjectName("quickCard")
        column(top, stretch(self.pane), self._foot, margins=SPACE_S, on=frame)
        column(frame, on=self)

    def _fit(self) -> None:
        """Fit the size to the composer alone, or to composer and answer."""
        has_messages = bool(self.pane.transcript.entries)
        self.pane.stack.setVisible(has_messages)
        self.pane.start.hide()
        self._foot.setVisible(has_messages)
        screen_area = (self.screen() or QGuiApplication.primaryScreen()).availableGeometry()
        width = min(theme().scaled(_WIDTH), screen_area.width())
        self.setMinimumSize(0, 0)
        if has_messages:
            self.setFixedSize(width, min(theme().scaled(_HEIGHT), screen_area.height()))
        else:
            self.setFixedWidth(width)
            self.setFixedHeight(self.minimumSizeHint().height())
