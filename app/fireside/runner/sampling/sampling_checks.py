"""Validate sampling parameters before native code gets them: llama.cpp aborts on many invalid ones."""

from __future__ import annotations

from typing import Final

from fireside.core.errors import InvalidParameter
from fireside.core.i18n import Phrase, PhraseValue, tr_noop
from fireside.core.options import MAX_STOP_CHARS, MAX_STOPS, SamplingParams

MAX_SEED: Final = 2**32 - 2
"""The next number means “random” to llama.cpp, and the seed would be unknown."""

MAX_TOP_LOGPROBS: Final = 20
FORBIDDEN_BIAS: Final = -1000.0
"""The bias that forbids a token."""

_MAX_INT: Final = 2**31 - 1
_MAX_LAST_N: Final = 2**24
_MAX_BREAKERS: Final = 32
_MAX_BREAKER_BYTES: Final = 40
"""llama.cpp truncates longer ones silently."""
_MAX_BIASES: Final = 4096
_MAX_STOP_TOKENS: Final = 4096

_NUMBERS: Final = (
    # name, lowest, highest
    ("temperature", 0, 100),
    ("top_p", 0, 1),
    ("min_p", 0, 1),
    ("typical_p", 0, 1),
    ("repeat_penalty", 0.01, 100),
    ("presence_penalty", -100, 100),
    ("frequency_penalty", -100, 100),
    ("dynatemp_range", 0, 100),
    ("dynatemp_exponent", 0, 100),
    ("top_n_sigma", -1, 100),
    ("xtc_probability", 0, 1),
    ("xtc_threshold", 0, 1),
    ("dry_multiplier", 0, 100),
    ("dry_base", 0, 100),
    ("mirostat_tau", 0, 100),
    ("mirostat_eta", 0, 1),
    ("adaptive_p_target", 0, 1),
    ("adaptive_p_decay", 0, 0.99),
)
_COUNTS: Final = (
    ("top_k", 0, _MAX_INT),
    ("repeat_last_n", 0, _MAX_LAST_N),
    ("dry_allowed_length", 0, _MAX_LAST_N),
    ("dry_penalty_last_n", -1, _MAX_LAST_N),
    ("mirostat", 0, 2),
    ("min_tokens", 0, _MAX_INT),
)
_OPTIONAL_COUNTS: Final = (
    ("seed", 0, MAX_SEED),
    ("max_tokens", 0, _MAX_INT),
    ("top_logprobs", 0, MAX_TOP_LOGPROBS),
)


def check_sampling(params: SamplingParams) -> None:
    """Raise ``InvalidParameter`` for the first value of the wrong type or out of range."""
    for name, low, high in _NUMBERS:
        _check_number(name, getattr(params, name), low, high)
    for name, low, high in _COUNTS:
        _check_count(name, getattr(params, name), low, high)
    for name, low, high in _OPTIONAL_COUNTS:
        if getattr(params, name) is not None:
            _check_count(name, getattr(params, name), low, high)
    _check_stops(params.stop)
    _check_breakers(params.dry_sequence_breakers)
    if len(params.logit_bias) > _MAX_BIASES:
        reason = Phrase(tr_noop("at most {limit} entries."), {"limit": _MAX_BIASES})
        raise InvalidParameter(name="logit_bias", reason=reason)
    if len(params.stop_tokens) > _MAX_STOP_TOKENS:
        reason = Phrase(tr_noop("at most {limit} entries."), {"limit": _MAX_STOP_TOKENS})
        raise InvalidParameter(name="stop_tokens", reason=reason)
    for token in params.stop_tokens:
        _check_count("stop_tokens", token, 0, _MAX_INT)
    for token, bias in params.logit_bias:
        _check_count("logit_bias", token, 0, _MAX_INT)
        _check_number("logit_bias", bias, FORBIDDEN_BIAS, -FORBIDDEN_BIAS)


def check_token_ids(params: SamplingParams, *, n_vocab: int) -> None:
    """Raise ``InvalidParameter`` for a token id beyond a vocabulary of ``n_vocab``."""
    for token, _ in params.logit_bias:
        _check_count("logit_bias", token, 0, n_vocab - 1)


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
    _check_texts("stop", stop, most=MAX_STOPS)
    for text in stop:
        if not 1 <= len(text) <= MAX_STOP_CHARS:
            raise InvalidParameter(
                name="stop",
                reason=Phrase(tr_noop("each text has 1 to {limit} characters."), {"limit": MAX_STOP_CHARS}),
            )


def _check_breakers(breakers: tuple[str, ...]) -> None:
    name = "dry_sequence_breakers"
    _check_texts(name, breakers, most=_MAX_BREAKERS)
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


def _check_texts(name: str, texts: tuple[str, ...], *, most: int) -> None:
    if len(texts) > most:
        raise InvalidParameter(name=name, reason=Phrase(tr_noop("at most {limit} texts."), {"limit": most}))
