"""Change what a server may access; the change is then confirmed on its card, which shows the difference."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.core.tool_servers import Grants, ToolServer
from fireside.ui.kit.sheet import Sheet
from fireside.ui.tool_servers.grants_form import GrantsForm


class AccessSheet(Sheet):
    """Collects the new grants; changes nothing itself."""

    def __init__(
        self,
        server: ToolServer,
        *,
        on_submitted: Callable[[AccessSheet, str, Grants], object],
        parent: QWidget,
    ) -> None:
        """``on_submitted`` makes the change, and closes the sheet or calls ``show_error``."""
        super().__init__(tr("Access of {name}").format(name=server.name), parent=parent)
        self._server = server
        self._on_submitted = on_submitted
        self.form = GrantsForm()
        self.form.show_grants(server.grants)
        self.save = self.make_button(tr("Save"), self._on_save, kind="primary", is_default=True)
        self.set_content(
            self.form,
            about=tr("The server stops, and starts again only once you confirm the change."),
            buttons=(self.make_cancel(), self.save),
        )
        self.form.readable.text.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_error(self, error: FiresideError) -> None:
        """Show why nothing was changed. The input is kept."""
        self.show_status(error.sentence())
        self.save.setEnabled(True)

    def _on_save(self) -> None:
        self.show_status("")
        self.save.setEnabled(False)
        # Permission to start without a sandbox was given when the server was added, and is kept.
        without_sandbox = self._server.grants.without_sandbox
        grants = msgspec.structs.replace(self.form.grants, without_sandbox=without_sandbox)
        self._on_submitted(self, self._server.name, grants)
