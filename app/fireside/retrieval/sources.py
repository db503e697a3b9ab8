"""The files of collections as the database has them: found, read, changed, moved, gone."""

from __future__ import annotations

import contextlib
from pathlib import PurePath
from typing import Final

import apsw
import msgspec

from fireside.core.collection import CollectionState, Source, SourceState
from fireside.core.i18n import Translatable, render, render_sentence
from fireside.core.ids import CollectionId, SourceId
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.chunk_rows import remove_chunks, replace_chunks
from fireside.retrieval.folder_scan import FolderScan, FoundFile
from fireside.retrieval.scanned_pages import add_known_pages, scans_of
from fireside.retrieval.word_index import index, indexed_chunks, unindex
from fireside.storage.database import Database, Durability, Repository, Row, Value, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import to_json

_WORDS: Final = msgspec.json.Decoder(Translatable)
_WARNINGS: Final = msgspec.json.Decoder(tuple[Translatable, ...])
_SELECT: Final = """
    SELECT source.id, source.collection_id, CAST(source.path AS BLOB), CAST(source.name AS BLOB), source.size,
      CAST(source.hash AS BLOB), CAST(source.state AS BLOB), CAST(source.error AS BLOB),
      CAST(source.warnings AS BLOB), root.is_offline, source.n_chunks,
      collection.model IS NOT NULL AND source.embedded_by IS NOT NULL
    FROM source
    JOIN root ON root.id = source.root_id
    JOIN collection ON collection.id = source.collection_id
"""
_WARNED: Final = "(source.state = 'searchable' AND source.warnings != '[]')"


class WaitingFile(msgspec.Struct, frozen=True, kw_only=True):
    """A file that is to be read."""

    id: SourceId
    path: str
    name: str
    size: int
    hash: str
    """Of what was read of it before; empty for a new one."""


class ReadFile(msgspec.Struct, frozen=True, kw_only=True):
    """What reading a file gave: chunks, or why there are none."""

    hash: str
    chunks: tuple[Chunk, ...] = ()
    scans: tuple[int, ...] = ()
    """Numbers of the pages that show something and have no text; of a picture, 1."""
    warnings: tuple[Translatable, ...] = ()
    error: Translatable = ""
    is_same: bool = False
    """It has the bytes that it had; nothing else is said of it."""


class Changes(msgspec.Struct, frozen=True, kw_only=True):
    """What a scan found, in files."""

    n_new: int = 0
    n_changed: int = 0
    n_moved: int = 0
    n_gone: int = 0

    def __bool__(self) -> bool:
        return bool(self.n_new or self.n_changed or self.n_moved or self.n_gone)


class Sources(Repository):
    """All raise ``StorageError``. What is written survives a killed program; after a power cut the last of it
    may be read again."""

    @in_storage_thread
    def apply_scan(self, collection_id: CollectionId, root_id: int, scan: FolderScan) -> Changes:
        """Bring the files of a root in step with what was found in it, all at once.

        Files whose folder could not be looked into stay. Of a root that is not there all stay, as offline.
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
                # What is mounted elsewhere leaves an empty folder of another drive behind.
                not scan.files and bool(known) and was_device[0] not in (None, scan.device)
            )
            # What has not changed is not written: a search would look through all vectors anew.
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
        found = {file.path: file for file in scan.files}
        left = {
            old[0]: old[1:]
            for path, old in known.items()
            if path not in found and not scan.is_below_failed(path)
        }
        by_facts = {facts: id_ for id_, facts in left.items()}
        n_new = n_changed = n_moved = 0
        for file in scan.files:
            facts = (file.size, file.mtime_ns, file.inode)
            if (old := known.get(file.path)) is not None:
                if old[1:] != facts:
                    n_changed += 1
                    _note_change(db, old[0], file)
            elif (moved := by_facts.pop(facts, None)) is not None:
                n_moved += 1
                del left[moved]
                _move(db, moved, file)
            else:
                n_new += _insert(db, collection_id, root_id, file)
        for id_ in left:
            remove_source(db, id_)
        return Changes(n_new=n_new, n_changed=n_changed, n_moved=n_moved, n_gone=len(left))

    @in_storage_thread
    def waiting(self, collection_id: CollectionId, *, limit: int) -> tuple[WaitingFile, ...]:
        """Return files that are to be read, the smallest first: most can be searched soonest."""
        rows = self._database.rows(
            "SELECT source.id, CAST(source.path AS BLOB), CAST(name AS BLOB), size, CAST(hash AS BLOB) "
            "FROM source JOIN root ON root.id = root_id "
            "WHERE source.collection_id = ? AND state = 'waiting' AND NOT is_offline ORDER BY size LIMIT ?",
            collection_id,
            limit,
        )
        return tuple(
            WaitingFile(
                id=SourceId(_whole(id_)),
                path=read_text(path),
                name=read_text(name),
                size=_whole(size),
                hash=read_text(hash_),
            )
            for id_, path, name, size, hash_ in rows
        )

    @in_storage_thread
    def store_result(self, file: WaitingFile, read: ReadFile) -> None:
        """Keep what was read of a file in place of what was read of it before, in one commit.

        A file that is no collection's any more is left alone. Vectors of texts that stay are kept.
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
                "UPDATE source SET hash = ?, state = ?, error = ?, warnings = ?, scans = ? WHERE id = ?",
                read.hash,
                "unreadable" if read.error else "searchable",
                to_json(read.error) if read.error else None,
                to_json(read.warnings),
                to_json(read.scans),
                file.id,
            )
            if read.scans:
                add_known_pages(db, file.id, read.hash)

    @in_storage_thread
    def remove_root(self, root_id: int) -> None:
        """Remove a root with all that was read of it."""
        db = self._database
        with db.transaction():
            for (id_,) in db.rows("SELECT id FROM source WHERE root_id = ?", root_id):
                remove_source(db, id_)
            db.rows("DELETE FROM root WHERE id = ?", root_id)

    @in_storage_thread
    def retry_failed(self, collection_id: CollectionId) -> None:
        """Have what could not be read tried again."""
        with self._database.transaction(Durability.PROCESS):
            self._database.rows(
                "UPDATE source SET state = 'waiting', hash = '' "
                "WHERE collection_id = ? AND state = 'unreadable' AND scans = '[]'",
                collection_id,
            )

    @in_storage_thread
    def remove_unused(self) -> None:
        """Remove the vectors of texts that no file has any more and of models that nothing asks for, and what
        was removed from the journal too."""
        db = self._database
        with db.transaction(Durability.PROCESS):
            # CROSS JOIN: from the few that were removed, not through all vectors.
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
        # Another program may be reading; then it is left for the next time.
        with contextlib.suppress(apsw.BusyError):
            db.connection.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    @in_storage_thread
    def all(self, collection_id: CollectionId, *, only_problems: bool = False) -> tuple[Source, ...]:
        """Return the files of a collection by path."""
        rows = self._database.rows(
            f"{_SELECT} WHERE source.collection_id = ?1 AND (NOT ?2 OR source.state = 'unreadable' "
            f"OR {_WARNED}) ORDER BY source.path",
            collection_id,
            only_problems,
        )
        return tuple(map(_source, rows))

    @in_storage_thread
    def state(self, collection_id: CollectionId) -> CollectionState:
        """Return how far the files of a collection are read; what is done for it now is not known here."""
        db = self._database
        counts = {
            (read_text(state), bool(offline)): _whole(n)
            for state, offline, n in db.rows(
                "SELECT CAST(state AS BLOB), is_offline, count(*) FROM source JOIN root ON root.id = root_id "
                "WHERE source.collection_id = ? GROUP BY 1, 2",
                collection_id,
            )
        }
        n_passages, n_embedded, n_warned = db.row(
            "SELECT coalesce(sum(n_chunks), 0), coalesce(sum(state = 'searchable' "  # noqa: S608
            f"AND collection.model IS NOT NULL AND embedded_by IS NOT NULL), 0), coalesce(sum({_WARNED}), 0) "
            "FROM source JOIN collection ON collection.id = collection_id WHERE collection_id = ?",
            collection_id,
        ) or (0, 0, 0)
        n_searchable = _sum(counts, "searchable")
        n_scans, n_scans_read, read_by = scans_of(db, collection_id)
        return CollectionState(
            n_files=sum(counts.values()),
            n_searchable=n_searchable,
            n_embedded=_whole(n_embedded),
            n_unreadable=_sum(counts, "unreadable"),
            n_warned=_whole(n_warned),
            n_waiting=_sum(counts, "waiting"),
            n_offline=counts.get(("searchable", True), 0),
            n_passages=_whole(n_passages),
            n_scans=n_scans,
            n_scans_read=n_scans_read,
            read_by=read_by,
        )


def _sum(counts: dict[tuple[str, bool], int], state: str) -> int:
    return counts.get((state, False), 0) + counts.get((state, True), 0)


def _insert(db: Database, collection_id: CollectionId, root_id: int, file: FoundFile) -> int:
    """Add a file, if it is not the collection's already by another root; returns how many were added."""
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
    """Have a file read again; what was read of it is found until then."""
    db.rows(
        "UPDATE source SET size = ?, mtime_ns = ?, inode = ?, state = 'waiting' WHERE id = ?",
        file.size,
        file.mtime_ns,
        file.inode,
        source_id,
    )


def _move(db: Database, source_id: Value, file: FoundFile) -> None:
    """Give a source the new path of its file; its chunks stay, and are found by the new name."""
    chunks = indexed_chunks(db, source_id)
    name = PurePath(file.path).name
    unindex(db, chunks)
    db.rows("UPDATE source SET path = ?, name = ? WHERE id = ?", file.path, name, source_id)
    for chunk in chunks:
        index(db, msgspec.structs.replace(chunk, title=name))


def remove_source(db: Database, source_id: Value) -> None:
    """Remove a file and all that was read of it, within a transaction."""
    remove_chunks(db, source_id)
    db.rows("DELETE FROM source WHERE id = ?", source_id)


def _source(row: Row) -> Source:
    id_, collection_id, path, name, size, hash_, state, error, warnings, is_offline, n_passages, has_all = row
    stands = SourceState(read_text(state))
    return Source(
        id=SourceId(_whole(id_)),
        collection_id=CollectionId(str(collection_id)),
        path=read_text(path),
        name=read_text(name),
        state=SourceState.OFFLINE if is_offline and stands is SourceState.SEARCHABLE else stands,
        size_bytes=_whole(size),
        content_hash=read_text(hash_),
        error=render_sentence(_WORDS.decode(read_text(error))) if error is not None else "",
        warnings=tuple(map(render, _WARNINGS.decode(read_text(warnings)))),
        n_passages=_whole(n_passages),
        is_embedded=bool(has_all) and bool(n_passages),
    )


def _whole(value: Value) -> int:
    return value if isinstance(value, int) else 0
