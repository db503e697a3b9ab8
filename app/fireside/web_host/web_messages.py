"""The messages between the program and the process that shows a page, sent in the frames of ``wire``; and
between it and the process that draws a chart."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from fireside.core.i18n import Translatable
from fireside.core.web_preview import (
    FocusInput,
    KeyInput,
    PictureTaken,
    PointerInput,
    PreviewArea,
    PreviewEnded,
    PreviewLinkOpened,
    PreviewLoaded,
    PreviewLogged,
    PreviewPainted,
    PreviewPointed,
    PreviewSelected,
    TypedInput,
    WheelInput,
)
from fireside.wire.frames import decode_body

NO_NAMESPACE: Final = 77
"""The exit status where the system refuses namespaces, without which the web engine has no sandbox."""
MAX_CHART_BYTES: Final = 48 << 20
"""Of a drawn chart, in SVG and as a picture."""


class ShowPage(msgspec.Struct, frozen=True, kw_only=True, tag="show_page"):
    """Show another page, from its whole text in HTML."""

    html: str
    policy: str
    """Its Content-Security-Policy."""


class ChartRequest(msgspec.Struct, frozen=True, kw_only=True):
    """A chart in Vega-Lite or Vega, in JSON."""

    source: str
    is_dark: bool = False
    background: str = "#ffffff"


class ChartReply(msgspec.Struct, frozen=True, kw_only=True):
    """The chart, or a sentence that says why there is none."""

    svg: str = ""
    png: bytes = b""
    scale: float = 1.0
    """Pixels of the picture for one of the chart."""
    problem: Translatable = ""


WebCommand = (
    ShowPage | PreviewArea | PointerInput | WheelInput | KeyInput | TypedInput | FocusInput | PictureTaken
)
WebReport = (
    PreviewPainted
    | PreviewLoaded
    | PreviewLogged
    | PreviewLinkOpened
    | PreviewSelected
    | PreviewPointed
    | PreviewEnded
)

_COMMANDS: msgspec.msgpack.Decoder[WebCommand] = msgspec.msgpack.Decoder(WebCommand)
_CHART_REQUEST = msgspec.msgpack.Decoder(ChartRequest)
_CHART_REPLY = msgspec.msgpack.Decoder(ChartReply)
WEB_REPORTS: Final[msgspec.msgpack.Decoder[WebReport]] = msgspec.msgpack.Decoder(WebReport)
"""Decodes what the process of a page sends."""


def decode_web_command(body: bytes) -> WebCommand:
    """Decode the command in a frame. Raises ``FrameError``."""
    return decode_body(body, decoder=_COMMANDS)


def decode_chart_request(body: bytes) -> ChartRequest:
    """Decode what a chart is drawn from. Raises ``FrameError``."""
    return decode_body(body, decoder=_CHART_REQUEST)


def decode_chart_reply(body: bytes) -> ChartReply:
    """Decode a drawn chart. Raises ``FrameError``."""
    return decode_body(body, decoder=_CHART_REPLY)


def web_command(folder: str) -> tuple[str, ...]:
    """Return the command line that starts the process of a page; ``folder`` is that of the component."""
    return (sys.executable, "-P", "-m", "fireside.web_host", folder)


def chart_command(folder: str) -> tuple[str, ...]:
    """Return the command line that draws one chart; ``folder`` is that of the component."""
    return (sys.executable, "-P", "-m", "fireside.web_host.chart", folder)
