"""One prompt from the command line: its answers in order, errors and interrupts."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest

from fakes.app_harness import AppHarness, app_harness
from fakes.engine import Script, finished, says
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.one_prompt import OnePrompt
from fireside.cli.screen import Screen
from fireside.core.errors import PromptTooLarge, RequestError, SettingInvalid
from fireside.core.generation import (
    Failed,
    GenerationEvent,
    OutputKind,
    TextDelta,
    TokenLogprobs,
    TokenProbability,
)
from fireside.core.message import Role, text_message
from fireside.core.prompt_input import ChatInput, TextInput
from fireside.engine.request import GenerationRequest
from fireside.settings.values import AppLayer

QUESTION = ChatInput(messages=(text_message(Role.USER, "Why?"),))


class Printed:
    """What was written where."""

    def __init__(self) -> None:
        self.output = io.StringIO()
        self.status = io.StringIO()


def ask(
    folder: Path,
    starter: Path,
    script: Script,
    *,
    prompt: ChatInput | TextInput = QUESTION,
    n_answers: int = 1,
    prepare: Callable[[AppHarness, OnePrompt, EngineLoop], None] = lambda _place, _prompter, _loop: None,
    printed: Printed | None = None,
) -> tuple[bool, Printed, AppHarness]:
    printed = printed or Printed()
    with EngineLoop() as loop:
        manager = app_harness(folder, starter=starter, script=script)
        place = loop.wait(manager.__aenter__())
        try:
            prompter = OnePrompt(
                loop=loop,
                app=place.app,
                spec=place.app.models.spec(place.model_id),
                screen=Screen(output=printed.output, status=printed.status),
                stats=True,
            )
            prepare(place, prompter, loop)
            return prompter.answer(prompt, n_answers=n_answers), printed, place
        finally:
            loop.wait(manager.__aexit__(None, None, None))


def test_the_answer_is_printed_and_its_figures_apart(tmp_path: Path, starter_model_path: Path) -> None:
    well, printed, _ = ask(tmp_path, starter_model_path, says("Be", "cause."))
    assert well
    assert printed.output.getvalue() == "Because.\n"
    assert "tokens/s" in printed.status.getvalue()


def test_several_answers_stand_in_order_whoever_is_done_first(
    tmp_path: Path, starter_model_path: Path
) -> None:
    def script(request: GenerationRequest) -> list[GenerationEvent]:
        number = request.request_id
        return [TextDelta(text=f"Answer {number}", n_completion=1), finished()]

    _, printed, _ = ask(tmp_path, starter_model_path, script, n_answers=3)
    assert printed.output.getvalue() == (
        "--- 1 of 3 ---\nAnswer 1\n\n--- 2 of 3 ---\nAnswer 2\n\n--- 3 of 3 ---\nAnswer 3\n"
    )


def test_a_failed_answer_is_reported_and_the_others_are_printed(
    tmp_path: Path, starter_model_path: Path
) -> None:
    error = PromptTooLarge(n_bytes=9, limit_bytes=1).info()

    def script(request: GenerationRequest) -> list[GenerationEvent]:
        fails = request.request_id == 1
        return [Failed(error=error)] if fails else [TextDelta(text="Fine", n_completion=1), finished()]

    well, printed, _ = ask(tmp_path, starter_model_path, script, n_answers=2)
    assert not well
    assert error.sentence in printed.status.getvalue()
    assert "Fine" in printed.output.getvalue()


def test_probabilities_are_printed_after_the_answer(tmp_path: Path, starter_model_path: Path) -> None:
    likely = TokenProbability(1, b"Blue", -0.25)
    events: list[GenerationEvent] = [
        TextDelta(text="Blue", n_completion=1, logprobs=(TokenLogprobs(likely, (likely,)),)),
        finished(),
    ]
    _, printed, _ = ask(tmp_path, starter_model_path, lambda _: events)
    assert '"Blue" -0.250' in printed.status.getvalue()
    assert printed.output.getvalue() == "Blue\n"


def test_reasoning_is_no_part_of_the_output(tmp_path: Path, starter_model_path: Path) -> None:
    events = [
        TextDelta(text="Hm", n_completion=1, kind=OutputKind.REASONING),
        TextDelta(text="Blue", n_completion=2),
    ]
    _, printed, _ = ask(tmp_path, starter_model_path, lambda _: [*events, finished()])
    assert printed.output.getvalue() == "Blue\n"
    assert "Hm" in printed.status.getvalue()


def test_a_raw_text_gets_no_system_prompt(tmp_path: Path, starter_model_path: Path) -> None:
    def prepare(harness: AppHarness, _prompter: OnePrompt, loop: EngineLoop) -> None:
        loop.wait(harness.app.preferences.change(AppLayer(), key="chat.system_prompt", value="Be brief."))

    raw = TextInput(text="Once", parse_special=True)
    _, _, place = ask(tmp_path, starter_model_path, says("x"), prompt=raw, prepare=prepare)
    assert place.engine.requests[0].task.prompt == raw


def test_a_question_gets_the_system_prompt(tmp_path: Path, starter_model_path: Path) -> None:
    def prepare(harness: AppHarness, _prompter: OnePrompt, loop: EngineLoop) -> None:
        loop.wait(harness.app.preferences.change(AppLayer(), key="chat.system_prompt", value="Be brief."))

    _, _, place = ask(tmp_path, starter_model_path, says("x"), prepare=prepare)
    prompt = place.engine.requests[0].task.prompt
    assert isinstance(prompt, ChatInput)
    assert [message.text for message in prompt.messages] == ["Be brief.", "Why?"]


def test_a_format_without_a_rule_is_refused_before_anything_runs(
    tmp_path: Path, starter_model_path: Path
) -> None:
    def prepare(harness: AppHarness, _prompter: OnePrompt, loop: EngineLoop) -> None:
        loop.wait(harness.app.preferences.change(AppLayer(), key="answer.format", value="regex"))

    with pytest.raises(SettingInvalid):
        ask(tmp_path, starter_model_path, says("x"), prepare=prepare)


def test_an_interrupt_stops_all_answers_and_keeps_their_beginnings(
    tmp_path: Path, starter_model_path: Path
) -> None:
    def prepare(_place: AppHarness, prompter: OnePrompt, _loop: EngineLoop) -> None:
        real, calls = prompter._events.get, iter(range(10))

        class Heard:
            def get(self) -> object:
                if next(calls) == 1:
                    raise KeyboardInterrupt
                return real()

            put = prompter._events.put

        prompter._events = Heard()  # type: ignore[assignment]

    script: Script = lambda _: [TextDelta(text="Once", n_completion=1), None, finished()]  # noqa: E731
    printed = Printed()
    with pytest.raises(KeyboardInterrupt):
        ask(tmp_path, starter_model_path, script, prepare=prepare, printed=printed)
    assert printed.output.getvalue() == "Once\n"
    assert "(stopped)" in printed.status.getvalue()


def test_an_unsuitable_model_is_reported_with_a_hint(tmp_path: Path, starter_model_path: Path) -> None:
    well, printed, _ = ask(
        tmp_path, starter_model_path, lambda _: [Failed(error=RequestError.of("images_unsupported").info())]
    )
    assert not well
    assert "“fireside list” shows the models" in printed.status.getvalue()
