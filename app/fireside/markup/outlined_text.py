"""The renderer's node for text in a font that is not the formulas' own."""

from __future__ import annotations

from typing import Any, Final
from xml.etree import ElementTree

from ziafont.fonttypes import BBox
from ziamath.nodes.mnode import Mnode

TAG: Final = "outline"


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
