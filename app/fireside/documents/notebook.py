"""The text of a Jupyter notebook: its cells in order, with the text output of code."""

from __future__ import annotations

import contextlib
import re
from typing import Final

import msgspec

from fireside.documents.extracted_text import TextBuffer, fenced, strip_marks, tidy
from fireside.documents.markdown import mark_markdown
from fireside.documents.messages import ReadReply

MEDIA_TYPE: Final = "application/x-ipynb+json"
_MAX_OUTPUT_CHARS: Final = 4_000
_TERMINAL_COLOURS: Final = re.compile(r"\x1b\[[0-9;]*m")
_Lines = str | list[str]


class _Output(msgspec.Struct):
    text: _Lines = ""
    data: dict[str, msgspec.Raw] = {}


class _Cell(msgspec.Struct):
    cell_type: str
    source: _Lines
    outputs: list[_Output] = []


class _Language(msgspec.Struct):
    name: str = ""


class _Metadata(msgspec.Struct):
    language_info: _Language = msgspec.field(default_factory=_Language)


class _Notebook(msgspec.Struct):
    nbformat: int
    cells: list[_Cell]
    metadata: _Metadata = msgspec.field(default_factory=_Metadata)


def read_notebook(data: bytes) -> ReadReply | None:
    """Return the text of a notebook, or ``None`` for another file."""
    if data.lstrip()[:1] != b"{" or b'"nbformat"' not in data:
        return None
    try:
        notebook = msgspec.json.decode(data, type=_Notebook)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None
    out = TextBuffer()
    for cell in notebook.cells:
        source = tidy(strip_marks(_joined(cell.source))).strip("\n")
        if cell.cell_type == "code":
            if source.strip():
                out.add(f"{fenced(source, notebook.metadata.language_info.name)}\n\n")
            for output in cell.outputs:
                if printed := strip_marks(_printed(output)).strip("\n"):
                    out.add(f"{fenced(printed[:_MAX_OUTPUT_CHARS])}\n\n")
        elif source.strip():
            out.add(f"{mark_markdown(source) if cell.cell_type == 'markdown' else source}\n\n")
    return ReadReply(media_type=MEDIA_TYPE, text=tidy(out.text).rstrip("\n"))


def _joined(lines: _Lines) -> str:
    return lines if isinstance(lines, str) else "".join(lines)


def _printed(output: _Output) -> str:
    text = _joined(output.text)
    if not text and "text/plain" in output.data:
        with contextlib.suppress(msgspec.ValidationError):
            text = _joined(msgspec.json.decode(output.data["text/plain"], type=_Lines))
    return _TERMINAL_COLOURS.sub("", text)
