"""A short note over the window, with one action."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QRect, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import ElidedLabel

SHOWN_MS = 8000
UNDO = tr_noop("Undo")
_EDGE = 16


class Toast(QFrame):
    """One note at a time, at an end of ``parent``. It stays while the pointer is over it."""

    def __init__(
        self,
        *,
        parent: QWidget,
        free: Callable[[], QRect] | None = None,
        at_top: Callable[[], bool] = lambda: False,
    ) -> None:
        """``free`` returns the part of ``parent`` that the note may cover, ``at_top`` whether it is to be at
        the top of that: away from what it reports on."""
        super().__init__(parent)
        self.setObjectName("toast")
        self._free = free or parent.rect
        self._at_top = at_top
        self._action: Callable[[], None] | None = None
        self._offers_undo = False
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_S, SPACE_S)
        self._label = ElidedLabel()
        self._button = Button(tr(UNDO), kind="quiet", icon="undo-2", on_click=self._on_action)
        self._close = IconButton("x", name=tr("Dismiss"), size=15, on_click=self.hide_now)
        row.addWidget(self._label, 1)
        row.addWidget(self._button)
        row.addWidget(self._close)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SHOWN_MS)
        self._timer.timeout.connect(self.hide_now)
        parent.installEventFilter(self)
        self.hide()

    @property
    def text(self) -> str:
        return self._label.text()

    def show_message(
        self,
        text: str,
        *,
        action: str = "",
        icon: str = "undo-2",
        on_action: Callable[[], None] | None = None,
    ) -> None:
        """Show ``text`` for eight seconds, with a button where there is an action; ``icon`` may be empty."""
        self._label.set_full_text(text)
        self._action = on_action
        self._offers_undo = on_action is not None and action == tr(UNDO)
        self._button.setVisible(on_action is not None)
        if on_action is not None:
            self._button.set_icon(icon)
            self._button.set_label(action)
        self.setAccessibleName(text)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        self._timer.start()
        self._move_into_free_area()
        self.show()
        self.raise_()

    @property
    def offers_undo(self) -> bool:
        """Whether the note is visible and its action undoes the last change."""
        return self._offers_undo and self._action is not None

    def trigger_action(self) -> bool:
        """Run the action; return whether there was one."""
        if self._action is None:
            return False
        self._on_action()
        return True

    @Slot()
    def reposition(self) -> None:
        """Move into the free part of the parent, which may have changed."""
        if self.isVisible():
            self._move_into_free_area()

    @Slot()
    def hide_now(self) -> None:
        self._timer.stop()
        self._action = None
        self.hide()

    def _on_action(self) -> None:
        action = self._action
        self.hide_now()
        if action is not None:
            action()

    def _move_into_free_area(self) -> None:
        free = self._free()
        self.setFixedWidth(min(self.sizeHint().width(), free.width() - 2 * _EDGE, 520))
        self.adjustSize()
        y = free.top() + _EDGE if self._at_top() else free.bottom() + 1 - self.height() - _EDGE
        self.move(free.center().x() - self.width() // 2, y)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize and self.isVisible():
            self._move_into_free_area()
        return super().eventFilter(watched, event)

    def enterEvent(self, event: QEnterEvent) -> None:
        self._timer.stop()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        if self.isVisible():
            self._timer.start()
        super().leaveEvent(event)
