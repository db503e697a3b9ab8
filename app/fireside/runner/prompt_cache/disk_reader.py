"""Read one state from disk while others are served."""

from __future__ import annotations

import threading

from fireside.runner.prompt_cache.disk_cache import SavedFile
from fireside.runner.prompt_cache.state_cache import Archive
from fireside.runner.prompt_cache.state_snapshot import Snapshot


class Reading:
    """Begins at once, in a thread of its own that ends with the file."""

    def __init__(self, archive: Archive, file: SavedFile) -> None:
        self.file = file
        self._archive = archive
        self._snapshot: Snapshot | None = None
        self._thread = threading.Thread(target=self._read, name="state reader", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        self._snapshot = self._archive.read(self.file)

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def result(self) -> Snapshot | None:
        """Return the state, if it could be read; wait for it if need be."""
        self._thread.join()
        return self._snapshot
