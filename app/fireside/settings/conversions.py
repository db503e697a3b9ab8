"""Turn resolved settings into the values that the rest of the program takes. Pure; any thread."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

import msgspec

from fireside.core.constraint import (
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.core.context import FullContext
from fireside.core.errors import SettingInvalid
from fireside.core.generation import Overflow, WhenFull
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import (
    AutoAdjustable,
    LoadOptions,
    LoraAdapter,
    SamplingParams,
    SettingValue,
    Speculation,
)
from fireside.core.prompt_input import Reasoning
from fireside.settings.adapter_strengths import FULL_STRENGTH, read_strengths
from fireside.settings.cross_checks import check_together
from fireside.settings.definitions import BY_KEY, CACHE_AUTO, KEEP_ALIVE_FOREVER
from fireside.settings.definitions_answer import (
    FORMAT_GBNF,
    FORMAT_JSON,
    FORMAT_JSON_SCHEMA,
    FORMAT_LARK,
    FORMAT_REGEX,
    FORMAT_TEXT,
    THINKING_NO_LIMIT,
)
from fireside.settings.definitions_load import LOAD
from fireside.settings.definitions_more_sampling import LOGPROBS_OFF, MIROSTAT_OFF, MORE_SAMPLING
from fireside.settings.definitions_sampling import MAX_TOKENS_NO_LIMIT, SAMPLING, SEED_RANDOM
from fireside.settings.device_shares import read_shares
from fireside.settings.token_biases import read_biases
from fireside.settings.values import Origin, ResolvedSetting, SettingDefinition

Resolved = Iterable[ResolvedSetting]
"""What ``Settings.resolved`` returns: every setting, with the value in force."""

ADDED_KEY: Final = "library.added"
"""What the library itself writes: see ``added_paths``."""

_T = TypeVar("_T")
_RULES: Final[dict[str, Callable[[str], Constraint]]] = {
    FORMAT_JSON_SCHEMA: lambda rule: JsonSchemaConstraint(schema=rule),
    FORMAT_REGEX: lambda rule: RegexConstraint(pattern=rule),
    FORMAT_LARK: lambda rule: LarkConstraint(grammar=rule),
    FORMAT_GBNF: lambda rule: GbnfConstraint(grammar=rule),
}
_SECONDS_A_MINUTE: Final = 60.0
_BYTES_A_MB: Final = 1_000_000
_BYTES_A_GB: Final = 1_000_000_000


def by_key(resolved: Resolved) -> dict[str, SettingValue]:
    """Return the values in force by key."""
    return {setting.definition.key: setting.value for setting in resolved}


def load_options(resolved: Resolved) -> LoadOptions:
    """Return how to load the model. ``n_ctx`` is what was asked for, whatever the model was trained for.

    Raises ``SettingInvalid`` where layers disagree: a model's compressed value cache under a conversation
    without flash attention, or guesses by a draft model that is not chosen.
    """
    values = by_key(resolved)
    check_together(values)
    fields: dict[str, object] = dict(_fields(values, LOAD))
    strengths = read_strengths(str(fields.pop("lora_scales")))
    paths = _value(resolved, "load.lora", tuple[str, ...])
    scales = itertools.chain(strengths, itertools.repeat(FULL_STRENGTH))
    fields["lora"] = [LoraAdapter(path=path, scale=scale) for path, scale in zip(paths, scales, strict=False)]
    fields["tensor_split"] = read_shares(str(fields["tensor_split"]))
    fields["main_gpu"] = str(fields["main_gpu"]).strip()
    fields["auto_adjustable"] = _auto_adjustable(resolved)
    if fields["speculation"] != Speculation.DRAFT_MODEL:
        fields["draft_path"] = None
    options = msgspec.convert(fields, LoadOptions)
    return msgspec.structs.replace(options, n_ubatch=min(options.n_ubatch, options.n_batch))


def _auto_adjustable(resolved: Resolved) -> tuple[AutoAdjustable, ...]:
    """Return what a plan may make smaller: what was not chosen."""
    open_keys = {setting.definition.key for setting in resolved if setting.origin is Origin.DEFAULT}
    may_be = (
        (AutoAdjustable.SLOTS, {"load.n_seq_max"}),
        (AutoAdjustable.CACHE_TYPE, {"load.cache_type_k", "load.cache_type_v"}),
        (AutoAdjustable.CONTEXT, {"load.n_ctx"}),
    )
    return tuple(part for part, keys in may_be if keys <= open_keys)


def sampling_params(resolved: Resolved) -> SamplingParams:
    """Return how an answer's tokens are chosen. Raises ``SettingInvalid`` for biases that are none."""
    fields: dict[str, object] = dict(_fields(by_key(resolved), (*SAMPLING, *MORE_SAMPLING)))
    for name, off in (
        ("seed", SEED_RANDOM),
        ("max_tokens", MAX_TOKENS_NO_LIMIT),
        ("top_logprobs", LOGPROBS_OFF),
    ):
        if fields[name] == off:
            fields[name] = None
    if fields["top_n_sigma"] == 0:
        fields["top_n_sigma"] = -1.0
    fields["mirostat"] = 0 if fields["mirostat"] == MIROSTAT_OFF else int(str(fields["mirostat"]))
    breakers = _value(resolved, "sampling.dry_sequence_breakers", tuple[str, ...])
    fields["dry_sequence_breakers"] = [text.replace("\\n", "\n").replace("\\t", "\t") for text in breakers]
    fields["logit_bias"] = read_biases(_value(resolved, "sampling.logit_bias", tuple[str, ...]))
    return msgspec.convert(fields, SamplingParams)


def reasoning(resolved: Resolved) -> Reasoning:
    """Return whether and how much the model is to think."""
    return Reasoning(_value(resolved, "answer.reasoning", str))


def thinking_budget(resolved: Resolved) -> int | None:
    """Return the most tokens of reasoning; ``None`` is no limit."""
    budget = _value(resolved, "answer.thinking_budget", int)
    return None if budget == THINKING_NO_LIMIT else budget


def when_full(resolved: Resolved) -> WhenFull:
    """Return what to do when an answer fills the context."""
    return WhenFull(_value(resolved, "answer.when_full", str))


def full_context(resolved: Resolved) -> FullContext:
    """Return what becomes of a conversation that no longer fits."""
    return FullContext(_value(resolved, "answer.overflow", str))


def overflow(resolved: Resolved) -> Overflow:
    """Return what the runner does with a prompt that does not fit.

    Before a summary is written, and where none can be, the oldest turns are left out.
    """
    match full_context(resolved):
        case FullContext.STOP:
            return Overflow.REFUSE
        case FullContext.DROP_OLDEST | FullContext.COMPACT:
            return Overflow.DROP_OLDEST
        case FullContext.SHIFT:
            return Overflow.SHIFT


def reply_reserve(resolved: Resolved) -> int:
    """Return the tokens that are kept free for a reply without a limit of its own."""
    return _value(resolved, "answer.reply_reserve", int)


def constraint(resolved: Resolved) -> Constraint | None:
    """Return the rule that answers follow, if there is one.

    Raises ``SettingInvalid`` where the chosen format needs a rule and none is written.
    """
    format_, rule = _value(resolved, "answer.format", str), _value(resolved, "answer.format_rule", str)
    made = constraint_of(format_, rule)
    if made is None and format_ != FORMAT_TEXT:
        raise SettingInvalid(
            key=BY_KEY["answer.format_rule"].label,
            reason=tr_noop("The format that you chose needs a schema, a regular expression or a grammar."),
        )
    return made


def constraint_of(format_: str, rule: str) -> Constraint | None:
    """Return the rule of a format; ``None`` for free text, and where nothing is written yet."""
    if format_ == FORMAT_JSON:
        return JsonSchemaConstraint(schema="{}")
    return _RULES[format_](rule) if format_ != FORMAT_TEXT and rule.strip() else None


def keeps_probabilities(resolved: Resolved) -> bool:
    """Return whether what the model thinks of each token is noted while an answer is written."""
    return _value(resolved, "answer.keep_probabilities", bool)


def cache_memory_bytes(resolved: Resolved) -> int | None:
    """Return the budget of each model for what it has read, in memory; ``None`` is the usual one."""
    budget = _value(resolved, "engine.cache_memory_mb", int)
    return None if budget == CACHE_AUTO else budget * _BYTES_A_MB


def cache_disk_bytes(resolved: Resolved) -> int | None:
    """Return the budget for what models have read, on disk; ``None`` is the usual one."""
    budget = _value(resolved, "engine.cache_disk_gb", int)
    return None if budget == CACHE_AUTO else budget * _BYTES_A_GB


def keep_alive_s(resolved: Resolved) -> float | None:
    """Return the seconds that a model stays loaded after its last answer; ``None`` is for ever."""
    minutes = _value(resolved, "engine.keep_alive_minutes", int)
    return None if minutes == KEEP_ALIVE_FOREVER else minutes * _SECONDS_A_MINUTE


def max_models(resolved: Resolved) -> int:
    """Return how many models may be loaded at the same time."""
    return _value(resolved, "engine.max_models", int)


def load_patience_s(resolved: Resolved) -> float:
    """Return the seconds that a load may stand still."""
    return float(_value(resolved, "engine.load_patience_s", int))


def system_prompt(resolved: Resolved) -> str:
    """Return what the model is told first; empty means nothing."""
    return _value(resolved, "chat.system_prompt", str)


def titles_by_model(resolved: Resolved) -> bool:
    """Return whether models give conversations their titles."""
    return _value(resolved, "chat.titles_by_model", bool)


def contrast(resolved: Resolved) -> str:
    """Return when high contrast is wanted: ``system``, ``normal`` or ``high``."""
    return _value(resolved, "appearance.contrast", str)


def keeps_in_tray(resolved: Resolved) -> bool:
    """Return whether closing the last window leaves an icon in the tray."""
    return _value(resolved, "window.keep_in_tray", bool)


def notifies_when_done(resolved: Resolved) -> bool:
    """Return whether the system tells that a long answer is done."""
    return _value(resolved, "chat.notify_when_done", bool)


def default_model(resolved: Resolved) -> ModelId | None:
    """Return the model of a new conversation, if one was chosen."""
    name = _value(resolved, "chat.default_model", str)
    return ModelId(name) if name else None


def theme(resolved: Resolved) -> str:
    """Return ``system``, ``light`` or ``dark``."""
    return _value(resolved, "appearance.theme", str)


def language(resolved: Resolved) -> str:
    """Return the code of the language to speak, or ``system``."""
    return _value(resolved, "appearance.language", str)


def accent(resolved: Resolved) -> str:
    """Return the name of the accent colour."""
    return _value(resolved, "appearance.accent", str)


def density(resolved: Resolved) -> str:
    """Return ``comfortable`` or ``compact``."""
    return _value(resolved, "appearance.density", str)


def text_size_px(resolved: Resolved) -> int:
    """Return the size of text in device-independent pixels."""
    return _value(resolved, "appearance.text_size", int)


def changed_shortcuts(resolved: Resolved) -> tuple[str, ...]:
    """Return the keys that the user changed, one ``command=keys`` each."""
    return _value(resolved, "shortcuts.changed", tuple[str, ...])


def data_folder(resolved: Resolved) -> str:
    """Return the data folder's path; empty means the usual place."""
    return _value(resolved, "folders.data", str)


def models_folder(resolved: Resolved) -> str:
    """Return the model folder's path; empty means the usual place."""
    return _value(resolved, "folders.models", str)


def added_paths(resolved: Resolved) -> tuple[str, ...]:
    """Return the files and folders that the user added to the library, oldest first."""
    return _value(resolved, ADDED_KEY, tuple[str, ...])


def looks_into_applications(resolved: Resolved) -> bool:
    """Return whether models of other applications are listed."""
    return _value(resolved, "library.other_applications", bool)


def _fields(
    values: dict[str, SettingValue], definitions: Iterable[SettingDefinition]
) -> dict[str, SettingValue]:
    """Return values by field name: a key's last word is the name of its field."""
    return {definition.key.rpartition(".")[2]: values[definition.key] for definition in definitions}


def _value(resolved: Resolved, key: str, kind: type[_T]) -> _T:
    return msgspec.convert(by_key(resolved)[key], kind)
