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

from bench.document_sets import tables
from fakes.shelf import Shelf
from fireside.core.collection import SourceState
from fireside.core.errors import InvalidText, ModelNotFound, RecordNotFound
from fireside.core.events import CollectionsChanged
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, PassagesPart, Role, TextPart, text_message
from fireside.documents.extracted_text import HIDDEN
from fireside.services.collections import file_reading, indexer
from fireside.services.collections.query_rewriting import asks_about_everything, rewrite_query


async def test_files_are_found_by_their_text_and_names(shelf: Shelf) -> None:
    shelf.put("pump.md", "# Pump\n\nThe impeller is changed every year.\n")
    shelf.put("filter.md", "# Filter\n\nFilters are washed, and the filters dried.\n")
    shelf.put("bericht.txt", "Über die Prüfung der Größe von Schrauben wird berichtet.\n")
    collection = await shelf.collection()
    assert collection.name == "My manuals"
    assert await shelf.found("When do I change the impellers?", collection) == ["pump.md, lines 1–3"]
    assert await shelf.found("washing of a filter", collection) == ["filter.md, lines 1–3"]
    assert await shelf.found("PRUFUNG", collection) == ["bericht.txt, line 1"]
    assert await shelf.found("zebra", collection) == []
    assert await shelf.found('" OR ) NEAR(', collection) == []
    state = await shelf.service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_unreadable) == (3, 3, 0)
    assert await shelf.service.collections() == (collection,)


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
    shelf: Shelf, typed: str, finds: list[str]
) -> None:
    shelf.put("pump.md", "Maintenance of the pump: change the turbine.\n")
    shelf.put("heizung.md", "Die Heizungsanlage wird von den Monteuren geprüft und nicht ersetzt.\n")
    collection = await shelf.collection()
    found = await shelf.service.search(typed, collection_ids=[collection.id], matches_prefix=True)
    assert [passage.location_text for passage in found.passages] == finds
    assert await shelf.found("turbi", collection) == []


async def test_the_best_of_many_files_is_found(shelf: Shelf) -> None:
    for n in range(150):
        shelf.put(f"{n}.md", "The pump is mentioned in this text, of many other words and things. " * 3)
    shelf.put("zz.md", "The pump, the pump: all about the pump and its impeller. " * 4)
    collection = await shelf.collection()
    result = await shelf.service.search("pump impeller", collection_ids=[collection.id], limit=1)
    assert [passage.name for passage in result.passages] == ["zz.md"]


async def test_unreadable_files_have_a_reason(shelf: Shelf) -> None:
    shelf.put("good.md", "Words.")
    shelf.put("empty.md", "")
    shelf.put("blank.md", " \n")
    (shelf.docs / "noise").write_bytes(bytes(range(256)) * 50)
    collection = await shelf.collection()
    state = await shelf.service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_unreadable) == (4, 1, 3)
    unreadable = await shelf.service.sources(collection.id, only_problems=True)
    assert {source.name: source.error for source in unreadable} == {
        "empty.md": "It is empty.",
        "blank.md": "No text.",
        "noise": "Unsupported file type.",
    }


async def test_partly_read_files_have_warnings(shelf: Shelf) -> None:
    shelf.put("good.md", "Words.")
    shelf.put("page.html", "<html><body><p>Seen.</p><p hidden>Unseen.</p></body></html>")
    shelf.put("long.txt", "The walrus sleeps. " * 120_000)
    shelf.put("empty.md", "")
    collection = await shelf.collection()
    state = await shelf.service.state(collection.id)
    assert (state.n_searchable, state.n_unreadable, state.n_warned) == (3, 1, 2)
    problems = await shelf.service.sources(collection.id, only_problems=True)
    assert {source.name: (source.error, source.warnings) for source in problems} == {
        "empty.md": ("It is empty.", ()),
        "long.txt": ("", ("Only the first 2,000,000 characters were read.",)),
        "page.html": ("", (HIDDEN,)),
    }


async def test_only_changed_files_are_read_again(shelf: Shelf) -> None:
    first = shelf.put("a.md", "The walrus sleeps.")
    shelf.put("b.md", "The heron flies.")
    collection = await shelf.collection()
    assert shelf.n_read == 2
    os.utime(first, (1, 1))
    await shelf.service.catch_up(collection.id)
    assert shelf.n_read == 2
    first.write_text("The otter swims.")
    await shelf.service.catch_up(collection.id)
    assert shelf.n_read == 3
    assert await shelf.found("otter", collection)
    assert not await shelf.found("walrus", collection)


async def test_a_moved_file_is_not_read_again_and_found_by_its_new_name(shelf: Shelf) -> None:
    path = shelf.put("old.md", "The walrus sleeps.")
    collection = await shelf.collection()
    (shelf.docs / "deep").mkdir()
    path.rename(shelf.docs / "deep" / "novel.md")
    await shelf.service.catch_up(collection.id)
    assert shelf.n_read == 1
    assert await shelf.found("novel", collection) == ["novel.md, line 1"]
    assert await shelf.found("old", collection) == []
    assert await shelf.found("walrus", collection) == ["novel.md, line 1"]


@pytest.mark.parametrize("how", ["file", "root", "collection"])
async def test_deleted_text_is_removed_from_the_database(shelf: Shelf, how: str) -> None:
    shelf.put("stays.md", "The heron flies.")
    path = shelf.put("goes/secret.md", "# Quokkanomicon\n\nThe passphrase is zyzzogetonium.\n")
    collection = await shelf.service.create(
        name="A", roots=[str(shelf.docs / "stays.md"), str(shelf.docs / "goes")]
    )
    await shelf.service.catch_up(collection.id)
    assert await shelf.found("zyzzogetonium", collection)
    match how:
        case "file":
            path.unlink()
            await shelf.service.catch_up(collection.id)
        case "root":
            await shelf.service.remove_root(collection.id, str(shelf.docs / "goes"))
        case _:
            await shelf.service.remove(collection.id)
    # While the program goes on: the journal counts too.
    kept = b"".join(path.read_bytes() for path in sorted((shelf.database.parent).iterdir())).lower()
    assert b"zyzzo" not in kept
    assert b"quokka" not in kept
    assert (b"heron" in kept) == (how != "collection")


async def test_files_of_a_missing_drive_stay_searchable(shelf: Shelf) -> None:
    shelf.put("a.md", "The walrus sleeps.")
    collection = await shelf.collection()
    shelf.docs.rename(shelf.folder / "elsewhere")
    await shelf.service.catch_up(collection.id)
    state = await shelf.service.state(collection.id)
    assert (state.n_files, state.n_searchable, state.n_offline) == (1, 1, 1)
    assert await shelf.found("walrus", collection)
    assert [each.state for each in await shelf.service.sources(collection.id)] == [SourceState.OFFLINE]
    (shelf.folder / "elsewhere").rename(shelf.docs)
    await shelf.service.catch_up(collection.id)
    assert (await shelf.service.state(collection.id)).n_offline == 0
    assert shelf.n_read == 1


async def test_collections_do_not_see_each_other(shelf: Shelf) -> None:
    one = await shelf.service.create(name="B", roots=[str(shelf.put("one/a.md", "The walrus sleeps."))])
    two = await shelf.service.create(name="a", roots=[str(shelf.put("two/b.md", "The walrus swims."))])
    for each in (one, two):
        await shelf.service.catch_up(each.id)
    assert await shelf.found("walrus", one) == ["a.md, line 1"]
    assert sorted(await shelf.found("walrus", one, two)) == ["a.md, line 1", "b.md, line 1"]
    assert [each.name for each in await shelf.service.collections()] == ["a", "B"]


async def test_a_missing_collection_or_an_empty_name_is_refused(shelf: Shelf) -> None:
    with pytest.raises(InvalidText):
        await shelf.service.create(name=" \n")
    collection = await shelf.collection()
    await shelf.service.rename(collection.id, name=" ")
    await shelf.service.rename(collection.id, name="Tools")
    assert [each.name for each in await shelf.service.collections()] == ["Tools"]
    assert isinstance(shelf.events[-1], CollectionsChanged)
    await shelf.service.remove(collection.id)
    for work in (
        shelf.service.remove(collection.id),
        shelf.service.rename(collection.id, name="x"),
        shelf.service.add_roots(collection.id, ["/x"]),
        shelf.service.catch_up(collection.id),
    ):
        with pytest.raises(RecordNotFound):
            await work


async def test_a_damaged_database_is_replaced(shelf: Shelf) -> None:
    shelf.database.parent.mkdir()
    shelf.database.write_bytes(b"no database at all" * 500)
    shelf.put("a.md", "The walrus sleeps.")
    collection = await shelf.collection()
    assert await shelf.found("walrus", collection)
    assert (shelf.database.parent / "collections.db.damaged").is_file()


async def test_collections_outlive_damage_to_what_was_read_of_their_files(shelf: Shelf) -> None:
    shelf.put("a.md", "The walrus sleeps.")
    collection = await shelf.collection()
    await shelf.service.close()
    with closing(sqlite3.connect(shelf.database)) as database:
        database.execute("ALTER TABLE chunk RENAME TO lost")
    shelf = Shelf(shelf.folder)
    assert [each.name for each in await shelf.service.collections()] == [collection.name]
    await shelf.service.catch_up(collection.id)
    assert await shelf.found("walrus", collection)
    await shelf.service.close()
    assert (shelf.database.parent / "collections.db.damaged").is_file()


async def test_files_that_an_older_version_refused_are_read_again(shelf: Shelf) -> None:
    shelf.put("a.rtf", r"{\rtf1 The walrus sleeps.}")
    shelf.put("b.md", "The heron flies.")
    collection = await shelf.collection()
    await shelf.service.close()
    with closing(sqlite3.connect(shelf.database)) as database, database:
        database.execute("DELETE FROM chunk WHERE source_id = (SELECT id FROM source WHERE name = 'a.rtf')")
        database.execute("UPDATE source SET state = 'unreadable', error = '\"old\"' WHERE name = 'a.rtf'")
        database.execute("PRAGMA user_version = 3")
    shelf = Shelf(shelf.folder)
    await shelf.service.catch_up(collection.id)
    assert await shelf.found("walrus", collection)
    assert shelf.n_read == 1
    await shelf.service.close()


async def test_a_file_that_becomes_readable_is_read(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    path = shelf.put("a.md", "The walrus sleeps.")

    def refuse(_: Path) -> bytes:
        raise PermissionError(13, "Permission denied")

    with monkeypatch.context() as closed:
        closed.setattr(os, "access", lambda *_: False)
        closed.setattr(file_reading, "_bytes_of", refuse)
        collection = await shelf.collection()
    (source,) = await shelf.service.sources(collection.id)
    assert (source.path, source.state) == (str(path), SourceState.UNREADABLE)
    await shelf.service.catch_up(collection.id)
    assert await shelf.found("walrus", collection)


async def test_the_reader_gets_the_text_around_a_passage(shelf: Shelf) -> None:
    text = "".join(f"Sentence number {n} says something of its own. \n" for n in range(400))
    path = shelf.put("long.md", text)
    collection = await shelf.collection()
    result = await shelf.service.search("sentence number 250", collection_ids=[collection.id], limit=1)
    (passage,) = result.passages
    excerpt = await shelf.service.text_around(passage, n_chars=6_000)
    assert excerpt.text in text
    assert excerpt.text[excerpt.mark_from : excerpt.mark_to] == passage.text
    assert text.splitlines()[excerpt.first_line - 1] + "\n" == excerpt.text.splitlines(keepends=True)[0]
    assert (excerpt.has_before, excerpt.has_after, excerpt.has_changed) == (True, True, False)
    path.write_text("Another text.")
    await shelf.service.catch_up(collection.id)
    excerpt = await shelf.service.text_around(passage)
    assert (excerpt.text, excerpt.has_changed) == (passage.text, True)


async def test_a_whole_text_is_sent_where_it_fits(shelf: Shelf) -> None:
    for n in range(3):
        shelf.put(f"{n}.md", f"# Part {n}\n\n" + f"It is about the number {n}. " * 40)
    collection = await shelf.collection()

    async def passages(n_tokens: int) -> PassagesPart:
        return await shelf.service.passages_for(
            "About number 2?", collection_ids=[collection.id], n_tokens=n_tokens
        )

    assert not (await passages(4_000)).is_whole  # not wanted
    shelf.most_whole = 4_000
    whole = await passages(4_000)
    assert whole.is_whole
    assert [each.number for each in whole.citations] == [1, 2, 3]
    assert [each.passage.name for each in whole.citations] == ["0.md", "1.md", "2.md"]
    part = await passages(500)
    assert not part.is_whole
    assert part.citations[0].passage.name == "2.md"
    assert len(part.citations) == 1


async def test_questions_about_everything_are_marked_as_partial(shelf: Shelf) -> None:
    shelf.put("a.md", "The walrus sleeps.")
    collection = await shelf.collection()
    part = await shelf.service.passages_for(
        "How many walruses sleep?", collection_ids=[collection.id], n_tokens=500
    )
    assert "may be wrong" in part.problem


async def test_reading_waits_while_a_chat_is_answered(shelf: Shelf) -> None:
    shelf.is_answering = True
    shelf.put("a.md", "The walrus sleeps.")
    collection = await shelf.service.create(name="A", roots=[str(shelf.docs)])

    async def waits() -> bool:
        return (await shelf.service.state(collection.id)).activity == "waiting"

    async def is_read() -> bool:
        state = await shelf.service.state(collection.id)
        return state.activity == "idle" and state.n_searchable == 1

    await shelf.until(waits)
    assert (await shelf.service.state(collection.id)).n_searchable == 0
    shelf.is_answering = False
    await shelf.until(is_read)


async def test_a_chat_interrupts_embedding_which_is_repeated(shelf: Shelf) -> None:
    begun, is_cancelled = asyncio.Event(), asyncio.Event()

    async def embed(texts: Sequence[str], *, model_id: ModelId) -> Sequence[Sequence[float]]:
        if begun.is_set():
            return await shelf._embed(texts, model_id=model_id)
        begun.set()
        try:
            await asyncio.Event().wait()
        finally:
            is_cancelled.set()
        raise AssertionError

    shelf.service._semantic_search._embed = embed
    shelf.put("a.md", "The walrus sleeps.")
    collection = await shelf.service.create(name="A", roots=[str(shelf.docs)])
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    working = asyncio.create_task(shelf.service.catch_up(collection.id))
    await begun.wait()
    shelf.is_answering = True
    await is_cancelled.wait()
    assert (await shelf.service.state(collection.id)).n_embedded == 0
    shelf.is_answering = False
    await working
    assert (await shelf.service.state(collection.id)).n_embedded == 1


async def test_a_pause_applies_during_indexing(shelf: Shelf) -> None:
    for n in range(40):
        shelf.put(f"{n}.md", f"Sentence {n} of it.")
    collection = await shelf.collection()
    whole = shelf._embed

    async def embed(texts: Sequence[str], *, model_id: ModelId) -> list[list[float]]:
        await shelf.service.pause(collection.id, is_paused=True)
        return await whole(texts, model_id=model_id)

    async def is_paused() -> bool:
        return (await shelf.service.state(collection.id)).activity == "paused"

    async def is_through() -> bool:
        return (await shelf.service.state(collection.id)).n_embedded == 40

    shelf.service._semantic_search._embed = embed
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    await shelf.until(is_paused)
    n_embedded = len(shelf.embedded)
    assert 0 < n_embedded < 40
    shelf.service._semantic_search._embed = whole
    await shelf.service.pause(collection.id, is_paused=False)
    await shelf.until(is_through)
    assert len(shelf.embedded) == 40


async def test_a_change_is_noticed_within_ten_seconds(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    assert indexer.SCAN_INTERVAL_S < 10
    monkeypatch.setattr(indexer, "SCAN_INTERVAL_S", 0.01)
    collection = await shelf.collection()
    for name in ("walrus", "heron", "otter"):  # the first two may still be found by what was asked

        async def is_found(name: str = name) -> bool:
            return bool(await shelf.found(name, collection))

        shelf.put(f"{name}.md", "It sleeps.")
        await shelf.until(is_found)


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


async def test_passages_are_found_by_meaning_too(shelf: Shelf) -> None:
    shelf.put("a.md", "zebra zoo zone")
    shelf.put("b.md", "quick quiet queen")
    collection = await shelf.collection()
    before = await shelf.service.search("zeal", collection_ids=[collection.id])
    assert (before.passages, before.by_meaning) == ((), False)
    await shelf.service.choose_model(collection.id, model_id=NOMIC)
    await shelf.service.catch_up(collection.id)
    state = await shelf.service.state(collection.id)
    assert (state.n_searchable, state.n_embedded) == (2, 2)
    found = await shelf.service.search("zeal", collection_ids=[collection.id])
    assert found.by_meaning
    assert found.passages[0].name == "a.md"
    scores = found.passages[0].scores
    assert scores is not None
    assert scores.words is None
    assert scores.meaning is not None
    assert scores.meaning > 0.5
    assert (NOMIC, "search_query: zeal") in shelf.embedded
    assert (NOMIC, "search_document: a.md\nzebra zoo zone") in shelf.embedded


async def test_no_vector_of_unchanged_text_is_computed_again(shelf: Shelf) -> None:
    sections = {n: f"# Part {n}\n\n" + f"Sentence {n} is about it. " * 30 for n in range(5)}
    path = shelf.put("a.md", "\n\n".join(sections.values()))
    collection = await shelf.collection()
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    await shelf.service.catch_up(collection.id)
    assert len(shelf.embedded) == 5
    sections[2] += "One more."
    path.write_text("\n\n".join(sections.values()))
    await shelf.service.catch_up(collection.id)
    assert len(shelf.embedded) == 6
    await shelf.service.catch_up(collection.id)
    assert len(shelf.embedded) == 6


@pytest.mark.parametrize("how", ["touched", "renamed", "copied", "moved away and back"])
async def test_no_vector_is_computed_again_for_a_moved_file(shelf: Shelf, how: str) -> None:
    path = shelf.put("old.md", "The walrus sleeps.")
    collection = await shelf.collection()
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    await shelf.service.catch_up(collection.id)
    assert len(shelf.embedded) == 1
    match how:
        case "touched":
            os.utime(path, (1, 1))
        case "renamed":
            path = path.rename(shelf.docs / "new.md")
        case "copied":
            shutil.copy(path, shelf.docs / "new.md")
            path.unlink()
            path = shelf.docs / "new.md"
        case _:
            (shelf.docs / "deep").mkdir()
            path = path.rename(shelf.docs / "deep" / "new.md")
    path.write_text(path.read_text())  # as editors do that save what has not changed
    await shelf.service.catch_up(collection.id)
    state = await shelf.service.state(collection.id)
    assert (state.n_searchable, state.n_embedded) == (1, 1)
    assert len(shelf.embedded) == 1
    found = await shelf.service.search("walrus", collection_ids=[collection.id])
    assert [(passage.name, found.by_meaning) for passage in found.passages] == [(path.name, True)]


async def test_another_model_is_used_once_its_vectors_are_complete(shelf: Shelf) -> None:
    shelf.put("a.md", "zebra zoo zone")
    collection = await shelf.collection()
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    await shelf.service.catch_up(collection.id)
    shelf.refusal = ModelNotFound(name="x")
    await shelf.service.choose_model(collection.id, model_id=NOMIC)
    with pytest.raises(ModelNotFound):
        await shelf.service.catch_up(collection.id)
    shelf.refusal = None
    found = await shelf.service.search("zeal", collection_ids=[collection.id])
    assert found.by_meaning
    assert shelf.embedded[-1][0] == OTHER
    await shelf.service.choose_model(collection.id, model_id=NOMIC)
    await shelf.service.catch_up(collection.id)
    await shelf.service.search("zeal", collection_ids=[collection.id])
    assert shelf.embedded[-1][0] == NOMIC


async def test_without_vectors_the_text_search_is_used_with_a_note(shelf: Shelf) -> None:
    shelf.put("a.md", "zebra zoo zone")
    collection = await shelf.collection()
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    await shelf.service.catch_up(collection.id)
    shelf.refusal = ModelNotFound(name="x")
    found = await shelf.service.search("zebra", collection_ids=[collection.id])
    assert [passage.name for passage in found.passages] == ["a.md"]
    assert not found.by_meaning
    assert found.problem
    shelf.refusal = None
    (shelf.folder / f"{OTHER}.gguf").write_text("another model")
    assert "has changed" in (await shelf.service.search("zebra", collection_ids=[collection.id])).problem


async def test_closing_during_a_rescan_request_ends(shelf: Shelf) -> None:
    for _ in range(20):
        service = Shelf(shelf.folder).service
        await service.create(name="A")
        await asyncio.sleep(0)
        collection = await service.collections()
        await service.catch_up(collection[0].id)
        await service.remove(collection[0].id)
        async with asyncio.timeout(20):
            await service.close()


async def test_german_words_are_found_in_other_forms(shelf: Shelf) -> None:
    shelf.put("pumpe.md", "Die Filter der Pumpen werden von den Monteuren gereinigt und nicht ersetzt.\n")
    shelf.put("other.md", "Der Bericht über die Prüfung ist das Ergebnis und wird von allen gelesen.\n")
    collection = await shelf.collection()
    assert await shelf.found("Pumpe", collection) == ["pumpe.md, line 1"]
    assert await shelf.found("ein Monteur", collection) == ["pumpe.md, line 1"]
    assert await shelf.found("Berichte zu Prüfungen", collection) == ["other.md, line 1"]
    (shelf.docs / "pumpe.md").unlink()
    await shelf.service.catch_up(collection.id)
    assert await shelf.found("Pumpe", collection) == []


async def test_vectors_are_searched_before_all_are_computed(shelf: Shelf) -> None:
    shelf.put("a.md", "zebra zoo zone")
    shelf.put("b.md", "quick quiet queen and more of it than of the other")
    collection = await shelf.collection()
    whole = shelf._embed

    async def embed(texts: Sequence[str], *, model_id: ModelId) -> list[list[float]]:
        if any("quick" in text for text in texts):
            raise ModelNotFound(name="x")
        return await whole(texts, model_id=model_id)

    shelf.service._semantic_search._embed = embed
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    with pytest.raises(ModelNotFound):
        await shelf.service.catch_up(collection.id)
    found = await shelf.service.search("zeal", collection_ids=[collection.id])
    assert [passage.name for passage in found.passages] == ["a.md"]
    assert (await shelf.service.state(collection.id)).n_embedded == 1


async def test_embedding_faster_than_the_clock_works(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    # As on Windows, where one clock goes on 64 times a second.
    clocks = SimpleNamespace(monotonic=lambda: 5.0, perf_counter=time.perf_counter)
    monkeypatch.setattr("fireside.services.collections.semantic_search.time", clocks)
    shelf.put("a.md", "zebra zoo zone")
    collection = await shelf.collection()
    await shelf.service.choose_model(collection.id, model_id=OTHER)
    await shelf.service.catch_up(collection.id)
    assert (await shelf.service.state(collection.id)).n_embedded == 1


async def test_a_text_of_two_collections_has_one_vector_and_stays_while_one_has_it(shelf: Shelf) -> None:
    shelf.put("a.md", "zebra zoo zone")
    collection = await shelf.collection()
    other = await shelf.service.create(name="Other", roots=[str(shelf.docs)])
    for each in (collection, other):
        await shelf.service.choose_model(each.id, model_id=OTHER)
        await shelf.service.catch_up(each.id)
    assert len(shelf.embedded) == 1
    await shelf.service.remove(collection.id)
    found = await shelf.service.search("zeal", collection_ids=[other.id])
    assert [passage.collection_id for passage in found.passages] == [other.id]
    await shelf.service.remove(other.id)
    await shelf.service.close()
    with closing(sqlite3.connect(shelf.database)) as database:
        assert database.execute("SELECT count(*) FROM vector").fetchone() == (0,)
        assert database.execute("SELECT count(*) FROM removed_text").fetchone() == (0,)


async def test_rows_of_tables_are_found_beside_prose_of_the_same_words(shelf: Shelf) -> None:
    rows = tables(n_rows=48)
    for document in rows.documents:
        shelf.put(f"{document.id}/{document.name}", document.text)
    collection = await shelf.collection()
    n_found = 0
    for question in rows.questions:
        found = await shelf.service.search(question.text, collection_ids=[collection.id], limit=5)
        n_found += any(question.row in passage.text for passage in found.passages)
    assert n_found >= 0.8 * len(rows.questions)
