"""Validate sampling parameters before native code gets them: llama.cpp aborts on many invalid ones."""

from __future__ import annotations

from typing import Final

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, PhraseValue, tr_noop
from fireside.core.options import BIAS_LIMIT, MAX_STOP_CHARS, PARAMETERS, Parameter, SamplingParams

FORBIDDEN_BIAS: Final = -BIAS_LIMIT
"""The bias that forbids a token."""

_MAX_TOKEN: Final = 2**31 - 1
_MAX_BREAKER_BYTES: Final = 40
"""llama.cpp truncates longer ones silently."""


def check_sampling(params: SamplingParams) -> None:
    """Raise ``InvalidParameter`` for the first value of the wrong type or out of range."""
    for name, row in PARAMETERS.items():
        value = getattr(params, name)
        if row.type in (int, float):
            _check_scalar(row, value)
        elif row.type is tuple and len(value) > row.high:
            of_texts = name in ("stop", "dry_sequence_breakers")
            text = tr_noop("at most {limit} texts.") if of_texts else tr_noop("at most {limit} entries.")
            raise InvalidParameter(name=name, reason=Phrase(text, {"limit": int(row.high)}))
    _check_stops(params.stop)
    _check_breakers(params.dry_sequence_breakers)
    for token in params.stop_tokens:
        _check_count("stop_tokens", token, 0, _MAX_TOKEN)
    for token, bias in params.logit_bias:
        _check_count("logit_bias", token, 0, _MAX_TOKEN)
        _check_number("logit_bias", bias, -BIAS_LIMIT, BIAS_LIMIT)


def check_token_ids(params: SamplingParams, *, n_vocab: int) -> None:
    """Raise ``InvalidParameter`` for a token id beyond a vocabulary of ``n_vocab``."""
    for token, _ in params.logit_bias:
        _check_count("logit_bias", token, 0, n_vocab - 1)


def _check_scalar(row: Parameter, value: object) -> None:
    is_number = isinstance(value, int | float if row.type is float else int) and not isinstance(value, bool)
    if (value is None or is_number) and value in row.special.values():
        return
    if row.type is float:
        _check_number(row.name, value, row.low, row.high)
    else:
        _check_count(row.name, value, int(row.low), int(row.high))


def _check_number(name: str, value: object, low: float, high: float) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidParameter(name=name, reason=tr_noop("it must be a number."))
    if not (low <= value <= high):  # false for what is not a number, too
        raise InvalidParameter(name=name, reason=_not_between(value, low, high))


def _check_count(name: str, value: object, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidParameter(name=name, reason=tr_noop("it must be a whole number."))
    if not low <= value <= high:
        raise InvalidParameter(name=name, reason=_not_between(value, low, high))


def _not_between(value: float, low: float, high: float) -> Phrase:
    displayed: PhraseValue = value
    if isinstance(value, int) and abs(value) >= 10**18:  # it may have thousands of digits
        displayed = Phrase(tr_noop("a number with very many digits"))
    return Phrase(
        tr_noop("{value} is not between {low} and {high}."), {"value": displayed, "low": low, "high": high}
    )


def _check_stops(stop: tuple[str, ...]) -> None:
    for text in stop:
        if not 1 <= len(text) <= MAX_STOP_CHARS:
            raise InvalidParameter(
                name="stop",
                reason=Phrase(tr_noop("each text has 1 to {limit} characters."), {"limit": MAX_STOP_CHARS}),
            )


def _check_breakers(breakers: tuple[str, ...]) -> None:
    name = "dry_sequence_breakers"
    for text in breakers:
        if "\0" in text:
            raise InvalidParameter(name=name, reason=tr_noop("a text contains a NUL character."))
        try:
            n_bytes = len(text.encode())
        except UnicodeEncodeError as exc:
            raise InvalidParameter(
                name=name,
                reason=tr_noop("a text contains an invalid character (a lone surrogate)."),
            ) from exc
        if not 1 <= n_bytes <= _MAX_BREAKER_BYTES:
            reason = Phrase(tr_noop("each text has 1 to {limit} bytes."), {"limit": _MAX_BREAKER_BYTES})
            raise InvalidParameter(name=name, reason=reason)
