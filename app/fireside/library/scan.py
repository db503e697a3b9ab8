"""Scan all sources, and build the library's entries from the result."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from pathlib import PurePath
from typing import Final, NamedTuple

import msgspec

from fireside.core.i18n import render_sentence, tr_noop
from fireside.core.ids import ModelId
from fireside.core.library import ModelLocation, UserMetadata
from fireside.core.model import LibraryFailure, ModelEntry, ModelSpec, Senses, display_name
from fireside.gguf import file_stem
from fireside.library.file_fingerprints import FileFingerprints
from fireside.library.header_check import UnusableFile
from fireside.library.model_candidates import ModelCandidate, candidate_at
from fireside.library.model_ids import ContentIds, assign_ids, ids_of_moved, preferred_id
from fireside.library.model_sources import ModelSource, SourceKind, scan_source
from fireside.library.projectors import pair_projectors
from fireside.library.walk import MODEL_SUFFIX, FileIdentity, NotAFile, readable_path

Facts = ModelSpec | UnusableFile

GROWING_S: Final = 15.0
"""An unreadable file that was modified within this time is assumed to be still copied."""
_NO_FACTS: Final[Mapping[str, Facts]] = {}
GROWING: Final = tr_noop("Still being copied.")


class FoundCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A candidate, and the source where it was found first."""

    source: ModelSource
    candidate: ModelCandidate


class SourceListing(msgspec.Struct, frozen=True, kw_only=True):
    """The files of all sources at one moment, before any header is read."""

    found: dict[str, FoundCandidate]
    failures: tuple[tuple[ModelSource, LibraryFailure], ...]
    duplicates: dict[str, tuple[FoundCandidate, ...]]
    """The same files reached by other paths, by the path that is listed."""
    neighbours: dict[str, ModelCandidate] = {}
    """Files beside added files, see ``SourceContents.neighbours``."""

    @property
    def paths(self) -> frozenset[str]:
        """Paths of all files that were found."""
        items = [*self.found.values(), *(item for items in self.duplicates.values() for item in items)]
        return frozenset(file.path for item in items for file in item.candidate.files)

    @property
    def signature(self) -> tuple[object, ...]:
        """Equal as long as no file was added, removed or changed."""
        return (
            tuple(item.candidate.fingerprint for item in self.found.values()),
            tuple(failure for _, failure in self.failures),
            tuple(candidate.fingerprint for candidate in self.neighbours.values()),
        )


def scan_sources(sources: Sequence[ModelSource]) -> SourceListing:
    """Scan every source. A file belongs to the first source that has it. Never raises; blocks on the disk."""
    found: dict[str, FoundCandidate] = {}
    failures: list[tuple[ModelSource, LibraryFailure]] = []
    seen: dict[FileIdentity, str] = {}
    duplicates: dict[str, tuple[FoundCandidate, ...]] = {}
    neighbours: dict[str, ModelCandidate] = {}
    for source in sources:
        contents = scan_source(source)
        for candidate in contents.candidates:
            item = FoundCandidate(source=source, candidate=candidate)
            listed_path = seen.setdefault(candidate.files[0].identity, candidate.path)
            if listed_path == candidate.path:
                found.setdefault(candidate.path, item)
            else:
                duplicates[listed_path] = (*duplicates.get(listed_path, ()), item)
        failures.extend((source, failure) for failure in contents.failures)
        neighbours.update({candidate.path: candidate for candidate in contents.neighbours})
    # A neighbour may be listed itself.
    neighbours = {path: candidate for path, candidate in neighbours.items() if path not in found}
    return SourceListing(found=found, failures=tuple(failures), duplicates=duplicates, neighbours=neighbours)


class FoundProjector(NamedTuple):
    """A projector's file, and what it lets a model take."""

    path: str
    senses: Senses


def paired_by_applications(
    listing: SourceListing, *, inspect: Callable[[ModelCandidate], Facts]
) -> dict[str, FoundProjector]:
    """Return the projectors that applications pair with models, by the models' paths."""
    paired: dict[str, FoundProjector] = {}
    for path, item in listing.found.items():
        projector = item.candidate.projector
        if projector is None:
            continue
        try:
            facts = inspect(candidate_at(projector))
        except (OSError, ValueError, NotAFile):
            continue
        if isinstance(facts, UnusableFile) and facts.senses is not None:
            paired[path] = FoundProjector(projector, facts.senses)
    return paired


class Scanned(msgspec.Struct, frozen=True, kw_only=True):
    """The entries of the library, and what they were built from."""

    entries: tuple[ModelEntry, ...]
    specs: dict[str, ModelSpec]
    hidden: frozenset[str]
    """Paths of copies, which are not listed."""
    projectors: tuple[str, ...]
    growing_until_s: float | None
    """When a file that is still being copied would count as damaged; ``None`` if there is none."""


class Scan:
    """Builds entries from one listing. Used once, by one thread."""

    def __init__(
        self,
        listing: SourceListing,
        *,
        fingerprints: FileFingerprints,
        metadata_of: Callable[[ModelId], UserMetadata],
        previous_ids: Mapping[str, ModelId],
        content_ids: ContentIds,
        missing: Sequence[ModelSpec] = (),
        now_s: float,
    ) -> None:
        """``previous_ids`` has the ids of the last scan by path; ``missing`` are models of earlier scans that
        are no longer where they were."""
        self._listing = listing
        self._found = listing.found
        self._fingerprints = fingerprints
        self._metadata_of = metadata_of
        self._previous_ids = previous_ids
        self._content_ids = content_ids
        self._missing = missing
        self._quick_fingerprints: dict[str, tuple[str, ...]] = {}
        self._now_s = now_s
        self._growing_until_s: float | None = None

    def provisional(self, path: str, facts: Facts) -> ModelEntry:
        """Return an entry for immediate display; its id, projector and copies may still change."""
        item = self._found[path]
        if isinstance(facts, ModelSpec):
            model_id = self._previous_ids.get(path) or ModelId(self._preferred_id(item, facts))
            facts = msgspec.structs.replace(facts, id=model_id)
        return self._entry(item, facts)

    def finish(
        self,
        facts: Mapping[str, Facts],
        *,
        projectors: Mapping[str, FoundProjector],
        unlisted: Mapping[str, Facts] = _NO_FACTS,
    ) -> Scanned:
        """Return all entries. ``facts`` has those of every candidate, by path.

        Args:
            projectors: those that an application pairs with a model, by the model's path.
            unlisted: facts of unlisted neighbours, by path.
        """
        specs = self._with_ids(facts)
        beside = _projectors(facts)
        all_projectors = beside | _projectors(unlisted)
        neighbour_specs = [fact for fact in unlisted.values() if isinstance(fact, ModelSpec)]
        models = (*specs.values(), *neighbour_specs)
        pairs = pair_projectors(models, all_projectors)
        heads = pair_projectors(models, (*_heads(facts), *_heads(unlisted)))
        projector_of = dict(projectors) | {
            path: FoundProjector(projector, all_projectors[projector])
            for path, projector in pairs.by_model.items()
        }
        copies = find_copies(
            (self._found[path].candidate for path in specs),
            hashes=self._fingerprints.hashes,
            quick=self._fingerprints.quick,
        )
        listed = [
            (self._quick_fingerprints[path], specs[path].id) for path in specs if path not in copies.hidden
        ]
        self._content_ids.update(listed, replaced=[specs[path].id for path in copies.hidden])
        hidden_paths = (
            pairs.paired | heads.paired | copies.hidden | {each.path for each in projectors.values()}
        )
        entries = [
            self._final_entry(path, specs.get(path, facts[path]), copies, projector_of, heads.by_model)
            for path in self._found
            if path not in hidden_paths
        ]
        entries = with_distinct_names(entries)
        entries += [_problem_entry(failure, source=source) for source, failure in self._listing.failures]
        entries.sort(key=sort_key)
        return Scanned(
            entries=tuple(entries),
            specs=specs,
            hidden=copies.hidden,
            projectors=(*beside, *_heads(facts)),
            growing_until_s=self._growing_until_s,
        )

    def _final_entry(
        self,
        path: str,
        facts: Facts,
        copies: Copies,
        projector_of: Mapping[str, FoundProjector],
        heads_of: Mapping[str, str],
    ) -> ModelEntry:
        if isinstance(facts, ModelSpec):
            paths = (path, *copies.same.get(path, ()))
            projector = next((projector_of[each] for each in paths if each in projector_of), None)
            facts = msgspec.structs.replace(
                facts,
                projector_path=None if projector is None else projector.path,
                projector_sees=projector is None or projector.senses.sees,
                projector_hears=projector is not None and projector.senses.hears,
                heads_path=next((heads_of[each] for each in paths if each in heads_of), None),
            )
        entry = self._entry(self._found[path], facts)
        locations = self._locations(path, copies.same.get(path, ()))
        probable = tuple(self._location(self._found[other]) for other in copies.probable.get(path, ()))
        return msgspec.structs.replace(entry, places=locations, probable_copies=probable)

    def _entry(self, item: FoundCandidate, facts: Facts) -> ModelEntry:
        candidate = item.candidate
        name = PurePath(candidate.path).name
        is_growing = isinstance(facts, UnusableFile) and self._is_growing(candidate, facts)
        entry = ModelEntry(
            path=candidate.path,
            file_name=name if name.lower().endswith(MODEL_SUFFIX) else candidate.label or name,
            size_bytes=candidate.size_bytes,
            source=item.source.label,
            added_s=candidate.mtime_ns / 1e9,
            other_names=candidate.other_labels,
            removable=item.source.removable,
            is_growing=is_growing,
        )
        if isinstance(facts, UnusableFile):
            return msgspec.structs.replace(
                entry,
                problem=render_sentence(GROWING if is_growing else facts.reason),
                origin=self._fingerprints.origin(candidate.files[0]),
                last_id=self._previous_ids.get(candidate.path),
            )
        hashes = self._fingerprints.hashes(candidate)
        entry = msgspec.structs.replace(
            entry,
            spec=msgspec.structs.replace(facts, name=candidate.label or facts.name),
            origin=self._fingerprints.origin(candidate.files[0]),
            sha256=hashes[0] if len(hashes) == 1 else "",
        )
        return with_user_metadata(entry, self._metadata_of(facts.id))

    def _is_growing(self, candidate: ModelCandidate, facts: UnusableFile) -> bool:
        since_s = self._now_s - candidate.mtime_ns / 1e9
        if not facts.may_be_growing or not -1 <= since_s < GROWING_S:
            return False
        until_s = self._now_s - since_s + GROWING_S
        self._growing_until_s = min(until_s, self._growing_until_s or until_s)
        return True

    def _locations(self, path: str, copies: Sequence[str]) -> tuple[ModelLocation, ...]:
        locations: dict[str, ModelLocation] = {}
        for listed_path in (path, *copies):
            if listed_path != path:
                locations[listed_path] = self._location(self._found[listed_path])
            for item in self._listing.duplicates.get(listed_path, ()):
                location = ModelLocation(path=item.candidate.path, source=item.source.label, size_bytes=0)
                locations.setdefault(location.path, location)
        return tuple(locations.values())

    def _location(self, item: FoundCandidate) -> ModelLocation:
        candidate = item.candidate
        return ModelLocation(path=candidate.path, source=item.source.label, size_bytes=candidate.size_bytes)

    def _with_ids(self, facts: Mapping[str, Facts]) -> dict[str, ModelSpec]:
        specs = {path: spec for path, spec in facts.items() if isinstance(spec, ModelSpec)}
        preferred = [(path, self._preferred_id(self._found[path], spec)) for path, spec in specs.items()]
        fingerprints = {path: self._fingerprints.quick(self._found[path].candidate) for path in specs}
        ids = assign_ids(
            preferred, previous=self._previous_ids, by_content=self._known_ids(specs, fingerprints)
        )
        self._quick_fingerprints = fingerprints
        return {path: msgspec.structs.replace(spec, id=ids[path]) for path, spec in specs.items()}

    def _known_ids(
        self, specs: Mapping[str, ModelSpec], fingerprints: Mapping[str, tuple[str, ...]]
    ) -> dict[str, tuple[ModelId, ...]]:
        """Return the former ids of contents, by the paths where they are now."""
        known: dict[str, tuple[ModelId, ...]] = {}
        for path, spec in specs.items():
            known[path] = self._content_ids.ids_of(fingerprints[path]) if fingerprints[path] else ()
            if not known[path] and path not in self._previous_ids:
                known[path] = ids_of_moved(spec, self._missing)
        return known

    def _preferred_id(self, item: FoundCandidate, spec: ModelSpec) -> str:
        return item.candidate.preferred_id or preferred_id(
            item.candidate.path,
            hub_layout=item.source.hub_layout,
            quantization=spec.quantization,
            is_from_hub=self._fingerprints.origin(item.candidate.files[0]) is not None,
        )


def with_user_metadata(entry: ModelEntry, metadata: UserMetadata) -> ModelEntry:
    """Return a model's entry with the user's metadata, under the name that the user gave it."""
    if entry.spec is None:
        return entry
    own_name = entry.own_name or entry.spec.name
    return msgspec.structs.replace(
        entry,
        spec=msgspec.structs.replace(entry.spec, name=metadata.name or own_name),
        own_name=own_name if metadata.name else "",
        user_metadata=metadata,
    )


def _projectors(facts: Mapping[str, Facts]) -> dict[str, Senses]:
    """Return what each projector lets a model take, by its path."""
    return {
        path: fact.senses
        for path, fact in facts.items()
        if isinstance(fact, UnusableFile) and fact.senses is not None
    }


def _heads(facts: Mapping[str, Facts]) -> list[str]:
    return [path for path, fact in facts.items() if isinstance(fact, UnusableFile) and fact.is_heads]


def _problem_entry(failure: LibraryFailure, *, source: ModelSource) -> ModelEntry:
    """Return the entry of a folder or file that could not be read. Only added ones can be removed."""
    added = source.kind in (SourceKind.ADDED_FOLDER, SourceKind.ADDED_FILE)
    return ModelEntry(
        path=failure.path,
        file_name=PurePath(failure.path).name or failure.path,
        size_bytes=0,
        source=source.label,
        removable=added and failure.path == readable_path(source.path),
        problem=failure.reason,
        is_disconnected=failure.is_missing,
    )


def sort_key(entry: ModelEntry) -> tuple[str, int, str]:
    """Sort by name; models of the same name by size."""
    return (display_name(entry).casefold(), entry.size_bytes, entry.path)


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


# Find candidates with equal content, so that each model is listed once


Sizes = tuple[int, ...]
Fingerprints = Callable[[ModelCandidate], tuple[str, ...]]


class Copies(msgspec.Struct, frozen=True, kw_only=True):
    """Groups of equal candidates, by the path of the one that is listed."""

    same: dict[str, tuple[str, ...]]
    """Paths of the copies of each, by their hashes."""
    probable: dict[str, tuple[str, ...]]
    """Paths that are probably equal, for each that has some."""

    @property
    def hidden(self) -> frozenset[str]:
        """Paths of the copies, which are not listed."""
        return frozenset(path for paths in self.same.values() for path in paths)


def find_copies(candidates: Iterable[ModelCandidate], *, hashes: Fingerprints, quick: Fingerprints) -> Copies:
    """Group candidates of equal size. The first of each group is listed.

    ``hashes`` and ``quick`` return an empty tuple where they are unknown; ``quick``, which may read the disk,
    is only called where hashes do not decide.
    """
    by_size: dict[Sizes, list[ModelCandidate]] = {}
    for candidate in candidates:
        by_size.setdefault(tuple(file.size_bytes for file in candidate.files), []).append(candidate)
    same: dict[str, tuple[str, ...]] = {}
    probable: dict[str, tuple[str, ...]] = {}
    for group in by_size.values():
        if len(group) > 1:
            known = {candidate.path: hashes(candidate) for candidate in group}
            distinct = _merge(group, known, same)
            if len(distinct) > 1:
                _find_probable(distinct, known, quick, probable)
    return Copies(same=same, probable=probable)


def _merge(
    group: Sequence[ModelCandidate], known: Mapping[str, tuple[str, ...]], same: dict[str, tuple[str, ...]]
) -> list[ModelCandidate]:
    """Record groups of equal hashes, and return the first of each."""
    first: dict[tuple[str, ...], str] = {}
    distinct: list[ModelCandidate] = []
    for candidate in group:
        hashes = known[candidate.path]
        if hashes and hashes in first:
            listed = first[hashes]
            same[listed] = (*same.get(listed, ()), candidate.path)
            continue
        if hashes:
            first[hashes] = candidate.path
        distinct.append(candidate)
    return distinct


def _find_probable(
    distinct: Sequence[ModelCandidate],
    known: Mapping[str, tuple[str, ...]],
    quick: Fingerprints,
    probable: dict[str, tuple[str, ...]],
) -> None:
    if all(known[candidate.path] for candidate in distinct):
        return  # All hashes are known and differ.
    by_fingerprint: dict[tuple[str, ...], list[str]] = {}
    for candidate in distinct:
        if fingerprints := quick(candidate):
            by_fingerprint.setdefault(fingerprints, []).append(candidate.path)
    for paths in by_fingerprint.values():
        for path in paths:
            others = tuple(other for other in paths if other != path and not (known[path] and known[other]))
            if others:
                probable[path] = others
