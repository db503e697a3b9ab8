"""Hold a token so that it cannot slip into a log, a message or a file by accident."""

from __future__ import annotations

import hmac
from typing import Final, NoReturn

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr_noop

_LENGTH_LIMIT: Final = 1_200
"""Characters; Windows keeps at most 2,560 bytes, two a character, and tokens have a hundred or so."""


class Secret:  # noqa: PLW1641 - a hash of a short secret gives it away
    """A token or key. Shows itself as ``Secret(…)`` everywhere; ``reveal`` is the one way to its text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text. Hand it straight to what needs it; keep it nowhere."""
        return self._text

    def __repr__(self) -> str:
        return "Secret(…)"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Secret):
            return NotImplemented
        return hmac.compare_digest(_bytes(self), _bytes(other))

    def __reduce__(self) -> NoReturn:
        raise TypeError("A secret is never pickled or copied.")


def _bytes(secret: Secret) -> bytes:
    return secret.reveal().encode(errors="surrogatepass")


def secret_from_text(text: str, *, label: str) -> Secret:
    """Return what the user pasted as a secret, without the white space around it.

    Raises ``SettingInvalid`` under ``label`` if no server could take it: the error never repeats the text.
    """
    text = text.strip()
    if not text:
        raise SettingInvalid(key=label, reason=tr_noop("It is empty."))
    if len(text) > _LENGTH_LIMIT:
        raise SettingInvalid(key=label, reason=tr_noop("It is too long to be a token."))
    if not text.isascii() or not text.isprintable() or " " in text:
        raise SettingInvalid(
            key=label,
            reason=tr_noop("It contains a space or another invalid character. Paste it again."),
        )
    return Secret(text)
