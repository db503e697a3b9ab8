"""The sidebar's rows that lead somewhere: an icon and a label, and for downloads their progress."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QKeySequence, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QStyleOptionButton, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import SPACE_M, SPACE_S, theme
from fireside.ui.widgets.buttons import Button, show_tip
from fireside.ui.widgets.text import escape_mnemonic, plain_tooltip

_ICON_PX: Final = 18
_AROUND_PX: Final = 26
"""What the style takes before the icon, between icon and label, and after the label."""
_LINE_PX: Final = 3
_DOT_PX: Final = 7


class NavButton(Button):
    """A row that is checked while the window shows what it leads to; a click alone does not check it."""

    def __init__(
        self, label: str, *, icon: str, action: QAction, tint: str = "mute", parent: QWidget | None = None
    ) -> None:
        """``action`` is the command that does the same; the row's tool tip shows its key."""
        self._label = label
        self._is_folded = False
        super().__init__(label, icon=icon, kind="nav", tint=tint, icon_px=_ICON_PX, parent=parent)
        self._action = action
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        action.changed.connect(self._update_tooltip)
        self._update_tooltip()

    def set_label(self, text: str) -> None:
        self._label = text
        self.setAccessibleName(text)
        self._show_label()

    def fold(self, *, is_folded: bool) -> None:
        """Show the icon alone, centred, or the label too."""
        if is_folded != self._is_folded:
            self._is_folded = is_folded
            self._show_label()
            self._update_tooltip()

    def _show_label(self) -> None:
        self.setText("" if self._is_folded else f"  {escape_mnemonic(self._label)}")

    def _update_tooltip(self) -> None:
        key = self._action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        parts = (self._label if self._is_folded else "", key)
        self.setToolTip(plain_tooltip("   ".join(part for part in parts if part)))

    def event(self, event: QEvent) -> bool:
        at_end = not self._is_folded  # below are other rows
        return show_tip(self, event, at_end=at_end) or super().event(event)

    def nextCheckState(self) -> None:
        """Leave the state to the window, which knows what it shows."""

    def minimumSizeHint(self) -> QSize:
        height = super().minimumSizeHint().height()
        return QSize(height, height)

    def initStyleOption(self, option: QStyleOptionButton) -> None:
        """Elide a label that does not fit."""
        super().initStyleOption(option)
        if not self._is_folded:
            width = self.width() - self.iconSize().width() - _AROUND_PX - self._end_width()
            option.text = self.fontMetrics().elidedText(option.text, Qt.TextElideMode.ElideRight, width)

    def _end_width(self) -> int:
        """Return how many pixels at the end of the row are not for the label."""
        return 0


class DownloadButton(NavButton):
    """Leads to the downloads; shows how far they are, and a dot where one has failed."""

    def __init__(self, *, action: QAction, parent: QWidget | None = None) -> None:
        super().__init__(tr("Downloads"), icon="download", action=action, parent=parent)
        self._percent = 0
        self._n = 0
        self._is_held_up = False
        self._needs_help = False
        self._is_wanted = False

    def show_progress(
        self, *, percent: int, n: int, is_held_up: bool, needs_help: bool, is_wanted: bool, description: str
    ) -> None:
        """Show ``n`` downloads that are ``percent`` done. ``is_wanted``: there is something to see on their
        page; ``description`` is the accessible name."""
        self.setAccessibleName(description)
        self._percent, self._n, self._is_held_up, self._needs_help = percent, n, is_held_up, needs_help
        self._is_wanted = is_wanted
        self.update_visible()
        self.update()

    def update_visible(self) -> None:
        """Hide the row while nothing is downloaded, unless the page of downloads is open."""
        self.setVisible(self._is_wanted or self.isChecked())

    @property
    def percent(self) -> int | None:
        """The percentage that is shown; ``None`` without a download in progress."""
        return self._percent if self._n else None

    @property
    def needs_help(self) -> bool:
        """Whether a dot reports that a download has failed."""
        return self._needs_help

    def _percent_text(self) -> str:
        return tr("{percent}%").format(percent=self._percent) if self._n else ""

    def _end_width(self) -> int:
        dot = theme().scaled_up(_DOT_PX) + SPACE_S if self._needs_help else 0
        return self.fontMetrics().horizontalAdvance(self._percent_text()) + SPACE_S + dot

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        end = self.rect().adjusted(SPACE_M, 0, -SPACE_M, 0)
        if self._needs_help:
            self._paint_dot(painter, end)
        if self._n:
            painter.setPen(theme().colour("mute"))
            side = Qt.AlignmentFlag.AlignLeft if self.isRightToLeft() else Qt.AlignmentFlag.AlignRight
            painter.drawText(end, int(side | Qt.AlignmentFlag.AlignVCenter), self._percent_text())
            self._paint_line(painter)
        painter.end()

    def _paint_dot(self, painter: QPainter, end: QRect) -> None:
        """Draw the dot at the end of ``end``, and take its width from ``end``."""
        px = theme().scaled_up(_DOT_PX)
        is_mirrored = self.isRightToLeft()
        x = end.left() if is_mirrored else end.right() - px
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("danger"))
        painter.drawEllipse(QPointF(x + px / 2, end.center().y() + 1), px / 2, px / 2)
        if is_mirrored:
            end.setLeft(end.left() + px + SPACE_S)
        else:
            end.setRight(end.right() - px - SPACE_S)

    def _paint_line(self, painter: QPainter) -> None:
        """Draw how far the downloads are as a line along the lower edge."""
        height = theme().scaled_up(_LINE_PX)
        line = QRectF(SPACE_M, self.height() - height - 1, self.width() - 2 * SPACE_M, height)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("edge"))
        painter.drawRoundedRect(line, height / 2, height / 2)
        done = line.width() * self._percent / 100
        if self.isRightToLeft():
            line.setLeft(line.right() - done)
        else:
            line.setWidth(done)
        painter.setBrush(theme().colour("warn" if self._is_held_up else "accent"))
        painter.drawRoundedRect(line, height / 2, height / 2)
