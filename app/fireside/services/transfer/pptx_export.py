"""Chats and answers as slides (PresentationML, ECMA-376 Part 1, 19): each heading begins one.

Nothing lays slides out later, so heights are estimated here, in points.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from math import ceil
from typing import Final

import msgspec

from fireside.core.i18n import tr
from fireside.markup.formula import CannotDraw, draw
from fireside.markup.formula_delimiters import split_formula
from fireside.markup.rich_text import pieces
from fireside.services.transfer.formula_omml import omml
from fireside.services.transfer.office_blocks import (
    CodeBlock,
    OfficeBlock,
    PictureBlock,
    ProseBlock,
    RuleBlock,
    Run,
    Runs,
    TableBlock,
    plain,
    text_of,
    unknown_picture,
)
from fireside.services.transfer.office_package import NAMESPACES as _COMMON
from fireside.services.transfer.office_package import OfficePackage, xml

_LEFT, _TOP, _WIDTH, _BOTTOM = 54.0, 112.0, 852.0, 510.0
_MAIN: Final = "ppt/presentation.xml"
_TEXT, _CODE, _CELL = 18.0, 12.0, 12.0
"""Sizes of fonts."""
_LINE: Final = 1.35
_N_LEVELS: Final = 9
"""Depths of lists that the format knows."""
_GAP: Final = 6.0
_MAX_TEXT: Final = 700
"""Characters of a paragraph; a longer one is split, since it may not fit a slide."""
_MAX_LINES: Final = 150
"""Rows of a table and lines of code; slides with more help nobody."""
_MAX_COLUMNS: Final = 20
_MAX_SLIDES: Final = 500
_MIN_PICTURE: Final = 160.0
_MARKS: Final = {
    "strong": ' b="1"',
    "b": ' b="1"',
    "em": ' i="1"',
    "i": ' i="1"',
    "s": ' strike="sngStrike"',
    "u": ' u="sng"',
    "sub": ' baseline="-25000"',
    "sup": ' baseline="30000"',
}
_MONO: Final = '<a:latin typeface="Consolas"/><a:cs typeface="Consolas"/>'
_GROUND: Final = '<a:solidFill><a:srgbClr val="F6F2EE"/></a:solidFill>'


def pptx_content(title: str, facts: str, blocks: Iterable[OfficeBlock]) -> bytes:
    """Return a presentation whose first slide shows ``title`` and ``facts``."""
    writer = _PptxWriter()
    writer.add_title(title, facts)
    for block in blocks:
        writer.add(block)
        if writer.is_full:
            writer.add(plain(tr("The rest does not fit into a presentation. Export it as a Word document.")))
            break
    return writer.content()


class _PptxWriter:
    def __init__(self) -> None:
        self._package = OfficePackage()
        self._slides: list[str] = []
        self._title = ""
        self._n_parts = 0
        """Slides of the current title."""
        self._shapes: list[str] = []
        self._paragraphs: list[ProseBlock] = []
        """Text that is not in a shape yet."""
        self._y = _TOP
        self._text_y = _TOP
        """Where the shape of that text begins."""

    @property
    def is_full(self) -> bool:
        return len(self._slides) >= _MAX_SLIDES

    @property
    def _path(self) -> str:
        """The part of the current slide."""
        return f"ppt/slides/slide{len(self._slides) + 1}.xml"

    def content(self) -> bytes:
        self._end_slide()
        add_master(self._package)
        relate = self._package.relate
        master = relate(_MAIN, MASTER, kind="slideMaster")
        ids = "".join(
            f'<p:sldId id="{256 + number}" r:id="{relate(_MAIN, path, kind="slide")}"/>'
            for number, path in enumerate(self._slides)
        )
        self._package.add(
            _MAIN,
            f'<p:presentation {NAMESPACES}><p:sldMasterIdLst><p:sldMasterId id="2147483648" r:id="{master}"/>'
            f"</p:sldMasterIdLst><p:sldIdLst>{ids}</p:sldIdLst>"
            f'<p:sldSz cx="{emu(960)}" cy="{emu(540)}"/><p:notesSz cx="6858000" cy="9144000"/>'
            f"</p:presentation>",
            kind="presentationml.presentation.main",
        )
        return self._package.content(_MAIN)

    def add_title(self, title: str, facts: str) -> None:
        """Add the first slide."""
        self._begin(title)
        if facts:
            self._take(plain(facts), _height(facts, _TEXT, _WIDTH))

    def add(self, block: OfficeBlock) -> None:
        match block:
            case ProseBlock() if block.level:
                self._end_slide()
                self._begin(" ".join(block.text.split()))
            case ProseBlock(runs=(Run(is_formula=True) as run,)) if formula := omml(run.text):
                self._add_formula(run, formula)
            case ProseBlock():
                for part in _split(block):
                    indent = 24.0 * (part.depth + part.quotes)
                    self._take(part, _height(part.text, _TEXT, _WIDTH - indent) + _GAP)
            case CodeBlock():
                self._add_code(block.lines)
            case TableBlock() if len(block.sides) > _MAX_COLUMNS:
                self._add_code(tuple(" | ".join(map(text_of, row)) for row in block.rows))
            case TableBlock():
                self._add_table(block)
            case PictureBlock():
                self._add_picture(block)
            case RuleBlock():
                pass

    # Slides

    def _begin(self, title: str) -> None:
        self._title, self._n_parts = title[:200], 0
        self._shapes = []
        self._y = self._text_y = _TOP

    def _end_slide(self) -> None:
        """Add what was written since the slide began, which may be its title alone."""
        self._end_text()
        if not self._shapes and (not self._title or self._n_parts):
            return
        self._n_parts += 1
        title = f"{self._title} ({self._n_parts})" if self._n_parts > 1 else self._title
        head = (
            '<p:sp><p:nvSpPr><p:cNvPr id="2" name="Title"/><p:cNvSpPr><a:spLocks noGrp="1"/></p:cNvSpPr>'
            '<p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p>'
            f"{_run(Run(title))}</a:p></p:txBody></p:sp>"
        )
        path = self._path
        self._package.relate(path, LAYOUT, kind="slideLayout")
        self._package.add(
            path, SLIDE.format(shapes=head + "".join(self._shapes)), kind="presentationml.slide"
        )
        self._slides.append(path)
        self._shapes = []
        self._y = self._text_y = _TOP

    def _room(self, height: float) -> None:
        """Begin another slide where ``height`` does not fit below what is there."""
        if self._y + height > _BOTTOM and self._y > _TOP:
            self._end_slide()

    def _take(self, block: ProseBlock, height: float) -> None:
        self._room(height)
        if not self._paragraphs:
            self._text_y = self._y
        self._paragraphs.append(block)
        self._y += height

    def _end_text(self) -> None:
        if not self._paragraphs:
            return
        blocks, self._paragraphs = self._paragraphs, []
        is_first = not self._shapes
        text = "".join(map(self._paragraph, blocks))
        box = frame(_LEFT, self._text_y, _WIDTH, self._y - self._text_y + _GAP)
        place = '<p:ph idx="1"/>' if is_first else ""
        kind = "" if is_first else ' txBox="1"'
        shape = (
            f'<p:sp><p:nvSpPr><p:cNvPr id="{self._next_id()}" name="Text"/><p:cNvSpPr{kind}/><p:nvPr>{place}'
            f'</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>{box}</a:xfrm><a:prstGeom prst="rect"><a:avLst/>'
            f"</a:prstGeom>"
            f"</p:spPr><p:txBody><a:bodyPr><a:normAutofit/></a:bodyPr>{text}</p:txBody></p:sp>"
        )
        self._shapes.append(shape)

    def _next_id(self) -> int:
        return len(self._shapes) + 3

    # Blocks

    def _add_code(self, lines: tuple[str, ...]) -> None:
        self._end_text()
        shown = [line[:2_000] for line in lines[:_MAX_LINES]]
        while shown:
            self._room(3 * _CODE * _LINE)
            n, height = 0, 2 * _GAP
            while n < len(shown):
                line_height = _height(shown[n], _CODE, _WIDTH - 16, mono=True)
                if n and self._y + height + line_height > _BOTTOM:
                    break
                n, height = n + 1, height + line_height
            text = "".join(
                f"<a:p><a:pPr><a:buNone/></a:pPr>{_run(Run(line, frozenset({'code'})), size=_CODE)}</a:p>"
                for line in shown[:n]
            )
            self._shapes.append(
                f'<p:sp><p:nvSpPr><p:cNvPr id="{self._next_id()}" name="Code"/>'
                f'<p:cNvSpPr txBox="1"/><p:nvPr/>'
                f"</p:nvSpPr><p:spPr><a:xfrm>{frame(_LEFT, self._y, _WIDTH, height)}</a:xfrm>"
                f'<a:prstGeom prst="rect"><a:avLst/></a:prstGeom>{_GROUND}</p:spPr>'
                f"<p:txBody><a:bodyPr/>{text}</p:txBody></p:sp>"
            )
            self._y += height + _GAP
            shown = shown[n:]
        self._note_rest(len(lines) - _MAX_LINES)

    def _add_table(self, block: TableBlock) -> None:
        self._end_text()
        widths = block.widths(_WIDTH)
        size = _CELL if len(widths) <= 8 else 9.0
        head, *rows = block.rows[: _MAX_LINES + 1]
        heights = [
            max(_height(text_of(cell), size, width - 12) for cell, width in zip(row, widths, strict=True)) + 8
            for row in (head, *rows)
        ]
        done = 0
        while done < len(rows) or done == 0:
            self._room(heights[0] + sum(heights[1 + done : 2 + done]))
            n, height = 0, heights[0]
            while done + n < len(rows) and (not n or self._y + height + heights[1 + done + n] <= _BOTTOM):
                height += heights[1 + done + n]
                n += 1
            part = (head, *rows[done : done + n])
            self._shapes.append(
                self._table(block, part, widths, (heights[0], *heights[1 + done :]), size=size)
            )
            self._y += height + _GAP
            done += n
            if not rows:
                break
        self._note_rest(len(block.rows) - 1 - _MAX_LINES)

    def _table(
        self,
        block: TableBlock,
        rows: tuple[tuple[Runs, ...], ...],
        widths: list[int],
        heights: tuple[float, ...],
        *,
        size: float,
    ) -> str:
        grid = "".join(f'<a:gridCol w="{emu(width)}"/>' for width in widths)
        body: list[str] = []
        for number, (row, height) in enumerate(zip(rows, heights, strict=False)):
            cells = ""
            for runs, side in zip(row, block.sides, strict=True):
                styled = tuple(
                    msgspec.structs.replace(run, marks=run.marks | ({"strong"} if number == 0 else set()))
                    for run in runs
                )
                text = "".join(self._run(run, size=size) for run in styled)
                ground = _GROUND if number == 0 else "<a:noFill/>"
                cells += (
                    f"<a:tc><a:txBody><a:bodyPr/><a:p><a:pPr{_direction(runs, side)}/>{text}</a:p></a:txBody>"
                    f"<a:tcPr>{_BORDERS}{ground}</a:tcPr></a:tc>"
                )
            body.append(f'<a:tr h="{emu(height)}">{cells}</a:tr>')
        return (
            f'<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="{self._next_id()}" name="Table"/>'
            "<p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr>"
            f"<p:xfrm>{frame(_LEFT, self._y, sum(widths), sum(heights[: len(rows)]))}</p:xfrm><a:graphic>"
            '<a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table">'
            f'<a:tbl><a:tblPr firstRow="1"/><a:tblGrid>{grid}</a:tblGrid>{"".join(body)}</a:tbl>'
            "</a:graphicData></a:graphic></p:graphicFrame>"
        )

    def _note_rest(self, n_left: int) -> None:
        if n_left > 0:
            note = tr(
                "%n more line: too many for slides. A Word document has all.|"
                "%n more lines: too many for slides. A Word document has all.",
                "",
                n_left,
            )
            self._take(plain(note, "em"), _height(note, _TEXT, _WIDTH) + _GAP)

    def _add_picture(self, block: PictureBlock) -> None:
        found = self._package.picture(block.part, folder="ppt")
        if found is None:
            note = unknown_picture()
            self._take(plain(note, "em"), _height(note, _TEXT, _WIDTH))
            return
        self._end_text()
        self._room(_MIN_PICTURE)
        path, width, height = found
        scale = min(0.75, _WIDTH / width, (_BOTTOM - self._y) / height)
        link = self._package.relate(self._path, path, kind="image")
        self._shapes.append(
            f"<p:pic><p:nvPicPr>"
            f'<p:cNvPr id="{self._next_id()}" name="{xml(block.name)}" descr="{xml(block.name)}"/>'
            '<p:cNvPicPr><a:picLocks noChangeAspect="1"/></p:cNvPicPr><p:nvPr/></p:nvPicPr><p:blipFill>'
            f'<a:blip r:embed="{link}"/><a:stretch><a:fillRect/></a:stretch></p:blipFill><p:spPr>'
            f"<a:xfrm>{frame(_LEFT, self._y, width * scale, height * scale)}</a:xfrm>"
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr></p:pic>'
        )
        self._y += height * scale + _GAP

    def _add_formula(self, run: Run, formula: str) -> None:
        """Add a formula, whose source is shown by programs without formulas.

        It has a shape of its own, since LibreOffice drops those beside text and fits one to its shape.
        """
        self._end_text()
        width, height = _formula_size(run.text)
        self._room(height + _GAP)
        head = (
            f'<p:sp><p:nvSpPr><p:cNvPr id="{self._next_id()}" name="{xml(run.text)}"/><p:cNvSpPr txBox="1"/>'
            f"<p:nvPr/></p:nvSpPr><p:spPr><a:xfrm>{frame(_LEFT + _GAP, self._y, width, height)}</a:xfrm>"
            '<a:prstGeom prst="rect"><a:avLst/></a:prstGeom></p:spPr><p:txBody>'
            '<a:bodyPr wrap="none" lIns="0" tIns="0" rIns="0" bIns="0"/><a:p>'
        )
        tail = "</a:p></p:txBody></p:sp>"
        drawn = f"<a14:m><m:oMathPara>{formula}</m:oMathPara></a14:m>"
        self._shapes.append(
            f'<mc:AlternateContent><mc:Choice Requires="a14">{head}{drawn}{tail}</mc:Choice>'
            f"<mc:Fallback>{head}{_run(run, size=_TEXT)}{tail}</mc:Fallback></mc:AlternateContent>"
        )
        self._y += height + _GAP

    # Text

    def _paragraph(self, block: ProseBlock) -> str:
        steps = block.depth + block.quotes
        hanging = 18 if block.item is not None else 0
        # Without its level, numbers after an inner list go on with those of that.
        depth = max(0, min(steps, _N_LEVELS) - 1)
        level = f' marL="{emu(24 * steps)}" lvl="{depth}" indent="{-emu(hanging)}"'
        if block.item is None:
            mark = "<a:buNone/>"
        elif block.item.ordinal is None:
            mark = '<a:buFont typeface="Arial"/><a:buChar char="•"/>'
        else:
            start = max(1, min(32_767, block.item.ordinal))
            mark = f'<a:buFont typeface="+mj-lt"/><a:buAutoNum type="arabicPeriod" startAt="{start}"/>'
        runs = "".join(self._run(run) for run in block.runs)
        space = f'<a:spcBef><a:spcPts val="{int(_GAP * 100)}"/></a:spcBef>'
        return f"<a:p><a:pPr{level}{_direction(block.runs)}>{space}{mark}</a:pPr>{runs}</a:p>"

    def _run(self, run: Run, *, size: float = _TEXT) -> str:
        link = ""
        if run.url:
            target = self._package.relate(self._path, run.url, kind="hyperlink", is_external=True)
            link = f'<a:hlinkClick r:id="{target}"/>'
        return _run(run, size=size, link=link)


def _run(run: Run, *, size: float | None = None, link: str = "") -> str:
    marks = "".join(dict.fromkeys(style for mark, style in _MARKS.items() if mark in run.marks))
    font = _MONO if run.is_formula or {"code", "kbd"} & run.marks else '<a:latin typeface="+mn-lt"/>'
    points = f' sz="{int(size * 100)}"' if size is not None else ""
    style = f"<a:rPr{points}{marks}>{font}{link}</a:rPr>"
    return "<a:br/>".join(
        f"<a:r>{style}<a:t>{xml(line)}</a:t></a:r>" if line else "" for line in run.text.split("\n")
    )


def _formula_size(raw: str) -> tuple[float, float]:
    """Return width and height of a formula, which is made smaller where it is wider than a slide."""
    tex, is_display = split_formula(raw)
    try:
        drawing = draw(tex, is_display=is_display)
    except CannotDraw:
        return _WIDTH / 2, 3 * _TEXT
    width, height = drawing.width * _TEXT, (drawing.ascent + drawing.descent) * _TEXT
    scale = min(1.0, _WIDTH / width, (_BOTTOM - _TOP) / height)
    return width * scale, height * scale


def _direction(runs: Runs, side: str = "left") -> str:
    """Return the alignment of a paragraph, and whether it is written from right to left."""
    is_from_right = ProseBlock(runs=runs).is_rtl
    align = "ctr" if side == "center" else "r" if side == "right" or is_from_right else "l"
    return f' algn="{align}" rtl="{int(is_from_right)}"'


def _split(block: ProseBlock) -> Iterator[ProseBlock]:
    """Yield a paragraph in parts that fit a slide each; the first keeps the mark of its item."""
    part: list[Run] = []
    n_characters = 0
    for run in block.runs:
        texts = (run.text,) if run.is_formula else pieces(run.text, limit=_MAX_TEXT)
        for text in texts:
            if part and n_characters + len(text) > _MAX_TEXT:
                yield msgspec.structs.replace(block, runs=tuple(part))
                block = msgspec.structs.replace(block, item=None)
                part, n_characters = [], 0
            part.append(msgspec.structs.replace(run, text=text))
            n_characters += len(text)
    yield msgspec.structs.replace(block, runs=tuple(part))


def _height(text: str, size: float, width: float, *, mono: bool = False) -> float:
    """Return about how high a text is."""
    em = size * (0.6 if mono else 0.52)
    return size * _LINE * sum(max(1, ceil(_columns(line) * em / max(20, width))) for line in text.split("\n"))


def _columns(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in line)


def _border(side: str) -> str:
    return f'<a:{side} w="6350"><a:solidFill><a:srgbClr val="D5CCC3"/></a:solidFill></a:{side}>'


_BORDERS: Final = "".join(map(_border, ("lnL", "lnR", "lnT", "lnB")))


# What every presentation has beside its slides: theme, master, one layout


NAMESPACES: Final = f'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" {_COMMON}'
MASTER: Final = "ppt/slideMasters/slideMaster1.xml"
LAYOUT: Final = "ppt/slideLayouts/slideLayout1.xml"
_THEME: Final = "ppt/theme/theme1.xml"


def emu(points: float) -> int:
    """Return a length in the units of the format, 12,700 a point."""
    return round(points * 12_700)


def frame(left: float, top: float, width: float, height: float) -> str:
    """Return a place on a slide, in points."""
    size = f'<a:ext cx="{max(1, emu(width))}" cy="{max(1, emu(height))}"/>'
    return f'<a:off x="{emu(left)}" y="{emu(top)}"/>{size}'


def add_master(package: OfficePackage) -> None:
    """Add the parts that slides with the layout ``LAYOUT`` build on."""
    package.add(_THEME, _THEME_XML, kind="theme")
    package.relate(MASTER, _THEME, kind="theme")
    layout = package.relate(MASTER, LAYOUT, kind="slideLayout")
    package.relate(LAYOUT, MASTER, kind="slideMaster")
    package.add(LAYOUT, _LAYOUT_XML, kind="presentationml.slideLayout")
    package.add(MASTER, _MASTER_XML.replace("LAYOUT", layout), kind="presentationml.slideMaster")


def _tree(shapes: str) -> str:
    return (
        '<p:cSld><p:spTree><p:nvGrpSpPr><p:cNvPr id="1" name=""/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr>'
        f"<p:grpSpPr/>{shapes}</p:spTree></p:cSld>"
    )


def _placeholder(number: int, kind: str, place: str, body: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="{number}" name="Placeholder {number}"/><p:cNvSpPr/><p:nvPr>'
        f"<p:ph {kind}/>"
        f'</p:nvPr></p:nvSpPr><p:spPr><a:xfrm>{place}</a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom>'
        f"</p:spPr><p:txBody><a:bodyPr{body}><a:normAutofit/></a:bodyPr><a:p><a:endParaRPr/></a:p>"
        f"</p:txBody></p:sp>"
    )


def _level(tag: str, size: int, before: int, extra: str = "") -> str:
    return (
        f'<a:{tag}><a:spcBef><a:spcPts val="{before}"/></a:spcBef><a:buNone/><a:defRPr sz="{size}"{extra}>'
        '<a:solidFill><a:schemeClr val="tx1"/></a:solidFill><a:latin typeface="+mn-lt"/>'
        '<a:ea typeface="+mn-ea"/>'
        f'<a:cs typeface="+mn-cs"/></a:defRPr></a:{tag}>'
    )


def _levels(size: int, before: int) -> str:
    """Return lists of all depths, which look alike: each paragraph says how far it is indented."""
    return "".join(_level(f"lvl{n}pPr", size, before) for n in range(1, _N_LEVELS + 1))


def _shapes(body: str) -> str:
    title = _placeholder(2, 'type="title"', frame(54, 30, 852, 72), ' anchor="b"')
    return title + _placeholder(3, f'type="{body}" idx="1"', frame(54, 112, 852, 398))


SLIDE: Final = (
    f'<p:sld {NAMESPACES} xmlns:a14="http://schemas.microsoft.com/office/drawing/2010/main" '
    'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
    f"{_tree('{shapes}')}<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sld>"
)
"""A slide, for ``str.format`` with ``shapes``."""
_LAYOUT_XML: Final = (
    f'<p:sldLayout {NAMESPACES} type="obj">{_tree(_shapes("obj"))}'
    "<p:clrMapOvr><a:masterClrMapping/></p:clrMapOvr></p:sldLayout>"
)
_COLOURS: Final = {
    "dk1": "1F1B16",
    "lt1": "FFFFFF",
    "dk2": "645B52",
    "lt2": "F6F2EE",
    "accent1": "AF3E09",
    "accent2": "17764A",
    "accent3": "825400",
    "accent4": "2B5F9E",
    "accent5": "B0083F",
    "accent6": "7A4FA3",
    "hlink": "AF3E09",
    "folHlink": "8A3207",
}
_MAP: Final = {"bg1": "lt1", "tx1": "dk1", "bg2": "lt2", "tx2": "dk2"} | {
    name: name for name in _COLOURS if name.startswith(("accent", "hlink", "fol"))
}
_BOLD: Final = ' b="1"'
_MASTER_XML: Final = (
    f"<p:sldMaster {NAMESPACES}>{_tree(_shapes('body'))}"
    + "<p:clrMap "
    + " ".join(f'{name}="{colour}"' for name, colour in _MAP.items())
    + "/>"
    '<p:sldLayoutIdLst><p:sldLayoutId id="2147483649" r:id="LAYOUT"/></p:sldLayoutIdLst><p:txStyles>'
    f"<p:titleStyle>{_level('lvl1pPr', 2800, 0, _BOLD)}</p:titleStyle>"
    f"<p:bodyStyle>{_levels(1800, 600)}</p:bodyStyle>"
    f"<p:otherStyle>{_levels(1800, 0)}</p:otherStyle></p:txStyles></p:sldMaster>"
)
_FILL: Final = '<a:solidFill><a:schemeClr val="phClr"/></a:solidFill>'
_OUTLINE: Final = f'<a:ln w="6350">{_FILL}</a:ln>'
_FONT: Final = '<a:latin typeface="Calibri"/><a:ea typeface=""/><a:cs typeface="Arial"/>'
_THEME_XML: Final = (
    '<a:theme xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" name="Fireside">'
    "<a:themeElements>"
    '<a:clrScheme name="Fireside">'
    + "".join(f'<a:{name}><a:srgbClr val="{colour}"/></a:{name}>' for name, colour in _COLOURS.items())
    + f'</a:clrScheme><a:fontScheme name="Fireside"><a:majorFont>{_FONT}</a:majorFont><a:minorFont>{_FONT}'
    f'</a:minorFont></a:fontScheme><a:fmtScheme name="Fireside"><a:fillStyleLst>{_FILL * 3}</a:fillStyleLst>'
    f"<a:lnStyleLst>{_OUTLINE * 3}</a:lnStyleLst><a:effectStyleLst>"
    f"{'<a:effectStyle><a:effectLst/></a:effectStyle>' * 3}</a:effectStyleLst><a:bgFillStyleLst>{_FILL * 3}"
    "</a:bgFillStyleLst></a:fmtScheme></a:themeElements></a:theme>"
)
