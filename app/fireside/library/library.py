"""The library of models on this computer: scan, add, remove, and look up by id."""

from __future__ import annotations

import contextlib
import os
import shutil
import threading
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import Final

import msgspec

from fireside.core.errors import DownloadError, ModelError, ModelFileMissing, ModelNotFound
from fireside.core.i18n import render_sentence, tr
from fireside.core.ids import ModelId
from fireside.core.library import DiskUse, FolderUse, ModelPreset, ModelUse, Removal, RemovalKind
from fireside.core.model import LibraryFailure, ModelEntry, ModelSpec, display_name
from fireside.files.digest import digest_of
from fireside.files.json_file import OnDamaged
from fireside.library.applications import ApplicationFolder, ModelApplication
from fireside.library.file_fingerprints import FileFingerprints
from fireside.library.header_cache import HeaderCache
from fireside.library.header_check import UnusableFile
from fireside.library.lookup import find_entry, nearest_id
from fireside.library.model_candidates import candidate_at
from fireside.library.model_ids import ContentIds
from fireside.library.model_sources import LIBRARY_SOURCE, ModelSource, SourceKind, sources
from fireside.library.ollama import ollama_preset
from fireside.library.projectors import unshared_projectors
from fireside.library.removal import removal_of, trash_files
from fireside.library.scan import (
    Facts,
    FoundCandidate,
    Scan,
    SourceListing,
    paired_by_applications,
    scan_sources,
    sort_key,
    with_user_metadata,
)
from fireside.library.user_metadata import UserMetadataFile
from fireside.library.walk import NotAFile, describe_os_error, readable_path, walk

MAX_BATCH: Final = 100
BATCH_S: Final = 0.05
"""Entries and seconds after which results of a scan are reported."""


class MetadataFile(msgspec.Struct, frozen=True, kw_only=True):
    """Where the user's metadata of models is stored, with the ids of models beside it."""

    path: Path
    on_damaged: OnDamaged = lambda _: None


class AddResult(msgspec.Struct, frozen=True, kw_only=True):
    """``added`` is the complete list to store in the settings; ``failures`` has what was not added, and
    why."""

    added: tuple[str, ...]
    failures: tuple[LibraryFailure, ...]


class Library:
    """The models of all sources: the starter's folder, the library folder, other applications, added paths.

    Files stay in place. Every method blocks on the disk and is thread-safe; one runs at a time, except those
    documented as long-running.
    """

    def __init__(
        self,
        *,
        library_folder: Path,
        starter_folder: Path,
        added: Sequence[str],
        cache_path: Path,
        trash: Callable[[str], None],
        metadata: MetadataFile | None = None,
        applications: Callable[[], Sequence[ApplicationFolder]] = tuple,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``trash`` moves a file to the system's trash and raises ``OSError`` if it cannot.

        ``metadata`` is the file of user metadata, by default beside the cache; ``applications`` returns
        the folders of other applications; it is called for each scan, in any thread.
        """
        self._starter_folder = starter_folder
        self._added = normalized(added)
        self._applications = applications
        self._trash = trash
        self._clock = clock
        self._lock = threading.RLock()
        self._cache = HeaderCache(cache_path)
        self._fingerprints = FileFingerprints(cache_path.with_suffix(".contents.json"))
        kept = metadata or MetadataFile(path=cache_path.with_suffix(".notes.json"))
        self._user_metadata = UserMetadataFile(kept.path, on_damaged=kept.on_damaged)
        self._library_folder = LibraryFolder(library_folder, cache=self._cache, data=kept.path.parent)
        self._content_ids = ContentIds(kept.path.with_name("model-ids.json"), on_damaged=kept.on_damaged)
        self._listing = SourceListing(found={}, failures=(), duplicates={})
        self._specs: tuple[ModelSpec, ...] = ()
        self._projectors: tuple[str, ...] = ()
        self._growing_until_s: float | None = None
        self._entries: tuple[ModelEntry, ...] | None = None

    @property
    def added(self) -> tuple[str, ...]:
        """Absolute paths of added folders and files."""
        return self._added

    @property
    def folder(self) -> Path:
        """The folder of downloads."""
        return self._library_folder.path

    def writable_folder(self) -> Path:
        """Return ``folder``. Raises ``library_folder_away`` if its drive is not connected."""
        with self._lock:
            return self._library_folder.writable_path()

    def set_folder(self, library_folder: Path) -> None:
        """Use another library folder, to which the files were moved."""
        with self._lock:
            self._library_folder.path = library_folder
            self._entries = None

    def scan(
        self, on_found: Callable[[tuple[ModelEntry, ...]], None] | None = None
    ) -> tuple[ModelEntry, ...]:
        """Return every model and every problem, sorted by name. Unchanged files are not read again.

        A projector that belongs to a model is part of that entry. So are copies of the same content: they are
        among the entry's ``places``.

        ``on_found`` receives entries in this thread as they are read, a few at a time, except the last ones.
        They are for display meanwhile; ids, copies and projectors are final only in the result.

        Never raises: what cannot be read is an entry with its reason in ``problem``.
        """
        with self._lock:
            listing = scan_sources(self._sources())
            scan = Scan(
                listing,
                fingerprints=self._fingerprints,
                metadata_of=self._user_metadata.of,
                previous_ids=self._cache.ids,
                content_ids=self._content_ids,
                missing=[spec for spec in self._cache.specs if spec.path not in listing.found],
                now_s=self._clock(),
            )
            facts = self._read(listing, scan, on_found)
            scanned = scan.finish(
                facts,
                projectors=paired_by_applications(listing, inspect=self._cache.inspect),
                unlisted={path: self._cache.inspect(each) for path, each in listing.neighbours.items()},
            )
            disconnected = self._library_folder.reconcile(scanned.specs)
            self._cache.save(scanned.specs.values(), hidden=scanned.hidden)
            self._fingerprints.save(listing.paths)
            self._listing = listing
            self._specs = tuple(scanned.specs.values())
            self._projectors = scanned.projectors
            self._growing_until_s = scanned.growing_until_s
            self._entries = tuple(sorted((*scanned.entries, *disconnected), key=sort_key))
            return self._entries

    def has_changed(self) -> bool:
        """Whether a scan would find something else than the last one.

        Compares names, sizes and times only; cheap enough to be called every few seconds.
        """
        with self._lock:
            if self._entries is None:
                return True
            sources, signature = self._sources(), self._listing.signature
            growing_until_s = self._growing_until_s
        if growing_until_s is not None and self._clock() >= growing_until_s:
            return True
        return scan_sources(sources).signature != signature

    def find(self, name: str) -> ModelEntry:
        """Return the usable model of this id.

        Case is ignored, and the file name or the model's own name is accepted if it is unique. Looks at the
        last scan, and scans again before it fails. Raises ``ModelNotFound``.
        """
        with self._lock:
            entry = find_entry(self._entries or (), name) or find_entry(self.scan(), name)
            if entry is None:
                raise ModelNotFound(name=name, near=nearest_id(self._entries or (), name))
            return entry

    def add(self, paths: Sequence[str]) -> AddResult:
        """Add files and folders, in place. A model file is recognized by its content, whatever its name.

        What is already in the library is no failure and changes nothing.
        """
        with self._lock:
            self.scan()
            failures: list[LibraryFailure] = []
            for path in paths:
                reason = self._add_one(absolute(path))
                if reason is not None:
                    failures.append(LibraryFailure(path=readable_path(path), reason=reason))
            return AddResult(added=self._added, failures=tuple(failures))

    def remove(self, path: str) -> tuple[str, ...]:
        """Remove a model from the library and return the paths that are still added.

        A file of the library folder is moved to the trash, with all its parts. An added file is only dropped
        from the list; for a file in an added folder, or for the folder itself, the whole folder is. Nothing
        outside the library folder is ever touched. Raises ``model_file_not_removed`` or ``ModelFileMissing``.
        """
        with self._lock:
            if self._entries is None:
                self.scan()
            if is_among(path, self._added):
                self._added = without(self._added, path)
            elif path in self._listing.found:
                self._remove_found(self._listing.found[path])
            else:
                raise ModelFileMissing(path=path)
            self._entries = None
            return self._added

    def removal(self, path: str) -> Removal:
        """Return what ``remove`` would do with the file at ``path``. Raises ``ModelFileMissing``."""
        with self._lock:
            if self._entries is None:
                self.scan()
            if path not in self._listing.found:
                raise ModelFileMissing(path=path)
            return self._removal_of(self._listing.found[path])

    def rename(self, model_id: ModelId, name: str) -> tuple[ModelEntry, ...]:
        """Set a model's display name; an empty one restores its own. Returns all entries.

        Raises ``model_note_invalid`` or ``StorageUnwritable``, as ``set_tags`` does.
        """
        with self._lock:
            self._user_metadata.rename(model_id, name)
            return self._with_metadata(model_id)

    def set_tags(self, model_id: ModelId, tags: Sequence[str]) -> tuple[ModelEntry, ...]:
        """Set the tags of a model: at most 20, each once, ignoring case. Returns all entries."""
        with self._lock:
            self._user_metadata.set_tags(model_id, tuple(tags))
            return self._with_metadata(model_id)

    def set_favourite(self, model_id: ModelId, *, favourite: bool) -> tuple[ModelEntry, ...]:
        """Set whether a model is a favourite. Returns all entries. Raises ``StorageUnwritable``."""
        with self._lock:
            self._user_metadata.set_favourite(model_id, favourite=favourite)
            return self._with_metadata(model_id)

    def record_use(self, model_id: ModelId) -> tuple[ModelEntry, ...]:
        """Record that a model was used now. Returns all entries. Raises ``StorageUnwritable``."""
        with self._lock:
            self._user_metadata.record_use(model_id, at_s=self._clock())
            return self._with_metadata(model_id)

    def preset(self, path: str) -> ModelPreset | None:
        """Return the sampling preset that the model's application sets; ``None`` if there is none."""
        with self._lock:
            item = self._listing.found.get(path)
        if item is None or item.source.application is not ModelApplication.OLLAMA:
            return None
        return ollama_preset(item.source.path, item.candidate.label)

    def disk_use(self) -> DiskUse:
        """Return the disk use by folder and by model, as of the last scan."""
        with self._lock:
            entries = self._entries if self._entries is not None else self.scan()
            return disk_use(self._sources(), self._listing.found, entries)

    def identify(self, path: str, *, on_progress: Callable[[int], None] = lambda _: None) -> tuple[str, ...]:
        """Hash a model and return the SHA-256 of each file; the next scan merges equal ones.

        Long-running, without holding the lock. ``on_progress`` receives the bytes read so far, of all files,
        and may raise to cancel. Raises ``ModelFileMissing`` or ``OSError``.
        """
        with self._lock:
            if path not in self._listing.found:
                raise ModelFileMissing(path=path)
            candidate = self._listing.found[path].candidate

        def report(n_before: int, n_bytes: int) -> None:
            on_progress(n_before + n_bytes)

        hashes: list[str] = []
        n_before = 0
        for file in candidate.files:
            hashes.append(digest_of(Path(file.path), on_progress=partial(report, n_before)))
            n_before += file.size_bytes
        with self._lock:
            # A file that changed meanwhile is stored under its new size and time.
            if candidate_at(path).fingerprint == candidate.fingerprint:
                for file, sha256 in zip(candidate.files, hashes, strict=True):
                    self._fingerprints.store_hash(file, sha256)
        return tuple(hashes)

    def _with_metadata(self, model_id: ModelId) -> tuple[ModelEntry, ...]:
        """Update the entries of the last scan."""
        if self._entries is None:
            return self.scan()
        metadata = self._user_metadata.of(model_id)
        changed = [
            entry if entry.spec is None or entry.spec.id != model_id else with_user_metadata(entry, metadata)
            for entry in self._entries
        ]
        self._entries = tuple(sorted(changed, key=sort_key))
        return self._entries

    def _sources(self) -> tuple[ModelSource, ...]:
        return sources(
            starter_folder=self._starter_folder,
            library_folder=self._library_folder.path,
            added=self._added,
            applications=self._applications(),
        )

    def _read(
        self, listing: SourceListing, scan: Scan, on_found: Callable[[tuple[ModelEntry, ...]], None] | None
    ) -> dict[str, Facts]:
        """Read the headers of everything that was found."""
        facts: dict[str, Facts] = {}
        batch: list[ModelEntry] = []
        due_s = time.monotonic() + BATCH_S
        for path, item in listing.found.items():
            refusal = item.candidate.refusal
            facts[path] = UnusableFile(reason=refusal) if refusal else self._cache.inspect(item.candidate)
            if on_found is not None:
                batch.append(scan.provisional(path, facts[path]))
                if len(batch) >= MAX_BATCH or time.monotonic() >= due_s:
                    on_found(tuple(batch))
                    batch, due_s = [], time.monotonic() + BATCH_S
        return facts

    def _add_one(self, path: str) -> str | None:
        """Add one path; return the reason if it cannot be added."""
        try:
            path.encode()
            is_folder = Path(path).is_dir()
            reason = self._add_folder(path) if is_folder else self._add_file(path)
        except OSError as exc:
            return describe_os_error(exc)
        except (ValueError, NotAFile):
            return tr("It is not a file that can be opened.")
        if reason is None:
            self.scan()
        return reason

    def _add_folder(self, path: str) -> str | None:
        found = walk(path)
        identities = {file.identity for file in found.files}
        if not identities:
            return found.failures[0].reason if found.failures else tr("No GGUF files in it.")
        if is_below(path, (str(self._starter_folder), str(self._library_folder.path), *self._added)):
            return None
        covered = {
            item.source.path
            for item in self._listing.found.values()
            if item.source.kind is SourceKind.ADDED_FILE and item.candidate.files[0].identity in identities
        }
        self._added = (*(path_added for path_added in self._added if path_added not in covered), path)
        return None

    def _add_file(self, path: str) -> str | None:
        candidate = candidate_at(path)
        known = {file.identity for item in self._listing.found.values() for file in item.candidate.files}
        if candidate.files[0].identity in known:
            return None
        facts = self._cache.inspect(candidate)
        if isinstance(facts, UnusableFile):
            return render_sentence(facts.reason)
        self._added = (*self._added, candidate.path)
        return None

    def _remove_found(self, item: FoundCandidate) -> None:
        removal = self._removal_of(item)
        match removal.kind:
            case RemovalKind.NOT_POSSIBLE:
                reason = removal.text[:1].lower() + removal.text[1:]
                raise ModelError.of("model_file_not_removed", reason=reason)
            case RemovalKind.TRASH:
                trash_files(removal, trash=self._trash, library_folder=self._library_folder.path)
            case RemovalKind.FORGET_FILE | RemovalKind.FORGET_FOLDER:
                self._added = without(self._added, item.source.path)

    def _removal_of(self, item: FoundCandidate) -> Removal:
        path = item.candidate.path
        entry = next((entry for entry in self._entries or () if entry.path == path), None)
        siblings = [other for other in self._listing.found.values() if other.source == item.source]
        return removal_of(
            item,
            name=display_name(entry) if entry is not None else PurePath(path).name,
            projectors=unshared_projectors(self._specs, self._projectors, without=path),
            n_models=len(siblings),
        )


def disk_use(
    sources: Sequence[ModelSource], found: Mapping[str, FoundCandidate], entries: Sequence[ModelEntry]
) -> DiskUse:
    """Return the use of each existing source, and of each model, largest first. Reads the disks.

    A file counts once, where it was found first.
    """
    folders = [use for source in sources if (use := _folder_use(source, found)) is not None]
    models = [_model_use(entry) for entry in entries if entry.path in found]
    folders.sort(key=lambda use: (-use.used_bytes, use.path))
    models.sort(key=lambda use: (-use.used_bytes, use.path))
    return DiskUse(folders=tuple(folders), models=tuple(models))


def _folder_use(source: ModelSource, found: Mapping[str, FoundCandidate]) -> FolderUse | None:
    candidates = [item.candidate for item in found.values() if item.source == source]
    if not candidates and (source.kind is SourceKind.APPLICATION or not os.path.lexists(source.path)):
        return None
    try:
        disk = shutil.disk_usage(source.path)
    except (OSError, ValueError):
        disk = None
    return FolderUse(
        source=source.label,
        path=source.path,
        n_models=len(candidates),
        used_bytes=sum(candidate.size_bytes for candidate in candidates),
        free_bytes=disk.free if disk is not None else None,
        total_bytes=disk.total if disk is not None else None,
    )


def _model_use(entry: ModelEntry) -> ModelUse:
    copies_bytes = sum(location.size_bytes for location in entry.places)
    return ModelUse(
        id=entry.spec.id if entry.spec is not None else None,
        name=display_name(entry),
        path=entry.path,
        used_bytes=entry.size_bytes + copies_bytes,
        copies_bytes=copies_bytes,
    )


# The folder of downloads, which may be on a drive that is not connected


MARKER_NAME: Final = ".fireside-library"
"""File in each library folder that tells an emptied folder from an empty mount point."""


class LibraryFolder:
    """Blocks on the disk. Not thread-safe; ``Library`` holds the lock."""

    def __init__(self, path: Path, *, cache: HeaderCache, data: Path) -> None:
        """``data`` is the program's own folder, without which it would not run: it is always available."""
        self.path = path
        self._data = data
        self._cache = cache

    @property
    def is_disconnected(self) -> bool:
        """Whether the folder is missing or empty although models in it are known."""
        if not self._may_be_disconnected:
            return False
        try:
            with os.scandir(self.path) as entries:
                is_empty = next(entries, None) is None
        except FileNotFoundError:
            is_empty = True
        except OSError:
            is_empty = False  # The scan reports why it cannot be read.
        return is_empty and any(self._holds(path) for path in self._cache.ids)

    def writable_path(self) -> Path:
        """Return ``path``. Raises ``library_folder_away``."""
        if self.is_disconnected:
            raise DownloadError.of("library_folder_away", folder=str(self.path))
        return self.path

    def reconcile(self, found: Collection[str]) -> list[ModelEntry]:
        """Return entries for the known models that are unavailable with their drive; ``found`` are available.

        Models deleted from an available folder are dropped.
        """
        missing = [spec for spec in self._cache.specs if spec.path not in found and self._holds(spec.path)]
        if not self.is_disconnected:
            self._cache.forget(spec.path for spec in missing)
            if self._may_be_disconnected and any(self._holds(path) for path in found):
                with contextlib.suppress(OSError):  # The marker is optional on a read-only disk.
                    (self.path / MARKER_NAME).touch()
            return []
        sentence = tr("Its drive is not connected.")
        entries = [
            _disconnected_entry(
                str(self.path),
                problem=DownloadError.of("library_folder_away", folder=str(self.path)).sentence(),
            )
        ]
        return entries + [
            _disconnected_entry(spec.path, size_bytes=spec.size_bytes, problem=sentence) for spec in missing
        ]

    @property
    def _may_be_disconnected(self) -> bool:
        return not self.path.is_relative_to(self._data)

    def _holds(self, path: str) -> bool:
        return is_below(path, (str(self.path),))


def _disconnected_entry(path: str, *, problem: str, size_bytes: int = 0) -> ModelEntry:
    return ModelEntry(
        path=path,
        file_name=PurePath(path).name or path,
        size_bytes=size_bytes,
        source=LIBRARY_SOURCE,
        removable=False,
        problem=problem,
        is_disconnected=True,
    )


# Normalize and compare the paths that the user added to the library


def normalized(added: Sequence[str]) -> tuple[str, ...]:
    """Return absolute paths, each once. An empty path is dropped: it would be the current folder."""
    return tuple(dict.fromkeys(absolute(path) for path in added if path))


def absolute(path: str) -> str:
    """Return the absolute path that ``path`` means; links are not resolved."""
    if path == "~" or path.startswith(("~/", "~\\")):
        path = os.path.expanduser(path)  # noqa: PTH111, a Path would lose what makes a path invalid
    return os.path.abspath(path)  # noqa: PTH100, resolve() would follow links


def is_among(path: str, added: Iterable[str]) -> bool:
    """Return whether ``path`` is one of ``added``, however it is written."""
    return any(_comparable(other) == _comparable(path) for other in added)


def without(added: Iterable[str], path: str) -> tuple[str, ...]:
    """Return ``added`` without ``path``, however it is written."""
    return tuple(other for other in added if _comparable(other) != _comparable(path))


def is_below(path: str, folders: Iterable[str]) -> bool:
    """Whether ``path`` is one of ``folders`` or inside one, links resolved."""
    real = PurePath(_real(path))
    return any(real.is_relative_to(_real(folder)) for folder in folders)


def _comparable(path: str) -> str:
    return os.path.normcase(readable_path(absolute(path)))


def _real(path: str) -> str:
    try:
        return os.path.realpath(path)
    except ValueError:  # Not a valid path, so there is no link to resolve.
        return path
