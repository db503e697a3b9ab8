"""Turn TeX into a drawing, with bounds on what hostile text can cost. Pure: no Qt.

The renderer lays each nested row out twice, so its time doubles with each level. What a formula will cost is
therefore reckoned from its tree before it is drawn, and one that would cost too much stays as it was written.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # Comes with the renderer.
    from xml.etree import ElementTree

MAX_SOURCE = 2_000
"""Characters of one formula."""
MAX_COST = 1_800
"""Most that a tree may cost, in leaves drawn: about a fifth of a second."""
MAX_EMS = 250
"""Largest width or height."""
EM = 16.0
"""Size in which formulas are drawn; they are scaled afterwards."""

_MARGIN = 1.0
"""Free space around the drawing: slanted letters reach beyond their boxes."""
_MAX_DEPTH = 60
_THIN = "0.125em"
_ROWS = frozenset({"math", "mrow", "mtd", "msqrt", "mstyle"})
_SCRIPTS = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover"})
_FUNCTION = re.compile(r"[A-Za-z]{2,}")
_UNKNOWN = re.compile(r">\s*\\[A-Za-z]")
_TAG = re.compile(r"\\(?:tag\*?|label)\s*\{[^{}]*\}|\\(?:nonumber|notag)\b")
_ENVIRONMENT = re.compile(
    r"\\(begin|end)\{(equation|align|flalign|alignat|gather|gathered|multline|eqnarray|dcases)\*?\}"
    r"((?<=alignat\})\{\d+\}|(?<=alignat\*\})\{\d+\})?"
)
_KNOWN = {
    "equation": ("", ""),
    "gather": (r"\begin{array}{c}", r"\end{array}"),
    "gathered": (r"\begin{array}{c}", r"\end{array}"),
    "multline": (r"\begin{array}{c}", r"\end{array}"),
    "eqnarray": (r"\begin{array}{rcl}", r"\end{array}"),
    "dcases": (r"\begin{cases}", r"\end{cases}"),
}
"""How environments that number equations, or that the renderer does not know, are begun and ended for it."""
_ALIGNED = (r"\begin{aligned}", r"\end{aligned}")
_REFUSED = re.compile(r"&#?\w{1,40};|\\(?:href|includegraphics|input|include|url)\b")
"""Entities, which the renderer would take for markup, and what names files and pages."""


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A formula as SVG, in black, with its measures in ems."""

    svg: str
    width: float
    ascent: float
    descent: float


class CannotDraw(Exception):
    """The formula is faulty, unknown to the renderer or too large; show what was written."""


def draw(tex: str, *, is_display: bool) -> Drawing:
    """Return the drawing of ``tex``. Any thread, one after the other; takes up to a fifth of a second.

    Raises ``CannotDraw``.
    """
    if len(tex) > MAX_SOURCE or _REFUSED.search(tex):
        raise CannotDraw(tex[:80])
    try:
        with _turn():
            return _draw(known_environments(_TAG.sub("", tex)), is_display=is_display)
    except CannotDraw:
        raise
    except Exception as exc:  # the renderer answers faulty formulas with whatever its code runs into
        raise CannotDraw(tex[:80]) from exc


def known_environments(tex: str) -> str:
    """Return ``tex`` with its environments named as the renderer knows them, and nothing numbered."""
    return _ENVIRONMENT.sub(lambda found: _KNOWN.get(found[2], _ALIGNED)[found[1] == "end"], tex)


def _draw(tex: str, *, is_display: bool) -> Drawing:
    from xml.etree import ElementTree

    renderer = _renderer()
    written = renderer.tex.tex2mml(tex, inline=not is_display)
    if _UNKNOWN.search(written):
        raise CannotDraw(tex[:80])
    tree = ElementTree.fromstring(renderer.escapes.unescape(written))  # noqa: S314 - without entities
    root = spaced(simplified(tree))
    if cost(root) > MAX_COST:
        raise CannotDraw(tex[:80])
    made = renderer.Math(root, size=EM, margin=_MARGIN)
    box = made.node.bbox
    width, height = made.getsize()
    if not (0 < width < MAX_EMS * EM and 0 < height < MAX_EMS * EM):
        raise CannotDraw(tex[:80])
    return Drawing(
        svg=made.svg(),
        width=(width + 2 * _MARGIN) / EM,
        ascent=(box.ymax + _MARGIN) / EM,
        descent=(_MARGIN - box.ymin) / EM,
    )


@cache
def _turn() -> Lock:
    """The renderer keeps what it draws at the moment in its module."""
    return Lock()


@cache
def _renderer() -> ModuleType:
    """Import the renderer, which takes a moment and reads its font."""
    import ziamath
    import ziamath.escapes
    import ziamath.tex
    from ziamath.config import config

    config.svg2 = False  # Qt draws SVG 1.2
    return ziamath


def simplified(element: ElementTree.Element) -> ElementTree.Element:
    """Take rows of one out of the tree, in place: each would double the cost of what is in it."""
    for index, child in enumerate(element):
        inner = child
        while _name(inner) == "mrow" and len(inner) == 1 and not inner.attrib:
            inner = inner[0]
        element[index] = simplified(inner)
    return element


def spaced(element: ElementTree.Element) -> ElementTree.Element:
    """Put thin spaces beside named functions, in place, as TeX does: ``det A``, ``2 sin x``, but ``det(A)``.

    The renderer sets none.
    """
    from xml.etree import ElementTree

    children = list(element)
    for child in children:
        spaced(child)
    if _name(element) not in _ROWS:
        return element
    placed = children[:1]
    for before, child in pairwise(children):
        if _is_function(before) or _is_function(child):
            left_stands_apart = _is_function(before) or not _is_sign(before)
            right_stands_apart = _is_function(child) or not _is_sign(child)
            if left_stands_apart and right_stands_apart:
                placed.append(ElementTree.Element("mspace", width=_THIN))
        placed.append(child)
    element[:] = placed
    return element


def _is_function(element: ElementTree.Element) -> bool:
    """Say whether it is a name such as ``det``, or one with something above or below it."""
    if _name(element) in _SCRIPTS and len(element):
        return _is_function(element[0])
    is_plain = _name(element) == "mo" or (_name(element) == "mi" and not element.attrib)
    return is_plain and _FUNCTION.fullmatch(element.text or "") is not None


def _is_sign(element: ElementTree.Element) -> bool:
    """Say whether it is, or begins with, an operator or a bracket, or is space already."""
    if _name(element) == "mrow" and len(element):
        return _is_sign(element[0])
    return _name(element) in {"mo", "mspace"} and not _is_function(element)


def cost(element: ElementTree.Element, *, depth: int = 0) -> int:
    """Return how many leaves will be laid out to draw ``element``; more than ``MAX_COST`` is not counted up.

    Raises ``CannotDraw`` where it is nested too deeply.
    """
    if depth > _MAX_DEPTH:
        raise CannotDraw("nested too deeply")
    inside = 1 + len(element.text or "") // 4
    for child in element:
        inside += cost(child, depth=depth + 1)
        if inside > MAX_COST:
            break
    return inside * (2 if len(element) and _name(element) in {"mrow", "mtd"} else 1)


def _name(element: ElementTree.Element) -> str:
    return element.tag.rpartition("}")[2]
