"""The slash menu above the composer. The focus stays in the composer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.kit.layout import column
from fireside.ui.palette.results import TargetList, accessible_text
from fireside.ui.palette.targets import Hit
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.text import Label

_WIDTH: Final = 560
PAGE: Final = 8
"""Rows that are visible at once."""
_GAP: Final = 6
_HINT: Final = tr_noop("↑ ↓ to select   ·   Enter or Tab to insert   ·   Esc to dismiss")


class SlashMenu(QFrame):
    """A child widget of the chat pane, not a popup window, which would take the focus."""

    target_selected = Signal(object)
    """The ``Target`` that was clicked."""

    def __init__(self, *, parent: QWidget, announcer: QWidget) -> None:
        """``announcer`` is the widget with the focus, from which announcements to screen readers are sent."""
        super().__init__(parent)
        self.setObjectName("popup")
        self.setAccessibleName(tr("Presets and commands"))
        self._announcer = announcer
        self.list = TargetList(name=tr("Presets and commands"))
        self.list.picked.connect(self._on_target_selected)
        hint = Label(tr(_HINT), role="small")
        hint.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        column(self.list, hint, spacing=SPACE_XS, margins=SPACE_S, on=self)
        self.hide()

    @property
    def current(self) -> Hit | None:
        """The current row, which Enter accepts."""
        return self.list.current

    def open_with(self, hits: Sequence[Hit], *, above: QWidget) -> None:
        """Show ``hits`` above the widget ``above``, with the first one current."""
        was_open = self.isVisible()
        self.list.set_hits(hits)
        self._update_geometry(above)
        self.show()
        self.raise_()
        if not was_open:
            self._announce(tr("Presets and commands, %n line|Presets and commands, %n lines", "", len(hits)))
        self._announce_current()

    def step(self, by: int) -> None:
        """Move the current row; by one it wraps around, by a page it stops at the ends."""
        self.list.step(by)
        self._announce_current()

    def _announce_current(self) -> None:
        if (current := self.current) is not None:
            position = number(self.list.currentIndex().row() + 1)
            n_lines = number(len(self.list.hits.items))
            self._announce(
                tr("{line}, {place} of {n_lines}").format(
                    line=accessible_text(current), place=position, n_lines=n_lines
                )
            )

    def _announce(self, text: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._announcer, text))

    def _update_geometry(self, above: QWidget) -> None:
        parent = self.parentWidget()
        assert parent is not None
        corner = above.mapTo(parent, above.rect().topLeft())
        row = self.list.row_height
        n_rows = max(1, min(PAGE, len(self.list.hits.items)))
        frame_height = self.sizeHint().height() - self.list.sizeHint().height()
        max_height = max(row, corner.y() - _GAP - frame_height - SPACE_S)
        self.list.setFixedHeight(min(n_rows * row, max_height))
        self.setFixedWidth(min(theme().scaled(_WIDTH), above.width()))
        self.adjustSize()
        self.move(corner.x(), corner.y() - _GAP - self.height())

    @Slot()
    def _on_target_selected(self) -> None:
        if (hit := self.current) is not None:
            self.target_selected.emit(hit.target)
