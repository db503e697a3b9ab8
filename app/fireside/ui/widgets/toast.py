"""A short note over the window, with one action."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, Qt, QTimer, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent, QEnterEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.text import Label, breakable, one_line, plain_tooltip

SHOWN_MS = 8000
UNDO = tr_noop("Undo")
_EDGE = 16
_MAX_WIDTH: Final = 520
_MIN_TEXT: Final = 24
_MAX_LINES: Final = 5


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
        self._n_lines = 1
        row = QHBoxLayout(self)
        row.setContentsMargins(SPACE_L, SPACE_S, SPACE_S, SPACE_S)
        self._text = ""
        self._label = Label()
        self._label.setWordWrap(True)
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
        """All of the note, even if not all of it fits."""
        return self._text

    def show_message(
        self,
        text: str,
        *,
        action: str = "",
        icon: str = "undo-2",
        on_action: Callable[[], None] | None = None,
    ) -> None:
        """Show ``text`` for eight seconds a line, with a button where there is an action; ``icon`` may be
        empty."""
        self._text = one_line(text)
        self._label.setToolTip(plain_tooltip(text))
        self._action = on_action
        self._offers_undo = on_action is not None and action == tr(UNDO)
        self._button.setVisible(on_action is not None)
        if on_action is not None:
            self._button.set_icon(icon)
            self._button.set_label(action)
        self.setAccessibleName(text)
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))
        self._move_into_free_area()
        self._timer.start(SHOWN_MS * self._n_lines)
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
        self._wrap(min(free.width() - 2 * _EDGE, _MAX_WIDTH))
        self.setFixedSize(self.sizeHint())
        y = free.top() + _EDGE if self._at_top() else free.bottom() + 1 - self.height() - _EDGE
        self.move(free.center().x() - self.width() // 2, y)

    def _wrap(self, max_width: int) -> None:
        """Show the text on as few lines as fit ``max_width``; what exceeds the last one ends in “…”."""
        self.ensurePolished()
        self._label.setFixedWidth(_MIN_TEXT)
        room = max_width - self.sizeHint().width() + _MIN_TEXT
        metrics, text = self._label.fontMetrics(), breakable(self._text)
        # One pixel more than measured, else rounding at fractional scales breaks text that fits.
        width = max(_MIN_TEXT, min(metrics.horizontalAdvance(text) + 1, room))

        def n_lines(shown: str) -> int:
            box = QRect(0, 0, width, metrics.height())
            height = metrics.boundingRect(box, int(Qt.TextFlag.TextWordWrap), shown).height()
            return -(-height // metrics.lineSpacing())

        if n_lines(text) > _MAX_LINES:
            end = bisect_right(range(len(text)), _MAX_LINES, key=lambda n: n_lines(f"{text[:n]}…"))
            text = f"{text[: max(0, end - 1)].rstrip()}…"
        self._n_lines = n_lines(text)
        self._label.setText(text)
        self._label.setFixedSize(width, self._n_lines * metrics.lineSpacing())

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
