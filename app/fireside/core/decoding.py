"""Decode JSON of any origin: one call, one error class."""

from __future__ import annotations

from collections.abc import Hashable
from functools import cache
from typing import Any, TypeVar, cast

import msgspec

from fireside.core.i18n import tr_noop

T = TypeVar("T")


@cache
def _decoder(kind: Hashable) -> msgspec.json.Decoder[Any]:
    """Return the decoder of a type. Making one takes longer than it takes to decode a row of the database."""
    return msgspec.json.Decoder(kind)


class JsonInvalid(ValueError):
    """The content is not JSON, or not of the expected type.

    ``str`` of it is the decoder's message, for the log; ``reason`` is for the user, to be rendered.
    """

    def __init__(self, message: str, *, reason: str) -> None:
        super().__init__(message)
        self.reason = reason


def decode_json(content: bytes | str | msgspec.Raw, *, kind: type[T]) -> T:
    """Return the value of ``content``, which must be of the type ``kind``; ``object`` takes any JSON.

    Raises ``JsonInvalid``, nothing else.

    ``msgspec`` raises several unrelated classes: a text with a byte that is no UTF-8 is a
    ``UnicodeDecodeError``, nesting beyond the interpreter's limit a ``RecursionError``.
    """
    try:
        value: T = _decoder(cast("Hashable", kind)).decode(content)
    except msgspec.ValidationError as exc:
        raise JsonInvalid(str(exc), reason=tr_noop("its parts are not what they should be")) from exc
    except (msgspec.MsgspecError, UnicodeError) as exc:
        is_empty = not (content if isinstance(content, str) else bytes(content)).strip()
        reason = tr_noop("it is empty") if is_empty else tr_noop("it is not valid JSON")
        raise JsonInvalid(str(exc), reason=reason) from exc
    except RecursionError as exc:
        raise JsonInvalid(str(exc), reason=tr_noop("it is nested beyond all bounds")) from exc
    return value
