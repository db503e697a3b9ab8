"""Judge the address of an engine before anything is sent there. Pure."""

from __future__ import annotations

import ipaddress
from typing import Final
from urllib.parse import urlsplit

from fireside.core.errors import RemoteAddressInvalid, RemoteNotEncrypted
from fireside.core.i18n import tr_noop

_ENDINGS: Final = ("/v1/chat/completions", "/chat/completions", "/v1/models", "/v1")
"""What documentation and other programs write behind the address."""
_OWN_NETWORK: Final = (".local", ".lan", ".home.arpa", ".internal", ".home", ".intranet")
"""Names that no public server can have."""


def checked_address(text: str, *, allows_plain: bool) -> str:
    """Return an engine's address as it is kept: scheme, host, port and path, without ``/v1``.

    Without encryption only this computer may be named and, with ``allows_plain``, what is surely in the
    user's own network.

    Raises:
        RemoteNotEncrypted: ``allows_plain`` would help.
        RemoteAddressInvalid: nothing would.
    """
    text = text.strip()
    if "://" not in text:
        text = f"{'http' if _is_near(text) else 'https'}://{text}"
    try:
        parts = urlsplit(text)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    if not host or parts.scheme not in ("http", "https") or not text.isprintable() or " " in text:
        raise RemoteAddressInvalid(reason=tr_noop("Enter a URL such as “https://gpu.example.org:8000”."))
    if parts.username is not None or parts.password is not None:
        raise RemoteAddressInvalid(reason=tr_noop("Enter the key in its own field, not in the address."))
    if parts.query or parts.fragment:
        raise RemoteAddressInvalid(reason=tr_noop("Leave out everything from “?” or “#” on."))
    if parts.scheme == "http" and not is_loopback(host):
        if not _is_private(host):
            raise RemoteAddressInvalid(
                reason=tr_noop("Outside your own network it must start with “https://”.")
            )
        if not allows_plain:
            raise RemoteNotEncrypted(host=host_of(text))
    path = parts.path.rstrip("/")
    for ending in _ENDINGS:
        if path.endswith(ending):
            path = path.removesuffix(ending)
            break
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{'' if port is None else f':{port}'}{path}"


def host_of(address: str) -> str:
    """Return the host of an address for the user, with its port."""
    return urlsplit(address).netloc.rpartition("@")[2]


def is_loopback(host: str) -> bool:
    """Whether a host is this computer itself, whatever a name server says."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_private(host: str) -> bool:
    """Whether a host is surely in the user's own network: by its number, or a name that is not public."""
    try:
        number = ipaddress.ip_address(host)
    except ValueError:
        return "." not in host or host.endswith(_OWN_NETWORK)
    return number.is_private or number.is_link_local or number in ipaddress.ip_network("100.64.0.0/10")


def _is_near(text: str) -> bool:
    """Whether what was typed without a scheme names this computer or the own network."""
    host = urlsplit(f"//{text}").hostname or ""
    return is_loopback(host) or _is_private(host)
