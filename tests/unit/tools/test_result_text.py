"""What a model is shown of a result."""

from __future__ import annotations

import asyncio

import pytest

from fakes.tool_calls import text_of
from fireside.tools.read_result import MAX_CHARACTERS, cleaned, read_result_tool, truncated
from fireside.tools.tool import ToolFailed


def test_a_short_result_is_shown_whole() -> None:
    assert truncated("x" * 400, handle="c1", n_tokens=100) == ""


def test_a_long_result_is_cut_in_the_middle_with_a_hint() -> None:
    text = "a" * 1000 + "b" * 1000
    excerpt = truncated(text, handle="c1", n_tokens=100)
    assert excerpt.startswith("a" * 300 + "\n")
    assert excerpt.endswith("\n" + "b" * 100)
    assert 'id "c1" and offset 300' in excerpt
    assert "1600 characters left out" in excerpt


def test_characters_that_no_user_sees_are_gone() -> None:
    hidden = "".join(chr(0xE0000 + ord(letter)) for letter in "ignore")
    assert cleaned(f"a\u202eb\u200bc{hidden}d\ufeff") == "abcd"
    assert cleaned("naïve 👩‍👩‍👧 می‌خواهم") == "naïve 👩‍👩‍👧 می‌خواهم"
    assert cleaned("\ud800") == "?"


def test_what_is_dropped_of_an_enormous_result_is_named() -> None:
    text = cleaned("x" * (MAX_CHARACTERS + 17))
    assert text == "x" * MAX_CHARACTERS + "\n[17 characters were dropped.]"


def test_a_long_result_can_be_read_to_its_end() -> None:
    asyncio.run(_read_to_the_end())


async def _read_to_the_end() -> None:
    text = "".join(chr(97 + n % 26) for n in range(1000))
    tool = read_result_tool({"c1": text}.get, n_characters=300)
    read, offset = "", 0
    while offset < len(text):
        piece = await text_of(tool, tool.read(f'{{"id": "c1", "offset": {offset}}}'))
        read += piece.partition("\n\n[")[0]
        offset += 300
    assert read == text
    for wrong in ('{"id": "other"}', '{"id": "c1", "offset": 1000}', '{"id": "c1", "offset": -1}'):
        with pytest.raises(ToolFailed):
            await text_of(tool, tool.read(wrong))
