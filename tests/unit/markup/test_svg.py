"""Pictures load nothing from elsewhere, and none takes longer to draw than it may."""

from __future__ import annotations

import time

import pytest

from fireside.markup.svg import SvgRefused, safe_svg

PIXEL = "data:image/png;base64,iVBORw0KGgo="


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "/etc/passwd",
        "https://example.com/x.png",
        "&#102;ile:///etc/passwd",
        "data:image/svg+xml;base64,AAAA",
        " \nfile:///etc/passwd",
    ],
)
@pytest.mark.parametrize("name", ["href", "xlink:href", "XLINK:HREF"])
def test_nothing_is_loaded_from_elsewhere(address: str, name: str) -> None:
    shown = safe_svg(f'<svg xmlns:xlink="http://www.w3.org/1999/xlink"><image {name}="{address}"/></svg>')
    assert "passwd" not in shown
    assert "example" not in shown
    assert "AAAA" not in shown


def test_what_is_within_the_picture_stays() -> None:
    text = f"<svg><path id='a'/><use href='#a'/><image href='{PIXEL}'/></svg>"
    assert safe_svg(text) == text


def nested(n_levels: int) -> str:
    levels = ["<g id='l0'><rect/></g>"]
    for n in range(1, n_levels):
        uses = f"<use href='#l{n - 1}'/>" * 10
        levels.append(f"<g id='l{n}'>{uses}</g>")
    return f"<svg><defs>{''.join(levels)}</defs><use href='#l{n_levels - 1}'/></svg>"


@pytest.mark.parametrize(
    "text",
    [
        nested(8),
        "<svg><g id='a'><use href='#b'/></g><g id='b'><use href='#a'/></g></svg>",
        f"<svg>{'<rect/>' * 60_000}</svg>",
        "<svg>" + "<g id='a'>" * 20_000,
        "<!DOCTYPE svg [<!ENTITY a 'aaaa'>]><svg>&a;</svg>",
        f"<svg><filter id='f'>{'<feGaussianBlur/>' * 60}</filter></svg>",
        "<svg><rect></svg>",
        "<html></html>",
        f"<svg>{' ' * 2_100_000}</svg>",
        "",
    ],
)
def test_what_cannot_be_drawn_is_refused(text: str) -> None:
    began = time.process_time()
    with pytest.raises(SvgRefused):
        safe_svg(text)
    assert time.process_time() - began < 2


def test_an_ordinary_picture_with_parts_used_often_is_drawn() -> None:
    assert safe_svg(nested(4)).startswith("<svg>")
