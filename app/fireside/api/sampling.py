"""The sampling parameters of OpenAI's and llama.cpp's completions: one list for all routes."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

import msgspec

from fireside.api.completion_request import MAX_ANSWERS, Biases, RequestSettings
from fireside.api.http_error import HttpError, invalid
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.options import PARAMETERS, SamplerKind
from fireside.settings.definitions import BY_KEY

_BY_LETTER: Final = {kind.letter: kind.value for kind in SamplerKind}
"""Samplers where ``samplers`` is a text."""
_NOT_SAMPLERS: Final = {"adaptive_p", "infill", "a", "i"}
"""What llama.cpp lists as samplers too. Adaptive-p is on where it has a target; infill prompts have none."""


class StructuredOutputs(msgspec.Struct, kw_only=True):
    """The form of the answer, as vLLM takes it; one of them is set. The last one is read to be refused."""

    json: dict[str, Any] | str | None = None
    json_object: bool | None = None
    choice: list[str] | None = None
    grammar: str | None = None
    regex: str | None = None
    structural_tag: Any = None


if TYPE_CHECKING:
    _AsDeclared = msgspec.Struct
else:
    _AsDeclared = msgspec.defstruct(
        "_AsDeclared",
        [
            (name, (list[str] if row.type is tuple else row.type) | None, None)
            for row in PARAMETERS.values()
            for name in row.request_names
        ],
        kw_only=True,
    )
"""The parameters that requests have as they are. No code names their fields, so types know none."""


class Samplers(_AsDeclared, kw_only=True):
    """Sampling parameters under the names of OpenAI, llama.cpp and vLLM: those of ``PARAMETERS`` that all
    dialects have, and those that they read in ways of their own.

    Some are read in order to be refused, see ``_REFUSED``; so are some of ``Sampling``.
    """

    samplers: list[str] | str | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    logit_bias: Biases | None = None
    min_keep: int | None = None


class Sampling(Samplers, kw_only=True):
    """The sampling parameters, and other fields of all completions of OpenAI's and llama.cpp's dialects."""

    json_schema: dict[str, Any] | bool | None = None
    """The format of the answer in llama.cpp's server, as is ``grammar``."""
    grammar: str | None = None
    keep_alive: float | str | None = None
    ttl: float | None = None
    prompt_cache_key: str | None = None
    cache_prompt: bool | None = None
    """Whether the beginning of the prompt may come from a cache, as in llama.cpp's server."""
    t_max_predict_ms: float | None = None
    post_sampling_probs: bool | None = None
    lora: list[Any] | None = None
    guided_json: dict[str, Any] | str | None = None
    """The form of the answer in vLLM, as are the next four."""
    guided_choice: list[str] | None = None
    guided_grammar: str | None = None
    guided_regex: str | None = None
    structured_outputs: StructuredOutputs | None = None
    regex: str | None = None
    """The form of the answer in SGLang, as is ``ebnf``."""
    ebnf: str | None = None
    stop_token_ids: list[int] | None = None
    """Of vLLM, as are the next ones."""
    include_stop_str_in_output: bool | None = None
    bad_words: list[str] | None = None
    allowed_token_ids: list[int] | None = None
    min_tokens: int | None = None
    use_beam_search: bool | None = None
    prompt_logprobs: int | None = None
    truncate_prompt_tokens: int | None = None
    logits_processors: list[Any] | None = None
    structural_tag: Any = None


_REFUSED: Final[Mapping[str, tuple[float, str]]] = {
    "min_keep": (1, "samplers always keep one token, a larger number is not supported"),
    "t_max_predict_ms": (0, "send max_tokens, or close the connection"),
    "post_sampling_probs": (0, "probabilities are those before sampling"),
    "lora": (0, "adapters are chosen in the settings of the model"),
    "bad_words": (0, "forbid tokens with logit_bias"),
    "allowed_token_ids": (0, "send a grammar of what the answer may contain"),
    "use_beam_search": (0, "answers are sampled; ask for several with n"),
    "prompt_logprobs": (-math.inf, "send echo and logprobs to /v1/completions"),
    "logits_processors": (0, "no program runs in the server"),
    "truncate_prompt_tokens": (-math.inf, "send what fits; a longer prompt is refused, not cut"),
}
"""Fields of llama.cpp's server and vLLM that would change the answer and are not supported: up to which value
they have no effect, and what to do instead."""


def field_limits() -> dict[str, dict[str, float]]:
    """Return what JSON Schema says of the values that are taken, by the name of the client's field."""
    limits: dict[str, dict[str, float]] = {
        "min_tokens": {"minimum": 0, "maximum": BY_KEY["sampling.max_tokens"].maximum or 0},
        **{name: {"minimum": 1, "maximum": MAX_ANSWERS} for name in ("n", "n_cmpl")},
    }
    for row in PARAMETERS.values():
        if row.type not in (int, float):
            continue
        limit: dict[str, float] = {"maximum": row.high}
        if row.negative is None:
            limit["minimum"] = min([row.low, *(each for each in row.special if isinstance(each, int))])
        elif row.type is int:
            limit["minimum"] = -1
        limits |= dict.fromkeys(row.request_names, limit)
    for names, key, keyword in (
        (("max_tokens", "max_completion_tokens", "max_output_tokens", "n_predict"), "max_tokens", "maximum"),
        (("num_predict",), "max_tokens", "maximum"),
        (("top_logprobs", "logprobs", "n_probs"), "top_logprobs", "maximum"),
        (("stop", "stop_sequences"), "stop", "maxItems"),
        (("dry_sequence_breakers",), "dry_sequence_breakers", "maxItems"),
        (("logit_bias",), "logit_bias", "maxProperties"),
    ):
        limits |= {name: {keyword: BY_KEY[f"sampling.{key}"].maximum or 0} for name in names}
    return limits


def set_samplers(settings: RequestSettings, body: Samplers, *, within: str = "") -> None:
    """Set the client's sampling parameters; ``within`` is the field that they stand in.

    Raises ``HttpError`` for one that cannot be applied.
    """
    for name, (harmless, advice) in _REFUSED.items():
        value = getattr(body, name, None)
        if value is not None and (len(value) if isinstance(value, list) else value) > harmless:
            raise invalid(f"{within}{name}: {advice}.", param=f"{within}{name}")
    settings.set_samplers(body)
    if body.samplers is not None:
        settings.set("sampling.samplers", tuple(_samplers(body.samplers)))
    settings.set_seed(body.seed)
    settings.set_stop(body.stop)
    settings.set_biases(body.logit_bias)
    settings.names = {label: f"{within}{name}" for label, name in settings.names.items()}


def set_sampling(settings: RequestSettings, body: Sampling) -> None:
    """Set the client's sampling parameters and the form of the answer. Raises ``HttpError``."""
    set_samplers(settings, body)
    settings.stop_tokens = tuple(body.stop_token_ids or ())
    settings.min_tokens = _min_tokens(body.min_tokens)
    settings.reuses_cache = body.cache_prompt is not False
    settings.shows_stop = bool(body.include_stop_str_in_output)
    settings.set_schema(body.json_schema, name="json_schema")
    settings.set_grammar(body.grammar, name="grammar")
    _set_structure(settings, body)


def _set_structure(settings: RequestSettings, body: Sampling) -> None:
    """Set the form of the answer that vLLM's fields give."""
    guided = StructuredOutputs(
        json=body.guided_json,
        choice=body.guided_choice,
        grammar=body.guided_grammar,
        regex=body.guided_regex,
    )
    settings.set_regex(body.regex, name="regex")
    settings.set_grammar(body.ebnf, name="ebnf")
    if body.structural_tag is not None:
        raise _no_tags("structural_tag")
    for name, rules in (("guided_", guided), ("structured_outputs.", body.structured_outputs)):
        if rules is None:
            continue
        if rules.structural_tag is not None:
            raise _no_tags(f"{name}structural_tag")
        if rules.json is not None:
            settings.set_schema(_schema(rules.json, param=f"{name}json"), name=f"{name}json")
        if rules.json_object:
            settings.set_schema({}, name=f"{name}json_object")
        settings.set_regex(rules.regex, name=f"{name}regex")
        if rules.choice is not None:
            if not rules.choice:
                raise invalid(f"{name}choice: there is none.", param=f"{name}choice")
            choices = " | ".join(msgspec.json.encode(each).decode() for each in rules.choice)
            settings.set_grammar(f"root ::= {choices}", name=f"{name}choice")
        settings.set_grammar(rules.grammar, name=f"{name}grammar")


def _min_tokens(n: int | None) -> int:
    most = BY_KEY["sampling.max_tokens"].maximum or 0
    if n is not None and not 0 <= n <= most:
        raise invalid(f"min_tokens: choose a whole number from 0 to {most}.", param="min_tokens")
    return n or 0


def _no_tags(param: str) -> HttpError:
    return invalid(f"{param}: send tools, or a grammar.", param=param)


def _schema(schema: dict[str, Any] | str, *, param: str) -> dict[str, Any]:
    if isinstance(schema, dict):
        return schema
    try:
        return decode_json(schema, kind=dict[str, Any])
    except JsonInvalid as exc:
        raise invalid(f"{param}: it is not a JSON Schema.", param=param) from exc


def _samplers(samplers: list[str] | str) -> list[str]:
    names = samplers if isinstance(samplers, list) else [_BY_LETTER.get(each, each) for each in samplers]
    return [name for name in names if name not in _NOT_SAMPLERS]
