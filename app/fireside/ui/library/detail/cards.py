"""The boxes that a model's page is made of."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QFrame, QGridLayout, QLayout, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, Theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line


class Box(QFrame):
    """A card with a heading."""

    def __init__(self, title: str, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("card")
        self.setAccessibleName(title)
        self.column = column(
            Label(title, role="heading"), margins=(SPACE_L, SPACE_M, SPACE_L, SPACE_L), on=self
        )


class FactGrid(QWidget):
    """Names and values in two columns; made anew when they change."""

    def __init__(self, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._facts: tuple[tuple[str, str], ...] = ()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_L)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)

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
        empty(self._grid)
        for line, (name, value) in enumerate(kept):
            label = Label(name, role="mute")
            shown = WrappedLabel(one_line(value), role="body")
            shown.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(label, line, 0, Qt.AlignmentFlag.AlignTop)
            self._grid.addWidget(shown, line, 1)


class PathLine(QWidget):
    """A path with a button that copies it, and what it is above."""

    def __init__(self, path: str, *, title: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        layout = column(spacing=0, on=self)
        if title:
            layout.addWidget(ElidedLabel(title, role="small"))
        label = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        label.setObjectName("pathLabel")
        copy = IconButton(
            "copy", name=tr("Copy the path {path}").format(path=one_line(path)), theme=theme, size=15
        )
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(path))
        box = row(stretch(label), copy)
        layout.addLayout(box)


def empty(layout: QLayout) -> None:
    """Take every widget out of a layout, and away."""
    while (item := layout.takeAt(0)) is not None:
        widget = item.widget()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
