"""Word documents: all that a reader of the page sees comes once, at its place."""

from __future__ import annotations

import io
import zipfile

import pytest

from fireside.documents.extraction import read
from fireside.documents.messages import ReadReply, ReadRequest

RELATIONS = '<Relationships xmlns="r">{}</Relationships>'


def word(
    body: str, parts: dict[str, str] | None = None, *, relations: dict[str, str] | None = None
) -> ReadReply:
    """Read a document with a body; ``parts`` are named by their paths without ``word`` and ``.xml``."""
    parts = parts or {}
    related = "".join(
        f'<Relationship Id="{name}" Type="t/{kind}" Target="{name}.xml"/>'
        for name in parts
        for kind in [name.rpartition("/")[2].rstrip("0123456789")]
    ) + "".join(
        f'<Relationship Id="{id_}" Type="t/hyperlink" Target="{target}" TargetMode="External"/>'
        for id_, target in (relations or {}).items()
    )
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("word/document.xml", f"<w:document><w:body>{body}</w:body></w:document>")
        archive.writestr("word/_rels/document.xml.rels", RELATIONS.format(related))
        for name, text in parts.items():
            archive.writestr(f"word/{name}.xml", f"<part>{text}</part>")
    return read(ReadRequest(name="a.docx", data=packed.getvalue()))


def paragraph(content: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr>{content}</w:p>"


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


def test_the_text_of_a_box_comes_once_and_before_the_paragraph_around_it() -> None:
    box = "<w:txbxContent>" + paragraph(run("in a box")) + paragraph(run("of two lines")) + "</w:txbxContent>"
    content = (
        f"<mc:AlternateContent><mc:Choice><w:drawing>{box}</w:drawing></mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    )
    reply = word(paragraph(run("before ") + f"<w:r>{content}</w:r>" + run("after")))
    assert reply.text == "in a box\n\nof two lines\n\nbefore after"


def test_moved_text_comes_once_and_deleted_text_never() -> None:
    reply = word(
        paragraph(f"<w:moveFrom>{run('Moved.')}</w:moveFrom>{run('Stays.')}")
        + paragraph(f"<w:moveTo>{run('Moved.')}</w:moveTo>")
        + paragraph(f"<w:del><w:r><w:tab/><w:delText>gone</w:delText></w:r></w:del>{run('Kept.')}")
        + paragraph(run("One "), "<w:rPr><w:del/></w:rPr>")
        + paragraph(run("paragraph."))
    )
    assert reply.text == "Stays.\n\nMoved.\n\nKept.\n\nOne paragraph."


def test_what_the_formatting_was_before_a_change_hides_nothing() -> None:
    old = "<w:rPrChange><w:rPr><w:vanish/></w:rPr></w:rPrChange>"
    reply = word(paragraph(run("Seen.", old), "<w:pPrChange><w:pPr><w:numPr/></w:pPr></w:pPrChange>"))
    assert (reply.text, reply.hidden) == ("Seen.", ())


def test_notes_and_comments_stand_at_their_place() -> None:
    notes = (
        '<w:footnote w:id="0" w:type="separator">' + paragraph(run("---")) + "</w:footnote>"
        '<w:footnote w:id="2">' + paragraph(run("Two")) + paragraph(run("lines.")) + "</w:footnote>"
    )
    ending = '<w:endnote w:id="1">' + paragraph(run("The end.")) + "</w:endnote>"
    comment = '<w:comment w:id="5" w:author="Ada">' + paragraph(run("Really?")) + "</w:comment>"
    reply = word(
        paragraph(
            run("It is so") + '<w:r><w:footnoteReference w:id="2"/></w:r>' + run(", they say")
            + '<w:r><w:endnoteReference w:id="1"/></w:r><w:r><w:commentReference w:id="5"/></w:r>' + run(".")
        ),
        {"footnotes": notes, "endnotes": ending, "comments": comment},
    )  # fmt: skip
    assert reply.text == "It is so (Two lines.), they say (The end.) [Comment by Ada: Really?]."


def test_headers_and_footers_that_some_page_shows_come_once() -> None:
    def section(*references: str, properties: str = "") -> str:
        made = "".join(
            f'<w:{kind}Reference w:type="{pages}" r:id="{part}"/>'
            for kind, pages, part in (each.split() for each in references)
        )
        return f"<w:sectPr>{made}{properties}</w:sectPr>"

    first = section(
        "header default header1", "header first header2", "header even header3", "footer default footer1"
    )
    reply = word(
        paragraph(run("Body."), first) + section("footer default footer2", properties="<w:titlePg/>"),
        {
            "header1": paragraph(run("ACME Ltd.")) + paragraph(run("File 12/7")),
            "header2": paragraph(run("Cover")),
            "header3": paragraph(run("Never shown")),
            "footer1": paragraph(run("Confidential")),
            "footer2": paragraph(run("Confidential")),
        },
    )
    assert (
        reply.text == "[Header: ACME Ltd. / File 12/7]\n\n[Header: Cover]\n\nBody.\n\n[Footer: Confidential]"
    )


def level(index: int, number_format: str, text: str, more: str = "") -> str:
    shown = f'<w:numFmt w:val="{number_format}"/><w:lvlText w:val="{text}"/>'
    return f'<w:lvl w:ilvl="{index}">{shown}{more}</w:lvl>'


NUMBERING = (
    '<w:abstractNum w:abstractNumId="1">'
    + level(0, "decimal", "%1.")
    + level(1, "lowerLetter", "%1.%2)")
    + level(2, "upperRoman", "%3", '<w:lvlRestart w:val="0"/>')
    + "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="2">'
    + level(0, "bullet", "\uf0b7")
    + level(1, "none", "")
    + "</w:abstractNum>"
    '<w:abstractNum w:abstractNumId="3"><w:numStyleLink w:val="Legal"/></w:abstractNum>'
    '<w:abstractNum w:abstractNumId="4"><w:styleLink w:val="Legal"/>'
    + level(0, "decimalZero", "§ %1")
    + "</w:abstractNum>"
    '<w:num w:numId="1"><w:abstractNumId w:val="1"/></w:num>'
    '<w:num w:numId="2"><w:abstractNumId w:val="1"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="7"/>'
    "</w:lvlOverride></w:num>"
    '<w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>'
    '<w:num w:numId="4"><w:abstractNumId w:val="3"/></w:num>'
)


def item(text: str, list_id: int, index: int = 0) -> str:
    return paragraph(run(text), f'<w:numPr><w:ilvl w:val="{index}"/><w:numId w:val="{list_id}"/></w:numPr>')


def test_lists_are_numbered_as_word_counts_them() -> None:
    reply = word(
        item("one", 1) + item("a", 1, 1) + item("b", 1, 1) + item("deep", 1, 2) + item("two", 1)
        + item("a", 1, 1) + item("deep", 1, 2) + item("anew", 2) + item("on", 2) + item("dot", 3)
        + item("bare", 3, 1) + item("law", 4) + item("none", 0),
        {"numbering": NUMBERING},
    )  # fmt: skip
    assert reply.text.splitlines() == [
        "1. one", "  1.a) a", "  1.b) b", "    I deep", "2. two", "  2.a) a", "    II deep", "7. anew",
        "8. on", "- dot", "bare", "", "§ 01 law", "none",
    ]  # fmt: skip


def test_headings_have_the_numbers_that_their_style_gives() -> None:
    styles = (
        '<w:style w:styleId="H1"><w:name w:val="heading 1"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr>'
        "</w:pPr></w:style>"
        '<w:style w:styleId="Mine"><w:name w:val="Chapter"/><w:basedOn w:val="H1"/></w:style>'
    )
    body = paragraph('<w:r><w:br w:type="page"/></w:r>' + run("Scope"), '<w:pStyle w:val="H1"/>')
    reply = word(
        body + paragraph(run("Terms"), '<w:pStyle w:val="Mine"/>'), {"styles": styles, "numbering": NUMBERING}
    )
    assert reply.text == "# 1. Scope\n\n# 2. Terms"
    assert [(each.level, each.title) for each in reply.headings] == [(1, "1. Scope"), (1, "2. Terms")]


def test_fields_show_their_result() -> None:
    def mark(kind: str, data: str = "") -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}">{data}</w:fldChar></w:r>'

    def field(code: str, result: str | None, data: str = "") -> str:
        begin = f"{mark('begin', data)}<w:r><w:instrText>{code}</w:instrText></w:r>"
        return begin + ("" if result is None else mark("separate") + result) + mark("end")

    box = "<w:ffData><w:checkBox><w:default w:val='0'/><w:checked/></w:checkBox></w:ffData>"
    entries = "<w:listEntry w:val='No'/><w:listEntry w:val='Yes'/>"
    choice = f"<w:ffData><w:ddList><w:result w:val='1'/>{entries}</w:ddList></w:ffData>"
    code = f"IF </w:instrText></w:r>{field('MERGEFIELD x', run('raw'))}<w:r><w:instrText>"
    reply = word(
        paragraph(field("PAGE", run("7")) + run(" ") + field("FORMCHECKBOX", "", box) + run("agreed"))
        + paragraph(field("FORMDROPDOWN", None, choice))
        + paragraph(field(code, run("shown")))
        + paragraph(field(' HYPERLINK "https://a.example/x" ', run("here")))
        + paragraph(mark("begin") + run("never ended"))
        + paragraph(run("goes on"))
    )
    assert reply.text.split("\n\n") == [
        "7 ☒agreed", "Yes", "shown", "here (https://a.example/x)", "never ended", "goes on",
    ]  # fmt: skip


def test_targets_of_links_are_named_unless_the_text_says_them() -> None:
    body = (
        f'<w:hyperlink r:id="a">{run("the site")}</w:hyperlink>{run(", ")}'
        f'<w:hyperlink r:id="b">{run("www.b.example")}</w:hyperlink>{run(", ")}'
        f'<w:hyperlink r:id="c">{run("file")}</w:hyperlink>{run(", ")}'
        f'<w:hyperlink w:anchor="here">{run("below")}</w:hyperlink>'
    )
    reply = word(
        paragraph(body),
        relations={"a": "https://a.example/", "b": "http://www.b.example/", "c": "file:///etc/x"},
    )
    assert reply.text == "the site (https://a.example/), www.b.example, file, below"


@pytest.mark.parametrize(
    ("element", "shown"),
    [
        ('<w:sym w:font="Symbol" w:char="F061"/>', "α"),
        ('<w:sym w:font="Wingdings" w:char="F0FC"/>', "✓"),
        ('<w:sym w:font="Wingdings" w:char="00A8"/>', "☐"),
        ('<w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf0b3</w:t>', "≥"),
        ('<w:sym w:font="Wingdings" w:char="zz"/>', "\ufffd"),
        ("<w:noBreakHyphen/>", "-"),
    ],
)
def test_signs_of_symbol_fonts_are_read(element: str, shown: str) -> None:
    assert word(paragraph(f"<w:r>{element}</w:r>" + run(" 5"))).text == f"{shown} 5"


def m(tag: str, *content: str) -> str:
    return f"<m:{tag}>{''.join(content)}</m:{tag}>"


def t(text: str) -> str:
    return m("r", m("t", text))


def e(*content: str) -> str:
    return m("e", *content)


@pytest.mark.parametrize(
    ("formula", "shown"),
    [
        (m("f", m("num", t("a")), m("den", t("b"))), "a/b"),
        (m("f", m("num", t("a+b")), m("den", t("2a"))), "(a+b)/(2a)"),
        (m("sSup", e(t("x")), m("sup", t("2"))), "x^2"),
        (m("sSubSup", e(t("x")), m("sub", t("i+1")), m("sup", t("n"))), "x_(i+1)^n"),
        (m("rad", m("radPr", '<m:degHide m:val="1"/>'), m("deg"), e(t("x"))), "√(x)"),
        (m("rad", m("deg", t("3")), e(t("x"))), "√[3](x)"),
        (
            m("nary", m("naryPr", '<m:chr m:val="∑"/>'), m("sub", t("i=1")), m("sup", t("n")), e(t("i"))),
            "∑_(i=1)^n i",
        ),
        (m("d", m("dPr", '<m:begChr m:val="["/><m:endChr m:val=")"/>'), e(t("0")), e(t("1"))), "[0|1)"),
        (m("func", m("fName", t("sin")), e(t("x"))), "sin x"),
        (m("m", m("mr", e(t("1")), e(t("0"))), m("mr", e(t("0")), e(t("1")))), "[1, 0; 0, 1]"),
        (m("acc", m("accPr", '<m:chr m:val="̂"/>'), e(t("p"))), "p̂"),
        (m("f", m("num", m("f", m("num", t("1")), m("den", t("x")))), m("den", t("y"))), "(1/x)/y"),
    ],
)
def test_formulas_are_written_on_one_line(formula: str, shown: str) -> None:
    assert word(paragraph(run("It is ") + m("oMath", formula) + run("."))).text == f"It is {shown}."


def table(*rows: str) -> str:
    return f"<w:tbl>{''.join(rows)}</w:tbl>"


def row(*cells: str) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr>"


def test_a_table_within_a_table_loses_nothing() -> None:
    inner = table(
        row(paragraph(run("a")), paragraph(run("b"))), row(paragraph(run("c")), paragraph(run("d")))
    )
    outer = table(row(paragraph(run("x")), paragraph(run("y")) + inner + paragraph(run("z"))))
    assert word(outer).text == "x | y a, b; c, d; z"


def test_a_table_of_one_cell_is_a_frame() -> None:
    frame = table(row(paragraph(run("Letter")) + table(row(paragraph(run("a")), paragraph(run("b"))))))
    assert word(frame + paragraph(run("End."))).text == "Letter\n\na | b\n\nEnd."


def test_an_image_is_named_by_what_it_is_said_to_show() -> None:
    body = paragraph('<w:r><w:drawing><wp:docPr id="1" descr="A red barn"/></w:drawing></w:r>')
    assert word(body + body.replace("A red barn", "C:\\barn.png")).text == "[Image: A red barn]"


CHART = (
    "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:plotArea>"
    "<c:barChart>{}</c:barChart><c:catAx/><c:valAx><c:title><c:tx><c:rich><a:p><a:r><a:t>share</a:t></a:r></a:p>"
    "</c:rich></c:tx></c:title></c:valAx></c:plotArea></c:chart>"
)


def series(name: str, *values: str) -> str:
    points = "".join(f'<c:pt idx="{n}"><c:v>{value}</c:v></c:pt>' for n, value in enumerate(values))
    return (
        f"<c:ser><c:tx><c:strCache><c:pt idx='0'><c:v>{name}</c:v></c:pt></c:strCache></c:tx>"
        "<c:cat><c:f>A1</c:f><c:strCache><c:pt idx='0'><c:v>North</c:v></c:pt><c:pt idx='1'><c:v>South</c:v>"
        f"</c:pt></c:strCache></c:cat><c:val><c:numCache><c:formatCode>0%</c:formatCode>{points}</c:numCache>"
        "</c:val></c:ser>"
    )


def test_a_chart_is_read_as_the_table_of_its_data() -> None:
    reply = word(
        paragraph(run("See:"))
        + paragraph('<w:r><w:drawing><c:chart r:id="charts/chart1"/></w:drawing></w:r>'),
        {"charts/chart1": CHART.format(series("2025", "0.25", "0.5") + series("2026", "0.3"))},
    )
    assert reply.text == "See:\n\n[Chart: Sales – share]\n\n | 2025 | 2026\nNorth | 25% | 30%\nSouth | 50% | "


def test_smart_art_is_read_as_a_list() -> None:
    points = "".join(
        f"<dgm:pt><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></dgm:t></dgm:pt>" for text in ("Plan", "Do")
    )
    reply = word(
        paragraph('<w:r><w:drawing><dgm:relIds r:dm="diagrams/data1"/></w:drawing></w:r>'),
        {"diagrams/data1": points},
    )
    assert reply.text == "- Plan\n- Do"


def test_a_page_that_a_program_embedded_is_read() -> None:
    packed = io.BytesIO()
    relation = '<Relationship Id="a" Type="t/aFChunk" Target="/word/chunk.htm"/>'
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr(
            "word/document.xml", '<w:document><w:body><w:altChunk r:id="a"/></w:body></w:document>'
        )
        archive.writestr("word/_rels/document.xml.rels", RELATIONS.format(relation))
        archive.writestr("word/chunk.htm", "<html><body><p>Within.</p></body></html>")
    assert read(ReadRequest(name="a.docx", data=packed.getvalue())).text == "Within."


@pytest.mark.parametrize("name", ["word/document2.xml", "Word/Document2.xml", "word\\document2.xml"])
def test_the_main_part_has_any_name(name: str) -> None:
    packed = io.BytesIO()
    relation = '<Relationship Id="a" Type="t/officeDocument" Target="/word/document2.xml"/>'
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("_rels/.rels", RELATIONS.format(relation))
        archive.writestr(name, f"<w:document><w:body>{paragraph(run('Hello.'))}</w:body></w:document>")
    assert read(ReadRequest(name="a.docx", data=packed.getvalue())).text == "Hello."
