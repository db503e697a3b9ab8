"""Say where the hub's access token is, who gets it, and what a test of the connection found. Pure."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from fireside.core.discovery import HubReach, TokenPlace

_PLACES: Final = {
    TokenPlace.NONE: "None is kept.",
    TokenPlace.SESSION: "It is kept until Fireside closes: this system has no keyring.",
    TokenPlace.KEYRING: "It is kept in your system's keyring.",
    TokenPlace.FILE: "It is kept in a file in Fireside's own folder, not encrypted; only your own account "
    "can read it.",
    TokenPlace.ENVIRONMENT: "It comes from the environment variable HF_TOKEN.",
}

ASK_FILE: Final = (
    "This system has no keyring, so the token is kept until Fireside closes. It can be kept for longer in a "
    "file that is not encrypted, and that only your own account can read."
)


def place_words(place: TokenPlace) -> str:
    """Return where the token is kept."""
    return _PLACES[place]


def reach_words(reach: HubReach) -> str:
    """Return what a test found: who answered, how soon, and as whom."""
    seconds = f"{reach.seconds:.1f}" if reach.seconds >= 0.1 else "less than 0.1"
    answered = f"{reach.host} answered in {seconds} seconds."
    if reach.user:
        return f"{answered} Your token is that of “{reach.user}”."
    if reach.token_place is TokenPlace.NONE:
        return f"{answered} It was asked without a token, which is enough for most models."
    return f"{answered} It knows your token."


def mirror_warning(endpoint: str) -> str:
    """Return what to know before a token goes to another address than the public hub's."""
    address = endpoint.strip()
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        host = parts.netloc.rpartition("@")[2]
        name = parts.hostname or ""
    except ValueError:
        return ""
    if not host:
        return ""
    words = f"Your access token is sent to {host} instead of the public hub, so it must be one you trust."
    if parts.scheme == "http" and not _is_this_computer(name):
        words += " The way there is not encrypted: others on the network can read the token."
    return words


def _is_this_computer(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
