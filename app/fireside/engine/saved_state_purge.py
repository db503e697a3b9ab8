"""Delete what models have read of conversations, where that is kept on disk."""

from __future__ import annotations

import logging
from pathlib import Path

from fireside.wire.cache_files import SUFFIX, TEMPORARY_SUFFIX, forget_owner

logger = logging.getLogger(__name__)


class SavedStatePurge:
    """The files of all runners in one folder. Any thread.

    Args:
        folder: where they are; ``None`` where nothing is ever kept.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder

    def forget(self, owner: str) -> None:
        """Delete what is kept for ``owner``, for good. Raises ``OSError`` where a file cannot be deleted."""
        if self._folder is not None:
            forget_owner(self._folder, owner)

    def forget_all(self) -> None:
        """Delete everything; what cannot be deleted is logged, and never read."""
        if self._folder is None:
            return
        try:
            paths = list(self._folder.iterdir())
        except FileNotFoundError:
            return
        except OSError as exc:
            logger.warning("what models have read is kept: %s", exc)
            return
        for path in paths:
            if path.suffix in (SUFFIX, TEMPORARY_SUFFIX):
                try:
                    path.unlink(missing_ok=True)
                except OSError as exc:
                    logger.warning("%s is kept: %s", path.name, exc)
