"""Reading attached files: what they hold decides, and what a stranger made of them does no harm."""

from __future__ import annotations

import io
import json
import re
import zipfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, UnidentifiedImageError
from pypdf import PdfWriter
from pypdf.generic import (
    ArrayObject,
    DecodedStreamObject,
    DictionaryObject,
    NameObject,
    NumberObject,
)

from fakes.pdf_files import pdf_with_content
from fireside.core.i18n import Phrase, render
from fireside.documents import archive as archives
from fireside.documents.archive import open_archive
from fireside.documents.extracted_text import CUT, NO_TEXT, FileRefused
from fireside.documents.extraction import EMPTY, TOO_LARGE, read
from fireside.documents.messages import MAX_CHARS, MAX_FILE_BYTES, ReadReply, ReadRequest
from fireside.documents.pdf import SCANNED
from fireside.documents.picture import MAX_EDGE
from fireside.documents.plain_text import GUESSED

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def of(data: bytes, name: str = "file") -> ReadReply:
    return read(ReadRequest(name=name, data=data))


def problem_of(reply: ReadReply) -> str:
    return render(reply.problem)


def archive(members: dict[str, str | bytes]) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in members.items():
            made.writestr(name, content)
    return packed.getvalue()


def word(body: str, styles: str = "") -> bytes:
    members: dict[str, str | bytes] = {
        "word/document.xml": f"<w:document {W}><w:body>{body}</w:body></w:document>"
    }
    if styles:
        members["word/styles.xml"] = f"<w:styles {W}>{styles}</w:styles>"
    return archive(members)


def paragraph(text: str, properties: str = "") -> str:
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def pdf(*pages: str) -> bytes:
    """Return a file with a line of text on each page; one without text for an empty line."""
    writer = PdfWriter()
    for text in pages:
        page = writer.add_blank_page(300, 300)
        if not text:
            continue
        font = DictionaryObject(
            {
                NameObject("/Type"): NameObject("/Font"),
                NameObject("/Subtype"): NameObject("/Type1"),
                NameObject("/BaseFont"): NameObject("/Helvetica"),
            }
        )
        page[NameObject("/Resources")] = DictionaryObject(
            {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
        )
        stream = DecodedStreamObject()
        stream.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode())
        page[NameObject("/Contents")] = writer._add_object(stream)
    written = io.BytesIO()
    writer.write(written)
    return written.getvalue()


def picture(kind: str, *, size: tuple[int, int] = (64, 32), mode: str = "RGB") -> bytes:
    written = io.BytesIO()
    Image.new(mode, size, (200, 40, 40) if mode == "RGB" else (200, 40, 40, 0)).save(written, kind)
    return written.getvalue()


# Text


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "utf-16-le", "utf-16-be"])
def test_text_is_read_in_every_unicode_encoding(encoding: str) -> None:
    assert of("Grüße, all of you\n".encode(encoding)).text == "Grüße, all of you\n"


def test_a_few_letters_of_an_unknown_encoding_are_read_as_western_and_it_is_said() -> None:
    reply = of("naïve “café”".encode("cp1252"))
    assert reply.text == "naïve “café”"
    assert reply.warnings == (Phrase(GUESSED, {"encoding": "Windows-1252"}),)


OLD_TEXTS = json.loads((Path(__file__).parent / "encodings.json").read_text("utf-8"))
"""Texts of Django's translations (BSD-3-Clause, github.com/django/django) by language, with encodings."""


@pytest.mark.parametrize(
    ("language", "encoding"),
    [(language, each) for language, old in OLD_TEXTS.items() for each in old["encodings"]],
)
def test_text_in_an_old_encoding_is_read_and_the_encoding_is_named(language: str, encoding: str) -> None:
    text = OLD_TEXTS[language]["text"]
    reply = of(text.encode(encoding))
    assert reply.text == text
    assert [render(warning)[:12] for warning in reply.warnings] == (
        [] if encoding == "iso2022_jp" else ["It does not "]
    )


def test_most_short_texts_in_old_encodings_are_read() -> None:
    cases = [
        (line, encoding)
        for old in OLD_TEXTS.values()
        for encoding in old["encodings"]
        for line in old["text"].splitlines()[:6]
        if not line.isascii()
    ]
    n_right = sum(of(line.encode(encoding)).text == line for line, encoding in cases)
    assert n_right > 0.85 * len(cases) > 200


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_its_mark_is_read_in_other_alphabets_too(encoding: str) -> None:
    text = OLD_TEXTS["ru"]["text"]
    assert of(text.encode(encoding)).text == text


@pytest.mark.parametrize(
    ("declared", "encoding", "text"),
    [
        ("iso-8859-1", "cp1252", "“Œuvre” – 5 €"),
        ("gb2312", "gb18030", "朱镕基"),
        ("shift_jis", "cp932", "①㈱"),
        ("iso-2022-jp", "iso2022_jp", "日本語"),
        ("euc-kr", "cp949", "똠방각하"),
    ],
)
def test_a_page_that_declares_a_narrower_encoding_is_read_as_browsers_do(
    declared: str, encoding: str, text: str
) -> None:
    page = f'<html><meta charset="{declared}"><p>{text}</p></html>'
    reply = of(page.encode(encoding))
    assert (reply.text, reply.warnings) == (text, ())


def test_ends_of_lines_become_plain() -> None:
    assert of(b"a\r\nb\rc").text == "a\nb\nc"


def test_code_keeps_its_indentation_and_empty_lines() -> None:
    source = "def f():\n    pass\n\n\n\ndef g():\n\treturn 1\n"
    assert of(source.encode(), "x.py").text == source


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 20,
        b"\x00" * 5000,
        b"abc\x00def",
        b"\x01\x02\x03\x04" * 100,
        b"\xff\xfe" + b"\xd8" * 999,
    ],
)
def test_binary_files_are_refused_with_a_reason(data: bytes) -> None:
    assert problem_of(of(data)).endswith(".")


def test_a_model_is_sent_to_the_library() -> None:
    assert "models" in problem_of(of(b"GGUF\x03\x00\x00\x00" + b"x" * 100))


def test_an_empty_file_is_refused() -> None:
    assert of(b"").problem == EMPTY


def test_a_file_that_is_too_large_is_refused() -> None:
    assert of(b"x" * (MAX_FILE_BYTES + 1)).problem == TOO_LARGE


def test_a_long_text_is_cut_and_says_so() -> None:
    reply = of(b"word " * (MAX_CHARS // 4))
    assert (len(reply.text), reply.warnings) == (MAX_CHARS, (CUT,))


def test_a_text_of_spaces_says_that_it_has_no_text() -> None:
    reply = of(b"  \n ")
    assert (reply.text, reply.warnings) == ("", (NO_TEXT,))


@pytest.mark.parametrize(
    ("data", "media_type"),
    [
        (b"%PDF is what PDF files begin with", "text/plain"),
        (pdf("Hi"), "application/pdf"),
        (b"BM is a code", "text/plain"),
    ],
)
def test_the_content_decides_the_format_and_not_the_name(data: bytes, media_type: str) -> None:
    assert of(data, "letter.docx").media_type == media_type


# Web pages


def test_a_web_page_keeps_headings_lists_tables_and_links() -> None:
    page = b"""<!doctype html><html><head><title>T</title><style>s {}</style></head><body>
      <h2>Head</h2><p>See <a href="https://a.b/c">this</a>.</p>
      <ol><li>one</li><li>two</li></ol><table><tr><td>1</td><td>2</td></tr></table>
      <pre>x\n  y</pre></body></html>"""
    reply = of(page)
    assert reply.media_type == "text/html"
    for part in ("# T", "## Head", "See this (https://a.b/c).", "1. one", "2. two", "1 | 2", "x\n  y"):
        assert part in reply.text


def test_scripts_and_their_addresses_are_left_out_of_a_web_page() -> None:
    page = b'<html><script>evil()</script><a href="javascript:evil()">go</a><iframe>evil</iframe></html>'
    assert of(page).text == "go"


MENU = '<a href="/">Home</a> <a href="/shop">Shop</a> <a href="/search">Search</a>'
ARTICLE = f"<h1>Care of pumps</h1><p>{'Pumps want oil once a year. ' * 8}</p>"


@pytest.mark.parametrize(
    "part",
    [
        f"<nav>{MENU}</nav>",
        f"<header>{MENU}</header>",
        f"<footer>© 2026 Ada {MENU}</footer>",
        f"<footer><p>© 1999-2026, Ada. Made with Ink 5.3.0.</p>{MENU}</footer>",
        f"<aside>Read on {MENU}</aside>",
        f'<div role="navigation"><h3>Navigation</h3>{MENU}</div>',
        f'<div class="site-navbar"><ul><li>{MENU}</ul></div>',
        f'<div id="pageFooter"><p>{MENU}</p></div>',
        f'<ul class="breadcrumb"><li>{MENU}</ul>',
        f'<div class="navheader"><table><tr><th>Care of pumps</th><tr><td>{MENU}</table></div>',
        f'<div class="toc"><p>Table of Contents</p><dl><dt>{MENU}</dl></div>',
    ],
)
def test_the_menus_of_a_web_page_are_left_out(part: str) -> None:
    for page in (
        f"{part}<main>{ARTICLE}</main>",
        f"<main>{ARTICLE}</main>{part}",
        f"{part}<article>{ARTICLE}",
    ):
        text = of(f"<html><title>Care of pumps — Manual</title><body>{page}".encode()).text
        assert text.startswith("# Care of pumps — Manual\n\nPumps want oil")
        assert "Home" not in text
    only_menus = of(f"<html><title>T</title><body>{part}</body></html>".encode()).text
    assert "Home" in only_menus


@pytest.mark.parametrize(
    "part",
    [
        '<header class="top"><h2>Kept</h2></header>',
        "<article><header><p>Kept by Ada, 3 May</p></header><footer>Kept</footer></article>",
        '<aside class="note">Kept: mind <a href="#a">the gap</a> between the two valves.</aside>',
        '<div class="sidebar"><p>Kept: a box beside the text with <a href="#a">one</a> link.</p></div>',
        f'<div class="has-sidebar"><p>Kept</p>{MENU * 9}</div>',
        '<p><a href="#x">Kept</a></p>',
        '<div class="contents"><p>Kept</p>',
    ],
)
def test_what_only_looks_like_a_menu_is_kept(part: str) -> None:
    page = f"<html><body>{part}<p>{'Pumps want oil once a year. ' * 4}</p></body></html>"
    assert "Kept" in of(page.encode()).text


@pytest.mark.parametrize(
    ("part", "kept"),
    [
        ("<footer><address>Phone 555-1234, VAT DE123</address></footer>", "Phone 555-1234, VAT DE123"),
        ("<header><p>ACME Ltd, Main St 5</p></header>", "ACME Ltd, Main St 5"),
        (
            f"<footer><nav>{MENU}</nav><address>ACME<br>Main St 5<br><a href='mailto:a@b.example'>a@b.example"
            f"</a><br><a href='tel:+49'>555-1234</a></address><p>© 2026 ACME</p><ul><li>{MENU}</ul></footer>",
            "ACME\nMain St 5\na@b.example (mailto:a@b.example)\n555-1234",
        ),
        (f'<header role="banner">{MENU}<p>Ring 555</p><button>Order now</button></header>', "Ring 555"),
        ('<div role="contentinfo"><footer>© 2026 ACME, VAT DE123</footer></div>', "© 2026 ACME, VAT DE123"),
        (
            f"<footer><ul><li><a href='/'>Home</a></li><li>Open 9 to 5</li></ul>{MENU}</footer>",
            "- Open 9 to 5",
        ),
        (
            "<footer><p>The prices include <a href='/vat'>VAT</a>.</p>Powered by Ink</footer>",
            "The prices include VAT.",
        ),
        ("<header>Draft of 3 May<br></header>", "Draft of 3 May"),
    ],
)
def test_what_the_header_or_footer_of_a_web_page_says_is_kept(part: str, kept: str) -> None:
    words = " ".join(["Pumps want oil once a year."] * 8)
    above = of(f"<html><body>{part}{words}".encode()).text
    assert re.sub(r"\n+", "\n", above) == f"{kept}\n{words}"
    assert of(f"<html><body><main>{words}</main>{part}".encode()).text == f"{words}\n\n{kept}"


def test_a_web_page_that_is_too_long_is_cut() -> None:
    page = f"<html><nav>{MENU}</nav><p>{'Pumps want oil. ' * 130_000}<h1>A</h1><h1>B<p>C<a href='#'>¶</a>"
    reply = of(page.encode())
    assert len(reply.text) == MAX_CHARS
    assert reply.text.startswith("Pumps want oil.")
    assert reply.warnings == (CUT,)


def test_an_item_of_a_list_stands_beside_its_sign() -> None:
    page = (
        "<html><body><ul><li><p>one</p><p>more</p></li><li></li><li><div><p>two</p></div><ol><li><p>deep</p>"
        "</ol></li><li><pre>code</pre></li></ul><p>after</p>"
    )
    text = of(page.encode()).text
    for line in ("- one", "- two", "  1. deep", "after"):
        assert line in text.split("\n")
    assert "more" in text
    assert "```\ncode\n```" in text


def test_a_short_cell_of_a_table_is_one_line() -> None:
    page = (
        "<html><body><table><tr><td><p>one<br>two</p><td>\n<div>three</div></td></tr><tr><td>four</td></tr></table>"
        f"<table><tr><td><p>{'long ' * 80}</p><p>end</p></td></tr></table>"
    )
    text = of(page.encode()).text
    assert text.startswith("one two | three\nfour\n")
    assert text.endswith("\n\nend")


TAGS = [
    "a",
    "article",
    "b",
    "blockquote",
    "br",
    "code",
    "div",
    "dl",
    "dd",
    "h1",
    "h3",
    "img",
    "li",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "table",
    "td",
    "th",
    "tr",
    "ul",
]


@given(
    st.lists(st.sampled_from(TAGS) | st.sampled_from([f"/{tag}" for tag in TAGS]) | st.none(), max_size=40)
)
def test_no_word_of_a_page_without_menus_is_lost(tags: list[str | None]) -> None:
    words = [f"word{n}" for n, tag in enumerate(tags) if tag is None]
    body = "".join(
        f"word{n} " if tag is None else '<a href="#x">' if tag == "a" else f"<{tag}>"
        for n, tag in enumerate(tags)
    )
    reply = of(f"<html><head><title>Page</title></head><body>{body}</body></html>".encode())
    assert re.findall(r"word\d+", reply.text) == words
    assert all(0 <= start < end <= len(reply.text) for start, end in reply.code)
    assert all(0 <= each.start < each.end <= len(reply.text) for each in reply.headings)


def test_signs_that_link_to_a_heading_are_left_out() -> None:
    page = (
        '<html><body><h1><p>Pumps<br>and valves</p><a href="#pumps">¶</a></h1><a href="#x" class="l">#</a>'
        '<h2>C# <a href="#c">§</a></h2><p>See <a href="#fn1">[1]</a> <a href="https://a.b/">¶</a>.'
    )
    assert of(page.encode()).text == "# Pumps and valves\n\n## C#\n\nSee [1] ¶ (https://a.b/)."


def test_a_title_that_repeats_the_heading_is_written_once() -> None:
    def text(title: str, body: str) -> str:
        return of(f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode()).text

    assert text("20.3. Logins", '<h2 class="title">20.3.&nbsp;Logins</h2><p>A') == "# 20.3. Logins\n\nA"
    assert text("Acme — Lists", "<h1>Lists</h1><p>A<h2>Lists") == "# Acme — Lists\n\nA\n\n## Lists"
    assert text("Lists", "<h2>Acme</h2><h1>Lists</h1><p>A") == "# Lists\n\n## Acme\n\nA"
    assert text("Acme", "<h1>Lists</h1><p>A") == "# Acme\n\n# Lists\n\nA"


def test_a_web_page_says_its_encoding() -> None:
    page = '<html><meta charset="iso-8859-7"><p>Ωμέγα</p></html>'.encode("iso-8859-7")
    assert of(page).text == "Ωμέγα"


def test_a_web_page_nested_without_end_is_read() -> None:
    assert of(b"<html>" + b"<div><ul>" * 100_000 + b"deep").text == "deep"


# Word


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    table = "<w:tbl><w:tr>" + "".join(f"<w:tc>{paragraph(cell)}</w:tc>" for cell in "ab") + "</w:tr></w:tbl>"
    reply = of(
        word(
            paragraph("Head", '<w:pStyle w:val="berschrift2"/>')
            + paragraph("Text &amp; more")
            + paragraph("item", '<w:numPr><w:ilvl w:val="1"/></w:numPr>')
            + table,
            styles='<w:style w:styleId="berschrift2"><w:name w:val="heading 2"/></w:style>',
        )
    )
    assert reply.text == "## Head\n\nText & more\n\n  - item\na | b"


def test_deleted_text_of_a_word_document_is_excluded() -> None:
    body = "<w:p><w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:r><w:t>stays</w:t></w:r></w:p>"
    assert of(word(body)).text == "stays"


@pytest.mark.parametrize(
    "document_type",
    [
        '[<!ENTITY x SYSTEM "file:///etc/passwd">]',
        '[<!ENTITY a "lol"><!ENTITY b "&a;&a;">]',
        'SYSTEM "http://a/b"',
    ],
)
def test_entities_are_refused(document_type: str) -> None:
    data = archive({"word/document.xml": f"<!DOCTYPE d {document_type}><d>&x;</d>"})
    assert "definitions" in problem_of(of(data))


def test_a_document_that_unpacks_without_end_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "MAX_PART_BYTES", 1_000_000)
    reply = of(archive({"word/document.xml": f"<d {W}>" + " " * 5_000_000 + "</d>"}))
    assert "unpacks" in problem_of(reply)


def test_a_document_in_an_encoding_that_there_is_not_is_refused() -> None:
    data = archive({"word/document.xml": '<?xml version="1.0" encoding="UdF-8"?><d/>'})
    assert problem_of(of(data)) == "it is damaged."


def test_a_document_nested_without_end_is_refused() -> None:
    assert "nested" in problem_of(of(archive({"word/document.xml": "<a>" * 5000})))


def test_other_archives_are_named() -> None:
    assert "an archive" in problem_of(of(archive({"content.xml": "x"})))
    assert "archive" in problem_of(of(archive({"a.txt": "x"})))


def test_a_binary_workbook_is_named() -> None:
    assert "XLSX" in problem_of(of(archive({"xl/workbook.bin": "x"})))


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("EncryptedPackage", "password"),
        ("__substg1.0_0037001F", "Outlook"),
        ("WordDocument", "Save as DOCX"),
        ("PowerPoint Document", "Save as PPTX"),
        ("VisioDocument", "Save as PDF"),
        ("Else", "old Office"),
        ("WORKBOOK", "damaged"),
    ],
)
def test_old_and_locked_office_files_are_named(part: str, expected: str) -> None:
    data = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500) + part.encode("utf-16-le") + bytes(500)
    assert expected in problem_of(of(data))


def test_a_truncated_document_is_refused_with_a_reason() -> None:
    whole = word(paragraph("words " * 200))
    for length in range(4, len(whole) - 1, 7):
        assert problem_of(of(whole[:length])).endswith("."), length


# PDF


def test_a_pdf_file_is_read_page_by_page() -> None:
    reply = of(pdf("First page", "Second page"))
    assert (reply.text, reply.n_pages) == ("First page\n\nSecond page", 2)


def test_a_pdf_file_whose_font_names_its_spaces_tabs_has_spaces() -> None:
    assert of(pdf("First\tpage of\ttwo")).text == "First page of two"


def test_a_scanned_pdf_file_says_that_it_has_no_text() -> None:
    assert of(pdf_with_content("10 10 200 200 re f")).warnings == (SCANNED,)
    reply = of(pdf("", ""))
    assert (reply.text, reply.warnings) == ("", (NO_TEXT,))


def test_a_locked_pdf_file_is_refused() -> None:
    writer = PdfWriter(clone_from=io.BytesIO(pdf("Secret")))
    writer.encrypt("password", algorithm="RC4-128")
    written = io.BytesIO()
    writer.write(written)
    assert "password" in problem_of(of(written.getvalue()))


def test_pages_that_hold_themselves_are_refused_or_read() -> None:
    writer = PdfWriter()
    writer.add_blank_page(100, 100)
    pages = writer._root_object["/Pages"].get_object()
    assert isinstance(pages, DictionaryObject)
    kids = pages["/Kids"]
    assert isinstance(kids, ArrayObject)
    kids.append(pages.indirect_reference)
    pages[NameObject("/Count")] = NumberObject(10**9)
    written = io.BytesIO()
    writer.write(written)
    reply = of(written.getvalue())
    assert problem_of(reply).endswith(".") or reply.n_pages is not None


def test_a_pdf_file_cut_anywhere_never_crashes() -> None:
    whole = pdf("Some words", "And more")
    for length in range(8, len(whole), 29):
        reply = of(whole[:length])
        assert reply.problem or reply.n_pages is not None, length


# Pictures


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP", "GIF", "BMP"])
def test_pictures_are_written_anew(kind: str) -> None:
    reply = of(picture(kind), "photo.txt")
    assert reply.media_type in ("image/png", "image/jpeg")
    assert Image.open(io.BytesIO(reply.picture)).size == (64, 32)


def test_a_large_picture_becomes_small() -> None:
    with Image.open(io.BytesIO(of(picture("PNG", size=(5000, 100))).picture)) as small:
        assert small.size == (2048, 41)


def test_an_image_is_upright_and_without_metadata() -> None:
    exif = Image.Exif()
    exif[0x0112], exif[0x010F] = 6, "a camera"
    written = io.BytesIO()
    Image.new("RGB", (64, 32)).save(written, "JPEG", exif=exif)
    with Image.open(io.BytesIO(of(written.getvalue()).picture)) as upright:
        assert (upright.size, len(upright.getexif())) == ((32, 64), 0)


def test_transparent_pixels_become_white() -> None:
    with Image.open(io.BytesIO(of(picture("PNG", mode="RGBA")).picture)) as plain:
        assert plain.getpixel((0, 0)) == (255, 255, 255)


def test_a_large_transparent_picture_is_scaled_before_it_is_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    on_white, copied = Image.alpha_composite, list[tuple[int, int]]()

    def composite(canvas: Image.Image, layer: Image.Image) -> Image.Image:
        copied.append(layer.size)
        return on_white(canvas, layer)

    monkeypatch.setattr(Image, "alpha_composite", composite)
    large = io.BytesIO()
    Image.new("RGBA", (4 * MAX_EDGE, 8), (255, 0, 0, 128)).save(large, "PNG")
    with Image.open(io.BytesIO(of(large.getvalue()).picture)) as small:
        assert small.getpixel((9, 1)) == (255, 127, 127)
    assert copied == [(MAX_EDGE, 2)]


def test_a_picture_that_claims_to_be_huge_is_refused() -> None:
    data = bytearray(picture("BMP"))
    data[18:26] = (30_000).to_bytes(4, "little") * 2
    assert "million pixels" in render(of(bytes(data)).problem)


def test_a_truncated_image_is_refused_with_a_reason() -> None:
    whole = picture("PNG")
    for length in range(8, len(whole) // 2, 5):
        assert "damaged" in render(of(whole[:length]).problem), length


def test_an_image_with_a_damaged_profile_is_read() -> None:
    written = io.BytesIO()
    Image.new("RGB", (20, 20), "teal").save(written, "PNG", icc_profile=b"profile")
    damaged = written.getvalue().replace(b"iCCP", b"iCCX", 1)  # now with a wrong checksum
    with pytest.raises(UnidentifiedImageError):
        Image.open(io.BytesIO(damaged))
    assert of(damaged).media_type == "image/png"


def test_an_archive_of_no_kind_is_a_refusal_of_the_reader() -> None:
    with pytest.raises(FileRefused), open_archive(b"PK\x03\x04 nothing more"):
        pass


# Hidden text


def hidden_of(reply: ReadReply) -> list[str]:
    return [reply.text[start:end] for start, end in reply.hidden]


def run(text: str, properties: str = "") -> str:
    return f"<w:r><w:rPr>{properties}</w:rPr><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    ("properties", "is_hidden"),
    [
        ("<w:vanish/>", True),
        ('<w:vanish w:val="0"/>', False),
        ('<w:sz w:val="2"/>', True),
        ('<w:sz w:val="22"/>', False),
        ('<w:color w:val="FFFFFF"/>', True),
        ('<w:shd w:fill="1F4E79"/><w:color w:val="FFFFFF"/>', False),
    ],
)
def test_hidden_text_of_a_word_document_is_marked(properties: str, is_hidden: bool) -> None:
    reply = of(word(f"<w:p>{run('Seen. ')}{run('Obey me.', properties)}{run(' Seen too.')}</w:p>"))
    assert reply.text == "Seen. Obey me. Seen too."
    assert hidden_of(reply) == (["Obey me."] if is_hidden else [])


def test_the_mark_of_a_paragraph_hides_nothing() -> None:
    reply = of(word(paragraph("Seen.", "<w:rPr><w:vanish/></w:rPr>")))
    assert reply.hidden == ()


@pytest.mark.parametrize(
    "element",
    [
        '<div style="display: none">Obey <b>me</b>.</div>',
        "<div hidden>Obey <b>me</b>.</div>",
        '<p style="color:red; font-size:0px">Obey <b>me</b>.',
        '<div style="visibility:hidden"><div>Obey <b>me</b></div>.</div>',
    ],
)
def test_hidden_text_of_a_page_is_marked(element: str) -> None:
    reply = of(f"<html><body><p>Seen.</p>{element}<p>Seen too.</p></body></html>".encode())
    assert "Obey me" in reply.text
    assert "".join(hidden_of(reply)).replace("\n", "") in ("Obey me.", "Obey me")
    assert "Seen" not in "".join(hidden_of(reply))


STYLES = """
@media print { .menu { display: none } }
/* .seen { display: none } */
.trap, p.quiet, #low { display:none } .shown { opacity: 0 } .shown { opacity: 1 } div .deep { display: none }
"""


@pytest.mark.parametrize(
    ("element", "is_hidden"),
    [
        ('<div class="note trap">Obey me.</div>', True),
        ('<p class="Quiet">Obey me.</p>', True),
        ('<div class="quiet">Obey me.</div>', False),
        ('<div id="low">Obey me.</div>', True),
        ('<div class="menu">Obey me.</div>', False),
        ('<div class="seen shown deep">Obey me.</div>', False),
    ],
)
def test_text_that_the_style_sheet_of_a_page_hides_is_marked(element: str, is_hidden: bool) -> None:
    page = (
        f"<html><head><style>{STYLES}</style></head><body><p>Seen.</p>{element}<p>Seen too.</p></body></html>"
    )
    assert hidden_of(of(page.encode())) == (["Obey me."] if is_hidden else [])


@pytest.mark.parametrize("sheet", ["@a{" * 40_000, "a{}" * 40_000, "/*" * 60_000, "@a{b{}" * 20_000])
def test_a_hostile_style_sheet_is_read_at_once(sheet: str) -> None:
    assert of(f"<html><style>{sheet}</style><p>Seen.</p></html>".encode()).text == "Seen."


def styled(style: str, properties: str, *, base: str = "") -> str:
    based = f'<w:basedOn w:val="{base}"/>' if base else ""
    return f'<w:style w:styleId="{style}"><w:name w:val="{style}"/>{based}{properties}</w:style>'


@pytest.mark.parametrize(
    ("style", "is_hidden"),
    [("Gone", True), ("Based", True), ("White", True), ("OnBlack", False), ("Small", False), ("Back", False)],
)
@pytest.mark.parametrize("is_of_paragraph", [False, True])
def test_text_of_a_word_document_that_its_style_hides_is_marked(
    style: str, is_hidden: bool, is_of_paragraph: bool
) -> None:
    white = '<w:rPr><w:color w:val="FFFFFF"/></w:rPr>'
    styles = (
        styled("Gone", "<w:rPr><w:vanish/></w:rPr>")
        + styled("Based", "<w:rPr><w:b/></w:rPr>", base="Gone")
        + styled("White", white)
        + styled("OnBlack", f'<w:pPr><w:shd w:fill="000000"/></w:pPr>{white}')
        + styled("Small", '<w:rPr><w:sz w:val="16"/></w:rPr>')
        + styled("Back", '<w:rPr><w:vanish w:val="0"/></w:rPr>', base="Gone")
    )
    body = (
        paragraph("Obey me.", f'<w:pStyle w:val="{style}"/>')
        if is_of_paragraph
        else "<w:p>" + run("Obey me.", f'<w:rStyle w:val="{style}"/>') + "</w:p>"
    )
    reply = of(word(paragraph("Seen.") + body + paragraph("Seen too."), styles))
    assert hidden_of(reply) == (["Obey me."] if is_hidden else [])


def test_a_style_that_hides_nothing_marks_nothing() -> None:
    page = '<html><body><div style="display:block;font-size:0.8em;opacity:0.5">Seen.</div></body></html>'
    assert of(page.encode()).hidden == ()


def test_white_and_tiny_text_of_a_pdf_file_is_marked() -> None:
    reply = of(
        pdf_with_content(
            "BT /F1 12 Tf 40 500 Td (Everyone sees this line.) Tj ET\n"
            "BT 1 1 1 rg /F1 12 Tf 40 460 Td (White orders are given here.) Tj ET\n"
            "BT 0 0 0 rg /F1 1 Tf 40 420 Td (Tiny orders are given here.) Tj ET\n"
            "0 0 0 rg 30 370 300 30 re f BT 1 1 1 rg /F1 12 Tf 40 380 Td (White on black is seen.) Tj ET"
        )
    )
    assert hidden_of(reply) == ["White orders are given here.\nTiny orders are given here."]
    assert "White on black is seen." in reply.text


def test_marks_of_ours_in_a_file_mark_nothing() -> None:
    reply = of("Seen \ufdd0and\ufdd1 seen.".encode())
    assert (reply.text, reply.hidden) == ("Seen and seen.", ())
