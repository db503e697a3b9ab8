"""The handle by which a row of the queue is dragged to another position."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.popup import Menu

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
