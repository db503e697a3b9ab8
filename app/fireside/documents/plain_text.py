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
_MIN_CONFIDENCE: Final = 0.01
"""Of a guess. Below it, in texts of a few letters, the most frequent of the old encodings is more likely."""
_WESTERN: Final = "Windows-1252"
_WESTERN_CODECS: Final = ("cp1252", "iso8859-1", "iso8859-15")
_WESTERN_LETTERS: Final = (
    frozenset("äöüßéèêàï"),  # German, with loan words
    frozenset("àâçèéêëîïôùûüœæÿ"),  # French
    frozenset("áéíñóúüçï"),  # Spanish, Catalan
    frozenset("àèéìíîòóù"),  # Italian
    frozenset("áàâãçéêíóôõúü"),  # Portuguese
    frozenset("áâäçèéêëïíñóôöúûü"),  # Dutch, English
    frozenset("æøåéèêòóôü"),  # Danish, Norwegian
    frozenset("äöåéüà"),  # Swedish, Finnish
)
"""What a text has beside ASCII. Together they would be most letters that other encodings look like."""
_WESTERN_SIGNS: Final = frozenset("¡¿«»“”„‚‘’‹›–—…•€£§©®™°±×½¼¾²³·µ‰¢ªº¨´\xa0")
_LETTER: Final = "A-Za-zÀ-ÖØ-öø-ÿŒœ"
_NOT_WESTERN: Final = re.compile(
    rf"""
    [a-zß-öø-ÿœ][À-ÖØ-ÞŒ]  # a capital within a word
    | [À-ÖØ-öø-ÿŒœ]{{3}}
    | [{_LETTER}][^\x00-\x7f{_LETTER}’·]+[{_LETTER}]  # a sign within a word
    | [{_LETTER}][±‚„] | [²³£©®¾±¿](?=[a-zß-ÿ])
    | (?<![lL])· | ·(?![lL]) | (?<!m)[²³] | (?<!\d)[ªº] | µ\w{{3}}
    | (?<![çhlmn])ã(?![eo]) | õ(?!e)  # what Romanian and Hungarian look like
    | (?i:ñ(?![aeiouáéíóúü])) | (?<![aiou])ë\b  # Polish and Lithuanian
    """,
    re.VERBOSE,
)
"""In bytes of other encodings that are read as Windows-1252."""
_NEAREST: Final = ("cp1250", "cp1254", "cp1257", "cp1258", "iso8859-2", "iso8859-9", "iso8859-13")
"""Other encodings of the Latin alphabet, whose texts can look Western."""
_MARGIN_OF_NEAREST: Final = 1.5
_MARGIN: Final = 5.0
"""How much more confidence in another encoding outweighs that a text looks Western."""
_RARE: Final = re.compile("mac-(?!roman)|iso8859-(?:3|4|10|14|16)$|cp(?!437|850|858|866|874)[478]\\d\\d$")
"""Of DOS and the Macintosh, but not Western or Russian; parts of ISO 8859 that programs hardly wrote."""
_WEIGHT_OF_RARE: Final = 0.5
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

    if is_one_byte := 0 not in data and b"\x1b$" not in data:
        # The English words of code and the numbers of tables say nothing of the rest.
        data = b"\n".join(line for line in data.splitlines() if not line.isascii())
    # Not those of mainframes and of single countries, for which short texts were mistaken.
    eras = chardet.EncodingEra.ALL & ~(chardet.EncodingEra.MAINFRAME | chardet.EncodingEra.LEGACY_REGIONAL)
    confidences: dict[str, float] = {}
    for found in chardet.detect_all(data, ignore_threshold=True, encoding_era=eras):
        name = found["encoding"] or ""
        if codec := _codec(name):
            is_rare = _RARE.match(codec) is not None
            confidences[name] = found["confidence"] * (_WEIGHT_OF_RARE if is_rare else 1)
    if is_one_byte and _is_western(data[:_SNIFF_BYTES], confidences):
        return _WESTERN
    best = max(confidences, key=lambda name: confidences[name], default="")
    return best if confidences.get(best, 0) >= _MIN_CONFIDENCE else ""


def _is_western(data: bytes, confidences: dict[str, float]) -> bool:
    """Return whether lines are Windows-1252: they look so, and no other encoding is clearly more likely."""
    try:
        text = data.decode(_WESTERN)
    except UnicodeDecodeError:
        return False
    others = {char for char in text if not char.isascii()} - _WESTERN_SIGNS
    letters = {char.lower() for char in others}
    if not any(letters <= alphabet for alphabet in _WESTERN_LETTERS) or _NOT_WESTERN.search(text):
        return False
    if not letters:
        return True
    n_others = sum(map(text.count, others))
    if n_others > max(2, sum(char.isascii() and char.isalpha() for char in text)):
        return False
    is_spanish = any(char in text for char in "¿¡ñ")
    margin = _MARGIN if is_spanish else _MARGIN_OF_NEAREST
    western = max(
        (value for name, value in confidences.items() if _codec(name) in _WESTERN_CODECS),
        default=_MIN_CONFIDENCE,
    )
    return all(
        value <= western * (margin if _codec(name) in _NEAREST else _MARGIN)
        for name, value in confidences.items()
    )


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
