"""OpenDocument files: texts, sheets and slides, read as LibreOffice writes them, whatever is in them."""

from __future__ import annotations

import io
import random
import zipfile

import pytest

from fireside.core.collection import PageLocation, RowLocation
from fireside.core.i18n import render
from fireside.documents.extraction import read
from fireside.documents.messages import MAX_CHARS, ReadReply, ReadRequest
from fireside.retrieval.chunking import chunks_of

TYPE = "application/vnd.oasis.opendocument."
NAMES = (
    'xmlns:office="o" xmlns:text="t" xmlns:table="tb" xmlns:style="s" xmlns:fo="f" xmlns:draw="d" '
    'xmlns:presentation="p" xmlns:svg="v"'
)
N_MUTANTS = 100
SEED = 5


def of(data: bytes) -> ReadReply:
    return read(ReadRequest(name="file", data=data))


def packed(members: dict[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, text in members.items():
            made.writestr(name, text)
    return out.getvalue()


def document(kind: str, body: str, *, automatic: str = "", named: str = "", manifest: str = "") -> bytes:
    return packed(
        {
            "mimetype": TYPE + kind,
            "content.xml": (
                f"<office:document-content {NAMES}><office:automatic-styles>{automatic}"
                f"</office:automatic-styles><office:body><office:{kind}>{body}</office:{kind}></office:body>"
                "</office:document-content>"
            ),
            "styles.xml": f"<office:document-styles {NAMES}>{named}</office:document-styles>",
            "META-INF/manifest.xml": f"<manifest>{manifest}</manifest>",
        }
    )


def style(name: str, properties: str, *, family: str = "text", parent: str = "") -> str:
    base = f'style:parent-style-name="{parent}"' if parent else ""
    return f'<style:style style:name="{name}" style:family="{family}" {base}>{properties}</style:style>'


def hidden_of(reply: ReadReply) -> list[str]:
    return [reply.text[start:end] for start, end in reply.hidden]


def cell(text: str, attributes: str = "") -> str:
    return f"<table:table-cell {attributes}><text:p>{text}</text:p></table:table-cell>"


def row(*cells: str, attributes: str = "") -> str:
    return f"<table:table-row {attributes}>{''.join(cells)}</table:table-row>"


TEXT = (
    '<text:tracked-changes><text:p>deleted</text:p></text:tracked-changes><text:h text:outline-level="2">'
    "Sowing</text:h><text:p>The  tomato\n needs<text:s text:c='3'/>sun"
    "<text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>A note.</text:p>"
    "</text:note-body></text:note>,<text:tab/>a lot.<text:line-break/>Yes.</text:p>"
    "<text:p>Before<office:annotation><text:p>a comment</text:p></office:annotation> and after</text:p>"
    "<text:list><text:list-item><text:p>one</text:p><text:list><text:list-item><text:p>within</text:p>"
    "</text:list-item></text:list></text:list-item><text:list-item><text:p>two</text:p></text:list-item>"
    "</text:list><table:table>"
    + row(cell("Plant"), cell("Depth"))
    + row(cell("Carrot"), "<table:covered-table-cell/>", cell("2 cm"))
    + "</table:table><text:p>The <text:span>end</text:span>.</text:p>"
)


def test_a_text_keeps_headings_lists_tables_and_notes() -> None:
    reply = of(document("text", TEXT))
    assert reply.media_type == TYPE + "text"
    assert reply.text == (
        "## Sowing\n\nThe tomato needs   sun (A note.),\ta lot.\nYes.\n\n"
        "Before [Comment: a comment] and after\n\n"
        "- one\n  - within\n- two\n\nPlant | Depth\nCarrot |  | 2 cm\n\nThe end."
    )
    assert not reply.hidden


def test_text_in_a_frame_within_a_paragraph_stands_in_front_of_it() -> None:
    body = (
        "<text:p>Around<draw:frame><svg:title>A picture</svg:title><draw:text-box><text:p>Framed</text:p>"
        "</draw:text-box></draw:frame> it.</text:p>"
    )
    assert of(document("text", body)).text == "Framed\n\nAround it."


@pytest.mark.parametrize(
    ("properties", "is_hidden"),
    [
        ('<style:text-properties text:display="none"/>', True),
        ('<style:text-properties fo:font-size="1pt"/>', True),
        ('<style:text-properties fo:color="#FFFFFF"/>', True),
        ('<style:text-properties fo:color="#ffffff" fo:background-color="#000080"/>', False),
        ('<style:text-properties fo:color="#ff0000" fo:font-size="11pt"/>', False),
    ],
)
def test_hidden_text_is_marked(properties: str, is_hidden: bool) -> None:
    body = '<text:p>Seen <text:span text:style-name="T1">or not</text:span> here</text:p>'
    reply = of(document("text", body, automatic=style("T1", properties)))
    assert reply.text == "Seen or not here"
    assert hidden_of(reply) == (["or not"] if is_hidden else [])


def test_styles_inherit_from_those_they_are_based_on() -> None:
    white = '<style:text-properties fo:color="#ffffff"/>'
    dark = '<style:table-cell-properties fo:background-color="#000000"/>'
    named = style("Base", white, family="paragraph")
    automatic = (
        style("P1", "", family="paragraph", parent="Base")
        + style("Dark", dark, family="table-cell")
        + style("P1", white, family="text")
    )
    body = (
        '<text:p text:style-name="P1">white</text:p><text:p>black</text:p><table:table>'
        + row(
            '<table:table-cell table:style-name="Dark"><text:p text:style-name="P1">on black</text:p>'
        ).replace("</table:table-row>", "</table:table-cell></table:table-row>")
        + "</table:table>"
    )
    assert hidden_of(of(document("text", body, automatic=automatic, named=named))) == ["white"]


def test_a_spreadsheet_is_read_row_by_row_as_displayed() -> None:
    sheet = (
        '<table:table table:name="Costs"><table:table-column/>'
        + row(cell("Item"), "<table:table-cell/>", cell("Price"))
        + row(cell("Pump"), cell("x", 'table:number-columns-repeated="2"'), cell("12,50 €"))
        + row("<table:table-cell/>", attributes='table:number-rows-repeated="10"')
        + row(cell("15.03.23", 'office:date-value="2023-03-15T00:00:00"'), cell("<text:s/>"))
        + row(cell("12:00", 'office:date-value="2023-03-15T12:00:00"'), attributes="")
        + row(
            '<table:table-cell table:number-columns-repeated="16384"/>',
            attributes='table:number-rows-repeated="1048000"',
        )
        + "</table:table>"
    )
    other = '<table:table table:name="Sums">' + row(cell("42")) + "</table:table>"
    reply = of(document("spreadsheet", sheet + other))
    assert reply.text == "Item |  | Price\nPump | x | x | 12,50 €\n\n2023-03-15\n2023-03-15 12:00\n\n42\n"
    assert [chunk.location for chunk in chunks_of(reply, name="a.ods")] == [
        RowLocation(sheet="Costs", first=1, last=2),
        RowLocation(sheet="Costs", first=13, last=14),
        RowLocation(sheet="Sums", first=1, last=1),
    ]


def test_hidden_sheets_rows_and_columns_are_marked() -> None:
    hidden = style("ta2", '<style:table-properties table:display="false"/>', family="table")
    sheets = (
        '<table:table table:name="A"><table:table-column/><table:table-column table:visibility="collapse"/>'
        + row(cell("seen"), cell("column"))
        + row(cell("row"), attributes='table:visibility="filter"')
        + '</table:table><table:table table:name="B" table:style-name="ta2">'
        + row(cell("sheet"))
        + "</table:table>"
    )
    reply = of(document("spreadsheet", sheets, automatic=hidden))
    assert reply.text == "seen | column\nrow\n\nsheet\n"
    assert hidden_of(reply) == ["column", "row", "sheet"]


def test_a_spreadsheet_that_repeats_without_end_is_cut() -> None:
    lots = row(
        cell("x" * 100, 'table:number-columns-repeated="16384"'),
        attributes='table:number-rows-repeated="1048576"',
    )
    assert len(of(document("spreadsheet", f"<table:table>{lots}</table:table>")).text) == MAX_CHARS


def slide(title: str, text: str, *, style_name: str = "") -> str:
    return (
        f'<draw:page draw:style-name="{style_name}"><draw:frame presentation:class="title"><draw:text-box>'
        f"<text:p>{title}</text:p></draw:text-box></draw:frame><draw:frame><draw:text-box><text:p>{text}</text:p>"
        '</draw:text-box></draw:frame><draw:frame presentation:class="page-number"><draw:text-box><text:p>'
        "&lt;number&gt;</text:p></draw:text-box></draw:frame><presentation:notes>{}</presentation:notes></draw:page>"
    )


def test_a_presentation_is_read_slide_by_slide_with_its_notes() -> None:
    invisible = style(
        "dp2",
        '<style:drawing-page-properties presentation:visibility="hidden"/>',
        family="drawing-page",
    )
    notes = "<draw:frame><draw:text-box><text:p>Say hello</text:p></draw:text-box></draw:frame>"
    pages = slide("First", "It begins.").format(notes) + slide("Second", "More.", style_name="dp2").format("")
    reply = of(document("presentation", pages, automatic=invisible))
    assert reply.text == "# First\n\nIt begins.\n\nNotes: Say hello\n\n# Second\n\nMore."
    assert [(section.number, section.start) for section in reply.sections] == [
        (1, 0),
        (2, reply.text.index("# Second")),
    ]
    assert hidden_of(reply)[0].startswith("# Second")
    assert [render(warning) for warning in reply.warnings] == [
        "1 of its slides are hidden; their text was read too."
    ]
    assert chunks_of(reply, name="a.odp")[0].location == PageLocation(page=1, is_slide=True)


def test_a_locked_document_is_refused_with_a_reason() -> None:
    locked = document("text", TEXT, manifest="<manifest:encryption-data/>")
    assert render(of(locked).problem) == "it is protected by a password."


def test_a_mutated_document_gives_text_or_a_reason() -> None:
    rng = random.Random(SEED)
    whole = {
        kind: document(kind, body)
        for kind, body in (
            ("text", TEXT),
            ("spreadsheet", "<table:table>" + row(cell("a"), cell("b")) * 3 + "</table:table>"),
            ("presentation", slide("A", "b").format("")),
        )
    }
    for number in range(N_MUTANTS):
        kind = ("text", "spreadsheet", "presentation")[number % 3]
        with zipfile.ZipFile(io.BytesIO(whole[kind])) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        name = rng.choice(["content.xml", "styles.xml", "META-INF/manifest.xml", "mimetype"])
        data = bytearray(members[name])
        for _ in range(rng.randrange(1, 6)):
            position = rng.randrange(len(data))
            data[position : position + rng.randrange(4)] = rng.randbytes(rng.randrange(4))
            data = data or bytearray(b"x")
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as made:
            for each, content in (members | {name: bytes(data)}).items():
                made.writestr(each, content)
        reply = of(out.getvalue())
        assert reply.problem or reply.media_type
        chunks_of(reply, name=f"a.{kind}")


@pytest.mark.parametrize(
    "body",
    [
        "<table:table><table:table-cell><text:p>x</text:p></table:table-cell></table:table>",
        '<text:h text:outline-level="many">x</text:h>',
        '<text:list-item><text:p>x<text:s text:c="999999999"/></text:p></text:list-item>',
        "<text:note-body><text:p>x</text:p></text:note-body><text:p>x</text:p>",
        '<table:table><table:table-row table:number-rows-repeated="-5"><table:table-cell '
        'table:number-columns-repeated="0"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
    ],
)
@pytest.mark.parametrize("kind", ["text", "spreadsheet", "presentation"])
def test_misplaced_elements_are_read_as_far_as_possible(kind: str, body: str) -> None:
    assert not of(document(kind, body)).problem


NUMBERED = (
    '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1" '
    'style:num-suffix="."/><text:list-level-style-number text:level="2" style:num-format="a" '
    'style:num-suffix=")" text:display-levels="2"/><text:list-level-style-bullet text:level="3"/>'
    "</text:list-style>"
)
OUTLINE = (
    '<text:outline-style><text:outline-level-style text:level="1" style:num-format="I" style:num-suffix="."/>'
    '<text:outline-level-style text:level="2" style:num-format="1" text:display-levels="2"/>'
    "</text:outline-style>"
)


def items(*contents: str, attributes: str = "") -> str:
    made = "".join(f"<text:list-item>{each}</text:list-item>" for each in contents)
    return f"<text:list {attributes}>{made}</text:list>"


def p(text: str) -> str:
    return f"<text:p>{text}</text:p>"


def test_lists_have_the_numbers_of_their_styles() -> None:
    style = 'text:style-name="L1"'
    deep = items(p("a"), p("b") + items(p("dot")))
    body = (
        items(p("one"), p("two") + deep, attributes=style)
        + p("Between.")
        + items(p("three"), attributes=f'{style} text:continue-numbering="true"')
        + items(p("anew"), attributes=style)
        + items(p("plain"))
    ).replace("<text:list-item><text:p>anew", '<text:list-item text:start-value="7"><text:p>anew')
    assert of(document("text", body, automatic=NUMBERED)).text.split("\n") == [
        "1. one", "2. two", "  2.a) a", "  2.b) b", "    - dot", "", "Between.", "", "3. three", "",
        "7. anew", "", "- plain",
    ]  # fmt: skip


def test_headings_have_the_numbers_of_the_outline() -> None:
    body = "".join(
        f'<text:h text:outline-level="{level}">{title}</text:h>'
        for level, title in ((1, "A"), (2, "B"), (2, "C"))
    )
    reply = of(document("text", body, named=OUTLINE))
    assert reply.text == "# I. A\n\n## I.1 B\n\n## I.2 C"


def test_headers_and_footers_come_once() -> None:
    page = (
        "<style:master-page><style:header><text:p>ACME</text:p><text:p>File 7</text:p></style:header>"
        "<style:footer><text:p>3</text:p></style:footer><style:footer-left><text:p>Secret</text:p></style:footer-left>"
        "</style:master-page>"
    )
    reply = of(document("text", p("Body."), named=page * 2))
    assert reply.text == "[Header: ACME / File 7]\n\nBody.\n\n[Footer: Secret]"


def test_comments_and_links_stand_at_their_place() -> None:
    body = p(
        'See <text:a xlink:href="https://a.example/x">this</text:a><office:annotation><dc:creator>Ada</dc:creator>'
        "<dc:date>2026-11-24</dc:date><text:p>Why?</text:p></office:annotation>."
    )
    reply = of(document("text", body))
    assert reply.text == "See this (https://a.example/x) [Comment by Ada: Why?]."
    sheet = (
        "<table:table><table:table-row><table:table-cell office:date-value='2026-11-24'><office:annotation>"
        "<dc:creator>Ada</dc:creator><text:p>Late!</text:p></office:annotation><text:p>24.11.</text:p>"
        "</table:table-cell></table:table-row></table:table>"
    )
    assert of(document("spreadsheet", sheet)).text == "2026-11-24 [Comment by Ada: Late!]\n"


def test_a_table_within_a_table_of_a_text_loses_nothing() -> None:
    inner = f"<table:table>{row(cell('a'), cell('b'))}</table:table>"
    outer = (
        f"<table:table>{row(cell('x'), cell('y').replace('</text:p>', f'</text:p>{inner}'))}</table:table>"
    )
    assert of(document("text", outer)).text == "x | y a, b"


@pytest.mark.parametrize(
    ("content", "shown"),
    [
        (
            "<office:chart><chart:title><text:p>Sales</text:p></chart:title><table:table>"
            + row(cell(""), cell("2026"))
            + row(cell("North"), cell("5"))
            + "</table:table></office:chart>",
            "Sales\n\n | 2026\nNorth | 5\n\nSee:  here.",
        ),
        (
            "<math><semantics><mi>a</mi><annotation>a over b</annotation></semantics></math>",
            "See: a over b here.",
        ),
    ],
)
def test_objects_in_a_text_are_read(content: str, shown: str) -> None:
    with zipfile.ZipFile(
        io.BytesIO(document("text", p('See: <draw:object xlink:href="./Object 1"/> here.')))
    ) as a:
        members = {name: a.read(name).decode() for name in a.namelist()}
    assert of(packed(members | {"Object 1/content.xml": content})).text == shown
