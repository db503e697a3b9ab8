"""Change what a server may get at; it is confirmed on its card, where the difference stands."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.tool_servers import Grants, ToolServer
from fireside.ui.kit.layout import column, scrolled, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.theme import Theme
from fireside.ui.tool_servers.grants_form import GrantsForm


class AccessSheet(Sheet):
    """Changes nothing itself."""

    def __init__(
        self,
        server: ToolServer,
        *,
        on_wanted: Callable[[AccessSheet, str, Grants], None],
        theme: Theme,
        parent: QWidget,
    ) -> None:
        """Take ``on_wanted`` as what changes it, and closes the sheet or calls ``show_error``."""
        super().__init__(
            tr("Access of {name}").format(name=server.name), theme=theme, parent=parent, size=(560, 360)
        )
        self._server = server
        self._on_wanted = on_wanted
        self.form = GrantsForm(theme=theme)
        self.form.show_grants(server.grants)
        self.save = self.make_button(tr("Save"), self._on_save, kind="primary", is_default=True)
        self.set_content(
            stretch(scrolled(column(self.form, stretch()))),
            about=tr("The server stops, and starts again only once you confirm the change."),
            buttons=(self.make_cancel(), self.save),
        )
        self.form.readable.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, error: FiresideError) -> None:
        """Say why nothing was changed. What was typed stays."""
        self.show_status(error.sentence())
        self.save.setEnabled(True)

    def _on_save(self) -> None:
        self.show_status("")
        self.save.setEnabled(False)
        # Whether it may start without a sandbox was agreed to when it was added.
        agreed = self._server.grants.without_sandbox
        grants = msgspec.structs.replace(self.form.grants, without_sandbox=agreed)
        self._on_wanted(self, self._server.name, grants)
