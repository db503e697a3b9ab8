"""Inspection of an answer: its prompt, token probabilities, and other continuations."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import msgspec
import pytest

from fakes.app_place import Place
from fakes.engine import finished
from fireside.core.chat import Conversation, StoredMessage
from fireside.core.errors import FiresideError, RecordNotFound, RunnerCrashed
from fireside.core.generation import (
    Failed,
    Finished,
    GenerationEvent,
    Priority,
    PromptProgress,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
)
from fireside.core.inspection import ScoringProgressed
from fireside.engine.request import GenerationRequest
from fireside.settings.values import ConversationLayer


def _events(text: str, *, with_scores: bool) -> list[GenerationEvent]:
    events: list[GenerationEvent] = [PromptProgress(n_done=3, n_total=3, n_cached=0)]
    for place, byte in enumerate(text.encode()):
        chosen = TokenProbability(byte, bytes([byte]), -1.0)
        scores = (TokenLogprobs(chosen, (chosen,)),) if with_scores else ()
        events.append(TextDelta(text=chr(byte), n_completion=place + 1, logprobs=scores))
    return events


def _end(text: str) -> Finished:
    ids = b"".join(byte.to_bytes(4, "little") for byte in text.encode())
    return msgspec.structs.replace(finished(n_completion=len(text)), tokens=ids)


def play(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    """Answer “so”; where tokens are given, those, and “!” behind them unless only they are wanted."""
    task, text = request.task, "so"
    if task.replay is not None:
        text = bytes(task.replay.tokens).decode() or task.replay.text
        text += "" if task.replay.ends else "!"
    return [*_events(text, with_scores=task.sampling.top_logprobs is not None), _end(text)]


async def ask(place: Place, text: str = "Why?") -> tuple[Conversation, StoredMessage]:
    conversation_id = await place.app.generations.send(None, text=text, model_id=place.model_id)
    answer = await place.settled(conversation_id)
    return await place.store.conversations.open(conversation_id), answer


async def load(place: Place) -> None:
    await place.app.models.load(place.model_id, conversation_id=None)


async def test_the_prompt_of_an_answer_is_the_engines_preview_of_its_request(place: Place) -> None:
    place.engine.script = play
    await load(place)
    _, answer = await ask(place)
    seen = await place.app.inspection.prompt(answer.id)
    assert seen is not None
    assert b"".join(token.piece for token in seen.tokens) == b"Why?"


async def test_no_prompt_is_shown_while_the_model_is_not_loaded(place: Place) -> None:
    place.engine.script = play
    _, answer = await ask(place)
    await place.app.models.unload(place.model_id)
    assert await place.app.inspection.prompt(answer.id) is None


async def test_the_prompt_is_that_of_then_when_the_settings_have_changed(place: Place) -> None:
    place.engine.script = play
    await load(place)
    conversation, answer = await ask(place)
    before = await place.app.inspection.prompt(answer.id)
    layer = ConversationLayer(conversation_id=conversation.summary.id)
    await place.app.preferences.change(layer, key="chat.system_prompt", value="Be brief.")
    after = await place.app.inspection.prompt(answer.id)
    assert before is not None
    assert after is not None
    assert after.tokens == before.tokens
    assert any("have changed" in note for note in after.notes)
    assert not any("have changed" in note for note in before.notes)


async def test_the_tokens_of_an_answer_are_kept_and_scored_as_they_were_written(place: Place) -> None:
    place.engine.script = play
    _, answer = await ask(place)
    scores = await place.app.inspection.probabilities(answer.id)
    assert scores is not None
    task = place.engine.requests[-1].task
    assert task.replay is not None
    assert (task.replay.tokens, task.replay.ends) == ((ord("s"), ord("o")), True)
    assert task.priority is Priority.BACKGROUND
    assert [token.piece for token in scores.tokens] == [b"s", b"o"]
    assert (scores.is_recorded, scores.is_retokenised) == (False, False)
    assert scores.perplexity == pytest.approx(math.e)


async def test_scoring_an_answer_changes_nothing_that_is_stored(place: Place) -> None:
    place.engine.script = play
    conversation, answer = await ask(place)
    await place.app.inspection.probabilities(answer.id)
    assert await place.store.conversations.open(conversation.summary.id) == conversation


async def test_probabilities_that_were_wanted_are_kept_and_nothing_is_computed_again(place: Place) -> None:
    place.engine.script = play
    conversation, _ = await ask(place)
    layer = ConversationLayer(conversation_id=conversation.summary.id)
    await place.app.preferences.change(layer, key="answer.keep_probabilities", value=True)
    await place.app.generations.send(conversation.summary.id, text="And?", model_id=place.model_id)
    answer = await place.settled(conversation.summary.id)
    n_before = len(place.engine.requests)
    scores = await place.app.inspection.probabilities(answer.id)
    assert scores is not None
    assert scores.is_recorded
    assert [token.token for token in scores.tokens] == list(b"so")
    assert len(place.engine.requests) == n_before


async def test_an_answer_without_recorded_tokens_is_tokenised_again_and_says_so(place: Place) -> None:
    place.engine.script = play
    _, answer = await ask(place)
    await place.app.branches.edit_answer(answer.id, text="other words")
    edited = (await place.store.conversations.open(answer.conversation_id)).messages[-1]
    scores = await place.app.inspection.probabilities(edited.id)
    assert scores is not None
    assert scores.is_retokenised
    replay = place.engine.requests[-1].task.replay
    assert replay is not None
    assert (replay.text, replay.parse_special) == ("other words", False)


async def test_another_token_begins_a_sibling_answer(place: Place) -> None:
    place.engine.script = play
    _, answer = await ask(place)
    await place.app.inspection.continue_from(answer.id, tokens=(ord("s"), ord("a")))
    other = await place.settled(answer.conversation_id)
    assert other.message.text == "sa!"
    assert other.parent_id == answer.parent_id
    opened = await place.store.conversations.open(answer.conversation_id)
    assert opened.branches.siblings[other.id] == (answer.id, other.id)
    scores = await place.app.inspection.probabilities(other.id)
    assert scores is not None
    assert bytes(token.token for token in scores.tokens) == b"sa!"
    assert not scores.is_retokenised


async def test_progress_is_reported_from_0_to_1(place: Place) -> None:
    place.engine.script = play
    _, answer = await ask(place)
    await place.app.inspection.probabilities(answer.id)
    events = [event.fraction for event in place.events if isinstance(event, ScoringProgressed)]
    assert events == sorted(events)
    assert events[-1] == 1.0


def _waits(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    played = play(request)
    return played if request.task.replay is None else [*played[:2], None, *played[2:]]


async def test_scoring_can_be_cancelled(place: Place) -> None:
    place.engine.script = _waits
    _, answer = await ask(place)
    scoring = asyncio.create_task(place.app.inspection.probabilities(answer.id))
    await place.until(ScoringProgressed)
    scoring.cancel()
    with pytest.raises(asyncio.CancelledError):
        await scoring
    assert place.engine.requests[-1].request_id not in place.engine._running


def _breaks(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    if request.task.replay is None:
        return play(request)
    return [Failed(error=RunnerCrashed(model="Fake", cause="it fell.").info())]


async def test_a_crash_while_scoring_is_reported(place: Place) -> None:
    place.engine.script = _breaks
    _, answer = await ask(place)
    with pytest.raises(FiresideError, match="fell"):
        await place.app.inspection.probabilities(answer.id)


async def test_only_answers_can_be_inspected(place: Place) -> None:
    place.engine.script = play
    conversation, _ = await ask(place)
    with pytest.raises(RecordNotFound):
        await place.app.inspection.probabilities(conversation.messages[0].id)


async def test_a_continued_answer_has_no_recorded_tokens(place: Place) -> None:
    place.engine.script = play
    _, answer = await ask(place)
    await place.app.branches.continue_answer(answer.id, model_id=place.model_id)
    longer = await place.settled(answer.conversation_id)
    assert longer.message.text == "soso"
    scores = await place.app.inspection.probabilities(longer.id)
    assert scores is not None
    assert scores.is_retokenised
    assert len(scores.tokens) == 4
