"""Names and values in two columns, to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.ui.kit.layout import clear
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.text import Label, WrappedLabel, one_line


class FactGrid(QWidget):
    """A grid of facts, rebuilt when they change."""

    def __init__(self, facts: Sequence[tuple[str, str]] = (), *, min_name_width: int = 0) -> None:
        """``min_name_width`` is the minimum width of the names, in pixels."""
        super().__init__()
        self._facts: tuple[tuple[str, str], ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnMinimumWidth(0, min_name_width)
        self._grid.setColumnStretch(1, 1)
        self.show_facts(facts)

    @property
    def facts(self) -> dict[str, str]:
        """The displayed facts."""
        return dict(self._facts)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show the facts that have a value."""
        non_empty = tuple((name, value) for name, value in facts if value)
        if non_empty == self._facts:
            return
        self._facts = non_empty
        clear(self._grid)
        for row, (name, value) in enumerate(non_empty):
            value_label = WrappedLabel(one_line(value), role="body")
            value_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(Label(name, role="mute"), row, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(value_label, row, 1)
