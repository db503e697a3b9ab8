"""A wrapper that keeps a token out of logs, messages and files."""

from __future__ import annotations

import hmac
from typing import Final, NoReturn

from fireside.core.errors import SettingInvalid
from fireside.core.i18n import tr_noop

_LENGTH_LIMIT: Final = 1_200
"""Characters; Windows stores at most 2,560 bytes, two a character, and tokens have about a hundred."""


class Secret:  # noqa: PLW1641 - a hash of a short secret would reveal it
    """A token or key. Its representation is ``Secret(…)``; only ``reveal`` returns the text."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def reveal(self) -> str:
        """Return the text, which the caller must not store."""
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
    """Return a text that the user entered as a secret, without white space around it.

    Raises ``SettingInvalid`` under ``label`` if it cannot be a token. The error does not contain the text.
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
