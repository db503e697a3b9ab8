"""Turn resolved settings into the values that the rest of the program takes. Pure; any thread."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeVar

import msgspec

from fireside.core.ids import ModelId
from fireside.core.options import LoadOptions, SamplingParams, SettingValue
from fireside.settings.combine import check_together
from fireside.settings.definitions import KEEP_ALIVE_FOREVER
from fireside.settings.definitions_load import LOAD
from fireside.settings.definitions_sampling import MAX_TOKENS_NO_LIMIT, SAMPLING, SEED_RANDOM
from fireside.settings.values import ResolvedSetting, SettingDefinition

Resolved = Iterable[ResolvedSetting]
"""What ``Settings.resolved`` returns: every setting, with the value in force."""

_T = TypeVar("_T")
_SECONDS_A_MINUTE: Final = 60.0


def by_key(resolved: Resolved) -> dict[str, SettingValue]:
    """Return the values in force by key."""
    return {setting.definition.key: setting.value for setting in resolved}


def load_options(resolved: Resolved) -> LoadOptions:
    """Return how to load the model. ``n_ctx`` is what was asked for, whatever the model was trained for.

    Raises ``SettingInvalid`` where layers disagree: a model's compressed value cache under a conversation
    without flash attention.
    """
    values = by_key(resolved)
    check_together(values)
    options = msgspec.convert(_fields(values, LOAD), LoadOptions)
    return msgspec.structs.replace(options, n_ubatch=min(options.n_ubatch, options.n_batch))


def sampling_params(resolved: Resolved) -> SamplingParams:
    """Return how an answer's tokens are chosen."""
    fields = _fields(by_key(resolved), SAMPLING)
    if fields["seed"] == SEED_RANDOM:
        fields["seed"] = None
    if fields["max_tokens"] == MAX_TOKENS_NO_LIMIT:
        fields["max_tokens"] = None
    return msgspec.convert(fields, SamplingParams)


def keep_alive_s(resolved: Resolved) -> float | None:
    """Return the seconds that a model stays loaded after its last answer; ``None`` is for ever."""
    minutes = _value(resolved, "engine.keep_alive_minutes", int)
    return None if minutes == KEEP_ALIVE_FOREVER else minutes * _SECONDS_A_MINUTE


def system_prompt(resolved: Resolved) -> str:
    """Return what the model is told first; empty means nothing."""
    return _value(resolved, "chat.system_prompt", str)


def default_model(resolved: Resolved) -> ModelId | None:
    """Return the model of a new conversation, if one was chosen."""
    name = _value(resolved, "chat.default_model", str)
    return ModelId(name) if name else None


def theme(resolved: Resolved) -> str:
    """Return ``system``, ``light`` or ``dark``."""
    return _value(resolved, "appearance.theme", str)


def text_size_px(resolved: Resolved) -> int:
    """Return the size of text in device-independent pixels."""
    return _value(resolved, "appearance.text_size", int)


def data_folder(resolved: Resolved) -> str:
    """Return the data folder's path; empty means the usual place."""
    return _value(resolved, "folders.data", str)


def models_folder(resolved: Resolved) -> str:
    """Return the model folder's path; empty means the usual place."""
    return _value(resolved, "folders.models", str)


def added_paths(resolved: Resolved) -> tuple[str, ...]:
    """Return the files and folders that a person added to the library, oldest first."""
    return _value(resolved, "library.added", tuple[str, ...])


def _fields(
    values: dict[str, SettingValue], definitions: Iterable[SettingDefinition]
) -> dict[str, SettingValue]:
    """Return values by field name: a key's last word is the name of its field."""
    return {definition.key.rpartition(".")[2]: values[definition.key] for definition in definitions}


def _value(resolved: Resolved, key: str, kind: type[_T]) -> _T:
    return msgspec.convert(by_key(resolved)[key], kind)
