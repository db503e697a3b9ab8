"""Tables of models: of the library, search results of the hub, quantizations of a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TextIO

from fireside.cli.columns import columns
from fireside.cli.screen import one_line
from fireside.core.discovery import Access, HubSearchHit, HubSearchPage
from fireside.core.errors import format_bytes
from fireside.core.model import ModelEntry
from fireside.core.options import Purpose
from fireside.core.remote import RemoteLocation
from fireside.hub.repository_files import Choice
from fireside.services.hub.quant_recommendation import Advice, AdvisedQuant, fit_text

_SELECTED: Final = "→ "
_OTHER: Final = "  "
_QUANT_NUMBERS: Final = (1,)


def quant_table(advice: Advice) -> str:
    """Return a table of quantizations, with an arrow before the selected one."""
    return columns(
        [_quant_row(quant, selected=advice.choice) for quant in advice.quants], numbers=_QUANT_NUMBERS
    )


def _quant_row(quant: AdvisedQuant, *, selected: Choice) -> tuple[str, ...]:
    mark = _SELECTED if quant.choice == selected else _OTHER
    size = format_bytes(quant.choice.size_bytes)
    return f"{mark}{one_line(quant.choice.title)}", size, quant.description, fit_text(quant)


_SEARCH_HEAD: Final = ("MODEL", "PARAMETERS", "LICENCE", "DOWNLOADS", "UPDATED", "NOTES")
_SEARCH_NUMBERS: Final = (1, 3)
_UNKNOWN: Final = "–"
_PURPOSES: Final = {Purpose.EMBED: "embeddings", Purpose.RERANK: "reranking"}


def search_table(page: HubSearchPage) -> str:
    """Return a table of search results."""
    return columns([_SEARCH_HEAD, *map(_search_row, page.models)], numbers=_SEARCH_NUMBERS)


def _search_row(model: HubSearchHit) -> tuple[str, ...]:
    notes = [
        *(["vision"] if model.sees_images else []),
        *([_PURPOSES[model.purpose]] if model.purpose in _PURPOSES else []),
        *(["gated"] if model.access is Access.GATED else []),
        *(["private"] if model.access is Access.PRIVATE else []),
    ]
    return (
        one_line(model.repo),
        _abbreviated(model.n_params),
        one_line(model.licence) or _UNKNOWN,
        f"{model.n_downloads:,}",
        model.updated_at.partition("T")[0] or _UNKNOWN,
        ", ".join(notes),
    )


def _abbreviated(n: int) -> str:
    """Return a number of parameters in the usual form: ``8.2B``, ``137M``."""
    for unit, scale in (("T", 10**12), ("B", 10**9), ("M", 10**6), ("K", 10**3)):
        if n >= scale:
            return f"{n / scale:.3g}{unit}"
    return str(n) if n else _UNKNOWN


_HEAD: Final = ("NAME", "SIZE", "QUANT", "CONTEXT", "WHERE")
_NUMBERS: Final = (1, 3)
"""Columns that are aligned to the right."""


def print_models(entries: Sequence[ModelEntry], *, output: TextIO) -> None:
    """Print a table of models; for an unusable file, with the reason."""
    output.write(columns([_HEAD, *map(_row, entries)], numbers=_NUMBERS))


def remote_name(location: RemoteLocation) -> str:
    """Return the name of a model of another engine, as it is typed: its own, and the host that gets all."""
    return f"{location.model.name}@{location.host.replace(' ', '')}"


def _row(entry: ModelEntry) -> tuple[str, str, str, str, str]:
    size = format_bytes(entry.size_bytes)
    if entry.spec is None:
        return one_line(entry.file_name), size, "–", "–", one_line(f"{entry.source}: {entry.problem}")
    if entry.spec.remote is not None:
        n_ctx = entry.spec.remote.model.n_ctx
        context = "–" if n_ctx is None else f"{n_ctx:,}"
        return one_line(remote_name(entry.spec.remote)), "–", "–", context, one_line(entry.source)
    context = f"{entry.spec.n_ctx_train:,}"
    others = dict.fromkeys(copy.source for copy in entry.places if copy.source != entry.source)
    where = ", ".join((entry.source, *others))
    return one_line(entry.spec.id), size, one_line(entry.spec.quantization), context, one_line(where)
