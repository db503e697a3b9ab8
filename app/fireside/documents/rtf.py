"""The text of files in Rich Text Format: paragraphs, headings, tables and notes."""

from __future__ import annotations

import re
from copy import copy
from typing import Final

from fireside.core.i18n import tr_noop
from fireside.documents.extracted_text import (
    FileRefused,
    TextBuffer,
    comment_text,
    link_text,
    mark_heading,
    mark_hidden,
    strip_marks,
    tidy_prose,
)
from fireside.documents.messages import ReadReply
from fireside.documents.plain_text import text_encoding
from fireside.documents.symbol_fonts import symbol, with_symbols

MEDIA_TYPE: Final = "application/rtf"
BEGINNING: Final = b"{\\rtf"
_TOKEN: Final = re.compile(
    rb"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z])|([{}])|([^\\{}\r\n]+)"
)
_MAX_DEPTH: Final = 1_000
_TINY: Final = 4
"""Half points; text of at most this size cannot be read."""
_SKIPPED_DESTINATIONS: Final = frozenset(
    b"atndate atnid atnparent atnref atntime colorschememapping colortbl datastore falt filetbl fonttbl "
    b"footnotesep generator info latentstyles listoverridetable listtable mmathPr nonesttables nonshppict "
    b"objdata pict revtbl rsidtbl sn stylesheet sv themedata ud xmlnstbl".split()
)
"""Groups whose text is no part of the document's."""
_CAPTURED: Final = frozenset(
    b"annotation atnauthor fldinst fldrslt footer footerf footerl footerr footnote header headerf headerl "
    b"headerr listtext pntext".split()
)
"""Groups whose text is put together at their end: notes, comments, marks of lists, links, headers."""
_PAGES: Final = {b"f": b"titlepg", b"l": b"facingp", b"r": b"facingp"}
"""By the ends of the names of headers for some pages, what says that there are such pages."""
_HYPERLINK: Final = re.compile(r'HYPERLINK\s+"([^"]{1,2000})"')
_MAX_INDENT: Final = 8
_FONT: Final = re.compile(rb"{\\f(\d{1,5})\\([^{};]{0,300}(?:{[^{}]{0,300}}[^{};]{0,300}){0,4})")
_SYMBOL_FONT: Final = re.compile(rb"Symbol|Wingdings(?: [23])?|Webdings")
_MAX_FONT_TABLE_BYTES: Final = 1_000_000
_PARAGRAPH_ENDS: Final = frozenset((b"par", b"sect", b"page", b"\n", b"\r"))
_CHARACTERS: Final = {
    b"line": "\n", b"tab": "\t", b"emdash": "—", b"endash": "–", b"bullet": "•", b"lquote": "‘",
    b"rquote": "’", b"ldblquote": "“", b"rdblquote": "”", b"~": "\xa0", b"_": "-", b"\\": "\\", b"{": "{",
    b"}": "}", b"\t": "\t",
}  # fmt: skip
_BODY_TEXT_LEVEL: Final = 9
"""The outline level of text that is no heading."""
_BACKGROUNDS: Final = frozenset((b"cb", b"chcbpat", b"cbpat", b"highlight"))
_CHARSETS: Final = {
    77: "mac-roman", 128: "cp932", 129: "cp949", 134: "gbk", 136: "big5", 161: "cp1253", 162: "cp1254",
    163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250",
}  # fmt: skip
_COLOUR: Final = re.compile(rb"\\red(\d{1,3})|\\green(\d{1,3})|\\blue(\d{1,3})|(;)")
_COLOUR_TABLE: Final = re.compile(rb"{\\colortbl([^{}]{0,100000})}")
_STYLE: Final = re.compile(rb"{\\s(\d{1,5})(?!\d)([^{}]{0,2000})}")
_LEVEL: Final = re.compile(rb"\\outlinelevel(\d)|heading (\d);", re.IGNORECASE)
_MAX_STYLESHEET_BYTES: Final = 1_000_000


class _State:
    """The state of a group, which a nested group starts with."""

    def __init__(self) -> None:
        self.is_skipped = False
        self.is_hidden = False
        self.is_deleted = False
        self.is_shaded = False
        self.is_table = False
        self.capture = b""
        """The word of the group if its text is captured."""
        self.list_level = 0
        self.colour = 0
        self.size = 24
        self.font = -1
        self.n_skipped = 1
        """Characters after a Unicode character that replace it in programs without Unicode."""


def read_rtf(data: bytes) -> ReadReply:
    """Return the text of a document. Raises ``FileRefused`` for groups that are nested too deep."""
    reader = _Reader(data)
    reader.run()
    return ReadReply(media_type=MEDIA_TYPE, text=tidy_prose(reader.text))


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._white_colours = _white_colours(data)
        self._heading_levels = _heading_levels(data)
        self._out = TextBuffer()
        self._states = [_State()]
        self._bytes = bytearray()
        """Pending bytes in a code page, in which a character may take several."""
        self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = -1
        """The current entry of the font table."""
        self._in_font_table = False
        self._n_to_skip = 0
        self._is_group_start = False
        self._prefix = ""
        self._high_surrogate = 0
        self._is_row_shaded = False
        self._row: list[str] = []
        self._cell: list[str] = []
        self._symbol_fonts = _symbol_fonts(data)
        self._captured: list[list[str]] = []
        """The pieces of each enclosing group whose text is captured."""
        self._margins: list[tuple[bytes, str]] = []
        """The words of headers and footers, with their texts."""
        self._pages: set[bytes] = set()
        self._list_mark = ""
        """Of a list's item that has no text so far."""
        self._link = ""
        self._author = ""

    @property
    def text(self) -> str:
        """The text between headers and footers, each of which comes once."""
        texts: dict[str, list[str]] = {"Header": [], "Footer": []}
        for word, text in self._margins:
            margin = f"[{word[:6].decode().capitalize()}: {text}]"
            is_shown = word[6:] not in _PAGES or _PAGES[word[6:]] in self._pages
            if is_shown and any(map(str.isalpha, text)):
                texts[word[:6].decode().capitalize()].append(margin)
        headers, footers = (list(dict.fromkeys(each)) for each in texts.values())
        return "\n\n".join([*headers, self._out.text, *footers])

    def run(self) -> None:
        position = 0
        while (token := _TOKEN.search(self._data, position)) is not None and not self._out.is_full:
            position = token.end()
            word, number, code, symbol, brace, plain = token.groups()
            is_group_start, self._is_group_start = self._is_group_start, False
            if plain is not None:
                self._append_bytes(plain)
            elif word is not None:
                if word == b"bin" and number:
                    position += max(0, int(number))
                self._control(word, int(number) if number else None)
            elif code is not None:
                self._append_bytes(bytes.fromhex(code.decode()))
            elif brace is not None:
                self._flush()
                self._group(brace)
            elif symbol == b"*" and is_group_start:
                self._state.is_skipped = True
            elif symbol is not None:
                self._special(symbol)
        self._flush()
        # The last groups and the last row of a truncated file.
        for pieces in self._captured:
            self._out.add("".join(pieces))
        self._out.add(" | ".join([*self._row, " ".join("".join(self._cell).split())]))

    @property
    def _state(self) -> _State:
        return self._states[-1]

    def _group(self, brace: bytes) -> None:
        self._n_to_skip = 0
        if brace == b"}":
            ended = self._states.pop() if len(self._states) > 1 else self._state
            if ended.capture:
                self._end_capture(ended.capture, "".join(self._captured.pop()))
            self._in_font_table &= self._state.is_skipped
            return
        if len(self._states) > _MAX_DEPTH:
            raise FileRefused(tr_noop("its parts are nested too deep."))
        self._states.append(copy(self._state))
        self._state.capture = b""
        self._is_group_start = True

    def _control(self, word: bytes, number: int | None) -> None:
        state = self._state
        if word in _SKIPPED_DESTINATIONS:
            state.is_skipped = True
            self._in_font_table |= word == b"fonttbl"
        elif self._in_font_table:
            self._font_table(word, number or 0)
        elif (word == b"shpinst" or word in _CAPTURED) and len(self._states) > 1:
            # Marked as optional (\\*), but the text of frames and notes belongs to the document.
            state.is_skipped = self._states[-2].is_skipped
            if word in _CAPTURED and not state.capture and (word != b"fldrslt" or self._link):
                state.capture = word
                self._captured.append([])
        elif word in _PAGES.values():
            self._pages.add(word)
        elif word == b"u" and number is not None:
            self._unicode(number & 0xFFFF)
            self._n_to_skip = state.n_skipped
        elif word == b"uc":
            state.n_skipped = max(0, min(number or 0, 10))
        elif word == b"ansicpg" and number:
            self._encoding = text_encoding(f"cp{number}") or self._encoding
        elif word == b"mac":
            self._encoding = "mac-roman"
        else:
            self._special(word)
            self._character_format(word, number)
            self._paragraph_format(word, number)

    def _special(self, word: bytes) -> None:
        """Handle a word or symbol for a character, or for the end of a paragraph, a cell or a row."""
        if word in _CHARACTERS:
            self._write(_CHARACTERS[word])
        elif word in _PARAGRAPH_ENDS:
            self._flush()
            self._list_mark = ""
            self._put("\n\n")
        elif word in (b"cell", b"nestcell", b"row") and self._captured:
            self._flush()
            self._put("\n" if word == b"row" else " | ")
        elif word in (b"cell", b"nestcell"):
            self._flush()
            self._row.append(" ".join("".join(self._cell).split()))
            self._cell = []
        elif word == b"row":
            self._out.add(" | ".join(self._row) + "\n")
            self._row = []

    def _paragraph_format(self, word: bytes, number: int | None) -> None:
        """Apply the formatting of paragraphs and rows."""
        match word:
            case b"pard":
                self._state.is_shaded, self._state.is_table, self._prefix = False, False, ""
                self._state.list_level = 0
            case b"ilvl":
                self._state.list_level = min(max(0, number or 0), _MAX_INDENT)
            case b"intbl":
                self._state.is_table = True
            case b"trowd":
                self._is_row_shaded = False
            case b"clcbpat":
                self._is_row_shaded = True
            case b"s":
                self._start_heading(self._heading_levels.get(number or 0))
            case b"outlinelevel":
                self._start_heading(number or 0)
            case _:
                pass

    def _start_heading(self, level: int | None) -> None:
        """Start a heading of a level from 0; ``None`` and the level of body text are no heading."""
        if level is not None and 0 <= level < _BODY_TEXT_LEVEL and not self._state.is_skipped:
            self._prefix = mark_heading(level + 1)

    def _character_format(self, word: bytes, number: int | None) -> None:
        """Apply the formatting of characters."""
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
            case _ if word in _BACKGROUNDS:
                state.is_shaded = bool(number)
            case _:
                pass

    def _font_table(self, word: bytes, number: int) -> None:
        if word == b"f":
            self._font = number
        elif word == b"fcharset" and number in _CHARSETS and len(self._fonts) < 10_000:
            self._fonts[self._font] = _CHARSETS[number]

    def _unicode(self, code: int) -> None:
        """Write a UTF-16 code unit; those above U+FFFF come as a surrogate pair."""
        if 0xD800 <= code < 0xDC00:
            self._high_surrogate = code
        elif 0xDC00 <= code < 0xE000:
            if self._high_surrogate:
                self._write(chr(0x10000 + ((self._high_surrogate - 0xD800) << 10) + code - 0xDC00))
            self._high_surrogate = 0
        else:
            self._write(with_symbols(chr(code), self._symbol_fonts.get(self._state.font, "Symbol")))

    def _append_bytes(self, raw: bytes) -> None:
        if self._n_to_skip:
            n = min(self._n_to_skip, len(raw))
            self._n_to_skip -= n
            raw = raw[n:]
        if raw and not self._state.is_skipped:
            self._bytes += raw

    def _flush(self) -> None:
        if self._bytes:
            encoding = self._fonts.get(self._state.font, self._encoding)
            raw, self._bytes = bytes(self._bytes), bytearray()
            symbols = self._symbol_fonts.get(self._state.font)
            self._write(
                "".join(symbol(code, symbols) for code in raw) if symbols else raw.decode(encoding, "replace")
            )

    def _write(self, text: str) -> None:
        self._flush()
        state = self._state
        if state.is_skipped or state.is_deleted:
            return
        if self._list_mark and not self._captured and text.strip():
            # The level may be told behind the mark.
            self._prefix += "  " * state.list_level + self._list_mark
            self._list_mark, text = "", text.lstrip()
        text, self._prefix = self._prefix + strip_marks(text), ""
        is_shaded = state.is_shaded or (state.is_table and self._is_row_shaded)
        is_white_on_white = state.colour in self._white_colours and not is_shaded
        is_invisible = state.is_hidden or state.size <= _TINY or is_white_on_white
        self._put(mark_hidden(text) if is_invisible else text)

    def _end_capture(self, word: bytes, text: str) -> None:
        """Handle the text of a captured group."""
        line = " ".join(text.split())
        match word:
            case b"footnote":
                self._put(f" ({line})" if line else "")
            case b"annotation":
                self._put(f" {comment_text(line, self._author)}".rstrip())
            case b"atnauthor":
                self._author = line
            case b"listtext" | b"pntext":
                mark = line if any(map(str.isalnum, line)) and line != "o" else "-"
                self._list_mark = f"{mark} "
            case b"fldinst":
                link = _HYPERLINK.search(text)
                self._link = link[1] if link else ""
            case b"fldrslt":
                link_, self._link = self._link, ""
                self._put(text + link_text(text, link_))
            case _:
                self._margins.append((word, " / ".join(filter(None, map(str.strip, text.split("\n"))))))

    def _put(self, text: str) -> None:
        if self._state.is_skipped:
            return
        if self._captured:
            self._captured[-1].append(text)
        elif self._state.is_table:
            self._cell.append(text)
        else:
            self._out.add(text)


def _white_colours(data: bytes) -> frozenset[int]:
    """Return the indices of white in the colour table."""
    table = _COLOUR_TABLE.search(data)
    white, rgb, index = set(), [0, 0, 0], 0
    for match in _COLOUR.finditer(table[1] if table is not None else b""):
        if match[4]:
            if rgb == [255, 255, 255]:
                white.add(index)
            rgb, index = [0, 0, 0], index + 1
        else:
            channel = next(n for n in range(3) if match[n + 1])
            rgb[channel] = int(match[channel + 1])
    return frozenset(white)


def _symbol_fonts(data: bytes) -> dict[int, str]:
    """Return the fonts that show signs instead of letters, by their numbers."""
    start = data.find(b"{\\fonttbl")
    fonts: dict[int, str] = {}
    for font in _FONT.finditer(data, start, start + _MAX_FONT_TABLE_BYTES) if start >= 0 else ():
        if name := _SYMBOL_FONT.search(font[2]):
            fonts[int(font[1])] = name[0].decode()
    return fonts


def _heading_levels(data: bytes) -> dict[int, int]:
    """Return the levels, from 0, of the styles that are headings, by their numbers."""
    start = data.find(b"{\\stylesheet")
    levels: dict[int, int] = {}
    for style in _STYLE.finditer(data, start, start + _MAX_STYLESHEET_BYTES) if start >= 0 else ():
        if level := _LEVEL.search(style[2]):
            levels[int(style[1])] = int(level[1]) if level[1] else int(level[2]) - 1
    return levels
