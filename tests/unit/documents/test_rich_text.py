"""Files in Rich Text Format: read as Word, LibreOffice and WordPad write them, whatever is in them."""

from __future__ import annotations

import random

import pytest

from fireside.core.i18n import render
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest
from fireside.retrieval.chunking import chunks_of

N_MUTANTS = 200
SEED = 7
HEAD = (
    rb"{\rtf1\ansi\ansicpg1252\deff0{\fonttbl{\f0\fswiss\fcharset0 Arial;}{\f1\fcharset204 Arial Cyr;}}"
    rb"{\colortbl;\red255\green255\blue255;\red255\green0\blue0;}"
    rb"{\stylesheet{\s0 Normal;}{\s1\sbasedon0\b Heading 1;}{\s2\outlinelevel1 \'dcberschrift 2;}}"
    rb"{\info{\author nobody}}{\*\generator X}"
)


def of(data: bytes) -> ReadReply:
    return read(ReadRequest(name="file", data=data))


def text_of(body: bytes) -> str:
    return of(HEAD + body + b"}").text


def hidden_of(reply: ReadReply) -> list[str]:
    return [reply.text[start:end] for start, end in reply.hidden]


def test_paragraphs_headings_and_symbols_are_read() -> None:
    body = (
        rb"\pard\plain\s1 Title\par \pard\plain\s2 Part\par"
        rb"\pard\plain\outlinelevel9 Gr\'f6\'dfe \bullet\tab 5"
        rb"\~m\line next \{x\}\emdash end\par{\pict 0123abcd}"
        rb"{\field{\*\fldinst HYPERLINK x}{\fldrslt a link}}\par {\b bold} and {\*\unknown gone}after"
    )
    reply = of(HEAD + body + b"}")
    assert reply.media_type == "application/rtf"
    assert reply.text == ("# Title\n\n## Part\n\nGröße •\t5\xa0m\nnext {x}—end\n\na link\n\nbold and after")
    assert not reply.hidden


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (
            rb"{\header ACME\par File 7\par}{\headerf First}"
            rb"{\footer {\field{\*\fldinst PAGE}{\fldrslt 3}}}Body.",
            "[Header: ACME / File 7]\n\nBody.",
        ),
        (rb"\titlepg{\headerf First}{\footerr Odd}Body.", "[Header: First]\n\nBody."),
        (rb"{\header Same}One.\sect {\header Same}Two.", "[Header: Same]\n\nOne.\n\nTwo."),
        (
            rb'See {\field{\*\fldinst {HYPERLINK "https://a.example/x"}}{\fldrslt {\b this}}} now.',
            "See this (https://a.example/x) now.",
        ),
        (
            rb"It{\*\atnid AB}{\*\atnauthor Ada}\chatn{\*\annotation{\*\atndate 5}\pard\plain Why?} is.",
            "It [Comment by Ada: Why?] is.",
        ),
        (
            rb"{\listtext\tab 1.\tab}\ilvl0 one\par{\listtext\'b7\tab}\ilvl1 dot\par"
            rb"{\pntext\tab a)\tab}\ilvl0 last",
            "1. one\n\n  - dot\n\na) last",
        ),
        (rb"{\nonesttables again}once", "once"),
        (rb"x{\footnote {cut off", "xcut off"),
    ],
)
def test_headers_links_comments_and_marks_of_lists_are_read(body: bytes, text: str) -> None:
    assert text_of(body) == text


def test_signs_of_symbol_fonts_are_read() -> None:
    symbol = rb"{\f3\froman\fcharset2{\*\panose 05}Symbol;}"
    head = rb"{\rtf1\ansi{\fonttbl{\f0 Arial;}" + symbol + rb"{\f4\fcharset2 Wingdings;}}"
    assert of(head + rb"{\f3 a\'b3}5 {\f4\'fc}{\f4\u-3844?}}").text == "α≥5 ✓✓"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (rb"\u8364?5", "€5"),
        (rb"\u8364\'80 5", "€ 5"),
        (rb"\uc0\u8364 5", "€5"),
        (rb"\uc2\u8364??5", "€5"),
        (rb"\u-10179?\u-8704?!", "\U0001f600!"),
        (rb"\u-8960?lone", "lone"),
        (rb"{\f1\'cf\'f0\'e8}\'e9", "Приé"),
    ],
)
def test_letters_beyond_ascii_are_read(body: bytes, text: str) -> None:
    assert text_of(body) == text


def test_letters_of_two_bytes_are_read() -> None:
    head = HEAD.replace(rb"\ansicpg1252", rb"\ansicpg932")
    assert of(head + rb"\'93\'fa\'96\'7b}").text == "日本"


def test_tables_and_notes_are_read() -> None:
    body = (
        rb"\trowd\cellx1\cellx2\pard\intbl Plant\cell Depth\par deep\cell\row"
        rb"\trowd\pard\intbl\cell 2 cm\cell\row"
        rb"\pard After{\super\chftn}{\*\footnote\pard\plain A note.\par} it"
    )
    assert text_of(body) == "Plant | Depth deep\n | 2 cm\nAfter (A note.) it"


def test_the_text_of_a_frame_is_read_without_its_properties() -> None:
    body = (
        rb"{\shp{\*\shpinst\shpleft1{\sp{\sn shapeType}{\sv 202}}{\shptxt\pard Framed\par}}"
        rb"{\shprslt}}\pard Text"
    )
    assert text_of(body) == "Framed\n\nText"


@pytest.mark.parametrize(
    ("body", "hidden"),
    [
        (rb"a {\v secret}", ["secret"]),
        (rb"a {\fs2 tiny}", ["tiny"]),
        (rb"a {\cf1 white}", ["white"]),
        (rb"a {\cf1\cb2 white on red}", []),
        (rb"a {\cf2 red}", []),
        (rb"\trowd\clcbpat2\pard\intbl{\cf1 head}\cell\row", []),
        (rb"a {\v secret\v0 seen}", ["secret"]),
    ],
)
def test_hidden_text_is_marked(body: bytes, hidden: list[str]) -> None:
    assert hidden_of(of(HEAD + body + b"}")) == hidden


def test_tracked_deletions_are_excluded() -> None:
    assert text_of(rb"a {\deleted gone }b") == "a b"


def test_bytes_of_a_picture_are_skipped() -> None:
    assert text_of(rb"a{\pict\bin6 }}}}{{} b") == "a b"


def test_a_document_nested_without_end_is_refused() -> None:
    assert render(of(HEAD + b"{" * 5_000).problem) == "its parts are nested too deep."


def test_a_table_that_was_cut_off_is_read() -> None:
    assert of(HEAD + rb"\pard\intbl one\cell two").text == "one | two"


def test_a_mutated_document_gives_text_or_a_reason() -> None:
    rng = random.Random(SEED)
    whole = HEAD + (
        rb"\pard\s1 A\par\trowd\pard\intbl a\cell b\cell\row"
        rb"\pard\u8364? {\v b}{\*\footnote c}{\f1\'cf}\bin3 xyz}"
    )
    for _ in range(N_MUTANTS):
        data = bytearray(whole)
        for _ in range(rng.randrange(1, 8)):
            position = rng.randrange(6, len(data))
            data[position : position + rng.randrange(5)] = rng.choice(
                [b"\0\xff", b"{", b"}", b"\\", rb"\u9999999", rb"\ansicpg0", rb"\bin-4 ", rb"\fs-9", b""]
            )
        reply = of(bytes(data))
        assert reply.problem or reply.media_type
        chunks_of(reply, name="a.rtf")
