"""Ask before a model goes: what happens, what goes with it, what space that frees."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QDialog, QHBoxLayout, QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.core.library import Removal, RemovalKind
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

_MOST_FILES: Final = 6
_WIDTH: Final = 520
_TITLES: Final = {
    RemovalKind.TRASH: tr_noop("Delete “{name}”?"),
    RemovalKind.FORGET_FILE: tr_noop("Take “{name}” off the list?"),
    RemovalKind.FORGET_FOLDER: tr_noop("Take this folder off the list?"),
    RemovalKind.NOT_POSSIBLE: tr_noop("“{name}” cannot be deleted here"),
}
_DEEDS: Final = {
    RemovalKind.TRASH: tr_noop("Move to the trash"),
    RemovalKind.FORGET_FILE: tr_noop("Take off the list"),
    RemovalKind.FORGET_FOLDER: tr_noop("Take off the list"),
}


class RemovalSheet(QDialog):
    """Open it with ``open()``; Escape and Enter keep the model."""

    confirmed = Signal()

    def __init__(self, removal: Removal, *, name: str, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        title = tr(_TITLES[removal.kind]).format(name=one_line(name))
        self.setWindowTitle(tr("Delete a model") if removal.kind is RemovalKind.TRASH else tr("Models"))
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
        self.keep = Button(tr("Keep") if deed else tr("Close"), theme=theme)
        self.keep.clicked.connect(self.reject)
        self.keep.setDefault(True)
        row.addWidget(self.keep)
        self.confirm = Button(tr(deed) if deed else "", theme=theme, kind="danger")
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
            return tr("“{name}” is in the trash. Emptying it frees {freed_bytes}.").format(
                name=name, freed_bytes=format_bytes(removal.freed_bytes)
            )
        case RemovalKind.TRASH:
            return tr("“{name}” is in the trash.").format(name=name)
        case _:
            return tr("“{name}” is no longer listed. Its files stay.").format(name=name)


def _file_lines(removal: Removal) -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(SPACE_XS)
    for path in removal.files[:_MOST_FILES]:
        line = ElidedLabel(path, mode=Qt.TextElideMode.ElideMiddle)
        line.setObjectName("pathLabel")
        column.addWidget(line)
    if len(removal.files) > _MOST_FILES:
        column.addWidget(
            Label(tr("and %n more|and %n more", "", len(removal.files) - _MOST_FILES), role="small")
        )
    return column
