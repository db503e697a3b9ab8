"""Render TeX as SVG, with a limit on the time that hostile text can take. Pure: no Qt.

The renderer lays out each nested row twice, so its time doubles with each level. The cost of a formula is
therefore computed from its tree before it is rendered, and a formula that costs too much is shown as source.
"""

from __future__ import annotations

import re
from functools import cache
from itertools import pairwise
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING

import msgspec

if TYPE_CHECKING:  # Imported with the renderer.
    from xml.etree import ElementTree

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
_THIN_SPACE = "0.125em"
_ROWS = frozenset({"math", "mrow", "mtd", "msqrt", "mstyle"})
_SCRIPTS = frozenset({"msub", "msup", "msubsup", "munder", "mover", "munderover"})
_FUNCTION = re.compile(r"[A-Za-z]{2,}")
_UNKNOWN = re.compile(r">\s*\\[A-Za-z]")
_TAG = re.compile(r"\\(?:tag\*?|label)\s*\{[^{}]*\}|\\(?:nonumber|notag)\b")
_ENVIRONMENT = re.compile(
    r"\\(begin|end)\{(equation|align|flalign|alignat|gather|gathered|multline|eqnarray|dcases)\*?\}"
    r"((?<=alignat\})\{\d+\}|(?<=alignat\*\})\{\d+\})?"
)
_REPLACEMENTS = {
    "equation": ("", ""),
    "gather": (r"\begin{array}{c}", r"\end{array}"),
    "gathered": (r"\begin{array}{c}", r"\end{array}"),
    "multline": (r"\begin{array}{c}", r"\end{array}"),
    "eqnarray": (r"\begin{array}{rcl}", r"\end{array}"),
    "dcases": (r"\begin{cases}", r"\end{cases}"),
}
"""Begin and end of the replacements of environments that number equations or that the renderer lacks."""
_ALIGNED = (r"\begin{aligned}", r"\end{aligned}")
_REFUSED = re.compile(r"&#?\w{1,40};|\\(?:href|includegraphics|input|include|url)\b")
"""Entities, which the renderer would interpret as markup, and commands that refer to files and pages."""


class Drawing(msgspec.Struct, frozen=True, kw_only=True):
    """A formula as SVG, in black, with its dimensions in ems."""

    svg: str
    width: float
    ascent: float
    descent: float


class CannotDraw(Exception):
    """The formula is invalid, not supported by the renderer, or too large; its source is shown instead."""


def draw(tex: str, *, is_display: bool) -> Drawing:
    """Return the drawing of ``tex``. Any thread, one at a time; takes up to a fifth of a second.

    Raises ``CannotDraw``.
    """
    if len(tex) > MAX_SOURCE or _REFUSED.search(tex):
        raise CannotDraw(tex[:80])
    try:
        with _lock():
            return _draw(with_known_environments(_TAG.sub("", tex)), is_display=is_display)
    except CannotDraw:
        raise
    except Exception as exc:  # the renderer raises any exception for an invalid formula
        raise CannotDraw(tex[:80]) from exc


def with_known_environments(tex: str) -> str:
    """Return ``tex`` with environments that the renderer supports, without numbered equations."""
    return _ENVIRONMENT.sub(lambda match: _REPLACEMENTS.get(match[2], _ALIGNED)[match[1] == "end"], tex)


def _draw(tex: str, *, is_display: bool) -> Drawing:
    from xml.etree import ElementTree

    renderer = _renderer()
    mathml = renderer.tex.tex2mml(tex, inline=not is_display)
    if _UNKNOWN.search(mathml):
        raise CannotDraw(tex[:80])
    tree = ElementTree.fromstring(renderer.escapes.unescape(mathml))  # noqa: S314 - without entities
    root = spaced(simplified(tree))
    if cost(root) > MAX_COST:
        raise CannotDraw(tex[:80])
    formula = renderer.Math(root, size=EM, margin=_MARGIN)
    box = formula.node.bbox
    width, height = formula.getsize()
    if not (0 < width < MAX_EMS * EM and 0 < height < MAX_EMS * EM):
        raise CannotDraw(tex[:80])
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

    config.svg2 = False  # Qt draws SVG 1.2
    return ziamath


def simplified(element: ElementTree.Element) -> ElementTree.Element:
    """Remove rows of one element from the tree, in place: each would double the cost of its contents."""
    for index, child in enumerate(element):
        inner = child
        while _name(inner) == "mrow" and len(inner) == 1 and not inner.attrib:
            inner = inner[0]
        element[index] = simplified(inner)
    return element


def spaced(element: ElementTree.Element) -> ElementTree.Element:
    """Insert thin spaces around function names, in place, as TeX does: ``det A``, ``2 sin x``, ``det(A)``.

    The renderer inserts none.
    """
    from xml.etree import ElementTree

    children = list(element)
    for child in children:
        spaced(child)
    if _name(element) not in _ROWS:
        return element
    spaced_children = children[:1]
    for before, child in pairwise(children):
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
