"""Delete the prompt cache's files on disk: of one owner, or all of them."""

from __future__ import annotations

import logging
from pathlib import Path

from fireside.wire.cache_files import SUFFIX, TEMPORARY_SUFFIX, delete_owner_states

logger = logging.getLogger(__name__)


class SavedStatePurge:
    """The prompt cache's files of all runners, in one folder. Any thread.

    Args:
        folder: contains the files; ``None`` if there is no cache on disk.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def delete_owner(self, owner: str) -> None:
        """Delete the files of ``owner``. Raises ``OSError`` if one cannot be deleted."""
        if self._folder is not None:
            delete_owner_states(self._folder, owner)

    def delete_all(self) -> None:
        """Delete all files. One that cannot be deleted is logged; no runner reads it."""
        if self._folder is None:
            return
        try:
            paths = list(self._folder.iterdir())
        except FileNotFoundError:
            return
        except OSError as exc:
            logger.warning("the prompt cache's files are not deleted: %s", exc)
            return
        for path in paths:
            if path.suffix in (SUFFIX, TEMPORARY_SUFFIX):
                try:
                    path.unlink(missing_ok=True)
                except OSError as exc:
                    logger.warning("%s is not deleted: %s", path.name, exc)
