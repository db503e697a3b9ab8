"""The models on this machine: found in place, added, removed, looked up by id."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath

import msgspec

from fireside.core.errors import ModelFileMissing, ModelFileNotRemoved, ModelNotFound
from fireside.core.model import LibraryFailure, ModelEntry, ModelSpec, display_name
from fireside.library.cache import HeaderCache
from fireside.library.candidates import Candidate, candidate_at
from fireside.library.inspect import Unusable
from fireside.library.names import assign_ids, wanted_id
from fireside.library.projectors import pair
from fireside.library.sources import Source, SourceKind, look_into, sources
from fireside.library.walk import FileIdentity, NotAFile, describe_os_error, readable_path, walk


class AddResult(msgspec.Struct, frozen=True, kw_only=True):
    """``added`` is the whole list to be kept in the settings; ``failures`` is what was not added, and why."""

    added: tuple[str, ...]
    failures: tuple[LibraryFailure, ...]


class _Found(msgspec.Struct, frozen=True, kw_only=True):
    source: Source
    candidate: Candidate


class Library:
    """Models in the starter folder, the library folder and whatever was added, all left where they are.

    Every method blocks on the disk and may be called from any thread; one runs at a time.
    """

    def __init__(
        self,
        *,
        library_folder: Path,
        starter_folder: Path,
        added: Sequence[str],
        cache_path: Path,
        trash: Callable[[str], None],
    ) -> None:
        """``trash`` moves a file to the system's trash and raises ``OSError`` if it cannot."""
        self._library_folder = library_folder
        self._starter_folder = starter_folder
        self._added = _cleaned(added)
        self._trash = trash
        self._lock = threading.RLock()
        self._cache = HeaderCache(cache_path)
        self._found: dict[str, _Found] = {}
        self._entries: tuple[ModelEntry, ...] | None = None

    @property
    def added(self) -> tuple[str, ...]:
        """Absolute paths of added folders and files."""
        return self._added

    def replace_added(self, added: Sequence[str]) -> None:
        """Take over the list of added paths, for when it was edited in the settings themselves."""
        with self._lock:
            self._added = _cleaned(added)
            self._entries = None

    def scan(self) -> tuple[ModelEntry, ...]:
        """Return every model and every problem, by name. Files that did not change are not read again.

        A projector that belongs to a model is part of that, and is not listed by itself.

        Never raises: what cannot be read or looked at is an entry with its reason in ``problem``.
        """
        with self._lock:
            found, problems = self._look_everywhere()
            facts = {path: self._cache.inspect(item.candidate) for path, item in found.items()}
            specs = self._with_ids(facts)
            self._cache.save(specs.values())
            pairs = pair(specs.values(), _projectors(facts))
            entries = [
                *(
                    _entry(item, facts=_seeing(specs.get(path, facts[path]), pairs.chosen.get(path)))
                    for path, item in found.items()
                    if path not in pairs.belonging
                ),
                *problems,
            ]
            entries.sort(key=_order)
            self._found = found
            self._entries = tuple(entries)
            return self._entries

    def find(self, name: str) -> ModelEntry:
        """Return the usable model of this id.

        A different case, the file's name and the model's own name do too, if only one model has it.
        Looks at the last scan, and scans again before it gives up. Raises ``ModelNotFound``.
        """
        with self._lock:
            entry = _match(self._entries or (), name) or _match(self.scan(), name)
            if entry is None:
                raise ModelNotFound(name=name)
            return entry

    def add(self, paths: Sequence[str]) -> AddResult:
        """Add files and folders, in place. A file is known by its content, whatever its name.

        What is in the library already is no failure and changes nothing.
        """
        with self._lock:
            self.scan()
            failures: list[LibraryFailure] = []
            for path in paths:
                reason = self._add_one(_absolute(path))
                if reason is not None:
                    failures.append(LibraryFailure(path=readable_path(path), reason=reason))
            return AddResult(added=self._added, failures=tuple(failures))

    def remove(self, path: str) -> tuple[str, ...]:
        """Take a model out of the library and return what is still added.

        A file of the library folder goes to the trash, with all its parts. An added file is forgotten;
        for a file in an added folder, or for the folder itself, the whole folder is. Nothing outside the
        library folder is ever touched. Raises ``ModelFileNotRemoved`` or ``ModelFileMissing``.
        """
        with self._lock:
            if self._entries is None:
                self.scan()
            wanted = _comparable(path)
            if any(_comparable(added) == wanted for added in self._added):
                self._forget(path)
            elif path in self._found:
                self._remove_found(self._found[path])
            else:
                raise ModelFileMissing(path=path)
            self._entries = None
            return self._added

    def _look_everywhere(self) -> tuple[dict[str, _Found], list[ModelEntry]]:
        found: dict[str, _Found] = {}
        problems: list[ModelEntry] = []
        seen: set[FileIdentity] = set()
        for source in sources(
            starter_folder=self._starter_folder, library_folder=self._library_folder, added=self._added
        ):
            contents = look_into(source)
            for candidate in contents.candidates:
                identity = candidate.files[0].identity
                if identity not in seen:
                    seen.add(identity)
                    found[candidate.path] = _Found(source=source, candidate=candidate)
            problems.extend(_problem_entry(failure, source=source) for failure in contents.failures)
        return found, problems

    def _with_ids(self, facts: dict[str, ModelSpec | Unusable]) -> dict[str, ModelSpec]:
        specs = {path: spec for path, spec in facts.items() if isinstance(spec, ModelSpec)}
        wanted = [
            (
                path,
                wanted_id(path, library_folder=self._library_folder, quantization=spec.quantization),
            )
            for path, spec in specs.items()
        ]
        ids = assign_ids(wanted, remembered=self._cache.ids)
        return {path: msgspec.structs.replace(spec, id=ids[path]) for path, spec in specs.items()}

    def _add_one(self, path: str) -> str | None:
        """Add one path; return the reason in words if it cannot be."""
        try:
            path.encode()
            is_folder = Path(path).is_dir()
            reason = self._add_folder(path) if is_folder else self._add_file(path)
        except OSError as exc:
            return describe_os_error(exc)
        except (ValueError, NotAFile):
            return "It is not a file that can be opened."
        if reason is None:
            self.scan()
        return reason

    def _add_folder(self, path: str) -> str | None:
        found = walk(path)
        identities = {file.identity for file in found.files}
        if not identities:
            return found.failures[0].reason if found.failures else "There is no model file (.gguf) in it."
        if self._is_in_a_source(path):
            return None
        singles = {
            item.source.path
            for item in self._found.values()
            if item.source.kind is SourceKind.ADDED_FILE and item.candidate.files[0].identity in identities
        }
        self._added = (*(added for added in self._added if added not in singles), path)
        return None

    def _add_file(self, path: str) -> str | None:
        candidate = candidate_at(path)
        known = {file.identity for item in self._found.values() for file in item.candidate.files}
        if candidate.files[0].identity in known:
            return None
        facts = self._cache.inspect(candidate)
        if isinstance(facts, Unusable):
            return facts.reason
        self._added = (*self._added, candidate.path)
        return None

    def _is_in_a_source(self, folder: str) -> bool:
        real = PurePath(_real(folder))
        roots = (str(self._starter_folder), str(self._library_folder), *self._added)
        return any(real.is_relative_to(_real(root)) for root in roots)

    def _remove_found(self, item: _Found) -> None:
        match item.source.kind:
            case SourceKind.STARTER:
                raise ModelFileNotRemoved(path=item.candidate.path, reason="it comes with Fireside.")
            case SourceKind.LIBRARY:
                self._trash_files(item.candidate)
            case SourceKind.ADDED_FOLDER | SourceKind.ADDED_FILE:
                self._forget(item.source.path)

    def _trash_files(self, candidate: Candidate) -> None:
        for file in candidate.files:
            try:
                self._trash(file.path)
            except FileNotFoundError:
                continue
            except OSError as exc:
                reason = f"it cannot be moved to the trash ({exc.strerror or exc})."
                raise ModelFileNotRemoved(path=file.path, reason=reason) from exc

    def _forget(self, path: str) -> None:
        wanted = _comparable(path)
        self._added = tuple(added for added in self._added if _comparable(added) != wanted)


def _projectors(facts: dict[str, ModelSpec | Unusable]) -> list[str]:
    return [path for path, fact in facts.items() if isinstance(fact, Unusable) and fact.lets_see]


def _seeing(facts: ModelSpec | Unusable, projector: str | None) -> ModelSpec | Unusable:
    if isinstance(facts, Unusable) or projector is None:
        return facts
    return msgspec.structs.replace(facts, projector_path=projector)


def _entry(item: _Found, *, facts: ModelSpec | Unusable) -> ModelEntry:
    path = item.candidate.path
    return ModelEntry(
        path=path,
        file_name=PurePath(path).name,
        size_bytes=item.candidate.size_bytes,
        source=item.source.words,
        removable=item.source.removable,
        spec=facts if isinstance(facts, ModelSpec) else None,
        problem=facts.reason if isinstance(facts, Unusable) else None,
    )


def _problem_entry(failure: LibraryFailure, *, source: Source) -> ModelEntry:
    """A folder or file that could not be looked at. Only what was added itself can be taken out again."""
    added = source.kind in (SourceKind.ADDED_FOLDER, SourceKind.ADDED_FILE)
    return ModelEntry(
        path=failure.path,
        file_name=PurePath(failure.path).name or failure.path,
        size_bytes=0,
        source=source.words,
        removable=added and failure.path == readable_path(source.path),
        problem=failure.reason,
    )


def _match(entries: Sequence[ModelEntry], name: str) -> ModelEntry | None:
    usable = [(entry, entry.spec) for entry in entries if entry.spec is not None]
    for entry, spec in usable:
        if spec.id == name:
            return entry
    wanted = name.casefold()
    by_id = [entry for entry, spec in usable if spec.id.casefold() == wanted]
    by_name = [
        entry
        for entry, spec in usable
        if _spoken(spec.name) == _spoken(name) or entry.file_name.casefold() == wanted
    ]
    for matches in (by_id, by_name):
        if len(matches) == 1:
            return matches[0]
    return None


def _spoken(name: str) -> str:
    """A name as one would say it: dashes and underscores are spaces."""
    return " ".join(name.casefold().replace("-", " ").replace("_", " ").split())


def _order(entry: ModelEntry) -> tuple[str, int, str]:
    return (display_name(entry).casefold(), entry.size_bytes, entry.path)


def _comparable(path: str) -> str:
    return os.path.normcase(readable_path(_absolute(path)))


def _cleaned(added: Sequence[str]) -> tuple[str, ...]:
    """Absolute paths, each once. An empty one would be the current folder."""
    return tuple(dict.fromkeys(_absolute(path) for path in added if path))


def _absolute(path: str) -> str:
    if path == "~" or path.startswith(("~/", "~\\")):
        path = os.path.expanduser(path)  # noqa: PTH111, a Path would lose what makes a path invalid
    return os.path.abspath(path)  # noqa: PTH100, resolve() would follow links


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # No possible path: it leads nowhere else than it says.
        return path
