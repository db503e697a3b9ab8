"""Read one state from disk while others are served."""

from __future__ import annotations

import threading

from fireside.runner.prompt_cache.disk_cache import SavedFile
from fireside.runner.prompt_cache.state_cache import StateCache
from fireside.runner.prompt_cache.state_snapshot import Snapshot


class DiskReader:
    """Begins at once, in a thread of its own that ends with the file."""

    def __init__(self, state_cache: StateCache, file: SavedFile) -> None:
        self.file = file
        self._state_cache = state_cache
        self._snapshot: Snapshot | None = None
        self._thread = threading.Thread(target=self._read, name="state reader", daemon=True)
        self._thread.start()

    def _read(self) -> None:
        self._snapshot = self._state_cache.read(self.file)

    @property
    def is_done(self) -> bool:
        return not self._thread.is_alive()

    def result(self) -> Snapshot | None:
        """Return the state, if it could be read; wait for it if need be."""
        self._thread.join()
        return self._snapshot
