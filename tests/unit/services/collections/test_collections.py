"""Collections follow their files: text is searchable, changes are read again, deleted text is removed."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from types import SimpleNamespace

import pytest

from fakes.collections_harness import CollectionsHarness
from fireside.core.collection import SourceState
from fireside.core.errors import InvalidText, ModelNotFound, RecordNotFound
from fireside.core.events import CollectionsChanged
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, PassagesPart, Role, TextPart, text_message
from fireside.documents.extracted_text import HIDDEN
from fireside.documents.messages import ReadReply
from fireside.files.json_file import kept_files
from fireside.retrieval.sources import MAX_TRIES
from fireside.services.collections import file_reading, indexer
from fireside.services.collections.collection_service import asks_about_everything, rewrite_query
from tools.bench.document_sets import tables


async def test_files_are_found_by_their_text_and_names(harness: CollectionsHarness) -> None:
    harness.put("pump.md", "# Pump\n\nThe impeller is changed every year.\n")
    harness.put("filter.md", "# Filter\n\nFilters are washed, and the filters dried.\n")
    harness.put("bericht.txt", "Über die Prüfung der Größe von Schrauben wird berichtet.\n")
    collection = await harness.collection()
    assert collection.name == "My manuals"
    assert await harness.found("When do I change the impellers?", collection) == ["pump.md, lines 1–3"]
    assert await harness.found("washing of a filter", collection) == ["filter.md, lines 1–3"]
    assert await harness.found("PRUFUNG", collection) == ["bericht.txt, line 1"]
    assert await harness.found("zebra", collection) == []
    assert await harness.found('" OR ) NEAR(', collection) == []
    state = await harness.service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_unreadable) == (3, 3, 0)
    assert await harness.service.collections() == (collection,)


async def test_a_file_that_is_removed_stays_away_until_it_is_taken_back(harness: CollectionsHarness) -> None:
    path = str(harness.put("pump.md", "The impeller is changed every year.\n"))
    harness.put("100%_roof.md", "The roof is red.\n")
    collection = await harness.collection()
    await harness.service.remove_file(collection.id, path)
    await harness.service.catch_up(collection.id)
    assert await harness.found("impeller", collection) == []
    state = await harness.service.state(collection.id)
    assert [(each.reason, each.n_files) for each in state.skipped] == [("removed by you", 1)]
    await harness.service.restore_file(collection.id, path)
    await harness.service.catch_up(collection.id)
    assert await harness.found("impeller", collection) == ["pump.md, line 1"]
    assert (await harness.service.collections())[0].roots == collection.roots
    await harness.service.remove_file(collection.id, path)
    await harness.service.add_roots(collection.id, [str(harness.docs)])
    await harness.service.catch_up(collection.id)
    assert await harness.found("impeller", collection) == ["pump.md, line 1"], "its folder was added again"


async def test_a_file_that_was_added_by_itself_is_removed_and_taken_back(harness: CollectionsHarness) -> None:
    path = str(harness.put("pump.md", "The impeller is changed every year.\n"))
    collection = await harness.service.create(name="One", roots=[path])
    await harness.service.catch_up(collection.id)
    await harness.service.remove_file(collection.id, path)
    assert (await harness.service.collections())[0].roots == ()
    await harness.service.restore_file(collection.id, path)
    await harness.service.catch_up(collection.id)
    assert await harness.found("impeller", collection) == ["pump.md, line 1"]


async def test_one_file_is_read_again_though_it_has_not_changed(harness: CollectionsHarness) -> None:
    path = str(harness.put("pump.md", "The impeller is changed every year.\n"))
    harness.put("roof.md", "The roof is red.\n")
    collection = await harness.collection()
    n_read = harness.n_read
    await harness.service.reread_file(collection.id, path)
    await harness.service.catch_up(collection.id)
    assert harness.n_read == n_read + 1


async def test_collections_of_chats_go_with_them_unless_they_are_kept(harness: CollectionsHarness) -> None:
    path = str(harness.put("pump.md", "The impeller is changed every year.\n"))
    gone, used, kept = [
        await harness.service.create(name=name, roots=[path], is_of_chat=True)
        for name in ("gone", "used", "kept")
    ]
    plain = await harness.service.create(name="plain", roots=[path])
    await harness.service.keep(kept.id)
    await harness.service.remove_of_chats(used={used.id})
    left = await harness.service.collections()
    assert {each.id for each in left} == {used.id, kept.id, plain.id}
    assert {each.id for each in left if each.is_of_chat} == {used.id}
    assert gone.is_of_chat


@pytest.mark.parametrize(
    ("typed", "finds"),
    [
        ("turbi", ["pump.md, line 1"]),
        ("the yearly maintena", ["pump.md, line 1"]),  # indexed as “mainten”
        ("Heizu", ["heizung.md, line 1"]),
        ("Heizungsanl", ["heizung.md, line 1"]),
        ("turbi ", []),
        ("turbi heat", []),
        ("im", []),
        ("zebra", []),
        ('" OR', []),
    ],
)
async def test_a_word_that_is_being_typed_is_found_by_its_beginning(
    harness: CollectionsHarness, typed: str, finds: list[str]
) -> None:
    harness.put("pump.md", "Maintenance of the pump: change the turbine.\n")
    harness.put("heizung.md", "Die Heizungsanlage wird von den Monteuren geprüft und nicht ersetzt.\n")
    collection = await harness.collection()
    found = await harness.service.search(typed, collection_ids=[collection.id], matches_prefix=True)
    assert [passage.location_text for passage in found.passages] == finds
    assert await harness.found("turbi", collection) == []


async def test_the_best_of_many_files_is_found(harness: CollectionsHarness) -> None:
    for n in range(150):
        harness.put(f"{n}.md", "The pump is mentioned in this text, of many other words and things. " * 3)
    harness.put("zz.md", "The pump, the pump: all about the pump and its impeller. " * 4)
    collection = await harness.collection()
    result = await harness.service.search("pump impeller", collection_ids=[collection.id], limit=1)
    assert [passage.name for passage in result.passages] == ["zz.md"]


async def test_unreadable_files_have_a_reason(harness: CollectionsHarness) -> None:
    harness.put("good.md", "Words.")
    harness.put("empty.md", "")
    harness.put("blank.md", " \n")
    (harness.docs / "noise").write_bytes(bytes(range(256)) * 50)
    collection = await harness.collection()
    state = await harness.service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_unreadable) == (4, 1, 3)
    unreadable = await harness.service.sources(collection.id, only_problems=True)
    assert {source.name: source.error for source in unreadable} == {
        "empty.md": "It is empty.",
        "blank.md": "No text.",
        "noise": "Unsupported file type.",
    }


async def test_partly_read_files_have_warnings(harness: CollectionsHarness) -> None:
    harness.put("good.md", "Words.")
    harness.put("page.html", "<html><body><p>Seen.</p><p hidden>Unseen.</p></body></html>")
    harness.put("long.txt", "The walrus sleeps. " * 120_000)
    harness.put("empty.md", "")
    collection = await harness.collection()
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_unreadable, state.n_warned) == (3, 1, 2)
    problems = await harness.service.sources(collection.id, only_problems=True)
    assert {source.name: (source.error, source.warnings) for source in problems} == {
        "empty.md": ("It is empty.", ()),
        "long.txt": ("", ("Only the first 2,000,000 characters were read.",)),
        "page.html": ("", (HIDDEN,)),
    }


async def test_only_changed_files_are_read_again(harness: CollectionsHarness) -> None:
    first = harness.put("a.md", "The walrus sleeps.")
    harness.put("b.md", "The heron flies.")
    collection = await harness.collection()
    assert harness.n_read == 2
    os.utime(first, (1, 1))
    await harness.service.catch_up(collection.id)
    assert harness.n_read == 2
    first.write_text("The otter swims.")
    await harness.service.catch_up(collection.id)
    assert harness.n_read == 3
    assert await harness.found("otter", collection)
    assert not await harness.found("walrus", collection)


async def test_a_moved_file_is_not_read_again_and_found_by_its_new_name(harness: CollectionsHarness) -> None:
    path = harness.put("old.md", "The walrus sleeps.")
    collection = await harness.collection()
    (harness.docs / "deep").mkdir()
    path.rename(harness.docs / "deep" / "novel.md")
    await harness.service.catch_up(collection.id)
    assert harness.n_read == 1
    assert await harness.found("novel", collection) == ["novel.md, line 1"]
    assert await harness.found("old", collection) == []
    assert await harness.found("walrus", collection) == ["novel.md, line 1"]


async def test_files_of_one_name_are_told_apart_by_few_folders(harness: CollectionsHarness) -> None:
    for path in ("de/a/rights.md", "en/a/rights.md", "en/b/rights.md", "only.md"):
        harness.put(path, "The walrus sleeps.")
    collection = await harness.collection()
    found = await harness.found("walrus", collection)
    assert sorted(found) == [
        "b/rights.md, line 1",
        "de/a/rights.md, line 1",
        "en/a/rights.md, line 1",
        "only.md, line 1",
    ]
    whole = await harness.service.read_on([collection.id], path="", char_to=0, limit=9)
    assert sorted(passage.label for passage in whole) == [each.partition(",")[0] for each in sorted(found)]
    (harness.docs / "de/a/rights.md").unlink()
    await harness.service.catch_up(collection.id)
    assert "a/rights.md, line 1" in await harness.found("walrus", collection)


async def test_a_passage_says_what_was_not_read_of_its_file(harness: CollectionsHarness) -> None:
    harness.put(
        "a.eml",
        "From: a@b\nTo: c@d\nSubject: Animals\nDate: today\nMIME-Version: 1.0\n"
        "Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\nThe walrus sleeps.\n"
        "--x\nContent-Type: application/zip\nContent-Disposition: attachment; filename=otter.zip\n\n"
        "x\n--x--\n",
    )
    harness.put("b.md", "The walrus sleeps.")
    collection = await harness.collection()
    result = await harness.service.search("walrus", collection_ids=[collection.id])
    warnings = {passage.name: passage.warnings for passage in result.passages}
    assert warnings["b.md"] == ()
    assert "otter.zip" in warnings["a.eml"][0]


@pytest.mark.parametrize("how", ["file", "root", "collection"])
async def test_deleted_text_is_removed_from_the_database(harness: CollectionsHarness, how: str) -> None:
    harness.put("stays.md", "The heron flies.")
    path = harness.put("goes/secret.md", "# Quokkanomicon\n\nThe passphrase is zyzzogetonium.\n")
    collection = await harness.service.create(
        name="A", roots=[str(harness.docs / "stays.md"), str(harness.docs / "goes")]
    )
    await harness.service.catch_up(collection.id)
    assert await harness.found("zyzzogetonium", collection)
    match how:
        case "file":
            path.unlink()
            await harness.service.catch_up(collection.id)
        case "root":
            await harness.service.remove_root(collection.id, str(harness.docs / "goes"))
        case _:
            await harness.service.remove(collection.id)
    # While the program goes on: the journal counts too.
    kept = b"".join(path.read_bytes() for path in sorted((harness.database.parent).iterdir())).lower()
    assert b"zyzzo" not in kept
    assert b"quokka" not in kept
    assert (b"heron" in kept) == (how != "collection")


async def test_files_of_a_missing_drive_stay_searchable(harness: CollectionsHarness) -> None:
    harness.put("a.md", "The walrus sleeps.")
    collection = await harness.collection()
    harness.docs.rename(harness.folder / "elsewhere")
    await harness.service.catch_up(collection.id)
    state = await harness.service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_offline) == (1, 1, 1)
    assert await harness.found("walrus", collection)
    assert [each.state for each in await harness.service.sources(collection.id)] == [SourceState.OFFLINE]
    (harness.folder / "elsewhere").rename(harness.docs)
    await harness.service.catch_up(collection.id)
    assert (await harness.service.state(collection.id)).n_offline == 0
    assert harness.n_read == 1


async def test_collections_do_not_see_each_other(harness: CollectionsHarness) -> None:
    one = await harness.service.create(name="B", roots=[str(harness.put("one/a.md", "The walrus sleeps."))])
    two = await harness.service.create(name="a", roots=[str(harness.put("two/b.md", "The walrus swims."))])
    for each in (one, two):
        await harness.service.catch_up(each.id)
    assert await harness.found("walrus", one) == ["a.md, line 1"]
    assert sorted(await harness.found("walrus", one, two)) == ["a.md, line 1", "b.md, line 1"]
    assert [each.name for each in await harness.service.collections()] == ["a", "B"]


async def test_a_missing_collection_or_an_empty_name_is_refused(harness: CollectionsHarness) -> None:
    with pytest.raises(InvalidText):
        await harness.service.create(name=" \n")
    collection = await harness.collection()
    await harness.service.rename(collection.id, name=" ")
    await harness.service.rename(collection.id, name="Tools")
    assert [each.name for each in await harness.service.collections()] == ["Tools"]
    assert isinstance(harness.events[-1], CollectionsChanged)
    await harness.service.remove(collection.id)
    for work in (
        harness.service.remove(collection.id),
        harness.service.rename(collection.id, name="x"),
        harness.service.add_roots(collection.id, ["/x"]),
        harness.service.catch_up(collection.id),
    ):
        with pytest.raises(RecordNotFound):
            await work


async def test_a_damaged_database_is_replaced(harness: CollectionsHarness) -> None:
    harness.database.parent.mkdir()
    harness.database.write_bytes(b"no database at all" * 500)
    harness.put("a.md", "The walrus sleeps.")
    collection = await harness.collection()
    assert await harness.found("walrus", collection)
    assert [path.name[:23] for path in kept_files(harness.database.parent)] == ["collections.db.damaged-"]


async def test_collections_outlive_damage_to_what_was_read_of_their_files(
    harness: CollectionsHarness,
) -> None:
    harness.put("a.md", "The walrus sleeps.")
    collection = await harness.collection()
    await harness.service.close()
    with closing(sqlite3.connect(harness.database)) as database:
        database.execute("ALTER TABLE chunk RENAME TO lost")
    harness = CollectionsHarness(harness.folder)
    assert [each.name for each in await harness.service.collections()] == [collection.name]
    await harness.service.catch_up(collection.id)
    assert await harness.found("walrus", collection)
    await harness.service.close()
    assert [path.name[:23] for path in kept_files(harness.database.parent)] == ["collections.db.damaged-"]


async def test_files_of_an_older_version_are_read_again(harness: CollectionsHarness) -> None:
    harness.put("a.rtf", r"{\rtf1 The walrus sleeps.}")
    harness.put("b.md", "The heron flies.")
    collection = await harness.collection()
    await harness.service.close()
    with closing(sqlite3.connect(harness.database)) as database, database:
        database.execute("DELETE FROM chunk WHERE source_id = (SELECT id FROM source WHERE name = 'a.rtf')")
        database.execute("UPDATE source SET state = 'unreadable', error = '\"old\"' WHERE name = 'a.rtf'")
        database.execute("ALTER TABLE source DROP COLUMN n_tries")
        database.execute("PRAGMA user_version = 3")
    harness = CollectionsHarness(harness.folder)
    await harness.service.catch_up(collection.id)
    assert await harness.found("walrus", collection)
    assert harness.n_read == 2
    await harness.service.close()


async def test_a_file_that_becomes_readable_is_read(
    harness: CollectionsHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = harness.put("a.md", "The walrus sleeps.")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as closed:
        closed.setattr(os, "access", lambda *_: False)
        closed.setattr(file_reading, "_bytes_of", refuse)
        collection = await harness.collection()
    (source,) = await harness.service.sources(collection.id)
    assert (source.path, source.state) == (str(path), SourceState.UNREADABLE)
    await harness.service.catch_up(collection.id)
    assert await harness.found("walrus", collection)


async def test_a_file_whose_process_was_killed_is_tried_again_a_few_times(
    harness: CollectionsHarness,
) -> None:
    harness.put("a.md", "The walrus sleeps.")
    harness.failure = ReadReply(problem="it was killed.", is_temporary=True)
    collection = await harness.collection()
    for _ in range(MAX_TRIES):
        await harness.service.catch_up(collection.id)
    assert harness.n_read == MAX_TRIES
    (source,) = await harness.service.sources(collection.id, only_problems=True)
    assert (source.state, source.error) == (SourceState.UNREADABLE, "It was killed.")
    await harness.service.rescan(collection.id)
    await harness.service.catch_up(collection.id)
    assert harness.n_read == MAX_TRIES + 1
    harness.failure = None
    await harness.service.catch_up(collection.id)
    assert await harness.found("walrus", collection)


async def test_a_damaged_file_is_not_tried_again(harness: CollectionsHarness) -> None:
    harness.put("a.md", "The walrus sleeps.")
    harness.failure = ReadReply(problem="it is damaged.")
    collection = await harness.collection()
    await harness.service.catch_up(collection.id)
    assert harness.n_read == 1


async def test_the_reader_gets_the_text_around_a_passage(harness: CollectionsHarness) -> None:
    text = "".join(f"Sentence number {n} says something of its own. \n" for n in range(400))
    path = harness.put("long.md", text)
    collection = await harness.collection()
    result = await harness.service.search("sentence number 250", collection_ids=[collection.id], limit=1)
    (passage,) = result.passages
    excerpt = await harness.service.text_around(passage, n_chars=6_000)
    assert excerpt.text in text
    assert excerpt.text[excerpt.mark_from : excerpt.mark_to] == passage.text
    assert text.splitlines()[excerpt.first_line - 1] + "\n" == excerpt.text.splitlines(keepends=True)[0]
    assert (excerpt.has_before, excerpt.has_after, excerpt.has_changed) == (True, True, False)
    path.write_text("Another text.")
    await harness.service.catch_up(collection.id)
    excerpt = await harness.service.text_around(passage)
    assert (excerpt.text, excerpt.has_changed) == (passage.text, True)


async def test_a_whole_text_is_sent_where_it_fits(harness: CollectionsHarness) -> None:
    for n in range(3):
        harness.put(f"{n}.md", f"# Part {n}\n\n" + f"It is about the number {n}. " * 40)
    collection = await harness.collection()

    async def passages(n_tokens: int) -> PassagesPart:
        return await harness.service.passages_for(
            "About number 2?", collection_ids=[collection.id], n_tokens=n_tokens
        )

    assert not (await passages(4_000)).is_whole  # not wanted
    harness.most_whole = 4_000
    whole = await passages(4_000)
    assert whole.is_whole
    assert [each.number for each in whole.citations] == [1, 2, 3]
    assert [each.passage.name for each in whole.citations] == ["0.md", "1.md", "2.md"]
    part = await passages(500)
    assert not part.is_whole
    assert part.citations[0].passage.name == "2.md"
    assert len(part.citations) == 1


async def test_questions_about_everything_are_marked_as_partial(harness: CollectionsHarness) -> None:
    harness.put("a.md", "The walrus sleeps.")
    collection = await harness.collection()
    part = await harness.service.passages_for(
        "How many walruses sleep?", collection_ids=[collection.id], n_tokens=500
    )
    assert "may be wrong" in part.problem


async def test_reading_waits_while_a_chat_is_answered(harness: CollectionsHarness) -> None:
    harness.is_answering = True
    harness.put("a.md", "The walrus sleeps.")
    collection = await harness.service.create(name="A", roots=[str(harness.docs)])

    async def waits() -> bool:
        return (await harness.service.state(collection.id)).activity == "waiting"

    async def is_read() -> bool:
        state = await harness.service.state(collection.id)
        return state.activity == "idle" and state.n_searchable == 1

    await harness.until(waits)
    assert (await harness.service.state(collection.id)).n_searchable == 0
    harness.is_answering = False
    await harness.until(is_read)


async def test_a_chat_interrupts_embedding_which_is_repeated(harness: CollectionsHarness) -> None:
    begun, is_cancelled = asyncio.Event(), asyncio.Event()

    async def embed(texts: Sequence[str], *, model_id: ModelId) -> Sequence[Sequence[float]]:
        if begun.is_set():
            return await harness._embed(texts, model_id=model_id)
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled.set()
        raise AssertionError

    harness.service._semantic_search._embed = embed
    harness.put("a.md", "The walrus sleeps.")
    collection = await harness.service.create(name="A", roots=[str(harness.docs)])
    await harness.service.choose_model(collection.id, model_id=OTHER)
    working = asyncio.create_task(harness.service.catch_up(collection.id))
    await begun.wait()
    harness.is_answering = True
    await is_cancelled.wait()
    assert (await harness.service.state(collection.id)).n_embedded == 0
    harness.is_answering = False
    await working
    assert (await harness.service.state(collection.id)).n_embedded == 1


async def test_a_pause_applies_during_indexing(harness: CollectionsHarness) -> None:
    for n in range(40):
        harness.put(f"{n}.md", f"Sentence {n} of it.")
    collection = await harness.collection()
    whole = harness._embed

    async def embed(texts: Sequence[str], *, model_id: ModelId) -> list[list[float]]:
        await harness.service.pause(collection.id, is_paused=True)
        return await whole(texts, model_id=model_id)

    async def is_paused() -> bool:
        return (await harness.service.state(collection.id)).activity == "paused"

    async def is_through() -> bool:
        return (await harness.service.state(collection.id)).n_embedded == 40

    harness.service._semantic_search._embed = embed
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.until(is_paused)
    n_embedded = len(harness.embedded)
    assert 0 < n_embedded < 40
    harness.service._semantic_search._embed = whole
    await harness.service.pause(collection.id, is_paused=False)
    await harness.until(is_through)
    assert len(harness.embedded) == 40


async def test_a_change_is_noticed_within_ten_seconds(
    harness: CollectionsHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert indexer.SCAN_INTERVAL_S < 10
    monkeypatch.setattr(indexer, "SCAN_INTERVAL_S", 0.01)
    collection = await harness.collection()
    for name in ("walrus", "heron", "otter"):  # the first two may still be found by what was asked

        async def is_found(name: str = name) -> bool:
            return bool(await harness.found(name, collection))

        harness.put(f"{name}.md", "It sleeps.")
        await harness.until(is_found)


def test_a_follow_up_question_keeps_its_subject() -> None:
    question_message = ChatMessage(
        role=Role.USER, parts=(TextPart(text="How is the impeller of the pump changed?"),)
    )
    history = (question_message, text_message(Role.ASSISTANT, "With a key."))
    assert rewrite_query("And how often?", history) == f"And how often?\n{question_message.text}"
    assert "impeller" in rewrite_query("Is it expensive to replace in winter months?", history)
    assert "impeller" in rewrite_query("Und wie oft macht man das bei Frost draußen?", history)
    alone = "Which screws hold the cover plate?"
    assert rewrite_query(alone, history) == alone
    assert rewrite_query("And how often?", ()) == "And how often?"


def test_questions_about_everything_are_recognized() -> None:
    assert asks_about_everything("Please summarise the reports")
    assert asks_about_everything("Wie viele Verträge gibt es?")
    assert not asks_about_everything("What is the torque of the cover screws?")


NOMIC, OTHER = ModelId("nomic-embed-text"), ModelId("other")


async def test_passages_are_found_by_meaning_too(harness: CollectionsHarness) -> None:
    harness.put("a.md", "zebra zoo zone")
    harness.put("b.md", "quick quiet queen")
    collection = await harness.collection()
    before = await harness.service.search("zeal", collection_ids=[collection.id])
    assert (before.passages, before.by_meaning) == ((), False)
    await harness.service.choose_model(collection.id, model_id=NOMIC)
    await harness.service.catch_up(collection.id)
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_embedded) == (2, 2)
    found = await harness.service.search("zeal", collection_ids=[collection.id])
    assert found.by_meaning
    assert found.passages[0].name == "a.md"
    scores = found.passages[0].scores
    assert scores is not None
    assert scores.words is None
    assert scores.meaning is not None
    assert scores.meaning > 0.5
    assert (NOMIC, "search_query: zeal") in harness.embedded
    assert (NOMIC, "search_document: a.md\nzebra zoo zone") in harness.embedded


async def test_no_vector_of_unchanged_text_is_computed_again(harness: CollectionsHarness) -> None:
    sections = {n: f"# Part {n}\n\n" + f"Sentence {n} is about it. " * 30 for n in range(5)}
    path = harness.put("a.md", "\n\n".join(sections.values()))
    collection = await harness.collection()
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    assert len(harness.embedded) == 5
    sections[2] += "One more."
    path.write_text("\n\n".join(sections.values()))
    await harness.service.catch_up(collection.id)
    assert len(harness.embedded) == 6
    await harness.service.catch_up(collection.id)
    assert len(harness.embedded) == 6


@pytest.mark.parametrize("how", ["touched", "renamed", "copied", "moved away and back"])
async def test_no_vector_is_computed_again_for_a_moved_file(harness: CollectionsHarness, how: str) -> None:
    path = harness.put("old.md", "The walrus sleeps.")
    collection = await harness.collection()
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    assert len(harness.embedded) == 1
    match how:
        case "touched":
            os.utime(path, (1, 1))
        case "renamed":
            path = path.rename(harness.docs / "new.md")
        case "copied":
            shutil.copy(path, harness.docs / "new.md")
            path.unlink()
            path = harness.docs / "new.md"
        case _:
            (harness.docs / "deep").mkdir()
            path = path.rename(harness.docs / "deep" / "new.md")
    path.write_text(path.read_text())  # as editors do that save what has not changed
    await harness.service.catch_up(collection.id)
    state = await harness.service.state(collection.id)
    assert (state.n_searchable, state.n_embedded) == (1, 1)
    assert len(harness.embedded) == 1
    found = await harness.service.search("walrus", collection_ids=[collection.id])
    assert [(passage.name, found.by_meaning) for passage in found.passages] == [(path.name, True)]


async def test_another_model_is_used_once_its_vectors_are_complete(harness: CollectionsHarness) -> None:
    harness.put("a.md", "zebra zoo zone")
    collection = await harness.collection()
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    harness.refusal = ModelNotFound(name="x")
    await harness.service.choose_model(collection.id, model_id=NOMIC)
    with pytest.raises(ModelNotFound):
        await harness.service.catch_up(collection.id)
    harness.refusal = None
    found = await harness.service.search("zeal", collection_ids=[collection.id])
    assert found.by_meaning
    assert harness.embedded[-1][0] == OTHER
    await harness.service.choose_model(collection.id, model_id=NOMIC)
    await harness.service.catch_up(collection.id)
    await harness.service.search("zeal", collection_ids=[collection.id])
    assert harness.embedded[-1][0] == NOMIC


async def test_without_vectors_the_text_search_is_used_with_a_note(harness: CollectionsHarness) -> None:
    harness.put("a.md", "zebra zoo zone")
    collection = await harness.collection()
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    harness.refusal = ModelNotFound(name="x")
    found = await harness.service.search("zebra", collection_ids=[collection.id])
    assert [passage.name for passage in found.passages] == ["a.md"]
    assert not found.by_meaning
    assert found.problem
    harness.refusal = None
    (harness.folder / f"{OTHER}.gguf").write_text("another model")
    assert "has changed" in (await harness.service.search("zebra", collection_ids=[collection.id])).problem


async def test_closing_during_a_rescan_request_ends(harness: CollectionsHarness) -> None:
    for _ in range(20):
        service = CollectionsHarness(harness.folder).service
        await service.create(name="A")
        await asyncio.sleep(0)
        collection = await service.collections()
        await service.catch_up(collection[0].id)
        await service.remove(collection[0].id)
        async with asyncio.timeout(20):
            await service.close()


async def test_german_words_are_found_in_other_forms(harness: CollectionsHarness) -> None:
    harness.put("pumpe.md", "Die Filter der Pumpen werden von den Monteuren gereinigt und nicht ersetzt.\n")
    harness.put("other.md", "Der Bericht über die Prüfung ist das Ergebnis und wird von allen gelesen.\n")
    collection = await harness.collection()
    assert await harness.found("Pumpe", collection) == ["pumpe.md, line 1"]
    assert await harness.found("ein Monteur", collection) == ["pumpe.md, line 1"]
    assert await harness.found("Berichte zu Prüfungen", collection) == ["other.md, line 1"]
    (harness.docs / "pumpe.md").unlink()
    await harness.service.catch_up(collection.id)
    assert await harness.found("Pumpe", collection) == []


async def test_vectors_are_searched_before_all_are_computed(harness: CollectionsHarness) -> None:
    harness.put("a.md", "zebra zoo zone")
    harness.put("b.md", "quick quiet queen and more of it than of the other")
    collection = await harness.collection()
    whole = harness._embed

    async def embed(texts: Sequence[str], *, model_id: ModelId) -> list[list[float]]:
        if any("quick" in text for text in texts):
            raise ModelNotFound(name="x")
        return await whole(texts, model_id=model_id)

    harness.service._semantic_search._embed = embed
    await harness.service.choose_model(collection.id, model_id=OTHER)
    with pytest.raises(ModelNotFound):
        await harness.service.catch_up(collection.id)
    found = await harness.service.search("zeal", collection_ids=[collection.id])
    assert [passage.name for passage in found.passages] == ["a.md"]
    assert (await harness.service.state(collection.id)).n_embedded == 1


async def test_embedding_faster_than_the_clock_works(
    harness: CollectionsHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    # As on Windows, where one clock goes on 64 times a second.
    clocks = SimpleNamespace(monotonic=lambda: 5.0, perf_counter=time.perf_counter)
    monkeypatch.setattr("fireside.services.collections.semantic_search.time", clocks)
    harness.put("a.md", "zebra zoo zone")
    collection = await harness.collection()
    await harness.service.choose_model(collection.id, model_id=OTHER)
    await harness.service.catch_up(collection.id)
    assert (await harness.service.state(collection.id)).n_embedded == 1


async def test_a_text_of_two_collections_has_one_vector_and_stays_while_one_has_it(
    harness: CollectionsHarness,
) -> None:
    harness.put("a.md", "zebra zoo zone")
    collection = await harness.collection()
    other = await harness.service.create(name="Other", roots=[str(harness.docs)])
    for each in (collection, other):
        await harness.service.choose_model(each.id, model_id=OTHER)
        await harness.service.catch_up(each.id)
    assert len(harness.embedded) == 1
    await harness.service.remove(collection.id)
    found = await harness.service.search("zeal", collection_ids=[other.id])
    assert [passage.collection_id for passage in found.passages] == [other.id]
    await harness.service.remove(other.id)
    await harness.service.close()
    with closing(sqlite3.connect(harness.database)) as database:
        assert database.execute("SELECT count(*) FROM vector").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM removed_text").fetchone() == (0,)


async def test_rows_of_tables_are_found_beside_prose_of_the_same_words(harness: CollectionsHarness) -> None:
    rows = tables(n_rows=48)
    for document in rows.documents:
        harness.put(f"{document.id}/{document.name}", document.text)
    collection = await harness.collection()
    n_found = 0
    for question in rows.questions:
        found = await harness.service.search(question.text, collection_ids=[collection.id], limit=5)
        n_found += any(question.row in passage.text for passage in found.passages)
    assert n_found >= 0.8 * len(rows.questions)
