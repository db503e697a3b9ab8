"""Protocol of the service for builds of llama.cpp."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import ModelId
from fireside.core.runtime import Runtime, RuntimeChoice


class RuntimeClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    Progress of installations and tests arrives as ``RuntimeProgressed``, changes of the list as
    ``RuntimesChanged``.
    """

    async def choice(self) -> RuntimeChoice:
        """Return all runtimes and the one in use. Under a second."""

    async def check_for_updates(self) -> RuntimeChoice:
        """Look in Fireside's releases for runtimes for this computer.

        Only where the choice ``is_published``. May be cancelled. Raises ``UpdateError``.
        """

    async def install(self, name: str) -> Runtime:
        """Download a published runtime, verify its signature, add it and test it. May be cancelled.

        Raises ``UpdateError``, ``RuntimeNotFound`` if it is no longer offered, and what ``add`` raises.
        """

    async def add(self, path: str) -> Runtime:
        """Add a runtime from a folder or an archive and test it. May be cancelled.

        A runtime that fails its test is kept and marked, so that the user sees why.
        Raises ``RuntimeNotAdded`` or ``RuntimeUnwritable``.
        """

    async def test(self, name: str) -> Runtime:
        """Test a runtime with the starter model. May be cancelled. Raises ``RuntimeNotFound``."""

    async def use(self, name: str, *, model_id: ModelId | None = None) -> None:
        """Use this runtime from the next load on, for all models or for one.

        Raises ``RuntimeNotFound``, ``RuntimeRefused`` if it has not passed its test, or a
        ``SettingsError``.
        """

    async def roll_back(self, *, model_id: ModelId | None = None) -> str:
        """Return to the previous runtime, or the built-in one if that no longer exists, and return its name.

        Raises ``RuntimeRefused`` if there was none.
        """

    async def remove(self, name: str) -> None:
        """Delete a runtime that is not in use.

        Raises ``RuntimeNotFound``, ``RuntimeRefused`` or ``RuntimeUnwritable``.
        """
