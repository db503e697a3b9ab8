"""Texts about the hub's access token and the connection test. Pure."""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from fireside.core.discovery import HubTestResult, TokenLocation
from fireside.core.i18n import number, tr, tr_noop

_PLACES: Final = {
    TokenLocation.SESSION: tr_noop("Kept until Fireside closes: this system has no keyring"),
    TokenLocation.KEYRING: tr_noop("Saved in the system keyring"),
    TokenLocation.FILE: tr_noop(
        "Saved in a file in Fireside's data folder, unencrypted and readable by your user account only"
    ),
    TokenLocation.ENVIRONMENT: tr_noop("Set by the environment variable HF_TOKEN"),
}

ASK_FILE: Final = tr_noop(
    "This system has no keyring, so this is kept until Fireside closes. You can save it in an unencrypted "
    "file that only your user account can read."
)
_IN_THE_CLEAR: Final = tr_noop("The connection is not encrypted: others on the network can read the token.")
_SOON_S: Final = 0.1


def token_location_text(place: TokenLocation) -> str:
    """Return where an existing token or key is stored."""
    return tr(_PLACES[place])


def connection_test_text(reach: HubTestResult) -> str:
    """Return the result of a connection test: server, latency, account."""
    answered = tr("{host} answered in under {seconds} s.")
    if reach.seconds >= _SOON_S:
        answered = tr("{host} answered in {seconds} s.")
    answered = answered.format(host=reach.host, seconds=number(max(reach.seconds, _SOON_S), decimals=1))
    if reach.user:
        return tr("{answered} Signed in as “{user}”.").format(answered=answered, user=reach.user)
    if reach.token_location is TokenLocation.NONE:
        return tr("{answered} No token was used, which is enough for most models.").format(answered=answered)
    return tr("{answered} The token is valid.").format(answered=answered)


def mirror_warning(endpoint: str) -> str:
    """Return a warning that the token will be sent to another server than the public hub; empty for that."""
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
    words = tr("This token is used for {host} only. Use only an address you trust.").format(host=host)
    if parts.scheme == "http" and not _is_this_computer(name):
        words = f"{words} {tr(_IN_THE_CLEAR)}"
    return words


def _is_this_computer(host: str) -> bool:
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
