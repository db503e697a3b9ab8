"""The layers of settings: validation, and which one gives a setting its value."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final, assert_never

import msgspec

from fireside.core.chat import Folder
from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr_noop
from fireside.core.options import PARAMETERS, SettingValue
from fireside.core.preset import PRESET_COVERED_KEY, PRESET_KEYS_KEY, PRESET_NAME_KEY
from fireside.core.project import DEFAULT_MODEL_KEY
from fireside.settings.definitions import DEFINITIONS, ENVIRONMENT_PREFIX
from fireside.settings.definitions_sampling import SAMPLING_KEYS, setting_value
from fireside.settings.parse import parse
from fireside.settings.sampling_lines import known_samplers
from fireside.settings.value_check import normalise
from fireside.settings.values import Origin, ResolvedSetting, SettingDefinition

Values = Mapping[str, SettingValue]


_PRESET_MARKS: Final = frozenset({PRESET_NAME_KEY, PRESET_KEYS_KEY, PRESET_COVERED_KEY})


class Checked(msgspec.Struct, frozen=True, kw_only=True):
    """A validated layer: the valid values, and the errors of the others."""

    values: dict[str, SettingValue]
    problems: tuple[SettingInvalid, ...] = ()


def resolve(layers: Sequence[tuple[Origin, Values]]) -> tuple[ResolvedSetting, ...]:
    """Return every setting in page order with the value of its strongest layer.

    ``layers`` go from weakest to strongest and hold validated values. A model's, project's or conversation's
    layer only counts for settings that allow one.
    """
    return tuple(resolve_one(definition, layers) for definition in DEFINITIONS)


def resolve_one(definition: SettingDefinition, layers: Sequence[tuple[Origin, Values]]) -> ResolvedSetting:
    """Return one setting with the value of its strongest layer; see ``resolve``."""
    for origin, values in reversed(layers):
        if definition.key in values and may_override(definition, origin):
            return ResolvedSetting(definition=definition, value=values[definition.key], origin=origin)
    return ResolvedSetting(definition=definition, value=definition.default, origin=Origin.DEFAULT)


def may_override(definition: SettingDefinition, origin: Origin) -> bool:
    """Return whether a layer of this origin may set ``definition``."""
    match origin:
        case Origin.MODEL | Origin.MODEL_FILE | Origin.MAKERS:
            return definition.per_model
        case Origin.CONVERSATION:
            return definition.per_conversation
        case Origin.PROJECT:
            # The preset of a project is not that of its chats, which can have another.
            is_shared = definition.per_conversation and definition.key not in _PRESET_MARKS
            return is_shared or definition.key == DEFAULT_MODEL_KEY
        case Origin.DEFAULT | Origin.FILE | Origin.ENVIRONMENT | Origin.COMMAND_LINE:
            return True
        case _:
            assert_never(origin)


def project_settings(folder: Folder) -> dict[str, SettingValue]:
    """Return what a folder sets for its conversations and they can set too."""
    return {
        definition.key: folder.settings[definition.key]
        for definition in DEFINITIONS
        if definition.key in folder.settings
        and definition.per_conversation
        and may_override(definition, Origin.PROJECT)
    }


def check_stored(stored: Mapping[str, object]) -> Checked:
    """Validate a stored layer. Unknown keys are ignored: a newer version may know them."""
    values: dict[str, SettingValue] = {}
    problems: list[SettingInvalid] = []
    for definition in DEFINITIONS:
        if definition.key not in stored:
            continue
        try:
            values[definition.key] = normalise(definition, stored[definition.key])
        except SettingInvalid as exc:
            problems.append(exc)
    return Checked(values=values, problems=tuple(problems))


_NAMES_IN_MODELS: Final = {row.in_file: name for name, row in PARAMETERS.items() if row.in_file}
"""Names in ``general.sampling`` that differ from the setting's."""


def from_model(sampling: Iterable[tuple[str, float | str]]) -> Values:
    """Return the settings that a model's file recommends; invalid and unknown ones are left out."""
    stored: dict[str, object] = {}
    for name, value in sampling:
        if isinstance(value, str):
            if name == "sequence":
                stored["sampling.samplers"] = known_samplers(value.split(";")) or None
            continue
        row = PARAMETERS.get(_NAMES_IN_MODELS.get(name, name))
        if row is not None and row.type is not tuple:
            is_whole = row.type is int and float(value).is_integer()
            stored[f"{SAMPLING_KEYS}{row.name}"] = setting_value(row, int(value) if is_whole else value)
    return check_stored(stored).values


_GROUPS_IN_ENVIRONMENT: Final = tuple(
    sorted({f"{ENVIRONMENT_PREFIX}{definition.key.partition('.')[0].upper()}_" for definition in DEFINITIONS})
)


def from_environment(environ: Mapping[str, str]) -> Checked:
    """Parse the settings in ``environ``; each problem names its variable.

    A variable that looks like a setting and is unknown is a problem too, so that typing errors are noticed.
    An empty variable counts as not set, as in a shell's ``NAME= command``.
    """
    values: dict[str, SettingValue] = {}
    problems: list[SettingInvalid] = []
    known = {definition.environment: definition for definition in DEFINITIONS}
    for name, text in sorted(environ.items()):
        definition = known.get(name)
        if not text:
            continue
        if definition is None:
            if name.startswith(_GROUPS_IN_ENVIRONMENT):
                problems.append(SettingInvalid(key=name, reason=tr_noop("Unknown setting.")))
            continue
        try:
            values[definition.key] = parse(definition, text)
        except SettingInvalid as exc:
            problems.append(SettingInvalid(key=name, reason=exc.reason))
    return Checked(values=values, problems=tuple(problems))
