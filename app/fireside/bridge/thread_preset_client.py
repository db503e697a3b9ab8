"""The façade over the engine thread for presets."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fireside.bridge.remote_call import Ask
from fireside.core.constraint import Constraint
from fireside.core.ids import ConversationId, PresetId
from fireside.core.options import SettingValue
from fireside.core.preset import Preset, PresetImport, TakenPreset


class ThreadPresetClient:
    """``PresetClient`` for an ``App`` that lives on an ``EngineThread``. GUI thread only."""

    def __init__(self, ask: Ask) -> None:
        self._ask = ask

    async def presets(self) -> tuple[Preset, ...]:
        return await self._ask(lambda app: app.presets.presets())

    async def save(self, preset: Preset) -> Preset:
        return await self._ask(lambda app: app.presets.save(preset))

    async def delete(self, preset_id: PresetId) -> None:
        await self._ask(lambda app: app.presets.delete(preset_id))

    async def restore(self, preset_id: PresetId) -> None:
        await self._ask(lambda app: app.presets.restore(preset_id))

    async def move(self, preset_id: PresetId, *, position: int) -> None:
        await self._ask(lambda app: app.presets.move(preset_id, position=position))

    async def remember(self, preset_id: PresetId, *, values: Mapping[str, str]) -> None:
        given = dict(values)
        await self._ask(lambda app: app.presets.remember(preset_id, values=given))

    async def bring_back_built_in(self) -> int:
        return await self._ask(lambda app: app.presets.bring_back_built_in())

    async def export(self, path: str, *, ids: Sequence[PresetId] = ()) -> int:
        wanted = tuple(ids)
        return await self._ask(lambda app: app.presets.export(path, ids=wanted))

    async def import_file(self, path: str) -> PresetImport:
        return await self._ask(lambda app: app.presets.import_file(path))

    async def own_settings(self, conversation_id: ConversationId) -> dict[str, SettingValue]:
        return await self._ask(lambda app: app.presets.own_settings(conversation_id))

    async def take(self, conversation_id: ConversationId, preset: TakenPreset) -> None:
        await self._ask(lambda app: app.presets.take(conversation_id, preset))

    async def leave(self, conversation_id: ConversationId) -> None:
        await self._ask(lambda app: app.presets.leave(conversation_id))

    async def check_rule(self, constraint: Constraint) -> str:
        return await self._ask(lambda app: app.presets.check_rule(constraint))
