"""Pages and images without text in the database, and the text that a vision model read on them."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import msgspec

from fireside.core.i18n import tr_noop
from fireside.core.ids import CollectionId, ModelId
from fireside.documents.extracted_text import locate_marks
from fireside.documents.markdown import mark_markdown
from fireside.documents.messages import ReadReply, Section, SectionKind
from fireside.retrieval.chunk import Chunk
from fireside.retrieval.chunk_rows import add_chunks, remove_chunks
from fireside.retrieval.chunking import chunks_of
from fireside.storage.database import Database, Durability, Repository, Value, in_storage_thread
from fireside.storage.rows import read_text
from fireside.storage.text import storable, to_json

NO_TEXT: Final = tr_noop("no text.")
_NAME: Final = "page.md"
"""The output of models is split as Markdown."""


class ScannedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A page or an image for a vision model to read."""

    path: str
    name: str
    """Of its file."""
    hash: str
    number: int
    """From 1."""


class ScannedPages(Repository):
    """All methods raise ``StorageError``. Writes survive a killed program."""

    @in_storage_thread
    def next(
        self,
        collection_id: CollectionId,
        model_id: ModelId,
        *,
        exclude: Collection[tuple[str, int]] = (),
    ) -> ScannedPage | None:
        """Return a page of a collection that ``model_id`` has not read, or ``None``.

        ``exclude`` are pages to leave out: the hash of the file and the number of the page.
        """
        rows = self._database.connection.execute(
            "SELECT CAST(source.path AS BLOB), CAST(name AS BLOB), CAST(hash AS BLOB), scan.value "
            "FROM source JOIN root ON root.id = root_id, json_each(scans) AS scan "
            "WHERE source.collection_id = ? AND scans != '[]' AND state != 'waiting' AND NOT is_offline "
            "AND NOT EXISTS (SELECT 1 FROM page_text WHERE page_text.hash = source.hash "
            "AND page = scan.value AND model_id = ?) ORDER BY source.id, scan.value",
            (collection_id, model_id),
        )
        for path, name, hash_, number in rows:
            if isinstance(number, int) and (read_text(hash_), number) not in exclude:
                rows.close()
                return ScannedPage(
                    path=read_text(path), name=read_text(name), hash=read_text(hash_), number=number
                )
        return None

    @in_storage_thread
    def store(self, page: ScannedPage, *, model_id: ModelId, model_name: str, text: str) -> None:
        """Store the text of a page, replacing that of another model, and index it for all files that have the
        page, in one transaction."""
        db = self._database
        with db.transaction(Durability.PROCESS):
            db.rows(
                "INSERT OR REPLACE INTO page_text (hash, page, model_id, model_name, text) "
                "VALUES (?, ?, ?, ?, ?)",
                page.hash,
                page.number,
                model_id,
                storable(model_name),
                storable(text),
            )
            for (source_id,) in db.rows("SELECT id FROM source WHERE hash = ?", page.hash):
                _put_page(db, source_id, page.number, text=text, read_by=model_name)
                _update_state(db, source_id)


def add_known_pages(db: Database, source_id: Value, hash_: str) -> None:
    """Add the text of pages that were read before to a file with the same hash, within a transaction."""
    rows = db.rows(
        "SELECT page, CAST(model_name AS BLOB), CAST(text AS BLOB) FROM page_text WHERE hash = ? "
        "ORDER BY page",
        hash_,
    )
    for number, model_name, text in rows:
        assert isinstance(number, int)
        _put_page(db, source_id, number, text=read_text(text), read_by=read_text(model_name))
    _update_state(db, source_id)


def scans_of(db: Database, collection_id: CollectionId) -> tuple[int, int, str]:
    """Return the number of pages without text, of those that were read, and the names of the models."""
    (n_scans,) = db.row(
        "SELECT coalesce(sum(json_array_length(scans)), 0) FROM source "
        "WHERE collection_id = ? AND scans != '[]'",
        collection_id,
    ) or (0,)
    n_read, models = db.row(
        "SELECT count(*), CAST(coalesce(group_concat(DISTINCT model_name), '') AS BLOB) "
        "FROM source JOIN page_text ON page_text.hash = source.hash "
        "WHERE collection_id = ? AND scans != '[]'",
        collection_id,
    ) or (0, b"")
    assert isinstance(n_scans, int)
    assert isinstance(n_read, int)
    return n_scans, n_read, read_text(models).replace(",", ", ")


def _put_page(db: Database, source_id: Value, number: int, *, text: str, read_by: str) -> None:
    """Insert the text of a page between the pages of its file, replacing an earlier text."""
    before = db.rows(
        "SELECT id, char_from, char_to FROM chunk WHERE source_id = ? AND read_by != '' "
        "AND json_extract(location, '$.page') = ? ORDER BY char_from",
        source_id,
        number,
    )
    if before:
        remove_chunks(db, source_id, only=[id_ for id_, *_ in before if isinstance(id_, int)])
        start, end = before[0][1], before[-1][2]
        assert isinstance(start, int)
        assert isinstance(end, int)
        _shift(db, source_id, start=end, by=start - end)
    (position,) = db.row(
        "SELECT coalesce(min(char_from) FILTER (WHERE json_extract(location, '$.page') > ?2), max(char_to), "
        "0) FROM chunk WHERE source_id = ?1",
        source_id,
        number,
    ) or (0,)
    assert isinstance(position, int)
    section = Section(kind=SectionKind.PAGE, number=number, start=0)
    reply = locate_marks(ReadReply(text=mark_markdown(f"{text}\n\n"), sections=(section,)))
    chunks = chunks_of(reply, name=_NAME)
    if chunks:
        _shift(db, source_id, start=position, by=chunks[-1].char_to)
        add_chunks(db, source_id, [_shifted(chunk, position) for chunk in chunks], read_by=read_by)


def _shift(db: Database, source_id: Value, *, start: int, by: int) -> None:
    """Move the chunks of a file from the character ``start`` on ``by`` characters further."""
    db.rows(
        "UPDATE chunk SET char_from = char_from + ?, char_to = char_to + ? "
        "WHERE source_id = ? AND char_from >= ?",
        by,
        by,
        source_id,
        start,
    )


def _shifted(chunk: Chunk, n_chars: int) -> Chunk:
    return msgspec.structs.replace(
        chunk, char_from=chunk.char_from + n_chars, char_to=chunk.char_to + n_chars
    )


def _update_state(db: Database, source_id: Value) -> None:
    """Make a file searchable once a page has text; store an error if all pages were read and have none."""
    db.rows(
        "UPDATE source SET error = NULL, state = CASE state WHEN 'unreadable' THEN 'searchable' "
        "ELSE state END WHERE id = ? AND error IS NOT NULL AND n_chunks > 0",
        source_id,
    )
    db.rows(
        "UPDATE source SET error = ? WHERE id = ? AND error IS NOT NULL AND json_array_length(scans) = "
        "(SELECT count(*) FROM page_text WHERE page_text.hash = source.hash)",
        to_json(NO_TEXT),
        source_id,
    )
