"""Recordings that were added to a collection by themselves are transcribed, or wait for what that takes."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from fakes.collections_harness import CollectionsHarness
from fireside.core.collection import CollectionState, SourceState
from fireside.core.errors import RequestError
from fireside.core.events import CollectionProgressed
from fireside.retrieval import folder_scan

TALK = "ID3\nThe impeller is changed every year.\nThe quokka hops.\n"


async def collected(harness: CollectionsHarness, *paths: Path) -> tuple[CollectionState, str]:
    """Return the state of a collection of these files once it is read, and the problem of the last."""
    collection = await harness.service.create(name="Talks", roots=[str(path) for path in paths])
    await harness.service.catch_up(collection.id)
    (source, *_) = await harness.service.sources(collection.id)
    return await harness.service.state(collection.id), source.error


async def test_its_text_is_found_with_its_times(harness: CollectionsHarness) -> None:
    talk = harness.put("talk.mp3", TALK)
    harness.put("notes.md", "Nothing of note.\n")
    harness.put("music/song.mp3", TALK)
    collection = await harness.service.create(name="Talks", roots=[str(harness.docs), str(talk)])
    await harness.service.catch_up(collection.id)
    result = await harness.service.search("quokka", collection_ids=[collection.id])
    (passage,) = result.passages
    assert passage.text.strip() == "[0:00] The impeller is changed every year.\n[1:00] The quokka hops."
    assert not (await harness.service.text_around(passage)).has_changed
    state = await harness.service.state(collection.id)
    assert [(each.reason, each.n_files) for each in state.skipped] == [("not a document", 2)]
    assert (state.n_files, state.n_searchable) == (2, 2), "a folder may hold a music library"


async def test_it_may_be_larger_than_a_document(
    harness: CollectionsHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(folder_scan, "MAX_FILE_BYTES", 20)
    state, _ = await collected(harness, harness.put("talk.mp3", TALK))
    assert state.n_searchable == 1


async def test_it_waits_for_speech_recognition(harness: CollectionsHarness) -> None:
    harness.deafness = RequestError.of("recognizer_missing")
    talk = harness.put("talk.mp3", TALK)
    state, error = await collected(harness, talk)
    assert (state.n_unreadable, state.n_unheard) == (1, 1)
    assert error.startswith("It is a recording. Download speech recognition")
    (collection,) = await harness.service.collections()
    await harness.service.retry_recordings()
    harness.deafness = None
    await harness.service.catch_up(collection.id)
    assert await harness.found("quokka", collection) == ["talk.mp3, lines 1–2"]
    assert (await harness.service.state(collection.id)).n_unheard == 0


@pytest.mark.parametrize(
    ("content", "deafness", "problem"),
    [
        ("ID3\n", None, "No speech was heard in it."),
        (TALK, RequestError.of("speech_failed", reason="it is damaged."), "Speech failed: it is damaged."),
    ],
)
async def test_what_fails_says_why_and_is_not_tried_again(
    harness: CollectionsHarness, content: str, deafness: RequestError | None, problem: str
) -> None:
    harness.deafness = deafness
    state, error = await collected(harness, harness.put("talk.mp3", content))
    assert (error, state.n_unheard) == (problem, 0)


async def test_a_pause_ends_it_and_its_progress_is_shown(harness: CollectionsHarness) -> None:
    harness.pause.clear()
    collection = await harness.service.create(name="Talks", roots=[str(harness.put("talk.mp3", TALK))])

    async def is_shown() -> bool:
        states = [each.state for each in harness.events if isinstance(each, CollectionProgressed)]
        return any(state.working_on == "talk.mp3, 0%" for state in states)

    await harness.until(is_shown)
    await harness.service.pause(collection.id, is_paused=True)

    async def is_paused() -> bool:
        return (await harness.service.state(collection.id)).activity.name == "PAUSED"

    await harness.until(is_paused)
    (source,) = await harness.service.sources(collection.id)
    assert source.state is SourceState.WAITING
    harness.pause.set()
    await harness.service.pause(collection.id, is_paused=False)

    async def is_read() -> bool:
        return (await harness.service.state(collection.id)).n_searchable == 1

    async with asyncio.timeout(20):
        await harness.until(is_read)
