"""Read passages and the text around them out of the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from fireside.core.collection import Location, Passage, Scores, TextExtent
from fireside.core.ids import CollectionId, SourceId
from fireside.storage.database import Database, Repository, Row, Value, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable

_LOCATION: Final = msgspec.json.Decoder(Location)
_HEADINGS: Final = msgspec.json.Decoder(tuple[str, ...])
_SELECT: Final = """
    SELECT CAST(source.collection_id AS BLOB), source.id, CAST(source.name AS BLOB),
      CAST(source.path AS BLOB), CAST(source.hash AS BLOB), CAST(chunk.headings AS BLOB),
      CAST(chunk.location AS BLOB), chunk.char_from, chunk.char_to, CAST(chunk.text AS BLOB), chunk.is_hidden,
      CAST(chunk.read_by AS BLOB)
    FROM chunk JOIN source ON source.id = chunk.source_id
"""


class TextPiece(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of a source's text around a passage."""

    text: str
    mark_from: int
    """Where in ``text`` the passage begins."""
    n_lines_before: int
    is_start: bool
    is_end: bool
    n_chars: int
    """Of all text of the source."""


class PassageRows(Repository):
    """All raise ``StorageError``."""

    @in_storage_thread
    def all_text(
        self, collection_ids: Sequence[CollectionId], *, most_chars: int
    ) -> tuple[Passage, ...] | None:
        """Return all text of collections in passages that do not overlap; ``None`` where it is longer."""
        db = self._database
        marks = ", ".join("?" * len(collection_ids))
        (n_chars,) = db.row(
            "SELECT sum(n) FROM (SELECT max(char_to) AS n FROM chunk JOIN source ON source.id = source_id "  # noqa: S608
            f"WHERE collection_id IN ({marks}) GROUP BY source_id)",
            *collection_ids,
        ) or (0,)
        if not isinstance(n_chars, int):
            return ()
        if n_chars > most_chars:
            return None
        rows = db.rows(
            f"{_SELECT} WHERE source.collection_id IN ({marks}) ORDER BY source.path, source.id, char_from",
            *collection_ids,
        )
        return tuple(_without_overlap([passage_of(row) for row in rows]))

    @in_storage_thread
    def extent(self, collection_ids: Sequence[CollectionId]) -> TextExtent:
        """Return how much text there is in collections."""
        row = self._database.row(
            "SELECT count(*), count(n), sum(n) FROM (SELECT (SELECT max(char_to) FROM chunk WHERE "  # noqa: S608
            f"source_id = source.id) AS n FROM source WHERE id IN ({_each_file_once(collection_ids)}))",
            *collection_ids,
        )
        n_files, n_read, n_chars = row or (0, 0, 0)
        assert isinstance(n_files, int)
        assert isinstance(n_read, int)
        return TextExtent(
            n_files=n_read,
            n_chars=n_chars if isinstance(n_chars, int) else 0,
            n_left_out=n_files - n_read,
        )

    @in_storage_thread
    def read_on(
        self, collection_ids: Sequence[CollectionId], *, path: str, char_to: int, limit: int
    ) -> tuple[Passage, ...]:
        """Return the next passages behind a place in the text of collections, by file, none of it twice.

        ``path`` and ``char_to`` are that place; an empty path is the beginning.
        """
        rows = self._database.rows(
            f"{_SELECT} WHERE source.id IN ({_each_file_once(collection_ids)}) "
            "AND (source.path > ? OR (source.path = ? AND chunk.char_to > ?)) "
            "ORDER BY source.path, char_from LIMIT ?",
            *collection_ids,
            path,
            path,
            char_to,
            limit,
        )
        found = [passage_of(row) for row in rows]
        if found and found[0].path == path:
            found[0] = _from(found[0], char_to)
        return tuple(each for each in _without_overlap(found) if each.text.strip())

    @in_storage_thread
    def text_around(self, passage: Passage, *, n_chars: int) -> TextPiece | None:
        """Return the text of a passage's source around it; ``None`` where that was read anew."""
        db = self._database
        row = db.row(
            "SELECT source.id, (SELECT max(char_to) FROM chunk WHERE source_id = source.id) FROM source "
            "WHERE hash = ? AND (id = ? OR path = ?) ORDER BY id = ? DESC LIMIT 1",
            passage.content_hash,
            passage.source_id,
            passage.path,
            passage.source_id,
        )
        if row is None:
            return None
        source_id, n_all = row
        if not isinstance(n_all, int):
            return None
        at = _place(db, source_id, passage)
        rows = db.rows(
            f"{_SELECT} WHERE source.id = ? AND char_to > ? AND char_from < ? ORDER BY char_from",
            source_id,
            max(0, at - n_chars // 2),
            at + len(passage.text) + n_chars // 2,
        )
        pieces = list(_without_overlap([passage_of(row) for row in rows]))
        if not any(piece.char_from <= at < piece.char_to for piece in pieces):
            return None
        first = pieces[0].char_from
        before = db.rows(
            "SELECT CAST(text AS BLOB), char_from, char_to FROM chunk WHERE source_id = ? AND char_from < ? "
            "ORDER BY char_from",
            source_id,
            first,
        )
        n_lines, end = 0, 0
        for text, char_from, _char_to in before:
            assert isinstance(char_from, int)
            piece = read_text(text)[end - char_from : first - char_from]
            n_lines += piece.count("\n")
            end += len(piece)
        end = pieces[-1].char_to
        return TextPiece(
            text="".join(piece.text for piece in pieces),
            mark_from=at - first,
            n_lines_before=n_lines,
            is_start=first == 0,
            is_end=end >= n_all,
            n_chars=n_all,
        )


def _place(db: Database, source_id: Value, passage: Passage) -> int:
    """Return where a passage begins in the text of its source: other pages may have been read since."""
    row = db.row(
        "SELECT char_from + instr(text, ?1) - 1 AS place FROM chunk "
        "WHERE source_id = ?2 AND instr(text, ?1) ORDER BY abs(place - ?3) LIMIT 1",
        storable(passage.text),
        source_id,
        passage.char_from,
    )
    return row[0] if row is not None and isinstance(row[0], int) else passage.char_from


def read_passages(db: Database, chunk_ids: Sequence[int]) -> dict[int, Passage]:
    """Return the passages of chunks by their ids; those that are gone are missing."""
    found: dict[int, Passage] = {}
    for id_ in chunk_ids:
        row = db.row(f"{_SELECT} WHERE chunk.id = ?", id_)
        if row is not None:
            found[id_] = passage_of(row)
    return found


def passage_of(row: Row, *, scores: Scores | None = None) -> Passage:
    """Return a row as a passage."""
    collection_id, source_id, name, path, hash_, headings, location, char_from, char_to, text, *of_text = row
    is_hidden, read_by = of_text
    assert isinstance(source_id, int)
    assert isinstance(char_from, int)
    assert isinstance(char_to, int)
    return Passage(
        collection_id=CollectionId(read_text(collection_id)),
        source_id=SourceId(source_id),
        name=read_text(name),
        path=read_text(path),
        content_hash=read_text(hash_),
        headings=_HEADINGS.decode(read_text(headings)),
        location=_LOCATION.decode(read_text(location)),
        char_from=char_from,
        char_to=char_to,
        text=read_text(text),
        scores=scores,
        is_hidden=bool(is_hidden),
        read_by=read_text(read_by),
    )


def _each_file_once(collection_ids: Sequence[CollectionId]) -> str:
    """Return what selects the files of collections; one that is in several counts once."""
    marks = ", ".join("?" * len(collection_ids))
    return f"SELECT min(id) FROM source WHERE collection_id IN ({marks}) GROUP BY path"  # noqa: S608


def _from(passage: Passage, char_from: int) -> Passage:
    """Return what of a passage stands at a character of its file's text, and behind it."""
    n_before = max(0, char_from - passage.char_from)
    return msgspec.structs.replace(
        passage, char_from=passage.char_from + n_before, text=passage.text[n_before:]
    )


def _without_overlap(passages: Iterable[Passage]) -> Iterable[Passage]:
    """Return the passages of each source without what the one before has already."""
    before: Passage | None = None
    for passage in passages:
        end = before.char_to if before is not None and before.source_id == passage.source_id else 0
        before = passage
        yield _from(passage, end)
