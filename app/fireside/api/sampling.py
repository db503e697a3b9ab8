"""The sampling parameters of OpenAI's and llama.cpp's completions: one list for all routes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fireside.api.completion_request import Biases, RequestSettings
from fireside.api.http_error import invalid
from fireside.core.decoding import JsonInvalid, decode_json

_SAME_NAME: Final = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "typical_p",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
    "repeat_last_n",
    "dynatemp_range",
    "dynatemp_exponent",
    "xtc_probability",
    "xtc_threshold",
    "dry_multiplier",
    "dry_base",
    "dry_allowed_length",
    "dry_penalty_last_n",
    "mirostat_tau",
    "mirostat_eta",
    "ignore_eos",
)
_OTHER_NAMES: Final[Mapping[str, str]] = {
    "repetition_penalty": "repeat_penalty",
    "top_n_sigma": "top_n_sigma",
    "adaptive_target": "adaptive_p_target",
    "adaptive_decay": "adaptive_p_decay",
}
"""The names of vLLM and llama.cpp, and those of the settings."""
_OFF: Final[Mapping[str, tuple[float, ...]]] = {"top_n_sigma": (-1,), "adaptive_target": (-1,)}
"""Values that turn a sampler off in llama.cpp, where the setting has 0."""
_BY_LETTER: Final = {
    "e": "penalties",
    "d": "dry",
    "s": "top_n_sigma",
    "k": "top_k",
    "y": "typ_p",
    "p": "top_p",
    "m": "min_p",
    "x": "xtc",
    "t": "temperature",
}
"""llama.cpp's short names of samplers, where ``samplers`` is a text."""
_NOT_SAMPLERS: Final = {"adaptive_p", "infill", "a", "i"}
"""What llama.cpp lists as samplers too. Adaptive-p is on where it has a target; infill prompts have none."""


class StructuredOutputs(msgspec.Struct, kw_only=True):
    """The form of the answer, as vLLM takes it; one of them is set."""

    json: dict[str, Any] | str | None = None
    choice: list[str] | None = None
    grammar: str | None = None
    regex: str | None = None


class Sampling(msgspec.Struct, kw_only=True):
    """Sampling parameters under the names of OpenAI, llama.cpp and vLLM, and other fields of all completions.

    Some are read in order to be refused, see ``_REFUSED``.
    """

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repeat_penalty: float | None = None
    repetition_penalty: float | None = None
    repeat_last_n: int | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    dynatemp_range: float | None = None
    dynatemp_exponent: float | None = None
    top_n_sigma: float | None = None
    xtc_probability: float | None = None
    xtc_threshold: float | None = None
    dry_multiplier: float | None = None
    dry_base: float | None = None
    dry_allowed_length: int | None = None
    dry_penalty_last_n: int | None = None
    dry_sequence_breakers: list[str] | None = None
    mirostat: int | None = None
    mirostat_tau: float | None = None
    mirostat_eta: float | None = None
    adaptive_target: float | None = None
    adaptive_decay: float | None = None
    samplers: list[str] | str | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    logit_bias: Biases | None = None
    ignore_eos: bool | None = None
    json_schema: dict[str, Any] | bool | None = None
    """The format of the answer in llama.cpp's server, as is ``grammar``."""
    grammar: str | None = None
    keep_alive: float | str | None = None
    ttl: float | None = None
    prompt_cache_key: str | None = None
    min_keep: int | None = None
    t_max_predict_ms: float | None = None
    post_sampling_probs: bool | None = None
    lora: list[Any] | None = None
    guided_json: dict[str, Any] | str | None = None
    """The form of the answer in vLLM, as are the next four."""
    guided_choice: list[str] | None = None
    guided_grammar: str | None = None
    guided_regex: str | None = None
    structured_outputs: StructuredOutputs | None = None


_REFUSED: Final[Mapping[str, tuple[float, str]]] = {
    "min_keep": (1, "samplers always keep one token, a larger number is not supported"),
    "t_max_predict_ms": (0, "send max_tokens, or close the connection"),
    "post_sampling_probs": (0, "probabilities are those before sampling"),
    "lora": (0, "adapters are chosen in the settings of the model"),
}
"""Fields of llama.cpp's server that would change the answer and are not supported: up to which value they
have no effect, and what to do instead."""


def set_sampling(settings: RequestSettings, body: Sampling) -> None:
    """Set the client's sampling parameters. Raises ``HttpError`` for one that cannot be applied."""
    for name, (harmless, advice) in _REFUSED.items():
        value = getattr(body, name)
        if value is not None and (len(value) if isinstance(value, list) else value) > harmless:
            raise invalid(f"{name}: {advice}.", param=name)
    settings.set_samplers(body, _SAME_NAME)
    for name, key in _OTHER_NAMES.items():
        value = getattr(body, name)
        settings.set(f"sampling.{key}", 0.0 if value in _OFF.get(name, ()) else value, name=name)
    settings.set_mirostat(body.mirostat)
    settings.set_breakers(body.dry_sequence_breakers)
    if body.samplers is not None:
        settings.set("sampling.samplers", tuple(_samplers(body.samplers)))
    settings.set_seed(body.seed)
    settings.set_stop(body.stop)
    settings.set_biases(body.logit_bias)
    settings.set_schema(body.json_schema, name="json_schema")
    settings.set_grammar(body.grammar, name="grammar")
    _set_structure(settings, body)


def _set_structure(settings: RequestSettings, body: Sampling) -> None:
    """Set the form of the answer that vLLM's fields give, of which the last that is set counts."""
    guided = StructuredOutputs(
        json=body.guided_json,
        choice=body.guided_choice,
        grammar=body.guided_grammar,
        regex=body.guided_regex,
    )
    for name, rules in (("guided_", guided), ("structured_outputs.", body.structured_outputs)):
        if rules is None:
            continue
        if rules.regex is not None:
            raise invalid(f"{name}regex: send a grammar or a schema with a pattern.", param=f"{name}regex")
        if rules.json is not None:
            settings.set_schema(_schema(rules.json, param=f"{name}json"), name=f"{name}json")
        if rules.choice:
            choices = " | ".join(msgspec.json.encode(each).decode() for each in rules.choice)
            settings.set_grammar(f"root ::= {choices}", name=f"{name}choice")
        settings.set_grammar(rules.grammar, name=f"{name}grammar")


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
