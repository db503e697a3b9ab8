"""What is said of a conversation's context is what the real runner then does."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from itertools import pairwise
from pathlib import Path

import pytest

from fireside.chat.app import App
from fireside.core.chat import StoredMessage
from fireside.core.context import ContextPlan, FullContext
from fireside.core.events import AnswerProgressed, AppEvent, SummaryChanged
from fireside.core.generation import Summarising, Usage
from fireside.core.ids import ConversationId, ModelId
from fireside.core.message import DocumentPart, Role, text_message
from fireside.main.build import Persistence, build_app
from fireside.main.startup_context import load_context
from fireside.settings.values import AppLayer

N_CTX = 256
N_TURNS = 6
"""More than it holds."""
LONG = "The lighthouse keeper counts the boats in the harbour and writes their names into a grey book. " * 2


def is_summarising(event: AppEvent) -> bool:
    return isinstance(event, AnswerProgressed) and isinstance(event.progress, Summarising)


class _Chat:
    """One conversation with the real model, on a small context."""

    app: App
    model_id: ModelId

    def __init__(self) -> None:
        self.events: list[AppEvent] = []
        self.id: ConversationId | None = None
        self._happened = asyncio.Event()

    def emit(self, event: AppEvent) -> None:
        self.events.append(event)
        self._happened.set()

    async def until(self, is_it: Callable[[AppEvent], bool], *, since: int) -> None:
        """Return once such an event has come after the first ``since``."""
        while not any(map(is_it, self.events[since:])):
            self._happened.clear()
            await self._happened.wait()

    async def say(self, text: str, *parts: DocumentPart) -> StoredMessage:
        """Send a message and return its answer, whole."""
        self.id = await self.app.generations.send(self.id, text=text, model_id=self.model_id, attached=parts)
        await self.app.generations.settled(self.id)
        return (await self.app.conversations.open(self.id)).messages[-1]

    async def plan(self, draft: str = "", *parts: DocumentPart) -> ContextPlan:
        return await self.app.contexts.plan(self.id, draft=draft, attached=parts, model_id=self.model_id)


@pytest.fixture
def policy() -> FullContext:
    return FullContext.DROP_OLDEST


@pytest.fixture
def n_ctx() -> int:
    return N_CTX


@pytest.fixture
async def chat(
    tmp_path: Path, short_model_path: Path, policy: FullContext, n_ctx: int
) -> AsyncIterator[_Chat]:
    context = load_context({"FIRESIDE_HOME": str(tmp_path)}, command_line={})
    chat = _Chat()
    app = await build_app(context, emit=chat.emit, persistence=Persistence.NOTHING)
    try:
        for key, value in (
            ("load.n_ctx", n_ctx),
            ("load.n_threads", 1),
            ("sampling.temperature", 0.1),  # at 0 the cache is used in whole units alone
            ("sampling.max_tokens", 16),
            ("answer.overflow", policy.value),
        ):
            await app.preferences.change(AppLayer(), key=key, value=value)
        model = str(short_model_path)
        await app.models.add([model])
        (added,) = (entry.spec.id for entry in app.models.entries if entry.spec and entry.path == model)
        await app.models.load(added, conversation_id=None)
        chat.app, chat.model_id = app, added
        yield chat
    finally:
        await app.close()


def _usage(answer: StoredMessage) -> Usage:
    assert answer.generation is not None
    assert answer.generation.usage is not None, answer.error
    return answer.generation.usage


def _sum(plan: ContextPlan) -> int:
    return plan.n_system + plan.n_summary + plan.n_history + plan.n_attached + plan.n_draft


async def test_the_plan_says_to_the_token_what_the_runner_then_reports(chat: _Chat) -> None:
    document = DocumentPart(
        name="boats.txt", media_type="text/plain", text="Gull, Heron, Tern.", size_bytes=18
    )
    for number in range(N_TURNS):
        files = (document,) if number == 2 else ()
        words = f"{number}. {LONG}"
        plan = await chat.plan(words, *files)
        answer = await chat.say(words, *files)
        assert plan.is_exact
        assert plan.n_prompt == _usage(answer).n_prompt
        assert _sum(plan) == plan.n_prompt
        truncation = answer.generation.truncation if answer.generation is not None else None
        assert plan.n_unseen == (truncation.n_messages if truncation is not None else 0)
    assert plan.n_unseen > 0, "Context full"


async def test_between_two_drops_almost_all_of_the_prompt_is_in_the_cache(chat: _Chat) -> None:
    unseen: list[int] = []
    shares: list[float] = []
    n_read = 0
    for number in range(16):
        plan = await chat.plan(f"Boat {number}?")
        usage = _usage(await chat.say(f"Boat {number}?"))
        if unseen and plan.n_unseen == unseen[-1]:
            shares.append(usage.n_cached / n_read)
        unseen.append(plan.n_unseen)
        n_read = usage.n_prompt + usage.n_completion
    n_drops = sum(before != after for before, after in pairwise(unseen))
    assert n_drops >= 1
    assert len(shares) >= 5 * n_drops, "seldom, and many at once"
    assert min(shares) > 0.95


# Half of it has room for a summary.
@pytest.mark.parametrize(("policy", "n_ctx"), [(FullContext.COMPACT, 2 * N_CTX)])
async def test_a_full_conversation_is_compacted_and_its_summary_is_told_to_the_model(chat: _Chat) -> None:
    answers: list[StoredMessage] = []
    while not any(isinstance(event, SummaryChanged) for event in chat.events):
        answers.append(await chat.say(f"{len(answers)}. {LONG * 2}"))
        assert len(answers) <= N_TURNS, "it does not fit any more"
    assert any(map(is_summarising, chat.events))
    plan = await chat.plan()
    assert plan.summary is not None
    assert plan.n_summary > 0
    assert plan.n_unseen >= plan.summary.n_messages
    record = answers[-1].generation
    assert record is not None
    assert record.n_summarised > 0
    assert not record.summary_problem
    await chat.app.contexts.edit_summary(plan.summary.id, text="They speak of boats named Gull.")
    edited = await chat.plan("And now?")
    assert edited.summary is not None
    assert edited.summary.edited
    answer = await chat.say("And now?")
    assert _usage(answer).n_prompt == edited.n_prompt
    assert chat.id is not None
    kept = (await chat.app.conversations.open(chat.id)).messages
    assert len(kept) == 2 * len(answers) + 2, "nothing was replaced"
    await chat.app.contexts.regenerate_summary(edited.summary.id, model_id=chat.model_id)
    again = (await chat.plan()).summary
    assert again is not None
    assert not again.edited
    await chat.app.contexts.remove_summary(again.id)
    assert (await chat.plan()).summary is None


@pytest.mark.parametrize("policy", [FullContext.COMPACT])
async def test_a_stopped_summary_ends_the_answer_and_loses_nothing(chat: _Chat) -> None:
    while not (await chat.plan(LONG)).will_summarise:
        await chat.say(LONG)
    assert chat.id is not None
    n_before = len(chat.events)
    await chat.app.generations.send(chat.id, text=LONG, model_id=chat.model_id)
    await chat.until(is_summarising, since=n_before)
    await chat.app.generations.stop(chat.id)
    last = (await chat.app.conversations.open(chat.id)).messages[-1]
    assert last.message.role is Role.ASSISTANT
    assert last.generation is not None
    assert last.generation.finish_reason is not None
    assert last.generation.finish_reason.value == "cancelled"
    assert (await chat.plan()).summary is None
    assert text_message(Role.USER, LONG) in [
        stored.message for stored in (await chat.app.conversations.open(chat.id)).messages
    ]


@pytest.mark.parametrize("policy", [FullContext.STOP])
async def test_who_wants_to_be_asked_is_told_before_that_it_does_not_fit(chat: _Chat) -> None:
    while (plan := await chat.plan(LONG * 2)).fits:
        answer = await chat.say(LONG * 2)
        assert answer.error is None
    assert plan.n_unseen == 0
    assert plan.n_prompt >= N_CTX
    answer = await chat.say(LONG * 2)
    assert answer.error is not None
    assert answer.error.code == "context_length_exceeded"
    await chat.app.contexts.set_policy(chat.id, policy=FullContext.DROP_OLDEST)
    assert (await chat.plan(LONG)).fits
    assert chat.id is not None
    assert (await chat.app.conversations.open(chat.id)).overrides == {"answer.overflow": "drop_oldest"}


async def test_without_the_model_the_plan_is_an_estimate_that_says_so(chat: _Chat) -> None:
    usage = _usage(await chat.say(LONG))
    await chat.app.models.unload(chat.model_id)
    plan = await chat.plan()
    assert not plan.is_exact
    assert plan.n_ctx == N_CTX
    assert 0.6 < plan.n_prompt / (usage.n_prompt + usage.n_completion) < 1.6
