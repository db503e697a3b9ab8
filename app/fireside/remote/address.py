"""Validate the address of a remote engine. Pure."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from fireside.core.errors import RemoteError
from fireside.core.i18n import tr_noop
from fireside.core.loopback import is_loopback

_API_PATHS: Final = ("/v1/chat/completions", "/chat/completions", "/v1/models", "/v1")
"""Paths that documentation and other programs append to the address."""
_PRIVATE_DOMAINS: Final = (".local", ".lan", ".home.arpa", ".internal", ".home", ".intranet")
"""Top-level domains that no public server can have."""


def validate_address(text: str, *, allows_plain: bool) -> str:
    """Return an engine's normalized address: scheme, host, port and path, without ``/v1``.

    Unencrypted addresses must be of this computer or, with ``allows_plain``, certainly in the user's own
    network.

    Raises:
        remote_not_encrypted: it is valid with ``allows_plain`` only.
        remote_address_invalid: it is invalid.
    """
    text = text.strip()
    if "://" not in text:
        text = f"{'http' if _is_local(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.scheme not in ("http", "https") or not text.isprintable() or " " in text:
        raise RemoteError.of(
            "remote_address_invalid", reason=tr_noop("Enter a URL such as “https://gpu.example.org:8000”.")
        )
    if parts.username is not None or parts.password is not None:
        raise RemoteError.of(
            "remote_address_invalid", reason=tr_noop("Enter the key in its own field, not in the address.")
        )
    if parts.query or parts.fragment:
        raise RemoteError.of(
            "remote_address_invalid", reason=tr_noop("Leave out everything from “?” or “#” on.")
        )
    if parts.scheme == "http" and not is_loopback(host):
        if not _is_private(host):
            raise RemoteError.of(
                "remote_address_invalid",
                reason=tr_noop("Outside your own network it must start with “https://”."),
            )
        if not allows_plain:
            raise RemoteError.of("remote_not_encrypted", host=host_of(text))
    path = parts.path.rstrip("/")
    for api_path in _API_PATHS:
        if path.endswith(api_path):
            path = path.removesuffix(api_path)
            break
    bracketed = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{bracketed}{'' if port is None else f':{port}'}{path}"


def host_of(address: str) -> str:
    """Return host and port of an address, for the user."""
    return urlsplit(address).netloc.rpartition("@")[2]


def _is_private(host: str) -> bool:
    """Whether a host is certainly in the user's own network: a private IP address or a non-public name."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_PRIVATE_DOMAINS)
    return number.is_private or number.is_link_local or number in ipaddress.ip_network("100.64.0.0/10")


def _is_local(text: str) -> bool:
    """Whether an address without a scheme is of this computer or the own network."""
    host = urlsplit(f"//{text}").hostname or ""
    return is_loopback(host) or _is_private(host)
