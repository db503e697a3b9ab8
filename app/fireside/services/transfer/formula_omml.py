"""Formulas for Office documents (OMML, ECMA-376 Part 1, 22.1), where they can be edited and read aloud."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from fireside.markup.formula import CannotDraw, mathml
from fireside.markup.formula_delimiters import split_formula
from fireside.services.transfer.office_package import xml

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_ROWS: Final = frozenset({"math", "mrow", "mstyle", "mpadded", "menclose", "mtd", "semantics"})
_LARGE: Final = frozenset("∑∏∐∫∬∭∮⋂⋃⋁⋀⨁⨂")
_INTEGRALS: Final = frozenset("∫∬∭∮")
_RELATIONS: Final = frozenset("=≠<>≤≥≈≡∼→⇒⇔,;")
"""What ends the operand of a sum or an integral."""
_ACCENTS: Final = {"^": "\u0302", "~": "\u0303", "→": "\u20d7", "˙": "\u0307", "¨": "\u0308"}
_BARS: Final = frozenset("―‾¯_\u0305")
_BRACES: Final = frozenset("⏞⏟︷︸⏜⏝")
_STYLES: Final = {
    "normal": '<m:sty m:val="p"/>',
    "bold": '<m:sty m:val="b"/>',
    "bold-italic": '<m:sty m:val="bi"/>',
}


@lru_cache(maxsize=256)
def omml(raw: str) -> str | None:
    """Return a formula as an ``m:oMath`` element, or ``None`` if it is to be shown as source.

    ``raw`` is its source with delimiters. ``m:`` must be declared around it.
    """
    tex, is_display = split_formula(raw)
    try:
        return f"<m:oMath>{_row([mathml(tex, is_display=is_display)])}</m:oMath>"
    except CannotDraw:
        return None


def _name(element: Element) -> str:
    return element.tag.rpartition("}")[2]


def _row(elements: Sequence[Element]) -> str:
    parts: list[str] = []
    index = 0
    while index < len(elements):
        element = elements[index]
        index += 1
        if (operator := _large_operator(element)) is None:
            parts.append(_one(element))
            continue
        end = index
        while end < len(elements) and _text(elements[end]) not in _RELATIONS:
            end += 1
        parts.append(_nary(element, operator, operand=_row(elements[index:end])))
        index = end
    return "".join(parts)


def _one(element: Element) -> str:
    name, children = _name(element), list(element)
    if name in _ROWS:
        return _fenced(children) or _row(children)
    if name in {"mi", "mn", "mo", "mtext"}:
        return _run(element)
    if name in {"mspace", "mphantom"}:
        return '<m:r><m:t xml:space="preserve"> </m:t></m:r>' if element.get("width", "1") != "0em" else ""
    if name == "msqrt":
        return f'<m:rad><m:radPr><m:degHide m:val="1"/></m:radPr><m:deg/>{_argument("e", *children)}</m:rad>'
    if name == "mtable":
        return _table(children)
    write = _WRITERS.get(name)
    if write is None or len(children) != _N_CHILDREN.get(name, 2):
        raise CannotDraw(f"{name} with {len(children)} parts")
    return write(element)


def _run(element: Element) -> str:
    text = element.text or ""
    if not text:
        return ""
    style = _STYLES.get(element.get("mathvariant", ""), "")
    if _name(element) == "mtext":
        style = "<m:nor/>"
    elif not style and len(text) > 1 and text.isalpha():
        style = _STYLES["normal"]  # the name of a function
    properties = f"<m:rPr>{style}</m:rPr>" if style else ""
    return f'<m:r>{properties}<m:t xml:space="preserve">{xml(text)}</m:t></m:r>'


def _argument(tag: str, *elements: Element) -> str:
    return f"<m:{tag}>{_row(elements)}</m:{tag}>"


def _fraction(element: Element) -> str:
    top, bottom = element
    kind = '<m:fPr><m:type m:val="noBar"/></m:fPr>' if element.get("linethickness", "1")[:1] == "0" else ""
    return f"<m:f>{kind}{_argument('num', top)}{_argument('den', bottom)}</m:f>"


def _root(element: Element) -> str:
    base, degree = element
    return f"<m:rad>{_argument('deg', degree)}{_argument('e', base)}</m:rad>"


def _scripts(element: Element) -> str:
    base, *scripts = element
    tag, kinds = {
        "msub": ("sSub", ("sub",)),
        "msup": ("sSup", ("sup",)),
        "msubsup": ("sSubSup", ("sub", "sup")),
    }[_name(element)]
    arguments = "".join(_argument(kind, each) for kind, each in zip(kinds, scripts, strict=True))
    return f"<m:{tag}>{_argument('e', base)}{arguments}</m:{tag}>"


def _labelled(element: Element) -> str:
    base, *labels = element
    name = _name(element)
    if name == "munderover":
        lower, upper = labels
        under = f"<m:limLow>{_argument('e', base)}{_argument('lim', lower)}</m:limLow>"
        return f"<m:limUpp><m:e>{under}</m:e>{_argument('lim', upper)}</m:limUpp>"
    (label,) = labels
    side, mark = ("top", _text(label)) if name == "mover" else ("bot", _text(label))
    if mark in _BARS:
        return f'<m:bar><m:barPr><m:pos m:val="{side}"/></m:barPr>{_argument("e", base)}</m:bar>'
    if mark in _BRACES:
        properties = f'<m:groupChrPr><m:chr m:val="{mark}"/><m:pos m:val="{side}"/></m:groupChrPr>'
        return f"<m:groupChr>{properties}{_argument('e', base)}</m:groupChr>"
    accent = _ACCENTS.get(mark, mark if "\u0300" <= mark <= "\u036f" else "")
    if accent and side == "top":
        return f'<m:acc><m:accPr><m:chr m:val="{accent}"/></m:accPr>{_argument("e", base)}</m:acc>'
    tag = "limUpp" if side == "top" else "limLow"
    return f"<m:{tag}>{_argument('e', base)}{_argument('lim', label)}</m:{tag}>"


def _large_operator(element: Element) -> str | None:
    """Return the sign of a sum, integral and the like that has bounds."""
    is_bounded = _name(element) in {"msub", "msup", "msubsup", "munder", "mover", "munderover"}
    sign = _text(element[0]) if is_bounded and len(element) else ""
    return sign if sign in _LARGE else None


def _nary(element: Element, sign: str, *, operand: str) -> str:
    name, bounds = _name(element), list(element)[1:]
    has_lower, has_upper = name in {"msub", "munder"}, name in {"msup", "mover"}
    lower = bounds[0] if not has_upper else None
    upper = bounds[-1] if not has_lower else None
    place = "subSup" if sign in _INTEGRALS or name.startswith("ms") else "undOvr"
    hidden = f'<m:subHide m:val="{int(lower is None)}"/><m:supHide m:val="{int(upper is None)}"/>'
    return (
        f'<m:nary><m:naryPr><m:chr m:val="{sign}"/><m:limLoc m:val="{place}"/>{hidden}</m:naryPr>'
        f"{_argument('sub', *([] if lower is None else [lower]))}"
        f"{_argument('sup', *([] if upper is None else [upper]))}<m:e>{operand}</m:e></m:nary>"
    )


def _fenced(children: Sequence[Element]) -> str:
    """Return brackets that grow with what is between them; empty where there are none."""
    if len(children) < 2 or children[0].get("form") != "prefix" or children[0].get("fence") != "true":
        return ""
    has_end = children[-1].get("form") == "postfix" and children[-1].get("fence") == "true"
    inner = children[1:-1] if has_end else children[1:]
    if any(each.get("fence") == "true" for each in inner):
        return ""
    begin, end = _text(children[0]), _text(children[-1]) if has_end else ""
    properties = f'<m:dPr><m:begChr m:val="{xml(begin)}"/><m:endChr m:val="{xml(end)}"/></m:dPr>'
    return f"<m:d>{properties}{_argument('e', *inner)}</m:d>"


def _table(rows: Sequence[Element]) -> str:
    n_columns = max((len(row) for row in rows), default=0)
    if n_columns == 0:
        raise CannotDraw("empty table")
    cell = rows[0][0] if len(rows[0]) else None
    side = cell.get("columnalign", "center") if cell is not None else "center"
    side = side if side in {"left", "right"} else "center"
    columns = f'<m:mc><m:mcPr><m:count m:val="{n_columns}"/><m:mcJc m:val="{side}"/></m:mcPr></m:mc>'
    body = "".join(
        f"<m:mr>{''.join(_argument('e', each) for each in row)}{'<m:e/>' * (n_columns - len(row))}</m:mr>"
        for row in rows
    )
    return f"<m:m><m:mPr><m:mcs>{columns}</m:mcs></m:mPr>{body}</m:m>"


def _text(element: Element) -> str:
    """Return the text of a letter or an operator, also one alone in a row."""
    while len(element) == 1 and _name(element) in _ROWS:
        element = element[0]
    return element.text or "" if len(element) == 0 else ""


_N_CHILDREN: Final = {"msubsup": 3, "munderover": 3}
_WRITERS: Final[dict[str, Callable[[Element], str]]] = {
    "mfrac": _fraction,
    "mroot": _root,
    "msub": _scripts,
    "msup": _scripts,
    "msubsup": _scripts,
    "munder": _labelled,
    "mover": _labelled,
    "munderover": _labelled,
}
