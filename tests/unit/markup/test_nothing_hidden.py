"""Each visible character of an answer is drawn, or belongs to syntax that something draws."""

from __future__ import annotations

import re
from collections import Counter
from html import unescape
from itertools import count
from urllib.parse import unquote

from hypothesis import given
from hypothesis import strategies as st

from fireside.markup.block_stream import BlockKind, split_blocks
from fireside.markup.rich_text import formula_source
from fireside.services.transfer.formula_html import FormulaHtml
from fireside.services.transfer.markdown_html import MarkdownHtml

TEMPLATES = [
    "W W",
    "# W #",
    "#",
    "###### W",
    "W\n---",
    ">",
    "> W",
    ">> W\nW",
    "- W",
    "-",
    "*",
    "- [ ] W",
    "- [x]\n  W",
    "  - W\n\n    W",
    "1. W",
    "7)",
    "```W W\nW\n```",
    "~~~\nW",
    "    W",
    "[W]: W",
    "[W]: https://a.example/W",
    "[W]: <W> 'W W'",
    "[W]:\nW\n'W'",
    "[INFO]: W\n[INFO]: W W",
    "[1]: https://a.example/W\n[2]: https://b.example/W",
    "W [1] W [2].",
    "[W][INFO]",
    "[^1]: W",
    "[^W]:",
    "[^W]: - W",
    "W[^1] W![^1]",
    "[W](https://a.example/W 'W')",
    "[W](W)",
    "[](https://a.example/W) [](W) [W]()",
    "![W](https://a.example/1.png)",
    "![](W)",
    "<W:W> <https://a.example/W>",
    "*W* **W** ***W*** ~~W~~ `W` ``W ` W``",
    "**W：**W、**「W」**W",
    "$W^2$ \\(W_1\\) $5 W $6",
    "$$\nW = 1\n$$",
    "$$ W",
    "\\begin{align}\nW\n\\end{align}",
    "| W | W |\n|---|---|\n| W | W | W | W |\n| W |",
    "| W | W |\n|:-:|--:|\n| $|W|$ | W |\n| `W | W` | W |",
    "| W |\n| - |\nW",
    "|W|W",
    "W<sub>W</sub> <kbd>W</kbd> <mark>**W**</mark> <sup>W <b>W</b>",
    "W<br>W<br/>\nW",
    "<ul><li>W</li><li>W</li></ul>",
    "<details>\n<summary>W *W*</summary>\n\nW\n\n</details>",
    "<details><summary>W</summary>W</details>",
    "<details>\nW",
    "</details> W <details>W</details>",
    "<!-- W --> <div class='W'>W</div>",
    "&amp; W &W; \\*W\\_ \\[W] \\W",
    "W\\\nW  \nW",
    "***\nW\n***",
    "",
    "",
]
_WORD = re.compile(r"[α-ω]{3}")


@st.composite
def answers(draw: st.DrawFn) -> str:
    """Return an answer in which each ``W`` is a word of three Greek letters that is nowhere else."""
    numbers = count()
    parts = draw(st.lists(st.sampled_from(TEMPLATES), min_size=1, max_size=12))
    prefix = draw(st.sampled_from(["", "", "> ", "- ", "   ", "> - "]))
    lines = "\n".join(parts).split("\n")
    text = "\n".join([f"{prefix}{lines[0]}", *(f"{' ' * len(prefix)}{line}" for line in lines[1:])])
    return re.sub("W", lambda _: _word(next(numbers)), text)


def _word(number: int) -> str:
    letters = "αβγδεζηθικλμνξοπρστυφχψω"
    return letters[number // 24**2 % 24] + letters[number // 24 % 24] + letters[number % 24]


def window(text: str) -> str:
    """Return what the window draws, with addresses and titles of links and sources of formulas."""
    parts = []
    for block in split_blocks(text):
        body = re.sub(r'<img src="(math:[^"]*)">', lambda image: formula_source(image[1]) or "", block.body)
        if block.kind is not BlockKind.CODE:
            body = unescape(re.sub(r'<[a-z]+(?: (?:href|title)="([^"]*)")*[^>]*>', _attributes, body))
        parts += (block.info, body)
    return "\n".join(parts)


def _attributes(tag: re.Match[str]) -> str:
    return " ".join(re.findall(r'"([^"]*)"', tag[0]))


@given(answers())
def test_each_word_of_an_answer_is_drawn_in_the_window(text: str) -> None:
    assert not _words(text) - _words(window(text))


@given(answers())
def test_each_word_of_an_answer_is_on_the_exported_page(text: str) -> None:
    page = MarkdownHtml(formulas=FormulaHtml()).render(text)
    assert not _words(text) - _words(unescape(page))


def _words(text: str) -> Counter[str]:
    return Counter(_WORD.findall(unquote(text)))
