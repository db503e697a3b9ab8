"""The text of a Jupyter notebook: its cells in order, with the text output of code."""

from __future__ import annotations

import contextlib
import re
from typing import Final

import msgspec

from fireside.documents.extracted_text import TextBuffer, fenced, mark_heading, strip_marks, tidy
from fireside.documents.markdown import mark_markdown
from fireside.documents.messages import ReadReply

MEDIA_TYPE: Final = "application/x-ipynb+json"
_MAX_OUTPUT_CHARS: Final = 4_000
_TERMINAL_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_Lines = str | list[str]


class _Output(msgspec.Struct):
    text: _Lines = ""
    data: dict[str, msgspec.Raw] = {}
    ename: str = ""
    evalue: str = ""


class _Cell(msgspec.Struct):
    cell_type: str = ""
    source: _Lines = ""
    input: _Lines = ""
    """The source of code in formats 2 and 3."""
    level: int = 1
    """Of a cell that is a heading, in format 3."""
    outputs: list[_Output] = []


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Language(msgspec.Struct):
    name: str = ""


class _Metadata(msgspec.Struct):
    language_info: _Language = msgspec.field(default_factory=_Language)


class _Notebook(msgspec.Struct):
    nbformat: int
    cells: list[_Cell] | None = None
    worksheets: list[_Worksheet] | None = None
    """The cells in formats 2 and 3."""
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


def read_notebook(data: bytes) -> ReadReply | None:
    """Return the text of a notebook of any format since 2, or ``None`` for another file."""
    if data.lstrip()[:1] != b"{" or b'"nbformat"' not in data:
        return None
    try:
        notebook = msgspec.json.decode(data, type=_Notebook)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    sheets = notebook.worksheets if notebook.cells is None else [_Worksheet(cells=notebook.cells)]
    if sheets is None:
        return None
    out = TextBuffer()
    for cell in (cell for sheet in sheets for cell in sheet.cells):
        source = tidy(strip_marks(_joined(cell.source or cell.input))).strip("\n")
        if cell.cell_type == "code":
            if source.strip():
                out.add(f"{fenced(source, notebook.metadata.language_info.name)}\n\n")
            for output in cell.outputs:
                if printed := strip_marks(_printed(output)).strip("\n"):
                    out.add(f"{fenced(printed[:_MAX_OUTPUT_CHARS])}\n\n")
        elif source.strip():
            out.add(f"{_marked(cell, source)}\n\n")
    return ReadReply(media_type=MEDIA_TYPE, text=tidy(out.text).rstrip("\n"))


def _marked(cell: _Cell, source: str) -> str:
    if cell.cell_type == "heading":
        return mark_heading(cell.level) + " ".join(source.split())
    return mark_markdown(source) if cell.cell_type == "markdown" else source


def _joined(lines: _Lines) -> str:
    """Return lines as one text; format 2 has them without their ends."""
    if isinstance(lines, str):
        return lines
    return ("" if any(line.endswith("\n") for line in lines) else "\n").join(lines)


def _printed(output: _Output) -> str:
    text = _joined(output.text) or ": ".join(filter(None, (output.ename, output.evalue)))
    if not text and "text/plain" in output.data:
        with contextlib.suppress(msgspec.ValidationError):
            text = _joined(msgspec.json.decode(output.data["text/plain"], type=_Lines))
    return _TERMINAL_COLOURS.sub("", text)
