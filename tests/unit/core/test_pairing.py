"""The text of a QR code is read as it was written, and nothing else is."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from fireside.core.pairing import PairingLink, parse_pairing_link

LINK = PairingLink(
    address="https://192.168.1.5:3474", token="fs-a_b-c", fingerprint="0f" * 32, name="Jo’s & co"
)


@pytest.mark.parametrize("link", [LINK, replace(LINK, address="https://[fd00::5]:3474", name="")])
def test_a_link_is_read_as_it_was_written(link: PairingLink) -> None:
    assert parse_pairing_link(f"  {link.uri}\n") == link
    assert link.token not in repr(link)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "https://192.168.1.5:3474",
        LINK.uri.replace("0f", "zz"),
        LINK.uri.replace("fs-a_b-c", ""),
        LINK.uri.replace(":3474", ":99999"),
        LINK.uri.replace(":3474", ""),
        LINK.uri.replace("//", "//user:secret@"),
        LINK.uri + "x" * 2000,
    ],
)
def test_what_is_no_link(text: str) -> None:
    assert parse_pairing_link(text) is None
