"""``fireside list``: the models of this computer, and those of other engines."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TextIO

from fireside.cli.command_app import command_app
from fireside.cli.command_parser import CommandParser
from fireside.cli.screen import columns, one_line
from fireside.core.errors import format_bytes
from fireside.core.model import ModelEntry

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_HEAD: Final = ("NAME", "SIZE", "QUANT", "CONTEXT", "WHERE")
_NUMBERS: Final = (1, 3)
"""Columns that are aligned to the right."""


def define(command: CommandParser) -> None:
    """Add what may be typed after ``list``."""
    command.description = "List the models of the library, of added folders and of other apps."
    command.does(list_models)


def list_models(context: StartupContext) -> int:
    """Print the models of this computer, and those of other engines."""
    with command_app(context, with_engines=True) as program:
        print_models((*program.app.models.entries, *program.app.engines.entries), output=sys.stdout)
    return 0


def print_models(entries: Sequence[ModelEntry], *, output: TextIO) -> None:
    """Print a table of models; for an unusable file, with the reason."""
    output.write(columns([_HEAD, *map(_row, entries)], numbers=_NUMBERS))


def _row(entry: ModelEntry) -> tuple[str, str, str, str, str]:
    size = format_bytes(entry.size_bytes)
    if entry.spec is None:
        return one_line(entry.file_name), size, "–", "–", one_line(f"{entry.source}: {entry.problem}")
    if entry.spec.remote is not None:
        from fireside.cli.model_names import remote_name

        n_ctx = entry.spec.remote.model.n_ctx
        context = "–" if n_ctx is None else f"{n_ctx:,}"
        return one_line(remote_name(entry.spec.remote)), "–", "–", context, one_line(entry.source)
    context = f"{entry.spec.n_ctx_train:,}"
    others = dict.fromkeys(copy.source for copy in entry.places if copy.source != entry.source)
    where = ", ".join((entry.source, *others))
    return one_line(entry.spec.id), size, one_line(entry.spec.quantization), context, one_line(where)
