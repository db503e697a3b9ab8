"""The words of the sources, and how a language takes their place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from fireside.core.i18n import English, language_code, number, set_language, tr, tr_noop


class Shouting:
    code = "xx"

    def translate(self, text: str, comment: str, n: int | None) -> str:
        return f"{text.upper()}{comment}{n or ''}"

    def number(self, value: float, *, decimals: int) -> str:
        return f"<{value:.{decimals}f}>"


@pytest.fixture
def shouting() -> Iterator[None]:
    set_language(Shouting())
    yield
    set_language(English())


def test_english_texts_are_the_source_texts() -> None:
    assert tr("Close") == "Close"
    assert tr("Open", "verb") == "Open"
    assert language_code() == "en"


@pytest.mark.parametrize(
    ("n", "expected"), [(0, "0 tokens"), (1, "1 token"), (2, "2 tokens"), (12_000, "12,000 tokens")]
)
def test_english_plurals_have_the_right_form(n: int, expected: str) -> None:
    assert tr("%n token|%n tokens", "", n) == expected


def test_a_text_with_one_form_can_have_a_number() -> None:
    assert tr("%n more", "", 1) == "1 more"


def test_a_bar_in_a_text_without_a_number_is_kept() -> None:
    assert tr("either|or") == "either|or"


def test_numbers_have_their_separators() -> None:
    assert number(1234.5, decimals=1) == "1,234.5"
    assert number(1_000_000) == "1,000,000"


@pytest.mark.usefixtures("shouting")
def test_all_functions_use_the_current_language() -> None:
    assert tr("Close") == "CLOSE"
    assert tr("Open", " verb") == "OPEN verb"
    assert tr("%n token|%n tokens", "", 3) == "%N TOKEN|%N TOKENS3"
    assert number(2.5, decimals=1) == "<2.5>"
    assert language_code() == "xx"


@pytest.mark.usefixtures("shouting")
def test_tr_noop_does_not_translate() -> None:
    assert tr_noop("Close") == "Close"
    assert tr(tr_noop("Close")) == "CLOSE"
