"""Draw one chart in a process of its own: ``python -P -m fireside.web_host.chart FOLDER``, with that of the
component. The request comes over standard input, the reply goes to standard output."""

from __future__ import annotations

import contextlib
import os
import re
import sys
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.core.web_preview import MAX_PIXELS
from fireside.web_host.__main__ import leave_network
from fireside.web_host.web_messages import ChartReply, ChartRequest, decode_chart_request

_REMOTE: Final = tr_noop(
    "This chart takes its data from {address}. Charts are drawn without any connection and without your "
    "files: have the values written into the chart."
)
_NO_CHART: Final = tr_noop("This is no chart in Vega-Lite: {reason}.")
_MAX_REASON: Final = 500
_MAX_DEPTH: Final = 200
_LINKS: Final = re.compile(r'\s(?:xlink:)?href="(?!data:image/|#)[^"]*"')
_SIZE: Final = re.compile(r'<svg[^>]*? width="([\d.]+)" height="([\d.]+)"')
_SCALE: Final = 2.0
_DARK: Final = {"axis": {"gridColor": "#ffffff", "gridOpacity": 0.12}}
"""The theme’s grid is as bright as its axes, and hides what is drawn on it."""
_NICE: Final = 5


def main() -> int:
    """Answer the one request on standard input."""
    sys.path.append(sys.argv[1])
    if sys.platform != "win32":
        os.nice(_NICE)
    if sys.platform == "linux":
        with contextlib.suppress(OSError):  # it opens no connection; this is the second wall
            leave_network()
    output = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    output.write(msgspec.msgpack.encode(draw(decode_chart_request(sys.stdin.buffer.read()))))
    output.flush()
    os._exit(0)  # the engine of JavaScript has threads of its own


def draw(request: ChartRequest) -> ChartReply:
    """Return the chart, or what is wrong with it."""
    try:
        chart = decode_json(request.source, kind=dict[str, Any])
    except JsonInvalid as exc:
        return ChartReply(problem=Phrase(_NO_CHART, {"reason": exc.reason}))
    if (address := next(_addresses(chart), "")) != "":
        return ChartReply(problem=Phrase(_REMOTE, {"address": address[:_MAX_REASON]}))
    import vl_convert

    try:
        svg = _LINKS.sub("", _svg(chart, request))
        size = _SIZE.match(svg)
        n_pixels = float(size[1]) * float(size[2]) if size else 1.0
        scale = min(_SCALE, (MAX_PIXELS / max(1.0, n_pixels)) ** 0.5)
        png = vl_convert.svg_to_png(svg, scale=scale)
    except ValueError as exc:
        return ChartReply(problem=Phrase(_NO_CHART, {"reason": _reason(exc)}))
    return ChartReply(svg=svg, png=png, scale=scale)


def _svg(chart: dict[str, Any], request: ChartRequest) -> str:
    import vl_convert

    if "/vega/" in str(chart.get("$schema", "")):
        return str(vl_convert.vega_to_svg(chart, allowed_base_urls=[]))
    return str(
        vl_convert.vegalite_to_svg(
            chart,
            allowed_base_urls=[],
            theme="dark" if request.is_dark else None,
            config={"background": request.background, **(_DARK if request.is_dark else {})},
        )
    )


def _addresses(value: object, *, depth: int = 0) -> Iterator[str]:
    """Yield what data is taken from, other than values within the chart."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, dict):
        data = value.get("data")
        for each in data if isinstance(data, list) else (data,):
            if isinstance(each, dict) and "url" in each and not str(each["url"]).startswith("data:"):
                yield str(each["url"])
        for part in value.values():
            yield from _addresses(part, depth=depth + 1)
    elif isinstance(value, list):
        for part in value:
            yield from _addresses(part, depth=depth + 1)


def _reason(error: ValueError) -> Translatable:
    """Return what the library says, without where in its own code that was."""
    lines = [line.strip() for line in str(error).splitlines()]
    said = [line for line in lines if line and not line.startswith("at ")]
    text = (said[1] if len(said) > 1 else said[0] if said else "?").removeprefix("Error: ")
    return text.rstrip(".")[:_MAX_REASON]


if __name__ == "__main__":
    sys.exit(main())
