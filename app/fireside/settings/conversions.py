"""Convert resolved settings to the values that the rest of the program uses. Pure; any thread."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Final, TypeVar

import msgspec

from fireside.core.collection import COLLECTIONS_KEY
from fireside.core.context import FullContext
from fireside.core.errors import SettingInvalid
from fireside.core.generation import Overflow, WhenFull
from fireside.core.i18n import tr_noop
from fireside.core.ids import ModelId
from fireside.core.options import (
    PARAMETERS,
    AutoAdjustable,
    ControlVector,
    LoadOptions,
    LoraAdapter,
    SamplingParams,
    SettingValue,
    Speculation,
)
from fireside.core.preset import SYSTEM_PROMPT_KEY
from fireside.core.project import DEFAULT_MODEL_KEY, PROJECT_INSTRUCTIONS_KEY
from fireside.core.prompt_input import ReasoningEffort
from fireside.core.task import (
    ANY_OBJECT,
    Constraint,
    GbnfConstraint,
    JsonSchemaConstraint,
    LarkConstraint,
    RegexConstraint,
)
from fireside.core.tools import SearchProvider
from fireside.settings.cross_checks import check_address, check_template_arguments, check_together
from fireside.settings.definitions import BY_KEY, CACHE_AUTO, DAILY_KEY, KEEP_ALIVE_FOREVER
from fireside.settings.definitions_answer import (
    FORMAT_GBNF,
    FORMAT_JSON,
    FORMAT_JSON_SCHEMA,
    FORMAT_LARK,
    FORMAT_REGEX,
    FORMAT_TEXT,
    TEMPLATE,
    THINKING_NO_LIMIT,
)
from fireside.settings.definitions_load import CACHE_AS_MODEL, CONTROL_SCALES_LABEL, LOAD
from fireside.settings.definitions_sampling import SAMPLING
from fireside.settings.definitions_speech import SPEECH_KEYS
from fireside.settings.definitions_tools import (
    CHAT_PERMISSIONS,
    FOLDERS,
    MAX_STEPS,
    MEMORY_ELSEWHERE,
    PERMISSIONS,
    PYTHON_MEMORY,
    PYTHON_PROGRAM,
    PYTHON_SECONDS,
    SEARCH_PROVIDER,
    SEARXNG,
    SERVERS,
    SKILLS,
    SWITCHES,
)
from fireside.settings.load_lines import (
    FULL_STRENGTH,
    read_cpus,
    read_layers,
    read_overrides,
    read_shares,
    read_strengths,
    read_tensor_placements,
)
from fireside.settings.sampling_lines import read_biases, read_samplers
from fireside.settings.values import USER_ORIGINS, Origin, ResolvedSetting, SettingDefinition, by_key

Resolved = Iterable[ResolvedSetting]
"""The result of ``Settings.resolved``: every setting with the value in force."""

ADDED_KEY: Final = "library.added"
"""Written by the library: see ``added_paths``."""

_T = TypeVar("_T")
_CONSTRAINTS: Final[dict[str, Callable[[str], Constraint]]] = {
    FORMAT_JSON_SCHEMA: lambda rule: JsonSchemaConstraint(schema=rule),
    FORMAT_REGEX: lambda rule: RegexConstraint(pattern=rule),
    FORMAT_LARK: lambda rule: LarkConstraint(grammar=rule),
    FORMAT_GBNF: lambda rule: GbnfConstraint(grammar=rule),
}
_ESCAPE: Final = re.compile(r"\\([nt\\])")
_MEANT: Final = {"n": "\n", "t": "\t", "\\": "\\"}
_S_PER_MINUTE: Final = 60.0
_BYTES_PER_KB: Final = 1000
_MB: Final = 1_000_000
_GB: Final = 1_000_000_000


def load_options(resolved: Resolved) -> LoadOptions:
    """Return the options to load the model with. ``n_ctx`` may exceed the context of its training.

    Raises ``SettingInvalid`` if settings of different layers conflict: a model's quantized V cache with a
    conversation's flash attention turned off, or speculation by a draft model without its file.
    """
    values = by_key(resolved)
    check_together(values)
    fields: dict[str, object] = dict(_fields(values, LOAD))
    adapters = _scaled(resolved, "load.lora", read_strengths(str(fields.pop("lora_scales"))))
    fields["lora"] = [LoraAdapter(path=path, scale=scale) for path, scale in adapters]
    strengths = read_strengths(str(fields.pop("control_scales")), label=CONTROL_SCALES_LABEL)
    vectors = _scaled(resolved, "load.control_vectors", strengths)
    fields["control_vectors"] = [ControlVector(path=path, scale=scale) for path, scale in vectors]
    fields["control_layers"] = read_layers(str(fields["control_layers"]))
    fields["tensor_places"] = read_tensor_placements(_value(resolved, "load.tensor_places", tuple[str, ...]))
    fields["metadata_overrides"] = read_overrides(
        _value(resolved, "load.metadata_overrides", tuple[str, ...])
    )
    fields["cpus"] = read_cpus(str(fields["cpus"]))
    fields["tensor_split"] = read_shares(str(fields["tensor_split"]))
    fields["main_gpu"] = str(fields["main_gpu"]).strip()
    for name in ("draft_cache_type_k", "draft_cache_type_v"):
        fields[name] = None if fields[name] == CACHE_AS_MODEL else fields[name]
    fields["auto_adjustable"] = auto_adjustable(resolved)
    if fields["speculation"] != Speculation.DRAFT_MODEL:
        fields["draft_path"] = None
    options = msgspec.convert(fields, LoadOptions)
    return msgspec.structs.replace(options, n_ubatch=min(options.n_ubatch, options.n_batch))


def auto_adjustable(resolved: Resolved) -> tuple[AutoAdjustable, ...]:
    """Return the options that a load plan may reduce: those left at their defaults."""
    default_keys = {setting.definition.key for setting in resolved if setting.origin is Origin.DEFAULT}
    adjustable = (
        (AutoAdjustable.SLOTS, {"load.n_seq_max"}),
        (AutoAdjustable.CACHE_TYPE, {"load.cache_type_k", "load.cache_type_v"}),
        (AutoAdjustable.CONTEXT, {"load.n_ctx"}),
    )
    return tuple(option for option, keys in adjustable if keys <= default_keys)


def sampling_params(resolved: Resolved) -> SamplingParams:
    """Return the sampling parameters. Raises ``SettingInvalid`` for an unknown sampler or a wrong bias."""
    fields: dict[str, object] = {
        name: PARAMETERS[name].special.get(value, value)
        for name, value in _fields(by_key(resolved), SAMPLING).items()
    }
    breakers = _value(resolved, "sampling.dry_sequence_breakers", tuple[str, ...])
    fields["dry_sequence_breakers"] = [_ESCAPE.sub(lambda found: _MEANT[found[1]], text) for text in breakers]
    fields["samplers"] = read_samplers(_value(resolved, "sampling.samplers", tuple[str, ...]))
    fields["logit_bias"] = read_biases(_value(resolved, "sampling.logit_bias", tuple[str, ...]))
    return msgspec.convert(fields, SamplingParams)


def chosen_sampling(resolved: Resolved) -> tuple[str, ...]:
    """Return the names of the parameters of ``sampling_params`` that a layer of the user sets."""
    set_by_user = {each.definition.key for each in resolved if each.origin in USER_ORIGINS}
    return tuple(each.key.rpartition(".")[2] for each in SAMPLING if each.key in set_by_user)


def reasoning(resolved: Resolved) -> ReasoningEffort:
    """Return whether and how much the model reasons before it answers."""
    return ReasoningEffort(_value(resolved, "answer.reasoning", str))


def template_arguments(resolved: Resolved) -> str:
    """Return additional variables of the chat template, as JSON text of an object, or empty.

    Raises ``SettingInvalid``.
    """
    text = _value(resolved, "answer.template_arguments", str)
    check_template_arguments(text)
    return text


def thinking_budget(resolved: Resolved) -> int | None:
    """Return the maximum number of reasoning tokens; ``None`` for no limit."""
    budget = _value(resolved, "answer.thinking_budget", int)
    return None if budget == THINKING_NO_LIMIT else budget


def when_full(resolved: Resolved) -> WhenFull:
    """Return what to do when an answer fills the context."""
    return WhenFull(_value(resolved, "answer.when_full", str))


def full_context(resolved: Resolved) -> FullContext:
    """Return what to do with a conversation that no longer fits the context."""
    return FullContext(_value(resolved, "answer.overflow", str))


def overflow(resolved: Resolved) -> Overflow:
    """Return what the runner does with a prompt that does not fit the context.

    Until a summary is written, and if none can be, the oldest turns are left out.
    """
    match full_context(resolved):
        case FullContext.STOP:
            return Overflow.REFUSE
        case FullContext.DROP_OLDEST | FullContext.COMPACT:
            return Overflow.DROP_OLDEST
        case FullContext.SHIFT:
            return Overflow.SHIFT


def constraint(resolved: Resolved) -> Constraint | None:
    """Return the constraint of answers; ``None`` for free text.

    Raises ``SettingInvalid`` if the format needs a schema or grammar and there is none.
    """
    format_, rule = _value(resolved, "answer.format", str), _value(resolved, "answer.format_rule", str)
    result = constraint_of(format_, rule)
    if result is None and format_ != FORMAT_TEXT:
        raise SettingInvalid(
            key=BY_KEY["answer.format_rule"].label,
            reason=tr_noop("This format needs a schema, a regular expression or a grammar."),
        )
    return result


def constraint_of(format_: str, rule: str) -> Constraint | None:
    """Return the constraint of a format; ``None`` for free text, and if ``rule`` is needed and empty."""
    if format_ == FORMAT_JSON:
        return ANY_OBJECT
    return _CONSTRAINTS[format_](rule) if format_ != FORMAT_TEXT and rule.strip() else None


def cache_memory_bytes(resolved: Resolved) -> int | None:
    """Return the size of each model's prompt cache in memory; ``None`` for the automatic size."""
    budget = _value(resolved, "engine.cache_memory_mb", int)
    return None if budget == CACHE_AUTO else budget * _MB


def cache_disk_bytes(resolved: Resolved) -> int | None:
    """Return the size of the prompt cache on disk; ``None`` for the automatic size."""
    budget = _value(resolved, "engine.cache_disk_gb", int)
    return None if budget == CACHE_AUTO else budget * _GB


def keep_alive_s(resolved: Resolved) -> float | None:
    """Return how long a model stays loaded after its last answer; ``None`` for ever."""
    minutes = _value(resolved, "engine.keep_alive_minutes", int)
    return None if minutes == KEEP_ALIVE_FOREVER else minutes * _S_PER_MINUTE


def passage_limits(resolved: Resolved) -> tuple[int, int]:
    """Return the number of passages sent with a question, and the number of tokens up to which a collection
    is sent whole."""
    return _value(resolved, "documents.passages", int), _value(resolved, "documents.whole_tokens", int)


def load_patience_s(resolved: Resolved) -> float:
    """Return how long a load may make no progress."""
    return float(_value(resolved, "engine.load_patience_s", int))


class HubOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of the hub and of downloads. Empty texts mean the defaults."""

    endpoint: str
    package_index: str
    is_offline: bool
    proxy: str
    ca_file: str
    n_at_once: int
    bytes_per_s: float | None
    """The limit of all downloads together; ``None`` for none."""


def hub_options(resolved: Iterable[ResolvedSetting]) -> HubOptions:
    """Return the options of the hub. The addresses are not validated: see ``check_addresses``."""
    values = by_key(resolved)
    limit_kb = msgspec.convert(values["hub.speed_limit_kb"], int)
    return HubOptions(
        endpoint=str(values["hub.endpoint"]).rstrip("/"),
        package_index=str(values["hub.package_index"]),
        is_offline=msgspec.convert(values["hub.offline"], bool),
        proxy=str(values["hub.proxy"]),
        ca_file=str(values["hub.ca_file"]),
        n_at_once=msgspec.convert(values["hub.downloads_at_once"], int),
        bytes_per_s=limit_kb * _BYTES_PER_KB or None,
    )


def check_addresses(options: HubOptions) -> None:
    """Raise ``SettingInvalid`` if an address is invalid."""
    check_address("hub.endpoint", options.endpoint)
    check_address("hub.proxy", options.proxy)


class SpeechOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Options of speech. Empty texts mean the defaults."""

    recognizer: str
    """Repository of a model, as is ``voice``, which may also be ``SYSTEM_VOICE``."""
    voice: str
    language: str
    microphone: str
    output: str
    speaker: int
    speed: float
    interrupts: bool


def speech_options(resolved: Iterable[ResolvedSetting]) -> SpeechOptions:
    """Return the options of speech."""
    values = by_key(resolved)
    given = {field: values[f"{SPEECH_KEYS}{field}"] for field in SpeechOptions.__struct_fields__}
    return msgspec.convert(given, SpeechOptions)


def lock_after_s(resolved: Iterable[ResolvedSetting]) -> float:
    """Return after how many seconds without input the data is locked; 0 for never."""
    return 60.0 * msgspec.convert(by_key(resolved)["privacy.lock_after_min"], int)


class BackupOptions(msgspec.Struct, frozen=True, kw_only=True):
    """Whether backups are automatic, and their folder; empty for the default."""

    is_automatic: bool
    folder: str


def backup_options(resolved: Iterable[ResolvedSetting]) -> BackupOptions:
    """Return the options of backups."""
    values = by_key(resolved)
    return BackupOptions(
        is_automatic=msgspec.convert(values["backups.automatic"], bool),
        folder=str(values["backups.folder"]),
    )


class ToolOptions(msgspec.Struct, frozen=True, kw_only=True):
    """The tools of a chat, and the user's decisions about them."""

    switches: tuple[str, ...]
    """Keys of the switches that are on, in the order in which tools are advertised to a model."""
    folders: tuple[Path, ...]
    servers: tuple[str, ...] = ()
    """MCP servers, and single tools as ``server__tool``."""
    skills: tuple[str, ...] = ()
    """Skills by the name by which they are called."""
    provider: SearchProvider = SearchProvider.SEARXNG
    """The provider of web searches."""
    searxng: str = ""
    """Address of the user's SearXNG."""
    code_program: str = ""
    """The interpreter for code; empty for Fireside's own."""
    code_seconds: float = 60.0
    code_memory_bytes: int = 2 << 30
    sends_facts: bool = False
    """Whether models of other engines are told what the user had models remember."""
    n_steps: int
    permissions: tuple[str, ...]
    chat_permissions: tuple[str, ...]


def tool_options(resolved: Iterable[ResolvedSetting]) -> ToolOptions:
    """Return the options of tools."""
    values = by_key(resolved)

    def lines(key: str) -> tuple[str, ...]:
        return msgspec.convert(values[key], tuple[str, ...])

    return ToolOptions(
        switches=tuple(key for key in SWITCHES if values[key] is True),
        folders=tuple(map(Path, lines(FOLDERS))),
        servers=tuple(line.strip() for line in lines(SERVERS)),
        skills=tuple(line.strip() for line in lines(SKILLS)),
        provider=SearchProvider(str(values[SEARCH_PROVIDER])),
        searxng=str(values[SEARXNG]),
        code_program=str(values[PYTHON_PROGRAM]),
        code_seconds=msgspec.convert(values[PYTHON_SECONDS], float),
        code_memory_bytes=round(msgspec.convert(values[PYTHON_MEMORY], float) * 2**30),
        sends_facts=values[MEMORY_ELSEWHERE] is True,
        n_steps=msgspec.convert(values[MAX_STEPS], int),
        permissions=lines(PERMISSIONS),
        chat_permissions=lines(CHAT_PERMISSIONS),
    )


def default_model(resolved: Resolved) -> ModelId | None:
    """Return the model of new conversations, if the user chose one."""
    name = _value(resolved, DEFAULT_MODEL_KEY, str)
    return ModelId(name) if name else None


def _fields(
    values: dict[str, SettingValue], definitions: Iterable[SettingDefinition]
) -> dict[str, SettingValue]:
    """Return values by field name: the last part of a key is the name of its field."""
    return {definition.key.rpartition(".")[2]: values[definition.key] for definition in definitions}


def _scaled(resolved: Resolved, key: str, strengths: tuple[float, ...]) -> Iterable[tuple[str, float]]:
    """Return the files of a setting with their strengths; missing ones are full strength."""
    paths = _value(resolved, key, tuple[str, ...])
    return zip(paths, itertools.chain(strengths, itertools.repeat(FULL_STRENGTH)), strict=False)


def _value(resolved: Resolved, key: str, kind: type[_T]) -> _T:
    value = next(setting.value for setting in resolved if setting.definition.key == key)
    return msgspec.convert(value, kind)


def _setting(key: str, kind: type[_T]) -> Callable[[Resolved], _T]:
    """Return a function that returns the value of one setting."""
    return lambda resolved: _value(resolved, key, kind)


template = _setting(TEMPLATE, str)
"""The chat template that replaces the model's own; empty for none."""

reply_reserve = _setting("answer.reply_reserve", int)
"""The number of tokens of the context reserved for a reply without a limit of its own."""

keeps_probabilities = _setting("answer.keep_probabilities", bool)
"""Whether the probabilities of tokens are recorded while an answer is generated."""

stays_local = _setting("chat.stays_local", bool)
"""Whether nothing of a chat may be sent to another engine."""

loads_last_model = _setting("engine.load_last_model", bool)
"""Whether the last used model is loaded when the window starts."""

checks_for_updates = _setting(DAILY_KEY, bool)
"""Whether the program looks for newer versions once a day."""

max_models = _setting("engine.max_models", int)
"""How many models may be loaded at the same time."""


def system_prompt(resolved: Resolved) -> str:
    """Return the system prompt and after it the instructions of the chat's project; empty for none."""
    prompt = _value(resolved, SYSTEM_PROMPT_KEY, str)
    instructions = _value(resolved, PROJECT_INSTRUCTIONS_KEY, str).strip()
    return "\n\n".join(filter(None, (prompt.strip(), instructions))) if instructions else prompt


tells_of_artifacts = _setting("chat.tell_of_artifacts", bool)
"""Whether the model is told how to make an artifact."""

titles_by_model = _setting("chat.titles_by_model", bool)
"""Whether models generate the titles of conversations."""

contrast = _setting("appearance.contrast", str)
"""``system``, ``normal`` or ``high``."""

keeps_in_tray = _setting("window.keep_in_tray", bool)
"""Whether the program stays in the system tray when the last window is closed."""

notifies_when_done = _setting("chat.notify_when_done", bool)
"""Whether a system notification is shown when a long answer is finished."""

theme = _setting("appearance.theme", str)
"""``system``, ``light`` or ``dark``."""

language = _setting("appearance.language", str)
"""The language code of the window, or ``system``."""

accent = _setting("appearance.accent", str)
"""The name of the accent colour."""

density = _setting("appearance.density", str)
"""``comfortable`` or ``compact``."""

column_width = _setting("appearance.column_width", str)
"""``narrow``, ``wide`` or ``full``."""

shows_statistics = _setting("appearance.statistics", bool)
"""Whether the statistics of each answer are always shown."""

text_size_px = _setting("appearance.text_size", int)
"""The text size in device-independent pixels."""

changed_shortcuts = _setting("shortcuts.changed", tuple[str, ...])
"""The shortcuts that the user changed, each as ``command=keys``."""

data_folder = _setting("folders.data", str)
"""The path of the data folder; empty for the default."""

models_folder = _setting("folders.models", str)
"""The path of the model folder; empty for the default."""

serves_clients = _setting("api.enabled", bool)
"""Whether the local API runs beside the window."""

serves_devices = _setting("api.devices", bool)
"""Whether paired devices of the local network may use it."""

devices_port = _setting("api.devices_port", int)
"""The port for those."""

clients_choose_context = _setting("api.larger_context", bool)
"""Whether clients of the local API may load models with a larger context."""

added_paths = _setting(ADDED_KEY, tuple[str, ...])
"""The files and folders that the user added to the library, oldest first."""

attached_collections = _setting(COLLECTIONS_KEY, tuple[str, ...])
"""The ids of the collections that a chat's questions are searched in."""

looks_into_applications = _setting("library.other_applications", bool)
"""Whether models of other applications are listed."""
