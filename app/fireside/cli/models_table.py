"""The library as a table in the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TextIO

from fireside.cli.columns import columns
from fireside.cli.screen import printable
from fireside.core.errors import format_bytes
from fireside.core.model import ModelEntry

_HEAD: Final = ("NAME", "SIZE", "QUANT", "CONTEXT", "WHERE")
_NUMBERS: Final = (1, 3)
"""Columns that end below each other."""


def print_models(entries: Sequence[ModelEntry], *, output: TextIO) -> None:
    """Print one line for each model; for a file that cannot be used, why."""
    output.write(columns([_HEAD, *map(_row, entries)], numbers=_NUMBERS))


def _row(entry: ModelEntry) -> tuple[str, str, str, str, str]:
    size = format_bytes(entry.size_bytes)
    if entry.spec is None:
        return printable(entry.file_name), size, "–", "–", printable(f"{entry.source}: {entry.problem}")
    context = f"{entry.spec.n_ctx_train:,}"
    others = dict.fromkeys(place.source for place in entry.places if place.source != entry.source)
    where = ", ".join((entry.source, *others))
    return printable(entry.spec.id), size, printable(entry.spec.quantization), context, printable(where)
