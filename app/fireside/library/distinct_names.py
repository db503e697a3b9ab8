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
    for detail in (_stem, _repository_or_folder):
        counts = Counter(_display_key(entry) for entry in named if entry.spec is not None)
        named = [_extended(entry, detail) if counts[_display_key(entry)] > 1 else entry for entry in named]
    return named


def _extended(entry: ModelEntry, detail: Callable[[ModelEntry], str]) -> ModelEntry:
    spec = entry.spec
    if spec is None or entry.user_metadata.name or detail(entry) in ("", spec.name):
        return entry
    return msgspec.structs.replace(
        entry, spec=msgspec.structs.replace(spec, name=f"{spec.name} · {detail(entry)}")
    )


def _display_key(entry: ModelEntry) -> Hashable:
    spec: ModelSpec | None = entry.spec
    return None if spec is None else (spec.name.casefold(), spec.quantization)


def _stem(entry: ModelEntry) -> str:
    return file_stem(entry.file_name)


def _repository_or_folder(entry: ModelEntry) -> str:
    """Return the repository of an entry, or its folder."""
    return entry.origin.repo if entry.origin is not None else PurePath(entry.path).parent.name
