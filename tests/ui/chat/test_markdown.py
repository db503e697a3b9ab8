"""Splitting answers into blocks, whole and streamed."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.markup.block_stream import BlockKind, MarkdownStream, split_blocks
from fireside.markup.rich_text import formula_source

LINES = [
    "\\begin{align}",
    "\\end{align}",
    "A paragraph with **bold**, `code` and [a link](https://example.org).",
    "# Heading",
    "#",
    "#tag",
    "- one",
    "-",
    "-two",
    "  - nested",
    "    continued",
    "* star",
    "***",
    "***bold***",
    "---",
    "1. first",
    "1. again",
    "2) other",
    "   ```python",
    "```python",
    "```markdown",
    "```",
    "``` a`b",
    "~~~",
    "x = [1, 2]",
    "    indented",
    "\ttab",
    "> quote",
    ">",
    "lazy",
    "| a | b |",
    "|---|:-:|",
    "a | b",
    "--|x",
    "===",
    "- [ ] task",
    "- [x] done",
    "",
    "",
    "",
    "![image](http://127.0.0.1/x.png)",
    "<div>html</div>",
    "<!DOCTYPE html>",
    "<html lang='en'>",
    "</html>",
    "<svg width='9'",
    "<svg></svg>",
    "<?xml version='1.0'?>",
    "<details>",
    "<details><summary>more</summary>",
    "<summary>more</summary>",
    "</details>",
    "H<sub>2</sub>O<br>",
    "[INFO]: started",
    "| $|a|$ | b | c | d |",
    "  | a | b |",
    "  |---|---|",
    "> | a | b |",
    "> |---|---|",
    "&amp; &#x41; \\*",
    "עברית עם english",
    "日本語の文章です。",
    "word " * 90,
    "$$",
    "$$ x = 1 $$",
    "$$ is money",
    "So $$",
    "$$ where a",
    "= a + b",
    "\\[",
    "\\]",
    "\\[ y^2 \\]",
    "  $$",
    "> $$",
    "- $$",
    "a^2 $$ more",
    "costs $5 and $x^2$ and \\(y\\)",
    "note[^1] and[^name]",
]
documents = st.lists(st.sampled_from(LINES), max_size=24).map("\n".join)
DEFINITIONS = [
    "[ref]: https://example.org",
    "[ref]",
    "'title'",
    "[^name]: a note",
    "[ref]: again",
    "[^1]:",
    "    more",
]
with_references = st.lists(st.sampled_from([*LINES, *DEFINITIONS]), max_size=24)


def streamed(parts: list[str]) -> MarkdownStream:
    stream = MarkdownStream()
    for part in parts:
        stream.append(part)
    return stream


def cut(text: str, points: list[int]) -> list[str]:
    marks = sorted({0, len(text), *(p % (len(text) + 1) for p in points)})
    return [text[a:b] for a, b in pairwise(marks)]


@given(documents, st.lists(st.integers(0, 10_000), max_size=12))
def test_streamed_text_equals_the_text_parsed_whole(text: str, points: list[int]) -> None:
    assert list(streamed(cut(text, points)).blocks) == list(split_blocks(text))


@given(documents)
def test_text_streamed_by_the_character_equals_the_text_parsed_whole(text: str) -> None:
    assert list(streamed(list(text)).blocks) == list(split_blocks(text))


@given(with_references.map("\n".join), st.lists(st.integers(0, 10_000), max_size=12))
def test_link_definitions_are_honoured_once_the_stream_is_finished(text: str, points: list[int]) -> None:
    stream = streamed(cut(text, points))
    stream.finish()
    assert list(stream.blocks) == list(split_blocks(text))


@given(documents, st.lists(st.integers(0, 10_000), max_size=12))
def test_blocks_before_the_reported_index_did_not_change(text: str, points: list[int]) -> None:
    stream = MarkdownStream()
    for part in cut(text, points):
        before = list(stream.blocks)
        first = stream.append(part)
        assert list(stream.blocks)[:first] == before[:first]


@given(st.text(max_size=400))
def test_any_text_is_split_without_an_error_and_covers_its_source(text: str) -> None:
    stream = streamed([text])
    stream.finish()
    ends = [block.end for block in stream.blocks]
    starts = [block.start for block in stream.blocks]
    assert starts[1:] == ends[:-1]


def test_a_closed_block_is_not_parsed_again() -> None:
    stream = streamed(["First.\n\n" * 400, "Second"])
    assert stream.append(" part") >= 1


def test_code_inside_a_list_item_becomes_a_block_of_its_own() -> None:
    kinds = [
        (b.kind, b.indent)
        for b in split_blocks("1. Do this:\n\n   ```sh\n   ls\n   ```\n\n   Then that.\n2. Done")
    ]
    assert kinds == [
        (BlockKind.PROSE, 0),
        (BlockKind.CODE, 1),
        (BlockKind.PROSE, 1),
        (BlockKind.PROSE, 0),
    ]


def test_a_quote_inside_a_list_item_becomes_a_block_of_its_own() -> None:
    blocks = split_blocks("- one\n\n  > said **so**\n  >\n  > twice\n\n  rest\n- two")
    assert [(b.kind, b.indent) for b in blocks] == [
        (BlockKind.PROSE, 0),
        (BlockKind.QUOTE, 1),
        (BlockKind.PROSE, 1),
        (BlockKind.PROSE, 0),
    ]
    assert "said" in blocks[1].body
    assert "twice" in blocks[1].body
    assert "blockquote" not in blocks[1].body


TABLE = ["| Option | Price |", "|---|---|", "| A | 1 |"]


@pytest.mark.parametrize(
    ("prefix", "before", "places"),
    [
        ("   ", "1. x\n\n", [(BlockKind.PROSE, 0, 0), (BlockKind.TABLE, 1, 0)]),
        ("> ", "> x\n>\n", [(BlockKind.QUOTE, 0, 1), (BlockKind.TABLE, 0, 1)]),
        (
            "     ",
            "- x\n  - y\n\n",
            [(BlockKind.PROSE, 0, 0), (BlockKind.PROSE, 1, 0), (BlockKind.TABLE, 2, 0)],
        ),
        (
            "> > ",
            "> x\n> > y\n> >\n",
            [(BlockKind.QUOTE, 0, 1), (BlockKind.QUOTE, 0, 2), (BlockKind.TABLE, 0, 2)],
        ),
        ("  > ", "- x\n\n", [(BlockKind.PROSE, 0, 0), (BlockKind.TABLE, 1, 1)]),
        ("", "<details>\n<summary>x</summary>\n\n", [(BlockKind.QUOTE, 0, 1), (BlockKind.TABLE, 0, 1)]),
        (">   ", "> - x\n>\n", [(BlockKind.QUOTE, 0, 1), (BlockKind.TABLE, 0, 1)]),
    ],
)
def test_a_table_in_lists_and_quotations_is_the_same_block_as_elsewhere(
    prefix: str, before: str, places: list[tuple[BlockKind, int, int]]
) -> None:
    blocks = split_blocks(before + "".join(f"{prefix}{line}\n" for line in TABLE))
    assert [(block.kind, block.indent, block.quotes) for block in blocks] == places
    (alone,) = split_blocks("\n".join(TABLE))
    assert blocks[-1].body == alone.body


def test_numbers_and_text_go_on_after_a_table_in_an_item() -> None:
    text = "1. a\n\n" + "".join(f"   {line}\n" for line in TABLE) + "\n   rest\n2. b"
    assert [block.body for block in split_blocks(text) if block.kind is BlockKind.PROSE] == [
        '<ol start="1"><li>a</li></ol>',
        "<p>rest</p>",
        '<ol start="2"><li>b</li></ol>',
    ]


def test_a_long_table_in_an_item_is_split_into_parts() -> None:
    rows = "".join(f"  | {number} | x |\n" for number in range(60))
    blocks = split_blocks(f"- a\n\n  | n | x |\n  |---|---|\n{rows}")[1:]
    assert [(block.kind, block.continues, block.indent) for block in blocks] == [
        (BlockKind.TABLE, False, 1),
        (BlockKind.TABLE, True, 1),
        (BlockKind.TABLE, True, 1),
    ]


def test_an_item_that_is_a_quote_keeps_its_marker() -> None:
    (block,) = split_blocks("- > quoted\n- two")
    assert block.kind is BlockKind.PROSE
    assert "<blockquote>" in block.body


def test_numbering_continues_when_a_list_is_split() -> None:
    text = "".join(f"1. item {k} {'word ' * 60}\n" for k in range(12))
    bodies = [b.body for b in streamed(list(text)).blocks]
    assert bodies[0].startswith('<ol start="1">')
    assert bodies[1].startswith('<ol start="6">')


def test_line_ends_of_other_systems_are_parsed_even_when_split() -> None:
    assert list(streamed(["# a\r", "\nb\r\n\r", "\nc"]).blocks) == list(split_blocks("# a\nb\n\nc"))


@pytest.mark.parametrize(
    "deep", [">" * 200 + " core", "".join("  " * k + "- a\n" for k in range(60)) + "end"]
)
def test_text_nested_deeper_than_the_limit_is_shown_as_written(deep: str) -> None:
    body = "".join(b.body for b in split_blocks(deep))
    assert "core" in body or "end" in body


def test_no_laid_out_run_is_longer_than_the_limit() -> None:
    body = "".join(b.body for b in split_blocks("x" * 30_000))
    assert max(len(run) for run in body.replace("</p>", "<p>").split("<p>")) <= 5_000


def test_a_long_paragraph_is_not_broken() -> None:
    text = "The sea comes and goes with the moon " * 250
    body = "".join(b.body for b in split_blocks(text))
    assert len(text) > 9_000
    assert body.count("<p>") == 1


def test_a_much_too_long_paragraph_is_split_after_sentences() -> None:
    body = "".join(b.body for b in split_blocks("It comes twice a day, and goes. " * 2_000))
    broken = body.removeprefix("<p>").split("</p><p>")
    assert len(broken) > 1
    assert all(part.startswith("It comes") for part in broken)


def test_a_task_list_has_checked_items() -> None:
    body = split_blocks("- [ ] open\n- [x] done")[0].body
    assert body == '<ul><li class="unchecked">open</li><li class="checked">done</li></ul>'


@pytest.mark.parametrize(
    "source",
    [
        "[x](file:///etc/passwd)",
        "[x](javascript:alert(1))",
        "[x](smb://host/share)",
        "[x](//host/x)",
        "<calc:1>",
    ],
)
def test_only_web_and_mail_addresses_become_links(source: str) -> None:
    assert "<a " not in split_blocks(source)[0].body


def test_a_bare_url_becomes_a_link_without_its_full_stop() -> None:
    assert '<a href="https://example.org/a">' in split_blocks("See https://example.org/a.")[0].body


def test_an_image_becomes_text() -> None:
    assert "[image: a cat, example.org]" in split_blocks("![a cat](https://example.org/cat.png)")[0].body


@pytest.mark.parametrize(
    "source",
    [
        "$x$",
        "$x^2 + y^2$",
        "$10$",
        "$f(x) = \\sin x$",
        "$n!$",
        "($P(A|B)$)",
        "$$ x = 1 $$ here",
        "\\(x\\)",
        "so \\[ y = 2 \\] then",
        "$speed = distance/time$",
    ],
)
def test_delimited_mathematics_becomes_a_formula(source: str) -> None:
    assert '<img src="math:' in split_blocks(source)[0].body


@pytest.mark.parametrize("name", ["align", "align*", "equation", "gather", "cases", "pmatrix", "array"])
def test_an_environment_on_lines_of_its_own_is_a_formula(name: str) -> None:
    formula = f"\\begin{{{name}}}\na &= b \\\\\nc &= d\n\\end{{{name}}}"
    before, block, after = split_blocks(f"So:\n{formula}\nand on.")
    assert block.kind is BlockKind.MATH
    assert formula_source(block.body.split('"')[1]) == formula
    assert (before.body, after.body) == ("<p>So:</p>", "<p>and on.</p>")


def test_an_environment_may_be_one_line_and_end_a_sentence() -> None:
    (block,) = split_blocks("\\begin{equation} E = mc^2 \\end{equation}.")
    assert block.kind is BlockKind.MATH


@pytest.mark.parametrize(
    "source",
    [
        "\\begin{align}\na = b",
        "\\begin{itemize}\n\\item a\n\\end{itemize}",
        "Write \\begin{align} first.",
        "\\begin{align} a \\end{align} is an environment",
        "```\n\\begin{align}\na\n\\end{align}\n```",
    ],
)
def test_an_incomplete_environment_stays_text(source: str) -> None:
    assert "math:" not in "".join(block.body for block in split_blocks(source))


@pytest.mark.parametrize(
    "source",
    [
        "from $5 to $10",
        "$5 and $10",
        "$5-$10",
        "$20/month ($240/year)",
        "5$ and 10$",
        "US$5 or A$6",
        "$HOME and $PATH",
        "$HOME:$PATH",
        "$PATH$",
        "\\$x\\$",
        "`$x$`",
        "$a `b` c$",
        "they make $$ and spend $$ fast",
        "it is $5 million$ or so",
        "use [^a-z] here",
        "\\(not a formula\\)",
    ],
)
def test_money_and_names_of_variables_stay_text(source: str) -> None:
    assert "<img" not in split_blocks(source)[0].body


@pytest.mark.parametrize("source", ["$$\nx\n$$", "\\[\nx\n\\]", "$$x$$", "Text:\n$$\nx\n$$\nmore"])
def test_a_formula_on_lines_of_its_own_is_a_block(source: str) -> None:
    assert BlockKind.MATH in [b.kind for b in split_blocks(source)]


def test_a_formula_that_has_not_ended_is_shown_as_it_was_written() -> None:
    assert split_blocks("$$\na_1 *b* <i>")[0].body == "<p><code>$$<br>a_1 *b* &lt;i&gt;</code></p>"


def test_a_formula_that_never_ends_stops_at_the_next_empty_line() -> None:
    assert split_blocks("$$\nx\n\n# Title")[0].body.endswith('<p class="h1">Title</p>')


def test_the_source_of_a_formula_is_in_the_name_of_its_picture() -> None:
    body = split_blocks("$\\frac{a}{b}$")[0].body
    assert formula_source(body.split('"')[1]) == "$\\frac{a}{b}$"


def test_a_footnote_is_superscript_and_followed_by_its_definition() -> None:
    body = split_blocks("Text[^1].\n\n[^1]: The *note*.")[0].body
    assert 'Text<sup class="note">1</sup>.' in body
    assert '<p class="footnote"><sup class="note">1</sup> The <em>note</em>.</p>' in body


def test_a_footnote_with_a_name_needs_a_definition() -> None:
    assert "<sup>" not in split_blocks("Use [^abc] to match.")[0].body


def test_br_in_a_cell_begins_a_line() -> None:
    body = split_blocks("| a |\n|---|\n| one<br>two<b id='x'>x</b> |")[0].body
    assert "one<br>two&lt;b id" in body


@pytest.mark.parametrize(
    ("source", "address"),
    [
        ("see www.example.org/a.", "https://www.example.org/a"),
        ("to me@example.org, please", "mailto:me@example.org"),
    ],
)
def test_addresses_without_a_scheme_become_links(source: str, address: str) -> None:
    assert f'<a href="{address}">' in split_blocks(source)[0].body
