"""Protocol of the service for engines at an address, and the log of connections."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.remote import Connection, EngineTestResult, NewEngine, RemoteEngine
from fireside.core.secret_location import SecretLocation


class EnginesClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def engines(self) -> tuple[RemoteEngine, ...]:
        """Return what was added, in that order."""

    async def add(self, new: NewEngine) -> EngineTestResult:
        """Ask an engine what it is, and keep it if it can be used.

        Raises ``RemoteError``, ``SettingInvalid`` for a key that cannot be one, or ``SettingsUnwritable``.
        """

    async def test(self, engine_id: str) -> EngineTestResult:
        """Ask an engine again; what it has now is kept. Raises ``RemoteError`` or ``SecretsError``."""

    async def store_key(self, engine_id: str, key: str) -> SecretLocation:
        """Use another key from now on, and return where it is kept.

        Raises ``SettingInvalid``, ``SecretsError`` or ``SettingsUnwritable``.
        """

    async def set_model_allowed(self, engine_id: str, *, model: str, is_allowed: bool) -> None:
        """Offer a model to chat with, or no longer. Raises ``SettingsUnwritable``."""

    async def set_pool(self, model: str, engine_ids: Sequence[str]) -> None:
        """Make these engines, and no others, a pool for the model that all of them call ``model``.

        Fewer than two are no pool. Raises ``SettingsUnwritable``.
        """

    async def remove(self, engine_id: str) -> None:
        """Forget an engine and its key. Chats stay. Raises ``SettingsUnwritable`` or ``SecretsError``."""

    async def connections(self) -> tuple[Connection, ...]:
        """Return every connection that was opened since the start, the newest first."""

    async def clear_connections(self) -> None:
        """Forget which connections there were."""
