"""The text of files in Rich Text Format: paragraphs, headings and tables."""

from __future__ import annotations

import codecs
import re
from copy import copy
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import (
    Extracted,
    FileRefused,
    TextBuffer,
    mark_hidden,
    strip_marks,
    tidy_prose,
)

MEDIA_TYPE: Final = "application/rtf"
BEGINNING: Final = b"{\\rtf"
_TOKEN: Final = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)"
)
_DEEPEST: Final = 1_000
_TINY: Final = 4
"""Half points."""
_LEFT_OUT: Final = frozenset(
    b"annotation atnauthor atndate atnid colorschememapping colortbl datastore falt filetbl fldinst fonttbl "
    b"footer footerf footerl footerr footnotesep generator header headerf headerl headerr info latentstyles "
    b"listoverridetable listtable mmathPr nonshppict objdata pict revtbl rsidtbl sn stylesheet sv themedata "
    b"ud xmlnstbl".split()
)
"""Destinations whose text is none of the document."""
_ENDS: Final = frozenset((b"par", b"sect", b"page", b"\n", b"\r"))
"""Of paragraphs."""
_WORDS: Final = {
    b"line": "\n", b"tab": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘",
    b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"~": "\xa0", b"_": "-", b"\\": "\\", b"{": "{",
    b"}": "}", b"\t": "\t",
}  # fmt: skip
_TEXT_LEVEL: Final = 9
"""Of what is no heading."""
_GROUNDS: Final = frozenset((b"cb", b"chcbpat", b"cbpat", b"highlight"))
_CHARSETS: Final = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_COLOUR: Final = re.compile(rb"\\red(\d{1,3})|\\green(\d{1,3})|\\blue(\d{1,3})|(;)")
_COLOURS: Final = re.compile(rb"{\\colortbl([^{}]{0,100000})}")


_STYLE: Final = re.compile(rb"{\\s(\d{1,5})(?!\d)([^{}]{0,2000})}")
_LEVEL: Final = re.compile(rb"\\outlinelevel(\d)|heading (\d);", re.IGNORECASE)
_MOST_STYLES: Final = 1_000_000
"""Bytes of the table of styles."""


class _State:
    """What holds within a group; one within another begins with what holds there."""

    def __init__(self) -> None:
        self.is_left_out = False
        self.is_hidden = False
        self.is_deleted = False
        self.is_shaded = False
        self.is_table = False
        self.is_note = False
        """The group is a note."""
        self.colour = 0
        self.size = 24
        self.font = -1
        self.n_skipped = 1
        """Characters behind one in Unicode that stand for it in programs that do not know it."""


def read_rtf(data: bytes) -> Extracted:
    """Return the text of a document. Raises ``FileRefused`` for one that is nested without end."""
    reader = _Reader(data)
    reader.run()
    return Extracted(media_type=MEDIA_TYPE, text=tidy_prose(reader.text))


class _Reader:
    """Writes the text as it goes by."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._white = _white_colours(data)
        self._levels = _heading_levels(data)
        self._out = TextBuffer()
        self._states = [_State()]
        self._bytes = bytearray()
        """Characters of the code page, of which several may make one."""
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = -1
        """That the font table tells of."""
        self._is_fonts = False
        self._to_skip = 0
        self._is_begun = False
        """The group has just begun."""
        self._opening = ""
        self._high = 0
        """The first of the two that a character in Unicode comes as."""
        self._is_row_shaded = False
        self._row: list[str] = []
        self._cell: list[str] = []
        self._note: list[str] | None = None

    @property
    def text(self) -> str:
        return self._out.text

    def run(self) -> None:
        place = 0
        while (token := _TOKEN.search(self._data, place)) is not None and not self._out.is_full:
            place = token.end()
            word, number, code, symbol, brace, plain = token.groups()
            was_begun, self._is_begun = self._is_begun, False
            if plain is not None:
                self._take(plain)
            elif word is not None:
                if word == b"bin" and number:
                    place += max(0, int(number))
                self._control(word, int(number) if number else None)
            elif code is not None:
                self._take(bytes.fromhex(code.decode()))
            elif brace is not None:
                self._flush()
                self._group(brace)
            elif symbol == b"*" and was_begun:
                self._state.is_left_out = True
            elif symbol is not None:
                self._special(symbol)
        self._flush()
        # Of a table that was cut off.
        self._out.add(" | ".join([*self._row, " ".join("".join(self._cell).split())]))

    @property
    def _state(self) -> _State:
        return self._states[-1]

    def _group(self, brace: bytes) -> None:
        self._to_skip = 0
        if brace == b"}":
            ended = self._states.pop() if len(self._states) > 1 else self._state
            if ended.is_note:
                words, self._note = " ".join("".join(self._note or ()).split()), None
                self._put(f" ({words})" if words else "")
            self._is_fonts &= self._state.is_left_out
            return
        if len(self._states) > _DEEPEST:
            raise FileRefused(tr_noop("its parts are nested too deep."))
        self._states.append(copy(self._state))
        self._state.is_note = False
        self._is_begun = True

    def _control(self, word: bytes, number: int | None) -> None:
        state = self._state
        if word in _LEFT_OUT:
            state.is_left_out = True
            self._is_fonts |= word == b"fonttbl"
        elif self._is_fonts:
            self._font_table(word, number or 0)
        elif word in (b"shpinst", b"footnote") and len(self._states) > 1:
            # Marked as what may be left out; the words of frames and notes are text as any.
            state.is_left_out = self._states[-2].is_left_out
            if word == b"footnote" and self._note is None:
                state.is_note, self._note = True, []
        elif word == b"u" and number is not None:
            self._unicode(number & 0xFFFF)
            self._to_skip = state.n_skipped
        elif word == b"uc":
            state.n_skipped = max(0, min(number or 0, 10))
        elif word == b"ansicpg" and number:
            self._encoding = _encoding(f"cp{number}") or self._encoding
        elif word == b"mac":
            self._encoding = "mac-roman"
        else:
            self._special(word)
            self._look(word, number)
            self._paragraph(word, number)

    def _special(self, word: bytes) -> None:
        """Take a character, or the end of something."""
        if word in _WORDS:
            self._write(_WORDS[word])
        elif word in _ENDS:
            self._flush()
            self._put("\n\n")
        elif word in (b"cell", b"nestcell"):
            self._flush()
            self._row.append(" ".join("".join(self._cell).split()))
            self._cell = []
        elif word == b"row":
            self._out.add(" | ".join(self._row) + "\n")
            self._row = []

    def _paragraph(self, word: bytes, number: int | None) -> None:
        """Note what holds for paragraphs and rows."""
        match word:
            case b"pard":
                self._state.is_shaded, self._state.is_table, self._opening = False, False, ""
            case b"intbl":
                self._state.is_table = True
            case b"trowd":
                self._is_row_shaded = False
            case b"clcbpat":
                self._is_row_shaded = True
            case b"s":
                self._head(self._levels.get(number or 0))
            case b"outlinelevel":
                self._head(number or 0)
            case _:
                pass

    def _head(self, level: int | None) -> None:
        """Begin a heading, of a level from 0, unless it is none or deeper than any."""
        if level is not None and 0 <= level < _TEXT_LEVEL and not self._state.is_left_out:
            self._opening = "#" * min(level + 1, 6) + " "

    def _look(self, word: bytes, number: int | None) -> None:
        """Note how the text behind is shown."""
        self._flush()
        state = self._state
        match word:
            case b"plain":
                state.is_hidden, state.is_deleted, state.colour, state.size = False, False, 0, 24
            case b"v":
                state.is_hidden = number != 0
            case b"deleted":
                state.is_deleted = number != 0
            case b"fs":
                state.size = number or 24
            case b"cf":
                state.colour = number or 0
            case b"f":
                state.font = number or 0
            case _ if word in _GROUNDS:
                state.is_shaded = bool(number)
            case _:
                pass

    def _font_table(self, word: bytes, number: int) -> None:
        if word == b"f":
            self._font = number
        elif word == b"fcharset" and number in _CHARSETS and len(self._fonts) < 10_000:
            self._fonts[self._font] = _CHARSETS[number]

    def _unicode(self, code: int) -> None:
        """Take a character, of which those beyond 65,535 come as two."""
        if 0xD800 <= code < 0xDC00:
            self._high = code
        elif 0xDC00 <= code < 0xE000:
            if self._high:
                self._write(chr(0x10000 + ((self._high - 0xD800) << 10) + code - 0xDC00))
            self._high = 0
        else:
            self._write(chr(code))

    def _take(self, raw: bytes) -> None:
        if self._to_skip:
            n = min(self._to_skip, len(raw))
            self._to_skip -= n
            raw = raw[n:]
        if raw and not self._state.is_left_out:
            self._bytes += raw

    def _flush(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._state.font, self._encoding)
            raw, self._bytes = bytes(self._bytes), bytearray()
            self._write(raw.decode(encoding, "replace"))

    def _write(self, text: str) -> None:
        self._flush()
        state = self._state
        if state.is_left_out or state.is_deleted:
            return
        words, self._opening = self._opening + strip_marks(text), ""
        is_shaded = state.is_shaded or (state.is_table and self._is_row_shaded)
        is_unseen = state.is_hidden or state.size <= _TINY or (state.colour in self._white and not is_shaded)
        self._put(mark_hidden(words) if is_unseen else words)

    def _put(self, text: str) -> None:
        if self._state.is_left_out:
            return
        if self._note is not None:
            self._note.append(text)
        elif self._state.is_table:
            self._cell.append(text)
        else:
            self._out.add(text)


def _white_colours(data: bytes) -> frozenset[int]:
    """Return which colours of the file's table are white."""
    table = _COLOURS.search(data)
    found, parts, number = set(), [0, 0, 0], 0
    for match in _COLOUR.finditer(table[1] if table is not None else b""):
        if match[4]:
            if parts == [255, 255, 255]:
                found.add(number)
            parts, number = [0, 0, 0], number + 1
        else:
            at = next(n for n in range(3) if match[n + 1])
            parts[at] = int(match[at + 1])
    return frozenset(found)


def _heading_levels(data: bytes) -> dict[int, int]:
    """Return the levels, from 0, of the styles that are headings."""
    start = data.find(b"{\\stylesheet")
    levels: dict[int, int] = {}
    for style in _STYLE.finditer(data, start, start + _MOST_STYLES) if start >= 0 else ():
        if level := _LEVEL.search(style[2]):
            levels[int(style[1])] = int(level[1]) if level[1] else int(level[2]) - 1
    return levels


def _encoding(name: str) -> str | None:
    try:
        found = codecs.lookup(name)
    except LookupError:
        return None
    return found.name if getattr(found, "_is_text_encoding", False) else None
