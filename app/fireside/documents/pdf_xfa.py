"""What was filled in on an XFA form, which a PDF file holds as XML in place of pages."""

from __future__ import annotations

from collections.abc import Iterator
from ctypes import byref, c_ulong, create_string_buffer
from typing import Final

import pypdfium2
from pypdfium2 import raw

from fireside.documents.archive import MAX_PART_BYTES, XmlReader, parse_xml
from fireside.documents.extracted_text import FileRefused, strip_marks, tidy

_MAX_PACKETS: Final = 100
_MAX_NAME: Final = 100
_RICH_TEXT: Final = frozenset(("body", "html", "p", "span", "b", "i"))
"""Elements of a value that is formatted; it has the name of the field around them."""


def filled_values(document: pypdfium2.PdfDocument) -> list[str]:
    """Return ``[name: value]`` for each field of the form with a value, in order."""
    reader = _Values()
    for packet in _packets(document, "datasets"):
        try:
            parse_xml(packet, reader)
        except FileRefused:  # what comes before the damage is right
            continue
    return reader.found


def _packets(document: pypdfium2.PdfDocument, name: str) -> Iterator[bytes]:
    for index in range(min(raw.FPDF_GetXFAPacketCount(document), _MAX_PACKETS)):
        n_bytes = raw.FPDF_GetXFAPacketName(document, index, None, 0)
        written = create_string_buffer(n_bytes)
        raw.FPDF_GetXFAPacketName(document, index, written, n_bytes)
        if written.value.decode("utf-8", "replace") != name:
            continue
        size = c_ulong()
        raw.FPDF_GetXFAPacketContent(document, index, None, 0, byref(size))
        if 0 < size.value <= MAX_PART_BYTES:
            content = create_string_buffer(size.value)
            raw.FPDF_GetXFAPacketContent(document, index, content, size.value, byref(size))
            yield content.raw


class _Values(XmlReader):
    """The texts of the innermost elements below ``data``."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._open: list[str] = []
        self._text = ""

    def start(self, tag: str, attributes: dict[str, str]) -> None:  # noqa: ARG002
        if self._open or tag == "data":
            self._open.append(tag)
            self._text = ""

    def end(self, tag: str) -> None:  # noqa: ARG002
        if not self._open:
            return
        if value := tidy(strip_marks(self._text)).strip():
            field = next((name for name in reversed(self._open) if name not in _RICH_TEXT), "")
            self.found.append(f"[{field[:_MAX_NAME]}: {value}]")
        self._text = ""
        self._open.pop()

    def characters(self, text: str) -> None:
        self._text += text
