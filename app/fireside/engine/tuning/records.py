"""Store the latest tuning of each model in a small file."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.tuning import Tuning
from fireside.files.json_file import JsonFile

FORMAT: Final = 1
MAX_RECORDS: Final = 200
MAX_FILE_BYTES: Final = 8 << 20

log = logging.getLogger(__name__)


class _File(msgspec.Struct, frozen=True, kw_only=True):
    format: int
    tunings: tuple[Tuning, ...]


class TuningRecords:
    """The latest tuning of each model. Blocks on the disk; any thread.

    A file that is damaged or of another format counts as empty. If it cannot be written, the results are kept
    in memory.
    """

    def __init__(self, path: Path) -> None:
        self._file = JsonFile(path, _File, limit=MAX_FILE_BYTES)
        self._lock = threading.Lock()
        self._tunings: dict[ModelId, Tuning] | None = None

    def get(self, model_id: ModelId) -> Tuning | None:
        """Return the latest tuning of a model."""
        with self._lock:
            return self._read().get(model_id)

    def put(self, tuning: Tuning) -> None:
        """Store a tuning in place of the model's earlier one."""
        with self._lock:
            tunings = self._read()
            tunings.pop(tuning.model_id, None)
            tunings[tuning.model_id] = tuning
            self._tunings = dict(list(tunings.items())[-MAX_RECORDS:])
            try:
                self._file.write(_File(format=FORMAT, tunings=tuple(self._tunings.values())))
            except OSError as exc:
                log.warning("the tuning of %s is not stored: %s", tuning.model_name, exc)

    def _read(self) -> dict[ModelId, Tuning]:
        if self._tunings is None:
            stored = self._file.read()
            tunings = stored.tunings if stored is not None and stored.format == FORMAT else ()
            self._tunings = {tuning.model_id: tuning for tuning in tunings}
        return self._tunings
