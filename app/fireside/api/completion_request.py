"""A client's request for answers, in the same form for all dialects."""

from __future__ import annotations

import binascii
import re
from collections.abc import Mapping
from typing import Annotated, Any, Final

import msgspec

from fireside.api.http_error import invalid
from fireside.core.generation import Overflow, Priority
from fireside.core.message import ImagePart
from fireside.core.options import (
    BIAS_LIMIT,
    LOGPROBS_OFF,
    MAX_TOKENS_NO_LIMIT,
    PARAMETERS,
    SEED_RANDOM,
    Parameter,
    SettingValue,
)
from fireside.core.prompt_input import PromptInput, ReasoningEffort, ToolDefinition
from fireside.core.task import GenerationTask, Replay
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_answer import (
    FORMAT_GBNF,
    FORMAT_JSON,
    FORMAT_JSON_SCHEMA,
    FORMAT_REGEX,
    FORMAT_TEXT,
)
from fireside.settings.definitions_sampling import SAMPLING_KEYS, setting_value

MAX_ANSWERS: Final = 64
"""Answers that one request asks for: a quarter of those that wait in the engine's queue."""
_N_SEEDS: Final = 0xFFFFFFFF
_BANNED: Final = -100
"""OpenAI's bias for a token that must not be generated."""
Biases = dict[str, float] | list[tuple[int | str, float | bool]]
"""Logit biases: OpenAI's API has a map by token id; llama.cpp's server also takes a list of pairs, in which
``false`` forbids a token."""
_DATA_URL: Final = re.compile(
    r"data:((?:image|application)/[a-z0-9.+-]+)(?:;[a-z-]+=[^;,]{0,100})*;base64,", re.IGNORECASE
)
_MAX_BASE64: Final = 8 * 2**20
"""Of an image or a document, which is decoded on the loop. Sound and videos are not."""
_SPACE: Final = b" \t\n\r\v\f"
_STANDARD_BASE64: Final = bytes.maketrans(b"-_", b"+/")
EFFORTS: Final[Mapping[str, ReasoningEffort]] = {
    "none": ReasoningEffort.OFF,
    "minimal": ReasoningEffort.LOW,
    "xhigh": ReasoningEffort.HIGH,
    "max": ReasoningEffort.HIGH,
    **{each.value: each for each in ReasoningEffort},
}


UserTools = Annotated[
    tuple[str, ...],
    msgspec.Meta(
        description="Names of the user's tools that the model may call; Fireside runs them and answers with "
        "the results. Needs a token with the scope “tools”. Only those that never ask and send nothing."
    ),
]


class CompletionRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A request for ``n`` answers to each of the prompts."""

    model: str
    prompts: tuple[PromptInput, ...]
    n: int = 1
    settings: Mapping[str, SettingValue] = {}
    """Values from the client by setting key; the setting's definition validates them."""
    names: Mapping[str, str] = {}
    """The client's own names, by a setting's label and by the runner's name; for error messages. With
    ``messages[]`` the client's messages are those of the prompt, one by one."""
    keep_alive_s: float | msgspec.UnsetType | None = msgspec.UNSET
    """How long the model stays loaded; unset is the setting's value, ``None`` for ever."""
    user_tools: UserTools = ()
    single_tool_call: bool = False
    """Whether only the first tool call of an answer is returned."""
    replay: Replay | None = None
    """What the answer is, of which only the text or the probabilities are wanted."""
    reads_only: bool = False
    """Whether the prompt is read and nothing is generated: 0 tokens are asked for."""
    stop_tokens: tuple[int, ...] = ()
    """Token ids that end the answer, and are not in it."""
    min_tokens: int = 0
    """Tokens before one of these or the end token may end the answer."""
    shows_stop: bool = False
    """Whether a stop string that ended the answer is its end."""
    reuses_cache: bool = True
    """Whether the beginning of the prompt may come from a cache."""
    n_ctx: int | None = None
    """The context length that the client requests."""
    overflow: Overflow = Overflow.REFUSE

    def applied_to(self, task: GenerationTask) -> GenerationTask:
        """Return ``task`` with what the client asks for beside settings."""
        sampling = msgspec.structs.replace(
            task.sampling, stop_tokens=self.stop_tokens, min_tokens=self.min_tokens
        )
        if self.reads_only or self.replay is not None:
            sampling = msgspec.structs.replace(sampling, max_tokens=0 if self.replay is None else None)
        return msgspec.structs.replace(
            task,
            sampling=sampling,
            overflow=self.overflow,
            priority=Priority.API,
            replay=self.replay,
            reuses_cache=self.reuses_cache,
        )


class RequestSettings:
    """Collects the settings that a client sends. The others keep the values of the user's settings."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        self.reads_only = False
        self.stop_tokens: tuple[int, ...] = ()
        self.min_tokens = 0
        self.shows_stop = False
        self.reuses_cache = True
        # These settings are meant for the user's chats; a program does not expect them.
        self.values: dict[str, SettingValue] = {
            "answer.format": FORMAT_TEXT,
            "answer.keep_probabilities": False,
            "sampling.top_logprobs": LOGPROBS_OFF,
        }

    def set(self, key: str, value: SettingValue, *, name: str = "") -> None:
        """Set ``key``, which the client calls ``name``; ``None`` leaves it unset."""
        if value is None:
            return
        self.values.pop(key, None)  # dependent settings are validated in this order
        self.values[key] = value
        ours = key.rpartition(".")[2]
        self.names[BY_KEY[key].label] = self.names[ours] = name or ours

    def set_samplers(self, body: object) -> None:
        """Set the parameters that all dialects have, those of ``PARAMETERS``, as far as ``body`` has them."""
        for row in PARAMETERS.values():
            for name in row.request_names:
                if (value := getattr(body, name, None)) is not None:
                    self.set(f"{SAMPLING_KEYS}{row.name}", _asked(row, value), name=name)

    def set_max_tokens(self, n: int | None, *, name: str) -> None:
        """Set the answer's token limit; a negative one means none."""
        self.reads_only = n == 0
        self.set("sampling.max_tokens", n if n is None or n > 0 else MAX_TOKENS_NO_LIMIT, name=name)

    def set_seed(self, seed: int | None) -> None:
        """Set the seed, of any size; a negative one means a random seed."""
        self.set("sampling.seed", seed if seed is None else _seed(seed))

    def set_stop(self, stop: str | list[str] | None, *, name: str = "stop") -> None:
        """Set the stop strings."""
        texts = (stop,) if isinstance(stop, str) else tuple(stop or ())
        self.set("sampling.stop", tuple(filter(None, texts)) or None, name=name)

    def set_biases(self, biases: Biases | None) -> None:
        """Set the logit biases."""
        pairs = tuple(biases.items() if isinstance(biases, dict) else biases or ())
        for token, bias in pairs:
            if not str(token).isdecimal():
                raise invalid(f"logit_bias: {str(token)[:40]!r} is not a token's number.", param="logit_bias")
            if bias is not False and not bias <= BIAS_LIMIT:
                raise invalid(f"logit_bias: at most {BIAS_LIMIT:.0f} for a token.", param="logit_bias")
        lines = [
            f"{token}={'never' if bias is False or bias <= _BANNED else f'{bias:.6f}'}"
            for token, bias in pairs
        ]
        self.set("sampling.logit_bias", tuple(lines) or None)

    def set_effort(self, effort: str | None, *, name: str) -> None:
        """Set the reasoning effort. Raises ``HttpError``."""
        if effort is None:
            return
        if effort not in EFFORTS:
            raise invalid(f"{name}: choose one of {', '.join(EFFORTS)}.", param=name)
        self.set("answer.reasoning", EFFORTS[effort].value, name=name)

    def set_template_arguments(self, arguments: Mapping[str, Any] | None, *, name: str) -> None:
        """Set additional variables of the chat template."""
        if arguments:
            self.set("answer.template_arguments", msgspec.json.encode(arguments).decode(), name=name)

    def set_schema(self, schema: Mapping[str, Any] | bool | None, *, name: str) -> None:
        """Set the JSON Schema of the answer; an empty one is an object of any keys."""
        if schema is None:
            return
        if not schema or schema is True:
            self._set_form(FORMAT_JSON, "", name=name)
        else:
            self._set_form(FORMAT_JSON_SCHEMA, msgspec.json.encode(schema).decode(), name=name)

    def set_grammar(self, grammar: str | None, *, name: str) -> None:
        """Set the grammar of the answer, in llama.cpp's GBNF; an empty one sets none."""
        if grammar:
            self._set_form(FORMAT_GBNF, grammar, name=name)

    def set_regex(self, pattern: str | None, *, name: str) -> None:
        """Set the regular expression that the whole answer matches; an empty one sets none."""
        if pattern:
            self._set_form(FORMAT_REGEX, pattern, name=name)

    def _set_form(self, form: str, rule: str, *, name: str) -> None:
        """Set the form of the answer. Raises ``HttpError`` if another field gave another one."""
        first = self.names.get("format")
        if first is not None and (
            self.values["answer.format"],
            self.values.get("answer.format_rule", ""),
        ) != (
            form,
            rule,
        ):
            raise invalid(f"{name}: not together with {first}; send one form of the answer.", param=name)
        if rule:
            self.set("answer.format_rule", rule, name=name)
        self.set("answer.format", form, name=name)


def image_of(url: str, *, param: str) -> ImagePart:
    """Decode the image in a ``data:`` URL; other URLs are rejected, not fetched. Raises ``HttpError``."""
    match = _DATA_URL.match(url)
    if match is None:
        raise invalid(
            "Images are taken as data:image/…;base64 URLs only; no address is fetched.", param=param
        )
    # Some clients do not know the kind. Whoever draws the image looks at its first bytes.
    kind = match[1].lower() if match[1].lower().startswith("image/") else "image/*"
    return image_of_base64(url[match.end() :], media_type=kind, param=param)


def image_of_base64(text: str, *, media_type: str, param: str) -> ImagePart:
    """Decode an image in base64 of either alphabet, with or without line breaks. Raises ``HttpError``."""
    return ImagePart(data=bytes_of_base64(text, what="image", param=param), media_type=media_type)


def bytes_of_base64(text: str, *, what: str, param: str, most: int | None = _MAX_BASE64) -> bytes:
    """Decode base64 of either alphabet, with or without line breaks, of at most ``most`` characters.

    Raises ``HttpError``.
    """
    if most is not None and len(text) > most:
        raise invalid(f"The {what} is larger than {most // 2**20} MiB in base64.", param=param)
    try:
        encoded = text.encode("ascii").translate(_STANDARD_BASE64, _SPACE).rstrip(b"=")
        # base64.b64decode searches it with a regular expression first, which takes as long again.
        return binascii.a2b_base64(encoded + b"=" * (-len(encoded) % 4), strict_mode=True)
    except (binascii.Error, ValueError) as exc:
        raise invalid(f"The {what} is not valid base64.", param=param) from exc


def tool_of(name: str, description: str | None, parameters: Mapping[str, Any] | None) -> ToolDefinition:
    """Return a tool definition; without parameters, its schema is that of an object without properties."""
    schema = parameters or {"type": "object", "properties": {}}
    return ToolDefinition(
        name=name, description=description or "", parameters=msgspec.json.encode(schema).decode()
    )


def check_count(params: CompletionRequest) -> None:
    """Reject a request for more answers than could wait. Raises ``HttpError``."""
    if len(params.prompts) * params.n > MAX_ANSWERS:
        raise invalid(f"prompt: at most {MAX_ANSWERS} answers in one request.", param="prompt")


def n_answers(n: int | None, *, name: str = "n") -> int:
    """Validate and return the number of answers, which the client calls ``name``. Raises ``HttpError``."""
    if n is not None and not 1 <= n <= MAX_ANSWERS:
        raise invalid(f"{name}: choose a whole number from 1 to {MAX_ANSWERS}.", param=name)
    return n or 1


def _seed(seed: int) -> int:
    return SEED_RANDOM if seed < 0 else seed % _N_SEEDS


def _asked(row: Parameter, value: Any) -> SettingValue:
    """Return the setting's value for a parameter of a request."""
    if row.negative is not None and (value == -1 if row.type is int else value < 0):
        return row.negative
    return setting_value(row, tuple(value) if row.type is tuple else value)
