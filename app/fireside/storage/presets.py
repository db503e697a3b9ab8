"""The library of presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import RecordNotFound
from fireside.core.ids import PresetId
from fireside.core.preset import Preset
from fireside.storage.database import Database, Repository, Row, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json

_SEEDED: Final = "presets_seeded"
_SELECT: Final = """
    SELECT id, CAST(body AS BLOB), CAST(remembered AS BLOB) FROM preset WHERE deleted_at IS NULL
"""
_VALUES = dict[str, str]


class PresetRepository(Repository):
    """Each change is committed when its method returns. All raise ``StorageError``, which includes
    ``RecordNotFound`` for a preset that does not exist or is deleted."""

    @in_storage_thread
    def all(self) -> tuple[Preset, ...]:
        """Return all presets in their order, without unreadable ones."""
        return self._all()

    @in_storage_thread
    def seed(self, presets: Sequence[Preset]) -> None:
        """Add the presets that come with the program, once per database."""
        if self._database.read_only is not None:
            return
        with self._database.transaction():
            if self._database.row("SELECT 1 FROM app_state WHERE key = ?", _SEEDED) is not None:
                return
            self._database.rows("INSERT INTO app_state (key, value) VALUES (?, '1')", _SEEDED)
            for preset in presets:
                self._insert(preset)

    @in_storage_thread
    def add(self, presets: Sequence[Preset]) -> tuple[Preset, ...]:
        """Add presets after the others, all or none, and return them with their ids."""
        with self._database.transaction():
            return tuple(self._find(self._insert(preset)) for preset in presets)

    @in_storage_thread
    def put(self, preset: Preset) -> Preset:
        """Replace a preset; the remembered values of its variables stay."""
        with self._database.transaction():
            self._find(preset.id)
            self._database.rows("UPDATE preset SET body = ? WHERE id = ?", _body(preset), preset.id)
            return self._find(preset.id)

    @in_storage_thread
    def remember_values(self, preset_id: PresetId, values: Mapping[str, str]) -> None:
        """Store the values that the user entered for the variables."""
        with self._database.transaction():
            remembered = {**self._find(preset_id).remembered, **values}
            self._database.rows(
                "UPDATE preset SET remembered = ? WHERE id = ?", to_json(remembered), preset_id
            )

    @in_storage_thread
    def move(self, preset_id: PresetId, *, position: int) -> None:
        """Move a preset to a position in the list, from 0."""
        with self._database.transaction():
            self._find(preset_id)
            order = [preset.id for preset in self._all() if preset.id != preset_id]
            order.insert(max(0, position), preset_id)
            for index, id_ in enumerate(order):
                self._database.rows("UPDATE preset SET position = ? WHERE id = ?", index, id_)

    @in_storage_thread
    def delete(self, preset_id: PresetId) -> None:
        """Hide a preset, which is removed for good when the store is next opened."""
        with self._database.transaction():
            self._find(preset_id)
            self._database.rows("UPDATE preset SET deleted_at = ? WHERE id = ?", self._clock(), preset_id)

    @in_storage_thread
    def restore(self, preset_id: PresetId) -> None:
        """Restore a deleted preset."""
        with self._database.transaction():
            self._database.rows("UPDATE preset SET deleted_at = NULL WHERE id = ?", preset_id)
            self._find(preset_id)

    def _all(self) -> tuple[Preset, ...]:
        rows = self._database.rows(f"{_SELECT} ORDER BY position, id")
        return tuple(preset for row in rows if (preset := _read(row)) is not None)

    def _insert(self, preset: Preset) -> PresetId:
        preset_id = self._database.insert(
            "INSERT INTO preset (position, body, remembered) "
            "VALUES ((SELECT coalesce(max(position), -1) + 1 FROM preset), ?, ?)",
            _body(preset),
            to_json(preset.remembered),
        )
        return PresetId(preset_id)

    def _find(self, preset_id: PresetId) -> Preset:
        row = self._database.row(f"{_SELECT} AND id = ?", preset_id)
        preset = _read(row) if row is not None else None
        if preset is None:
            raise RecordNotFound(what="preset", id=preset_id)
        return preset


def purge_deleted_presets(db: Database) -> int:
    """Remove deleted presets. Returns how many."""
    rows = db.rows("SELECT id FROM preset WHERE deleted_at IS NOT NULL")
    if rows:
        with db.transaction():
            db.rows("DELETE FROM preset WHERE deleted_at IS NOT NULL")
    return len(rows)


def _body(preset: Preset) -> str:
    return storable(to_json(msgspec.structs.replace(preset, id=PresetId(0), remembered={})))


def _read(row: Row) -> Preset | None:
    id_, body, remembered = row
    assert isinstance(id_, int)
    try:
        preset = decode_json(read_text(body), kind=Preset)
    except JsonInvalid:
        return None
    try:
        values = decode_json(read_text(remembered), kind=_VALUES)
    except JsonInvalid:
        values = {}
    return msgspec.structs.replace(preset, id=PresetId(id_), remembered=values)
