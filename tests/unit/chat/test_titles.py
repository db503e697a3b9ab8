"""The first title of a conversation comes from its first line."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.chat.user_message import TITLE_CHARACTERS, title_from


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n  What is   RoPE?\nIn detail.", "What is RoPE?"),
        ("Tell me about the sea.", "Tell me about the sea"),
        ("...", "..."),
        ("word " * 30, "word word word word word word word word word word word word…"),
        ("x" * 200, "x" * TITLE_CHARACTERS + "…"),
        ("## Plan for **spring**\nDig.", "Plan for spring"),
        ("> - `ls -l` says nothing", "ls -l says nothing"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("```", "```"),
        ("#", "#"),
        ("What does __init__ do?", "What does __init__ do?"),
        ("#tag and 2 ** 3 ** 4", "#tag and 2 ** 3 ** 4"),
        ("-5 degrees or - 5", "-5 degrees or - 5"),
    ],
)
def test_a_title_is_the_first_line_cut_at_a_word(text: str, title: str) -> None:
    assert title_from(text) == title


@given(st.text())
def test_any_text_gives_a_title_of_one_short_line(text: str) -> None:
    title = title_from(text)
    assert 0 < len(title) <= TITLE_CHARACTERS + 1
    assert "\n" not in title
