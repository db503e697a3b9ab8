"""Find the model that a person means by a name."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.model import ModelEntry


def find_entry(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    """Return the usable model of this id, or the only one of this file name or name, whatever its case."""
    usable = [(entry, entry.spec) for entry in entries if entry.spec is not None]
    for entry, spec in usable:
        if spec.id == name:
            return entry
    wanted, said = name.casefold(), _spoken(name)
    by_id = [entry for entry, spec in usable if spec.id.casefold() == wanted]
    by_name = [
        entry
        for entry, spec in usable
        if said in (_spoken(spec.name), _spoken(entry.own_name)) or entry.file_name.casefold() == wanted
    ]
    for matches in (by_id, by_name):
        if len(matches) == 1:
            return matches[0]
    return None


def _spoken(name: str) -> str:
    """A name as one would say it: dashes and underscores are spaces."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())
