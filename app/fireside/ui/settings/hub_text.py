"""Texts about the hub's access token and the connection test. Pure."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from fireside.core.discovery import HubTestResult
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.loopback import is_loopback
from fireside.core.secret_location import SecretLocation

_LOCATION_TEXTS: Final = {
    SecretLocation.SESSION: tr_noop("Kept until Fireside closes: this system has no keyring"),
    SecretLocation.KEYRING: tr_noop("Saved in the system keyring"),
    SecretLocation.FILE: tr_noop(
        "Saved in a file in Fireside's data folder, unencrypted and readable by your user account only"
    ),
    SecretLocation.ENVIRONMENT: tr_noop("Set by the environment variable HF_TOKEN"),
}

ASK_FILE: Final = tr_noop(
    "This system has no keyring, so this is kept until Fireside closes. You can save it in an unencrypted "
    "file that only your user account can read."
)
_UNENCRYPTED: Final = tr_noop("The connection is not encrypted: others on the network can read the token.")
_MIN_DISPLAYED_S: Final = 0.1


def token_location_text(location: SecretLocation) -> str:
    """Return where an existing token or key is stored."""
    return tr(_LOCATION_TEXTS[location])


def connection_test_text(result: HubTestResult) -> str:
    """Return the result of a connection test: server, latency, account."""
    text = tr("{host} answered in under {seconds} s.")
    if result.seconds >= _MIN_DISPLAYED_S:
        text = tr("{host} answered in {seconds} s.")
    text = text.format(host=result.host, seconds=number(max(result.seconds, _MIN_DISPLAYED_S), decimals=1))
    if result.user:
        return tr("{answered} Signed in as “{user}”.").format(answered=text, user=result.user)
    if result.token_location is SecretLocation.NONE:
        return tr("{answered} No token was used, which is enough for most models.").format(answered=text)
    return tr("{answered} The token is valid.").format(answered=text)


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
    warning = tr("This token is used for {host} only. Use only an address you trust.").format(host=host)
    if parts.scheme == "http" and not is_loopback(name):
        warning = f"{warning} {tr(_UNENCRYPTED)}"
    return warning
