"""The sections of a Word document: which headers and footers are on its pages."""

from __future__ import annotations

from fireside.documents.archive import XmlReader
from fireside.documents.docx_styles import OFF


class DocxSettings(XmlReader):
    """Reads ``settings.xml``."""

    def __init__(self) -> None:
        self.has_even_pages = False
        """Whether even pages have headers of their own."""

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        if tag == "evenAndOddHeaders":
            self.has_even_pages = attributes.get("val", "") not in OFF


class Sections:
    """Collects the parts with the headers and footers that some page shows, each once, in order."""

    def __init__(self, *, has_even_pages: bool) -> None:
        self.headers: list[str] = []
        self.footers: list[str] = []
        self._has_even_pages = has_even_pages
        self._parts: dict[tuple[str, str], str] = {}
        """By header or footer and the pages that it is for; a section takes over what it does not set."""
        self._has_first_page = False

    def refer(self, tag: str, attributes: dict[str, str], part: str) -> None:
        """Handle a reference of the current section to a part."""
        self._parts[tag, attributes.get("type", "default")] = part

    def start_title_page(self, attributes: dict[str, str]) -> None:
        """Note that the first page of the current section has headers of its own."""
        self._has_first_page = attributes.get("val", "") not in OFF

    def end(self) -> None:
        """End the current section."""
        for (tag, pages), part in self._parts.items():
            is_shown = {"first": self._has_first_page, "even": self._has_even_pages}.get(pages, True)
            parts = self.headers if tag == "headerReference" else self.footers
            if is_shown and part not in parts:
                parts.append(part)
        self._has_first_page = False
