"""Presets (settings and system prompt of a chat) and snippets (texts for the composer)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.ids import ModelId, PresetId
from fireside.core.options import SettingValue

PRESET_NAME_KEY: Final = "chat.preset"
"""Setting of a chat: the name of its preset; empty for none."""
PRESET_KEYS_KEY: Final = "chat.preset_keys"
"""Setting of a chat: the keys of the settings that its preset set."""
PRESET_COVERED_KEY: Final = "chat.preset_covered"
"""Setting of a chat: the values before the preset, as JSON, which are restored when it is removed."""
SYSTEM_PROMPT_KEY: Final = "chat.system_prompt"

NAME_CHARACTERS: Final = 80
ABOUT_CHARACTERS: Final = 200
TEXT_CHARACTERS: Final = 100_000
VALUE_CHARACTERS: Final = 20_000
"""Of one variable's value."""
MOST_VARIABLES: Final = 20
MOST_PRESETS: Final = 500

KNOWN_VARIABLES: Final = ("date", "time", "language", "model")
"""Variables that the program fills in."""

_VARIABLE: Final = re.compile(r"\{\{[ \t]*([^\W\d_][\w -]{0,39}?)[ \t]*\}\}")


class PresetKind(StrEnum):
    """What using a preset does."""

    CHAT = "chat"
    """Applies settings and a system prompt to a chat."""
    SNIPPET = "snippet"
    """Inserts a text into the message."""


class Preset(msgspec.Struct, frozen=True, kw_only=True):
    """A preset or snippet."""

    id: PresetId = PresetId(0)
    """0 if it is not stored."""
    kind: PresetKind = PresetKind.CHAT
    name: str
    about: str = ""
    """A description of one line."""
    text: str = ""
    """The system prompt, or the text of a snippet; ``{{name}}`` is a variable."""
    settings: dict[str, SettingValue] = {}
    """Settings of the chat by key, for sampling and constraints."""
    model_id: ModelId | None = None
    """The model to use; ``None`` for the chat's."""
    defaults: dict[str, str] = {}
    """Default values of variables."""
    favourite: bool = False
    """Whether it is offered in new chats."""
    source: str = ""
    """Name of the bundled preset that this one is derived from."""
    remembered: dict[str, str] = {}
    """The user's last values of the variables."""


class AppliedPreset(msgspec.Struct, frozen=True, kw_only=True):
    """A preset with its variables filled in."""

    name: str
    settings: dict[str, SettingValue]


class PresetImport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of importing a file of presets."""

    names: tuple[str, ...] = ()
    """Names of the added presets."""
    n_existing: int = 0
    """The number of presets that existed already, with the same content."""
    skipped: tuple[str, ...] = ()
    """A sentence for each of the others; at most 20."""


def variables_in(text: str) -> tuple[str, ...]:
    """Return the variables of ``text`` in the order of their first appearance."""
    return tuple(dict.fromkeys(match[1] for match in _VARIABLE.finditer(text)))


def prompted_variables(text: str) -> tuple[str, ...]:
    """Return the variables of ``text`` that the user is asked for; at most ``MOST_VARIABLES``."""
    return tuple(name for name in variables_in(text) if name not in KNOWN_VARIABLES)[:MOST_VARIABLES]


def fill_variables(text: str, values: Mapping[str, str]) -> str:
    """Replace the variables of ``text`` by their values, in one pass: variables in values are not replaced.

    A variable without a value is kept.
    """
    return _VARIABLE.sub(lambda match: values.get(match[1], match[0]), text)


def apply_preset(preset: Preset, values: Mapping[str, str]) -> AppliedPreset:
    """Return what a chat takes over of ``preset``."""
    settings = dict(preset.settings)
    if text := fill_variables(preset.text, values).strip():
        settings[SYSTEM_PROMPT_KEY] = text
    return AppliedPreset(name=preset.name, settings=settings)


def with_preset(settings: Mapping[str, SettingValue], preset: AppliedPreset) -> dict[str, SettingValue]:
    """Return a chat's own settings with ``preset`` in place of its previous one."""
    base = without_preset(settings)
    covered = {key: base[key] for key in preset.settings if key in base}
    marks: dict[str, SettingValue] = {
        PRESET_NAME_KEY: preset.name,
        PRESET_KEYS_KEY: tuple(sorted(preset.settings)),
    }
    if covered:
        marks[PRESET_COVERED_KEY] = msgspec.json.encode(covered).decode()
    return {**base, **preset.settings, **marks}


def without_preset(settings: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    """Return a chat's own settings as before its preset, with later changes of the user."""
    keys = preset_keys(settings)
    removed = {*keys, PRESET_NAME_KEY, PRESET_KEYS_KEY, PRESET_COVERED_KEY}
    covered = _covered(settings)
    remaining = {key: value for key, value in settings.items() if key not in removed}
    return remaining | {key: covered[key] for key in keys if key in covered}


def _covered(settings: Mapping[str, SettingValue]) -> dict[str, SettingValue]:
    try:
        return decode_json(str(settings.get(PRESET_COVERED_KEY, "{}")), kind=dict[str, SettingValue])
    except JsonInvalid:
        return {}


def release_preset_keys(settings: Mapping[str, SettingValue], keys: Iterable[str]) -> dict[str, SettingValue]:
    """Return a chat's own settings in which ``keys`` are the user's and no longer the preset's."""
    remaining = tuple(key for key in preset_keys(settings) if key not in set(keys))
    return {**settings, PRESET_KEYS_KEY: remaining} if PRESET_KEYS_KEY in settings else dict(settings)


def preset_keys(settings: Mapping[str, SettingValue]) -> tuple[str, ...]:
    """Return the keys of the settings that a chat's preset set."""
    keys = settings.get(PRESET_KEYS_KEY)
    return tuple(map(str, keys)) if isinstance(keys, list | tuple) else ()
