"""The main job, whole: a user chats with the real model in the real window."""

from __future__ import annotations

import asyncio
import os
import random
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

import psutil
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QPushButton

from fakes.program import Program, running_program
from fireside.core.chat import MessageState
from fireside.core.events import MessageAdded, MessageReplaced, TextAppended
from fireside.core.generation import FinishReason

SHORT = ("load.n_ctx=2048", "sampling.temperature=0", "sampling.max_tokens=24")
LONG = ("load.n_ctx=2048", "sampling.temperature=0", "sampling.seed=1")
STORY = "Write a very long story about the sea."

Start = Callable[..., AbstractContextManager[Program]]


@pytest.fixture
def start(qapp: QApplication, own_home: Path, starter_model_path: Path) -> Start:
    """Start the program; twice in one test is a restart with the same home."""
    return lambda *settings: running_program(qapp, home=own_home / "fireside", settings=settings)


@pytest.fixture(autouse=True)
def _no_widget_survives(qapp: QApplication) -> Iterator[None]:
    yield
    qapp.processEvents()


def runners() -> list[psutil.Process]:
    return [
        child
        for child in psutil.Process().children(recursive=True)
        if "fireside.runner" in " ".join(child.cmdline())
    ]


def test_a_question_is_answered_and_the_next_one_reuses_the_cache(start: Start) -> None:
    with start(*SHORT) as program:

        async def scenario() -> None:
            await program.ready()
            first = await program.ask("What is the sea?")
            assert first.state is MessageState.COMPLETE
            assert first.message.text
            text = "".join(event.delta.text for event in program.seen(TextAppended))
            assert text == first.message.text
            second = await program.ask("And why is it salty?")
            assert second.generation is not None
            assert second.generation.usage is not None
            assert second.generation.usage.n_cached > 30

        program.run(scenario)


def test_the_question_is_stored_and_shown_before_the_answer(start: Start) -> None:
    with start(*SHORT) as program:

        async def scenario() -> None:
            await program.ready()
            await program.ask("What is the sea?")
            kinds = [type(event) for event in program.events]
            assert kinds.index(MessageAdded) < kinds.index(TextAppended) < kinds.index(MessageReplaced)
            assert program.window.chat.composer.text() == ""
            conversation_id = program.window.conversations.conversation_id
            assert conversation_id is not None
            conversation = await program.client.conversations.open(conversation_id)
            assert conversation.messages[0].message.text == "What is the sea?"

        program.run(scenario)


def test_escape_stops_the_answer_and_keeps_what_was_written(start: Start) -> None:
    with start(*LONG) as program:

        async def scenario() -> None:
            await program.ready()
            program.type(STORY)
            program.press(Qt.Key.Key_Return)
            await program.until(lambda: len(program.seen(TextAppended)) > 5)
            program.press(Qt.Key.Key_Escape)
            await program.until(lambda: bool(program.seen(MessageReplaced)))
            answer = program.seen(MessageReplaced)[-1].message
            assert answer.generation is not None
            assert answer.generation.finish_reason is FinishReason.CANCELLED
            assert answer.message.text == "".join(e.delta.text for e in program.seen(TextAppended))

        program.run(scenario)


def test_a_killed_runner_ends_one_answer_and_the_next_try_works(start: Start) -> None:
    if sys.platform == "win32":
        pytest.skip("no SIGKILL")
    with start(*LONG) as program:

        async def scenario() -> None:
            await program.ready()
            program.type(STORY)
            program.press(Qt.Key.Key_Return)
            await program.until(lambda: len(program.seen(TextAppended)) > 5)
            for runner in runners():
                os.kill(runner.pid, signal.SIGKILL)
            await program.until(lambda: bool(program.seen(MessageReplaced)))
            failed = program.seen(MessageReplaced)[-1].message
            assert failed.state is MessageState.FAILED
            assert failed.error is not None
            assert failed.error.code == "runner_crashed"
            assert failed.message.text
            n_before = len(program.seen(TextAppended))
            again = next(
                button
                for button in program.window.chat.transcript.findChildren(QPushButton)
                if button.text() == "Try again"
            )
            again.click()
            await program.until(lambda: len(program.seen(TextAppended)) > n_before + 3)
            program.press(Qt.Key.Key_Escape)
            await program.until(lambda: len(program.seen(MessageReplaced)) > 1)
            assert program.seen(MessageReplaced)[-1].message.state is MessageState.COMPLETE

        program.run(scenario)


@pytest.mark.parametrize("seed", range(6))
def test_closing_at_any_moment_ends_in_time_and_keeps_the_text(start: Start, seed: int) -> None:
    chance = random.Random(seed)
    text = ""
    with start(*LONG) as program:

        async def scenario() -> None:
            nonlocal text
            if chance.random() < 0.7:
                await program.ready()
                program.type(STORY)
                program.press(Qt.Key.Key_Return)
            await asyncio.sleep(chance.uniform(0, 1.5))

        program.run(scenario)
        text = "".join(event.delta.text for event in program.seen(TextAppended))
    assert runners() == []
    with start(*LONG) as program:

        async def look() -> None:
            snapshot = await program.client.snapshot()
            if text:
                (summary,) = snapshot.conversations
                conversation = await program.client.conversations.open(summary.id)
                assert conversation.messages[-1].message.text.startswith(text)

        program.run(look)


def test_a_draft_is_there_after_a_restart(start: Start) -> None:
    with start(*SHORT) as program:

        async def scenario() -> None:
            await program.ready()
            program.type("half a thought")
            program.window.chat.composer.flush_draft()

        program.run(scenario)
    with start(*SHORT) as program:

        async def look() -> None:
            await program.ready()
            assert program.window.chat.composer.text() == "half a thought"

        program.run(look)


def test_a_paste_that_no_context_holds_is_refused_in_words(start: Start) -> None:
    with start(*SHORT) as program:

        async def scenario() -> None:
            await program.ready()
            model = program.window.conversations.model_id
            assert model is not None
            await program.client.generations.send(None, text="word " * 2_000_000, model_id=model)
            await program.until(lambda: bool(program.seen(MessageReplaced)))
            answer = program.seen(MessageReplaced)[-1].message
            assert answer.error is not None
            assert answer.error.code == "prompt_too_large"

        program.run(scenario)
