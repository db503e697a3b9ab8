"""Protocol of the service for the local API and its tokens."""

from __future__ import annotations

from typing import Protocol

from fireside.core.local_api import LocalApiStatus


class LocalApiClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def status(self) -> LocalApiStatus:
        """Return how things stand. Cheap."""

    async def add_token(self, name: str, *, scopes: tuple[str, ...]) -> str:
        """Make a token for ``scopes`` and return it: this once. Raises ``SettingsUnwritable``."""

    async def revoke_token(self, token_id: str) -> None:
        """Let a token open nothing from now on. Raises ``SettingsUnwritable``."""
