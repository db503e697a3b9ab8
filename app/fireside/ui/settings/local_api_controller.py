"""Controller of the row about the local API."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from fireside.core.errors import FiresideError
from fireside.ui.settings.local_api_row import LocalApiRow
from fireside.ui.window_context import WindowContext


class LocalApiController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self.row = LocalApiRow(self)
        self.row.poll(self.refresh)

    @Slot()
    def refresh(self) -> None:
        """Request the state of the API."""
        self._tasks.run(self._client.local_api.status(), on_done=self.row.show_state, on_error=self._on_error)

    def add_token(self, name: str, *, scopes: tuple[str, ...]) -> None:
        def on_done(text: str) -> None:
            self.row.show_secret(text)
            self.refresh()

        request = self._client.local_api.add_token(name, scopes=scopes)
        self._tasks.run(request, on_done=on_done, on_error=self._on_error)

    def revoke_token(self, token_id: str) -> None:
        self._tasks.run(
            self._client.local_api.revoke_token(token_id),
            on_done=lambda _: self.refresh(),
            on_error=self._on_error,
        )

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(error.sentence())
