"""A sheet for a request to an MCP server, which may have to be started first."""

from __future__ import annotations

import asyncio
from typing import Any

from PySide6.QtWidgets import QWidget

from fireside.core.errors import FiresideError
from fireside.core.i18n import tr
from fireside.ui.kit.sheet import Sheet, SheetSize


class WaitingSheet(Sheet):
    """Shows what it waits for; closing it cancels the request."""

    def __init__(self, title: str, *, server: str, parent: QWidget, size: SheetSize) -> None:
        super().__init__(title, parent=parent, size=size)
        self.server = server
        self._request: asyncio.Task[Any] | None = None
        self.finished.connect(self._on_finished)

    def wait_for(self, task: asyncio.Task[Any] | None) -> None:
        """Show that the server has been asked, until ``task`` ends."""
        self._request = task
        self.show_status(tr("Waiting for {server}…").format(server=self.server), role="small")

    def finish_waiting(self) -> None:
        """Clear the waiting message: the reply has arrived."""
        self._request = None
        self.show_status("")

    def show_error(self, error: FiresideError) -> None:
        """Show why there is no reply."""
        self._request = None
        self.show_status(error.sentence())

    def _on_finished(self) -> None:
        if self._request is not None:
            self._request.cancel()
            self._request = None
