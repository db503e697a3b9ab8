"""Protocol of the service for the installed version and its updates."""

from __future__ import annotations

from typing import Protocol

from fireside.core.about import About


class AboutClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def about(self) -> About:
        """Return what this copy is and how far an update of it is."""

    async def licences(self) -> str:
        """Return the licence texts of all that the program brings along. Takes a moment."""

    async def check_for_updates(self) -> About:
        """Ask whether there is a newer version. Raises ``UpdateError``."""

    async def install(self) -> About:
        """Fetch the newest version, try it, and have the next start use it.

        Reports ``UpdateProgressed``. Cancelling ends it; what was fetched is kept. Raises ``UpdateError``.
        """

    async def roll_back(self) -> About:
        """Have the next start use the version before this one. Raises ``UpdateUnwritable``."""
