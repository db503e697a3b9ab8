"""Render TeX as SVG, with a limit on the time that hostile text can take. Pure: no Qt.

The renderer lays out each nested row twice, so its time doubles with each level. The cost of a formula is
therefore computed from its tree before it is rendered, and a formula that costs too much is shown as source.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING, Any, Final, Protocol, TypeVar

import msgspec

from fireside.markup.tex_dialect import Rewritten, rewrite

if TYPE_CHECKING:  # Imported with the renderer.
    from xml.etree import ElementTree

T = TypeVar("T")

MAX_SOURCE = 2_000
"""Largest source of a formula, in characters."""
MAX_COST = 1_800
"""Largest cost of a tree, in leaves laid out; about a fifth of a second."""
MAX_EMS = 250
"""Largest width or height of a formula."""
EM = 16.0
"""Font size at which formulas are rendered; they are scaled afterwards."""

_MARGIN = 1.0
"""Space around the drawing, since slanted letters extend beyond their boxes."""
_MAX_DEPTH = 60
_MEDIUM_SPACE = "mediummathspace"
_THIN_SPACE = "0.125em"
_BRACKETS = ")]}|‖⟩⌋⌉"
_TABLE_SPACING: Final = {"columnspacing": "0.75em", "rowspacing": "0.15em"}
_ROW_STRUT: Final = {"width": "0em", "height": "0.53em", "depth": "0.22em"}
"""What rows of matrices and cases have at least. The renderer's em here is 4/3 of the font's: with it, rows
are as far apart as TeX has them. Small ones have spacing of their own."""
_BLANKS = "\xa0\u2009\u2003\u2005 \n\t"
_ROWS = frozenset({"math", "mrow", "mtd", "msqrt", "mstyle"})
_TOKENS = frozenset({"mi", "mn", "mo", "mtext"})
_LIMITS = {"msub": "munder", "msup": "mover", "msubsup": "munderover"}
_LABELLED = frozenset({"munder", "mover", "munderover"})
_SCRIPTS = _LABELLED | {"msub", "msup", "msubsup"}
_FUNCTION = re.compile(r"[A-Za-z]{2,}")
_ENVIRONMENT = re.compile(r"\\begin\s*\{([^{}]*)\}")
_STYLES = {"double-struck": "double", "sans-serif": "sans", "monospace": "mono"} | {
    style: style for style in ("script", "fraktur")
}
"""The renderer's names of letter styles, by those of MathML."""
_OPERATIONS = frozenset("×÷∪∩∖⧵∧∨⊕⊗⊖⊔⊓")
"""Binary operators that the renderer sets too closely."""
_LONG = str.maketrans("→←↔⇒⇐⇔", "⟶⟵⟷⟹⟸⟺")
_SHORT = str.maketrans("⟶⟵⟷⟹⟸⟺|‖", "→←↔⇒⇐⇔∣∥")
"""Signs that have a negated form, by those that mean the same and have none."""
_NOT: Final = "⧸"
"""What the renderer draws for ``\\not``, before the sign instead of through it."""
_UNKNOWN = re.compile(r">\s*\\[A-Za-z]")
_REFUSED = re.compile(
    r"&#?\w{1,40};|\\(?:href|includegraphics|input|include|url|(?:re)?newenvironment|DeclareMathOperator"
    r"|(?:re)?newcommand|providecommand|[egx]?def|let|htmlStyle)(?![A-Za-z])"
)
"""Entities, which the renderer would interpret as markup, commands that refer to files and pages, and
definitions: a few that use each other twice would take hours."""


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A formula as SVG, in black, with its dimensions in ems."""

    svg: str
    width: float
    ascent: float
    descent: float


class Outline(msgspec.Struct, frozen=True, kw_only=True):
    """Text that the font of formulas cannot draw, in hundredths of an em."""

    path: str
    """Outlines as SVG path data; empty where the text itself is to be part of the SVG."""
    width: float
    ascent: float
    descent: float
    size: float = 100
    """Size of the font."""


class Outliner(Protocol):
    """Gives text in a font that has its letters."""

    def __call__(self, text: str, *, is_bold: bool) -> Outline | None:
        """Return ``text`` as outlines, or ``None`` if no font has all of its letters."""
        ...


class CannotDraw(Exception):
    """The formula is invalid, not supported by the renderer, or too large; its source is shown instead."""


def draw(tex: str, *, is_display: bool, outline: Outliner | None = None) -> Drawing:
    """Return the drawing of ``tex``. Any thread, one at a time; takes up to a fifth of a second.

    Args:
        outline: draws letters that the font of formulas lacks; without it, a formula with such is refused.

    Raises ``CannotDraw``.
    """
    return _with_renderer(tex, lambda source: _draw(source, is_display=is_display, outline=outline))


def mathml(tex: str, *, is_display: bool) -> ElementTree.Element:
    """Return ``tex`` as MathML, within the same limits. Any thread, one at a time. Raises ``CannotDraw``."""
    tree = _with_renderer(tex, lambda source: _mathml(source, is_display=is_display))
    if cost(tree) > MAX_COST:
        raise CannotDraw("costs too much")
    return tree


def _with_renderer(tex: str, work: Callable[[Rewritten], T]) -> T:
    if len(tex) > MAX_SOURCE or _REFUSED.search(tex):
        raise CannotDraw(tex[:80])
    try:
        with _lock():
            return work(rewrite(tex))
    except CannotDraw:
        raise
    except Exception as exc:  # the renderer raises any exception for an invalid formula
        raise CannotDraw(tex[:80]) from exc


def _mathml(source: Rewritten, *, is_display: bool) -> ElementTree.Element:
    from xml.etree import ElementTree

    renderer = _renderer()
    if unknown := set(_ENVIRONMENT.findall(source.tex)) - _known_environments():
        raise CannotDraw(f"unknown environment {unknown}")
    written = renderer.tex.tex2mml(source.tex, inline=not is_display)
    if _UNKNOWN.search(written):
        raise CannotDraw("unknown command")
    tree = ElementTree.fromstring(renderer.escapes.unescape(written))  # noqa: S314 - without entities
    for element in tree.iter():
        element.text = source.texts.get(element.text or "", element.text)
    return negated(simplified(unnested(tree, has_limits=is_display)))


def _draw(source: Rewritten, *, is_display: bool, outline: Outliner | None) -> Drawing:
    renderer = _renderer()
    root = styled(outlined(spaced(_mathml(source, is_display=is_display)), outline))
    if cost(root) > MAX_COST:
        raise CannotDraw("costs too much")
    formula = renderer.Math(root, size=EM, margin=_MARGIN)
    box = formula.node.bbox
    width, height = formula.getsize()
    if not (0 < width < MAX_EMS * EM and 0 < height < MAX_EMS * EM):
        raise CannotDraw("empty or too large")
    return Drawing(
        svg=formula.svg(),
        width=(width + 2 * _MARGIN) / EM,
        ascent=(box.ymax + _MARGIN) / EM,
        descent=(_MARGIN - box.ymin) / EM,
    )


@cache
def _lock() -> Lock:
    """Return the renderer's lock: it keeps its state in its module."""
    return Lock()


@cache
def _renderer() -> ModuleType:
    """Import the renderer, which takes a moment and reads its font."""
    import ziamath
    import ziamath.escapes
    import ziamath.tex
    from ziamath.config import config

    import fireside.markup.formula_nodes  # noqa: F401 - registers them

    config.svg2 = False  # Qt draws SVG 1.2
    font = _font()
    find_glyph = font.findglyph

    def find_existing_glyph(char: str, variant: object) -> object:
        glyph = find_glyph(char, variant)
        if glyph.index == 0:
            raise CannotDraw(f"no glyph for {char}")
        return glyph

    font.findglyph = find_existing_glyph
    kern_super = font.math.kernsuper
    as_written = {font.glyphindex(bracket) for bracket in _BRACKETS}

    def kern_super_of_brackets(base: Any, script: Any) -> tuple[int, int]:
        """Raise a superscript above brackets only that have grown."""
        kern, shift = kern_super(base, script)
        return kern, font.math.consts.superscriptShiftUp if base.index in as_written else shift

    font.math.kernsuper = kern_super_of_brackets
    return ziamath


def _known_environments() -> set[str]:
    from latex2mathml.commands import MATRICES

    return {name.removeprefix("\\") for name in MATRICES} | {"aligned"}


def _font() -> Any:
    from ziamath.zmath import loadedfonts

    return loadedfonts["default"]


def _has_glyph(char: str) -> bool:
    return _font().glyphindex(char) != 0 or char in _BLANKS


def unnested(element: ElementTree.Element, *, has_limits: bool) -> ElementTree.Element:
    """Make rows of signs with children, as of ``\\mathbin{…}``, in place: only their text would be drawn.

    Args:
        has_limits: whether scripts of ``\\mathop{…}`` stand below and above it.
    """
    from xml.etree import ElementTree

    if has_limits and _name(element) in _LIMITS and _name(element[0]) == "mo" and len(element[0]):
        element.tag = element.tag.replace(_name(element), _LIMITS[_name(element)])
    for child in element:
        unnested(child, has_limits=has_limits)
    if _name(element) not in _TOKENS or not len(element):
        return element
    sides = [element.attrib.pop(side, "0em") for side in ("lspace", "rspace")]
    leaves = [leaf for leaf in element.iter() if not len(leaf)]
    if len(leaves) == 1 and not (leaves[0].text or "").isalnum():
        element.text, element.tag = leaves[0].text, element.tag.replace(_name(element), "mo")
        element[:] = []
    else:
        element.tag = element.tag.replace(_name(element), "mrow")
        left, right = (ElementTree.Element("mspace", width=width) for width in sides)
        element[:] = [left, *element, right]
    return element


def simplified(element: ElementTree.Element) -> ElementTree.Element:
    """Remove rows of one element from the tree, in place: each would double the cost of its contents."""
    for index, child in enumerate(element):
        inner = child
        while _name(inner) == "mrow" and len(inner) == 1 and not inner.attrib:
            if _name(element) in _ROWS and _name(inner[0]) == "mo":
                break  # A sign in a row of its own, as in ``1{,}5``, has no space around it.
            inner = inner[0]
        element[index] = simplified(inner)
    return element


def negated(element: ElementTree.Element) -> ElementTree.Element:
    """Replace ``\\not`` and the sign after it by the negated sign, in place: ``\\not=`` is ``≠``.

    Raises ``CannotDraw`` if there is none in the font.
    """
    children: list[ElementTree.Element] = []
    is_negated = False
    for child in element:
        if _name(child) == "mpadded" and "".join(child.itertext()) == _NOT:
            if is_negated:
                break
            is_negated = True
            continue
        if is_negated:
            _negate(child)
            is_negated = False
        children.append(negated(child))
    if is_negated:
        raise CannotDraw(r"\not without a sign")
    element[:] = children
    return element


def _negate(element: ElementTree.Element) -> None:
    while len(element) == 1 or (len(element) and _name(element) in _SCRIPTS):
        element = element[0]
    sign = unicodedata.normalize("NFC", f"{(element.text or '').translate(_SHORT)}\u0338")
    if len(element) or len(sign) != 1 or not _has_glyph(sign):
        raise CannotDraw(f"no glyph for the negated {element.text}")
    element.text, element.tag = sign, element.tag.replace(_name(element), "mo")


def spaced(element: ElementTree.Element) -> ElementTree.Element:
    """Insert thin spaces around function names, in place, as TeX does: ``det A``, ``2 sin x``, ``det(A)``.

    The renderer inserts none. Tables get the space that TeX gives them.
    """
    from xml.etree import ElementTree

    children = list(element)
    for child in children:
        if _name(element) == "mstyle":  # what stands below a sum in several lines
            child.attrib.setdefault("rowspacing", "0.1em")
        spaced(child)
    if _name(element) == "mtable" and "rowspacing" not in element.attrib:
        element.attrib |= _TABLE_SPACING | element.attrib
        for row in element:
            row[0].insert(0, ElementTree.Element("mspace", _ROW_STRUT))
    if _name(element) not in _ROWS:
        return element
    spaced_children = children[:1]
    for before, child in pairwise(children):
        if child is not children[-1] and child.text in _OPERATIONS:
            child.tag = child.tag.replace(_name(child), "mo")
            child.attrib |= {"lspace": _MEDIUM_SPACE, "rspace": _MEDIUM_SPACE}
        if _is_function(before) or _is_function(child):
            needs_space_left = _is_function(before) or not _is_sign(before)
            needs_space_right = _is_function(child) or not _is_sign(child)
            if needs_space_left and needs_space_right:
                spaced_children.append(ElementTree.Element("mspace", width=_THIN_SPACE))
        spaced_children.append(child)
    element[:] = spaced_children
    return element


def _is_function(element: ElementTree.Element) -> bool:
    """Return whether it is a function name such as ``det``, also with scripts."""
    if _name(element) in _SCRIPTS and len(element):
        return _is_function(element[0])
    is_plain = _name(element) == "mo" or (_name(element) == "mi" and not element.attrib)
    return is_plain and _FUNCTION.fullmatch(element.text or "") is not None


def _is_sign(element: ElementTree.Element) -> bool:
    """Return whether it is, or begins with, an operator, a bracket or a space."""
    if _name(element) == "mrow" and len(element):
        return _is_sign(element[0])
    return _name(element) in {"mo", "mspace"} and not _is_function(element)


def outlined(element: ElementTree.Element, outline: Outliner | None) -> ElementTree.Element:
    """Replace text with letters that the font of formulas lacks by outlines, in place.

    Raises ``CannotDraw``.
    """
    from xml.etree import ElementTree

    from fireside.markup.formula_nodes import TAG

    children: list[ElementTree.Element] = []
    for child in element:
        before = children[-1] if children else child
        is_foreign = len(child) == 0 and not all(map(_has_glyph, child.text or ""))
        if is_foreign and before.tag == TAG and _name(child) == "mi" and _name(element) in _ROWS:
            before.text = f"{before.text}{child.text}"  # so that the letters of a word join
        elif is_foreign:
            new = ElementTree.Element(TAG, variant=child.get("mathvariant", ""))
            new.text = child.text
            children.append(new)
        else:
            children.append(outlined(child, outline))
    for child in children:
        if child.tag == TAG and "path" not in child.attrib:
            _set_outline(child, outline)
    element[:] = children
    return element


def _set_outline(element: ElementTree.Element, outline: Outliner | None) -> None:
    text = element.text or ""
    is_bold = "bold" in element.attrib.pop("variant")
    made = None if outline is None else outline(text, is_bold=is_bold)
    if made is None:
        raise CannotDraw(f"no font for {text[:40]}")
    element.attrib |= {name: f"{getattr(made, name):.1f}" for name in ("width", "ascent", "descent", "size")}
    element.set("path", made.path)


def styled(element: ElementTree.Element) -> ElementTree.Element:
    """Write letters in the style of their element, and arrows with labels longer, in place.

    The renderer knows few styles and makes upright letters italic.
    """
    from ziamath.styles import MathVariant, styledstr

    for each in element.iter():
        variant = each.get("mathvariant", "normal")
        if _name(each) in _TOKENS and variant not in {"normal", "italic", "bold-italic"}:
            style = next((name for kind, name in _STYLES.items() if kind in variant), "serif")
            made = MathVariant(style=style, bold="bold" in variant, italic="italic" in variant)
            each.text = styledstr(each.text or "", made)
            each.set("mathvariant", "normal")
        base = each[0] if _name(each) in _LABELLED and len(each) else None
        if base is not None and len(base) == 1 and _name(base[0]) == "mo":
            base[0].text = (base[0].text or "").translate(_LONG)
    return element


def cost(element: ElementTree.Element, *, depth: int = 0) -> int:
    """Return how many leaves are laid out to render ``element``; counting stops above ``MAX_COST``.

    Raises ``CannotDraw`` if it is nested too deeply.
    """
    if depth > _MAX_DEPTH:
        raise CannotDraw("nested too deeply")
    n_leaves = 1 + len(element.text or "") // 4
    for child in element:
        n_leaves += cost(child, depth=depth + 1)
        if n_leaves > MAX_COST:
            break
    return n_leaves * (2 if len(element) and _name(element) in {"mrow", "mtd"} else 1)


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
