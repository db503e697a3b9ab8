"""Check text and values before they are stored: what SQLite or JSON cannot represent is refused."""

from __future__ import annotations

import msgspec

from fireside.core.errors import InvalidText
from fireside.core.i18n import tr_noop

_REASON = tr_noop("it contains an invalid character (a lone surrogate).")


def storable(text: str) -> str:
    """Return ``text`` unchanged, NUL included. Raises ``InvalidText`` for lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise InvalidText(reason=_REASON) from exc
    return text


def to_json(value: object) -> str:
    """Return ``value`` as JSON text. Raises ``InvalidText`` where a string in it has a lone surrogate."""
    try:
        return msgspec.json.encode(value).decode()
    except UnicodeEncodeError as exc:
        raise InvalidText(reason=_REASON) from exc
