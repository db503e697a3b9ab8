"""Write tables as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence
from typing import Final

_STARTS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
_NUMBER: Final = re.compile(r"[-+]?[0-9]+(?:[.,][0-9]+)?(?:[eE][+-]?[0-9]+)?")


def csv_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as CSV. Cells that a spreadsheet would interpret as formulas are quoted."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(map(_without_formula, head))
    writer.writerows([_without_formula(cell) for cell in row] for row in rows)
    return output.getvalue()


def markdown_table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], *, notes: Sequence[str]
) -> str:
    """Return a table as Markdown, with a heading before it and ``notes`` after it."""
    lines = [f"## {_cell(title)}", ""]
    lines += [_line(head), "|" + " --- |" * len(head)]
    lines += [_line(row) for row in rows]
    if notes:
        lines += ["", *notes]
    return "\n".join(lines) + "\n"


def looks_like_formula(cell: str) -> bool:
    """Return whether a spreadsheet would compute a cell's text instead of showing it."""
    return cell[:1] in _STARTS and not _NUMBER.fullmatch(cell)


def _without_formula(cell: str) -> str:
    return f"'{cell}" if looks_like_formula(cell) else cell


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
