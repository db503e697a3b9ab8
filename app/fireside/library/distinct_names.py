"""Make names of models distinct that have the same name and quantization. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from pathlib import PurePath

import msgspec

from fireside.core.model import ModelEntry, ModelSpec
from fireside.gguf import file_stem


def with_distinct_names(entries: Sequence[ModelEntry]) -> list[ModelEntry]:
    """Return ``entries`` with names extended by the file name, or else the origin, where they are ambiguous.

    A name that the user gave stays as it is.
    """
    named = list(entries)
    for more in (_stem, _folders):
        alike = Counter(_reads_as(entry) for entry in named if entry.spec is not None)
        named = [_longer(entry, more) if alike[_reads_as(entry)] > 1 else entry for entry in named]
    return named


def _longer(entry: ModelEntry, more: Callable[[ModelEntry], str]) -> ModelEntry:
    spec = entry.spec
    if spec is None or entry.user_metadata.name or more(entry) in ("", spec.name):
        return entry
    return msgspec.structs.replace(
        entry, spec=msgspec.structs.replace(spec, name=f"{spec.name} · {more(entry)}")
    )


def _reads_as(entry: ModelEntry) -> Hashable:
    spec: ModelSpec | None = entry.spec
    return None if spec is None else (spec.name.casefold(), spec.quantization)


def _stem(entry: ModelEntry) -> str:
    return file_stem(entry.file_name)


def _folders(entry: ModelEntry) -> str:
    """Return the repository of an entry, or its folder."""
    return entry.origin.repo if entry.origin is not None else PurePath(entry.path).parent.name
