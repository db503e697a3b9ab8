"""List every key."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QGridLayout, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from fireside.ui.commands import COMMANDS, key_words
from fireside.ui.theme import SPACE_L, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label

_IN_PLACE: Final = (
    ("Writing", (("Send", "Return"), ("New line", "Shift+Return"), ("Stop the answer", "Esc"))),
    (
        "In the list of chats",
        (("Open", "Return"), ("Rename", "F2"), ("Delete", "Del"), ("Back to the search", "Esc")),
    ),
)


class ShortcutsSheet(QDialog):
    """Open it with ``open()``."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard shortcuts")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.lines: list[tuple[str, str]] = []
        columns = QHBoxLayout()
        columns.setSpacing(SPACE_XL * 2)
        groups = self._groups()
        for half in (groups[:1] + groups[3:], groups[1:3]):
            column = QVBoxLayout()
            column.setSpacing(SPACE_L)
            for name, lines in half:
                column.addLayout(self._make_group(name, lines))
            column.addStretch()
            columns.addLayout(column)
        body = QWidget()
        body.setLayout(columns)
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setAccessibleName("Keyboard shortcuts")
        close = Button("Close", theme=theme)
        close.clicked.connect(self.accept)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        whole.setSpacing(SPACE_L)
        whole.addWidget(Label("Keyboard shortcuts", role="title"))
        whole.addWidget(scroll, 1)
        whole.addWidget(close, 0, Qt.AlignmentFlag.AlignRight)
        hint = body.sizeHint()
        self.resize(min(hint.width() + 80, parent.width()), min(hint.height() + 136, parent.height()))

    def _groups(self) -> list[tuple[str, tuple[tuple[str, str], ...]]]:
        by_menu: dict[str, list[tuple[str, str]]] = {}
        for spec in COMMANDS:
            if spec.keys:
                by_menu.setdefault(spec.menu, []).append((spec.words, key_words(spec)))
        native = QKeySequence.SequenceFormat.NativeText
        placed = [
            (name, tuple((words, QKeySequence(key).toString(native)) for words, key in lines))
            for name, lines in _IN_PLACE
        ]
        return [*((name, tuple(lines)) for name, lines in by_menu.items()), *placed]

    def _make_group(self, name: str, lines: tuple[tuple[str, str], ...]) -> QGridLayout:
        grid = QGridLayout()
        grid.setHorizontalSpacing(SPACE_XL)
        grid.setVerticalSpacing(SPACE_S)
        grid.addWidget(Label(name, role="heading"), 0, 0, 1, 2)
        for place, (words, keys) in enumerate(lines, start=1):
            key = Label(keys)
            key.setObjectName("keycap")
            grid.addWidget(Label(words, role="body"), place, 0)
            grid.addWidget(key, place, 1, Qt.AlignmentFlag.AlignRight)
            self.lines.append((words, keys))
        grid.setColumnStretch(0, 1)
        return grid
