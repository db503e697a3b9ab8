"""The quants of a model as a table in the terminal, each with how it would run here."""

from __future__ import annotations

from typing import Final

from fireside.cli.columns import columns
from fireside.cli.screen import printable
from fireside.core.errors import format_bytes
from fireside.engine.planning.fit_verdict import fit_words
from fireside.hub.repository_files import Choice
from fireside.services.hub.quant_recommendation import Advice, AdvisedQuant

_TAKEN: Final = "→ "
_OTHER: Final = "  "
_NUMBERS: Final = (1,)


def quant_table(advice: Advice) -> str:
    """Return the table, an arrow before the quant that is taken."""
    return columns([_row(quant, taken=advice.choice) for quant in advice.quants], numbers=_NUMBERS)


def _row(quant: AdvisedQuant, *, taken: Choice) -> tuple[str, ...]:
    mark = _TAKEN if quant.choice == taken else _OTHER
    size = format_bytes(quant.choice.size_bytes)
    return f"{mark}{printable(quant.choice.label)}", size, quant.words, fit_words(quant.fit)
