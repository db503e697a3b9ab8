"""The files of collections in the database: what a scan changes, and what reading a file stores."""

from __future__ import annotations

import contextlib
from pathlib import PurePath
from typing import Final

import apsw
import msgspec

from fireside.core.collection import CollectionState, Source, SourceState
from fireside.core.i18n import Translatable, render, render_sentence, tr_noop
from fireside.core.ids import CollectionId, SourceId
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.chunk_rows import remove_chunks, replace_chunks
from fireside.retrieval.folder_scan import FolderScan, FoundFile
from fireside.retrieval.scanned_pages import add_known_pages, scans_of
from fireside.retrieval.word_index import index, indexed_chunks, unindex
from fireside.storage.database import Database, Durability, Repository, Row, Value, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json

_ERROR: Final = msgspec.json.Decoder(Translatable)
_WARNINGS: Final = msgspec.json.Decoder(tuple[Translatable, ...])
_SELECT: Final = """
    SELECT source.id, source.collection_id, CAST(source.path AS BLOB), CAST(source.name AS BLOB), source.size,
      CAST(source.hash AS BLOB), CAST(source.state AS BLOB), CAST(source.error AS BLOB),
      CAST(source.warnings AS BLOB), root.is_offline, source.n_chunks,
      json_array_length(source.scans), collection.model IS NOT NULL AND source.embedded_by IS NOT NULL
    FROM source
    JOIN root ON root.id = source.root_id
    JOIN collection ON collection.id = source.collection_id
"""
NEEDS_SPEECH: Final = tr_noop("it is a recording. Download speech recognition to have its text searched.")
"""Why a recording was not read while there was nothing to transcribe it with."""
MAX_TRIES: Final = 3
"""To read a file that fails for a reason that may be gone: time, or memory."""
_HAS_WARNINGS: Final = "(source.state = 'searchable' AND source.warnings != '[]')"


class WaitingFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that waits to be read."""

    id: SourceId
    path: str
    name: str
    size: int
    hash: str
    """Of its content when it was last read; empty for a new file."""


class ReadFile(msgspec.Struct, frozen=True, kw_only=True):
    """The result of reading a file: chunks, or an error."""

    hash: str
    chunks: tuple[Chunk, ...] = ()
    scans: tuple[int, ...] = ()
    """Numbers of the pages that have content but no text; 1 for an image."""
    warnings: tuple[Translatable, ...] = ()
    error: Translatable = ""
    is_temporary: bool = False
    """Whether another try may succeed where there is an ``error``."""
    is_same: bool = False
    """The content has the same hash as before; the other fields are not set."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """How many files a scan added, changed, moved and removed."""

    n_new: int = 0
    n_changed: int = 0
    n_moved: int = 0
    n_gone: int = 0

    def __bool__(self) -> bool:
        return bool(self.n_new or self.n_changed or self.n_moved or self.n_gone)


class Sources(Repository):
    """All methods raise ``StorageError``. Writes survive a killed program; after a power cut the last files
    may be read again."""

    @in_storage_thread
    def apply_scan(self, collection_id: CollectionId, root_id: int, scan: FolderScan) -> Changes:
        """Synchronise the files of a root with a scan of it, in one transaction.

        Files in folders that could not be opened stay. All files of a missing root stay, as offline.
        """
        db = self._database
        with db.transaction(Durability.PROCESS):
            was_device = db.row("SELECT device FROM root WHERE id = ?", root_id)
            if was_device is None:
                return Changes()
            known = {
                read_text(path): (id_, *facts)
                for id_, path, *facts in db.rows(
                    "SELECT id, CAST(path AS BLOB), size, mtime_ns, inode FROM source WHERE root_id = ?",
                    root_id,
                )
            }
            is_offline = not scan.is_there or (
                # An unmounted drive leaves an empty folder of another device behind.
                not scan.files and bool(known) and was_device[0] not in (None, scan.device)
            )
            # Written only if changed, since each write makes a search rebuild its index of vectors.
            if is_offline:
                db.rows("UPDATE root SET is_offline = 1 WHERE id = ? AND NOT is_offline", root_id)
                return Changes()
            db.rows(
                "UPDATE root SET is_offline = 0, device = ?1 "
                "WHERE id = ?2 AND (is_offline OR device IS NOT ?1)",
                scan.device,
                root_id,
            )
            return self._apply(collection_id, root_id, scan, known)

    def _apply(
        self, collection_id: CollectionId, root_id: int, scan: FolderScan, known: dict[str, tuple[Value, ...]]
    ) -> Changes:
        db = self._database
        present = {file.path for file in scan.files}
        missing = {
            old[0]: old[1:]
            for path, old in known.items()
            if path not in present and not scan.is_below_failed(path)
        }
        missing_by_facts = {facts: id_ for id_, facts in missing.items()}
        n_new = n_changed = n_moved = 0
        for file in scan.files:
            facts = (file.size, file.mtime_ns, file.inode)
            if (old := known.get(file.path)) is not None:
                if old[1:] != facts:
                    n_changed += 1
                    _note_change(db, old[0], file)
            elif (moved := missing_by_facts.pop(facts, None)) is not None:
                n_moved += 1
                del missing[moved]
                _move(db, moved, file)
            else:
                n_new += _insert(db, collection_id, root_id, file)
        for id_ in missing:
            remove_source(db, id_)
        return Changes(n_new=n_new, n_changed=n_changed, n_moved=n_moved, n_gone=len(missing))

    @in_storage_thread
    def waiting(self, collection_id: CollectionId, *, limit: int) -> tuple[WaitingFile, ...]:
        """Return files to read, smallest first, so that most files are searchable soon."""
        rows = self._database.rows(
            "SELECT source.id, CAST(source.path AS BLOB), CAST(name AS BLOB), size, CAST(hash AS BLOB) "
            "FROM source JOIN root ON root.id = root_id "
            "WHERE source.collection_id = ? AND state = 'waiting' AND NOT is_offline ORDER BY size LIMIT ?",
            collection_id,
            limit,
        )
        return tuple(
            WaitingFile(
                id=SourceId(_int(id_)),
                path=read_text(path),
                name=read_text(name),
                size=_int(size),
                hash=read_text(hash_),
            )
            for id_, path, name, size, hash_ in rows
        )

    @in_storage_thread
    def store_result(self, file: WaitingFile, read: ReadFile) -> None:
        """Replace the content of a file, in one transaction.

        Does nothing for a file that was removed meanwhile. Vectors of unchanged texts are reused.
        """
        db = self._database
        with db.transaction(Durability.PROCESS):
            if db.row("SELECT 1 FROM source WHERE id = ?", file.id) is None:
                return
            if read.is_same:
                db.rows(
                    "UPDATE source SET state = CASE WHEN error IS NULL THEN 'searchable' "
                    "ELSE 'unreadable' END WHERE id = ?",
                    file.id,
                )
                return
            replace_chunks(db, file.id, read.chunks)
            db.rows(
                "UPDATE source SET hash = ?, state = ?, error = ?, warnings = ?, scans = ?, "
                "n_tries = CASE WHEN ? THEN n_tries + 1 ELSE 0 END WHERE id = ?",
                read.hash,
                "unreadable" if read.error else "searchable",
                to_json(read.error) if read.error else None,
                to_json(read.warnings),
                to_json(read.scans),
                read.is_temporary,
                file.id,
            )
            if read.scans:
                add_known_pages(db, file.id, read.hash)

    @in_storage_thread
    def remove_root(self, root_id: int) -> None:
        """Remove a root with its files."""
        db = self._database
        with db.transaction():
            for (id_,) in db.rows("SELECT id FROM source WHERE root_id = ?", root_id):
                remove_source(db, id_)
            db.rows("DELETE FROM root WHERE id = ?", root_id)

    @in_storage_thread
    def retry_temporary(self, collection_id: CollectionId) -> None:
        """Have files read again whose reading failed for a reason that may be gone, a few times each."""
        self._database.rows(
            "UPDATE source SET state = 'waiting' WHERE collection_id = ? AND state = 'unreadable' "
            "AND n_tries BETWEEN 1 AND ?",
            collection_id,
            MAX_TRIES - 1,
        )

    @in_storage_thread
    def retry_failed(self, collection_id: CollectionId) -> None:
        """Have unreadable files read again."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows(
                "UPDATE source SET state = 'waiting', hash = '', n_tries = 0 "
                "WHERE collection_id = ? AND state = 'unreadable' AND scans = '[]'",
                collection_id,
            )

    @in_storage_thread
    def retry_recordings(self) -> int:
        """Have recordings read that waited for speech recognition; return how many there are."""
        before = self._database.connection.total_changes()
        self._database.rows(
            "UPDATE source SET state = 'waiting' WHERE state = 'unreadable' AND error = ?",
            to_json(NEEDS_SPEECH),
        )
        return self._database.connection.total_changes() - before

    @in_storage_thread
    def reread(self, collection_id: CollectionId, path: str) -> None:
        """Have one file read again."""
        self._database.rows(
            "UPDATE source SET state = 'waiting', hash = '', n_tries = 0 "
            "WHERE collection_id = ? AND path = ?",
            collection_id,
            storable(path),
        )

    @in_storage_thread
    def remove_unused(self) -> None:
        """Remove what is not used any more: vectors of texts that no file has or of models that no collection
        uses, texts of pages that no file has, and the write-ahead log."""
        db = self._database
        with db.transaction(Durability.PROCESS):
            # CROSS JOIN makes SQLite start with the few removed texts instead of all vectors.
            db.rows(
                "DELETE FROM vector WHERE id IN (SELECT vector.id FROM removed_text CROSS JOIN model "
                "CROSS JOIN vector ON vector.model = model.id AND vector.text_hash = removed_text.text_hash "
                "WHERE NOT EXISTS (SELECT 1 FROM chunk WHERE chunk.text_hash = vector.text_hash))"
            )
            db.rows("DELETE FROM removed_text")
            db.rows("DELETE FROM page_text WHERE hash NOT IN (SELECT hash FROM source)")
            db.rows(
                "DELETE FROM model WHERE NOT EXISTS (SELECT 1 FROM collection "
                "WHERE collection.model = model.id OR collection.model_id = model.model_id)"
            )
        # Another program may be reading; the next call tries again.
        with contextlib.suppress(apsw.BusyError):
            db.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    @in_storage_thread
    def all(self, collection_id: CollectionId, *, only_problems: bool = False) -> tuple[Source, ...]:
        """Return the files of a collection by path; ``only_problems`` are unreadable or have warnings."""
        rows = self._database.rows(
            f"{_SELECT} WHERE source.collection_id = ?1 AND (NOT ?2 OR source.state = 'unreadable' "
            f"OR {_HAS_WARNINGS}) ORDER BY source.path",
            collection_id,
            only_problems,
        )
        return tuple(map(_source, rows))

    @in_storage_thread
    def state(self, collection_id: CollectionId) -> CollectionState:
        """Return how many files of a collection are in which state; the service adds its current activity."""
        db = self._database
        counts = {
            (read_text(state), bool(offline)): _int(n)
            for state, offline, n in db.rows(
                "SELECT CAST(state AS BLOB), is_offline, count(*) FROM source JOIN root ON root.id = root_id "
                "WHERE source.collection_id = ? GROUP BY 1, 2",
                collection_id,
            )
        }
        n_passages, n_embedded, n_warned, n_textless, n_unheard = db.row(
            "SELECT coalesce(sum(n_chunks), 0), coalesce(sum(state = 'searchable' "  # noqa: S608
            "AND collection.model IS NOT NULL AND embedded_by IS NOT NULL), 0), "
            f"coalesce(sum({_HAS_WARNINGS}), 0), coalesce(sum(state = 'unreadable' AND scans != '[]'), 0), "
            "coalesce(sum(state = 'unreadable' AND error = ?), 0) "
            "FROM source JOIN collection ON collection.id = collection_id WHERE collection_id = ?",
            to_json(NEEDS_SPEECH),
            collection_id,
        ) or (0, 0, 0, 0, 0)
        n_searchable = _sum(counts, "searchable")
        n_scans, n_scans_read, read_by = scans_of(db, collection_id)
        return CollectionState(
            n_files=sum(counts.values()),
            n_searchable=n_searchable,
            n_embedded=_int(n_embedded),
            n_unreadable=_sum(counts, "unreadable"),
            n_textless=_int(n_textless),
            n_unheard=_int(n_unheard),
            n_warned=_int(n_warned),
            n_waiting=_sum(counts, "waiting"),
            n_offline=counts.get(("searchable", True), 0),
            n_passages=_int(n_passages),
            n_scans=n_scans,
            n_scans_read=n_scans_read,
            read_by=read_by,
        )


def _sum(counts: dict[tuple[str, bool], int], state: str) -> int:
    return counts.get((state, False), 0) + counts.get((state, True), 0)


def _insert(db: Database, collection_id: CollectionId, root_id: int, file: FoundFile) -> int:
    """Add a file; return 0 if another root of the collection has it already, else 1."""
    before = db.connection.total_changes()
    db.rows(
        "INSERT OR IGNORE INTO source (collection_id, root_id, path, name, size, mtime_ns, inode) "
        "VALUES (?, ?, ?, ?, ?, ?, ?)",
        collection_id,
        root_id,
        file.path,
        PurePath(file.path).name,
        file.size,
        file.mtime_ns,
        file.inode,
    )
    return db.connection.total_changes() - before


def _note_change(db: Database, source_id: Value, file: FoundFile) -> None:
    """Have a file read again; its previous content can be found until then."""
    db.rows(
        "UPDATE source SET size = ?, mtime_ns = ?, inode = ?, state = 'waiting', n_tries = 0 WHERE id = ?",
        file.size,
        file.mtime_ns,
        file.inode,
        source_id,
    )


def _move(db: Database, source_id: Value, file: FoundFile) -> None:
    """Set a new path; the chunks stay, and are indexed under the new name."""
    chunks = indexed_chunks(db, source_id)
    name = PurePath(file.path).name
    unindex(db, chunks)
    db.rows("UPDATE source SET path = ?, name = ? WHERE id = ?", file.path, name, source_id)
    for chunk in chunks:
        index(db, msgspec.structs.replace(chunk, title=name))


def remove_source(db: Database, source_id: Value) -> None:
    """Remove a file with its chunks, within a transaction."""
    remove_chunks(db, source_id)
    db.rows("DELETE FROM source WHERE id = ?", source_id)


def _source(row: Row) -> Source:
    id_, collection_id, path, name, size, hash_, state, error, warnings, *rest = row
    is_offline, n_passages, n_scans, is_embedded = rest
    stored_state = SourceState(read_text(state))
    return Source(
        id=SourceId(_int(id_)),
        collection_id=CollectionId(str(collection_id)),
        path=read_text(path),
        name=read_text(name),
        state=SourceState.OFFLINE if is_offline and stored_state is SourceState.SEARCHABLE else stored_state,
        size_bytes=_int(size),
        content_hash=read_text(hash_),
        error=render_sentence(_ERROR.decode(read_text(error))) if error is not None else "",
        warnings=tuple(map(render, _WARNINGS.decode(read_text(warnings)))),
        n_passages=_int(n_passages),
        n_scans=_int(n_scans),
        is_embedded=bool(is_embedded) and bool(n_passages),
    )


def _int(value: Value) -> int:
    return value if isinstance(value, int) else 0
