"""Numbers in brackets become links where they cite, and nothing else does."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.markup.block_stream import BlockKind, split_blocks
from fireside.markup.citation_links import cited_number, with_citations

_MADE = re.compile(r'<a href="citation:\d+">|</a>|<span class="unsupported">|</span>')


def linked(source: str, *known: int) -> str:
    blocks = (block for block in split_blocks(source) if block.kind is not BlockKind.CODE)
    return "".join(with_citations(block.body, known) for block in blocks)


def test_a_known_number_is_a_link_and_an_unknown_one_is_marked() -> None:
    html = linked("It needs oil [1], they say [7].", 1, 2)
    assert '<a href="citation:1">[1]</a>' in html
    assert '<span class="unsupported">[7]</span>' in html


def test_numbers_in_one_pair_of_brackets_are_separate_links() -> None:
    html = linked("Both [1, 2; 9].", 1, 2)
    assert (
        '[<a href="citation:1">1</a>, <a href="citation:2">2</a>; <span class="unsupported">9</span>]' in html
    )


@pytest.mark.parametrize(
    "source", ["`a[1]`", "[see [1]](https://example.org)", "a [x] [12345] [1", r"\(x_{[1]}\)"]
)
def test_code_links_and_formulas_are_unchanged(source: str) -> None:
    assert "citation:" not in linked(source, 1)


def test_citations_in_emphasis_and_tables_are_linked() -> None:
    assert "citation:1" in linked("It needs **oil [1]**.", 1)
    assert "citation:2" in linked("| a |\n|---|\n| oil [2] |\n", 2)


@given(st.text(alphabet="a [1](2)`<>&*\n", max_size=60))
def test_the_text_is_unchanged(source: str) -> None:
    for block in split_blocks(source):
        assert _MADE.sub("", with_citations(block.body, {1})) == _MADE.sub("", block.body)


def test_only_citation_links_have_a_number() -> None:
    assert cited_number("citation:12") == 12
    assert cited_number("https://example.org/12") is None
    assert cited_number("12") is None
    assert cited_number("citation:x") is None
