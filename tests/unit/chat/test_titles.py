"""Titles: from the first line of a conversation, then by a model in the background, never over the user's."""

from __future__ import annotations

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.app_harness import AppHarness
from fakes.engine import Script, finished, says
from fireside.chat import app as app_module
from fireside.chat import titles
from fireside.chat.titles import TITLE_PROMPT, title_of
from fireside.chat.user_message import TITLE_CHARACTERS, title_from
from fireside.core.chat import ConversationSummary, TitleSource
from fireside.core.errors import RunnerCrashed
from fireside.core.events import ConversationChanged, MessageReplaced
from fireside.core.generation import (
    Failed,
    FinishReason,
    GenerationEvent,
    OutputKind,
    Overflow,
    Priority,
    TextDelta,
)
from fireside.core.ids import ConversationId
from fireside.core.options import LoadOptions
from fireside.core.prompt_input import ChatInput
from fireside.engine.request import GenerationRequest
from fireside.services.service_context import ServiceContext
from fireside.settings.values import AppLayer


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n  What is   RoPE?\nIn detail.", "What is RoPE?"),
        ("Tell me about the sea.", "Tell me about the sea"),
        ("...", "..."),
        ("word " * 30, "word word word word word word word word word word word word…"),
        ("x" * 200, "x" * TITLE_CHARACTERS + "…"),
        ("## Plan for **spring**\nDig.", "Plan for spring"),
        ("> - `ls -l` says nothing", "ls -l says nothing"),
        ("```python\nprint(1)\n```", "print(1)"),
        ("```", "```"),
        ("#", "#"),
        ("What does __init__ do?", "What does __init__ do?"),
        ("#tag and 2 ** 3 ** 4", "#tag and 2 ** 3 ** 4"),
        ("-5 degrees or - 5", "-5 degrees or - 5"),
    ],
)
def test_a_title_is_the_first_line_cut_at_a_word(text: str, title: str) -> None:
    assert title_from(text) == title


@given(st.text())
def test_any_text_gives_a_title_of_one_short_line(text: str) -> None:
    title = title_from(text)
    assert 0 < len(title) <= TITLE_CHARACTERS + 1
    assert "\n" not in title


Events = list[GenerationEvent | Exception | None]


def asks_for_title(request: GenerationRequest) -> bool:
    prompt = request.task.prompt
    return isinstance(prompt, ChatInput) and prompt.messages[-1].text == TITLE_PROMPT


def names_it(*pieces: str, reason: FinishReason = FinishReason.STOP) -> Script:
    """Answer questions with two words and the question for a title with ``pieces``."""

    def script(request: GenerationRequest) -> Events:
        if not asks_for_title(request):
            return list(says("Because", " so.")(request))
        said = (TextDelta(text=text, n_completion=n) for n, text in enumerate(pieces, start=1))
        return [*said, finished(reason)]

    return script


@pytest.fixture(autouse=True)
def _any_model_is_able_and_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(titles, "MIN_PARAMETERS", 1)

    class AtOnce(titles.Titles):
        def __init__(self, context: ServiceContext) -> None:
            super().__init__(context, settle_s=0.0)

    monkeypatch.setattr(app_module, "Titles", AtOnce)


@pytest.fixture
async def harness(harness: AppHarness) -> AppHarness:
    """With its model loaded, and no request that was not made here."""
    assert harness.app._preload is not None
    await harness.app.snapshot()
    await harness.app._preload
    harness.engine.loaded = {harness.model_id: LoadOptions(n_ctx=1234)}
    return harness


async def first_answer(harness: AppHarness, text: str = "Why is the sea salty?") -> ConversationId:
    conversation = await harness.app.generations.send(None, text=text, model_id=harness.model_id)
    await harness.settled(conversation)
    return conversation


async def summary_of(harness: AppHarness, conversation: ConversationId) -> ConversationSummary:
    await harness.app._titles.settled()
    return (await harness.store.conversations.open(conversation)).summary


def title_requests(harness: AppHarness) -> list[GenerationRequest]:
    return [request for request in harness.engine.requests if asks_for_title(request)]


async def test_after_the_first_answer_the_model_names_the_conversation(harness: AppHarness) -> None:
    harness.engine.script = names_it('"Salt of', ' the Sea"')
    summary = await summary_of(harness, await first_answer(harness))
    assert (summary.title, summary.title_by) == ("Salt of the Sea", TitleSource.MODEL)
    events = [e.summary.title for e in harness.seen(ConversationChanged)]  # type: ignore[union-attr]
    assert events[-1] == "Salt of the Sea"


async def test_the_request_contains_the_conversation_and_has_the_lowest_priority(harness: AppHarness) -> None:
    harness.engine.script = names_it("Salt")
    await summary_of(harness, await first_answer(harness))
    answered, asked = harness.engine.requests
    assert isinstance(asked.task.prompt, ChatInput)
    assert isinstance(answered.task.prompt, ChatInput)
    assert asked.task.prompt.messages[:1] == answered.task.prompt.messages
    assert asked.task.prompt.messages[1].text == "Because so."
    assert asked.task.priority is Priority.BACKGROUND
    assert asked.task.sampling.max_tokens == 16
    assert asked.task.overflow is Overflow.REFUSE
    assert asked.task.owner is None
    assert asked.options == LoadOptions(n_ctx=1234)


async def test_only_the_first_answer_is_followed_by_a_title(harness: AppHarness) -> None:
    harness.engine.script = names_it("…")  # nonsense, so that the conversation could still be named
    conversation = await first_answer(harness)
    await harness.app._titles.settled()
    await harness.app.generations.send(conversation, text="And lakes?", model_id=harness.model_id)
    await harness.settled(conversation)
    await harness.app._titles.settled()
    assert len(title_requests(harness)) == 1


async def test_the_users_title_stays(harness: AppHarness) -> None:
    requested = asyncio.Event()

    def script(request: GenerationRequest) -> Events:
        if not asks_for_title(request):
            return [*says("So.")(request)]
        requested.set()
        return [TextDelta(text="Salt", n_completion=1), None, finished()]

    harness.engine.script = script
    conversation = await first_answer(harness)
    await requested.wait()
    await harness.app.conversations.rename(conversation, title="Mine")
    harness.engine.go_on()
    summary = await summary_of(harness, conversation)
    assert (summary.title, summary.title_by) == ("Mine", TitleSource.USER)


async def test_the_next_message_ends_the_asking(harness: AppHarness) -> None:
    requested = asyncio.Event()

    def script(request: GenerationRequest) -> Events:
        if asks_for_title(request):
            requested.set()
            return [None, finished()]
        # The second answer is still being written when the asking must have ended.
        return [None, finished()] if requested.is_set() else [*says("So.")(request)]

    harness.engine.script = script
    conversation = await first_answer(harness)
    await requested.wait()
    await harness.app.generations.send(conversation, text="And lakes?", model_id=harness.model_id)
    await harness.app._titles.settled()
    assert harness.app.generations.running_answers(conversation)
    assert (await summary_of(harness, conversation)).title_by is TitleSource.START


async def test_nothing_is_requested_if_turned_off(harness: AppHarness) -> None:
    harness.engine.script = names_it("Salt")
    await harness.app.preferences.change(AppLayer(), key="chat.titles_by_model", value=False)
    await summary_of(harness, await first_answer(harness))
    assert title_requests(harness) == []


async def test_no_model_is_loaded_for_a_title(harness: AppHarness) -> None:
    harness.engine.script = names_it("Salt")
    harness.engine.loaded.clear()
    await summary_of(harness, await first_answer(harness))
    assert title_requests(harness) == []


async def test_nothing_is_requested_of_a_small_model(
    harness: AppHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(titles, "MIN_PARAMETERS", 1_000_000_000)
    harness.engine.script = names_it("Salt")
    await summary_of(harness, await first_answer(harness))
    assert title_requests(harness) == []


@pytest.mark.parametrize("ending", ["failed", "cancelled", "empty"])
async def test_an_answer_that_did_not_end_well_names_nothing(harness: AppHarness, ending: str) -> None:
    crash = RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)
    endings: dict[str, Events] = {
        "failed": [TextDelta(text="So", n_completion=1), Failed(error=crash.info())],
        "cancelled": [TextDelta(text="So", n_completion=1), finished(FinishReason.CANCELLED)],
        "empty": [finished()],
    }
    harness.engine.script = lambda _: endings[ending]
    await first_answer(harness)
    await harness.until(MessageReplaced)
    await harness.app._titles.settled()
    assert title_requests(harness) == []


@pytest.mark.parametrize(
    "script",
    [
        names_it("A long sentence that goes", reason=FinishReason.LENGTH),
        names_it(""),
        names_it("Sure! Here is a title"),
    ],
    ids=["cut", "empty", "talk"],
)
async def test_nonsense_leaves_the_first_title(harness: AppHarness, script: Script) -> None:
    harness.engine.script = script
    summary = await summary_of(harness, await first_answer(harness))
    assert (summary.title, summary.title_by) == ("Why is the sea salty?", TitleSource.START)


async def test_a_failure_keeps_the_first_title_and_is_not_shown(harness: AppHarness) -> None:
    def script(request: GenerationRequest) -> Events:
        if not asks_for_title(request):
            return [*says("So.")(request)]
        return [RunnerCrashed(model="Smol", cause="it was killed.", exit_status=-9)]

    harness.engine.script = script
    summary = await summary_of(harness, await first_answer(harness))
    assert summary.title_by is TitleSource.START


async def test_reasoning_is_no_title(harness: AppHarness) -> None:
    def script(request: GenerationRequest) -> Events:
        if not asks_for_title(request):
            return [*says("So.")(request)]
        thought = TextDelta(text="They want a title", n_completion=1, kind=OutputKind.REASONING)
        return [thought, TextDelta(text="Salt", n_completion=2), finished()]

    harness.engine.script = script
    assert (await summary_of(harness, await first_answer(harness))).title == "Salt"


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("“Salt of the Sea”", "Salt of the Sea"),
        ("**Title:** Salt of the Sea.", "Salt of the Sea"),
        ("# Salt of the Sea\n\nThe sea is…", "Salt of the Sea"),
        ("\n\n  Salt \t of the Sea ", "Salt of the Sea"),
        ("Titel: Besser einschlafen", "Besser einschlafen"),
        ("「海はなぜ塩辛いか」", "海はなぜ塩辛いか"),
        ("What is C++?", "What is C++?"),
        ("x" * (TITLE_CHARACTERS + 1), ""),
        ("Sure, here is one", ""),
        ("I’m sorry, I can’t", ""),
        ("...", ""),
        ("\u202egnp.exe", ""),
        ("", ""),
    ],
)
def test_the_output_of_a_model_becomes_one_clean_line(written: str, title: str) -> None:
    assert title_of(written) == title


@given(st.text(max_size=120))
def test_any_text_gives_a_short_clean_line_or_nothing(written: str) -> None:
    title = title_of(written)
    assert title == "" or (len(title) <= TITLE_CHARACTERS and title.isprintable() and title == title.strip())
