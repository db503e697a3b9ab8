"""Ask before a model goes: what happens, what goes with it, what space that frees."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.library import Removal, RemovalKind
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_MOST_FILES: Final = 6
_WIDTH: Final = 520
_TITLES: Final = {
    RemovalKind.TRASH: "Delete “{}”?",
    RemovalKind.FORGET_FILE: "Take “{}” off the list?",
    RemovalKind.FORGET_FOLDER: "Take this folder off the list?",
    RemovalKind.NOT_POSSIBLE: "“{}” cannot be deleted here",
}
_DEEDS: Final = {
    RemovalKind.TRASH: "Move to the trash",
    RemovalKind.FORGET_FILE: "Take off the list",
    RemovalKind.FORGET_FOLDER: "Take off the list",
}


class RemovalSheet(QDialog):
    """Open it with ``open()``; Escape and Enter keep the model."""

    confirmed = Signal()

    def __init__(self, removal: Removal, *, name: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = _TITLES[removal.kind].format(one_line(name))
        self.setWindowTitle("Delete a model" if removal.kind is RemovalKind.TRASH else "Models")
        self.setAccessibleName(title)
        self.setAccessibleDescription(removal.words)
        self.resize(theme.scaled(_WIDTH), 10)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        column.setSpacing(SPACE_M)
        column.addWidget(WrappedLabel(title, role="heading"))
        column.addWidget(WrappedLabel(removal.words, role="body"))
        if removal.files:
            column.addLayout(_file_lines(removal))
        column.addSpacing(SPACE_S)
        column.addStretch()
        column.addLayout(self._make_buttons(removal, theme=theme))

    def _make_buttons(self, removal: Removal, *, theme: Theme) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(SPACE_S)
        row.addStretch()
        deed = _DEEDS.get(removal.kind)
        self.keep = Button("Keep" if deed else "Close", theme=theme)
        self.keep.clicked.connect(self.reject)
        self.keep.setDefault(True)
        row.addWidget(self.keep)
        self.confirm = Button(deed or "", theme=theme, kind="danger")
        self.confirm.setAutoDefault(False)
        self.confirm.setVisible(deed is not None)
        self.confirm.clicked.connect(self._on_confirmed)
        row.addWidget(self.confirm)
        self.keep.setFocus(Qt.FocusReason.OtherFocusReason)
        return row

    def _on_confirmed(self) -> None:
        self.confirmed.emit()
        self.accept()


def removed_words(removal: Removal, *, name: str) -> str:
    """Say what happened, once it did."""
    match removal.kind:
        case RemovalKind.TRASH if removal.freed_bytes:
            return f"“{name}” is in the trash. Emptying it frees {format_bytes(removal.freed_bytes)}."
        case RemovalKind.TRASH:
            return f"“{name}” is in the trash."
        case _:
            return f"“{name}” is no longer listed. Its files stay."


def _file_lines(removal: Removal) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(SPACE_XS)
    for path in removal.files[:_MOST_FILES]:
        line = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        line.setObjectName("pathLabel")
        column.addWidget(line)
    if len(removal.files) > _MOST_FILES:
        column.addWidget(Label(f"and {len(removal.files) - _MOST_FILES} more", role="small"))
    return column
