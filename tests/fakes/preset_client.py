"""A ``PresetClient`` in memory: does at once what the engine thread would, and records what was asked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import count
from typing import TYPE_CHECKING

from msgspec.structs import replace

from fireside.chat.built_in_presets import built_in_presets
from fireside.chat.presets import check_preset
from fireside.core.constraint import Constraint, JsonSchemaConstraint
from fireside.core.errors import FiresideError, NotStored
from fireside.core.events import PresetsChanged, SettingsChanged
from fireside.core.ids import ConversationId, PresetId
from fireside.core.options import SettingValue
from fireside.core.preset import Preset, PresetImport, TakenPreset, with_preset, without_preset
from fireside.settings.values import ConversationLayer

if TYPE_CHECKING:
    from fakes.client import FakeClient


class FakePresetClient:
    """Holds the library; ``fail(name, error)`` makes the next request of that name raise.

    A JSON Schema is wrong if it is no JSON; other rules are wrong if they hold the word “wrong”.
    """

    def __init__(self, client: FakeClient) -> None:
        self.calls: list[tuple[object, ...]] = []
        self.to_import = PresetImport()
        self._client = client
        self._ids = count(1)
        self._failures: dict[str, FiresideError] = {}
        self._deleted: dict[PresetId, Preset] = {}
        self.library: list[Preset] = [replace(preset, id=self._next()) for preset in built_in_presets()]

    def fail(self, name: str, error: FiresideError) -> None:
        self._failures[name] = error

    def called(self, name: str) -> list[tuple[object, ...]]:
        """Return the arguments of each call of ``name`` so far."""
        return [call[1:] for call in self.calls if call[0] == name]

    def named(self, name: str) -> Preset:
        """Return the preset of this name."""
        return next(preset for preset in self.library if preset.name == name)

    async def presets(self) -> tuple[Preset, ...]:
        self._enter("presets")
        return tuple(self.library)

    async def save(self, preset: Preset) -> Preset:
        self._enter("save", preset)
        kept = check_preset(preset)
        if kept.id:
            self.library[self._place(kept.id)] = kept
        else:
            kept = replace(kept, id=self._next())
            self.library.append(kept)
        self._tell()
        return kept

    async def delete(self, preset_id: PresetId) -> None:
        self._enter("delete", preset_id)
        self._deleted[preset_id] = self.library.pop(self._place(preset_id))
        self._tell()

    async def restore(self, preset_id: PresetId) -> None:
        self._enter("restore", preset_id)
        self.library.append(self._deleted.pop(preset_id))
        self._tell()

    async def move(self, preset_id: PresetId, *, position: int) -> None:
        self._enter("move", preset_id, position)
        preset = self.library.pop(self._place(preset_id))
        self.library.insert(position, preset)
        self._tell()

    async def remember(self, preset_id: PresetId, *, values: Mapping[str, str]) -> None:
        self._enter("remember", preset_id, dict(values))
        place = self._place(preset_id)
        preset = self.library[place]
        self.library[place] = replace(preset, remembered={**preset.remembered, **values})
        self._tell()

    async def bring_back_built_in(self) -> int:
        self._enter("bring_back_built_in")
        there = {preset.source for preset in self.library}
        missing = [preset for preset in built_in_presets() if preset.source not in there]
        self.library += [replace(preset, id=self._next()) for preset in missing]
        self._tell()
        return len(missing)

    async def export(self, path: str, *, ids: Sequence[PresetId] = ()) -> int:
        self._enter("export", path, tuple(ids))
        return len(ids) or len(self.library)

    async def import_file(self, path: str) -> PresetImport:
        self._enter("import_file", path)
        return self.to_import

    async def own_settings(self, conversation_id: ConversationId) -> dict[str, SettingValue]:
        self._enter("own_settings", conversation_id)
        return dict(self._client.layers.get(ConversationLayer(conversation_id=conversation_id), {}))

    async def take(self, conversation_id: ConversationId, preset: TakenPreset) -> None:
        self._enter("take", conversation_id, preset)
        self._put(conversation_id, with_preset(await self.own_settings(conversation_id), preset))

    async def leave(self, conversation_id: ConversationId) -> None:
        self._enter("leave", conversation_id)
        self._put(conversation_id, without_preset(await self.own_settings(conversation_id)))

    async def check_rule(self, constraint: Constraint) -> str:
        self._enter("check_rule", constraint)
        if not isinstance(constraint, JsonSchemaConstraint):
            return "it is wrong." if "wrong" in repr(constraint) else ""
        try:
            json.loads(constraint.schema)
        except ValueError:
            return "it is not valid JSON."
        return ""

    def _put(self, conversation_id: ConversationId, own: dict[str, SettingValue]) -> None:
        self._client.layers[ConversationLayer(conversation_id=conversation_id)] = own
        self._client.publish(SettingsChanged(keys=("chat.preset",)))

    def _place(self, preset_id: PresetId) -> int:
        for place, preset in enumerate(self.library):
            if preset.id == preset_id:
                return place
        raise NotStored(what="preset", id=preset_id)

    def _next(self) -> PresetId:
        return PresetId(next(self._ids))

    def _tell(self) -> None:
        self._client.publish(PresetsChanged(presets=tuple(self.library)))

    def _enter(self, name: str, *arguments: object) -> None:
        self.calls.append((name, *arguments))
        if error := self._failures.pop(name, None):
            raise error
