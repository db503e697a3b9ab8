"""Keep, forget and find the hub's access token, and test the connection, for the settings page."""

from __future__ import annotations

import asyncio

from PySide6.QtCore import QObject, Slot

from fireside.bridge.client import EngineClient
from fireside.core.discovery import HubReach, TokenPlace
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.i18n import render
from fireside.ui.settings.hub_rows import ConnectionTestRow, TokenRow
from fireside.ui.settings.hub_text import mirror_warning, reach_words
from fireside.ui.tasks import TaskRunner


class HubController(QObject):
    """Asks the client on behalf of both rows. GUI thread only."""

    def __init__(
        self,
        *,
        client: EngineClient,
        tasks: TaskRunner,
        token: TokenRow,
        reach: ConnectionTestRow,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._client = client
        self._tasks = tasks
        self._token = token
        self._reach = reach
        self._testing: asyncio.Task[HubReach] | None = None
        self._tested_with: object = None
        token.seen.connect(self._on_seen)
        token.keep_wanted.connect(self._on_keep)
        token.forget_wanted.connect(self._on_forget)
        reach.test_wanted.connect(self._on_test)

    def show_settings(self, *, endpoint: str, in_force: object) -> None:
        """Take the address of the hub, and all its settings: a result of others no longer counts."""
        self._token.show_warning(mirror_warning(endpoint))
        if in_force != self._tested_with:
            self._tested_with = in_force
            self._drop_test()

    @Slot()
    def _on_seen(self) -> None:
        self._tasks.run(self._client.token.place(), on_done=self._token.show_place, on_error=self._on_error)

    @Slot(str, object)
    def _on_keep(self, token: str, place: TokenPlace) -> None:
        self._drop_test()

        def on_done(kept_in: TokenPlace) -> None:
            self._token.show_kept(kept_in, wanted=place)

        self._tasks.run(self._client.token.keep(token, place=place), on_done=on_done, on_error=self._on_error)

    @Slot()
    def _on_forget(self) -> None:
        self._drop_test()
        self._tasks.run(self._forget(), on_done=self._token.show_place, on_error=self._on_error)

    async def _forget(self) -> TokenPlace:
        """Forget the token and return where one is now: the environment may have another."""
        await self._client.token.forget()
        return await self._client.token.place()

    @Slot()
    def _on_test(self) -> None:
        self._drop_test()
        self._reach.show_asking()
        self._testing = self._tasks.run(
            self._client.hub.test(),
            on_done=lambda reach: self._reach.show_result(reach_words(reach)),
            on_error=lambda error: self._reach.show_failure(error.sentence()),
        )

    def _drop_test(self) -> None:
        if self._testing is not None:
            self._testing.cancel()
            self._testing = None
        self._reach.clear()

    def _on_error(self, error: FiresideError) -> None:
        self._token.show_error(
            render(error.reason) if isinstance(error, SettingInvalid) else error.sentence()
        )
