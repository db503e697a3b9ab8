"""Words that are found in one process and said in another: hostile values change nothing but themselves."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import ClassVar

import msgspec
import pytest

from fireside.core.errors import ErrorInfo, LoadError, error_from_info, localized
from fireside.core.i18n import (
    English,
    Phrase,
    PhraseValue,
    Translatable,
    render,
    render_sentence,
    set_language,
    tr_noop,
)
from fireside.core.os_errors import os_error_text, render_os_error
from fireside.wire.frames import decode_body, encode_frame
from fireside.wire.messages import MAX_REPORT_BYTES, REPORTS, LoadRejected

BETWEEN = "{value} is not between {low} and {high}."


class Other:
    """A language with another order of words, and other numbers."""

    code = "xx"
    texts: ClassVar = {
        BETWEEN: "Von {low} bis {high}, nicht {value}.",
        "it is empty.": "leer.",
        "{why}.": "Weil: {why}",
        "No space left on device": "voll",
        "Loading {model} failed: {reason}": "{model} geht nicht: {reason}",
    }

    def translate(self, text: str, comment: str, n: int | None) -> str:
        return self.texts.get(text, text)

    def number(self, value: float, *, decimals: int) -> str:
        return f"{value:.{decimals}f}".replace(".", ",")


@pytest.fixture
def other() -> Iterator[None]:
    set_language(Other())
    yield
    set_language(English())


def phrase(**values: PhraseValue) -> Phrase:
    return Phrase(BETWEEN, {"low": 0, "high": 2, **values})


def test_a_phrase_is_rendered_in_english() -> None:
    assert render(phrase(value=2.5, high=1_000_000)) == "2.5 is not between 0 and 1,000,000."


@pytest.mark.usefixtures("other")
def test_a_phrase_is_rendered_in_the_current_language() -> None:
    assert render(phrase(value=2.5)) == "Von 0 bis 2, nicht 2,5."


@pytest.mark.usefixtures("other")
def test_a_nested_phrase_is_rendered_too() -> None:
    assert render(Phrase("{why}.", {"why": Phrase("it is empty.")})) == "Weil: leer."


@pytest.mark.usefixtures("other")
def test_a_value_equal_to_a_source_text_is_not_translated() -> None:
    assert render(Phrase("{why}.", {"why": "it is empty."})) == "Weil: it is empty."


@pytest.mark.parametrize(
    "value",
    [
        "{low}",
        "{0.__class__.__mro__}",
        "{value!r:>99999999}",
        "}{",
        "%n",
        "%1$s",
        "\\1",
        r"\g<0>",
        "a|b",
        "{{",
    ],
)
def test_braces_in_a_value_are_kept(value: str) -> None:
    assert render(phrase(value=value)) == f"{value} is not between 0 and 2."


@pytest.mark.parametrize(
    "text", ["{0}", "{value.__class__}", "{value!r}", "{value:>99999999}", "{", "}", "{}"]
)
def test_invalid_placeholders_are_kept(text: str) -> None:
    assert render(Phrase(text, {"value": 1})) == text


def test_a_placeholder_without_a_value_is_kept() -> None:
    assert render(Phrase("“{file}” is gone", {})) == "“{file}” is gone"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (True, "True"),
        (12_345, "12,345"),
        (10**30, "1e+30"),
        (-0.5, "-0.5"),
        (0.1 + 0.2, "0.3"),
        (2.0000001, "2.0000001"),
        (1e-9, "1e-09"),
        (1e300, "1e+300"),
        (math.inf, "inf"),
        (math.nan, "nan"),
    ],
)
def test_every_number_is_rendered(value: float, expected: str) -> None:
    assert render(Phrase("{n}", {"n": value})) == expected


def test_an_endless_phrase_is_rendered_short() -> None:
    deep = Phrase("x")
    for _ in range(200):
        deep = Phrase("{a}" * 300, {"a": deep, **{f"b{'c' * n}": deep for n in range(40)}})
    assert len(render(deep)) <= 2000
    assert len(render(Phrase("{a}" * 600, {"a": "y" * 1_000_000}))) <= 2000


def test_an_endless_phrase_fits_a_frame_and_renders_the_same_after_it() -> None:
    deep = Phrase("end")
    for _ in range(200):
        deep = Phrase(
            "{a} \ud800\x1b[2J", {"a": deep, **{f"v{'w' * each}": "x" * 100_000 for each in range(30)}}
        )
    info = LoadError.of("load_failed", model="m", reason=deep).info()
    frame = encode_frame(LoadRejected(error=info))
    assert len(frame) < MAX_REPORT_BYTES
    assert decode_body(frame[4:], decoder=REPORTS) == LoadRejected(error=info)
    assert error_from_info(info).info() == info


def test_an_endlessly_nested_reply_is_refused() -> None:
    info = LoadError.of("load_failed", model="m", reason=Phrase("x")).info()
    text, deep = b'{"text":"a","values":{"a":', b'"end"'
    nested = text * 100_000 + deep + b"}}" * 100_000
    with pytest.raises((msgspec.DecodeError, RecursionError)):
        msgspec.json.decode(
            msgspec.json.encode(info).replace(b'{"text":"x","values":{}}', nested), type=ErrorInfo
        )


@pytest.mark.parametrize("reason", ["an old reason.", Phrase(BETWEEN, {"value": 3, "low": 1, "high": 2})])
def test_a_stored_error_is_decoded_from_every_format(reason: Translatable) -> None:
    stored = LoadError.of("load_failed", model="Qwen", reason=reason).info()
    assert msgspec.json.decode(msgspec.json.encode(stored), type=ErrorInfo) == stored


def test_a_stored_error_is_rendered_in_the_current_language() -> None:
    stored = LoadError.of(
        "load_failed", model="Qwen", reason=Phrase(BETWEEN, {"value": 3.5, "low": 1, "high": 2})
    ).info()
    set_language(Other())
    try:
        assert localized(stored).sentence == "Qwen geht nicht: Von 1 bis 2, nicht 3,5."
    finally:
        set_language(English())


@pytest.mark.parametrize(
    "stored",
    [
        ErrorInfo(code="of_a_later_version", sentence="S.", retryable=True, next_step="none"),  # type: ignore[arg-type]
        ErrorInfo(code="load_failed", sentence="S.", retryable=True, next_step="none", data={"model": 3}),  # type: ignore[arg-type]
        ErrorInfo(code="internal", sentence="S.", retryable=True, next_step="none"),  # type: ignore[arg-type]
    ],
)
def test_an_error_of_another_version_keeps_its_sentence(stored: ErrorInfo) -> None:
    assert localized(stored) == stored


@pytest.mark.usefixtures("other")
def test_common_system_errors_are_translated() -> None:
    assert render_os_error(OSError(28, "No space left on device")) == "voll"
    assert render_os_error(OSError(9999, "Frobnication failed.")) == "Frobnication failed"
    assert render_os_error(OSError("only this")) == "only this"
    assert render_os_error(OSError()) == "OSError"


def test_messages_of_this_system_are_known(tmp_path: object) -> None:
    with pytest.raises(OSError, match="file or dir") as missing:
        open(f"{tmp_path}/none")  # noqa: PTH123, SIM115
    assert isinstance(os_error_text(missing.value), Phrase)


def test_the_end_of_a_sentence_gets_a_capital() -> None:
    assert render_sentence(tr_noop("it is empty.")) == "It is empty."
    assert render_sentence("") == ""
