"""The bookmarks of a PDF file, and where their titles are in its text."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Final, NamedTuple

import pypdfium2

from fireside.core.text_folding import letter_positions
from fireside.documents.extracted_text import strip_marks, tidy
from fireside.documents.messages import Heading

_MAX_BOOKMARKS: Final = 20_000
_MAX_LEVEL: Final = 6
_MAX_TITLE: Final = 200
_MAX_NUMBER: Final = 12
"""Characters before the title on its line, such as the number of a chapter."""


class Bookmark(NamedTuple):
    """A title, and its level from 1."""

    level: int
    title: str


def bookmarks_by_page(document: pypdfium2.PdfDocument) -> Mapping[int, Sequence[Bookmark]]:
    """Return the bookmarks of each page, from 0, in the order of the outline.

    One that leads nowhere belongs to the page of the next one, as a title of several chapters does.
    """
    logging.getLogger("pypdfium2").setLevel(logging.CRITICAL)  # it logs circular outlines
    by_page: dict[int, list[Bookmark]] = defaultdict(list)
    waiting: list[Bookmark] = []
    try:
        for entry in islice(document.get_toc(max_depth=_MAX_LEVEL), _MAX_BOOKMARKS):
            title = " ".join(tidy(strip_marks(entry.get_title())).split())[:_MAX_TITLE]
            if not title:
                continue
            waiting.append(Bookmark(entry.level + 1, title))
            target = entry.get_dest()
            page = target.get_index() if target else None
            if page is not None:
                by_page[page] += waiting
                waiting = []
    except (pypdfium2.PdfiumError, ValueError):
        pass  # what comes before a damaged entry is right
    return by_page


def headings_of(text: str, bookmarks: Sequence[Bookmark], *, start: int) -> Iterator[Heading]:
    """Yield the headings of a page: the lines of its text with the titles of its bookmarks, in order.

    A title that the page does not show, as of one that is an image, has no length. ``start`` is where the
    page's text starts in that of the file.
    """
    letters: str | None = None
    positions: Sequence[int] = ()
    done = 0
    for level, title in bookmarks:
        found = _find(text, text, range(len(text)), title, done)
        if found is None or not found[2]:
            if letters is None:
                letters, positions = letter_positions(text)
            found = _find(text, letters, positions, letter_positions(title)[0], done) or found
        first, done, _ = found or (done, done, False)
        yield Heading(start=start + first, end=start + done, level=level, title=title)


def _find(
    text: str, searched: str, positions: Sequence[int], title: str, done: int
) -> tuple[int, int, bool] | None:
    """Return where a title stands after ``text[done]``, and whether it is on a line of its own, which is
    preferred to one that only begins with it.

    ``positions`` are those in the text of each character of ``searched``.
    """
    begins: tuple[int, int, bool] | None = None
    found = searched.find(title) if title else -1
    while found >= 0:
        start, last = positions[found], positions[found + len(title) - 1]
        line = text.rfind("\n", 0, start) + 1
        found = searched.find(title, found + 1)
        if line < done or start - line > _MAX_NUMBER or sum(map(str.isalpha, text[line:start])) > 1:
            continue
        end = text.find("\n", last) + 1 or len(text)
        if not text[last + 1 : end].strip(" .:\n"):
            return line, end, True
        begins = begins or (line, last + 1, False)
    return begins
