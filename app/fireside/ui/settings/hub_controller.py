"""Controllers of the rows about the hub's access token and the connection test."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from fireside.core.discovery import HubTestResult
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.i18n import render
from fireside.core.secret_location import SecretLocation
from fireside.ui.settings.hub_rows import ConnectionTestRow, TokenRow
from fireside.ui.settings.hub_text import connection_test_text, mirror_warning
from fireside.ui.window_context import WindowContext

if TYPE_CHECKING:
    from fireside.bridge.client import KeyStore


class KeyController(QObject):
    """Owns the row of a token or key; saves, removes and locates it. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        client: KeyStore,
        row: type[TokenRow] = TokenRow,
        on_change: Callable[[], None] = lambda: None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = context.tasks
        self._on_change = on_change
        self.row = row(self)

    def find_token(self) -> None:
        """Find where the token is stored, which may unlock the keyring. Called once the row is visible."""
        self._tasks.run(self._client.location(), on_done=self.row.show_location, on_error=self._on_error)

    def save_token(self, token: str, location: SecretLocation) -> None:
        self._on_change()

        def on_done(stored_in: SecretLocation) -> None:
            self.row.show_saved(stored_in, requested=location)

        self._tasks.run(
            self._client.store(token, location=location), on_done=on_done, on_error=self._on_error
        )

    def remove_token(self) -> None:
        self._on_change()
        self._tasks.run(self._forget(), on_done=self.row.show_location, on_error=self._on_error)

    async def _forget(self) -> SecretLocation:
        """Remove the token and return the location of one that remains, such as in the environment."""
        await self._client.forget()
        return await self._client.location()

    def _on_error(self, error: FiresideError) -> None:
        self.row.show_error(render(error.reason) if isinstance(error, SettingInvalid) else error.sentence())


class HubController(QObject):
    """Owns both rows, and sends their requests. GUI thread only."""

    def __init__(self, context: WindowContext, *, parent: QObject) -> None:
        super().__init__(parent)
        self._client = context.client
        self._tasks = context.tasks
        self.token = KeyController(
            context, client=context.client.token, on_change=self._drop_test, parent=self
        ).row
        self.connection_test = ConnectionTestRow(self.test)
        self._testing: asyncio.Task[HubTestResult] | None = None
        self._tested_with: object = None
        self._endpoint: str | None = None

    def show_settings(self, *, endpoint: str, in_force: object) -> None:
        """Set the hub's address and all its settings; a test result of other settings is cleared."""
        self.token.show_warning(mirror_warning(endpoint))
        if endpoint != self._endpoint:  # each address has a token of its own
            self._endpoint = endpoint
            self.token.refresh()
        if in_force != self._tested_with:
            self._tested_with = in_force
            self._drop_test()

    def test(self) -> None:
        self._drop_test()
        self.connection_test.show_running()
        self._testing = self._tasks.run(
            self._client.hub.test(),
            on_done=lambda result: self.connection_test.show_result(connection_test_text(result)),
            on_error=lambda error: self.connection_test.show_failure(error.sentence()),
        )

    def _drop_test(self) -> None:
        if self._testing is not None:
            self._testing.cancel()
            self._testing = None
        self.connection_test.clear()
