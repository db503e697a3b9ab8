"""Names and values in two columns, to be read and copied."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.ui.kit.layout import clear
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.text import Label, WrappedLabel, one_line


class FactGrid(QWidget):
    """Made anew when the facts change."""

    def __init__(self, facts: Sequence[tuple[str, str]] = (), *, min_name_width: int = 0) -> None:
        """Take ``min_name_width`` as the least width of the names in pixels."""
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
        """What is shown."""
        return dict(self._facts)

    def show_facts(self, facts: Sequence[tuple[str, str]]) -> None:
        """Show those that have a value."""
        kept = tuple((name, value) for name, value in facts if value)
        if kept == self._facts:
            return
        self._facts = kept
        clear(self._grid)
        for line, (name, value) in enumerate(kept):
            shown = WrappedLabel(one_line(value), role="body")
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(Label(name, role="mute"), line, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(shown, line, 1)
