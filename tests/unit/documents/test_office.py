"""Workbooks, presentations and e-books: read with their sheets, slides and chapters, whatever is in them."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from fireside.core.collection import PageLocation, RowLocation
from fireside.core.i18n import render
from fireside.documents import archive
from fireside.documents.extracted_text import HIDDEN
from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest, SectionKind
from fireside.retrieval.chunking import chunks_of

RELATIONS = '<Relationships xmlns="r">{}</Relationships>'
N_MUTANTS = 100
SEED = 11


def archived(members: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in members.items():
            made.writestr(name, text)
    return out.getvalue()


def of(data: bytes) -> ReadReply:
    return read(ReadRequest(name="file", data=data))


def relations(**targets: str) -> str:
    return RELATIONS.format("".join(f'<Relationship Id="{i}" Target="{t}"/>' for i, t in targets.items()))


def workbook(**sheets: str) -> bytes:
    names = "".join(f'<sheet name="{name}" sheetId="9" r:id="{name}"/>' for name in sheets)
    return archived(
        {
            "xl/workbook.xml": f'<workbook xmlns:r="r"><sheets>{names}</sheets></workbook>',
            "xl/_rels/workbook.xml.rels": relations(**{name: f"worksheets/{name}.xml" for name in sheets}),
            "xl/sharedStrings.xml": STRINGS,
            "xl/styles.xml": (
                '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="dd/mm/yyyy"/></numFmts>'
                '<cellStyleXfs><xf numFmtId="14"/></cellStyleXfs>'
                '<cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="170"/></cellXfs></styleSheet>'
            ),
            **{
                f"xl/worksheets/{name}.xml": f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
                for name, rows in sheets.items()
            },
        }
    )


STRINGS = "<sst><si><t>Item</t></si><si><r><t>Pr</t></r><r><t>ice</t></r><rPh><t>spoken</t></rPh></si></sst>"
HEADER = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c></row>'
ROWS = (
    '<row r="2"><c r="A2" t="inlineStr"><is><t>Pump</t></is></c><c r="C2"><v>12.5</v></c></row>'
    '<row r="4"><c r="A4" s="1"><v>45000</v></c><c r="B4" s="2"><v>45000.5</v></c>'
    '<c r="C4" t="b"><v>1</v></c></row>'
    '<row r="500"><c r="A500" t="str"><v>far below</v></c></row>'
)


def slide(title: str, text: str, *, attributes: str = "") -> str:
    return (
        f'<p:sld xmlns:p="p" xmlns:a="a" {attributes}><p:cSld><p:spTree>'
        f'<p:sp><p:nvPr><p:ph type="title"/></p:nvPr>'
        f"<p:txBody><a:p><a:r><a:t>{title}</a:t></a:r></a:p></p:txBody></p:sp>"
        f"<p:sp><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        '<p:sp><p:nvPr><p:ph type="sldNum"/></p:nvPr>'
        "<p:txBody><a:p><a:fld><a:t>77</a:t></a:fld></a:p></p:txBody></p:sp>"
        "<a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></a:txBody></a:tc>"
        "<a:tc><a:txBody><a:p><a:r><a:t>y</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl>"
        "</p:spTree></p:cSld></p:sld>"
    )


def presentation() -> bytes:
    return archived(
        {
            "ppt/presentation.xml": (
                '<p:presentation xmlns:p="p" xmlns:r="r"><p:sldIdLst><p:sldId id="256" r:id="b"/>'
                '<p:sldId r:id="a" id="257"/></p:sldIdLst></p:presentation>'
            ),
            "ppt/_rels/presentation.xml.rels": relations(a="slides/slide1.xml", b="/ppt/slides/slide2.xml"),
            "ppt/slides/slide1.xml": slide("Second", "And more.", attributes='show="0"'),
            "ppt/slides/slide2.xml": slide("First", "It begins."),
            "ppt/slides/_rels/slide2.xml.rels": relations(n="../notesSlides/notesSlide1.xml"),
            "ppt/notesSlides/notesSlide1.xml": slide("Say", "hello"),
        }
    )


def book() -> bytes:
    return archived(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfile full-path="OEBPS/a.opf"/></container>',
            "OEBPS/a.opf": (
                '<package><manifest><item id="two" href="2.xhtml"/>'
                '<item id="one" href="text/1%20.xhtml"/></manifest>'
                '<spine><itemref idref="one"/><itemref idref="two"/></spine></package>'
            ),
            "OEBPS/2.xhtml": "<html><body><h1>Two</h1><p>The end.</p></body></html>",
            "OEBPS/text/1 .xhtml": "<html><body><h1>One</h1><p>It was a night.</p></body></html>",
        }
    )


def test_a_workbook_is_read_row_by_row() -> None:
    reply = of(workbook(Costs=HEADER + ROWS, Empty="", Sums=HEADER))
    assert reply.text == (
        "Item |  | Price\nPump |  | 12.5\n\n2023-03-15 | 2023-03-15 12:00 | TRUE\n\nfar below\n"
        "\nItem |  | Price\n"
    )
    assert [(s.name, s.first_row) for s in reply.sections] == [("Costs", 1), ("Costs", 500), ("Sums", 1)]
    assert [chunk.location for chunk in chunks_of(reply, name="a.xlsx")] == [
        RowLocation(sheet="Costs", first=1, last=4),
        RowLocation(sheet="Costs", first=500, last=500),
        RowLocation(sheet="Sums", first=1, last=1),
    ]


def test_a_workbook_with_cells_without_places_is_read() -> None:
    rows = "<row><c><v>1</v></c><c><v>2</v></c></row><row><c><v>3</v></c></row>"
    assert of(workbook(A=rows)).text == "1 | 2\n3\n"


def test_an_invalid_workbook_is_read_as_far_as_possible() -> None:
    rows = (
        '<row r="99999999999"><c r="ZZZ1" t="s"><v>999</v></c><c r="A1" t="s"><v>-1</v></c>'
        '<c r="B1"><v>1</v></c></row>'
    )
    assert of(workbook(A=rows)).text == " | 1\n"


def test_a_presentation_is_read_in_its_order_with_notes() -> None:
    reply = of(presentation())
    assert reply.text.startswith("# First\n\nIt begins.\n\nx | y\n\nNotes: # Say")
    assert "77" not in reply.text
    assert [(s.kind, s.number) for s in reply.sections] == [(SectionKind.SLIDE, 1), (SectionKind.SLIDE, 2)]
    assert render(reply.warnings[0]).startswith("1 of its slides")
    chunks = chunks_of(reply, name="a.pptx")
    assert [chunk.location for chunk in chunks] == [
        PageLocation(page=1, is_slide=True),
        PageLocation(page=2, is_slide=True),
    ]
    assert [chunk.is_hidden for chunk in chunks] == [False, True]


def test_a_book_is_read_chapter_by_chapter() -> None:
    assert of(book()).text == "# One\n\nIt was a night.\n\n# Two\n\nThe end."


def test_a_locked_book_is_refused() -> None:
    assert "protected" in render(
        of(archived({"META-INF/container.xml": "<c/>", "META-INF/rights.xml": "x"})).problem
    )


def test_a_decompression_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "MAX_PART_BYTES", 100_000)
    rows = "".join(f'<row r="{n}"><c r="A{n}"><v>1</v></c></row>' for n in range(1, 5_000))
    assert "unpacks" in render(of(workbook(A=rows)).problem)


def test_entities_are_refused() -> None:
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><workbook>&a;</workbook>'
    assert of(archived({"xl/workbook.xml": bomb})).problem


@pytest.mark.parametrize("make", [lambda: workbook(A=HEADER + ROWS), presentation, book])
def test_mutants_give_text_or_a_reason(make: object) -> None:
    assert callable(make)
    whole = make()
    rng = random.Random(SEED)
    parts = zipfile.ZipFile(io.BytesIO(whole))
    for _ in range(N_MUTANTS):
        members = {name: parts.read(name) for name in parts.namelist()}
        name = rng.choice(sorted(members))
        data = bytearray(members[name])
        for _ in range(rng.randrange(1, 8)):
            position = rng.randrange(len(data))
            match rng.randrange(3):
                case 0:
                    data[position] = rng.randrange(256)
                case 1:
                    del data[position : position + rng.randrange(40)]
                case _:
                    data[position:position] = data[position : position + rng.randrange(200)]
            data = data or bytearray(b"x")
        members[name] = bytes(data)
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as made:
            for each, content in members.items():
                made.writestr(each, content)
        reply = of(out.getvalue())
        assert reply.problem or reply.media_type
        chunks_of(reply, name="a.xlsx")
        cut = whole[: rng.randrange(len(whole))]
        assert of(cut).problem or of(cut).media_type


def hidden_of(reply: ReadReply) -> list[str]:
    return [reply.text[start:end] for start, end in reply.hidden]


def test_hidden_rows_columns_and_sheets_of_a_workbook_are_marked() -> None:
    rows = (
        '<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>22</v></c></row>'
        '<row r="2" hidden="1"><c r="A2"><v>33</v></c></row><row r="3"><c r="A3"><v>4</v></c></row>'
    )
    data = workbook(A=rows, B='<row r="1"><c r="A1"><v>55</v></c></row>')
    members = {
        name: text.replace('name="B"', 'name="B" state="veryHidden"').replace(
            '<sheetData><row r="1"><c r="A1"><v>1<',
            '<cols><col min="2" max="2" hidden="1"/></cols><sheetData><row r="1"><c r="A1"><v>1<',
        )
        for name, text in unpacked(data).items()
    }
    reply = of(archived(members))
    assert reply.text == "1 | 22\n33\n4\n\n55\n"
    assert hidden_of(reply) == ["22", "33", "55"]
    assert [section.start for section in reply.sections] == [0, reply.text.index("55")]
    assert [render(warning) for warning in reply.warnings] == [render(HIDDEN)]


def unpacked(data: bytes) -> dict[str, str]:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return {name: archive.read(name).decode() for name in archive.namelist()}
