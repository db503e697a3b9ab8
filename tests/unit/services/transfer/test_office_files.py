"""Files of Office programs hold what an answer says, and nothing else: read again by what reads documents."""

from __future__ import annotations

import csv
import io
import re
import zipfile
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from fakes.transcripts import asked, said, transcript
from fireside.core.errors import FiresideError
from fireside.core.message import ImagePart, ReasoningPart
from fireside.core.transfer import FILE_ENDINGS, ExportFormat
from fireside.documents.extraction import read
from fireside.documents.messages import ReadRequest
from fireside.services.transfer import conversation_export
from fireside.services.transfer.formula_omml import omml
from fireside.services.transfer.office_package import OfficePackage, xml
from fireside.storage.transcripts import ConversationTranscript

OFFICE = (ExportFormat.DOCX, ExportFormat.PPTX, ExportFormat.XLSX)
ANSWER = r"""# Bread

Some *text* with `code`, [a link](https://example.org/a?b=1&c=2) and [none](javascript:alert(1)).

1. Mix
   - the flour

   well

2. Bake

```python
def f(x):
	return x
```

$$\frac{a+b}{2}$$

| Name | Amount | On | Note |
|:--|--:|---|---|
| Flour | 500 | 2026-11-30 | =1+1 |
| Salt | -1.5 | 30.11.2026 | @SUM(A1) |
| Phone | 007 | 2026-13-01 | -2+3 |

שלום עולם
"""


def file_of(made: ConversationTranscript, form: ExportFormat, *, is_answer: bool = False) -> bytes:
    return conversation_export._content(made, form, is_answer=is_answer)


def text_in(content: bytes, form: ExportFormat) -> str:
    """Return the text of a file as the reader of attachments sees it."""
    reply = read(ReadRequest(name=f"file{FILE_ENDINGS[form]}", data=content))
    assert not reply.problem
    return reply.text


def part(content: bytes, name: str) -> str:
    return zipfile.ZipFile(io.BytesIO(content)).read(name).decode()


def picture() -> ImagePart:
    data = io.BytesIO()
    Image.new("RGB", (40, 20)).save(data, "PNG")
    return ImagePart(data=data.getvalue(), media_type="image/png")


def test_a_document_keeps_headings_lists_code_tables_formulas_links_and_pictures() -> None:
    made = transcript(asked("How?"), said(ReasoningPart(text="Hm."), ANSWER, picture(), parent=0))
    content = file_of(made, ExportFormat.DOCX)
    text = text_in(content, ExportFormat.DOCX)
    for expected in ("# You", "# Model", "## Bread", "Hm.", "1. Mix", "2. Bake", "(a+b)/2", "Flour", "שלום"):
        assert expected in text
    assert "    return x" in text
    body = part(content, "word/document.xml")
    for expected in ('w:val="Code"', "<m:f>", "<w:bidi/>", "<w:tblHeader/>", "<pic:pic>", "<w:i/>"):
        assert expected in body
    links = part(content, "word/_rels/document.xml.rels")
    assert "https://example.org/a?b=1&amp;c=2" in links
    assert "javascript" not in links


def test_an_answer_alone_has_neither_speaker_nor_reasoning() -> None:
    alone = transcript(said(ReasoningPart(text="Hm."), ANSWER))
    text = text_in(file_of(alone, ExportFormat.DOCX, is_answer=True), ExportFormat.DOCX)
    assert text.startswith("# Bread")
    assert "Hm." not in text
    assert file_of(alone, ExportFormat.MARKDOWN, is_answer=True).decode() == ANSWER


def test_each_heading_begins_a_slide_and_what_is_long_goes_on_on_others() -> None:
    long = "\n".join(f"line {n}" for n in range(100))
    made = transcript(said(f"# One\n\n{'word ' * 900}\n\n# Two\n\n```\n{long}\n```\n\n{ANSWER}", picture()))
    content = file_of(made, ExportFormat.PPTX, is_answer=True)
    text = text_in(content, ExportFormat.PPTX)
    for expected in ("One (2)", "Two (3)", "line 99", "Bread", "Flour", "1. Mix"):
        assert expected in text
    names = zipfile.ZipFile(io.BytesIO(content)).namelist()
    assert sum(name.startswith("ppt/slides/slide") for name in names) < 20
    assert any(name.startswith("ppt/media/") for name in names)


def test_a_list_on_a_slide_has_its_depths() -> None:
    made = transcript(said("1. One\n   - a\n     1. x\n2. Two"))
    slide = part(file_of(made, ExportFormat.PPTX, is_answer=True), "ppt/slides/slide1.xml")
    assert re.findall(r'lvl="(\d)" indent="-', slide) == ["0", "1", "2", "0"]


def test_numbers_and_iso_dates_are_values_and_no_text_is_a_formula() -> None:
    content = file_of(transcript(said(ANSWER)), ExportFormat.XLSX, is_answer=True)
    sheet = ElementTree.fromstring(part(content, "xl/worksheets/sheet1.xml"))
    space = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"
    values = {cell.get("r"): cell.findtext(f"{space}v") for cell in sheet.iter(f"{space}c")}
    assert (values["B2"], values["B3"], values["C2"]) == ("500", "-1.5", "46356")
    kinds = {cell.get("r"): cell.get("t") for cell in sheet.iter(f"{space}c")}
    texts = ("A2", "D2", "C3", "D3", "B4", "C4", "D4")
    assert [kinds[place] for place in texts] == ["s"] * len(texts)
    assert not list(sheet.iter(f"{space}f"))
    assert 'name="Bread"' in part(content, "xl/workbook.xml")
    shown = text_in(content, ExportFormat.XLSX)
    for expected in ("=1+1", "@SUM(A1)", "007", "2026-11-30"):
        assert expected in shown


def test_csv_keeps_numbers_and_quotes_what_looks_like_a_formula() -> None:
    content = file_of(transcript(said(ANSWER)), ExportFormat.CSV, is_answer=True)
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    assert rows[1:] == [
        ["Flour", "500", "2026-11-30", "'=1+1"],
        ["Salt", "-1.5", "30.11.2026", "'@SUM(A1)"],
        ["Phone", "007", "2026-13-01", "'-2+3"],
    ]


@pytest.mark.parametrize("form", [ExportFormat.XLSX, ExportFormat.CSV])
def test_without_a_table_a_workbook_is_refused_in_words(form: ExportFormat, tmp_path: Path) -> None:
    with pytest.raises(FiresideError, match="no table"):
        conversation_export._write(transcript(said("none")), form=form, target=tmp_path / "x")
    assert not list(tmp_path.iterdir())


def test_sheets_have_names_that_excel_accepts_each_once() -> None:
    table = "\n\n| a |\n|---|\n| 1 |\n\n"
    made = transcript(said(table + f"# A/B: [c]?*\\ {'x' * 40}" + table * 2 + "# History" + table))
    names = [
        sheet.get("name") or ""
        for sheet in ElementTree.fromstring(part(file_of(made, ExportFormat.XLSX), "xl/workbook.xml")).iter()
        if sheet.tag.endswith("}sheet")
    ]
    assert len({name.casefold() for name in names}) == 4
    assert all(0 < len(name) <= 31 and not set(name) & set("[]:*?/\\") for name in names)
    assert "history" not in {name.casefold() for name in names}


@pytest.mark.parametrize(
    "text",
    [
        "".join(map(chr, range(32))) + "\ud800\ufffe\u202e",
        "> " * 60 + "deep",
        "- " * 30 + "deep",
        "$" + r"\frac{" * 300 + "$\n\n$$\\" + "x" * 3_000 + "$$",
        "|" + " c |" * 100 + "\n|" + "---|" * 100 + "\n|" + " d |" * 100,
        "| a | b |\n|---|---|\n" + "| 1 | =2 |\n" * 2_000,
        "```\n" + "x = 1\n" * 5_000 + "```",
        "![](data:image/png;base64,AAAA) ![x](file:///etc/passwd)",
        "",
    ],
    ids=["controls", "quotes", "lists", "formulas", "columns", "rows", "code", "images", "empty"],
)
@pytest.mark.parametrize("form", OFFICE)
def test_hostile_text_gives_a_file_that_can_be_read(text: str, form: ExportFormat) -> None:
    made = transcript(said(text, ImagePart(data=b"no image", media_type="image/png")), title=text[:100])
    if content := file_of(made, form):
        text_in(content, form)
        for name in zipfile.ZipFile(io.BytesIO(content)).namelist():
            ElementTree.fromstring(part(content, name))


@settings(max_examples=50, deadline=None)
@given(st.text())
def test_any_text_is_well_formed(text: str) -> None:
    ElementTree.fromstring(f'<a b="{xml(text)}">{xml(text)}</a>')


def test_formulas_are_editable_or_else_source() -> None:
    total = omml(r"$$\sum_{i=1}^n i = 3$$")
    assert total is not None
    tags = re.findall(r"<m:(\w+)", total.partition("<m:nary>")[2])
    assert tags[:5] == ["naryPr", "chr", "limLoc", "subHide", "supHide"]
    assert re.sub(r"<m:(sub|sup|e)>|<[^>]*>", lambda match: match[1] or "", total) == "subi=1supnei=3"
    assert total.index("</m:nary>") < total.index(">3<")
    for known in (r"\sqrt[3]{x}", r"\hat x", r"\left(\frac12\right)", r"\begin{pmatrix}a&b\\c\end{pmatrix}"):
        assert omml(f"${known}$")
    assert omml(r"$\frac{1$") is None


def test_a_picture_is_stored_once() -> None:
    package, image = OfficePackage(), picture()
    assert package.picture(image, folder="word") == package.picture(image, folder="word")
    names = zipfile.ZipFile(io.BytesIO(package.content("word/document.xml"))).namelist()
    assert sum("media" in name for name in names) == 1
