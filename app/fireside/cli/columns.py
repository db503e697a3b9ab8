"""Rows of text in aligned columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence


def columns(rows: Sequence[Sequence[str]], *, numbers: Collection[int] = ()) -> str:
    """Return ``rows`` as lines; the columns in ``numbers`` are aligned to the right, the others to the
    left."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = []
    for row in rows:
        cells = [
            cell.rjust(width) if number in numbers else cell.ljust(width)
            for number, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        lines.append("  ".join(cells).rstrip() + "\n")
    return "".join(lines)
