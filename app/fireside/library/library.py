"""The models on this machine: found in place, added, removed, looked up by id."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path, PurePath
from typing import Final

import msgspec

from fireside.core.errors import ModelFileMissing, ModelFileNotRemoved, ModelNotFound
from fireside.core.model import LibraryFailure, ModelEntry
from fireside.library.applications import ApplicationFolder
from fireside.library.cache import HeaderCache
from fireside.library.candidates import Candidate, candidate_at
from fireside.library.contents import Contents
from fireside.library.inspect import Unusable
from fireside.library.personal import PersonalNotes
from fireside.library.scan import Facts, Found, Look, Scan, look_everywhere
from fireside.library.sources import Source, SourceKind, sources
from fireside.library.walk import NotAFile, describe_os_error, readable_path, walk

MAX_BATCH: Final = 100
BATCH_S: Final = 0.05
"""Lines and seconds after which what a scan has read so far is handed on."""


class AddResult(msgspec.Struct, frozen=True, kw_only=True):
    """``added`` is the whole list to be kept in the settings; ``failures`` is what was not added, and why."""

    added: tuple[str, ...]
    failures: tuple[LibraryFailure, ...]


class Library:
    """Models in the starter folder, the library folder, the folders of other applications and whatever was
    added, all left where they are.

    Every method blocks on the disk and may be called from any thread; one runs at a time, but for those that
    say that they take long.
    """

    def __init__(
        self,
        *,
        library_folder: Path,
        starter_folder: Path,
        added: Sequence[str],
        cache_path: Path,
        trash: Callable[[str], None],
        notes_path: Path | None = None,
        applications: Sequence[ApplicationFolder] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``trash`` moves a file to the system's trash and raises ``OSError`` if it cannot.

        ``notes_path`` is the file of what a person noted about models, beside the cache if it is not given;
        ``applications`` are the folders of others to look into.
        """
        self._library_folder = library_folder
        self._starter_folder = starter_folder
        self._added = _cleaned(added)
        self._applications = tuple(applications)
        self._trash = trash
        self._clock = clock
        self._lock = threading.RLock()
        self._cache = HeaderCache(cache_path)
        self._contents = Contents(cache_path.with_suffix(".contents.json"))
        self._notes = PersonalNotes(notes_path or cache_path.with_suffix(".notes.json"))
        self._look = Look(found={}, failures=(), again={})
        self._growing_until_s: float | None = None
        self._entries: tuple[ModelEntry, ...] | None = None

    @property
    def added(self) -> tuple[str, ...]:
        """Absolute paths of added folders and files."""
        return self._added

    @property
    def folder(self) -> Path:
        """Where downloads go."""
        return self._library_folder

    def replace_added(self, added: Sequence[str]) -> None:
        """Take over the list of added paths, for when it was edited in the settings themselves."""
        with self._lock:
            self._added = _cleaned(added)
            self._entries = None

    def replace_applications(self, applications: Sequence[ApplicationFolder]) -> None:
        """Look into these folders of other applications from now on."""
        with self._lock:
            self._applications = tuple(applications)
            self._entries = None

    def replace_folder(self, library_folder: Path) -> None:
        """Use another library folder from now on, to which its files were moved."""
        with self._lock:
            self._library_folder = library_folder
            self._entries = None

    def scan(
        self, on_found: Callable[[tuple[ModelEntry, ...]], None] | None = None
    ) -> tuple[ModelEntry, ...]:
        """Return every model and every problem, by name. Files that did not change are not read again.

        A projector that belongs to a model is part of that, and is not listed by itself. Nor is what has the
        same content as something listed: it is one of its ``places``.

        ``on_found`` gets lines in this thread as soon as they are read, a few at a time and each once. They
        are for showing something meanwhile; ids, copies and projectors are settled in what is returned.

        Never raises: what cannot be read or looked at is an entry with its reason in ``problem``.
        """
        with self._lock:
            look = look_everywhere(self._sources())
            scan = Scan(
                look,
                contents=self._contents,
                personal=self._notes.of,
                remembered=self._cache.ids,
                now_s=self._clock(),
            )
            facts = self._read(look, scan, on_found)
            scanned = scan.finish(facts, projectors=self._given_projectors(look))
            self._cache.save(scanned.specs.values())
            self._contents.save(look.paths)
            self._look = look
            self._growing_until_s = scanned.growing_until_s
            self._entries = scanned.entries
            return self._entries

    def has_changed(self) -> bool:
        """Whether a scan would now find something else than the last one did.

        Looks at names, sizes and times only; for calling every few seconds.
        """
        with self._lock:
            if self._entries is None:
                return True
            sources, signature = self._sources(), self._look.signature
            growing_until_s = self._growing_until_s
        if growing_until_s is not None and self._clock() >= growing_until_s:
            return True
        return look_everywhere(sources).signature != signature

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
            elif path in self._look.found:
                self._remove_found(self._look.found[path])
            else:
                raise ModelFileMissing(path=path)
            self._entries = None
            return self._added

    def _sources(self) -> tuple[Source, ...]:
        return sources(
            starter_folder=self._starter_folder,
            library_folder=self._library_folder,
            added=self._added,
            applications=self._applications,
        )

    def _read(
        self, look: Look, scan: Scan, on_found: Callable[[tuple[ModelEntry, ...]], None] | None
    ) -> dict[str, Facts]:
        """Read the headers of everything that was found."""
        facts: dict[str, Facts] = {}
        batch: list[ModelEntry] = []
        due_s = time.monotonic() + BATCH_S
        for path, item in look.found.items():
            facts[path] = self._facts(item.candidate)
            if on_found is not None:
                batch.append(scan.provisional(path, facts[path]))
                if len(batch) >= MAX_BATCH or time.monotonic() >= due_s:
                    on_found(tuple(batch))
                    batch, due_s = [], time.monotonic() + BATCH_S
        if on_found is not None and batch:
            on_found(tuple(batch))
        return facts

    def _facts(self, candidate: Candidate) -> Facts:
        if candidate.refused:
            return Unusable(reason=candidate.refused)
        return self._cache.inspect(candidate)

    def _given_projectors(self, look: Look) -> dict[str, str]:
        """Return those that applications pair with models, if they are what they are said to be."""
        given: dict[str, str] = {}
        for path, item in look.found.items():
            projector = item.candidate.projector
            if projector is None:
                continue
            try:
                facts = self._cache.inspect(candidate_at(projector))
            except (OSError, ValueError, NotAFile):
                continue
            if isinstance(facts, Unusable) and facts.lets_see:
                given[path] = projector
        return given

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
            for item in self._look.found.values()
            if item.source.kind is SourceKind.ADDED_FILE and item.candidate.files[0].identity in identities
        }
        self._added = (*(added for added in self._added if added not in singles), path)
        return None

    def _add_file(self, path: str) -> str | None:
        candidate = candidate_at(path)
        known = {file.identity for item in self._look.found.values() for file in item.candidate.files}
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

    def _remove_found(self, item: Found) -> None:
        match item.source.kind:
            case SourceKind.STARTER:
                raise ModelFileNotRemoved(path=item.candidate.path, reason="it comes with Fireside.")
            case SourceKind.LIBRARY:
                self._trash_files(item.candidate)
            case SourceKind.ADDED_FOLDER | SourceKind.ADDED_FILE:
                self._forget(item.source.path)
            case SourceKind.APPLICATION:
                owner = item.source.words
                raise ModelFileNotRemoved(path=item.candidate.path, reason=f"it belongs to {owner}.")

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
