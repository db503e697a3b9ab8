"""Protocol of the service for builds of llama.cpp."""

from __future__ import annotations

from typing import Protocol

from fireside.core.ids import ModelId
from fireside.core.runtime import Runtime, RuntimeChoice


class RuntimeClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``.

    ``RuntimeProgressed`` tells how far an addition or a test is, ``RuntimesChanged`` that the list is not as
    it was.
    """

    async def choice(self) -> RuntimeChoice:
        """Return every runtime, and which is used. Under a second."""

    async def check_for_updates(self) -> RuntimeChoice:
        """Ask Fireside's releases which runtimes there are for this computer.

        Only where the choice ``is_published``. Cancel it freely. Raises ``UpdateError``.
        """

    async def install(self, name: str) -> Runtime:
        """Download a runtime that was found, check its signature, add it and test it. Cancel it freely.

        Raises ``UpdateError``, ``RuntimeNotFound`` for one that is not offered any more, and what ``add``
        raises.
        """

    async def add(self, path: str) -> Runtime:
        """Take a runtime in from a folder or an archive and try it out. Cancel it freely.

        One that fails its test is kept and marked, so that the user sees why.
        Raises ``RuntimeNotAdded`` or ``RuntimeUnwritable``.
        """

    async def test(self, name: str) -> Runtime:
        """Let the starter model answer with a runtime. Cancel it freely. Raises ``RuntimeNotFound``."""

    async def use(self, name: str, *, model_id: ModelId | None = None) -> None:
        """Run models with this runtime from their next load on: all of them, or one.

        Raises ``RuntimeNotFound``, ``RuntimeRefused`` for one that has not passed its test, or a
        ``SettingsError``.
        """

    async def roll_back(self, *, model_id: ModelId | None = None) -> str:
        """Use the runtime again that was used before, and return its name; the built-in one if it is gone.

        Raises ``RuntimeRefused`` if there was none.
        """

    async def remove(self, name: str) -> None:
        """Delete a runtime that is not in use.

        Raises ``RuntimeNotFound``, ``RuntimeRefused`` or ``RuntimeUnwritable``.
        """
