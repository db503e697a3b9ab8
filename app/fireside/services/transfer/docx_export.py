"""Chats and answers as Word documents (WordprocessingML, ECMA-376 Part 1, 17)."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import Final

from fireside.markup.direction import has_rtl
from fireside.services.transfer.formula_omml import omml
from fireside.services.transfer.office_blocks import (
    CodeBlock,
    ListPlace,
    OfficeBlock,
    PictureBlock,
    ProseBlock,
    RuleBlock,
    Run,
    Runs,
    TableBlock,
    text_of,
    unknown_picture,
)
from fireside.services.transfer.office_package import NAMESPACES, OfficePackage, xml

_NAMESPACES: Final = (
    f'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" {NAMESPACES} '
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" '
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"'
)
_PART: Final = "word/document.xml"
_TEXT_TWIPS: Final = 9_026
"""Width of the text on A4 with margins of an inch."""
_PICTURE_EMU: Final = (5_730_000, 7_500_000)
_EMU_PER_PX: Final = 9_525
_INDENT: Final = 360
_MAX_DEPTH: Final = 8
_MAX_COLUMNS: Final = 63
"""That Word has; a wider table is written as text."""
_NO_MARGINS: Final = 'distT="0" distB="0" distL="0" distR="0"'
_BULLETS: Final = "•◦▪"
_MARKS: Final = {
    "code": '<w:rStyle w:val="CodeText"/>',
    "kbd": '<w:rStyle w:val="CodeText"/>',
    "strong": "<w:b/><w:bCs/>",
    "b": "<w:b/><w:bCs/>",
    "em": "<w:i/><w:iCs/>",
    "i": "<w:i/><w:iCs/>",
    "s": "<w:strike/>",
    "mark": '<w:highlight w:val="yellow"/>',
    "u": '<w:u w:val="single"/>',
    "sub": '<w:vertAlign w:val="subscript"/>',
    "sup": '<w:vertAlign w:val="superscript"/>',
}
"""In the order of the schema."""


def docx_content(title: str, facts: str, blocks: Iterable[OfficeBlock]) -> bytes:
    """Return a document; ``title`` and ``facts`` stand above it, if there are any."""
    writer = _DocxWriter()
    head = _paragraph(_run(Run(title)), style="Title") if title else ""
    head += _paragraph(_run(Run(facts)), style="Facts") if facts else ""
    return writer.content(head, blocks)


class _DocxWriter:
    def __init__(self) -> None:
        self._package = OfficePackage()
        self._lists: dict[int, int] = {}
        self._nums: list[str] = []
        self._n_pictures = 0

    def content(self, head: str, blocks: Iterable[OfficeBlock]) -> bytes:
        body = "".join(map(self._block, blocks))
        page = (
            '<w:sectPr><w:pgSz w:w="11906" w:h="16838"/><w:pgMar w:top="1440" w:right="1440" w:bottom="1440" '
            'w:left="1440" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'
        )
        add, relate = self._package.add, self._package.relate
        add("word/styles.xml", _STYLES, kind="wordprocessingml.styles")
        relate(_PART, "word/styles.xml", kind="styles")
        numbering = f"<w:numbering {_NAMESPACES}>{_LISTS}{''.join(self._nums)}</w:numbering>"
        add("word/numbering.xml", numbering, kind="wordprocessingml.numbering")
        relate(_PART, "word/numbering.xml", kind="numbering")
        document = f"<w:document {_NAMESPACES}><w:body>{head}{body or '<w:p/>'}{page}</w:body></w:document>"
        add(_PART, document, kind="wordprocessingml.document.main")
        return self._package.content(_PART)

    def _block(self, block: OfficeBlock) -> str:
        match block:
            case ProseBlock():
                return self._paragraph_of(block)
            case CodeBlock():
                return "".join(_paragraph(_run(Run(line)), style="Code") for line in block.lines)
            case TableBlock() if len(block.sides) > _MAX_COLUMNS:
                lines = (" | ".join(map(text_of, row)) for row in block.rows)
                return "".join(_paragraph(_run(Run(line)), style="Code") for line in lines)
            case TableBlock():
                return self._table(block)
            case PictureBlock():
                return self._picture(block)
            case RuleBlock():
                return _paragraph("", properties=_RULE)

    def _paragraph_of(self, block: ProseBlock) -> str:
        style = f"Heading{block.level}" if block.level else "Quote" if block.quotes else ""
        numbers = indent = ""
        if block.item is not None:
            depth = min(_MAX_DEPTH, block.item.depth)
            numbers = (
                f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{self._list(block.item)}"/></w:numPr>'
            )
        if steps := block.depth + block.quotes:
            hanging = f' w:hanging="{_INDENT}"' if block.item is not None else ""
            indent = f'<w:ind w:left="{_INDENT * steps}"{hanging}/>'
        bidi = "<w:bidi/>" if block.is_rtl else ""
        if len(block.runs) == 1 and block.runs[0].is_formula and (formula := omml(block.runs[0].text)):
            inner = f"<m:oMathPara>{formula}</m:oMathPara>"
        else:
            inner = self._runs(block.runs)
        return _paragraph(inner, style=style, properties=f"{numbers}{bidi}{indent}")

    def _list(self, item: ListPlace) -> int:
        """Return the number of a list in the file, which counts from the ordinal of its first item."""
        if item.list_number not in self._lists:
            number = self._lists[item.list_number] = len(self._nums) + 1
            starts = "".join(
                f'<w:lvlOverride w:ilvl="{level}"><w:startOverride w:val="{item.ordinal}"/></w:lvlOverride>'
                for level in ([min(_MAX_DEPTH, item.depth)] if item.ordinal is not None else [])
            )
            kind = 0 if item.ordinal is None else 1
            self._nums.append(f'<w:num w:numId="{number}"><w:abstractNumId w:val="{kind}"/>{starts}</w:num>')
        return self._lists[item.list_number]

    def _runs(self, runs: Runs) -> str:
        parts: list[str] = []
        for url, group in groupby(runs, key=lambda run: run.url):
            inner = "".join(map(_run, group))
            if url:
                target = self._package.relate(_PART, url, kind="hyperlink", is_external=True)
                inner = f'<w:hyperlink r:id="{target}" w:history="1">{inner}</w:hyperlink>'
            parts.append(inner)
        return "".join(parts)

    def _table(self, block: TableBlock) -> str:
        widths = block.widths(_TEXT_TWIPS)
        grid = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
        bidi = "<w:bidiVisual/>" if has_rtl("".join(map(text_of, block.rows[0]))) else ""
        rows: list[str] = []
        for number, row in enumerate(block.rows):
            head = "<w:cantSplit/><w:tblHeader/>" if number == 0 else "<w:cantSplit/>"
            cells = "".join(
                f'<w:tc><w:tcPr><w:tcW w:w="{width}" w:type="dxa"/>{_HEAD_GROUND if number == 0 else ""}'
                f"</w:tcPr>{self._cell(runs, side, is_head=number == 0)}</w:tc>"
                for runs, side, width in zip(row, block.sides, widths, strict=True)
            )
            rows.append(f"<w:tr><w:trPr>{head}</w:trPr>{cells}</w:tr>")
        return (
            f'<w:tbl><w:tblPr><w:tblStyle w:val="Grid"/>{bidi}<w:tblW w:w="{sum(widths)}" w:type="dxa"/>'
            f"</w:tblPr><w:tblGrid>{grid}</w:tblGrid>{''.join(rows)}</w:tbl>"
            f"{_paragraph('', style='Cell')}"
        )

    def _cell(self, runs: Runs, side: str, *, is_head: bool) -> str:
        if is_head:
            runs = tuple(Run(run.text, run.marks | {"strong"}, run.url, run.is_formula) for run in runs)
        bidi = "<w:bidi/>" if ProseBlock(runs=runs).is_rtl else ""
        align = f'<w:jc w:val="{side}"/>' if side != "left" else ""
        return _paragraph(self._runs(runs), style="Cell", properties=f"{bidi}{align}")

    def _picture(self, block: PictureBlock) -> str:
        found = self._package.picture(block.part, folder="word")
        if found is None:
            return _paragraph(_run(Run(unknown_picture(), frozenset({"em"}))))
        path, width, height = found
        self._n_pictures += 1
        scale = min(
            1.0, *(most / (px * _EMU_PER_PX) for most, px in zip(_PICTURE_EMU, (width, height), strict=True))
        )
        size = " ".join(
            f'{name}="{max(1, int(px * _EMU_PER_PX * scale))}"'
            for name, px in (("cx", width), ("cy", height))
        )
        link = self._package.relate(_PART, path, kind="image")
        name = f'id="{self._n_pictures}" name="{xml(block.name)}" descr="{xml(block.name)}"'
        return _paragraph(
            f"<w:r><w:drawing><wp:inline {_NO_MARGINS}><wp:extent {size}/><wp:docPr {name}/><a:graphic>"
            '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/picture"><pic:pic>'
            f"<pic:nvPicPr><pic:cNvPr {name}/><pic:cNvPicPr/></pic:nvPicPr><pic:blipFill>"
            f'<a:blip r:embed="{link}"/>'
            f'<a:stretch><a:fillRect/></a:stretch></pic:blipFill><pic:spPr><a:xfrm><a:off x="0" y="0"/>'
            f'<a:ext {size}/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></pic:spPr></pic:pic>'
            "</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>"
        )


def _paragraph(inner: str, *, style: str = "", properties: str = "") -> str:
    named = f'<w:pStyle w:val="{style}"/>' if style else ""
    return f"<w:p><w:pPr>{named}{properties}</w:pPr>{inner}</w:p>"


def _run(run: Run) -> str:
    if run.is_formula:
        if formula := omml(run.text):
            return formula
        run = Run(run.text, run.marks | {"code"}, run.url)
    marks = dict.fromkeys(style for mark, style in _MARKS.items() if mark in run.marks)
    if run.url and '<w:rStyle w:val="CodeText"/>' not in marks:
        marks = {'<w:rStyle w:val="Hyperlink"/>': None, **marks}
    direction = "<w:rtl/>" if has_rtl(run.text) else ""
    text = "<w:br/>".join(
        f'<w:t xml:space="preserve">{xml(line)}</w:t>' if line else "" for line in run.text.split("\n")
    )
    return f"<w:r><w:rPr>{''.join(marks)}{direction}</w:rPr>{text}</w:r>"


_RULE: Final = (
    '<w:pBdr><w:bottom w:val="single" w:sz="6" w:space="1" w:color="B8AFA6"/></w:pBdr>'
    '<w:spacing w:before="120" w:after="240"/>'
)
_HEAD_GROUND: Final = '<w:shd w:val="clear" w:color="auto" w:fill="F2EDE8"/>'
_MONO: Final = '<w:rFonts w:ascii="Consolas" w:hAnsi="Consolas" w:cs="Consolas"/>'


def _style(
    name: str,
    paragraph: str = "",
    run: str = "",
    *,
    kind: str = "paragraph",
    base: str = "Normal",
    id_: str = "",
) -> str:
    based = f'<w:basedOn w:val="{base}"/>' if kind == "paragraph" and name != base else ""
    default = ' w:default="1"' if name == "Normal" else ""
    following = '<w:next w:val="Normal"/>' if name.startswith(("heading", "Title")) else ""
    inner = f"<w:pPr>{paragraph}</w:pPr>" if kind == "paragraph" else ""
    return (
        f'<w:style w:type="{kind}"{default} w:styleId="{id_ or name}">'
        f'<w:name w:val="{name}"/>{based}{following}'
        f"<w:qFormat/>{inner}<w:rPr>{run}</w:rPr></w:style>"
    )


def _heading(level: int, half_points: int) -> str:
    return _style(
        f"heading {level}",
        f'<w:keepNext/><w:spacing w:before="280" w:after="100"/><w:outlineLvl w:val="{level - 1}"/>',
        f'<w:b/><w:bCs/><w:color w:val="8A3207"/><w:sz w:val="{half_points}"/>'
        f'<w:szCs w:val="{half_points}"/>',
        id_=f"Heading{level}",
    )


_SIDES: Final = ("top", "left", "bottom", "right", "insideH", "insideV")
_GRID: Final = "".join(f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="D5CCC3"/>' for side in _SIDES)
_STYLES: Final = (
    f"<w:styles {_NAMESPACES}><w:docDefaults><w:rPrDefault><w:rPr>"
    '<w:rFonts w:ascii="Calibri" w:hAnsi="Calibri" w:cs="Arial"/><w:sz w:val="22"/><w:szCs w:val="22"/>'
    "</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr>"
    '<w:spacing w:after="120" w:line="271" w:lineRule="auto"/></w:pPr>'
    "</w:pPrDefault></w:docDefaults>"
    + _style("Normal")
    + _style("Title", '<w:spacing w:after="60"/>', '<w:b/><w:bCs/><w:sz w:val="44"/><w:szCs w:val="44"/>')
    + _style(
        "Facts",
        '<w:spacing w:after="320"/>',
        '<w:color w:val="645B52"/><w:sz w:val="18"/><w:szCs w:val="18"/>',
    )
    + "".join(_heading(level, size) for level, size in enumerate((34, 29, 26, 24, 22, 22), start=1))
    + _style(
        "Quote",
        '<w:pBdr><w:left w:val="single" w:sz="18" w:space="8" w:color="D5CCC3"/></w:pBdr>'
        '<w:ind w:left="360"/>',
        '<w:color w:val="645B52"/>',
    )
    + _style(
        "Code",
        '<w:shd w:val="clear" w:color="auto" w:fill="F6F2EE"/><w:bidi w:val="0"/><w:spacing w:before="0" '
        'w:after="120" w:line="240" w:lineRule="auto"/><w:contextualSpacing/>',
        f'{_MONO}<w:noProof/><w:sz w:val="19"/><w:szCs w:val="19"/>',
    )
    + _style("Cell", '<w:spacing w:before="30" w:after="30" w:line="240" w:lineRule="auto"/>')
    + _style(
        "CodeText",
        run=f'{_MONO}<w:noProof/><w:sz w:val="20"/><w:shd w:val="clear" w:color="auto" w:fill="F6F2EE"/>',
        kind="character",
    )
    + _style("Hyperlink", run='<w:color w:val="AF3E09"/><w:u w:val="single"/>', kind="character")
    + f'<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/><w:tblPr><w:tblBorders>{_GRID}'
    '</w:tblBorders><w:tblCellMar><w:left w:w="100" w:type="dxa"/><w:right w:w="100" w:type="dxa"/>'
    "</w:tblCellMar></w:tblPr></w:style></w:styles>"
)


def _levels(number: int) -> str:
    levels = "".join(
        f'<w:lvl w:ilvl="{level}"><w:start w:val="1"/><w:numFmt w:val="{"decimal" if number else "bullet"}"/>'
        f'<w:lvlText w:val="{f"%{level + 1}." if number else _BULLETS[level % len(_BULLETS)]}"/>'
        f'<w:lvlJc w:val="left"/><w:pPr>'
        f'<w:ind w:left="{_INDENT * (level + 1)}" w:hanging="{_INDENT}"/></w:pPr></w:lvl>'
        for level in range(_MAX_DEPTH + 1)
    )
    kind = '<w:multiLevelType w:val="multilevel"/>'
    return f'<w:abstractNum w:abstractNumId="{number}">{kind}{levels}</w:abstractNum>'


_LISTS: Final = _levels(0) + _levels(1)
