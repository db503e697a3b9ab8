"""The text of an e-book in EPUB: its chapters in the order in which they are read."""

from __future__ import annotations

import posixpath
from typing import Final
from urllib.parse import unquote

from fireside.core.i18n import tr_noop
from fireside.documents.archive import Archive
from fireside.documents.extracted_text import Extracted, FileRefused, TextBuffer
from fireside.documents.html import read_html

MEDIA_TYPE: Final = "application/epub+zip"
CONTAINER: Final = "META-INF/container.xml"
_RIGHTS: Final = "META-INF/rights.xml"


def read_epub(archive: Archive) -> Extracted:
    """Return the text of all chapters. Raises ``FileRefused`` for one that is locked or damaged."""
    if _RIGHTS in archive.names:
        raise FileRefused(tr_noop("it is protected against copying."))
    container, package = _Container(), _Package()
    archive.parse(CONTAINER, container)
    archive.parse(container.package, package)
    folder = posixpath.dirname(container.package)
    out = TextBuffer()
    for id_ in package.order:
        name = posixpath.normpath(posixpath.join(folder, unquote(package.files.get(id_, ""))))
        chapter = read_html(archive.read(name)).text
        if chapter.strip():
            out.add(f"{chapter}\n\n")
        if out.is_full:
            break
    return Extracted(media_type=MEDIA_TYPE, text=out.text.rstrip("\n"))


class _Container:
    """Where the list of files is."""

    is_full = False

    def __init__(self) -> None:
        self.package = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "rootfile" and not self.package:
            self.package = attributes.get("full-path", "")

    def end(self, tag: str) -> None:
        """It holds nothing."""

    def characters(self, text: str) -> None:
        """It has no text."""


class _Package:
    """The files of the book, and the order in which they are read."""

    is_full = False

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.order: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "item":
            self.files[attributes.get("id", "")] = attributes.get("href", "")
        elif tag == "itemref":
            self.order.append(attributes.get("idref", ""))

    def end(self, tag: str) -> None:
        """It holds nothing."""

    def characters(self, text: str) -> None:
        """Title and authors are in the chapters."""
