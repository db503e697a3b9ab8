"""Write tables as CSV and as Markdown."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence


def csv_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table as CSV. Cells that a spreadsheet would interpret as formulas are quoted."""
    output = io.StringIO()
    writer = csv.writer(output, lineterminator="\r\n")
    writer.writerow(head)
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


def _without_formula(cell: str) -> str:
    return f"'{cell}" if cell[:1] in ("=", "+", "-", "@", "\t") else cell


def _line(cells: Sequence[str]) -> str:
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")
