"""The styles of an OpenDocument file, as far as they can hide text."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from fireside.documents.archive import XmlReader

_WHITE: Final = "#ffffff"
_TINY_PT: Final = 2.0
_MAX_BASES: Final = 10
_POINTS: Final = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)pt")
_SHADES: Final = ("background-color", "fill-color")


class TextStyle(msgspec.Struct, frozen=True):
    """What decides whether text is visible; ``None`` inherits."""

    is_hidden: bool | None = None
    is_white: bool | None = None
    is_shaded: bool | None = None
    """It has a background that is not white."""

    def within(self, parent: TextStyle) -> TextStyle:
        """Return the style in force for an element with this style within ``parent``."""
        return msgspec.structs.replace(self.based_on(parent), is_hidden=self.is_hidden or parent.is_hidden)

    def based_on(self, base: TextStyle) -> TextStyle:
        """Return this style with what it does not set taken from ``base``."""
        return TextStyle(
            is_hidden=base.is_hidden if self.is_hidden is None else self.is_hidden,
            is_white=base.is_white if self.is_white is None else self.is_white,
            is_shaded=base.is_shaded if self.is_shaded is None else self.is_shaded,
        )

    @property
    def is_invisible(self) -> bool:
        """Whether the text cannot be seen on white paper."""
        return bool(self.is_hidden or (self.is_white and not self.is_shaded))


class OdfStyles(XmlReader):
    """Collects the styles of the parts ``styles.xml`` and ``content.xml``, by family and name."""

    def __init__(self) -> None:
        self._styles: dict[tuple[str, str], TextStyle] = {}
        self._bases: dict[tuple[str, str], str] = {}
        self._style = ("", "")

    def style(self, family: str, name: str) -> TextStyle:
        """Return a style with what it inherits from the styles that it is based on."""
        style = TextStyle()
        for _ in range(_MAX_BASES):
            style = style.based_on(self._styles.get((family, name), TextStyle()))
            name = self._bases.get((family, name), "")
        return style

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "style":
            self._style = (attributes.get("family", ""), attributes.get("name", ""))
            self._bases[self._style] = attributes.get("parent-style-name", "")
        elif self._style[1] and tag.endswith("-properties"):
            own = self._styles.get(self._style, TextStyle())
            self._styles[self._style] = TextStyle(
                is_hidden=own.is_hidden or _is_hidden(attributes),
                is_white=attributes["color"].lower() == _WHITE if "color" in attributes else own.is_white,
                is_shaded=own.is_shaded or _is_shaded(attributes),
            )

    def end(self, tag: str) -> None:
        if tag == "style":
            self._style = ("", "")


def _is_hidden(attributes: dict[str, str]) -> bool | None:
    """Return whether properties hide text, a table or a slide; ``None`` if they set nothing of that."""
    size = _POINTS.fullmatch(attributes.get("font-size", ""))
    if size is not None and float(size[1]) <= _TINY_PT:
        return True
    if "display" in attributes:
        return attributes["display"] in ("none", "false")
    return True if attributes.get("visibility") == "hidden" else None


def _is_shaded(attributes: dict[str, str]) -> bool | None:
    colours = [attributes[name].lower() for name in _SHADES if name in attributes]
    return any(colour not in ("transparent", _WHITE) for colour in colours) if colours else None
