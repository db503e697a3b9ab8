"""The light list over the composer. The keyboard stays in the message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, Qt, Signal, Slot
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QListView, QVBoxLayout, QWidget

from fireside.core.i18n import number, tr, tr_noop
from fireside.ui.palette.results import ResultsDelegate, ResultsModel, row_px, spoken
from fireside.ui.palette.targets import Hit
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XS, Theme
from fireside.ui.widgets.text import Label

_WIDTH: Final = 560
PAGE: Final = 8
"""Lines in sight."""
_GAP: Final = 6
_HINT: Final = tr_noop("↑ ↓ to choose   ·   Enter or Tab to take it   ·   Esc to write a slash")


class SlashMenu(QFrame):
    """A frame in the window, not a window: a popup of its own would take the keyboard."""

    taken = Signal(object)
    """The ``Target`` that was clicked."""

    def __init__(self, *, theme: Theme, parent: QWidget, speaker: QWidget) -> None:
        """Take ``speaker`` as what has the keyboard, from which a screen reader hears."""
        super().__init__(parent)
        self.setObjectName("popup")
        self.setAccessibleName(tr("Presets and commands"))
        self._theme = theme
        self._speaker = speaker
        self.model = ResultsModel(self)
        self.list = QListView()
        self.list.setObjectName("popupList")
        self.list.setAccessibleName(tr("Presets and commands"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(ResultsDelegate(theme=theme, view=self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setMouseTracking(True)
        self.list.entered.connect(self.list.setCurrentIndex)
        self.list.clicked.connect(self._on_clicked)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_S, SPACE_S, SPACE_S, SPACE_S)
        column.setSpacing(SPACE_XS)
        column.addWidget(self.list)
        hint = Label(tr(_HINT), role="small")
        hint.setContentsMargins(SPACE_M, 0, SPACE_M, 0)
        column.addWidget(hint)
        self.hide()

    @property
    def current(self) -> Hit | None:
        """The line that Enter takes."""
        row = self.list.currentIndex().row()
        return self.model.hits[row] if 0 <= row < len(self.model.hits) else None

    def open_with(self, hits: Sequence[Hit], *, above: QWidget) -> None:
        """Show these over ``above``, with the first one marked."""
        was_open = self.isVisible()
        self.model.set_hits(hits)
        self._fit(above)
        self.show()
        self.raise_()
        if not was_open:
            self._say(tr("Presets and commands, %n line|Presets and commands, %n lines", "", len(hits)))
        self._mark(0)

    def step(self, by: int) -> None:
        """Move the mark; by one it goes round, by a page it stops at the ends."""
        n_rows = len(self.model.hits)
        if n_rows:
            row = self.list.currentIndex().row() + by
            self._mark(row % n_rows if abs(by) == 1 else max(0, min(n_rows - 1, row)))

    def _mark(self, row: int) -> None:
        self.list.setCurrentIndex(self.model.index(row, 0))
        if (current := self.current) is not None:
            place, n_lines = number(row + 1), number(len(self.model.hits))
            self._say(
                tr("{line}, {place} of {n_lines}").format(line=spoken(current), place=place, n_lines=n_lines)
            )

    def _say(self, words: str) -> None:
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self._speaker, words))

    def _fit(self, above: QWidget) -> None:
        parent = self.parentWidget()
        assert parent is not None
        corner = above.mapTo(parent, above.rect().topLeft())
        row = row_px(self._theme)
        n_rows = max(1, min(PAGE, len(self.model.hits)))
        rest = self.sizeHint().height() - self.list.sizeHint().height()
        room = max(row, corner.y() - _GAP - rest - SPACE_S)
        self.list.setFixedHeight(min(n_rows * row, room))
        self.setFixedWidth(min(self._theme.scaled(_WIDTH), above.width()))
        self.adjustSize()
        self.move(corner.x(), corner.y() - _GAP - self.height())

    @Slot(QModelIndex)
    def _on_clicked(self, index: QModelIndex) -> None:
        self.list.setCurrentIndex(index)
        if (hit := self.current) is not None:
            self.taken.emit(hit.target)
