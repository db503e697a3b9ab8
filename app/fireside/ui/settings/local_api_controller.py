"""Controller of the row about the local API."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.core.errors import FiresideError
from fireside.ui.settings.local_api_row import LocalApiRow
from fireside.ui.tasks import task
from fireside.ui.window_context import WindowContext


class LocalApiController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self.row = LocalApiRow(self)
        self.row.poll(self.refresh)

    @task
    async def refresh(self) -> None:
        """Request the state of the API."""
        self.row.show_state(await self._client.local_api.status())

    @task
    async def add_token(self, name: str, *, scopes: tuple[str, ...]) -> None:
        self.row.show_secret(await self._client.local_api.add_token(name, scopes=scopes))
        self.refresh()

    @task
    async def revoke_token(self, token_id: str) -> None:
        await self._client.local_api.revoke_token(token_id)
        self.refresh()

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(error.sentence())
