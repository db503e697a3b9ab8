"""Store the latest tuning of each model in a small file."""

from __future__ import annotations

import logging
import threading
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.ids import ModelId
from fireside.core.tuning import Tuning
from fireside.files.atomic_replace import replace_file

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
        self._path = path
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
            content = msgspec.json.encode(_File(format=FORMAT, tunings=tuple(self._tunings.values())))
            try:
                replace_file(self._path, content)
            except OSError as exc:
                log.warning("the tuning of %s is not stored: %s", tuning.model_name, exc)

    def _read(self) -> dict[ModelId, Tuning]:
        if self._tunings is None:
            self._tunings = {tuning.model_id: tuning for tuning in self._read_file()}
        return self._tunings

    def _read_file(self) -> tuple[Tuning, ...]:
        try:
            if self._path.stat().st_size > MAX_FILE_BYTES:
                return ()
            stored = msgspec.json.decode(self._path.read_bytes(), type=_File)
        except FileNotFoundError:
            return ()
        except (OSError, ValueError) as exc:
            log.warning("the tunings of models cannot be read: %s", exc)
            return ()
        return stored.tunings if stored.format == FORMAT else ()
