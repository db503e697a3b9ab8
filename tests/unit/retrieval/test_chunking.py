"""Chunks follow the structure of a document and cover all of it."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from fireside.core.collection import LineLocation, PageLocation, RowLocation
from fireside.documents.extracted_text import locate_marks, strip_marks
from fireside.documents.extraction import read
from fireside.documents.markdown import is_markdown, mark_markdown
from fireside.documents.messages import Heading, ReadReply, ReadRequest, Section, SectionKind
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.chunking import OVERLAP_TOKENS, TARGET_TOKENS, chunks_of, tokens_of

SENTENCE = "The quick brown fox number {n} jumps over the lazy dog near the river. "


def chunks(text: str, *, name: str = "a.md") -> tuple[Chunk, ...]:
    marked = mark_markdown(strip_marks(text)) if is_markdown(name) else text
    return chunks_of(locate_marks(ReadReply(text=marked)), name=name)


def headings_of(text: str, name: str) -> list[tuple[str, ...]]:
    """Return the headings of the chunks of a file, as it is read."""
    reply = read(ReadRequest(name=name, data=text.encode()))
    return [chunk.headings for chunk in chunks_of(reply, name=name)]


PIECES = st.sampled_from(
    [
        "# Title\n",
        "## Part of it\n\n",
        "A sentence that ends here. And another one! ",
        "\n\n",
        "- a point\n",
        "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
        "```python\nprint(1)\n\nprint(2)\n```\n",
        "```\nnever closed\n",
        "word " * 700,
        "x" * 5_000,
        "   \n",
        "日本語の文。これも文。",
        '"a, b",2\n',
        "def run(self):\n    return 1\n",
    ]
)


@given(st.lists(PIECES | st.text(max_size=40), max_size=12), st.sampled_from(["a.md", "a.py", "a.csv", "a"]))
def test_chunks_cover_the_text_in_order(parts: list[str], name: str) -> None:
    text = "".join(parts)
    position = 0
    split = chunks(text, name=name)
    for chunk in split:
        assert chunk.char_from <= position < chunk.char_to
        assert text[chunk.char_from : chunk.char_to] == chunk.text
        assert tokens_of(chunk.text) <= 4 * TARGET_TOKENS  # one unit of four bytes a character
        position = chunk.char_to
    assert position == len(text) if text.strip() else not split


def test_prose_is_cut_between_sentences_with_some_overlap() -> None:
    text = "".join(SENTENCE.format(n=n) for n in range(100))
    pieces = chunks(text)
    assert len(pieces) > 3
    for before, chunk in pairwise(pieces):
        assert chunk.text.startswith("The quick")
        assert 0 < tokens_of(text[chunk.char_from : before.char_to]) <= OVERLAP_TOKENS
        assert tokens_of(chunk.text) <= TARGET_TOKENS


def test_rows_and_code_are_never_cut() -> None:
    rows = "".join(f"| {n} | {'value ' * 20}|\n" for n in range(40))
    code = "```\n" + "line of code\n" * 60 + "```\n"
    pieces = chunks(f"# Table\n\n| n | what |\n|---|---|\n{rows}\n{code}")
    assert sum(chunk.text.count("```") == 2 for chunk in pieces) == 1
    assert all(chunk.text.count("```") in (0, 2) for chunk in pieces)
    for chunk in pieces:
        for line in chunk.text.splitlines():
            assert not line.startswith("|") or line.endswith("|")


def test_rows_in_a_later_chunk_have_the_names_of_their_columns() -> None:
    rows = "".join(f"{n},{'x' * 80}\n" for n in range(60))
    pieces = chunks(f"number,what\n{rows}", name="list.csv")
    assert len(pieces) > 2
    assert pieces[0].headings == ()
    assert all(chunk.headings == ("number,what",) for chunk in pieces[1:])
    assert pieces[0].location == RowLocation(first=1, last=pieces[0].text.count("\n"))
    assert all(len(chunk.text) <= 500 for chunk in pieces)


def test_a_chunk_knows_the_headings_over_it() -> None:
    body = "".join(SENTENCE.format(n=n) for n in range(12))
    pieces = chunks(
        f"# Manual\n\n{body}\n\n## Care\n\n{body}\n\n### Filter\n\n{body}\n\n## Parts\n\n{body}\n"
    )
    assert [chunk.headings for chunk in pieces] == [
        ("Manual",),
        ("Manual", "Care"),
        ("Manual", "Care", "Filter"),
        ("Manual", "Parts"),
    ]


def test_declared_headings_are_those_of_the_text_below_them() -> None:
    body = "".join(SENTENCE.format(n=n) for n in range(12))
    text = f"1 Manual\n1.1 Care\n{body}\n{body}"
    below = len(text) - len(body)
    pieces = chunks_of(
        ReadReply(
            text=text,
            headings=(
                Heading(start=0, end=9, level=1, title="Manual"),
                Heading(start=9, end=18, level=2, title="Care"),
                Heading(start=below, end=below, level=1, title="Parts"),
                Heading(start=below, end=below, level=2, title="Filter"),
            ),
            sections=(
                Section(kind=SectionKind.PAGE, number=1, start=0),
                Section(kind=SectionKind.PAGE, number=2, start=below),
            ),
        ),
        name="a.pdf",
    )
    assert [(chunk.headings, chunk.char_from) for chunk in pieces] == [
        (("Manual", "Care"), 0),
        (("Parts", "Filter"), below),
    ]
    assert pieces[-1].char_to == len(text)


def test_a_line_that_begins_with_a_number_sign_is_a_heading_in_markdown_only() -> None:
    body = "".join(SENTENCE.format(n=n) for n in range(12))
    text = f"# apt install spamassassin\n\n{body}\n#!/usr/bin/perl\n# MIN HR DOM\n{body}"
    assert set(headings_of(text, "notes.txt")) == {()}
    assert set(headings_of(text, "sshd_config")) == {()}
    assert headings_of(text, "NOTES.MD") == [("apt install spamassassin",), ("MIN HR DOM",)]
    page = f"<html><body><h1>Mail</h1><p>{body}</p><pre># apt install spamassassin\n</pre><p>{body}</p>"
    assert set(headings_of(page, "mail.html")) == {("Mail",)}
    assert set(headings_of(page.replace("pre>", "p>"), "mail.html")) == {("Mail",)}


def test_headings_of_markdown_are_those_of_commonmark() -> None:
    body = "".join(SENTENCE.format(n=n) for n in range(12))
    text = (
        "---\n# settings\ntitle: x\n---\n"
        f"Manual\n===\n\n{body}\n\n```sh\n# comment\n```\n\n    # indented\n\n"
        f"Care\n---\n\n{body}\n\n> # quoted\n\n{body}\n\n### C# ###\n\n#hashtag\n\n{body}"
    )
    found = headings_of(text, "a.md")
    assert list(dict.fromkeys(found)) == [(), ("Manual", "Care"), ("Manual", "Care", "C#")]


def test_the_number_of_a_page_belongs_to_the_heading_below_it() -> None:
    body = "".join(SENTENCE.format(n=n) for n in range(12))
    text = f"Care\n{body}\n48\nParts\n{body}"
    page, heading = text.index("48"), text.index("Parts")
    pieces = chunks_of(
        ReadReply(
            text=text,
            headings=(
                Heading(start=0, end=5, level=1, title="Care"),
                Heading(start=heading, end=heading + 6, level=1, title="Parts"),
            ),
            sections=(
                Section(kind=SectionKind.PAGE, number=1, start=0),
                Section(kind=SectionKind.PAGE, number=2, start=page),
            ),
        ),
        name="a.pdf",
    )
    assert [chunk.headings for chunk in pieces] == [("Care",), ("Parts",)]


def test_lines_are_counted_from_one() -> None:
    body = "".join(SENTENCE.format(n=n) + "\n" for n in range(12))
    pieces = chunks(f"# A\n\n{body}\n# B\n\n{body}")
    assert pieces[0].location == LineLocation(first=1, last=14)
    assert pieces[1].location == LineLocation(first=16, last=29)


def test_no_chunk_crosses_the_end_of_a_page() -> None:
    pages = ["First page. " * 5 + "\n\n", "Second page. " * 300 + "\n\n", "Third page."]
    starts = [0, len(pages[0]), len(pages[0]) + len(pages[1])]
    sections = tuple(
        Section(kind=SectionKind.PAGE, number=number, start=start)
        for number, start in zip((1, 2, 7), starts, strict=True)
    )
    pieces = chunks_of(ReadReply(text="".join(pages), sections=sections, n_pages=7), name="a.pdf")
    assert [chunk.location for chunk in pieces if "First" in chunk.text] == [PageLocation(page=1)]
    assert {chunk.location for chunk in pieces if "Second" in chunk.text} == {PageLocation(page=2)}
    assert [chunk.location for chunk in pieces if "Third" in chunk.text] == [PageLocation(page=7)]


def test_rows_of_a_sheet_are_counted_within_it() -> None:
    text = "a | b\n1 | 2\n\nx | y\n3 | 4\n"
    sections = (
        Section(kind=SectionKind.SHEET, number=1, name="Costs", start=0),
        Section(kind=SectionKind.SHEET, number=2, name="Sums", start=13),
    )
    pieces = chunks_of(ReadReply(text=text, sections=sections), name="a.xlsx")
    assert [chunk.location for chunk in pieces] == [
        RowLocation(sheet="Costs", first=1, last=2),
        RowLocation(sheet="Sums", first=1, last=2),
    ]


def test_hidden_text_is_marked() -> None:
    reply = ReadReply(text="Seen.\n\nNot seen.", hidden=((7, 16),))
    assert [chunk.is_hidden for chunk in chunks_of(reply, name="a.pdf")] == [True]
