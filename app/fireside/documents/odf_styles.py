"""The styles of an OpenDocument file, as far as they keep readers from seeing something."""

from __future__ import annotations

import re
from typing import Final

import msgspec

_WHITE: Final = "#ffffff"
_TINY_PT: Final = 2.0
_MOST_BASES: Final = 10
_POINTS: Final = re.compile(r"(\d{1,4}(?:\.\d{1,4})?)pt")
_SHADES: Final = ("background-color", "fill-color")


class TextStyle(msgspec.Struct, frozen=True):
    """How something is shown; what is ``None`` is as it is around it."""

    is_hidden: bool | None = None
    is_white: bool | None = None
    is_shaded: bool | None = None
    """It has a ground of a colour of its own."""

    def within(self, around: TextStyle) -> TextStyle:
        """Return this look where it leaves something open to what is around it."""
        return TextStyle(
            # What is in something hidden is hidden too.
            is_hidden=self.is_hidden or around.is_hidden,
            is_white=around.is_white if self.is_white is None else self.is_white,
            is_shaded=around.is_shaded if self.is_shaded is None else self.is_shaded,
        )

    @property
    def is_unseen(self) -> bool:
        """Whether a reader of white paper does not see it."""
        return bool(self.is_hidden or (self.is_white and not self.is_shaded))


class Styles:
    """Takes the styles as they go by, of both parts that have some; names count within a family."""

    is_full = False

    def __init__(self) -> None:
        self._looks: dict[tuple[str, str], TextStyle] = {}
        self._bases: dict[tuple[str, str], str] = {}
        self._style = ("", "")

    def style(self, family: str, name: str) -> TextStyle:
        """Return how a style shows things; what it leaves open, the style it is based on says."""
        look = TextStyle()
        for _ in range(_MOST_BASES):
            base = self._looks.get((family, name), TextStyle())
            look = TextStyle(
                *(
                    own if own is not None else other
                    for own, other in zip(_told(look), _told(base), strict=True)
                )
            )
            name = self._bases.get((family, name), "")
        return look

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        """An element begins."""
        if tag == "style":
            self._style = (attributes.get("family", ""), attributes.get("name", ""))
            self._bases[self._style] = attributes.get("parent-style-name", "")
        elif self._style[1] and tag.endswith("-properties"):
            own = self._looks.get(self._style, TextStyle())
            self._looks[self._style] = TextStyle(
                is_hidden=own.is_hidden or _is_hidden(attributes),
                is_white=attributes["color"].lower() == _WHITE if "color" in attributes else own.is_white,
                is_shaded=own.is_shaded or _is_shaded(attributes),
            )

    def end(self, tag: str) -> None:
        """An element ends."""
        if tag == "style":
            self._style = ("", "")

    def characters(self, text: str) -> None:
        """Styles have no text."""


def _told(look: TextStyle) -> tuple[bool | None, bool | None, bool | None]:
    return look.is_hidden, look.is_white, look.is_shaded


def _is_hidden(attributes: dict[str, str]) -> bool | None:
    """Tell it of text, of a table and of a slide."""
    size = _POINTS.fullmatch(attributes.get("font-size", ""))
    if size is not None and float(size[1]) <= _TINY_PT:
        return True
    if "display" in attributes:
        return attributes["display"] in ("none", "false")
    return True if attributes.get("visibility") == "hidden" else None


def _is_shaded(attributes: dict[str, str]) -> bool | None:
    grounds = [attributes[name].lower() for name in _SHADES if name in attributes]
    return any(ground not in ("transparent", _WHITE) for ground in grounds) if grounds else None
