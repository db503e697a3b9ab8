"""Records of loads: predicted and measured memory."""

from __future__ import annotations

import logging
from typing import Final

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.ids import ModelId
from fireside.core.plan import LoadRecord
from fireside.storage.database import Repository, in_storage_thread
from fireside.storage.text import storable, to_json

MAX_RECORDS: Final = 20
"""The number of records kept of each model, the latest."""

log = logging.getLogger(__name__)


class LoadRecords(Repository):
    """The predicted and measured memory of each load. Methods raise ``StorageError``."""

    @in_storage_thread
    def add(self, record: LoadRecord) -> None:
        """Store a record; older ones of the model beyond ``MAX_RECORDS`` are deleted."""
        with self._database.transaction():
            self._database.insert(
                "INSERT INTO load_record (model_id, loaded_at, body) VALUES (?, ?, ?)",
                storable(record.model_id),
                record.loaded_at,
                to_json(record),
            )
            self._database.rows(
                "DELETE FROM load_record WHERE model_id = ?1 AND id NOT IN "
                "(SELECT id FROM load_record WHERE model_id = ?1 ORDER BY id DESC LIMIT ?2)",
                record.model_id,
                MAX_RECORDS,
            )

    @in_storage_thread
    def of_model(self, model_id: ModelId) -> tuple[LoadRecord, ...]:
        """Return the records of a model, the latest first, without those that this version cannot read."""
        rows = self._database.rows(
            "SELECT CAST(body AS BLOB) FROM load_record WHERE model_id = ? ORDER BY id DESC", model_id
        )
        return tuple(record for (body,) in rows if (record := _read(body)) is not None)


def _read(body: object) -> LoadRecord | None:
    try:
        return decode_json(body if isinstance(body, bytes) else b"", kind=LoadRecord)
    except JsonInvalid as exc:
        log.info("a load that was remembered cannot be read: %s", exc)
        return None
