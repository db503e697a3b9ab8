"""The form for what a server may access: folders, and the network."""

from __future__ import annotations

import sys
from typing import Final

from PySide6.QtWidgets import QPlainTextEdit, QWidget

from fireside.core.i18n import tr
from fireside.core.tool_servers import Grants
from fireside.ui.kit.layout import form
from fireside.ui.kit.path_list import PathList
from fireside.ui.theme import SPACE_L, theme
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.text import NameLabel

_FEW_LINES: Final = 58
"""Height in pixels of a field of a few lines."""


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
        self.readable = PathList(tr("Folders it may read"), of_folders=True)
        self.writable = PathList(tr("Folders it may change"), of_folders=True)
        self.network = CheckBox(tr("Allow network"))
        form(
            (NameLabel(self.readable.accessibleName()), self.readable),
            (NameLabel(self.writable.accessibleName()), self.writable),
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
        self.readable.show_paths(grants.readable)
        self.writable.show_paths(grants.writable)
        self.network.setChecked(grants.network)
