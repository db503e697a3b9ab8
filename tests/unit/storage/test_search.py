"""Search finds all questions and answers at once, for any query, and nothing else."""

from __future__ import annotations

import threading
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import apsw
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_clock import ManualClock
from fakes.stores import RECORD, answer, question, send
from fireside.core.chat import MessageState
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    DocumentPart,
    ImagePart,
    MadeFile,
    ReasoningPart,
    Role,
    TextPart,
    ToolResultPart,
    VideoPart,
)
from fireside.core.search import ConversationMatch, SearchQuery
from fireside.core.text_folding import composed
from fireside.storage import search_queries
from fireside.storage.database_opening import open_database
from fireside.storage.migrations import load_migrations
from fireside.storage.search_queries import n_pending
from fireside.storage.store import MEMORY, Store

DAY_S = 86_400.0


async def opened(*texts: str, clock: ManualClock | None = None) -> Store:
    """Return a store with a conversation of one question for each text."""
    store = await Store.open(MEMORY, clock=clock or ManualClock())
    for text in texts:
        await ask(store, text)
    return store


async def ask(
    store: Store, text: str, *, title: str = "-", to: ConversationId | None = None
) -> ConversationId:
    turn = await store.messages.add_turn(to, title=title, message=question(text), generation=RECORD)
    return turn.summary.id


async def search(store: Store, query: str, **filters: Any) -> tuple[ConversationMatch, ...]:
    return (await store.search.find(SearchQuery(text=query, **filters))).matches


async def texts(store: Store, query: str, **filters: Any) -> list[str]:
    return [hit.snippet.text for match in await search(store, query, **filters) for hit in match.hits]


@pytest.fixture
async def store() -> AsyncIterator[Store]:
    async with await opened() as store:
        yield store


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("How do I bake bread?", "bake"),
        ("How do I bake bread?", "BREAD bak"),
        ("How do I bake bread?", '"bake bread"'),
        ("How do I bake bread?", "  bread?!  "),
        ("Crème brûlée", "creme brulee"),
        ("Creme brulee", "crème brû"),
        ("cafe\u0301", "café"),
        ("Die Größe der Straße", "großer"[:4]),
        ("Ёлка и чай", "елка"),
        ("我想学做面包", "面包"),
        ("我想学做面包", "学做面"),
        ("これは日本語の文章です", "日本語"),
        ("カタカナ", "タカ"),
        ("빵 굽는 법을 알려줘", "빵 굽"),
        ("สวัสดีครับ", "สวัส"),
        ("A llama 🦙 said", "🦙"),
        ("call foo.bar_baz(x)", "bar_ba"),
        ("version 3.14.1", "3.14"),
        ("C:\\Users\\me", "users me"),
        ("naïve—dash", "dash"),
    ],
)
async def test_words_are_found_in_any_spelling(text: str, query: str) -> None:
    async with await opened("something else", text) as store:
        assert await texts(store, query) == [composed(text)]


@pytest.mark.parametrize("query", ["breads", '"bread bake"', "bake cake", "rea", "面条"])
async def test_text_that_does_not_occur_is_not_found(query: str) -> None:
    async with await opened("How do I bake bread?", "我想学做面包") as store:
        assert await search(store, query) == ()


@pytest.mark.parametrize("query", ["", "  ", "?!", '"', '""', "*", "\x00", "“”", "-"])
async def test_a_query_without_words_finds_nothing(query: str) -> None:
    async with await opened("How do I bake bread?") as store:
        assert await search(store, query) == ()


HOSTILE = (
    "NEAR(a b)",
    'a" OR 1',
    "text:bread",
    "bread*",
    "^bread",
    "bread NOT bake",
    "(bread",
    "'; DROP TABLE message; --",
    "{a b}:c",
    "a" * 100_000,
    "a " * 50_000,
    '"' * 999,
    "bread" + "\u0301" * 5_000,
    "bread \ud800",
    "\u202ebread",
    "AND",
    "bread AND",
)


@pytest.mark.parametrize("query", HOSTILE, ids=range(len(HOSTILE)))
async def test_no_text_is_an_error(query: str) -> None:
    async with await opened("How do I bake bread?") as store:
        await search(store, query)
        assert await texts(store, "bread") == ["How do I bake bread?"]


@given(st.text(max_size=60), st.text(max_size=60))
async def test_any_text_can_be_searched_for_in_any_text(query: str, text: str) -> None:
    async with await opened(text.encode(errors="replace").decode()) as store:
        for match in await search(store, query):
            for hit in match.hits:
                assert all(0 <= a < b <= len(hit.snippet.text) for a, b in hit.snippet.marks)


async def test_matching_titles_come_before_matching_messages(store: Store) -> None:
    titled = await ask(store, "nothing", title="Baking Bread")
    inside = await ask(store, "bread")
    first, second = await search(store, "bread")
    assert (first.summary.id, first.title_marks, first.hits) == (titled, ((7, 12),), ())
    assert (second.summary.id, second.title_marks, second.n_hits) == (inside, (), 1)


async def test_a_title_is_found_by_its_new_name_alone(store: Store) -> None:
    chat = await ask(store, "-", title="Old")
    assert await search(store, "old")
    await store.conversations.rename(chat, title="New")
    assert [match.summary.id for match in await search(store, "new")] == [chat]
    assert await search(store, "old") == ()


async def test_an_answer_is_found_once_it_is_finished(store: Store) -> None:
    turn = await send(store, "-")
    await store.messages.append_text(turn.answer.id, "bread")
    assert await search(store, "bread") == ()
    message = ChatMessage(role=Role.ASSISTANT, parts=(ReasoningPart(text="yeast?"), TextPart(text="flour")))
    done = msgspec.structs.replace(turn.answer, message=message, state=MessageState.COMPLETE)
    await store.messages.finish(done)
    assert await texts(store, "flour") == ["flour"]
    assert await search(store, "bread") == ()
    assert await search(store, "yeast") == ()


async def test_deleted_text_is_not_found_and_restored_text_is() -> None:
    async with await opened("bread") as store:
        (line,) = await store.conversations.all()
        assert await search(store, "bread")
        await store.conversations.delete((line.id,))
        result = await store.search.find(SearchQuery(text="bread"))
        assert (result.matches, result.n_hits) == ((), 0)
        await store.conversations.restore((line.id,))
        assert await search(store, "bread")


async def test_each_branch_is_found(store: Store) -> None:
    turn = await send(store, "question")
    await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer("first bread"))
    await store.messages.add(turn.summary.id, parent_id=turn.question.id, message=answer("second bread"))
    (match,) = await search(store, "bread")
    assert {hit.snippet.text for hit in match.hits} == {"first bread", "second bread"}


async def test_filters_select_matching_results() -> None:
    clock = ManualClock(10 * DAY_S)
    async with await opened(clock=clock) as store:
        old = await ask(store, "bread one")
        clock.now = 20 * DAY_S
        new = await ask(store, "bread two")
        other_model = msgspec.structs.replace(RECORD, model_id=ModelId("other"))
        await store.messages.add(new, parent_id=None, message=answer("bread three"), generation=other_model)
        folder = await store.folders.create(name="f")
        await store.conversations.move_to_folder([old], folder_id=folder.id)
        await store.conversations.set_archived([old], archived=True)
        expected: list[tuple[dict[str, Any], set[str]]] = [
            ({}, {"bread one", "bread two", "bread three"}),
            ({"role": Role.ASSISTANT}, {"bread three"}),
            ({"role": Role.USER}, {"bread one", "bread two"}),
            ({"model_id": ModelId("other")}, {"bread three"}),
            ({"model_id": RECORD.model_id}, {"bread one", "bread two"}),
            ({"since": 20 * DAY_S}, {"bread two", "bread three"}),
            ({"before": 20 * DAY_S}, {"bread one"}),
            ({"since": 30 * DAY_S}, set()),
            ({"folder_id": folder.id}, {"bread one"}),
            ({"archived": True}, {"bread one"}),
            ({"archived": False}, {"bread two", "bread three"}),
            ({"archived": False, "role": Role.USER}, {"bread two"}),
        ]
        for filters, texts_found in expected:
            assert set(await texts(store, "bread", **filters)) == texts_found, filters


async def test_more_matches_in_less_text_rank_higher() -> None:
    async with await opened(
        "bread " + "and something else entirely " * 40, "bread, bread and more bread"
    ) as store:
        first, _second = await texts(store, "bread")
        assert first.startswith("bread, bread")


async def test_newer_text_ranks_above_slightly_better_matches() -> None:
    clock = ManualClock(0.0)
    async with await opened("bread", clock=clock) as store:
        clock.now = 400 * DAY_S
        await ask(store, "bread and some more words")
        assert await texts(store, "bread") == ["bread and some more words", "bread"]


async def test_at_the_same_age_better_matches_rank_higher() -> None:
    async with await opened("bread", "bread and some more words") as store:
        assert await texts(store, "bread") == ["bread", "bread and some more words"]


async def test_a_continued_answer_is_found_again_once_it_is_finished(store: Store) -> None:
    turn = await send(store, "-")
    running = await store.messages.add(
        turn.summary.id,
        parent_id=turn.question.id,
        message=answer("bread"),
        state=MessageState.STREAMING,
    )
    assert await search(store, "bread") == ()
    await store.messages.finish(msgspec.structs.replace(running, state=MessageState.COMPLETE))
    assert await texts(store, "bread") == ["bread"]


async def test_a_chat_has_its_three_best_hits_and_their_total(store: Store) -> None:
    chat = await ask(store, "bread 0")
    for number in range(1, 6):
        await ask(store, f"bread {number}", to=chat)
    (match,) = await search(store, "bread")
    assert (len(match.hits), match.n_hits) == (3, 6)


async def test_a_limit_is_applied_and_reported() -> None:
    async with await opened(*(f"bread {number}" for number in range(9))) as store:
        result = await store.search.find(SearchQuery(text="bread", limit=4))
        assert (len(result.matches), result.n_hits, result.is_truncated) == (4, 9, True)
        assert not (await store.search.find(SearchQuery(text="bread"))).is_truncated


async def test_a_snippet_is_one_line_around_the_matches() -> None:
    text = "before " * 100 + "\n\nthe good\tbread here\n" + "after " * 100
    async with await opened(text) as store:
        ((match,),) = [await search(store, "bread good")]
        snippet = match.hits[0].snippet
        assert len(snippet.text) < 200
        assert snippet.text.startswith("…")
        assert snippet.text.endswith("…")
        assert [snippet.text[a:b] for a, b in snippet.marks] == ["good", "bread"]


NAMED = (
    DocumentPart(name="Contract_2026.pdf", media_type="application/pdf", text="a page"),
    ImagePart(data=b"", media_type="image/png", name="beach.png"),
    AudioPart(data=b"", name="Interview with Zoë.mp3", seconds=1.0),
    VideoPart(frames=(), media_type="video/mp4", name="birthday.mp4", seconds=1.0),
    ToolResultPart(
        call_id="1", name="run_python", text="-", files=(MadeFile(name="out/plot.svg", data=b""),)
    ),
)


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("contract 2026", "Contract_2026.pdf"),
        ("beach", "beach.png"),
        ("interview zoe", "Interview with Zoë.mp3"),
        ("birthday.mp4", "birthday.mp4"),
        ("plot.svg", "out/plot.svg"),
    ],
)
async def test_a_message_is_found_by_the_names_of_its_files(store: Store, query: str, name: str) -> None:
    for part in NAMED:
        message = ChatMessage(role=Role.USER, parts=(part, TextPart(text="What is this?")))
        await store.messages.add_turn(None, title="-", message=message, generation=RECORD)
    assert await texts(store, query) == [f"{name} What is this?"]
    assert await texts(store, f"{query} this") == [f"{name} What is this?"]


async def test_names_of_files_are_found_in_messages_indexed_by_an_earlier_version(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    with pytest.MonkeyPatch.context() as earlier:
        earlier.setattr(search_queries, "_searchable_in", lambda part: (getattr(part, "text", "-"),))
        async with await Store.open(path, clock=time.time, migrations=load_migrations()[:16]) as store:
            message = ChatMessage(role=Role.USER, parts=(NAMED[2], TextPart(text="What is this?")))
            await store.messages.add_turn(None, title="-", message=message, generation=RECORD)
            while await store.search.index_some(limit_s=1.0):
                pass
            assert await texts(store, "interview") == []
    async with await Store.open(path, clock=time.time) as store:
        assert await hits_once_all_is_read(store, "interview") == 1


async def test_a_database_from_before_is_read_while_it_is_used(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    write_before_the_search(path, *(f"bread {number}" for number in range(300)))
    async with await Store.open(path, clock=time.time) as store:
        assert await store.search.index_some(limit_s=0.0)
        first = await store.search.find(SearchQuery(text="bread"))
        n_unread = first.n_not_indexed
        while await store.search.index_some(limit_s=0.0):
            left = (await store.search.find(SearchQuery(text="zzz"))).n_not_indexed
            assert left <= n_unread
            n_unread = left
        last = await store.search.find(SearchQuery(text="bread"))
        assert (last.n_hits, last.n_not_indexed) == (300, 0)


async def test_titles_are_found_before_anything_is_indexed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "chats.db"
    write_before_the_search(path, *(f"bread {number}" for number in range(300)))
    async with await Store.open(path, clock=time.time) as store:
        with monkeypatch.context() as busy:
            busy.setattr(search_queries, "index_pending", lambda db, *, limit_s: n_pending(db))  # noqa: ARG005
            chat = await ask(store, "-", title="Crème brûlée")
            assert [match.summary.id for match in await search(store, '"creme bru')] == []
            assert [match.summary.id for match in await search(store, "creme bru")] == [chat]
            await store.conversations.rename(chat, title="Old name")
            assert await search(store, "creme") == ()
            result = await store.search.find(SearchQuery(text="a chat"))
            assert len(result.matches) == SearchQuery(text="").limit
            assert result.n_not_indexed > 600
        while (await store.search.find(SearchQuery(text="zzz"))).n_not_indexed > 300:
            assert await store.search.index_some(limit_s=0.0)
        assert (await store.search.find(SearchQuery(text="bread 299"))).n_hits == 1


# SQLite and Python know different versions of Unicode.
KNOWN = st.text(st.characters(max_codepoint=0xFFFF, exclude_categories=("Cn", "Co", "Cs")), max_size=12)


@given(st.lists(KNOWN, max_size=4), KNOWN)
async def test_titles_match_alike_before_and_after_they_are_indexed(titles: list[str], query: str) -> None:
    async with await opened() as store:
        for title in [*titles, f"{query} and {''.join(titles)}"]:
            await ask(store, "-", title=title)
        with pytest.MonkeyPatch.context() as busy:
            busy.setattr(search_queries, "index_pending", lambda db, *, limit_s: n_pending(db))  # noqa: ARG005
            before = await search(store, query)
        while await store.search.index_some(limit_s=1.0):
            pass
        after = await search(store, query)
        found = [
            [m.summary.id for m in matches if m.title_marks or not m.hits] for matches in (before, after)
        ]
        assert found[0] == found[1]


def write_before_the_search(path: Path, *texts: str) -> None:
    """Make the database of a version that had no search, with a conversation for each text."""
    open_database(path, migrations=load_migrations()[:3], give_up=threading.Event()).close()
    connection = apsw.Connection(str(path))
    with connection:
        for number, text in enumerate(texts, 1):
            connection.execute(
                "INSERT INTO conversation (id, title, created_at, updated_at) VALUES (?, 'A chat', 1, 1)",
                (number,),
            )
            parts = msgspec.json.encode((TextPart(text=text),)).decode()
            connection.execute(
                "INSERT INTO message (conversation_id, role, parts, state, created_at)"
                " VALUES (?, 'user', ?, 'done', 1)",
                (number, parts),
            )
    connection.close()


async def test_a_damaged_index_is_rebuilt_and_does_not_prevent_backups(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        for number in range(30):
            await send(store, f"bread {number}")
        while await store.search.index_some(limit_s=1.0):
            pass
    damage(path)
    async with await Store.open(path, clock=time.time) as store:
        await store.backup(tmp_path / "copy.db")
        assert await hits_once_all_is_read(store, "bread") == 30
    async with await Store.open(tmp_path / "copy.db", clock=time.time) as store:
        assert await hits_once_all_is_read(store, "bread") == 30


async def hits_once_all_is_read(store: Store, query: str) -> int:
    """Search, which finds the damage, and again when the new index is complete: one search reads briefly."""
    await store.search.find(SearchQuery(text=query))
    while await store.search.index_some(limit_s=1.0):
        pass
    result = await store.search.find(SearchQuery(text=query))
    assert result.n_not_indexed == 0
    return result.n_hits


def damage(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE search_text_data SET block = zeroblob(20) WHERE id > 10")
    assert connection.execute("PRAGMA integrity_check").fetchall() != [("ok",)]
    connection.close()


async def test_purged_text_is_overwritten_in_the_index(tmp_path: Path) -> None:
    path = tmp_path / "chats.db"
    async with await Store.open(path, clock=time.time) as store:
        chat = await ask(store, "xylophonisten")
        await ask(store, "bread")
        while await store.search.index_some(limit_s=1.0):
            pass
        await store.conversations.delete((chat,))
    async with await Store.open(path, clock=time.time) as store:
        while await store.search.index_some(limit_s=1.0):
            pass
    assert b"xylophonisten" not in path.read_bytes()
    assert b"bread" in path.read_bytes()
