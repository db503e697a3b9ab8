"""Reading all documents for one question: in parts, with notes that cite, stored after each part."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness
from fakes.engine import Script, conversation_of, finished, says
from fakes.engines_harness import EnginesHarness
from fakes.model_server import model_server, text
from fireside.core.collection import COLLECTIONS_KEY, Collection, TextExtent, WholeReading
from fireside.core.errors import ContextLengthExceeded, RunnerCrashed
from fireside.core.events import AnswerProgressed
from fireside.core.generation import GenerationEvent, Priority, PromptProgress, ReadingDocuments, TextDelta
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import PassagesPart
from fireside.core.remote import NewEngine
from fireside.core.token_estimate import AnswerSpeed, measured_speed, note_tokens, part_tokens, reading_cost
from fireside.engine.request import GenerationRequest

N_FILES = 12
N_LINES = 40
CONTEXT = 2048
"""Small, so that a few thousand words are read in several parts."""
QUESTION = "How many animals are there?"
_NUMBERS = re.compile(r"^\[(\d+)\] (animal \d+\.md), line", re.MULTILINE)


def lines_of(animal: int) -> int:
    """One file is so long that it is read in several parts, whose chunks overlap."""
    return 5 * N_LINES if animal == N_FILES // 2 else N_LINES


def write_animals(folder: Path) -> None:
    """Write a dozen files of about 1,400 characters, each with a number of its own."""
    folder.mkdir()
    for n in range(N_FILES):
        filling = " ".join(f"Line {line} of animal {n} says little." for line in range(lines_of(n)))
        (folder / f"animal {n:02}.md").write_text(f"# Animal {n}\n\nIts name is beast{n}.\n\n{filling}\n")


def takes_notes(request: GenerationRequest) -> list[GenerationEvent | Exception | None]:
    """Answer as a model does that notes the name in each passage, and counts when it is asked."""
    text = conversation_of(request)[-1].text
    if request.task.priority is not Priority.BACKGROUND:
        return [TextDelta(text="There are twelve [1].", n_completion=5), finished()]
    names = re.findall(r"\[(\d+)\] [^\n]*\n(?:# [^\n]*\n\n)?Its name is (beast\d+)", text)
    names += re.findall(r"\[(\d+)\] [^\[]*?Its name is (beast\d+)", text) if not names else []
    note = "\n".join(f"{name} [{number}]" for number, name in names) or "NOTHING"
    return [TextDelta(text=note, n_completion=5), finished()]


async def animals(harness: AppHarness, folder: Path) -> Collection:
    write_animals(folder)
    collection = await harness.app.collections.create(name="Animals", roots=[str(folder)])
    await harness.app.collections.catch_up(collection.id)
    return collection


async def ask(harness: AppHarness, made: Collection, *, model_id: ModelId | None = None) -> ConversationId:
    return await harness.app.generations.send(
        None,
        text=QUESTION,
        model_id=model_id or harness.model_id,
        settings={COLLECTIONS_KEY: (made.id,), "load.n_ctx": CONTEXT},
        reads_all=True,
    )


async def part_of(harness: AppHarness, conversation: ConversationId) -> PassagesPart:
    question = (await harness.store.conversations.open(conversation)).messages[0]
    assert question.message.passages is not None
    return question.message.passages


async def reading_of(harness: AppHarness, conversation: ConversationId) -> WholeReading:
    reading = (await part_of(harness, conversation)).reading
    assert reading is not None
    return reading


def read_in(harness: AppHarness) -> list[str]:
    """Return what the model was given to read, one text a request."""
    return [
        conversation_of(request)[-1].text
        for request in harness.engine.requests
        if request.task.priority is Priority.BACKGROUND
    ]


async def test_every_passage_is_read_once_and_the_notes_are_stored_with_the_question(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = takes_notes
    conversation = await ask(harness, await animals(harness, tmp_path / "docs"))
    answer = await harness.settled(conversation)
    assert answer.message.text == "There are twelve [1]."
    texts = read_in(harness)
    assert len(texts) > 1
    for n in range(N_FILES):
        for line in range(lines_of(n)):
            words = f"Line {line} of animal {n} says"
            assert sum(text.count(words) for text in texts) == 1, words
    part = await part_of(harness, conversation)
    assert part.reading is not None
    assert part.reading.is_done
    noted = "\n\n".join(part.reading.notes)
    assert all(f"beast{n} [" in noted for n in range(N_FILES))
    by_number = {citation.number: citation.passage for citation in part.citations}
    for name, number in re.findall(r"(beast\d+) \[(\d+)\]", noted):
        assert f"Its name is {name}." in by_number[int(number)].text
    sent = harness.engine.requests[-1]
    assert sent.task.priority is not Priority.BACKGROUND
    assert noted in "".join(
        each.prompt_text for each in conversation_of(sent)[-1].parts if isinstance(each, PassagesPart)
    )


async def test_progress_grows_to_the_end_with_the_remaining_time(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = takes_notes
    await harness.settled(await ask(harness, await animals(harness, tmp_path / "docs")))
    events = [
        event.progress
        for event in harness.seen(AnswerProgressed)
        if isinstance(event, AnswerProgressed) and isinstance(event.progress, ReadingDocuments)
    ]
    assert events[0].fraction == 0.0
    assert events[0].seconds_left is None
    assert events[1].seconds_left is not None
    assert [each.fraction for each in events] == sorted(each.fraction for each in events)
    assert events[0].name == "animal 00.md"


async def test_progress_grows_while_a_part_is_read(harness: AppHarness, tmp_path: Path) -> None:
    def script(request: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        steps = [PromptProgress(n_done=n, n_total=1000, n_cached=0) for n in (0, 500, 1000)]
        return [*steps, *takes_notes(request)]

    harness.engine.script = script
    await harness.settled(await ask(harness, await animals(harness, tmp_path / "docs")))
    events = [
        event.progress.fraction
        for event in harness.seen(AnswerProgressed)
        if isinstance(event, AnswerProgressed) and isinstance(event.progress, ReadingDocuments)
    ]
    parts = len(read_in(harness))
    assert events == sorted(events)
    assert len(set(events)) > 2 * parts
    assert events[-1] == 1.0


def holding(after: int) -> Script:
    """Take notes; of the parts behind the first ``after`` ones, say nothing until told to go on."""
    seen: list[GenerationRequest] = []

    def script(request: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        if request.task.priority is Priority.BACKGROUND:
            seen.append(request)
            if len(seen) == after + 1:
                return [None, *takes_notes(request)]
        return takes_notes(request)

    return script


async def stopped(harness: AppHarness, folder: Path) -> ConversationId:
    """Ask, and stop while the third part is being read."""
    conversation = await ask(harness, await animals(harness, folder))
    await harness.until_so(lambda: len(read_in(harness)) == 3)
    await harness.app.generations.stop(conversation)
    return conversation


async def test_stop_keeps_finished_parts_and_the_rest_is_read_later(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = holding(2)
    conversation = await stopped(harness, tmp_path / "docs")
    kept = await reading_of(harness, conversation)
    assert kept.is_unfinished
    assert len(kept.notes) == 2
    assert 0 < kept.fraction < 1
    answer = (await harness.store.conversations.open(conversation)).messages[-1]
    n_before = len(harness.engine.requests)
    await harness.app.generations.regenerate(answer.id, model_id=harness.model_id)
    await harness.settled(conversation)
    done = await reading_of(harness, conversation)
    assert done.is_done
    assert done.notes[:2] == kept.notes
    again = "".join(text for text in read_in(harness)[3:])
    assert "Its name is beast0." not in again
    assert len(harness.engine.requests) > n_before
    assert all(any(f"beast{n} [" in note for note in done.notes) for n in range(N_FILES))


async def test_an_answer_from_a_partial_reading_says_so(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = holding(2)
    conversation = await stopped(harness, tmp_path / "docs")
    answer = (await harness.store.conversations.open(conversation)).messages[-1]
    n_read = len(read_in(harness))
    await harness.app.branches.answer_from_read(answer.id, model_id=harness.model_id)
    assert (await harness.settled(conversation)).message.text == "There are twelve [1]."
    assert len(read_in(harness)) == n_read
    prompt_text = (await part_of(harness, conversation)).prompt_text
    assert re.search(r"Only \d+% of them were read", prompt_text)


async def test_reading_everything_after_an_answer_adds_a_sibling_question(
    harness: AppHarness, tmp_path: Path
) -> None:
    harness.engine.script = takes_notes
    collection = await animals(harness, tmp_path / "docs")
    conversation = await harness.app.generations.send(
        None,
        text=QUESTION,
        model_id=harness.model_id,
        settings={COLLECTIONS_KEY: (collection.id,), "load.n_ctx": CONTEXT},
    )
    answer = await harness.settled(conversation)
    before = await part_of(harness, conversation)
    assert before.is_about_all
    assert before.reading is None
    await harness.app.branches.read_everything(answer.id, model_id=harness.model_id)
    await harness.settled(conversation)
    assert (await reading_of(harness, conversation)).is_done
    old = await harness.store.messages.get(answer.parent_id or answer.id)
    assert old.message.passages == before


async def test_text_with_more_tokens_than_estimated_is_read_in_smaller_parts(
    harness: AppHarness, tmp_path: Path
) -> None:
    def script(request: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        text = conversation_of(request)[-1].text
        if request.task.priority is Priority.BACKGROUND and len(text) > 3000:
            return [ContextLengthExceeded(n_prompt=5000, n_ctx=4096)]
        return takes_notes(request)

    harness.engine.script = script
    conversation = await ask(harness, await animals(harness, tmp_path / "docs"))
    await harness.settled(conversation)
    assert (await reading_of(harness, conversation)).is_done


async def test_finished_parts_survive_a_crash(harness: AppHarness, tmp_path: Path) -> None:
    crashed: list[bool] = []

    def script(request: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        if request.task.priority is Priority.BACKGROUND and len(crashed) < 2:
            crashed.append(len(crashed) == 1)
            if crashed[-1]:
                return [RunnerCrashed(model="starter", cause="killed")]
        return takes_notes(request)

    harness.engine.script = script
    conversation = await ask(harness, await animals(harness, tmp_path / "docs"))
    answer = await harness.settled(conversation)
    assert answer.error is not None
    assert answer.error.retryable
    assert len((await reading_of(harness, conversation)).notes) == 1
    await harness.app.generations.regenerate(answer.id, model_id=harness.model_id)
    await harness.settled(conversation)
    assert (await reading_of(harness, conversation)).is_done


async def test_notes_that_do_not_fit_are_condensed_and_stored(harness: AppHarness, tmp_path: Path) -> None:
    def script(request: GenerationRequest) -> list[GenerationEvent | Exception | None]:
        text = conversation_of(request)[-1].text
        if "Write them anew, shorter" in text:
            return [TextDelta(text="all beasts [1]", n_completion=4), finished()]
        if request.task.priority is Priority.BACKGROUND:
            return [TextDelta(text="a long note [1] " * 800, n_completion=400), finished()]
        return takes_notes(request)

    harness.engine.script = script
    conversation = await ask(harness, await animals(harness, tmp_path / "docs"))
    await harness.settled(conversation)
    reading = await reading_of(harness, conversation)
    assert reading.is_done
    assert reading.is_condensed
    assert reading.notes[0] == "all beasts [1]"
    assert [citation.number for citation in (await part_of(harness, conversation)).citations] == [1]


async def test_a_remote_model_reads_everything_too(harness: AppHarness, tmp_path: Path) -> None:
    with model_server("lm_studio") as server:
        server.replies = [text("a note [1]")]
        engines = EnginesHarness(tmp_path)
        harness.app.engines._parts = engines.service._parts
        await harness.app.engines.add(NewEngine(address=server.address))
        spec = harness.app.engines.entries[0].spec
        assert spec is not None
        conversation = await ask(harness, await animals(harness, tmp_path / "docs"), model_id=spec.id)
        await harness.settled(conversation)
        reading = await reading_of(harness, conversation)
        assert reading.is_done
        assert set(reading.notes) == {"a note [1]"}
        asked = [each for each in server.asked if each.method == "POST"]
        assert len(asked) == len(reading.notes) + 1
        assert harness.engine.requests == []
        assert harness.engine.loaded == {}
        events = [event for event in harness.seen(AnswerProgressed) if isinstance(event, AnswerProgressed)]
        assert any(isinstance(event.progress, ReadingDocuments) for event in events)


def test_the_cost_grows_with_the_text_and_falls_with_the_context() -> None:
    small, large = (TextExtent(n_files=1, n_chars=n) for n in (40_000, 400_000))
    cost = reading_cost(large, n_ctx=4096, speed=None)
    assert cost.seconds is None
    assert cost.n_tokens > 100_000
    assert reading_cost(small, n_ctx=4096, speed=None).n_parts < cost.n_parts
    assert reading_cost(large, n_ctx=32_768, speed=None).n_parts < cost.n_parts
    timed = reading_cost(large, n_ctx=4096, speed=AnswerSpeed(prompt=500.0, completion=20.0))
    assert timed.seconds == pytest.approx(timed.n_tokens / 500 + timed.n_parts * note_tokens(4096) * 0.4 / 20)
    assert part_tokens(300) < 1


def test_speed_is_that_of_the_latest_answer_with_timings() -> None:
    told = finished()
    assert measured_speed([(told.usage, told.timings)]) is None, "ten tokens say nothing"


async def test_a_deleted_collection_is_not_reported_as_read(harness: AppHarness, tmp_path: Path) -> None:
    harness.engine.script = says("Nothing.")
    collection = await animals(harness, tmp_path / "docs")
    await harness.app.collections.remove(collection.id)
    conversation = await ask(harness, collection)
    await harness.settled(conversation)
    assert "Only 0%" in (await part_of(harness, conversation)).prompt_text
