"""Go between the branches that begin at a message: ``‹ 2/3 ›``."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QToolButton, QWidget

from fireside.core.i18n import number, tr
from fireside.core.ids import MessageId
from fireside.ui.chat.transcript_style import Look
from fireside.ui.widgets.text import plain_label

_ICON = 14


class BranchSwitcher(QWidget):
    """Two arrows around the number of the branch that is shown."""

    wanted = Signal(object)
    """``MessageId`` of the sibling to show."""

    def __init__(self, look: Look, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("switcher")
        self._siblings: tuple[MessageId, ...] = ()
        self._at = 0
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(1)
        self.before = self._button(tr("Branch before (Alt+Left)"))
        self.place = plain_label("", name="branchPlace", parent=self)
        self.after = self._button(tr("Branch after (Alt+Right)"))
        self.compare = self._button(tr("Show side by side"))
        for widget in (self.before, self.place, self.after, self.compare):
            row.addWidget(widget)
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.compare.hide()
        self.restyle(look)

    def _button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setIconSize(QSize(_ICON, _ICON))
        button.setToolTip(name)
        button.setAccessibleName(name)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        return button

    def set_branches(self, siblings: Sequence[MessageId], *, shown: MessageId) -> None:
        """Say which branches there are, oldest first, and which one is ``shown``."""
        self._siblings = tuple(siblings)
        self._at = self._siblings.index(shown) if shown in self._siblings else 0
        self.place.setText(f"{self._at + 1}/{len(self._siblings)}")
        self.place.setAccessibleName(
            tr("Branch {place} of {all}").format(place=number(self._at + 1), all=number(len(self._siblings)))
        )
        self.before.setEnabled(self._at > 0)
        self.after.setEnabled(self._at + 1 < len(self._siblings))

    def offer_comparison(self) -> None:
        """Say that these are answers, and how many, and offer to show them side by side."""
        words = tr("%n answer, compare again|%n answers, compare again", "", len(self._siblings))
        self.compare.setToolTip(words)
        self.compare.setAccessibleName(words)
        self.compare.show()

    def step(self, by: int) -> None:
        """Ask for the branch ``by`` places further, if there is one."""
        if 0 <= self._at + by < len(self._siblings):
            self.wanted.emit(self._siblings[self._at + by])

    def restyle(self, look: Look) -> None:
        self.before.setIcon(look.theme.icon("chevron-left", "mute", _ICON))
        self.compare.setIcon(look.theme.icon("columns-2", "mute", _ICON))
        self.after.setIcon(look.theme.icon("chevron-right", "mute", _ICON))
