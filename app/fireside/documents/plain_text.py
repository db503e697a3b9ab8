"""Plain text and code: whether a file is text, and in which encoding."""

from __future__ import annotations

import codecs
import re
from typing import Final

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.documents.extracted_text import FileRefused

GUESSED: Final = tr_noop(
    "It does not say its encoding; it was read as {encoding}. If letters are wrong, save it as UTF-8."
)

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SNIFF_BYTES: Final = 64 * 1024
_CONTROLS: Final = re.compile(rb"[\x01-\x08\x0e-\x1a\x1c-\x1f\x7f]")
"""Without those of text: tabs, line and page ends, and the escape of terminal colours."""
_MAX_CONTROLS: Final = 0.005
_MAX_ZEROS: Final = 0.05
_MIN_ZEROS: Final = 0.6
_MIN_CONFIDENCE: Final = 0.02
"""Of a guess. Below it, in texts of a few letters, the most frequent of the old encodings is more likely."""
_WESTERN: Final = "Windows-1252"
_STATEFUL: Final = ("iso2022", "hz")
"""Beginnings of the names of encodings in which every byte is ASCII."""
_SUPERSETS: Final = {
    "ascii": "cp1252", "iso8859-1": "cp1252", "iso8859-9": "cp1254", "iso8859-11": "cp874",
    "gb2312": "gb18030", "gbk": "gb18030", "shift_jis": "cp932", "euc_kr": "cp949", "big5": "big5hkscs",
}  # fmt: skip
"""What programs write and browsers read (encoding.spec.whatwg.org) where a file says a narrower one."""
_BINARY: Final = tr_noop("unsupported file type.")


def decode(data: bytes, *, declared: str | None = None) -> tuple[str, tuple[Translatable, ...]]:
    """Return the text of a file, and warnings.

    The encoding is that of the byte order mark, else UTF-16 if every other byte is zero, else UTF-8, else
    ``declared``, else what the bytes look like, of which a warning tells. Raises ``FileRefused`` for a file
    that is not text.
    """
    is_stateful = _codec(declared).startswith(_STATEFUL)
    for mark, encoding in _BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return _decode_as(data, encoding), ()
    if (utf_16 := _utf_16_by_zeros(data)) is not None:
        return _decode_as(data, utf_16), ()
    guess = _guess(data) if 0 in data or (not is_stateful and b"\x1b$" in data) else ""
    if _codec(guess).startswith("utf-16" if 0 in data else _STATEFUL):
        return _decode_as(data, guess), ()
    if (
        0 in data
        or len(_CONTROLS.findall(data[:_SNIFF_BYTES])) > _MAX_CONTROLS * len(data[:_SNIFF_BYTES]) + 1
    ):
        raise FileRefused(_BINARY)
    if not is_stateful:
        try:
            return data.decode("utf-8"), ()
        except UnicodeDecodeError:
            pass
    if declared is not None and (text := _as_declared(data, declared)) is not None:
        return text, ()
    guess = guess or _guess(data) or _WESTERN
    return data.decode(guess, errors="replace"), (Phrase(GUESSED, {"encoding": guess}),)


def _guess(data: bytes) -> str:
    """Return the name of the encoding that bytes look like, empty if they look like none."""
    import chardet  # 4 MB of models, needed for old files alone

    # Not those of mainframes and of single countries, for which short texts were mistaken.
    eras = chardet.EncodingEra.ALL & ~(chardet.EncodingEra.MAINFRAME | chardet.EncodingEra.LEGACY_REGIONAL)
    found = chardet.detect(data, encoding_era=eras)
    name = found["encoding"] or ""
    return name if found["confidence"] >= _MIN_CONFIDENCE and _codec(name) else ""


def _codec(name: str | None) -> str:
    """Return Python's name of an encoding, empty if it has none."""
    return text_encoding(name or "") or ""


def text_encoding(name: str) -> str | None:
    """Return Python's name of an encoding of text, or ``None``: “zip” is a codec, but would unpack."""
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    return codec.name if getattr(codec, "_is_text_encoding", False) else None


def _decode_as(data: bytes, encoding: str) -> str:
    try:
        text = data.decode(encoding)
    except UnicodeDecodeError:
        # A file that was cut within a character is text; noise is not.
        text = data.decode(encoding, errors="replace")
        if text.count("\ufffd") > _MAX_CONTROLS * len(text) + 1:
            raise FileRefused(tr_noop("it is damaged.")) from None
    if text.count("\0") > 1:
        raise FileRefused(_BINARY)
    return text


def _utf_16_by_zeros(data: bytes) -> str | None:
    """Return the encoding of Western text in UTF-16: most of every other byte is zero, hardly any other."""
    start = data[: _SNIFF_BYTES // 2 * 2]
    half = len(start) // 2
    if not half:
        return None
    even, odd = start[::2].count(0) / half, start[1::2].count(0) / half
    if even < _MAX_ZEROS and odd > _MIN_ZEROS:
        return "utf-16-le"
    if odd < _MAX_ZEROS and even > _MIN_ZEROS:
        return "utf-16-be"
    return None


def _as_declared(data: bytes, declared: str) -> str | None:
    encoding = text_encoding(declared)
    try:
        return data.decode(_SUPERSETS.get(encoding, encoding)) if encoding else None
    except ValueError:  # UnicodeError among them
        return None
