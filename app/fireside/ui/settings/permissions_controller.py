"""Controller of the row of tool permissions."""

from __future__ import annotations

from PySide6.QtCore import QObject

from fireside.core.ids import ConversationId
from fireside.core.tools import Permission
from fireside.ui.settings.permissions_row import PermissionsRow
from fireside.ui.window_context import WindowContext


class PermissionsController(QObject):
    """Owns the row, and keeps it current while it is visible. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self._on_error = context.show_error
        self.row = PermissionsRow(self, theme=context.theme)

    def refresh(self) -> None:
        """Request the permissions."""
        tools, tasks = self._client.tools, self._tasks
        tasks.run(tools.tools(), on_done=self.row.show_tools, on_error=self._on_error)
        tasks.run(tools.chat_grants(), on_done=self.row.show_chats, on_error=self._on_error)

    def permit(self, name: str, permission: Permission) -> None:
        self._tasks.run(
            self._client.tools.permit(name, permission),
            on_done=lambda _: self.refresh(),
            on_error=self._on_error,
        )

    def revoke(self, conversation_id: ConversationId) -> None:
        self._tasks.run(
            self._client.tools.revoke(conversation_id),
            on_done=lambda _: self.refresh(),
            on_error=self._on_error,
        )
