"""Nodes that the renderer lacks: text in a font that is not the formulas' own, and tables with rules."""

from __future__ import annotations

from typing import Any, Final
from xml.etree import ElementTree

from ziafont.fonttypes import BBox
from ziamath.drawable import HLine, VLine
from ziamath.nodes.mnode import Mnode
from ziamath.nodes.mtable import Mtable

TAG: Final = "outline"
_RULED: Final = {"columnlines": ("columnspacing", "0.9em"), "rowlines": ("rowspacing", "0.5em")}
"""Spacing of tables with rules."""


class OutlinedText(Mnode, tag=TAG):
    """Draws an element with the fields of ``Outline``: its path, or its text, fitted to the width."""

    def __init__(self, element: ElementTree.Element, parent: Mnode, **kwargs: Any) -> None:
        super().__init__(element, parent, **kwargs)
        self._scale = self.glyphsize / 100
        self._is_hidden = bool(kwargs.get("phantom"))
        width, ascent, descent = (
            float(element.attrib[each]) * self._scale for each in ("width", "ascent", "descent")
        )
        self.bbox = BBox(0, width, -descent, ascent)

    def draw(self, x: float, y: float, svg: ElementTree.Element) -> tuple[float, float]:
        """Add the text to ``svg``, with its baseline beginning at ``x`` and ``y``."""
        if not self._is_hidden:
            transform = f"translate({x:.3f} {y:.3f}) scale({self._scale:.5f})"
            drawn = ElementTree.SubElement(svg, "path", transform=transform)
            if path := self.element.attrib["path"]:
                drawn.set("d", path)
            else:
                drawn.tag, drawn.text = "text", self.element.text
                drawn.set("font-size", self.element.attrib["size"])
                drawn.set("textLength", self.element.attrib["width"])
                drawn.set("lengthAdjust", "spacingAndGlyphs")
            drawn.set("fill", str(self.style.mathcolor))
        return x + self.bbox.xmax, y


class RuledTable(Mtable, tag="mtable"):
    """A table with the rules between its rows and columns."""

    def _setup(self, **kwargs: Any) -> None:
        for lines, (spacing, width) in _RULED.items():
            if "solid" in self.element.get(lines, ""):
                self.element.set(spacing, width)
        super()._setup(**kwargs)
        cells = iter(list(zip(self.nodexy, self.nodes, strict=True)))
        rows = [[next(cells) for _ in row] for row in self.element]
        thickness = self.units_to_points(self.font.math.consts.fractionRuleThickness)
        for column in self._ruled("columnlines"):
            left = [at[0] + node.bbox.xmax for row in rows for at, node in row[column : column + 1]]
            right = [at[0] + node.bbox.xmin for row in rows for at, node in row[column + 1 : column + 2]]
            if left and right:
                self.nodes.append(
                    VLine(self.bbox.ymax - self.bbox.ymin, thickness, style=self.style, **kwargs)
                )
                self.nodexy.append(((max(left) + min(right)) / 2, -self.bbox.ymax))
        for row in self._ruled("rowlines"):
            above = [at[1] - node.bbox.ymin for at, node in (rows[row] if row < len(rows) else ())]
            below = [at[1] - node.bbox.ymax for at, node in (rows[row + 1] if row + 1 < len(rows) else ())]
            if above and below:
                self.nodes.append(HLine(self.bbox.xmax, thickness, style=self.style, **kwargs))
                self.nodexy.append((0, (max(above) + min(below) - thickness) / 2))

    def _ruled(self, lines: str) -> list[int]:
        """Return the rows or columns after which there is a rule."""
        return [index for index, line in enumerate(self.element.get(lines, "").split()) if line != "none"]
