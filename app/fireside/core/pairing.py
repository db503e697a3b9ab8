"""How another device is told where a Fireside is, and how it is recognised."""

from __future__ import annotations

import re
from typing import Final
from urllib.parse import parse_qs, quote, urlsplit

import msgspec

SCHEME: Final = "fireside"
_FINGERPRINT: Final = re.compile(r"[0-9a-fA-F]{64}")
_MAX_LENGTH: Final = 2000


class PairingLink(msgspec.Struct, frozen=True, kw_only=True):
    """What a QR code of another device holds."""

    address: str
    """The URL of the server, without a path."""
    token: str
    fingerprint: str
    """SHA-256 of the authority's certificate, in hexadecimal."""
    name: str = ""
    """Of the computer."""

    def __repr__(self) -> str:
        return f"PairingLink({self.address!r})"

    @property
    def uri(self) -> str:
        """The text of the QR code: ``fireside://HOST:PORT?token=…&fingerprint=…&name=…``."""
        host = self.address.removeprefix("https://")
        name = f"&name={quote(self.name, safe='')}" if self.name else ""
        return f"{SCHEME}://{host}?token={quote(self.token, safe='')}&fingerprint={self.fingerprint}{name}"


class FoundFireside(msgspec.Struct, frozen=True, kw_only=True):
    """A Fireside that announced itself on the local network. Nothing of it is proven."""

    name: str
    address: str
    fingerprint: str


class PairingInvite(msgspec.Struct, frozen=True, kw_only=True):
    """A new device's link, and its QR code."""

    link: PairingLink
    qr: tuple[bytes, ...]
    """The rows of the QR code, without a margin; a byte is 1 where a module is dark."""


def parse_pairing_link(text: str) -> PairingLink | None:
    """Return what the text of a QR code says; ``None`` if it is none."""
    text = text.strip()
    if len(text) > _MAX_LENGTH or not text.lower().startswith(f"{SCHEME}://"):
        return None
    try:
        parts = urlsplit(text)
        query = parse_qs(parts.query)
        has_host = bool(parts.hostname) and parts.port is not None
    except ValueError:
        return None
    fingerprint, token = _first(query, "fingerprint"), _first(query, "token")
    if not has_host or parts.username is not None or not token or not _FINGERPRINT.fullmatch(fingerprint):
        return None
    return PairingLink(
        address=f"https://{parts.netloc}",
        token=token,
        fingerprint=fingerprint.lower(),
        name=_first(query, "name"),
    )


def _first(query: dict[str, list[str]], name: str) -> str:
    return query.get(name, [""])[0]
