"""The text of an e-book in EPUB: its chapters in reading order."""

from __future__ import annotations

import posixpath
from typing import Final
from urllib.parse import unquote

from fireside.core.i18n import tr_noop
from fireside.documents.archive import Archive, XmlReader
from fireside.documents.extracted_text import FileRefused, TextBuffer
from fireside.documents.html import read_html
from fireside.documents.messages import ReadReply

MEDIA_TYPE: Final = "application/epub+zip"
CONTAINER: Final = "META-INF/container.xml"
_RIGHTS: Final = "META-INF/rights.xml"


def read_epub(archive: Archive) -> ReadReply:
    """Return the text of all chapters. Raises ``FileRefused`` for a locked or damaged book."""
    if _RIGHTS in archive:
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
    return ReadReply(media_type=MEDIA_TYPE, text=out.text.rstrip("\n"))


class _Container(XmlReader):
    """The path of the package document."""

    def __init__(self) -> None:
        self.package = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "rootfile" and not self.package:
            self.package = attributes.get("full-path", "")


class _Package(XmlReader):
    """The files of the book by id, without its table of contents, and the ids in reading order."""

    def __init__(self) -> None:
        self.files: dict[str, str] = {}
        self.order: list[str] = []

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "item" and "nav" not in attributes.get("properties", "").split():
            self.files[attributes.get("id", "")] = attributes.get("href", "")
        elif tag == "itemref":
            self.order.append(attributes.get("idref", ""))
