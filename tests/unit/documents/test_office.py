"""Workbooks, presentations and e-books: read with their sheets, slides and chapters, whatever is in them."""

from __future__ import annotations

import io
import random
import re
import zipfile

import pytest

from fireside.core.collection import PageLocation, RowLocation
from fireside.core.i18n import render
from fireside.documents import archive
from fireside.documents.extracted_text import HIDDEN
from fireside.documents.extraction import read
from fireside.documents.messages import MAX_CHARS, ReadReply, ReadRequest, SectionKind
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
    """Return relations to parts; the kind of each is the name of its file without its number."""
    kinds = {id_: re.split(r"[/\\]", target)[-1].rstrip("0123456789.xml") for id_, target in targets.items()}
    return RELATIONS.format(
        "".join(f'<Relationship Id="{i}" Type="t/{kinds[i]}" Target="{t}"/>' for i, t in targets.items())
    )


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
                '<item id="one" href="text/1%20.xhtml"/>'
                '<item id="toc" href="toc.xhtml" properties="scripted nav"/></manifest>'
                '<spine><itemref idref="toc"/><itemref idref="one"/><itemref idref="two"/></spine></package>'
            ),
            "OEBPS/toc.xhtml": "<html><body><nav><ol><li><a href='2.xhtml'>Two</a></ol></nav></body></html>",
            "OEBPS/2.xhtml": "<html><body><h1>Two</h1><p>The end.</p></body></html>",
            "OEBPS/text/1 .xhtml": "<html><body><h1>One</h1><p>It was a night.</p></body></html>",
        }
    )


def test_a_workbook_is_read_row_by_row() -> None:
    reply = of(workbook(Costs=HEADER + ROWS, Empty="", Sums=HEADER))
    assert reply.text == (
        "Item |  | Price\nPump |  | 12.5\n\n2023-03-15 | 2023-03-15 | TRUE\n\nfar below\n\nItem |  | Price\n"
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


def deck(shapes: str, parts: dict[str, str] | None = None, *, links: str = "") -> ReadReply:
    """Read a presentation of one slide; ``parts`` by their names in ``ppt``, as the slide refers to them."""
    parts = parts or {}
    related = relations(**{name.partition("/")[2]: f"/ppt/{name}.xml" for name in parts})
    authors = relations(a="slides/slide1.xml", b="commentAuthors.xml", c="authors.xml")
    return of(
        archived(
            {
                "ppt/presentation.xml": '<p><sldIdLst><sldId r:id="a"/></sldIdLst></p>',
                "ppt/_rels/presentation.xml.rels": authors,
                "ppt/slides/slide1.xml": f"<p:sld><p:spTree>{shapes}</p:spTree></p:sld>",
                "ppt/slides/_rels/slide1.xml.rels": related.replace("</R", f"{links}</R"),
                "ppt/commentAuthors.xml": '<a><p:cmAuthor id="0" name="Ada"/></a>',
                "ppt/authors.xml": '<a><p188:author id="{1}" name="Bob"/></a>',
                **{f"ppt/{name}.xml": text for name, text in parts.items()},
            }
        )
    )


def line(text: str, properties: str = "") -> str:
    return f"<a:p><a:pPr>{properties}</a:pPr><a:r><a:t>{text}</a:t></a:r></a:p>"


def shape(*lines: str, properties: str = "") -> str:
    return f"<p:sp>{properties}<p:txBody>{''.join(lines)}</p:txBody></p:sp>"


def test_a_table_of_a_slide_is_one_table() -> None:
    rows = (("Item", "Price"), ("Pen", "2"), ("Ink", "3"))
    cells = ("".join(f"<a:tc><a:txBody>{line(c)}</a:txBody></a:tc>" for c in each) for each in rows)
    reply = deck("<a:tbl>" + "".join(f"<a:tr>{each}</a:tr>" for each in cells) + "</a:tbl>")
    assert reply.text == "Item | Price\nPen | 2\nInk | 3"


def test_the_title_of_a_slide_comes_first() -> None:
    title = shape(line("Plan"), properties='<p:nvPr><p:ph type="title"/></p:nvPr>')
    assert deck(shape(line("Below.")) + title).text == "# Plan\n\nBelow."


def test_numbered_lists_links_and_hidden_shapes_of_a_slide() -> None:
    numbered = '<a:buAutoNum type="{}"/>'
    body = shape(
        line("one", numbered.format("arabicPeriod")),
        line("two", numbered.format("arabicPeriod")),
        line("none"),
        line("third", '<a:buAutoNum type="romanUcParenBoth" startAt="3"/>'),
        '<a:p><a:r><a:rPr><a:hlinkClick r:id="l"/></a:rPr><a:t>site</a:t></a:r></a:p>',
    )
    hidden = shape(line("unseen"), properties='<p:cNvPr id="9" hidden="1"/>')
    image = '<p:pic><p:cNvPr id="8" descr="A barn"/></p:pic>'
    link = '<Relationship Id="l" Type="t/hyperlink" Target="https://a.example" TargetMode="External"/>'
    reply = deck(body + hidden + image, links=link)
    assert reply.text == (
        "1. one\n2. two\nnone\n(III) third\nsite (https://a.example)\n\nunseen\n\n[Image: A barn]"
    )
    assert hidden_of(reply) == ["unseen"]


def test_comments_on_a_slide_are_read() -> None:
    reply = deck(
        shape(line("Text")),
        {
            "comments/comments1": '<l><p:cm authorId="0"><p:text>Why?</p:text></p:cm></l>',
            "comments/comments2": f'<l><p188:cm authorId="{{1}}">{shape(line("Good."))}</p188:cm></l>',
        },
    )
    assert reply.text == "Text\n\n[Comment by Ada: Why?]\n[Comment by Bob: Good.]"


def test_a_chart_on_a_slide_is_read_as_a_table() -> None:
    chart = (
        "<c:chart><c:title><a:t>Visits</a:t></c:title>"
        "<c:ser><c:cat><c:pt idx='0'><c:v>May</c:v></c:pt></c:cat>"
        "<c:val><c:numCache><c:pt idx='0'><c:v>12</c:v></c:pt></c:numCache></c:val></c:ser></c:chart>"
    )
    reply = deck('<p:graphicFrame><c:chart r:id="chart1"/></p:graphicFrame>', {"charts/chart1": chart})
    assert reply.text == "[Chart: Visits]\n\n | Series 1\nMay | 12"


def sheet_parts(sheet: str, **parts: str) -> bytes:
    """Return a workbook of one sheet with these parts: its ``styles``, and what the sheet refers to."""
    members = unpacked(workbook(A=""))
    members["xl/worksheets/A.xml"] = f"<worksheet>{sheet}</worksheet>"
    members["xl/styles.xml"] = parts.pop("styles", "<s/>")
    members["xl/_rels/workbook.xml.rels"] = relations(
        A="worksheets/A.xml", styles="styles.xml", person="persons/person.xml"
    )
    members["xl/persons/person.xml"] = '<p><person displayName="Ada" id="{a}"/></p>'
    members["xl/worksheets/_rels/A.xml.rels"] = relations(**{name: f"/xl/{name}.xml" for name in parts})
    return archived(members | {f"xl/{name}.xml": text for name, text in parts.items()})


def test_cells_are_read_as_displayed() -> None:
    codes = ("0%", "#,##0.00&quot; EUR&quot;", "[h]:mm", "mmm yyyy", "&quot;No. &quot;@", "0")
    formats = "".join(f'<numFmt numFmtId="{200 + n}" formatCode="{code}"/>' for n, code in enumerate(codes))
    styles = "".join(f'<xf numFmtId="{200 + n}"/>' for n in range(len(codes)))
    cells = (
        '<c s="0"><v>0.5</v></c><c s="1"><v>1234.5</v></c><c s="2"><v>1.5</v></c><c s="3"><v>45000</v></c>'
        '<c s="4" t="str"><v>7</v></c><c s="5"><v>0.30000000000000004</v></c>'
        "<c><v>0.30000000000000004</v></c>"
        '<c t="d"><v>2026-11-24T10:30:00</v></c><c t="e"><v>#REF!</v></c><c><f>SUM(A1:A3)</f></c>'
    )
    reply = of(
        sheet_parts(
            f"<sheetData><row>{cells}</row></sheetData>",
            styles=f"<s><numFmts>{formats}</numFmts><cellXfs>{styles}</cellXfs></s>",
        )
    )
    assert reply.text.strip().split(" | ") == [
        "50%", "1,234.50 EUR", "36:00", "Mar 2023", "No. 7", "0", "0.3", "2026-11-24 10:30", "#REF!",
        "=SUM(A1:A3)",
    ]  # fmt: skip


def test_dates_of_a_workbook_count_from_its_own_first_day() -> None:
    members = unpacked(workbook(A='<row><c s="1"><v>1</v></c></row>'))
    old = '<workbookPr date1904="1"/><sheets>'
    members["xl/workbook.xml"] = members["xl/workbook.xml"].replace("<sheets>", old)
    assert of(archived(members)).text == "1904-01-02\n"


def test_comments_on_cells_stand_in_them() -> None:
    old = (
        "<c><authors><author>Bob</author></authors>"
        "<comment ref='A1' authorId='0'><text><r><t>Bob:\nCheck.</t></r></text></comment>"
        "<comment ref='B1' authorId='0'><text><t>[Threaded comment] Your version</t></text></comment>"
        "<comment ref='A9' authorId='0'><text><t>Below.</t></text></comment></c>"
    )
    threads = "<c><threadedComment ref='B1' personId='{a}'><text>Really?</text></threadedComment></c>"
    reply = of(
        sheet_parts(
            '<sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData>',
            comments1=old,
            threadedComment1=threads,
        )
    )
    assert (
        reply.text == "1 [Comment by Bob: Check.] | [Comment by Ada: Really?]\n\n[Comment by Bob: Below.]\n"
    )
    assert [section.first_row for section in reply.sections] == [1, 9]


def test_shapes_and_charts_over_a_sheet_are_read_by_the_row_where_they_lie() -> None:
    drawing = (
        f"<d><anchor><from><row>4</row></from><to><row>99</row></to>{shape(line('Mind the gap'))}</anchor>"
        '<anchor><from><row>7</row></from><c:chart r:id="chart1"/></anchor></d>'
    )
    sheet = '<sheetData><row r="1"><c><v>1</v></c></row></sheetData>'
    members = unpacked(sheet_parts(sheet, drawing=drawing))
    members["xl/_rels/drawing.xml.rels"] = relations(chart1="charts/chart1.xml")
    members["xl/charts/chart1.xml"] = (
        "<c:chart><c:title><a:t>Sales</a:t></c:title><c:ser><c:tx><c:v>North</c:v></c:tx><c:val><c:numCache>"
        "<c:pt idx='0'><c:v>1</c:v></c:pt></c:numCache></c:val></c:ser></c:chart>"
    )
    reply = of(archived(members))
    assert reply.text == "1\n\nMind the gap\n\n[Chart: Sales: North]\n"
    assert [section.first_row for section in reply.sections] == [1, 5, 8]


def test_a_workbook_of_references_to_one_huge_text_is_read_in_bounds() -> None:
    members = unpacked(workbook(A="<row>" + '<c t="s"><v>0</v></c>' * 200 + "</row>"))
    members["xl/sharedStrings.xml"] = f"<sst><si><t>{'x' * 5_000_000}</t></si></sst>"
    assert len(of(archived(members)).text) == MAX_CHARS
