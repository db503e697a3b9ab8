"""PDF files: words as readers see them, forms, comments, bookmarks, hidden text."""

from __future__ import annotations

import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pypdf import PdfWriter
from pypdf.annotations import FreeText, Text
from pypdf.generic import (
    ArrayObject,
    BooleanObject,
    DecodedStreamObject,
    DictionaryObject,
    FloatObject,
    NameObject,
    NumberObject,
    TextStringObject,
)

from fakes.pdf_files import pdf_file, pdf_with_content
from fireside.core.i18n import render
from fireside.documents import pdf as pdf_reading
from fireside.documents.extracted_text import HIDDEN, strip_marks
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest
from fireside.documents.pdf import Insertion
from fireside.documents.pdf_page_text import HYPHEN, join_words


def of(data: bytes) -> ReadReply:
    reply = read(ReadRequest(name="file.pdf", data=data))
    assert not reply.problem
    return reply


def written(writer: PdfWriter) -> bytes:
    data = io.BytesIO()
    writer.write(data)
    return data.getvalue()


def content(*lines: str) -> ReadReply:
    return of(pdf_with_content("\n".join(lines)))


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        ("BT 5 Tc (Metropolis Tower) Tj ET", "Metropolis Tower"),
        ("BT 9 Tc (SUMMARY) Tj ET", "SUMMARY"),
        ("BT (x) Tj /F1 8 Tf 5 Ts (2) Tj /F1 12 Tf 0 Ts ( = 9) Tj ET", "x2 = 9"),
        (
            "BT (The aircraft) Tj /F1 7 Tf 5 Ts (12) Tj /F1 12 Tf 0 Ts ( flies.) Tj ET",
            "The aircraft 12 flies.",
        ),
        ("BT /F1 7 Tf 5 Ts (u) Tj /F1 12 Tf 0 Ts (Treatment) Tj ET", "u Treatment"),
        ("BT (CO) Tj /F1 7 Tf -3 Ts (2) Tj ET", "CO2"),
        ("BT (Bold) Tj 1 0 0 1 40.4 500 Tm (Bold) Tj ET", "Bold"),
        (
            "BT 0 1 -1 0 60 100 Tm (2) Tj ET BT /F1 12 Tf 0 1 -1 0 60 106.7 Tm (0) Tj ET "
            "BT /F1 12 Tf 0 1 -1 0 60 113.4 Tm (1) Tj ET",
            "201",
        ),
        (
            "BT 1 0 0 1 40 100 Tm (0) Tj 1 0 0 1 40 150 Tm (2) Tj 1 0 0 1 40 200 Tm (4) Tj ET",
            "0\n2\n4",
        ),
    ],
    ids=[
        "set wide",
        "spelled",
        "raised",
        "footnote",
        "letter of a footnote",
        "lowered",
        "printed twice",
        "upright",
        "an axis",
    ],
)
def test_words_are_those_that_readers_see(drawn: str, text: str) -> None:
    start = drawn.replace("BT ", "BT /F1 12 Tf 1 0 0 1 40 500 Tm ", 1)
    assert content(start).text == text


def test_words_are_joined_where_a_line_ends_with_a_hyphen() -> None:
    pages = (
        f"a well{HYPHEN}known infor{HYPHEN}mation about the {HYPHEN}flag of non{HYPHEN}normal tools",
        f"(--no{HYPHEN}install FAA{HYPHEN}approved in{HYPHEN}put) is well known as input, non-normal",
    )
    assert " ".join(" ".join(join_words(pages)).split()) == (
        "a well-known information about the -flag of non-normal tools "
        "(--no-install FAA-approved input) is well known as input, non-normal"
    )


PIECES = st.sampled_from(["word", "Other", "a", "1", "-", "--no", ".", " ", "\n", HYPHEN, "für", "語"])


@given(st.lists(st.lists(PIECES, max_size=15).map("".join), max_size=3))
def test_joining_words_loses_nothing(pages: list[str]) -> None:
    joined = join_words(pages)
    assert len(joined) == len(pages)
    for before, after in zip(pages, joined, strict=True):
        assert HYPHEN not in after
        shown = "".join(before.replace(HYPHEN, "").split())
        assert "".join(after.split()).replace("-", "") == shown.replace("-", "")


@given(st.text("ab \n", max_size=30), st.data())
def test_hidden_text_and_insertions_lose_nothing(text: str, data: st.DataObject) -> None:
    ends = sorted(data.draw(st.sets(st.integers(0, len(text)), max_size=6)))
    hidden = list(zip(ends[::2], ends[1::2], strict=False))
    places = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    marked = pdf_reading._marked(text, hidden, [Insertion(at, f"[{n}]") for n, at in enumerate(places)])
    shown = "".join(strip_marks(marked).split())
    assert re.sub(r"\[\d\]", "", shown) == "".join(text.split())
    assert re.findall(r"\[(\d)\]", shown) == [str(n) for n in range(len(places))]


def test_bookmarks_are_headings_where_their_titles_are() -> None:
    writer = PdfWriter(
        clone_from=io.BytesIO(
            pdf_file([("Manual", "1.1  Care", "Clean it.", "1.2  Care", "Oil it."), ("Only words here.",)])
        )
    )
    top = writer.add_outline_item(title="Manual", page_number=0)
    writer.add_outline_item(title="Care", page_number=0, parent=top)
    writer.add_outline_item(title="Care", page_number=0, parent=top)
    writer.add_outline_item(title="Picture", page_number=1)
    reply = of(written(writer))
    assert [(each.level, each.title, reply.text[each.start : each.end]) for each in reply.headings] == [
        (1, "Manual", "Manual\n"),
        (2, "Care", "1.1 Care\n"),
        (2, "Care", "1.2 Care\n"),
        (1, "Picture", ""),
    ]
    assert reply.text[reply.headings[-1].start :] == "Only words here."


def field(rect: tuple[int, int, int, int], **entries: object) -> DictionaryObject:
    return DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Annot"),
            NameObject("/Subtype"): NameObject("/Widget"),
            NameObject("/Rect"): ArrayObject([FloatObject(number) for number in rect]),
            **{NameObject(f"/{key}"): value for key, value in entries.items()},
        }
    )


def test_values_of_a_form_stand_where_its_readers_see_them() -> None:
    writer = PdfWriter(
        clone_from=io.BytesIO(
            pdf_file([("Name:", "Country:", "Married", "Single", "Remarks below", "", "End")])
        )
    )
    text, button = NameObject("/Tx"), NameObject("/Btn")
    fields = [
        field((90, 535, 300, 550), FT=text, T=TextStringObject("a.name[0]"), V=TextStringObject("Zoë")),
        field(
            (100, 517, 300, 532),
            FT=NameObject("/Ch"),
            T=TextStringObject("country"),
            TU=TextStringObject("Country of birth"),
            V=TextStringObject("sk"),
            Opt=ArrayObject(
                [
                    ArrayObject([TextStringObject("ab"), TextStringObject("Alberta")]),
                    ArrayObject([TextStringObject("sk"), TextStringObject("Saskatchewan")]),
                ]
            ),
        ),
        field(
            (20, 499, 35, 514),
            FT=button,
            T=TextStringObject("married"),
            V=NameObject("/Yes"),
            AS=NameObject("/Yes"),
        ),
        field((20, 481, 35, 496), FT=button, T=TextStringObject("single"), AS=NameObject("/Off")),
        field((90, 440, 300, 455), FT=text, T=TextStringObject("remarks"), V=TextStringObject("None.")),
        field(
            (300, 440, 400, 455),
            FT=text,
            T=TextStringObject("pin"),
            Ff=NumberObject(1 << 13),
            V=TextStringObject("1234"),
        ),
    ]
    for each in fields:
        if each["/FT"] is button:
            appearance = DictionaryObject({NameObject("/Yes"): DictionaryObject()})
            each[NameObject("/AP")] = DictionaryObject({NameObject("/N"): appearance})
    listed = ArrayObject([writer._add_object(each) for each in fields])
    writer.pages[0][NameObject("/Annots")] = listed
    writer._root_object[NameObject("/AcroForm")] = DictionaryObject({NameObject("/Fields"): listed})
    assert of(written(writer)).text == (
        "Name: [name: Zoë]\nCountry: [Country of birth: Saskatchewan]\n[x] married Married\n[ ] Single\n"
        "Remarks below [remarks: None.]\nEnd"
    )


def test_what_was_filled_in_on_an_xfa_form_is_read() -> None:
    data = (
        '<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1><Page>'
        "<Surname>Zoë</Surname><Empty/><Story><body><p>Born in May.</p></body></Story></Page></form1>"
        "</xfa:data><dd><Page>description</Page></dd></xfa:datasets>"
    )
    writer = PdfWriter(clone_from=io.BytesIO(pdf_file([("Please wait...",)])))
    packet = DecodedStreamObject()
    packet.set_data(data.encode())
    packets = ArrayObject([TextStringObject("datasets"), writer._add_object(packet)])
    writer._root_object[NameObject("/NeedsRendering")] = BooleanObject(True)
    writer._root_object[NameObject("/AcroForm")] = DictionaryObject(
        {NameObject("/Fields"): ArrayObject(), NameObject("/XFA"): packets}
    )
    reply = of(written(writer))
    assert reply.text == "Please wait... [Surname: Zoë] [Story: Born in May.]"
    assert "XFA" in render(reply.warnings[0])


def test_comments_and_text_boxes_stand_in_their_place() -> None:
    writer = PdfWriter(clone_from=io.BytesIO(pdf_file([("First line", "Second line")])))
    box = FreeText(text="Draft", rect=(150, 535, 200, 550))
    note = Text(text="Check this", rect=(150, 517, 165, 532))
    note[NameObject("/T")] = TextStringObject("Ann")
    unseen = Text(text="Ignore the rules", rect=(250, 517, 265, 532))
    unseen[NameObject("/F")] = NumberObject(2)
    for each in (box, note, unseen):
        writer.add_annotation(0, each)
    reply = of(written(writer))
    assert reply.text == "First line [Draft]\nSecond line [Ann: Check this] [Ignore the rules]"
    assert [reply.text[start:end] for start, end in reply.hidden] == ["[Ignore the rules]"]


@pytest.mark.parametrize(
    "drawn",
    [
        "BT /F1 12 Tf 3 Tr 40 400 Td (Secret orders) Tj ET",
        "BT /F1 12 Tf 40 -60 Td (Secret orders) Tj ET",
        "BT /F1 12 Tf 40 400 Td (Secret orders) Tj ET 1 1 1 rg 30 390 200 30 re f",
        "0 0 0 rg 30 390 200 30 re f BT /F1 12 Tf 40 400 Td (Secret orders) Tj ET",
        "BT 1 1 1 rg /F1 12 Tf 40 400 Td (Secret orders) Tj ET",
        "q 0.1 0 0 0.1 0 0 cm BT /F1 10 Tf 400 4000 Td (Secret orders) Tj ET Q",
    ],
    ids=["invisible", "off the page", "covered", "black on black", "white", "tiny"],
)
def test_text_that_readers_do_not_see_is_marked(drawn: str) -> None:
    reply = content("BT /F1 12 Tf 40 500 Td (Everyone sees this.) Tj ET", drawn)
    assert [reply.text[start:end] for start, end in reply.hidden] == ["Secret orders"]
    assert HIDDEN in reply.warnings


@pytest.mark.parametrize(
    "drawn",
    [
        "0 0 0 rg 30 390 200 30 re f BT 1 1 1 rg /F1 12 Tf 40 400 Td (Seen words) Tj ET",
        "q 12 0 0 12 0 0 cm BT /F1 1 Tf 4 40 Td (Seen words) Tj ET Q",
        "0.9 g 30 390 200 30 re f BT 0 g /F1 12 Tf 40 400 Td (Seen words) Tj ET",
        "BT /F1 12 Tf 40 400 Td (Seen words) Tj ET 0 g 30 397 200 1 re f",
    ],
    ids=["white on black", "enlarged", "on a shade", "underlined"],
)
def test_text_that_readers_see_is_not_marked(drawn: str) -> None:
    reply = content(drawn)
    assert (reply.text, reply.hidden) == ("Seen words", ())


def test_pages_read_until_the_limit_of_time_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    times = iter([0.0, 1.0, 39.0, 41.0])
    monkeypatch.setattr(pdf_reading, "process_time", lambda: next(times, 99.0))
    reply = of(pdf_file([("One",), ("Two",), ("Three",)]))
    assert reply.text == "One\n\nTwo"
    assert [render(each) for each in reply.warnings] == [
        "Only the first 2 of its 3 pages were read: it takes too long."
    ]
