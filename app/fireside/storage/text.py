"""Text and values on their way into the database: what SQLite or JSON could not hold is refused first."""

from __future__ import annotations

import msgspec

from fireside.core.errors import InvalidText
from fireside.core.i18n import tr_noop

_REASON = tr_noop("it contains an invalid character (a lone surrogate).")


def storable(text: str) -> str:
    """Return ``text`` as it is. Raises ``InvalidText`` for lone surrogates; a NUL is kept exactly."""
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
