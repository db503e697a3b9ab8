"""Full-text search of conversations and messages."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile
from typing import Any, Final, TypeVar

import apsw
import msgspec

from fireside.core.chat import ConversationSummary, GenerationRecord, MessageState
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.graphemes import boundary_before
from fireside.core.ids import ConversationId, MessageId
from fireside.core.message import (
    AudioPart,
    DocumentPart,
    ImagePart,
    MessagePart,
    Role,
    TextPart,
    ToolResultPart,
    VideoPart,
)
from fireside.core.search import (
    ConversationMatch,
    Mark,
    SearchHit,
    SearchQuery,
    SearchResult,
    Snippet,
    Term,
    matcher,
    parse_terms,
    to_fts_query,
    to_pattern,
)
from fireside.core.text_folding import composed, fold, spaced
from fireside.storage.database import Database, Durability, Repository, Row, Value, in_storage_thread
from fireside.storage.rows import SELECT_SUMMARIES, read_parts, read_summary, read_text
from fireside.storage.text import to_json

T = TypeVar("T")

_MAX_CANDIDATES: Final = 1_000
"""Only the newest matches are ranked: to score 90,000 matches of “the” would take a second."""
_MAX_TITLES: Final = 100
_MAX_HITS_EACH: Final = 3
_CATCH_UP_S: Final = 0.02


class _Candidate(msgspec.Struct, frozen=True):
    message_id: MessageId
    conversation_id: ConversationId
    score: float


class Search(Repository):
    """The search index and its queries. All raise ``StorageError``."""

    @in_storage_thread
    def index_some(self, *, limit_s: float) -> bool:
        """Update the index for about ``limit_s`` seconds. Returns whether there is more to do."""
        return self._with_rebuild(
            lambda: index_pending(self._database, limit_s=limit_s) > 0 or merge(self._database)
        )

    @in_storage_thread
    def find(self, query: SearchQuery) -> SearchResult:
        """Return the matches, the best first. Any text is a valid query; one without words matches
        nothing."""
        terms = parse_terms(query.text)
        if not terms:
            return SearchResult()
        return self._with_rebuild(lambda: self._find(query, terms=terms))

    def _with_rebuild(self, work: Callable[[], T]) -> T:
        """Run ``work``; if the index is damaged, rebuild it once and try again."""
        try:
            return work()
        except (apsw.CorruptError, apsw.SQLError):
            rebuild(self._database)
            return work()

    def _find(self, query: SearchQuery, *, terms: Sequence[Term]) -> SearchResult:
        match, pattern = to_fts_query(terms), to_pattern(terms)
        n_not_indexed = index_pending(self._database, limit_s=_CATCH_UP_S)
        candidates = self._candidates(query, match=match)
        titles = self._titles(query, match=match, terms=terms)
        by_conversation: dict[ConversationId, list[_Candidate]] = {}
        for candidate in sorted(candidates, key=lambda candidate: -candidate.score):
            by_conversation.setdefault(candidate.conversation_id, []).append(candidate)
        order = [*titles, *(id_ for id_ in by_conversation if id_ not in titles)]
        selected = _selected(query.limit, order, by_conversation)
        summaries = self._summaries(list(selected))
        hits = {hit.message_id: hit for hit in self._hits(selected, pattern=pattern)}
        matches = tuple(
            ConversationMatch(
                summary=summaries[id_],
                title_marks=title_marks(summaries[id_].title, pattern=pattern),
                hits=tuple(hits[c.message_id] for c in some if c.message_id in hits),
                n_hits=len(by_conversation.get(id_, ())),
            )
            for id_, some in selected.items()
            if id_ in summaries
        )
        is_cut = len(candidates) == _MAX_CANDIDATES or len(selected) < len(order)
        return SearchResult(
            matches=matches, n_hits=len(candidates), is_truncated=is_cut, n_not_indexed=n_not_indexed
        )

    def _candidates(self, query: SearchQuery, *, match: str) -> list[_Candidate]:
        register(self._database.connection)
        conditions, bindings = _conditions(query)
        if query.role is not None:
            conditions.append("m.role = ?")
            bindings.append(query.role.value)
        if query.model_id is not None:
            conditions.append("coalesce(m.model_id, c.model_id) = ?")
            bindings.append(query.model_id)
        conditions += _between(query, column="m.created_at", bindings=bindings)
        rows = self._database.rows(
            # CROSS JOIN: the newest matches first, and no more than the limit.
            f"""
            SELECT m.message_id, m.conversation_id, m.created_at, {COUNTS}(search_text)
            FROM search_text
              CROSS JOIN search_message AS m ON m.message_id = search_text.rowid
              CROSS JOIN conversation AS c ON c.id = m.conversation_id
            WHERE search_text MATCH ? AND {" AND ".join(conditions)}
            ORDER BY search_text.rowid DESC LIMIT {_MAX_CANDIDATES}
            """,  # noqa: S608  # literals of ours
            match,
            *bindings,
        )
        now = self._clock()
        relevance = relevances([read_counts(row[3]) for row in rows])
        return [_scored(row, relevance=each, now=now) for row, each in zip(rows, relevance, strict=True)]

    def _titles(self, query: SearchQuery, *, match: str, terms: Sequence[Term]) -> dict[ConversationId, None]:
        """Return the conversations whose titles match, indexed or not, the last changed first."""
        if query.role is not None:
            return {}
        conditions, bindings = _conditions(query)
        if query.model_id is not None:
            conditions.append("c.model_id = ?")
            bindings.append(query.model_id)
        conditions += _between(query, column="c.updated_at", bindings=bindings)
        where = " AND ".join(conditions)
        indexed = self._database.rows(
            f"""
            SELECT c.id, c.updated_at
            FROM search_title CROSS JOIN conversation AS c ON c.id = search_title.rowid
            WHERE search_title MATCH ? AND {where}
              AND NOT EXISTS (SELECT 1 FROM search_pending WHERE kind = 'title' AND id = c.id)
            ORDER BY c.updated_at DESC, c.id DESC LIMIT {_MAX_TITLES}
            """,  # noqa: S608  # literals of ours
            match,
            *bindings,
        )
        pending = self._database.rows(
            f"""
            SELECT c.id, c.updated_at, CAST(c.title AS BLOB)
            FROM search_pending AS p CROSS JOIN conversation AS c ON c.id = p.id
            WHERE p.kind = 'title' AND {where}
            """,  # noqa: S608  # literals of ours
            *bindings,
        )
        matches = matcher(terms)
        found = [*indexed, *(row[:2] for row in pending if matches(read_text(row[2])))]
        latest = sorted(((at, id_) for id_, at in found if isinstance(id_, int)), reverse=True)
        return {ConversationId(id_): None for _at, id_ in latest[:_MAX_TITLES]}

    def _summaries(self, ids: Sequence[ConversationId]) -> dict[ConversationId, ConversationSummary]:
        rows = self._database.rows(
            f"{SELECT_SUMMARIES} AND id IN (SELECT value FROM json_each(?))",  # noqa: S608  # constants
            to_json(ids),
        )
        return {summary.id: summary for summary in map(read_summary, rows)}

    def _hits(
        self, selected: dict[ConversationId, list[_Candidate]], *, pattern: re.Pattern[str]
    ) -> list[SearchHit]:
        ids = [candidate.message_id for some in selected.values() for candidate in some]
        rows = self._database.rows(
            "SELECT id, CAST(role AS BLOB), created_at, CAST(parts AS BLOB) FROM message "
            "WHERE id IN (SELECT value FROM json_each(?)) AND deleted_at IS NULL",
            to_json(ids),
        )
        return [_hit(row, pattern=pattern) for row in rows]


def _conditions(query: SearchQuery) -> tuple[list[str], list[Value]]:
    conditions, bindings = ["c.deleted_at IS NULL"], list[Value]()
    if query.folder_id is not None:
        conditions.append("c.folder_id = ?")
        bindings.append(query.folder_id)
    if query.archived is not None:
        conditions.append(f"c.archived_at IS {'NOT ' * query.archived}NULL")
    return conditions, bindings


def _between(query: SearchQuery, *, column: str, bindings: list[Value]) -> list[str]:
    conditions = []
    if query.since is not None:
        conditions.append(f"{column} >= ?")
        bindings.append(query.since)
    if query.before is not None:
        conditions.append(f"{column} < ?")
        bindings.append(query.before)
    return conditions


def _scored(row: Row, *, relevance: float, now: float) -> _Candidate:
    message_id, conversation_id, created_at, _counts = row
    assert isinstance(message_id, int)
    assert isinstance(conversation_id, int)
    assert isinstance(created_at, float)
    return _Candidate(
        message_id=MessageId(message_id),
        conversation_id=ConversationId(conversation_id),
        score=relevance * freshness(now - created_at),
    )


def _selected(
    limit: int,
    order: Sequence[ConversationId],
    by_conversation: dict[ConversationId, list[_Candidate]],
) -> dict[ConversationId, list[_Candidate]]:
    """Return the conversations to show, each with its best messages, ``limit`` lines in total."""
    selected: dict[ConversationId, list[_Candidate]] = {}
    n_lines = 0
    for id_ in order:
        if n_lines >= limit:
            break
        selected[id_] = by_conversation.get(id_, [])[:_MAX_HITS_EACH]
        n_lines += max(1, len(selected[id_]))
    return selected


def _hit(row: Row, *, pattern: re.Pattern[str]) -> SearchHit:
    id_, role, created_at, parts = row
    assert isinstance(id_, int)
    return SearchHit(
        message_id=MessageId(id_),
        role=Role(read_text(role)),
        created_at=created_at if isinstance(created_at, float) else 0.0,
        snippet=snippet(text_of(parts), pattern=pattern),
    )


COUNTS: Final = "search_counts"
"""The SQL function that returns the length of a text in words and the count of each term, space-separated."""

_SATURATION: Final = 1.2
_LENGTH_NORMALISATION: Final = 0.75
_HALF_LIFE_S: Final = 90 * 86_400.0
_MIN_FRESHNESS: Final = 0.4
"""The factor of an old message's relevance; that of a new one is 1."""


def register(connection: apsw.Connection) -> None:
    """Register ``COUNTS``. Idempotent."""
    connection.register_fts5_function(COUNTS, _counts)


def read_counts(value: Value) -> tuple[int, ...]:
    """Parse the result of ``COUNTS``."""
    return tuple(map(int, value.split())) if isinstance(value, str) else (1,)


def relevances(counts: Sequence[tuple[int, ...]]) -> list[float]:
    """Return the relevance of each text from its ``COUNTS``, relative to the average of all; higher is
    better."""
    if not counts:
        return []
    mean_length, *means = (max(1e-9, sum(column) / len(column)) for column in zip(*counts, strict=True))
    return [
        sum(_saturated(n / mean, length=length / mean_length) for n, mean in zip(terms, means, strict=True))
        for length, *terms in counts
    ]


def freshness(age_s: float) -> float:
    """Return the factor by which age reduces relevance."""
    decay: float = 0.5 ** (max(0.0, age_s) / _HALF_LIFE_S)
    return _MIN_FRESHNESS + (1 - _MIN_FRESHNESS) * decay


def _saturated(n: float, *, length: float) -> float:
    return (
        n
        * (_SATURATION + 1)
        / (n + _SATURATION * (1 - _LENGTH_NORMALISATION + _LENGTH_NORMALISATION * length))
    )


def _counts(api: apsw.FTS5ExtensionApi, *_arguments: Any) -> str:
    n_found = (sum(map(len, api.phrase_locations(number))) for number in range(api.phrase_count))
    return " ".join(map(str, (api.column_size(0), *n_found)))


_MAX_CHARACTERS: Final = 200_000
_MAX_MATCHES: Final = 100
_LENGTH: Final = 180
_LEAD: Final = 36
_SPACE: Final = re.compile(r"[\s\x00-\x1f\x7f-\x9f]+")
_BIDI_CONTROLS: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that would change the direction of the rest of a line."""


def title_marks(title: str, *, pattern: re.Pattern[str]) -> tuple[Mark, ...]:
    """Return the positions of matches in a title; none if folding changes its length."""
    folded = fold(title)
    if len(folded) != len(title):
        return ()
    return tuple(match.span() for match in pattern.finditer(folded))


def snippet(text: str, *, pattern: re.Pattern[str]) -> Snippet:
    """Return the part of ``text`` with the most different terms, on one line."""
    text = composed(text[:_MAX_CHARACTERS])
    matches = list(islice(pattern.finditer(fold(text)), _MAX_MATCHES))
    start, end = _window(text, matches)
    marks = [match.span() for match in matches if start <= match.start() and match.end() <= end]
    line = _in_one_line(text[start:end], [(first - start, last - start) for first, last in marks])
    before, after = "…" * (start > 0), "…" * (end < len(text))
    return Snippet(
        text=f"{before}{line.text}{after}",
        marks=tuple((first + len(before), last + len(before)) for first, last in line.marks),
    )


def _window(text: str, matches: Sequence[re.Match[str]]) -> tuple[int, int]:
    best_start, n_best = 0, 0
    for number, match in enumerate(matches):
        last = match.start() + _LENGTH - _LEAD
        terms = {near.lastindex for near in _until(last, matches[number:])}
        if len(terms) > n_best:
            best_start, n_best = match.start(), len(terms)
    start = max(0, min(best_start - _LEAD, len(text) - _LENGTH))
    if start:
        # Start at a word, if there is a space before the first match.
        space = _SPACE.search(text, start, best_start)
        start = space.end() if space is not None else start
    end = min(len(text), start + _LENGTH)
    if end < len(text):
        cut = max(text.rfind(" ", start, end), text.rfind("\n", start, end))
        last = max((match.end() for match in matches if match.end() <= end), default=0)
        end = cut if cut > max(last, start + _LENGTH // 2) else end
    return boundary_before(text, start), boundary_before(text, end)


def _until(end: int, matches: Sequence[re.Match[str]]) -> Iterator[re.Match[str]]:
    return takewhile(lambda match: match.end() <= end, matches)


def _in_one_line(text: str, marks: Sequence[Mark]) -> Snippet:
    """Return ``text`` without line breaks, with its marks at their new positions."""
    line, moved, done = "", [], 0
    for first, last in marks:
        line += _flat(text[done:first])
        begin = len(line)
        line += _flat(text[first:last])
        moved.append((begin, len(line)))
        done = last
    line += _flat(text[done:])
    indent = len(line) - len(line.lstrip())
    return Snippet(text=line.strip(), marks=tuple((first - indent, last - indent) for first, last in moved))


def _flat(text: str) -> str:
    return _SPACE.sub(" ", _BIDI_CONTROLS.sub("", text))


# Update the search index from its queue of changed messages and titles


MESSAGE: Final = "message"
TITLE: Final = "title"
_BATCH: Final = 50
_MERGE_STATE: Final = "search_to_merge"
_MERGE_PAGES: Final = 200
_INDEXED: Final = (Role.USER.value, Role.ASSISTANT.value)


def index_pending(db: Database, *, limit_s: float) -> int:
    """Index queued changes for about ``limit_s`` seconds, titles first, then the newest messages. Returns how
    many are left.

    A power cut may undo this; the changes are then queued again.
    """
    deadline = time.perf_counter() + limit_s
    while True:
        pending = db.rows(
            "SELECT CAST(kind AS BLOB), id FROM search_pending ORDER BY kind DESC LIMIT ?", _BATCH
        )
        if not pending:
            return 0
        with db.transaction(Durability.PROCESS):
            for kind, id_ in pending:
                _index_title(db, id_) if read_text(kind) == TITLE else _index_message(db, id_)
                db.rows("DELETE FROM search_pending WHERE kind = CAST(? AS TEXT) AND id = ?", kind, id_)
        if time.perf_counter() >= deadline:
            return n_pending(db)


def n_pending(db: Database) -> int:
    """Return how many messages and titles are queued."""
    (n,) = db.row("SELECT count(*) FROM search_pending") or (0,)
    return n if isinstance(n, int) else 0


def merge(db: Database) -> bool:
    """Overwrite some of the deleted text in the index. Returns whether there is more."""
    row = db.row("SELECT CAST(value AS BLOB) FROM app_state WHERE key = ?", _MERGE_STATE)
    if row is None:
        return False
    # A negative number starts a full merge, a positive one continues it; see “merge” of FTS5.
    n_pages = -_MERGE_PAGES if read_text(row[0]) == "begin" else _MERGE_PAGES
    before = db.connection.total_changes()
    with db.transaction(Durability.PROCESS):
        for table in ("search_text", "search_title"):
            db.rows(f"INSERT INTO {table} ({table}, rank) VALUES ('merge', ?)", n_pages)  # noqa: S608  # literals
        is_done = n_pages > 0 and db.connection.total_changes() - before <= len(("text", "title"))
        if is_done:
            db.rows("DELETE FROM app_state WHERE key = ?", _MERGE_STATE)
        else:
            db.rows("UPDATE app_state SET value = 'go on' WHERE key = ?", _MERGE_STATE)
    return not is_done


def rebuild(db: Database) -> None:
    """Clear the index and queue everything."""
    with db.transaction():
        for table in ("search_text", "search_title"):
            db.rows(f"INSERT INTO {table} ({table}) VALUES ('delete-all')")  # noqa: S608  # literals
        db.rows("DELETE FROM search_message")
        db.rows("INSERT OR IGNORE INTO search_pending (kind, id) SELECT 'message', id FROM message")
        db.rows("INSERT OR IGNORE INTO search_pending (kind, id) SELECT 'title', id FROM conversation")


def text_of(parts: Value) -> str:
    """Return the searchable text of a message's parts: questions and answers without reasoning, and the names
    of the files that are attached or that code made for the answer."""
    return "\n".join(text for part in read_parts(parts) for text in _searchable_in(part))


def _searchable_in(part: MessagePart) -> tuple[str, ...]:
    match part:
        case TextPart():
            return (part.text,)
        case ToolResultPart():
            return tuple(file.name for file in part.files)
        case DocumentPart() | ImagePart() | AudioPart() | VideoPart():
            return (part.name,) if part.name else ()
        case _:
            return ()


def _index_title(db: Database, id_: Value) -> None:
    row = db.row("SELECT CAST(title AS BLOB) FROM conversation WHERE id = ?", id_)
    _delete_row(db, "search_title", id_)
    if row is not None:
        text = spaced(fold(read_text(row[0])))
        db.rows("INSERT INTO search_title (rowid, text) VALUES (?, ?)", id_, text)


def _index_message(db: Database, id_: Value) -> None:
    row = _message(db, id_)
    _delete_row(db, "search_text", id_)
    db.rows("DELETE FROM search_message WHERE message_id = ?", id_)
    if row is not None and _is_indexed(row):
        conversation_id, role, created_at, parts, _state, _deleted_at, record = row
        db.rows("INSERT INTO search_text (rowid, text) VALUES (?, ?)", id_, spaced(fold(text_of(parts))))
        db.rows(
            "INSERT INTO search_message (message_id, conversation_id, role, created_at, model_id) "
            "VALUES (?, ?, ?, ?, ?)",
            id_,
            conversation_id,
            read_text(role),
            created_at,
            _model_of(record),
        )


def _message(db: Database, id_: Value) -> Row | None:
    try:
        return db.row(
            "SELECT conversation_id, CAST(role AS BLOB), created_at, CAST(parts AS BLOB), "
            "CAST(state AS BLOB), deleted_at, CAST(generation.record AS BLOB) "
            "FROM message LEFT JOIN generation ON generation.message_id = message.id WHERE message.id = ?",
            id_,
        )
    except apsw.CorruptError:
        # The message is on a damaged page and cannot be indexed; the others can.
        return None


def _is_indexed(row: Row) -> bool:
    _conversation_id, role, _created_at, _parts, state, deleted_at, _record = row
    return (
        deleted_at is None
        and read_text(role) in _INDEXED
        and read_text(state) != MessageState.STREAMING.value
    )


def _model_of(record: Value) -> str | None:
    try:
        return decode_json(record, kind=GenerationRecord).model_id if isinstance(record, bytes) else None
    except JsonInvalid:
        return None


def _delete_row(db: Database, table: str, id_: Value) -> None:
    """Delete a row of the index. FTS5 only marks it as deleted; ``merge`` overwrites its text."""
    if db.row(f"SELECT 1 FROM {table} WHERE rowid = ?", id_) is None:  # noqa: S608  # a literal of ours
        return
    db.rows(f"DELETE FROM {table} WHERE rowid = ?", id_)  # noqa: S608  # a literal of ours
    db.rows(
        "INSERT INTO app_state (key, value) VALUES (?, 'begin') "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        _MERGE_STATE,
    )
