"""Each visible character of an answer is drawn, or belongs to syntax that something draws."""

from __future__ import annotations

import re
from collections import Counter
from html import escape, unescape
from itertools import count
from urllib.parse import unquote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.markup.block_stream import BlockKind, MarkdownStream, split_blocks
from fireside.markup.direction import is_rtl_html
from fireside.markup.rich_text import formula_source
from fireside.services.transfer.markdown_html import FormulaHtml, MarkdownHtml

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
    "<html>\nW\n</html>",
    "W\n<svg>\nW",
    "    W",
    "[W]: W",
    "[W]: https://a.example/W",
    "[W]: <W> 'W W'",
    "[W]:\nW\n'W'",
    "[INFO]: W\n[INFO]: W W",
    "[1]: https://a.example/W\n[2]: https://b.example/W",
    "W [1] W [2].",
    "W [1][2] W[3][1] [W][2] [1][]",
    "> [1]: <https://a.example/W> 'W'\n[3]: https://a.example/_W_\nW",
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
    "<b>W <i>W</i></b> <u>W <del>W</u>",
    "> [!NOTE]\n> W",
    "> [!warning] W\n> W",
    "> [!TIP]\n>\n> - W",
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
    parts: list[str] = []
    for block in split_blocks(text):
        body = re.sub(
            r'<img src="(math:[^"]*)">', lambda image: escape(formula_source(image[1]) or ""), block.body
        )
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


def shown(text: str) -> str:
    return " ".join(unescape(re.sub(r"<[^>]*>", " ", window_html(text))).split())


@pytest.mark.parametrize(
    "text",
    [
        "[Alice]: Hi!\n[Bob]: Hello.",
        "[INFO]: started\n[INFO]: low disk\n[INFO]: stopped",
        "Sources:\n\n[1]: https://a.example/x\n[2]: https://b.example",
        "[1]: https://a.example\n[1]: https://b.example",
        "> [Note]: important\n\n- [a]: b",
        "[a]: javascript:x 'title'",
        "`[a]`\n\n[a]: https://a.example",
        "#",
        ">",
    ],
)
def test_lines_that_define_no_link_are_shown_as_they_were_written(text: str) -> None:
    plain = re.sub(r"^(?:> |- )", "", text, flags=re.MULTILINE).replace("`", "")
    assert "".join(shown(text).split()) == "".join(plain.split())
    page = MarkdownHtml(formulas=FormulaHtml()).render(text)
    assert "".join(unescape(re.sub(r"<[^>]*>", "", page)).split()) == "".join(plain.split())


def test_a_definition_is_text_until_the_end_shows_that_a_link_uses_it() -> None:
    stream = MarkdownStream()
    stream.append("[a]: https://a.example/x\n\nSee [a].\n\n")
    assert "[a]:" in stream.blocks[0].body
    stream.finish()
    assert [block.body for block in stream.blocks] == ['<p>See <a href="https://a.example/x">a</a>.</p>']


SOURCES = "Fact [1].\n\nSources:\n\n[1]: https://a.example/_x_\n[2]: <https://b.example> 'Title'"


def test_sources_that_the_text_cites_are_shown_and_linked() -> None:
    cited = f"{SOURCES}\n\nOthers [2][1], [3][1]."
    stream = MarkdownStream()
    for char in cited:
        stream.append(char)
    stream.finish()
    a, b = '<a href="https://a.example/_x_"', '<a href="https://b.example"'
    parts = [
        f"<p>Fact {a}>[1]</a>.</p>",
        "<p>Sources:</p>",
        f"<p>[1]: {a}>https://a.example/_x_</a><br>[2]: {b}>https://b.example</a> 'Title'</p>",
        f'<p>Others {b} title="Title">[2]</a>{a}>[1]</a>, [3]{a}>[1]</a>.</p>',
    ]
    assert "".join(block.body for block in stream.blocks) == window_html(cited) == "".join(parts)
    page = MarkdownHtml(formulas=FormulaHtml()).render(cited)
    assert re.sub(r"\n|(?<=<br) /", "", page) == "".join(parts)


def test_a_source_that_nothing_cites_is_a_line_among_the_others() -> None:
    page = MarkdownHtml(formulas=FormulaHtml()).render(SOURCES)
    assert '<br />\n[2]: <a href="https://b.example">' in page
    assert '<br>[2]: <a href="https://b.example">' in window_html(SOURCES)


def test_the_definition_of_a_link_with_a_text_is_syntax() -> None:
    assert window_html("[text][1]\n\n[1]: https://a.example") == '<p><a href="https://a.example">text</a></p>'


def test_hundreds_of_sources_are_links() -> None:
    numbers = range(1, 500)
    cites = "\n\n".join(f"Fact [{n}]." for n in numbers)
    sources = "\n".join(f"[{n}]: https://a.example/{n}" for n in numbers)
    assert window_html(f"{cites}\n\n{sources}").count("<a ") == 2 * len(numbers)


def test_a_description_of_a_link_may_follow_its_label_after_a_colon() -> None:
    assert '<li><a href="https://a.example">a</a>: what it is</li>' in window_html(
        "- [a]: what it is\n\n[a]: https://a.example"
    )


@pytest.mark.parametrize(
    ("row", "cells"),
    [
        ("| $|a|$ | 3 |", ["$|a|$", "3"]),
        (r"| \(|a|\) | 3 |", [r"\(|a|\)", "3"]),
        ("| $$|a|$$ | 3 |", ["$$|a|$$", "3"]),
        ("| `a | b` | text |", ["a | b", "text"]),
        ("| ``a ` | b`` | text |", ["a ` | b", "text"]),
        ("| 1 | 2 | 3 | 4 |", ["1", "2 | 3 | 4"]),
        ("| ` | ` |", ["`", "`"]),
        ("| `a|b` |", ["`a", "b`"]),
        ("| 1 | 2 | |", ["1", "2"]),
        (r"| \| | `x\|y` |", ["|", "x|y"]),
    ],
)
def test_a_pipe_in_code_or_a_formula_separates_no_cells_and_no_cell_is_lost(
    row: str, cells: list[str]
) -> None:
    body = window_html(f"| a | b |\n|---|---|\n{row}")
    found = re.findall(r"<td[^>]*>(.*?)</td>", body)
    sources = [
        re.sub(r'<img src="(math:[^"]*)">', lambda image: formula_source(image[1]) or "", cell)
        for cell in found
    ]
    assert [re.sub(r"</?code>", "", source) for source in sources] == cells
    page = MarkdownHtml(formulas=FormulaHtml()).render(f"| a | b |\n|---|---|\n{row}")
    assert page.count("<td>") == 2


def test_the_head_of_a_table_may_contain_a_formula() -> None:
    assert window_html("| $|a|$ | b |\n|---|---|\n| 1 | 2 |").count("<th ") == 2


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("H<sub>2</sub>O, x<sup>n</sup>", "H<sub>2</sub>O, x<sup>n</sup>"),
        ("<KBD>Ctrl</KBD>+<kbd>`</kbd>", "<kbd>Ctrl</kbd>+<kbd>`</kbd>"),
        ("<mark>**so**</mark>", "<mark><strong>so</strong></mark>"),
        ("a<br>b<br />\nc", "a<br>b<br>c"),
        ("<sub>open, <u>x</u>", "&lt;sub&gt;open, <u>x</u>"),
        (
            "<b>b</b><i>i</i><strong>S</strong><em>E</em>",
            "<strong>b</strong><em>i</em><strong>S</strong><em>E</em>",
        ),
        ("<s>s</s><del>d</del><STRIKE>k</STRIKE><ins>n</ins>", "<s>s</s><s>d</s><s>k</s><u>n</u>"),
        (
            "The <b> tag, <!-- x --> and <a href='x'>",
            "The &lt;b&gt; tag, &lt;!-- x --&gt; and &lt;a href='x'&gt;",
        ),
        ("<kbd onclick='x'>k</kbd>", "&lt;kbd onclick='x'&gt;k&lt;/kbd&gt;"),
        ("`<kbd>k</kbd>`", "<code>&lt;kbd&gt;k&lt;/kbd&gt;</code>"),
        ("&lt;br&gt; \\<br>", "&lt;br&gt; &lt;br&gt;"),
        ("Use Vec<Item:Clone>.", "Use Vec&lt;Item:Clone&gt;."),
        ("Great![^1]", 'Great!<sup class="note">1</sup>'),
        ("[](https://a.example)", '<a href="https://a.example">https://a.example</a>'),
        ("[x]()", "[x]()"),
    ],
)
def test_a_tag_or_a_link_without_text_is_drawn_or_stays_text(text: str, html: str) -> None:
    assert window_html(text) == f"<p>{html}</p>"


@pytest.mark.parametrize(
    ("text", "title", "rest"),
    [
        ("> [!NOTE]\n> Read this.", "note", "<p>Read this.</p>"),
        ("> [!tip]  \n> **so**", "tip", "<p><strong>so</strong></p>"),
        ("> [!WARNING]\n>\n> - a", "warning", "<ul><li>a</li></ul>"),
        ("> [!CAUTION]", "caution", ""),
    ],
)
def test_an_alert_has_a_title(text: str, title: str, rest: str) -> None:
    assert window_html(text) == f'<p class="alert-{title}">{title.title()}</p>{rest}'
    page = MarkdownHtml(formulas=FormulaHtml()).render(text)
    assert page.startswith(f'<blockquote class="alert-{title}">\n<p class="alert">{title.title()}</p>')


@pytest.mark.parametrize("text", ["> [!NOTE] here", "> x\n> [!NOTE]", "> [!OTHER]\n> x", "[!NOTE]\nx"])
def test_other_quotations_are_no_alerts(text: str) -> None:
    assert "alert" not in window_html(text)
    assert "[!" in window_html(text)


def test_the_title_of_an_alert_from_right_to_left_is_at_the_right() -> None:
    assert is_rtl_html(window_html("> [!NOTE]\n> שלום"))


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("![a cat](https://e.example/c.png)", "[image: a cat, e.example]"),
        ("![](https://e.example/c.png)", "[image: https://e.example/c.png]"),
    ],
)
def test_an_image_is_a_link_to_its_address(source: str, shown: str) -> None:
    link = f'<a href="https://e.example/c.png" class="image">{shown}</a>'
    assert window_html(source) == f"<p><i>{link}</i></p>"
    assert link in MarkdownHtml(formulas=FormulaHtml()).render(source)


@pytest.mark.parametrize(
    ("source", "shown"),
    [
        ("![a](cat.png)", "[image: a]"),
        ("![a](data:image/png;base64,AAAA)", "[image: a]"),
        ("![a](file:///etc/passwd)", "[image: a]"),
    ],
)
def test_an_image_without_a_web_address_is_no_link(source: str, shown: str) -> None:
    assert window_html(source) == f"<p><i>{shown}</i></p>"
    assert "<a" not in MarkdownHtml(formulas=FormulaHtml()).render(source)


def test_an_image_in_a_link_leads_where_that_does() -> None:
    source = "[![build](https://b.example/i.svg)](https://a.example)"
    for html in (window_html(source), MarkdownHtml(formulas=FormulaHtml()).render(source)):
        assert html.count("<a ") == 1
        assert "https://a.example" in html
        assert "[image: build, b.example]" in html


def test_a_list_in_a_cell_has_a_line_for_each_item() -> None:
    body = window_html(
        "| a |\n|---|\n| x<ul><li>**1**</li><li>2</li></ul>y |\n| <ol><li>3</li><li>4</li></ol> |"
    )
    assert ">x<br>• <strong>1</strong><br>• 2<br>y<" in body
    assert ">1. 3<br>2. 4<" in body


def test_details_have_their_summary_as_title_and_show_all() -> None:
    text = "<details>\n<summary>More *so*</summary>\n\n- a\n\n</details>\nafter"
    assert "<p><b>More <em>so</em></b></p><ul><li>a</li></ul>" in window_html(text)
    page = MarkdownHtml(formulas=FormulaHtml()).render(text)
    assert '<details open="">\n<summary>More <em>so</em></summary>\n<ul>' in page
    assert page.endswith("</details>\n<p>after</p>\n")


@pytest.mark.parametrize(
    "text", ["<details>a</details>", "<details onclick='x'>\n", "</details>", "<summary>a</summary>"]
)
def test_other_details_stay_text(text: str) -> None:
    assert shown(text) == text.strip()


def test_a_code_block_shows_the_whole_line_above_it() -> None:
    (block,) = split_blocks('```python title="a &amp; b.py"\nx\n```')
    assert (block.language, block.info) == ("python", 'python title="a & b.py"')
    assert '<p class="language">python title=&quot;a &amp; b.py&quot;</p>' in MarkdownHtml(
        formulas=FormulaHtml()
    ).render('```python title="a &amp; b.py"\nx\n```')


def test_a_footnote_keeps_its_mark_whatever_it_begins_with() -> None:
    assert window_html("[^a]:\n").startswith('<p class="footnote"><sup class="note">a</sup>')
    assert '<sup class="note">b</sup> </p><ul>' in window_html("[^b]: - x")
    assert '<li><p class="footnote"><sup class="note">c</sup> x' in window_html("- [^c]: x")


def window_html(text: str) -> str:
    return "".join(block.body for block in split_blocks(text))
