"""For every order of events the window shows what is stored: real services, a scripted engine."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Callable, Coroutine
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QCoreApplication, QEvent

from fakes.app_harness import app_harness
from fakes.engine import FakeStream, finished
from fakes.same_loop import JumpingLoop, LateStorage, SameLoopThread, moment
from fakes.stepped_engine import ManualEngine
from fireside.bridge.client import EngineClient
from fireside.chat.app import App
from fireside.core.chat import Conversation
from fireside.core.errors import RunnerCrashed
from fireside.core.events import AppEvent
from fireside.core.generation import (
    Failed,
    GenerationEvent,
    OutputKind,
    Priority,
    PromptProgress,
    Queued,
    TextDelta,
)
from fireside.core.ids import ConversationId, MessageId, ModelId
from fireside.core.message import Role
from fireside.core.model import ModelEntry
from fireside.core.status import ModelStatus, Unloaded
from fireside.engine.request import GenerationRequest
from fireside.library.starter import starter_folder
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.tasks import TaskRunner

STARTER = starter_folder() / "starter.gguf"
LONG_S = 3.0
"""On a clock that jumps: by then everything that was started has ended."""
KINDS = (OutputKind.ANSWER, OutputKind.ANSWER, OutputKind.REASONING, OutputKind.MARKUP)


class SteppedEngine(ManualEngine):
    """Answers continue when told to; background requests end at once."""

    def __init__(self) -> None:
        super().__init__(lambda _status: None)

    def generate(self, request: GenerationRequest) -> FakeStream:
        stream = super().generate(request)
        if request.task.priority is Priority.BACKGROUND:
            self.play(request.request_id, finished())
        return stream

    def go_on_with(self, number: int, event: GenerationEvent) -> None:
        """Continue one of the running answers."""
        if running := sorted(self._running):
            self.play(running[number % len(running)], event)


class World:
    """The app, a pane that shows one conversation at a time, and the actions of a user."""

    def __init__(
        self,
        *,
        app: App,
        engine: SteppedEngine,
        client: EngineClient,
        pane: ChatPane,
        tasks: TaskRunner,
    ) -> None:
        self.app, self.engine, self.client, self.pane, self.tasks = app, engine, client, pane, tasks
        self.model_id = app.models.default_model() or ModelId("")
        self.n_words = 0
        self.deleted: list[MessageId] = []
        self._opening: asyncio.Task[Conversation] | None = None
        self._known: list[ConversationId] = []
        pane.conversation_created.connect(self._known.append)

    def next_text(self) -> str:
        self.n_words += 1
        return f"w{self.n_words} "

    def run(self, work: Coroutine[Any, Any, Any]) -> None:
        self.tasks.run(work)

    def message(self, number: int, role: Role) -> MessageId | None:
        ids = [e.message.id for e in self.pane.transcript.entries if e.message.message.role is role]
        return ids[number % len(ids)] if ids else None

    # Actions of the user

    def send(self, _: int) -> None:
        if self.pane.send_controller._sending is None:
            self.pane.send_controller.send(self.next_text())

    def open(self, number: int) -> None:
        if not self._known:
            return
        self._end_opening()
        conversation_id = self._known[number % len(self._known)]
        self._opening = self.tasks.run(
            self.client.conversations.open(conversation_id), on_done=self.pane.open
        )

    def new(self, _: int) -> None:
        self._end_opening()
        self.pane.open_new(draft="")

    def _end_opening(self) -> None:
        if self._opening is not None:
            self._opening.cancel()

    def stop(self, _: int) -> None:
        self.pane.send_controller.stop()

    def answer_again(self, number: int) -> None:
        if (answer := self.message(number, Role.ASSISTANT)) is not None:
            self.run(self.client.generations.regenerate(answer, model_id=self.model_id))

    def continue_answer(self, number: int) -> None:
        if (answer := self.message(number, Role.ASSISTANT)) is not None:
            self.run(self.client.branches.continue_answer(answer, model_id=self.model_id))

    def edit_question(self, number: int) -> None:
        if (question_id := self.message(number, Role.USER)) is not None:
            work = self.client.branches.edit_question(
                question_id, text=self.next_text(), model_id=self.model_id
            )
            self.run(work)

    def edit_answer(self, number: int) -> None:
        if (answer := self.message(number, Role.ASSISTANT)) is not None:
            self.run(self.client.branches.edit_answer(answer, text=self.next_text()))

    def choose_branch(self, number: int) -> None:
        others = [each for entry in self.pane.transcript.entries for each in entry.siblings]
        if others:
            self.run(self.client.branches.choose_branch(others[number % len(others)]))

    def delete_from(self, number: int) -> None:
        entries = self.pane.transcript.entries
        if len(entries) > 2:
            self.run(self.client.branches.delete_from(entries[2 + number % (len(entries) - 2)].message.id))

    def delete_only(self, number: int) -> None:
        if entries := self.pane.transcript.entries:
            deleted = entries[number % len(entries)].message.id
            self.deleted.append(deleted)
            self.run(self.client.branches.delete_only(deleted))

    def restore(self, number: int) -> None:
        if self.deleted:
            restored = self.deleted.pop(number % len(self.deleted))
            self.run(self.client.branches.restore_from(restored))

    def send_queued(self, number: int) -> None:
        if bubbles := self.pane.queue_area.bubbles:
            self.run(self.client.generations.send_queued(bubbles[number % len(bubbles)].queued.id))

    def cancel_queued(self, number: int) -> None:
        if bubbles := self.pane.queue_area.bubbles:
            self.run(self.client.branches.cancel_queued(bubbles[number % len(bubbles)].queued.id))

    # Events of the engine

    def text(self, number: int) -> None:
        for kind in KINDS[number % len(KINDS) :]:
            self.engine.go_on_with(
                number, TextDelta(text=self.next_text(), n_completion=self.n_words, kind=kind)
            )

    def progress(self, number: int) -> None:
        event = Queued(position=number) if number % 2 else PromptProgress(n_done=1, n_total=9, n_cached=0)
        self.engine.go_on_with(number, event)

    def end(self, number: int) -> None:
        self.engine.go_on_with(number, finished())

    def fail(self, number: int) -> None:
        self.engine.go_on_with(number, Failed(error=RunnerCrashed(model="m", cause="no memory.").info()))

    # Invariant

    async def check(self) -> None:
        """Compare the window with the database, once everything is idle."""
        await asyncio.sleep(LONG_S)
        displayed = [
            (e.message.id, e.message.state, e.text, e.reasoning, e.siblings)
            for e in self.pane.transcript.entries
        ]
        if self.pane.conversation_id is None:
            assert displayed == []
            return
        stored = await self.app._store.conversations.open(self.pane.conversation_id)
        siblings = stored.branches.siblings
        assert displayed == [
            (m.id, m.state, m.message.text, m.message.reasoning, siblings.get(m.id, ()))
            for m in stored.messages
        ]
        assert [b.queued.id for b in self.pane.queue_area.bubbles] == [w.id for w in stored.waiting]
        assert self.pane.is_running is bool(self.app.generations.running_answers(stored.summary.id))


USER = (
    *(
        "send",
        "send",
        "open",
        "open",
        "open",
        "new",
        "stop",
        "answer_again",
        "continue_answer",
        "edit_question",
    ),
    *("edit_answer", "choose_branch", "delete_from", "send_queued", "cancel_queued"),
    *("delete_only", "restore"),
)
ENGINE = ("text", "text", "text", "text", "progress", "end", "fail")
STEPS = st.tuples(
    st.sampled_from((*USER, *ENGINE, *ENGINE, *4 * ("check",))), st.integers(0, 7), st.integers(0, 9)
)
"""An action, the number of its target, and the delay before the next one."""


def late(
    read: Callable[[ConversationId], Coroutine[Any, Any, Conversation]], chance: Random
) -> Callable[[ConversationId], Coroutine[Any, Any, Conversation]]:
    """Return a function that delivers reads later, when more may have happened."""

    async def reading(conversation_id: ConversationId) -> Conversation:
        conversation = await read(conversation_id)
        await asyncio.sleep(moment(chance))
        return conversation

    return reading


async def play(
    folder: Path, monkeypatch: pytest.MonkeyPatch, steps: list[tuple[str, int, int]], seed: int
) -> None:
    chance = LateStorage.chance = Random(seed)
    engine = SteppedEngine()
    errors: list[BaseException] = []
    thread = SameLoopThread(chance)
    client = EngineClient(thread)
    thread.receive = client._on_frame
    async with app_harness(folder, starter=STARTER, engine=engine, pump=thread.pump) as running:
        thread.become(running.app)
        store = running.store.conversations
        monkeypatch.setattr(store, "open", late(store.open, chance))
        tasks = TaskRunner(asyncio.get_running_loop(), on_error=lambda _: None, on_bug=errors.append)
        pane = ChatPane(client=client, tasks=tasks, open_url=lambda _: None)

        def on_frame(events: tuple[AppEvent, ...]) -> None:
            for event in events:
                pane.handle(event)

        client.frame.connect(on_frame)
        entry: ModelEntry = running.app.models.entries[0]
        pane.set_model(entry, ModelStatus(model_id=running.model_id, state=Unloaded()))
        pane.open_new(draft="")
        world = World(app=running.app, engine=engine, client=client, pane=pane, tasks=tasks)
        try:
            await asyncio.sleep(LONG_S)
            for name, number, pause in [("send", 0, 9), *steps, ("check", 0, 0)]:
                if name == "check":
                    await world.check()
                else:
                    getattr(world, name)(number)
                await asyncio.sleep(0.003 * pause)
            assert errors == []
        finally:
            tasks.cancel_all()
            # Qt holds the function, which holds all the rest, where no garbage collector sees it.
            client.frame.disconnect(on_frame)
            pane.deleteLater()


@pytest.mark.usefixtures("qapp")
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@example(  # deleted while it begins to continue
    steps=[
        *(("send", 0, 0), ("send", 0, 1), ("send", 0, 9), ("end", 0, 7), ("continue_answer", 0, 0)),
        *(("delete_only", 1, 0), ("new", 0, 0), ("open", 0, 0), *7 * (("send", 0, 0),)),
    ],
    seed=2809,
)
@example(  # a queued message is sent to a branch that is left before its answer begins
    steps=[
        *(*10 * (("send", 0, 0),), ("stop", 0, 0), ("delete_only", 0, 0), ("check", 0, 0)),
        *(("edit_answer", 0, 0), ("send", 0, 0)),
    ],
    seed=0,
)
@given(steps=st.lists(STEPS, min_size=15, max_size=40), seed=st.integers(0, 2**16))
def test_the_window_shows_what_is_stored_for_every_order_of_events(
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
    steps: list[tuple[str, int, int]],
    seed: int,
) -> None:
    monkeypatch.setattr("fireside.storage.store.StorageThread", LateStorage)
    loop = JumpingLoop()
    try:
        loop.run_until_complete(play(tmp_path_factory.mktemp("world"), monkeypatch, steps, seed))
    finally:
        loop.close()
        # Clean-up after the test is too late for the hundreds of worlds of a failing one.
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        gc.collect()
