"""Render formulas as inline SVG for HTML pages, or as their source text."""

from __future__ import annotations

import re
import unicodedata
from html import escape
from typing import Final
from xml.etree import ElementTree

from fireside.markup.formula import CannotDraw, Drawing, Outline, draw
from fireside.markup.formula_delimiters import split_formula

MAX_DRAWN: Final = 1_000
"""Distinct formulas rendered on one page; more stay source text."""
_TAGS: Final = frozenset({"svg", "g", "path", "rect", "text"})
_ATTRIBUTES: Final = frozenset(
    {"width", "height", "viewBox", "d", "fill", "x", "y", "stroke", "stroke-width", "transform"}
    | {"font-size", "textLength", "lengthAdjust"}
)
_TEXT_SIZE: Final = 90.0
"""Size of text within formulas, in hundredths of their em."""
_BLACK: Final = re.compile(r'(fill|stroke)="(?:black|#000000)"')
_SIZE: Final = re.compile(r'(<svg\b[^>]*?) width="[^"]*" height="[^"]*"')
_UNUSED: Final = ' xmlns:xlink="http://www.w3.org/1999/xlink"'
_NAMESPACE: Final = "{http://www.w3.org/2000/svg}"


class FormulaHtml:
    """Renders the formulas of one page, each once. Any thread."""

    def __init__(self) -> None:
        self._drawn: dict[str, str | None] = {}

    def inline(self, raw: str) -> str:
        """Return an inline formula; ``raw`` is its source with delimiters."""
        svg = self._svg_of(raw)
        return f"<code>{escape(raw)}</code>" if svg is None else _wrapped("span", svg, raw)

    def block(self, raw: str) -> str:
        """Return a display formula."""
        svg = self._svg_of(raw)
        if svg is None:
            return f"<pre><code>{escape(raw)}</code></pre>\n"
        return _wrapped("div", svg, raw) + "\n"

    def _svg_of(self, raw: str) -> str | None:
        if raw not in self._drawn:
            if len(self._drawn) >= MAX_DRAWN:
                return None
            self._drawn[raw] = _svg(raw)
        return self._drawn[raw]


def _wrapped(tag: str, svg: str, raw: str) -> str:
    """Add the source as tooltip and as text for screen readers."""
    source = escape(raw)
    return f'<{tag} class="formula" role="img" aria-label="{source}" title="{source}">{svg}</{tag}>'


def _svg(raw: str) -> str | None:
    tex, is_display = split_formula(raw)
    try:
        return _for_page(draw(tex, is_display=is_display, outline=_fitted_text))
    except CannotDraw:
        return None


def _fitted_text(text: str, *, is_bold: bool) -> Outline:  # noqa: ARG001 - an Outliner's
    """Return text for the fonts of the browser, which fits it to the width that is estimated here."""
    width = sum(_width(char) for char in text)
    return Outline(
        path="",
        width=max(0.1, width) * _TEXT_SIZE,
        ascent=0.88 * _TEXT_SIZE,
        descent=0.12 * _TEXT_SIZE,
        size=_TEXT_SIZE,
    )


def _width(char: str) -> float:
    """Return about how wide ``char`` is, in ems."""
    if unicodedata.east_asian_width(char) in "WF":
        return 1.0
    category = unicodedata.category(char)
    return 0.0 if category in {"Mn", "Me", "Cf"} else 0.3 if category == "Zs" else 0.6


def _for_page(drawing: Drawing) -> str | None:
    """Return a drawing in the size and colour of the surrounding text; ``None`` if it has unexpected
    elements."""
    for element in ElementTree.fromstring(drawing.svg).iter():  # noqa: S314 - made by the renderer
        if element.tag.removeprefix(_NAMESPACE) not in _TAGS or not _ATTRIBUTES.issuperset(element.attrib):
            return None
    width, height = drawing.width, drawing.ascent + drawing.descent
    style = f"width:{width:.3f}em;height:{height:.3f}em;vertical-align:{-drawing.descent:.3f}em"
    svg = _BLACK.sub(r'\1="currentColor"', drawing.svg.replace(_UNUSED, ""))
    # Paths without a colour are black, whatever the text colour is.
    return _SIZE.sub(rf'\1 fill="currentColor" aria-hidden="true" style="{style}"', svg, count=1)
