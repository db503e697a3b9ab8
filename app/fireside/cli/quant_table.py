"""The quants of a model as a table in the terminal, each with how it would run here."""

from __future__ import annotations

from typing import Final

from fireside.chat.advice import Advice, AdvisedQuant
from fireside.cli.screen import printable
from fireside.core.errors import format_bytes
from fireside.engine.fit import fit_words

_TAKEN: Final = "→ "
_OTHER: Final = "  "


def quant_table(advice: Advice) -> str:
    """Return the table, an arrow before the quant that is taken."""
    rows = [_row(quant) for quant in advice.quants]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    lines = []
    for quant, row in zip(advice.quants, rows, strict=True):
        mark = _TAKEN if quant.choice == advice.choice else _OTHER
        label, size, words, runs = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        lines.append(f"{mark}{label}  {size.strip():>{widths[1]}}  {words}  {runs}".rstrip() + "\n")
    return "".join(lines)


def _row(quant: AdvisedQuant) -> tuple[str, str, str, str]:
    size = format_bytes(quant.choice.size_bytes)
    return printable(quant.choice.label), size, quant.words, fit_words(quant.fit)
