"""Inspection of an answer: its prompt, token probabilities, and other continuations."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Sequence

import msgspec
import pytest

from fakes.app_harness import AppHarness
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


async def ask(harness: AppHarness, text: str = "Why?") -> tuple[Conversation, StoredMessage]:
    conversation_id = await harness.app.generations.send(None, text=text, model_id=harness.model_id)
    answer = await harness.settled(conversation_id)
    return await harness.store.conversations.open(conversation_id), answer


async def load(harness: AppHarness) -> None:
    await harness.app.models.load(harness.model_id, conversation_id=None)


async def test_the_prompt_of_an_answer_is_the_engines_preview_of_its_request(harness: AppHarness) -> None:
    harness.engine.script = play
    await load(harness)
    _, answer = await ask(harness)
    seen = await harness.app.inspection.prompt(answer.id)
    assert seen is not None
    assert b"".join(token.piece for token in seen.tokens) == b"Why?"


async def test_no_prompt_is_shown_while_the_model_is_not_loaded(harness: AppHarness) -> None:
    harness.engine.script = play
    _, answer = await ask(harness)
    await harness.app.models.unload(harness.model_id)
    assert await harness.app.inspection.prompt(answer.id) is None


async def test_the_prompt_is_that_of_then_when_the_settings_have_changed(harness: AppHarness) -> None:
    harness.engine.script = play
    await load(harness)
    conversation, answer = await ask(harness)
    before = await harness.app.inspection.prompt(answer.id)
    layer = ConversationLayer(conversation_id=conversation.summary.id)
    await harness.app.preferences.change(layer, key="chat.system_prompt", value="Be brief.")
    after = await harness.app.inspection.prompt(answer.id)
    assert before is not None
    assert after is not None
    assert after.tokens == before.tokens
    assert any("have changed" in note for note in after.notes)
    assert not any("have changed" in note for note in before.notes)


async def test_the_tokens_of_an_answer_are_kept_and_scored_as_they_were_written(harness: AppHarness) -> None:
    harness.engine.script = play
    _, answer = await ask(harness)
    scores = await harness.app.inspection.probabilities(answer.id)
    assert scores is not None
    task = harness.engine.requests[-1].task
    assert task.replay is not None
    assert (task.replay.tokens, task.replay.ends) == ((ord("s"), ord("o")), True)
    assert task.priority is Priority.BACKGROUND
    assert [token.piece for token in scores.tokens] == [b"s", b"o"]
    assert (scores.is_recorded, scores.is_retokenised) == (False, False)
    assert scores.perplexity == pytest.approx(math.e)


async def test_scoring_an_answer_changes_nothing_that_is_stored(harness: AppHarness) -> None:
    harness.engine.script = play
    conversation, answer = await ask(harness)
    await harness.app.inspection.probabilities(answer.id)
    assert await harness.store.conversations.open(conversation.summary.id) == conversation


async def test_probabilities_that_were_wanted_are_kept_and_nothing_is_computed_again(
    harness: AppHarness,
) -> None:
    harness.engine.script = play
    conversation, _ = await ask(harness)
    layer = ConversationLayer(conversation_id=conversation.summary.id)
    await harness.app.preferences.change(layer, key="answer.keep_probabilities", value=True)
    await harness.app.generations.send(conversation.summary.id, text="And?", model_id=harness.model_id)
    answer = await harness.settled(conversation.summary.id)
    n_before = len(harness.engine.requests)
    scores = await harness.app.inspection.probabilities(answer.id)
    assert scores is not None
    assert scores.is_recorded
    assert [token.token for token in scores.tokens] == list(b"so")
    assert len(harness.engine.requests) == n_before


async def test_an_answer_without_recorded_tokens_is_tokenised_again_and_says_so(harness: AppHarness) -> None:
    harness.engine.script = play
    _, answer = await ask(harness)
    await harness.app.branches.edit_answer(answer.id, text="other words")
    edited = (await harness.store.conversations.open(answer.conversation_id)).messages[-1]
    scores = await harness.app.inspection.probabilities(edited.id)
    assert scores is not None
    assert scores.is_retokenised
    replay = harness.engine.requests[-1].task.replay
    assert replay is not None
    assert (replay.text, replay.parse_special) == ("other words", False)


async def test_another_token_begins_a_sibling_answer(harness: AppHarness) -> None:
    harness.engine.script = play
    _, answer = await ask(harness)
    await harness.app.inspection.continue_from(answer.id, tokens=(ord("s"), ord("a")))
    other = await harness.settled(answer.conversation_id)
    assert other.message.text == "sa!"
    assert other.parent_id == answer.parent_id
    opened = await harness.store.conversations.open(answer.conversation_id)
    assert opened.branches.siblings[other.id] == (answer.id, other.id)
    scores = await harness.app.inspection.probabilities(other.id)
    assert scores is not None
    assert bytes(token.token for token in scores.tokens) == b"sa!"
    assert not scores.is_retokenised


async def test_progress_is_reported_from_0_to_1(harness: AppHarness) -> None:
    harness.engine.script = play
    _, answer = await ask(harness)
    await harness.app.inspection.probabilities(answer.id)
    events = [event.fraction for event in harness.events if isinstance(event, ScoringProgressed)]
    assert events == sorted(events)
    assert events[-1] == 1.0


def _waits(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    played = play(request)
    return played if request.task.replay is None else [*played[:2], None, *played[2:]]


async def test_scoring_can_be_cancelled(harness: AppHarness) -> None:
    harness.engine.script = _waits
    _, answer = await ask(harness)
    scoring = asyncio.create_task(harness.app.inspection.probabilities(answer.id))
    await harness.until(ScoringProgressed)
    scoring.cancel()
    with pytest.raises(asyncio.CancelledError):
        await scoring
    assert harness.engine.requests[-1].request_id not in harness.engine._running


def _breaks(request: GenerationRequest) -> Sequence[GenerationEvent | Exception | None]:
    if request.task.replay is None:
        return play(request)
    return [Failed(error=RunnerCrashed(model="Fake", cause="it fell.").info())]


async def test_a_crash_while_scoring_is_reported(harness: AppHarness) -> None:
    harness.engine.script = _breaks
    _, answer = await ask(harness)
    with pytest.raises(FiresideError, match="fell"):
        await harness.app.inspection.probabilities(answer.id)


async def test_only_answers_can_be_inspected(harness: AppHarness) -> None:
    harness.engine.script = play
    conversation, _ = await ask(harness)
    with pytest.raises(RecordNotFound):
        await harness.app.inspection.probabilities(conversation.messages[0].id)


async def test_a_continued_answer_has_no_recorded_tokens(harness: AppHarness) -> None:
    harness.engine.script = play
    _, answer = await ask(harness)
    await harness.app.branches.continue_answer(answer.id, model_id=harness.model_id)
    longer = await harness.settled(answer.conversation_id)
    assert longer.message.text == "soso"
    scores = await harness.app.inspection.probabilities(longer.id)
    assert scores is not None
    assert scores.is_retokenised
    assert len(scores.tokens) == 4
