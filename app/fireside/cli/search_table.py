"""What a search found, as a table in the terminal."""

from __future__ import annotations

from typing import Final

from fireside.cli.columns import columns
from fireside.cli.screen import printable
from fireside.core.discovery import Access, FoundModel, FoundModels
from fireside.core.options import Purpose

_HEAD: Final = ("MODEL", "PARAMETERS", "LICENCE", "DOWNLOADS", "UPDATED", "NOTES")
_NUMBERS: Final = (1, 3)
_UNKNOWN: Final = "–"
_PURPOSES: Final = {Purpose.EMBED: "for vectors", Purpose.RERANK: "for ranking"}


def found_table(found: FoundModels) -> str:
    """Return one line for each model."""
    return columns([_HEAD, *map(_row, found.models)], numbers=_NUMBERS)


def _row(model: FoundModel) -> tuple[str, ...]:
    notes = [
        *(["sees pictures"] if model.sees_images else []),
        *([_PURPOSES[model.purpose]] if model.purpose in _PURPOSES else []),
        *(["terms to accept first"] if model.access is Access.GATED else []),
        *(["private"] if model.access is Access.PRIVATE else []),
    ]
    return (
        printable(model.repo),
        _in_short(model.n_params),
        printable(model.licence) or _UNKNOWN,
        f"{model.n_downloads:,}",
        model.updated_at.partition("T")[0] or _UNKNOWN,
        ", ".join(notes),
    )


def _in_short(n: int) -> str:
    """Return a number of parameters as people say it: ``8.2B``, ``137M``."""
    for unit, scale in (("T", 10**12), ("B", 10**9), ("M", 10**6), ("K", 10**3)):
        if n >= scale:
            return f"{n / scale:.3g}{unit}"
    return str(n) if n else _UNKNOWN
