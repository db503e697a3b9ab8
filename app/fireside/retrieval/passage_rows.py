"""Read passages and the text around them from the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePath
from typing import Final

import msgspec

from fireside.core.collection import Location, Passage, Scores, TextExtent
from fireside.core.i18n import Translatable, render
from fireside.core.ids import CollectionId, SourceId
from fireside.documents.extracted_text import HIDDEN
from fireside.storage.database import Database, Repository, Row, Value, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable

_LOCATION: Final = msgspec.json.Decoder(Location)
_HEADINGS: Final = msgspec.json.Decoder(tuple[str, ...])
_WARNINGS: Final = msgspec.json.Decoder(tuple[Translatable, ...])
_ABOUT_HIDDEN: Final = (HIDDEN,)
"""Warnings that are said of the passages concerned."""
_MAX_SAME: Final = 1_000
"""Files of one name that are told apart."""
_SELECT: Final = """
    SELECT CAST(source.collection_id AS BLOB), source.id, CAST(source.name AS BLOB),
      CAST(source.path AS BLOB), CAST(source.hash AS BLOB), CAST(chunk.headings AS BLOB),
      CAST(chunk.location AS BLOB), chunk.char_from, chunk.char_to, CAST(chunk.text AS BLOB), chunk.is_hidden,
      CAST(chunk.read_by AS BLOB), CAST(source.warnings AS BLOB)
    FROM chunk JOIN source ON source.id = chunk.source_id
"""


class StoredPiece(msgspec.Struct, frozen=True, kw_only=True):
    """The text of a source around a passage."""

    text: str
    mark_from: int
    """The start of the passage in ``text``."""
    n_lines_before: int
    is_start: bool
    is_end: bool
    n_chars: int
    """Of the whole source."""


class PassageRows(Repository):
    """All methods raise ``StorageError``."""

    @in_storage_thread
    def all_text(
        self, collection_ids: Sequence[CollectionId], *, max_chars: int
    ) -> tuple[Passage, ...] | None:
        """Return all text of collections as passages without overlap; ``None`` above ``max_chars``."""
        db = self._database
        placeholders = ", ".join("?" * len(collection_ids))
        (n_chars,) = db.row(
            "SELECT sum(n) FROM (SELECT max(char_to) AS n FROM chunk JOIN source ON source.id = source_id "  # noqa: S608
            f"WHERE collection_id IN ({placeholders}) GROUP BY source_id)",
            *collection_ids,
        ) or (0,)
        if not isinstance(n_chars, int):
            return ()
        if n_chars > max_chars:
            return None
        rows = db.rows(
            f"{_SELECT} WHERE source.collection_id IN ({placeholders}) "
            "ORDER BY source.path, source.id, char_from",
            *collection_ids,
        )
        passages = [passage_of(row) for row in rows]
        return tuple(_without_overlap(told_apart(db, passages)))

    @in_storage_thread
    def extent(self, collection_ids: Sequence[CollectionId]) -> TextExtent:
        """Return how many files and characters collections have; a file in several of them counts once."""
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
        """Return the passages that follow a position in the text of collections, without overlap.

        The position is the character ``char_to`` of the file ``path``; an empty path is the beginning.
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
        passages = told_apart(self._database, [passage_of(row) for row in rows])
        if passages and passages[0].path == path:
            passages[0] = _from(passages[0], char_to)
        return tuple(each for each in _without_overlap(passages) if each.text.strip())

    @in_storage_thread
    def text_around(self, passage: Passage, *, n_chars: int) -> StoredPiece | None:
        """Return the text around a passage in its source, or ``None`` if the source has changed."""
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
        source_id, n_total = row
        if not isinstance(n_total, int):
            return None
        start = _position(db, source_id, passage)
        rows = db.rows(
            f"{_SELECT} WHERE source.id = ? AND char_to > ? AND char_from < ? ORDER BY char_from",
            source_id,
            max(0, start - n_chars // 2),
            start + len(passage.text) + n_chars // 2,
        )
        pieces = list(_without_overlap([passage_of(row) for row in rows]))
        if not any(piece.char_from <= start < piece.char_to for piece in pieces):
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
        return StoredPiece(
            text="".join(piece.text for piece in pieces),
            mark_from=start - first,
            n_lines_before=n_lines,
            is_start=first == 0,
            is_end=end >= n_total,
            n_chars=n_total,
        )


def _position(db: Database, source_id: Value, passage: Passage) -> int:
    """Return where a passage is now in the text of its source: scanned pages may have been read since."""
    row = db.row(
        "SELECT char_from + instr(text, ?1) - 1 AS position FROM chunk "
        "WHERE source_id = ?2 AND instr(text, ?1) ORDER BY abs(position - ?3) LIMIT 1",
        storable(passage.text),
        source_id,
        passage.char_from,
    )
    return row[0] if row is not None and isinstance(row[0], int) else passage.char_from


def read_passages(db: Database, chunk_ids: Sequence[int]) -> dict[int, Passage]:
    """Return the passages of chunks by id; removed chunks are missing."""
    passages: dict[int, Passage] = {}
    for id_ in chunk_ids:
        row = db.row(f"{_SELECT} WHERE chunk.id = ?", id_)
        if row is not None:
            passages[id_] = passage_of(row)
    return dict(zip(passages, told_apart(db, list(passages.values())), strict=True))


def passage_of(row: Row, *, scores: Scores | None = None) -> Passage:
    """Return a row of ``_SELECT`` as a passage."""
    collection_id, source_id, name, path, hash_, headings, location, char_from, char_to, text, *rest = row
    is_hidden, read_by, warnings = rest
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
        warnings=tuple(
            render(each) for each in _WARNINGS.decode(read_text(warnings)) if each not in _ABOUT_HIDDEN
        ),
    )


def told_apart(db: Database, passages: Sequence[Passage]) -> list[Passage]:
    """Return passages with the folders that tell their files from others of the same name."""
    folders: dict[str, str] = {}
    for name in {passage.name for passage in passages}:
        rows = db.rows(
            "SELECT DISTINCT CAST(path AS BLOB) FROM source WHERE name = ? LIMIT ?", storable(name), _MAX_SAME
        )
        parts = {path: PurePath(path).parts[:-1] for path in (read_text(path) for (path,) in rows)}
        for path, own in parts.items():
            folders[path] = "/".join(_distinct_end(own, [each for each in parts.values() if each != own]))
    return [
        msgspec.structs.replace(passage, folder=folder)
        if (folder := folders.get(passage.path, ""))
        else passage
        for passage in passages
    ]


def _distinct_end(own: Sequence[str], others: Sequence[Sequence[str]]) -> Sequence[str]:
    """Return as many of the last folders of a path as no other path ends with."""
    n = 0
    while others and n < len(own):
        n += 1
        others = [each for each in others if each[-n:] == own[-n:]]
    return own[len(own) - n :]


def _each_file_once(collection_ids: Sequence[CollectionId]) -> str:
    """Return a query for the ids of the files of collections; a file in several of them once."""
    placeholders = ", ".join("?" * len(collection_ids))
    return f"SELECT min(id) FROM source WHERE collection_id IN ({placeholders}) GROUP BY path"  # noqa: S608


def _from(passage: Passage, char_from: int) -> Passage:
    """Return the part of a passage from a character of the file's text on."""
    n_dropped = max(0, char_from - passage.char_from)
    return msgspec.structs.replace(
        passage, char_from=passage.char_from + n_dropped, text=passage.text[n_dropped:]
    )


def _without_overlap(passages: Iterable[Passage]) -> Iterable[Passage]:
    """Return the passages of each source without the beginning that the passage before has too."""
    before: Passage | None = None
    for passage in passages:
        end = before.char_to if before is not None and before.source_id == passage.source_id else 0
        before = passage
        yield _from(passage, end)
