"""The library of presets, and what a chat takes over from it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final, Protocol

import msgspec

from fireside.chat.built_in_presets import built_in_presets
from fireside.chat.preset_files import read_presets, write_presets
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.constraint import Constraint
from fireside.core.errors import PresetInvalid, SettingInvalid
from fireside.core.events import AppEvent, PresetsChanged, SettingsChanged
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.ids import ConversationId, ModelId, PresetId
from fireside.core.options import SettingValue
from fireside.core.preset import (
    ABOUT_CHARACTERS,
    MOST_PRESETS,
    NAME_CHARACTERS,
    TEXT_CHARACTERS,
    VALUE_CHARACTERS,
    AppliedPreset,
    Preset,
    PresetImport,
    prompted_variables,
    with_preset,
    without_preset,
)
from fireside.services.preferences import Preferences
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import SWITCHES
from fireside.settings.value_check import normalise
from fireside.storage.store import Store

_MOST_SKIPPED: Final = 20
_NAME_TOO_LONG: Final = tr_noop("its name has more than {limit} characters.")
_ABOUT_TOO_LONG: Final = tr_noop("its description has more than {limit} characters.")
_TEXT_TOO_LONG: Final = tr_noop("its text has more than {limit} characters.")
_VALUE_TOO_LONG: Final = tr_noop("its value has more than {limit} characters.")
_OF_PRESETS: Final = ("sampling.", "answer.")
"""How the keys of those settings begin that a preset may hold, besides the switches of tools and the
collections of documents: which folders a model may read, and what it may do unasked, comes from no preset."""


class RuleChecker(Protocol):
    """Says what is wrong with a rule for answers; blocks, and cannot hang."""

    def __call__(self, constraint: Constraint, /) -> str: ...


class Presets:
    """Each change is stored before ``PresetsChanged`` reports it.

    All methods raise ``RecordNotFound`` for what is no longer there, and ``StorageError``.
    """

    def __init__(
        self,
        *,
        store: Store,
        preferences: Preferences,
        emit: Callable[[AppEvent], None],
        check_rule: RuleChecker,
    ) -> None:
        self._store = store
        self._preferences = preferences
        self._emit = emit
        self._check_rule = check_rule

    # The library

    async def presets(self) -> tuple[Preset, ...]:
        await self._store.presets.seed(built_in_presets())
        return await self._store.presets.all()

    async def save(self, preset: Preset) -> Preset:
        checked = check_preset(preset)
        if checked.id:
            kept = await self._store.presets.put(checked)
        else:
            await self._refuse_too_many(1)
            (kept,) = await self._store.presets.add([checked])
        await self._tell()
        return kept

    async def delete(self, preset_id: PresetId) -> None:
        await self._store.presets.delete(preset_id)
        await self._tell()

    async def restore(self, preset_id: PresetId) -> None:
        await self._store.presets.restore(preset_id)
        await self._tell()

    async def move(self, preset_id: PresetId, *, position: int) -> None:
        await self._store.presets.move(preset_id, position=position)
        await self._tell()

    async def remember(self, preset_id: PresetId, *, values: Mapping[str, str]) -> None:
        kept = {name: value for name, value in values.items() if len(value) <= VALUE_CHARACTERS}
        await self._store.presets.remember_values(preset_id, kept)
        await self._tell()

    async def restore_built_in(self) -> int:
        there = {preset.source for preset in await self.presets()}
        missing = [preset for preset in built_in_presets() if preset.source not in there]
        await self._refuse_too_many(len(missing))
        await self._store.presets.add(missing)
        await self._tell()
        return len(missing)

    # Files

    async def export(self, path: str, *, ids: Sequence[PresetId] = ()) -> int:
        wanted = set(ids)
        presets = [preset for preset in await self.presets() if not wanted or preset.id in wanted]
        await asyncio.to_thread(write_presets, Path(path), presets)
        return len(presets)

    async def import_file(self, path: str) -> PresetImport:
        found = await asyncio.to_thread(read_presets, Path(path))
        there = {_gist(preset) for preset in await self.presets()}
        fresh: list[Preset] = []
        skipped = list(found.skipped)
        n_there = 0
        for preset in found.presets:
            try:
                checked = check_preset(preset)
            except (PresetInvalid, SettingInvalid) as exc:
                skipped.append(
                    tr("“{name}” was skipped: {sentence}").format(
                        name=preset.name[:NAME_CHARACTERS], sentence=exc.sentence()
                    )
                )
                continue
            if _gist(checked) in there:
                n_there += 1
                continue
            there.add(_gist(checked))
            fresh.append(checked)
        await self._refuse_too_many(len(fresh))
        added = await self._store.presets.add(fresh)
        await self._tell()
        names = tuple(preset.name for preset in added)
        return PresetImport(names=names, n_existing=n_there, skipped=tuple(skipped[:_MOST_SKIPPED]))

    # Chats

    async def take(self, conversation_id: ConversationId, preset: AppliedPreset) -> None:
        own = await self._store.conversations.overrides(conversation_id)
        checked = self.checked({**preset.settings}, own=without_preset(own))
        taken = msgspec.structs.replace(preset, settings=checked)
        await self._put(conversation_id, before=own, after=with_preset(own, taken))

    async def leave(self, conversation_id: ConversationId) -> None:
        own = await self._store.conversations.overrides(conversation_id)
        await self._put(conversation_id, before=own, after=without_preset(own))

    def checked(
        self,
        settings: Mapping[str, SettingValue],
        *,
        own: Mapping[str, SettingValue],
        model_id: ModelId | None = None,
    ) -> dict[str, SettingValue]:
        """Return settings as a chat beside its ``own`` keeps them. Raises ``SettingInvalid``."""
        return self._preferences.checked(settings, own=own, model_id=model_id)

    async def check_rule(self, constraint: Constraint) -> str:
        return await asyncio.to_thread(self._check_rule, constraint)

    async def _put(
        self,
        conversation_id: ConversationId,
        *,
        before: Mapping[str, SettingValue],
        after: Mapping[str, SettingValue],
    ) -> None:
        await self._store.conversations.replace_overrides(conversation_id, after)
        changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        self._emit(SettingsChanged(keys=tuple(sorted(changed))))

    async def _refuse_too_many(self, n_more: int) -> None:
        if len(await self._store.presets.all()) + n_more > MOST_PRESETS:
            reason = tr("the limit is {most} presets. Delete some you do not use.").format(most=MOST_PRESETS)
            raise PresetInvalid(reason=reason)

    async def _tell(self) -> None:
        self._emit(PresetsChanged(presets=await self._store.presets.all()))


def check_preset(preset: Preset) -> Preset:
    """Return a preset as it may be kept. Raises ``PresetInvalid`` or ``SettingInvalid``."""
    name = " ".join(preset.name.split())
    if not name:
        raise PresetInvalid(reason=tr_noop("it needs a name."))
    for text, limit, too_long in (
        (name, NAME_CHARACTERS, _NAME_TOO_LONG),
        (preset.about, ABOUT_CHARACTERS, _ABOUT_TOO_LONG),
        (preset.text, TEXT_CHARACTERS, _TEXT_TOO_LONG),
        *((value, VALUE_CHARACTERS, _VALUE_TOO_LONG) for value in preset.defaults.values()),
    ):
        _check_text(text, limit=limit, too_long=too_long)
    variables = prompted_variables(preset.text)
    return msgspec.structs.replace(
        preset,
        name=name,
        about=" ".join(preset.about.split()),
        settings=dict(_checked_settings(preset.settings)),
        defaults={key: preset.defaults[key] for key in variables if key in preset.defaults},
    )


def _check_text(text: str, *, limit: int, too_long: str) -> None:
    if len(text) > limit:
        raise PresetInvalid(reason=tr(too_long).format(limit=number(limit)))
    if "\0" in text:
        raise PresetInvalid(reason=tr_noop("it contains a NUL character."))
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise PresetInvalid(reason=tr_noop("it contains an invalid character (a lone surrogate).")) from exc


def _checked_settings(settings: Mapping[str, SettingValue]) -> Iterable[tuple[str, SettingValue]]:
    for key, value in settings.items():
        definition = BY_KEY.get(key)
        if (
            definition is None
            or not definition.per_conversation
            or not (key.startswith(_OF_PRESETS) or key in SWITCHES or key == COLLECTIONS_KEY)
        ):
            raise SettingInvalid(
                key=key[:NAME_CHARACTERS], reason=tr_noop("Presets cannot contain this setting.")
            )
        yield key, normalise(definition, value)


def _gist(preset: Preset) -> bytes:
    """What a preset is, without what this library made of it."""
    plain = msgspec.structs.replace(preset, id=PresetId(0), remembered={}, source="", favourite=False)
    return msgspec.json.encode(plain, order="sorted")
