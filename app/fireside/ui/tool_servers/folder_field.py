"""A field for folders or files, one per line, typed or selected in a dialog."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.file_dialogs import choose_file, choose_folder
from fireside.ui.kit.layout import at_top, row, stretch
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button

_FEW_LINES: Final = 58
"""Height in pixels of a field of a few lines."""


class FolderField(QWidget):
    """``text`` is the text field; paths selected in the dialog are appended to it."""

    def __init__(self, name: str, *, is_file: bool = False) -> None:
        super().__init__()
        self._name = name
        self._is_file = is_file
        self.text = few_lines(name, example=tr("One per line"))
        self.pick = Button(tr("Choose…"), on_click=self._on_pick)
        self.pick.setAccessibleName(tr("Choose: {name}").format(name=name))
        row(stretch(self.text), at_top(self.pick), spacing=SPACE_S, on=self)

    @property
    def paths(self) -> tuple[str, ...]:
        """The paths in the field."""
        return tuple(line.strip() for line in self.text.toPlainText().splitlines() if line.strip())

    def add_path(self, path: str) -> None:
        """Append a path."""
        if path not in self.paths:
            self.text.setPlainText("\n".join((*self.paths, path)))

    def _on_pick(self) -> None:
        choose: Callable[..., object] = choose_file if self._is_file else choose_folder
        choose(self, self._name, self.add_path)


def few_lines(name: str, *, example: str) -> QPlainTextEdit:
    """Return a text field of a few lines."""
    field = QPlainTextEdit()
    field.setAccessibleName(name)
    field.setPlaceholderText(example)
    field.setTabChangesFocus(True)
    field.setMinimumHeight(44)
    field.setMaximumHeight(theme().scaled(_FEW_LINES))
    return field
