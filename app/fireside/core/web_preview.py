"""Pages of answers that are shown beside the chat: what the window sends to one, and what it reports."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import Translatable

MAX_SOURCE_CHARS: Final = 4_000_000
"""Of a page, a diagram or a chart that is shown."""
MAX_PIXELS: Final = 6_000_000
"""Of a picture of a page."""
MAX_TEXT_CHARS: Final = 20_000
"""Of the text of a page that screen readers are given, of a selection, and of a message of its console."""
MIN_SIDE_PX: Final = 16


class PreviewSource(msgspec.Struct, frozen=True, kw_only=True):
    """What is shown, and how it looks where it does not say so itself."""

    kind: str
    """``html``, ``svg``, ``mermaid`` or ``vega-lite``, as artifacts have it."""
    text: str
    is_dark: bool = False
    background: str = "#ffffff"
    """Behind diagrams and charts, as CSS writes a colour: ``#rrggbb``."""


class Chart(msgspec.Struct, frozen=True, kw_only=True):
    """A chart as it was drawn."""

    svg: str
    png: bytes
    scale: float
    """Pixels of the picture for one of the chart."""


class PreviewArea(msgspec.Struct, frozen=True, kw_only=True, tag="area"):
    """How large a page is shown, in pixels of the window, and how many pixels of the screen each has."""

    width: int
    height: int
    scale: float = 1.0


class PointerStep(StrEnum):
    """What a pointer does over a page."""

    MOVE = "move"
    PRESS = "press"
    DOUBLE = "double"
    RELEASE = "release"
    LEAVE = "leave"


class PointerInput(msgspec.Struct, frozen=True, kw_only=True, tag="pointer"):
    """A pointer at a place of the page; buttons and modifiers are Qt’s numbers."""

    step: PointerStep
    x: float = 0.0
    y: float = 0.0
    button: int = 0
    buttons: int = 0
    modifiers: int = 0


class WheelInput(msgspec.Struct, frozen=True, kw_only=True, tag="wheel"):
    """A turn of the wheel, in eighths of a degree and in pixels, as Qt has both."""

    x: float
    y: float
    angle: tuple[int, int] = (0, 0)
    pixels: tuple[int, int] = (0, 0)
    modifiers: int = 0


class KeyInput(msgspec.Struct, frozen=True, kw_only=True, tag="key"):
    """A key; its number and modifiers are Qt’s."""

    is_press: bool
    key: int
    modifiers: int = 0
    text: str = ""
    is_repeat: bool = False


class TypedInput(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """Text that an input method or a paste gives."""

    text: str


class FocusInput(msgspec.Struct, frozen=True, kw_only=True, tag="focus"):
    """Whether the page has the keyboard."""

    has_focus: bool


class PictureTaken(msgspec.Struct, frozen=True, kw_only=True, tag="picture_taken"):
    """The last picture was painted, so that the next may come."""


PreviewInput = PreviewArea | PointerInput | WheelInput | KeyInput | TypedInput | FocusInput | PictureTaken


class PreviewPainted(msgspec.Struct, frozen=True, kw_only=True, tag="preview_painted"):
    """A picture of the page: rows of 4 bytes a pixel, Qt’s ``Format_RGB32``. The next comes after
    ``PictureTaken``."""

    preview: int
    width: int
    height: int
    pixels: bytes


class PreviewLoaded(msgspec.Struct, frozen=True, kw_only=True, tag="preview_loaded"):
    """The page is whole; with its text as a screen reader is told it."""

    preview: int
    text: str


class PreviewLogged(msgspec.Struct, frozen=True, kw_only=True, tag="preview_logged"):
    """The console has an error of the page, or says what was refused to it."""

    preview: int
    message: str
    line: int
    """Of the source, from 1; 0 where it is unknown."""


class PreviewLinkOpened(msgspec.Struct, frozen=True, kw_only=True, tag="preview_link_opened"):
    """The user clicked a link, which the page does not follow."""

    preview: int
    url: str


class PreviewSelected(msgspec.Struct, frozen=True, kw_only=True, tag="preview_selected"):
    """Other text of the page is selected now."""

    preview: int
    text: str


class PreviewPointed(msgspec.Struct, frozen=True, kw_only=True, tag="preview_pointed"):
    """The pointer has another shape now: Qt’s number of it."""

    preview: int
    shape: int


class PreviewEnded(msgspec.Struct, frozen=True, kw_only=True, tag="preview_ended"):
    """The process of the page has ended without being asked to."""

    preview: int
    problem: Translatable
    """A sentence."""


PreviewEvent = (
    PreviewPainted
    | PreviewLoaded
    | PreviewLogged
    | PreviewLinkOpened
    | PreviewSelected
    | PreviewPointed
    | PreviewEnded
)
