"""The library of presets, and the presets applied to chats."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Final

import msgspec

from fireside.chat.built_in_presets import built_in_presets
from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import FiresideError, SettingInvalid
from fireside.core.events import AppEvent, PresetsChanged, SettingsChanged
from fireside.core.for_window import for_window
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.ids import ConversationId, PresetId
from fireside.core.options import SettingValue
from fireside.core.os_errors import render_os_error
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
from fireside.core.task import Constraint
from fireside.files.atomic_replace import replace_file
from fireside.services.preferences import Preferences
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import SWITCHES
from fireside.settings.value_check import normalise
from fireside.storage.store import Store

_MAX_SKIPPED: Final = 20
_NAME_TOO_LONG: Final = tr_noop("its name has more than {limit} characters.")
_ABOUT_TOO_LONG: Final = tr_noop("its description has more than {limit} characters.")
_TEXT_TOO_LONG: Final = tr_noop("its text has more than {limit} characters.")
_VALUE_TOO_LONG: Final = tr_noop("its value has more than {limit} characters.")
_ALLOWED_PREFIXES: Final = ("sampling.", "answer.")
"""Prefixes of the setting keys that a preset may contain, besides the switches of tools and the collections
of documents. A preset never sets which folders a model may read, or what it may do without consent."""
RuleChecker = Callable[[Constraint], str]
"""Checks a constraint on answers; see ``PresetService.check_rule``. Blocks, but cannot hang."""


class PresetService:
    """The library of presets. Each change is stored before ``PresetsChanged`` reports it.

    ``SettingsChanged`` has the new settings of a chat. All methods raise ``RecordNotFound`` for a preset or
    chat that no longer exists, and ``StorageError``.
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

    @for_window
    async def presets(self) -> tuple[Preset, ...]:
        """Return all presets in the user's order."""
        await self._store.presets.seed(built_in_presets())
        return await self._store.presets.all()

    @for_window
    async def save(self, preset: Preset) -> Preset:
        """Store a preset, as a new one if its id is 0, and return it as stored.

        Raises ``preset_invalid`` or ``SettingInvalid`` with an explanation.
        """
        checked = check_preset(preset)
        if checked.id:
            saved = await self._store.presets.put(checked)
        else:
            await self._check_limit(1)
            (saved,) = await self._store.presets.add([checked])
        await self._emit_changed()
        return saved

    @for_window
    async def delete(self, preset_id: PresetId) -> None:
        """Hide a preset; ``restore`` can bring it back until the next start of the program."""
        await self._store.presets.delete(preset_id)
        await self._emit_changed()

    @for_window
    async def restore(self, preset_id: PresetId) -> None:
        """Restore a preset that was deleted since the program started."""
        await self._store.presets.restore(preset_id)
        await self._emit_changed()

    @for_window
    async def move(self, preset_id: PresetId, *, position: int) -> None:
        """Move a preset within the list; ``position`` counts from 0."""
        await self._store.presets.move(preset_id, position=position)
        await self._emit_changed()

    @for_window
    async def remember(self, preset_id: PresetId, *, values: Mapping[str, str]) -> None:
        """Store the values that the user entered for the variables, as the defaults of the next time."""
        short = {name: value for name, value in values.items() if len(value) <= VALUE_CHARACTERS}
        await self._store.presets.remember_values(preset_id, short)
        await self._emit_changed()

    @for_window
    async def restore_built_in(self) -> int:
        """Restore deleted built-in presets. Returns how many."""
        existing = {preset.source for preset in await self.presets()}
        missing = [preset for preset in built_in_presets() if preset.source not in existing]
        await self._check_limit(len(missing))
        await self._store.presets.add(missing)
        await self._emit_changed()
        return len(missing)

    # Files

    @for_window
    async def export(self, path: str, *, ids: Sequence[PresetId] = ()) -> int:
        """Write presets to a file, all of them if ``ids`` is empty. Returns how many.

        Raises ``export_unwritable``.
        """
        selected = set(ids)
        presets = [preset for preset in await self.presets() if not selected or preset.id in selected]
        await asyncio.to_thread(write_presets, Path(path), presets)
        return len(presets)

    @for_window
    async def import_file(self, path: str) -> PresetImport:
        """Add the valid presets of a file that are not in the library yet. Raises ``import_unreadable``."""
        file = await asyncio.to_thread(read_presets, Path(path))
        existing = {_content_key(preset) for preset in await self.presets()}
        new: list[Preset] = []
        skipped = list(file.skipped)
        n_existing = 0
        for preset in file.presets:
            try:
                checked = check_preset(preset)
            except FiresideError as exc:
                skipped.append(
                    tr("“{name}” was skipped: {sentence}").format(
                        name=preset.name[:NAME_CHARACTERS], sentence=exc.sentence()
                    )
                )
                continue
            if _content_key(checked) in existing:
                n_existing += 1
                continue
            existing.add(_content_key(checked))
            new.append(checked)
        await self._check_limit(len(new))
        added = await self._store.presets.add(new)
        await self._emit_changed()
        names = tuple(preset.name for preset in added)
        return PresetImport(names=names, n_existing=n_existing, skipped=tuple(skipped[:_MAX_SKIPPED]))

    # Chats

    @for_window
    async def apply(self, conversation_id: ConversationId, preset: AppliedPreset) -> None:
        """Apply ``preset`` to a chat, replacing the one before. Raises ``SettingInvalid``."""
        overrides = await self._store.conversations.overrides(conversation_id)
        settings = self._preferences.checked(preset.settings, own=without_preset(overrides), model_id=None)
        checked = msgspec.structs.replace(preset, settings=settings)
        await self._replace_overrides(
            conversation_id, before=overrides, after=with_preset(overrides, checked)
        )

    @for_window
    async def unapply(self, conversation_id: ConversationId) -> None:
        """Remove the preset of a chat; settings that the user changed since stay."""
        overrides = await self._store.conversations.overrides(conversation_id)
        await self._replace_overrides(conversation_id, before=overrides, after=without_preset(overrides))

    @for_window
    async def check_rule(self, constraint: Constraint) -> str:
        """Return what is wrong with an output constraint, as the end of a sentence; empty if it is valid."""
        return await asyncio.to_thread(self._check_rule, constraint)

    async def _replace_overrides(
        self,
        conversation_id: ConversationId,
        *,
        before: Mapping[str, SettingValue],
        after: Mapping[str, SettingValue],
    ) -> None:
        await self._store.conversations.replace_overrides(conversation_id, after)
        changed = {key for key in {*before, *after} if before.get(key) != after.get(key)}
        self._emit(SettingsChanged(keys=tuple(sorted(changed))))

    async def _check_limit(self, n_more: int) -> None:
        if len(await self._store.presets.all()) + n_more > MOST_PRESETS:
            reason = tr("the limit is {most} presets. Delete some you do not use.").format(most=MOST_PRESETS)
            raise FiresideError.of("preset_invalid", reason=reason)

    async def _emit_changed(self) -> None:
        self._emit(PresetsChanged(presets=await self._store.presets.all()))


def check_preset(preset: Preset) -> Preset:
    """Return a preset normalised for storage. Raises ``preset_invalid`` or ``SettingInvalid``."""
    name = " ".join(preset.name.split())
    if not name:
        raise FiresideError.of("preset_invalid", reason=tr_noop("it needs a name."))
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
        raise FiresideError.of("preset_invalid", reason=tr(too_long).format(limit=number(limit)))
    if "\0" in text:
        raise FiresideError.of("preset_invalid", reason=tr_noop("it contains a NUL character."))
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise FiresideError.of(
            "preset_invalid", reason=tr_noop("it contains an invalid character (a lone surrogate).")
        ) from exc


def _checked_settings(settings: Mapping[str, SettingValue]) -> Iterable[tuple[str, SettingValue]]:
    for key, value in settings.items():
        definition = BY_KEY.get(key)
        if (
            definition is None
            or not definition.per_conversation
            or not (key.startswith(_ALLOWED_PREFIXES) or key in SWITCHES or key == COLLECTIONS_KEY)
        ):
            raise SettingInvalid(
                key=key[:NAME_CHARACTERS], reason=tr_noop("Presets cannot contain this setting.")
            )
        yield key, normalise(definition, value)


def _content_key(preset: Preset) -> bytes:
    """Return a key that is equal for presets of equal content, wherever they come from."""
    plain = msgspec.structs.replace(preset, id=PresetId(0), remembered={}, source="", favourite=False)
    return msgspec.json.encode(plain, order="sorted")


# Presets as a file: JSON that users may send to each other.
#
# The file is one object::
#
#     {"format": "fireside-presets", "version": 1, "presets": [ … ]}
#
# A preset has the fields of ``core.preset.Preset`` except its id and the remembered values of its variables.
# Fields that a reader does not know are ignored.


FORMAT: Final = "fireside-presets"
VERSION: Final = 1
MAX_BYTES: Final = 20_000_000


class _Head(msgspec.Struct, frozen=True, kw_only=True):
    format: str
    version: int
    presets: list[msgspec.Raw]


class PresetFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file's readable presets, not yet checked, and a sentence for each unreadable one."""

    presets: tuple[Preset, ...]
    skipped: tuple[str, ...] = ()


def write_presets(path: Path, presets: Sequence[Preset]) -> None:
    """Write ``presets`` to ``path``, whole or not at all. Blocks. Raises ``export_unwritable``."""
    plain = [_without_private(msgspec.to_builtins(_without_collections(preset))) for preset in presets]
    head = {"format": FORMAT, "version": VERSION, "presets": plain}
    text = json.dumps(head, indent=2, ensure_ascii=False) + "\n"
    try:
        replace_file(path, text.encode())
    except OSError as exc:
        raise FiresideError.of(
            "export_unwritable", path=str(path), reason=f"{render_os_error(exc)}."
        ) from exc


def read_presets(path: Path) -> PresetFile:
    """Read a file from anywhere; its contents are not trusted. Blocks. Raises ``import_unreadable``."""
    try:
        head = decode_json(_read(path), kind=_Head)
    except JsonInvalid as exc:
        raise _unreadable(path, tr_noop("it is not a preset file.")) from exc
    if head.format != FORMAT:
        raise _unreadable(path, tr_noop("it is not a preset file."))
    if head.version > VERSION:
        raise _unreadable(
            path, tr_noop("it is from a newer version of Fireside. Update Fireside to import it.")
        )
    if head.version < 1 or len(head.presets) > MOST_PRESETS:
        raise _unreadable(
            path,
            tr("it has more than {most} presets, or an unknown version.").format(most=MOST_PRESETS),
        )
    presets: list[Preset] = []
    skipped: list[str] = []
    for index, raw in enumerate(head.presets):
        try:
            preset = decode_json(raw, kind=Preset)
        except JsonInvalid:
            skipped.append(tr("Preset {place} cannot be read.").format(place=index + 1))
            continue
        presets.append(
            msgspec.structs.replace(_without_collections(preset), id=PresetId(0), remembered={}, source="")
        )
    return PresetFile(presets=tuple(presets), skipped=tuple(skipped))


def _without_collections(preset: Preset) -> Preset:
    """Return a preset without its document collections, which exist on one computer only."""
    settings = {key: value for key, value in preset.settings.items() if key != COLLECTIONS_KEY}
    return msgspec.structs.replace(preset, settings=settings)


def _without_private(fields: dict[str, object]) -> dict[str, object]:
    """Return the fields to export: neither private ones nor those with their default."""
    private = {"id", "remembered", "source"}
    return {key: value for key, value in fields.items() if key not in private and value not in ("", {}, None)}


def _read(path: Path) -> bytes:
    try:
        # Reading a pipe may block forever, and a device may never end.
        if not path.is_file():
            raise _unreadable(path, tr_noop("it is not a file."))
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as exc:
        raise _unreadable(path, f"{render_os_error(exc)}.") from exc
    if len(data) > MAX_BYTES:
        raise _unreadable(path, tr("it is larger than {most} MB.").format(most=MAX_BYTES // 1_000_000))
    return data


def _unreadable(path: Path, reason: str) -> FiresideError:
    return FiresideError.of("import_unreadable", path=os.fspath(path), reason=reason)
