"""The branch switcher of a message: ``‹ 2/3 ›``."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import number, tr
from fireside.core.ids import MessageId
from fireside.ui.kit.layout import row
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import tool_button
from fireside.ui.widgets.text import plain_label

_ICON = 14


class BranchSwitcher(QWidget):
    """Two arrows around the number of the branch that is shown."""

    branch_requested = Signal(object)
    """``MessageId`` of the sibling to show."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("switcher")
        self._siblings: tuple[MessageId, ...] = ()
        self._at = 0
        self.before = tool_button(tr("Previous version (Alt+Left)"), parent=self)
        self.position_label = plain_label("", name="branchPlace", parent=self)
        self.after = tool_button(tr("Next version (Alt+Right)"), parent=self)
        self.compare = tool_button(tr("Compare"), parent=self)
        row(self.before, self.position_label, self.after, self.compare, spacing=1, on=self)
        self.before.clicked.connect(lambda: self.step(-1))
        self.after.clicked.connect(lambda: self.step(1))
        self.compare.hide()
        self.restyle()

    def set_branches(self, siblings: Sequence[MessageId], *, current: MessageId) -> None:
        """Set the versions of the message, oldest first, and the one that is displayed, ``current``."""
        self._siblings = tuple(siblings)
        self._at = self._siblings.index(current) if current in self._siblings else 0
        self.position_label.setText(f"{self._at + 1}/{len(self._siblings)}")
        self.position_label.setAccessibleName(
            tr("Version {place} of {all}").format(place=number(self._at + 1), all=number(len(self._siblings)))
        )
        self.before.setEnabled(self._at > 0)
        self.after.setEnabled(self._at + 1 < len(self._siblings))

    def offer_comparison(self) -> None:
        """Show the button that compares these answers side by side."""
        label = tr("Compare %n answer|Compare %n answers", "", len(self._siblings))
        self.compare.setToolTip(label)
        self.compare.setAccessibleName(label)
        self.compare.show()

    def step(self, by: int) -> None:
        """Request the branch ``by`` steps further, if there is one."""
        if 0 <= self._at + by < len(self._siblings):
            self.branch_requested.emit(self._siblings[self._at + by])

    def restyle(self) -> None:
        for button, icon in (
            (self.before, "chevron-left"),
            (self.compare, "git-compare"),
            (self.after, "chevron-right"),
        ):
            theme().set_icon(button, icon, size=_ICON)
