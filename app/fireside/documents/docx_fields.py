"""The fields of a Word document: of each the result is shown, never the code."""

from __future__ import annotations

import re
from typing import Final

import msgspec

from fireside.documents.docx_numbering import number
from fireside.documents.docx_styles import OFF
from fireside.documents.extracted_text import link_text

_HYPERLINK: Final = re.compile(r'\s*HYPERLINK\s+"([^"]{1,2000})"')
_MAX_CODE: Final = 4_000


class _Field(msgspec.Struct):
    pieces: list[str]
    """Of the paragraph that it begins in."""
    start: int
    """Where it begins among them."""
    code: str = ""
    is_code: bool = True
    """What follows is its code, not its result."""
    is_checked: bool | None = None
    """Of a check box."""
    choices: list[str] = []
    choice: int = 0


class Fields:
    """The fields that are open: one may be within the code or the result of another."""

    def __init__(self) -> None:
        self._open: list[_Field] = []

    @property
    def is_within_code(self) -> bool:
        """Whether what comes next is the result of a field within the code of another."""
        return any(field.is_code for field in self._open[:-1])

    def begin(self, pieces: list[str]) -> None:
        """Begin a field within a paragraph that has these pieces so far."""
        self._open.append(_Field(pieces=pieces, start=len(pieces)))

    def property(self, tag: str, attributes: dict[str, str]) -> None:
        """Handle an element that tells something of the innermost field, if it does."""
        if not self._open:
            return
        field, value = self._open[-1], attributes.get("val", "")
        match tag:
            case "fldChar" if attributes.get("fldCharType") == "separate":
                field.is_code = False
            case "checkBox":
                field.is_checked = False
            case "default" | "checked" if field.is_checked is not None:
                field.is_checked = value not in OFF
            case "listEntry":
                field.choices.append(value)
            case "result":
                field.choice = number(value, 0)
            case _:
                pass

    def add_code(self, text: str) -> None:
        """Add to the code of the innermost field."""
        if self._open and len(self._open[-1].code) < _MAX_CODE:
            self._open[-1].code += text

    def end(self, pieces: list[str]) -> str:
        """End the innermost field. Return what stands behind its result: a box, the target of a link."""
        if not self._open:
            return ""
        field = self._open.pop()
        if field.is_checked is not None:
            return "☒" if field.is_checked else "☐"
        if field.choices and field.is_code:
            return field.choices[min(field.choice, len(field.choices) - 1)]
        link = _HYPERLINK.match(field.code)
        return link_text("".join(pieces[field.start :]), link[1]) if link and field.pieces is pieces else ""

    def end_codes(self, pieces: list[str]) -> None:
        """Take what follows a paragraph as results: a code that never ends must not swallow the text."""
        for field in self._open:
            if field.pieces is pieces:
                field.is_code = False
