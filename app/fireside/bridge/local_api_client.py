"""Protocol of the service for the local API and its tokens."""

from __future__ import annotations

from typing import Protocol

from fireside.core.local_api import LocalApiStatus


class LocalApiClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def status(self) -> LocalApiStatus:
        """Return the state of the API and its tokens. Cheap."""

    async def add_token(self, name: str, *, scopes: tuple[str, ...]) -> str:
        """Create a token for ``scopes`` and return it; it cannot be read again. Raises
        ``SettingsUnwritable``."""

    async def revoke_token(self, token_id: str) -> None:
        """Revoke a token. Raises ``SettingsUnwritable``."""
