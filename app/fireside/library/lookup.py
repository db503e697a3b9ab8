"""Find the model that the user means by a name, and the files of a model."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from fireside.core.model import ModelEntry
from fireside.gguf import file_stem, parse_split_name


def find_entry(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    """Return the usable model of this id, or the only one of this file name, with or without its ending, or
    name, ignoring case."""
    usable = [(entry, entry.spec) for entry in entries if entry.spec is not None]
    for entry, spec in usable:
        if spec.id == name:
            return entry
    folded, normalized = name.casefold(), _normalize(name)
    by_id = [entry for entry, spec in usable if spec.id.casefold() == folded]
    by_name = [
        entry
        for entry, spec in usable
        # A name of nothing but dashes is none: it would be that of every model without a name.
        if (normalized and normalized in map(_normalize, (spec.name, entry.own_name, *entry.other_names)))
        or folded in _file_names(entry)
    ]
    for matches in (by_id, by_name):
        if len(matches) == 1:
            return matches[0]
    return None


def find_unusable(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    """Return the only unusable file that had this id, or has this name, ignoring case."""
    folded = name.casefold()
    unusable = [entry for entry in entries if entry.spec is None]
    for matches in (
        [entry for entry in unusable if entry.last_id is not None and entry.last_id.casefold() == folded],
        [entry for entry in unusable if folded in _file_names(entry)],
    ):
        if len(matches) == 1:
            return matches[0]
    return None


def nearest_id(entries: Sequence[ModelEntry], name: str) -> str:
    """Return the id of the usable model with the most similar name; empty if none is similar."""
    normalized = _normalize(name)
    ids = {_normalize(spec.id): spec.id for entry in entries if (spec := entry.spec) is not None}
    names = {_normalize(spec.name): spec.id for entry in entries if (spec := entry.spec) is not None}
    known = {**ids, **names}
    prefixed = sorted(known_name for known_name in known if normalized and known_name.startswith(normalized))
    import difflib

    matches = prefixed or difflib.get_close_matches(normalized, known, n=1)
    return known[matches[0]] if matches else ""


def _file_names(entry: ModelEntry) -> tuple[str, str]:
    return entry.file_name.casefold(), file_stem(entry.file_name).casefold()


def _normalize(name: str) -> str:
    """Return a name for comparisons: case folded, with spaces for dashes and underscores."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())


def parts_of(path: Path) -> tuple[Path, ...]:
    """Return all files of the model that ``path`` is, or is a part of, by their names."""
    split = parse_split_name(path.name)
    if split is None:
        return (path,)
    return tuple(path.with_name(split.sibling(number)) for number in range(1, split.count + 1))


def files_of(entry: ModelEntry) -> tuple[Path, ...]:
    """Return all parts of a model, and its projector and the file of its draft heads last, if there are."""
    beside = () if entry.spec is None else (entry.spec.projector_path, entry.spec.heads_path)
    return (*parts_of(Path(entry.path)), *map(Path, filter(None, beside)))
