"""The form for what a server may access: folders, and the network."""

from __future__ import annotations

import sys

from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.tool_servers import Grants
from fireside.ui.kit.layout import form
from fireside.ui.theme import SPACE_L
from fireside.ui.tool_servers.folder_field import FolderField
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.text import NameLabel


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
