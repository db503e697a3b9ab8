"""Find the model that the user means by a name."""

from __future__ import annotations

from collections.abc import Sequence

from fireside.core.model import ModelEntry


def find_entry(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    """Return the usable model of this id, or the only one of this file name or name, ignoring case."""
    usable = [(entry, entry.spec) for entry in entries if entry.spec is not None]
    for entry, spec in usable:
        if spec.id == name:
            return entry
    wanted, said = name.casefold(), _spoken(name)
    by_id = [entry for entry, spec in usable if spec.id.casefold() == wanted]
    by_name = [
        entry
        for entry, spec in usable
        if said in map(_spoken, (spec.name, entry.own_name, *entry.other_names))
        or entry.file_name.casefold() == wanted
    ]
    for matches in (by_id, by_name):
        if len(matches) == 1:
            return matches[0]
    return None


def find_unusable(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    """Return the only unusable file that had this id, or has this name, ignoring case."""
    wanted = name.casefold()
    broken = [entry for entry in entries if entry.spec is None]
    for matches in (
        [entry for entry in broken if entry.last_id is not None and entry.last_id.casefold() == wanted],
        [entry for entry in broken if entry.file_name.casefold() == wanted],
    ):
        if len(matches) == 1:
            return matches[0]
    return None


def nearest_id(entries: Sequence[ModelEntry], name: str) -> str:
    """Return the id of the usable model with the most similar name; empty if none is similar."""
    said = _spoken(name)
    ids = {_spoken(spec.id): spec.id for entry in entries if (spec := entry.spec) is not None}
    names = {_spoken(spec.name): spec.id for entry in entries if (spec := entry.spec) is not None}
    known = {**ids, **names}
    begun = sorted(spoken for spoken in known if said and spoken.startswith(said))
    import difflib

    near = begun or difflib.get_close_matches(said, known, n=1)
    return known[near[0]] if near else ""


def _spoken(name: str) -> str:
    """A name as one would say it: dashes and underscores are spaces."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())
