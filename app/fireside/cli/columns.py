"""Rows of text in aligned columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from fireside.cli.screen import one_line, width_of


def columns(rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> str:
    """Return ``rows`` as lines; the columns in ``numbers`` are aligned to the right, the others to the left.

    A cell may hold anything, and is one line here. Widths are those of a terminal.
    """
    rows = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(width_of, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = []
        for number, (cell, width) in enumerate(zip(row, widths, strict=True)):
            space = " " * (width - width_of(cell))
            cells.append(space + cell if number in numbers else cell + space)
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)
