"""Protocol of the service for engines at an address, and the log of connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.remote import Connection, EngineTestResult, NewEngine, RemoteEngine
from fireside.core.secret_location import SecretLocation


class EnginesClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def engines(self) -> tuple[RemoteEngine, ...]:
        """Return all engines in the order in which they were added."""

    async def add(self, new: NewEngine) -> EngineTestResult:
        """Test an engine, and store it if it can be used.

        Raises ``RemoteError``, ``SettingInvalid`` for a malformed key, or ``SettingsUnwritable``.
        """

    async def test(self, engine_id: str) -> EngineTestResult:
        """Test an engine again and store its current models. Raises ``RemoteError`` or ``SecretsError``."""

    async def store_key(self, engine_id: str, key: str) -> SecretLocation:
        """Replace the key of an engine, and return where it is stored.

        Raises ``SettingInvalid``, ``SecretsError`` or ``SettingsUnwritable``.
        """

    async def set_model_allowed(self, engine_id: str, *, model: str, is_allowed: bool) -> None:
        """Set whether a model is offered in chats. Raises ``SettingsUnwritable``."""

    async def set_pool(self, model: str, engine_ids: Sequence[str]) -> None:
        """Set the engines of the pool for the model that all of them call ``model``.

        Fewer than two remove the pool. Raises ``SettingsUnwritable``.
        """

    async def remove(self, engine_id: str) -> None:
        """Delete an engine and its key. Chats stay. Raises ``SettingsUnwritable`` or ``SecretsError``."""

    async def connections(self) -> tuple[Connection, ...]:
        """Return all connections opened since the start of the program, the newest first."""

    async def clear_connections(self) -> None:
        """Clear the log of connections."""
