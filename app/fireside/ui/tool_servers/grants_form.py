"""The form for what a server may access: folders, and the network."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.core.tool_servers import Grants
from fireside.ui.kit.file_dialogs import choose_file, choose_folder
from fireside.ui.kit.layout import at_top, form, row, stretch
from fireside.ui.theme import SPACE_L, SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.text import NameLabel

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


class GrantsForm(QWidget):
    """Grants nothing initially."""

    def __init__(self) -> None:
        super().__init__()
        self.readable = FolderField(tr("Folders it may read"))
        self.writable = FolderField(tr("Folders it may change"))
        self.network = CheckBox(tr("Allow network"))
        form(
            (NameLabel(self.readable.text.accessibleName()), self.readable),
            (NameLabel(self.writable.text.accessibleName()), self.writable),
            (tr("Network"), self.network),
            horizontal_spacing=SPACE_L,
            on=self,
        )

    @property
    def grants(self) -> Grants:
        """The grants entered. ``without_sandbox`` is set where the system has no sandbox, which the
        confirmation shows."""
        return Grants(
            readable=self.readable.paths,
            writable=self.writable.paths,
            network=self.network.isChecked(),
            without_sandbox=sys.platform != "linux",
        )

    def show_grants(self, grants: Grants) -> None:
        """Show existing grants."""
        for field, paths in ((self.readable, grants.readable), (self.writable, grants.writable)):
            field.text.setPlainText("\n".join(paths))
        self.network.setChecked(grants.network)
