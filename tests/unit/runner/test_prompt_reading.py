"""Prompts are prepared while the loop decodes, and every request ends exactly once."""

from __future__ import annotations

import threading

import pytest

from fakes.fake_llama import FakeTemplate
from fakes.loop_harness import Runner
from fireside.core.generation import Failed, FinishReason
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.runner.prompt.segments import Prompt
from fireside.wire.messages import Answered, Ask


class _Template(FakeTemplate):
    """Takes its time for ``slow`` prompts, until they may go on."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.may_go_on = threading.Event()
        self.threads: set[int] = set()
        self.n_rendered = 0

    def render(self, chat: ChatInput) -> Prompt:
        self.threads.add(threading.get_ident())
        self.n_rendered += 1
        if chat.messages[-1].text == "slow":
            self.begun.set()
            self.may_go_on.wait(60)
        return super().render(chat)


@pytest.fixture
def template() -> _Template:
    return _Template()


@pytest.fixture
def runner(template: _Template) -> Runner:
    runner = Runner(template=template)
    runner.loop.start_prompt_thread()
    return runner


def _handle_one(runner: Runner) -> None:
    """Obey the next command, once it is there."""
    received = runner.commands.get_within(60)
    assert received is not None
    runner.loop._handle(received)


def test_answer_continues_while_a_prompt_is_prepared(runner: Runner, template: _Template) -> None:
    runner.ask(1, "quick")
    _handle_one(runner)
    runner.ask(2, "slow")
    template.begun.wait(60)
    runner.run()
    assert runner.finished(1)
    assert not runner.ends(2)
    template.may_go_on.set()
    _handle_one(runner)
    runner.run()
    assert runner.finished(2)
    assert threading.get_ident() not in template.threads


def test_request_cancelled_during_preparation_ends_once(runner: Runner, template: _Template) -> None:
    runner.ask(1, "slow")
    template.begun.wait(60)
    runner.cancel(1)
    template.may_go_on.set()
    _handle_one(runner)
    runner.run()
    assert runner.finished(1).reason is FinishReason.CANCELLED


def test_prompt_cancelled_in_the_queue_is_not_prepared(runner: Runner, template: _Template) -> None:
    runner.ask(1, "slow")
    template.begun.wait(60)
    runner.ask(2, "quick")
    runner.cancel(2)
    template.may_go_on.set()
    _handle_one(runner)
    _handle_one(runner)
    runner.run()
    assert runner.finished(2).reason is FinishReason.CANCELLED
    assert template.n_rendered == 1


def test_cancel_after_the_preparation_reaches_the_loop(runner: Runner) -> None:
    runner.ask(1, "quick")
    _handle_one(runner)
    runner.cancel(1)
    runner.run()
    assert runner.finished(1).reason is FinishReason.CANCELLED


def test_invalid_prompt_fails_only_its_request(runner: Runner) -> None:
    runner.ask(1, "boom")
    _handle_one(runner)
    runner.ask(2, "quick")
    _handle_one(runner)
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert runner.finished(2)


def test_prompt_queries_are_answered_in_order(runner: Runner) -> None:
    question = PromptMeasureRequest(prompt=ChatInput(messages=(text_message(Role.USER, "abc"),)))
    runner.commands.put(Ask(request_id=RequestId(7), query=question))
    _handle_one(runner)
    runner.loop.iterate()
    (measured,) = (report for report in runner.reports if isinstance(report, Answered))
    assert isinstance(measured.reply, PromptMeasure)
    assert (measured.request_id, measured.reply.n_prompt) == (7, 3)
