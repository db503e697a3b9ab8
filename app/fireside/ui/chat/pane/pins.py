"""The button with the menu of a conversation's pinned messages."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu, QToolButton

from fireside.core.i18n import tr
from fireside.core.ids import MessageId
from fireside.ui.chat.style import column_width
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.theme import theme
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.text import escape_mnemonic, truncate_text

_EXCERPT_CHARS = 61
_EDGE_MARGIN = 12
_STRIP_MARGIN = 6


class PinsButton(QToolButton):
    """Shown in the transcript's upper right corner while the branch has pinned messages."""

    def __init__(self, *, transcript: Transcript) -> None:
        super().__init__(transcript)
        self.setObjectName("pinsButton")
        self._transcript = transcript
        self.menu_shown: QMenu | None = None
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.clicked.connect(self.show_menu)
        transcript.pins_changed.connect(self.show_count)
        transcript.viewport().installEventFilter(self)
        theme().changed.connect(self._draw)
        self._draw()
        self.hide()

    def show_count(self) -> None:
        """Show the number of pinned messages; hide where there are none."""
        n = len(self._pinned())
        self.setVisible(n > 0)
        label = tr("%n pinned message|%n pinned messages", "", n)
        self.setText(f" {n}")
        self.setAccessibleName(label)
        self.setToolTip(label)
        self.adjustSize()
        self._update_position()

    def show_menu(self) -> None:
        """Open the menu of pinned messages."""
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.destroyed.connect(self._on_menu_closed)
        for message_id, label in self._pinned():
            line = QAction(escape_mnemonic(label), menu)
            line.triggered.connect(lambda _checked=False, id_=message_id: self._transcript.go_to(id_))
            menu.addAction(line)
        self.menu_shown = menu
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))

    def _on_menu_closed(self) -> None:
        self.menu_shown = None

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._update_position()
        return super().eventFilter(watched, event)

    def _pinned(self) -> list[tuple[MessageId, str]]:
        pinned: list[tuple[MessageId, str]] = []
        for entry in self._transcript.entries:
            if entry.is_pinned:
                who = tr("You") if entry.is_user else tr("Answer")
                text = " ".join(entry.text[: 2 * _EXCERPT_CHARS].split())
                pinned.append((entry.message.id, f"{who}: {truncate_text(text, length=_EXCERPT_CHARS)}"))
        return pinned

    def _update_position(self) -> None:
        """Move to the right of the column; where there is no space, to a reserved strip above it."""
        side_width = (self._transcript.width() - column_width(available=self._transcript.width())) // 2
        fits_beside = side_width >= self.width() + 2 * _EDGE_MARGIN
        self._transcript.column.reserve_top(
            self, 0 if fits_beside or self.isHidden() else self.height() + 2 * _STRIP_MARGIN
        )
        area = self._transcript.viewport().geometry()
        top = area.top() + _EDGE_MARGIN if fits_beside else area.top() - self.height() - _STRIP_MARGIN
        self.move(area.right() - self.width() - _EDGE_MARGIN, top)
        self.raise_()

    def _draw(self) -> None:
        theme().set_icon(self, "pin", "accent", 14)
        self.adjustSize()
