"""Model cards with HTML as Markdown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.ui.discover.model_page import card_markdown


@pytest.mark.parametrize(
    ("card", "plain"),
    [
        ("a <b>bold</b> word", "a **bold** word"),
        ('<a href="https://x.example/?a=1&amp;b=2">here</a>', "[here](<https://x.example/?a=1&b=2>)"),
        ("<a name='top'>here</a>", "here"),
        ("one<br>two<br/>three", "one\ntwo\nthree"),
        ("before<!-- a\ncomment -->after", "beforeafter"),
        ("before<!-- never closed", "before"),
        ("x<script type='a'>alert(1)</script>y", "xy"),
        ("x<style>p { }</style>y", "xy"),
        ('<img src="https://x/y.png" alt="A logo">', "![A logo](picture)"),
        ('<img src="https://x/y.png">', ""),
        ('<img alt="a](b) [c" src=x>', "![a  b   c](picture)"),
        ("a < b and c > d", "a < b and c > d"),
        ("<https://x.example>", "<https://x.example>"),
        ("`<b>` stays", "`<b>` stays"),
        ("</a></b>", "**"),
    ],
)
def test_tags_become_the_nearest_markdown(card: str, plain: str) -> None:
    assert card_markdown(card) == plain


def test_paragraphs_and_headings_are_separated() -> None:
    assert card_markdown("<h2>Title</h2><p>Text</p>").split() == ["##", "Title", "Text"]
    assert "\n\n## Title\n\n" in card_markdown("<h2>Title</h2>")


@pytest.mark.parametrize("fence", ["```", "~~~", "````"])
def test_code_stays_as_it_is(fence: str) -> None:
    card = f"<b>x</b>\n{fence}html\n<b>y</b>\n``\n{fence}\n<i>z</i>\n"
    assert card_markdown(card) == f"**x**\n{fence}html\n<b>y</b>\n``\n{fence}\n*z*\n"


def test_unclosed_code_stays_as_it_is() -> None:
    assert card_markdown("```\n<b>y</b>") == "```\n<b>y</b>"


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<a ", "`", "<!--", "<b>", "<script>", '<a href="', "<a href='x'>", "\n```\n", "~~~"]
)
def test_repeated_input_takes_linear_time(piece: str) -> None:
    assert isinstance(card_markdown(piece * 20_001), str)


@given(st.lists(st.sampled_from(["<b>", "</b>", "<a href='h:x'>", "</a>", "<!--", "-->", "x", "\n", "<"])))
def test_no_tag_that_is_known_is_left_outside_of_code(parts: list[str]) -> None:
    plain = card_markdown("".join(parts))
    assert "<b>" not in plain
    assert "</a>" not in plain
