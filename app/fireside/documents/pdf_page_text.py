"""The text of a PDF page by pdfium, with its spaces and lines corrected by where the characters are."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence, Set
from typing import Final, NamedTuple

import pypdfium2
from pypdfium2 import raw

HYPHEN: Final = "\ufffe"
"""Stands for a hyphen and the end of its line, until it is known whether the word has one there."""

_REPLACED: Final = re.compile("[\t\ufdd0-\ufdef]")
"""The tab, as some programs' fonts name the space; characters that serve as marks here."""
_CUT_WORD: Final = re.compile(rf"(?<!\S)[^\s{HYPHEN}]*(?:{HYPHEN}[^\s{HYPHEN}]*)+[ \n]?")
"""What is hyphenated at the end of a line, with what is beside it and the white space behind it."""
_FIRST_LETTERS: Final = re.compile(r"[^\W\d_]*")
_LAST_LETTERS: Final = re.compile(r"[^\W\d_]*\Z")
_WORD: Final = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_TOKEN: Final = re.compile(rf"[^\s{HYPHEN}]+")
_LONG_WORD: Final = re.compile(r"[^\W\d_]{3}")
_SPELLED: Final = re.compile(r"(?<!\S)(?:[^\W\d_] ){3,}[^\W\d_](?!\S)")
_DOUBLED: Final = re.compile(r"(?=([^\W_])\1)(?:(?:([^\W\d_])\2){2,}|(?:([^\W_])\3){3,})")
"""The rest implies the condition at its beginning, which fails three times as fast."""
_NOTE_MARKS: Final = (
    re.compile(r"(?<!\S)(?:\d{1,3}|[a-z]{1,2}(?=[A-Z]))(?=[^\W\d_]{2})"),
    re.compile(r"(?=[.,;:!?)\]”’\"'\d])(?<=[^\W\d_]{3})[.,;:!?)\]”’\"']*\d{1,3}(?![\w.,-])"),
)
"""A number or letters before a word; a number behind one, as of a footnote, with such a condition too."""

# In heights of the characters.
_MIN_OVERLAP: Final = 0.4
"""Of two characters on one line."""
_MAX_JOINED: Final = 0.12
"""Between two characters of one word that pdfium put on two lines."""
_MAX_SPACE: Final = 1.0
"""Between two words of one line."""
_MAX_LETTER_SPACE: Final = 0.35
"""Between the letters of a word that is set wide."""
_MIN_GAP: Final = 0.7
"""Between two characters without a space, where there is one."""
_SAMPLE: Final = 40
"""Words that show how wide a page is set."""
_RAISED: Final = 0.15
"""How much higher the mark of a footnote is."""


class Box(NamedTuple):
    """Where a character is, along its line and across it, in points. Both grow as one reads or climbs."""

    start: float
    end: float
    low: float
    high: float

    @property
    def height(self) -> float:
        """Never 0."""
        return max(self.high - self.low, 0.1)

    def is_on_line_of(self, other: Box) -> bool:
        """Return whether two characters are on the same line, raised or lowered ones too."""
        overlap = min(self.high, other.high) - max(self.low, other.low)
        return overlap > _MIN_OVERLAP * min(self.height, other.height)


class PageText(NamedTuple):
    """A page's text, and for each of its characters the index in pdfium's text page; -1 for an added one."""

    text: str
    indices: Sequence[int]
    bounds: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    """Of all words, left, bottom, right, top; empty where they were not looked at."""
    min_height: float = 0.0
    """Of a word."""


def text_of(text_page: pypdfium2.PdfTextPage) -> PageText:
    """Return the text of a page as pdfium has it: lines end in ``\\n``, a word that continues on the next
    line has ``HYPHEN``."""
    text = text_page.get_text_range(errors="replace")
    n_chars = text_page.count_chars()
    indices: Sequence[int] = range(n_chars)
    if len(text) != n_chars:
        text, indices = _char_by_char(text_page, n_chars)
    text = _REPLACED.sub(" ", text.replace("\x02", HYPHEN))  # as pdfium gives single characters
    if "\r" not in text:
        return PageText(text, indices)
    pieces = text.split("\r")
    kept: list[int] = []
    start = 0
    for piece in pieces:
        kept += indices[start : start + len(piece)]
        start += len(piece) + 1
    return PageText("".join(pieces), kept)


def corrected_text_of(text_page: pypdfium2.PdfTextPage) -> PageText:
    """Return the text of a page with the spaces and lines that readers see.

    Corrected are words that pdfium cuts (set wide, raised, upright, one object for each letter) or joins,
    letters that are printed twice to look bold, and the marks of footnotes, which get a space.
    """
    page = text_of(text_page)
    corrections = _Corrections(text_page, page)
    edits = corrections.edits()
    page = page._replace(bounds=corrections.bounds, min_height=corrections.min_height)
    if not edits:
        return page
    pieces: list[str] = []
    indices: list[int] = []
    done = 0
    for start, end, replacement in sorted(edits):
        if start < done:
            continue
        pieces += (page.text[done:start], replacement)
        indices += page.indices[done:start]
        indices += [-1] * len(replacement)
        done = end
    pieces.append(page.text[done:])
    indices += page.indices[done:]
    return page._replace(text="".join(pieces), indices=indices)


def join_words(pages: Sequence[str]) -> list[str]:
    """Return the texts of pages with the words joined that continue on the next line.

    It has no hyphen of its own if it is found without one elsewhere; or if neither the word with a hyphen
    nor both its parts are found, and all of it is in lower case.
    """
    if not any(HYPHEN in page for page in pages):
        return list(pages)
    whole = (_CUT_WORD.sub(" ", page) if HYPHEN in page else page for page in pages)
    words = {word.casefold() for page in whole for word in _WORD.findall(page)}

    def joined(match: re.Match[str]) -> str:
        made, *parts = match[0].rstrip(" \n").split(HYPHEN)
        for part in parts:
            made += ("" if _is_one_word(made, part, words) else "-") + part
        return f"{made}\n"

    return [_CUT_WORD.sub(joined, page) if HYPHEN in page else page for page in pages]


def _is_one_word(before: str, after: str, words: Set[str]) -> bool:
    """Return whether a word that a hyphen cuts has none of its own; ``words`` are all others."""
    first, last = _LAST_LETTERS.search(before), _FIRST_LETTERS.match(after)
    if not first or not last or not first[0] or not last[0]:
        return False
    parts = (first[0].casefold(), last[0].casefold())
    if "".join(parts) in words:
        return True
    if "-".join(parts) in words or words >= set(parts):
        return False
    is_lower = first[0][-1].islower() and last[0][0].islower()
    return is_lower and not before[: first.start()].strip("([{\"'“‘„«")


def _char_by_char(text_page: pypdfium2.PdfTextPage, n_chars: int) -> tuple[str, list[int]]:
    """Return what has a valid code point; pdfium leaves other characters out of its whole text."""
    chars: list[str] = []
    indices: list[int] = []
    high = 0
    for index in range(n_chars):
        code = raw.FPDFText_GetUnicode(text_page, index)
        if 0xD800 <= code < 0xDC00:
            high = code
            continue
        if 0xDC00 <= code < 0xE000 and high:
            code = 0x10000 + ((high - 0xD800) << 10) + (code - 0xDC00)
        high = 0
        if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000:
            chars.append(chr(code))
            indices.append(index)
    return "".join(chars), indices


class _Corrections:
    def __init__(self, text_page: pypdfium2.PdfTextPage, page: PageText) -> None:
        self._text_page = text_page.raw
        self._text, self._indices = page.text, page.indices
        self.bounds = (0.0, 0.0, 0.0, 0.0)
        self.min_height = 0.0
        self._edits: list[tuple[int, int, str]] = []
        self._letter_spaces: dict[int, float] = {}

    def edits(self) -> list[tuple[int, int, str]]:
        """Return what replaces which part of the text."""
        self._check_tokens(is_set_wide=self._is_set_wide())
        for spelled in _SPELLED.finditer(self._text):
            self._check_spelled(*spelled.span())
        for doubled in _DOUBLED.finditer(self._text):
            self._check_doubled(*doubled.span())
        for note_mark in _NOTE_MARKS:
            for mark in note_mark.finditer(self._text):
                self._check_note(*mark.span())
        return self._edits

    def _check_tokens(self, *, is_set_wide: bool) -> None:
        """Check each word and what is before it, as fast as Python can: nearly all are as they should be."""
        text, indices, text_page = self._text, self._indices, self._text_page
        get_box, rect = raw.FPDFText_GetLooseCharBox, raw.FS_RECTF()
        right_before = bottom_before = top_before = 0.0
        end_before = 0
        leftmost = lowest = min_height = math.inf
        rightmost = highest = -math.inf
        for token in _TOKEN.finditer(text):
            start, end = token.span()
            get_box(text_page, indices[start], rect)
            left, right, bottom, top = rect.left, rect.right, rect.bottom, rect.top
            if end_before and (end_before + 1 == start or text[end_before] == "\n"):
                gap, height = left - right_before, top - bottom
                low = bottom if bottom > bottom_before else bottom_before
                high = top if top < top_before else top_before
                is_on_line = high - low > _MIN_OVERLAP * height
                if text[end_before] == "\n":
                    # Lines that begin beside the end of the one before; upright text.
                    is_odd = -height < gap < _MAX_SPACE * height if is_on_line else -2 * height < gap < 0
                else:
                    is_odd = not is_on_line or (is_set_wide and gap < _MAX_LETTER_SPACE * height)
                if is_odd:
                    self._check_gap(end_before, start, is_set_wide=is_set_wide)
            if end - start > 1:
                get_box(text_page, indices[end - 1], rect)
                right, height = rect.right, top - bottom
                if (
                    right - left > _MAX_SPACE * height * (end - start)
                    or not -height < 2 * (rect.bottom - bottom) < height
                ):
                    self._check_word(start, end)
                bottom, top = rect.bottom, rect.top
            right_before, bottom_before, top_before, end_before = right, bottom, top, end
            if left < leftmost:
                leftmost = left
            if right > rightmost:
                rightmost = right
            if bottom < lowest:
                lowest = bottom
            if top > highest:
                highest = top
            if top - bottom < min_height:
                min_height = top - bottom
        self.bounds, self.min_height = (leftmost, lowest, rightmost, highest), min_height

    def _is_set_wide(self) -> bool:
        """Return whether words of the page have space between their letters."""
        n_words = n_wide = 0
        for at in range(0, len(self._text), max(1, len(self._text) // _SAMPLE)):
            if word := _LONG_WORD.search(self._text, at):
                left, right = self._box(word.start()), self._box(word.start() + 1)
                n_words += 1
                n_wide += _MAX_JOINED * left.height < right.start - left.end < _MAX_LETTER_SPACE * left.height
        return 4 * n_wide > n_words

    def _check_gap(self, at: int, end: int, *, is_set_wide: bool) -> None:
        """Correct the white space between two words, ``text[at:end]``."""
        is_space = self._text[at] == " "
        if self._text.find("\n", at + 1, end) >= 0 or not raw.FPDFText_IsGenerated(
            self._text_page, self._indices[at]
        ):
            return
        quarter = self._quarter(at - 1)
        is_turned = quarter is None or quarter != self._quarter(end)
        before, after = self._box(at - 1, quarter or 0), self._box(end, quarter or 0)
        gap, height = after.start - before.end, min(before.height, after.height)
        if is_turned or not before.is_on_line_of(after):
            if is_space and not (is_turned and before.is_on_line_of(after)):
                self._edits.append((at, at + 1, "\n"))
        elif not is_space:
            if -height < gap < _MAX_SPACE * height:
                has_space = end - at > 1 or gap <= _MAX_JOINED * height
                self._edits.append((at, at + 1, "" if has_space else " "))
        elif is_set_wide and -height < gap < self._letter_space(at, quarter or 0) + _MAX_JOINED * height:
            self._edits.append((at, at + 1, ""))

    def _letter_space(self, at: int, quarter: int) -> float:
        """Return how much space the letters of the line at an index have between them, at most."""
        start = self._text.rfind("\n", 0, at) + 1
        if start not in self._letter_spaces:
            end = self._text.find("\n", at)
            line = range(start, (end if end >= 0 else len(self._text)) - 1)
            spaces = sorted(
                self._box(index + 1, quarter).start - self._box(index, quarter).end
                for index in line
                if not (self._text[index].isspace() or self._text[index + 1].isspace())
            )
            self._letter_spaces[start] = spaces[len(spaces) * 9 // 10] if spaces else -math.inf
        return self._letter_spaces[start]

    def _check_spelled(self, start: int, end: int) -> None:
        """Join single letters with spaces of the same width; a wider one is between two words."""
        gaps = [
            self._box(index + 1).start - self._box(index - 1).end for index in range(start + 1, end - 1, 2)
        ]
        usual = sorted(gaps)[len(gaps) // 2]
        if 0 < usual < _MAX_SPACE * self._box(start).height and min(gaps) > usual * 0.6:
            self._edits += [
                (start + 1 + 2 * n, start + 2 + 2 * n, "") for n, gap in enumerate(gaps) if gap < usual * 1.5
            ]

    def _check_word(self, start: int, end: int) -> None:
        """Cut what is no word: characters far apart, or on several lines."""
        quarter = self._quarter(start)
        if quarter is None:
            return
        before = self._box(start, quarter)
        for index in range(start + 1, end):
            if self._indices[index] < 0 or self._quarter(index) != quarter:
                return
            box = self._box(index, quarter)
            if not before.is_on_line_of(box):
                if (
                    0 <= before.low - box.low < 2 * box.height
                    and before.end > box.start > before.start - box.height
                ):
                    before = box
                    continue  # written downwards
                self._edits.append((index, index, "\n"))
            elif box.start > before.start and box.start - before.end > _MIN_GAP * box.height:
                self._edits.append((index, index, " "))
            before = box

    def _check_doubled(self, start: int, end: int) -> None:
        """Remove each second letter if all are printed nearly on the ones before."""
        for first in range(start, end, 2):
            left, right = self._box(first), self._box(first + 1)
            if not left.is_on_line_of(right) or right.start - left.start > (left.end - left.start) / 2:
                return
        self._edits += [(second, second + 1, "") for second in range(start + 1, end, 2)]

    def _check_note(self, start: int, end: int) -> None:
        """Separate a raised mark from the word that it belongs to."""
        is_before = self._text[end : end + 1].isalpha()
        while not (is_before or self._text[start].isdigit()):
            start += 1
        digit = self._box(start)
        letter = self._box(end if is_before else start - 1)
        lift = _RAISED * letter.height
        if digit.low - letter.low > lift and digit.high > letter.high - lift and digit.height < letter.height:
            at = end if is_before else start
            self._edits.append((at, at, " "))

    def _quarter(self, index: int) -> int | None:
        """Return the direction of a character in quarters of a turn, clockwise; ``None`` for others."""
        angle = raw.FPDFText_GetCharAngle(self._text_page, self._indices[index]) / (math.pi / 2)
        return round(angle) % 4 if angle >= 0 and abs(angle - round(angle)) < 0.05 else None

    def _box(self, index: int, quarter: int = 0) -> Box:
        return char_box(self._text_page, self._indices[index], quarter)


def char_box(text_page: object, index: int, quarter: int = 0) -> Box:
    """Return where pdfium's character is, with its font's full height."""
    rect = raw.FS_RECTF()
    raw.FPDFText_GetLooseCharBox(text_page, index, rect)
    match quarter:
        case 1:
            return Box(-rect.top, -rect.bottom, rect.left, rect.right)
        case 2:
            return Box(-rect.right, -rect.left, -rect.top, -rect.bottom)
        case 3:
            return Box(rect.bottom, rect.top, -rect.right, -rect.left)
        case _:
            return Box(rect.left, rect.right, rect.bottom, rect.top)
