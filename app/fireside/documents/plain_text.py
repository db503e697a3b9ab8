"""Plain text and code: which encoding a file is in, and whether it is text at all."""

from __future__ import annotations

import codecs
import re
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import FileRefused

GUESSED: Final = tr_noop("Its encoding is not known; it was read as Western European text.")

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LOOKED_AT: Final = 64 * 1024
_CONTROLS: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""But for those of text: tabs, ends of lines and pages, and the escapes of coloured terminals."""
_MOST_CONTROLS: Final = 0.005
_MOST_ZEROS: Final = 0.05
_LEAST_ZEROS: Final = 0.6
_BINARY: Final = tr_noop("unsupported file type.")


def decode(data: bytes, *, declared: str | None = None) -> tuple[str, tuple[str, ...]]:
    """Return the text of a file and what is to be said about it.

    By its mark, else UTF-16 by its zeros, else UTF-8, else ``declared`` if that is known, else Windows-1252:
    it is what files without any sign of their encoding mostly are, and fails for none.

    Raises:
        Refused: it is no text.
    """
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _exactly(data, encoding), ()
    if (guess := _utf_16_by_zeros(data)) is not None:
        return _exactly(data, guess), ()
    if 0 in data or len(_CONTROLS.findall(data[:_LOOKED_AT])) > _MOST_CONTROLS * len(data[:_LOOKED_AT]) + 1:
        raise FileRefused(_BINARY)
    try:
        return data.decode("utf-8"), ()
    except UnicodeDecodeError:
        pass
    if declared is not None and (text := _as_declared(data, declared)) is not None:
        return text, ()
    return data.decode("cp1252", errors="replace"), (GUESSED,)


def _exactly(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        # A file that was cut in the middle of a character is text all the same; noise is not.
        text = data.decode(encoding, errors="replace")
        if text.count("\ufffd") > _MOST_CONTROLS * len(text) + 1:
            raise FileRefused(tr_noop("it is damaged.")) from None
    if text.count("\0") > 1:
        raise FileRefused(_BINARY)
    return text


def _utf_16_by_zeros(data: bytes) -> str | None:
    """Western text in UTF-16 has a zero in every second place, and hardly any in the others."""
    start = data[: _LOOKED_AT // 2 * 2]
    half = len(start) // 2
    if not half:
        return None
    even, odd = start[::2].count(0) / half, start[1::2].count(0) / half
    if even < _MOST_ZEROS and odd > _LEAST_ZEROS:
        return "utf-16-le"
    if odd < _MOST_ZEROS and even > _LEAST_ZEROS:
        return "utf-16-be"
    return None


def _as_declared(data: bytes, declared: str) -> str | None:
    try:
        encoding = codecs.lookup(declared)
        # Some names of Python's are no encodings of text: “zip” would unpack.
        return data.decode(encoding.name) if getattr(encoding, "_is_text_encoding", False) else None
    except (LookupError, UnicodeError, ValueError):
        return None
