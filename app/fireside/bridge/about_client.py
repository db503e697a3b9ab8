"""Protocol of the service for the installed version and its updates."""

from __future__ import annotations

from typing import Protocol

from fireside.core.about import About


class AboutClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def about(self) -> About:
        """Return the installed version and the state of updates."""

    async def licences(self) -> str:
        """Return the licence texts of all bundled software. Takes a moment."""

    async def check_for_updates(self) -> About:
        """Check for a newer version. Raises ``UpdateError``."""

    async def install(self) -> About:
        """Download the newest version, test it, and use it from the next start on.

        Progress arrives as ``UpdateProgressed``. Cancelling keeps the data downloaded so far. Raises
        ``UpdateError``.
        """

    async def roll_back(self) -> About:
        """Use the previous version from the next start on. Raises ``UpdateUnwritable``."""
