"""What any client wants of a model, in no dialect's words."""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterable, Mapping
from typing import Annotated, Any, Final

import msgspec

from fireside.api.refusal import invalid
from fireside.core.generation import Overflow
from fireside.core.message import ImagePart
from fireside.core.options import SettingValue
from fireside.core.prompt_input import PromptInput, Reasoning, ToolDefinition
from fireside.core.task import Replay
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_answer import FORMAT_GBNF, FORMAT_JSON, FORMAT_JSON_SCHEMA, FORMAT_TEXT
from fireside.settings.definitions_more_sampling import LOGPROBS_OFF
from fireside.settings.definitions_sampling import MAX_TOKENS_NO_LIMIT, SEED_RANDOM

MAX_ANSWERS: Final = 64
_MOST_SEEDS: Final = 0xFFFFFFFF
_NEVER: Final = -100
"""What OpenAI's API takes for a token that must not come."""
Biases = dict[str, float] | list[tuple[int | str, float | bool]]
"""What is added to the logits of tokens: OpenAI's API maps ids, llama.cpp's server also lists pairs, in which
``false`` forbids a token."""
_DATA_URL: Final = re.compile(r"data:(image/[a-z0-9.+-]+);base64,", re.IGNORECASE)
EFFORTS: Final[Mapping[str, Reasoning]] = {
    "none": Reasoning.OFF,
    "minimal": Reasoning.LOW,
    "xhigh": Reasoning.HIGH,
    "max": Reasoning.HIGH,
    **{each.value: each for each in Reasoning},
}


OwnTools = Annotated[
    tuple[str, ...],
    msgspec.Meta(
        description="Names of the user's tools that the model may call; Fireside runs them and answers with "
        "the results. Needs a token with the scope “tools”. Only those that never ask and send nothing."
    ),
]


class Ask(msgspec.Struct, frozen=True, kw_only=True):
    """One answer or several to one prompt or several; each prompt gets ``n`` answers."""

    model: str
    prompts: tuple[PromptInput, ...]
    n: int = 1
    settings: Mapping[str, SettingValue] = {}
    """What the client chose, by the keys of the settings, which check it."""
    names: Mapping[str, str] = {}
    """What the client calls them, by their labels."""
    keep_alive_s: float | msgspec.UnsetType | None = msgspec.UNSET
    """How long the model stays loaded; unset is as the settings say, ``None`` for ever."""
    own_tools: OwnTools = ()
    one_call: bool = False
    """Only the first call of a tool counts."""
    replay: Replay | None = None
    n_ctx: int | None = None
    """The context that the client wishes for."""
    overflow: Overflow = Overflow.REFUSE


class Choices:
    """Collects what a client chose. What it left open stays as the settings have it."""

    def __init__(self) -> None:
        self.names: dict[str, str] = {}
        # What the user wants of chats is nothing that a program expects.
        self.settings: dict[str, SettingValue] = {
            "answer.format": FORMAT_TEXT,
            "answer.keep_probabilities": False,
            "sampling.top_logprobs": LOGPROBS_OFF,
        }

    def put(self, key: str, value: SettingValue, *, name: str = "") -> None:
        """Note a choice under the client's own ``name``; ``None`` is none."""
        if value is None:
            return
        self.settings.pop(key, None)  # settings that go together are checked in this order
        self.settings[key] = value
        self.names[BY_KEY[key].label] = name or key.rpartition(".")[2]

    def put_samplers(self, chosen: object, names: Iterable[str]) -> None:
        """Note fields of ``chosen`` that are called as the settings are."""
        for name in names:
            self.put(f"sampling.{name}", getattr(chosen, name))

    def put_max_tokens(self, n: int | None, *, name: str) -> None:
        """Note the longest answer; none of a positive number is no limit."""
        self.put("sampling.max_tokens", n if n is None or n > 0 else MAX_TOKENS_NO_LIMIT, name=name)

    def put_seed(self, seed: int | None) -> None:
        """Note a seed of any size; a negative one is drawn."""
        self.put("sampling.seed", seed if seed is None else _seed(seed))

    def put_stop(self, stop: str | list[str] | None, *, name: str = "stop") -> None:
        """Note texts that end the answer."""
        texts = (stop,) if isinstance(stop, str) else tuple(stop or ())
        self.put("sampling.stop", tuple(filter(None, texts)) or None, name=name)

    def put_biases(self, biases: Biases | None) -> None:
        """Note what is added to the logits of tokens."""
        pairs = biases.items() if isinstance(biases, dict) else biases or ()
        lines = [
            f"{token}={'never' if bias is False or bias <= _NEVER else f'{bias:.6f}'}"
            for token, bias in pairs
        ]
        self.put("sampling.logit_bias", tuple(lines) or None)

    def put_effort(self, effort: str | None, *, name: str) -> None:
        """Note how much the model should think."""
        if effort is None:
            return
        if effort not in EFFORTS:
            raise invalid(f"{name}: choose one of {', '.join(EFFORTS)}.", param=name)
        self.put("answer.reasoning", EFFORTS[effort].value, name=name)

    def put_template_arguments(self, arguments: Mapping[str, Any] | None, *, name: str) -> None:
        """Note more values for the chat template."""
        if arguments:
            self.put("answer.template_arguments", msgspec.json.encode(arguments).decode(), name=name)

    def put_schema(self, schema: Mapping[str, Any] | bool | None, *, name: str) -> None:
        """Note the JSON Schema that the answer fits; an empty one is any JSON."""
        if schema is None:
            return
        if not schema or schema is True:
            self.put("answer.format", FORMAT_JSON, name=name)
            return
        self.put("answer.format_rule", msgspec.json.encode(schema).decode(), name=name)
        self.put("answer.format", FORMAT_JSON_SCHEMA, name=name)

    def put_grammar(self, grammar: str | None, *, name: str) -> None:
        """Note the grammar that the answer follows, as llama.cpp writes it (GBNF); an empty one is none."""
        if grammar:
            self.put("answer.format_rule", grammar, name=name)
            self.put("answer.format", FORMAT_GBNF, name=name)


def image_of(url: str, *, param: str) -> ImagePart:
    """Return the image in a ``data:`` URL. Nothing is fetched. Raises ``Refusal``."""
    found = _DATA_URL.match(url)
    if found is None:
        raise invalid(
            "Images are taken as data:image/…;base64 URLs only; no address is fetched.", param=param
        )
    return image_of_base64(url[found.end() :], media_type=found[1].lower(), param=param)


def image_of_base64(text: str, *, media_type: str, param: str) -> ImagePart:
    """Return the image that is written in base64. Raises ``Refusal``."""
    try:
        return ImagePart(data=base64.b64decode(text, validate=True), media_type=media_type)
    except (binascii.Error, ValueError) as exc:
        raise invalid("The image is not valid base64.", param=param) from exc


def tool_of(name: str, description: str | None, parameters: Mapping[str, Any] | None) -> ToolDefinition:
    """Return a tool; one without parameters takes an empty object."""
    schema = parameters or {"type": "object", "properties": {}}
    return ToolDefinition(
        name=name, description=description or "", parameters=msgspec.json.encode(schema).decode()
    )


def n_answers(n: int | None) -> int:
    """Return how many answers are wanted. Raises ``Refusal``."""
    if n is not None and not 1 <= n <= MAX_ANSWERS:
        raise invalid(f"n: choose a whole number from 1 to {MAX_ANSWERS}.", param="n")
    return n or 1


def _seed(seed: int) -> int:
    return SEED_RANDOM if seed < 0 else seed % _MOST_SEEDS
