"""The decode loop over a fake llama.cpp whose next token depends on every token before it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import N_CTX, FakeBatch, FakeDecoder, expected_answer
from fakes.loop_harness import ANSWER, Runner
from fireside.core.generation import Failed, Finished, FinishReason, Priority, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptMeasure, PromptMeasureRequest
from fireside.core.task import GenerationTask
from fireside.runner.decoder import DecodeResult
from fireside.runner.prompt.segments import Prompt, PromptSegment, prompt_of
from fireside.wire.messages import Answered, Ask, Cancel, Pause, Ping, Pong, RequestEvent, Resume

PROMPTS = st.text("abcdefgh", min_size=1, max_size=40)


@given(
    st.lists(st.tuples(PROMPTS, st.integers(0, 6), st.booleans()), min_size=1, max_size=6),
    st.lists(st.sampled_from([DecodeResult.DONE, DecodeResult.ABORTED]), max_size=12),
    st.integers(1, 3),
    st.booleans(),
    st.booleans(),
)
def test_batching_does_not_change_answers(
    requests: list[tuple[str, int, bool]],
    results: list[DecodeResult],
    n_seq_max: int,
    can_trim: bool,
    report_late: bool,
) -> None:
    """Whatever runs beside it, is broken off, or is found in the cache, and whenever it is reported."""
    runner = Runner(FakeDecoder(n_seq_max=n_seq_max, can_trim=can_trim), report_late=report_late)
    runner.decoder.results = list(results)
    for number, (prompt, n_turns_later, background) in enumerate(requests):
        runner.ask(number, prompt, priority=Priority.BACKGROUND if background else Priority.INTERACTIVE)
        for _ in range(n_turns_later):
            runner.loop.iterate()
    runner.run()
    for number, (prompt, _, _) in enumerate(requests):
        assert runner.text(number) == expected_answer(prompt, n_max=8)
        assert len(runner.ends(number)) == 1
    assert all(sampler.closed for sampler in runner.samplers)


@given(st.lists(st.tuples(PROMPTS, st.integers(0, 8)), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_cancelled_request_ends_exactly_once(
    requests: list[tuple[str, int]], during_decode: bool, report_late: bool
) -> None:
    runner = Runner(report_late=report_late)
    for number, (prompt, n_turns) in enumerate(requests):
        runner.ask(number, prompt)
        for _ in range(n_turns):
            runner.loop.iterate()
        if during_decode:
            runner.decoder.before_decode.append(Cancel(request_id=RequestId(number)))
        else:
            runner.cancel(number)
        runner.cancel(number)
    runner.run()
    for number, (prompt, _) in enumerate(requests):
        assert len(runner.ends(number)) == 1
        assert expected_answer(prompt, n_max=8).startswith(runner.text(number))


def test_cancel_during_prefill_aborts_the_step_and_frees_the_slot() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "a" * 40)
    runner.decoder.before_decode = [Cancel(request_id=RequestId(1))]
    runner.ask(2, "b" * 5)
    runner.run()
    assert runner.n_stops == 1
    assert runner.finished(1).reason is FinishReason.CANCELLED
    assert runner.text(2) == expected_answer("b" * 5, n_max=8)


def test_evaluated_part_of_a_cancelled_prompt_stays_cached() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "abcdefgh" * 5)
    runner.loop.iterate()
    runner.cancel(1)
    runner.run()
    runner.ask(2, "abcdefgh" * 5)
    runner.run()
    assert runner.finished(2).usage.n_cached == 16


def test_cancel_of_a_waiting_request_ends_it_without_evaluating_it() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "abc")
    runner.ask(2, "xyz")
    runner.loop.iterate()
    runner.cancel(2)
    runner.run()
    assert runner.finished(2).reason is FinishReason.CANCELLED
    assert runner.progress(2) == []


def test_cancel_of_an_unknown_request_is_ignored() -> None:
    runner = Runner()
    runner.cancel(99)
    runner.run()
    assert runner.reports == []


def test_follow_up_evaluates_only_new_tokens() -> None:
    runner = Runner()
    runner.ask(1, "a question")
    runner.run()
    n_before = runner.decoder.n_evaluated
    answer = runner.text(1)
    runner.ask(2, "a question" + answer + "more", SamplingParams(max_tokens=1))
    runner.run()
    # The last token of the answer was given out and never evaluated, if the answer was cut by its length.
    assert runner.decoder.n_evaluated - n_before <= len("more") + 1
    assert runner.finished(2).usage.n_cached >= len("a question" + answer) - 1


def test_repeated_prompt_evaluates_only_its_last_token() -> None:
    runner = Runner()
    runner.ask(1, "the same")
    runner.run()
    runner.ask(2, "the same")
    runner.run()
    assert runner.finished(2).usage.n_cached == len("the same") - 1


def test_progress_starts_at_the_cached_part_and_ends_at_the_whole_prompt() -> None:
    runner = Runner()
    runner.ask(1, "abcdefgh" * 5)
    runner.run()
    assert runner.progress(1) == [0, 16, 32, 40]


def test_full_context_is_reported() -> None:
    prompts = (letter * 60 for letter in "abcdefghijklmnopqrstuvwxyz")
    prompt = next(prompt for prompt in prompts if len(expected_answer(prompt, n_max=100)) == N_CTX + 1 - 60)
    runner = Runner()
    runner.ask(1, prompt, SamplingParams(max_tokens=100))
    runner.run()
    end = runner.finished(1)
    assert (end.reason, end.context_full, end.usage.n_completion) == (FinishReason.LENGTH, True, 5)


def test_answer_of_maximum_length_does_not_report_a_full_context() -> None:
    runner = Runner()
    runner.ask(1, "ab", SamplingParams(max_tokens=1))
    runner.run()
    end = runner.finished(1)
    assert (end.reason, end.context_full, end.usage.n_completion) == (FinishReason.LENGTH, False, 1)


def test_end_token_ends_the_answer() -> None:
    prompt = next(p for p in ("a" * n for n in range(1, 30)) if 0 < len(expected_answer(p, n_max=8)) < 8)
    runner = Runner()
    runner.ask(1, prompt)
    runner.run()
    assert runner.finished(1).reason is FinishReason.STOP


@pytest.mark.parametrize("report_late", [False, True])
def test_stop_string_ends_the_answer(report_late: bool) -> None:
    answer = expected_answer("abc", n_max=8)
    assert len(answer) > 4
    runner = Runner(report_late=report_late)
    runner.ask(1, "abc", SamplingParams(max_tokens=8, stop=(answer[2:4],)))
    runner.run()
    assert runner.finished(1).reason is FinishReason.STOP
    assert runner.text(1) == answer[: answer.index(answer[2:4])]


def test_failed_step_fails_its_requests_and_no_later_ones() -> None:
    runner = Runner()
    runner.decoder.results = [DecodeResult.FAILED]
    runner.ask(1, "abc")
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    runner.ask(2, "abc")
    runner.run()
    assert runner.text(2) == expected_answer("abc", n_max=8)


def test_unexpected_error_fails_only_its_request() -> None:
    runner = Runner()
    runner.ask(1, "boom")
    runner.ask(2, "abc")
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_crashed"
    assert runner.text(2) == expected_answer("abc", n_max=8)


def test_invalid_parameter_fails_the_request() -> None:
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(top_p=float("nan")))
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert end.error.code == "invalid_parameter"


def test_conversation_without_messages_is_answered() -> None:
    runner = Runner(template=_Opening())
    runner.give(1, GenerationTask(prompt=ChatInput(messages=()), sampling=ANSWER))
    runner.run()
    assert runner.finished(1).usage.n_prompt == 3


class _Opening:
    def render(self, _chat: ChatInput) -> Prompt:
        return prompt_of([PromptSegment(text="so:", special=False)])


def test_interactive_requests_are_admitted_before_background_requests() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "abc")
    runner.ask(2, "bcd", priority=Priority.BACKGROUND)
    runner.ask(3, "cde")
    runner.run()
    assert runner.end_order() == [1, 3, 2]


def test_token_counts_are_answered_between_steps() -> None:
    runner = Runner()
    runner.ask(1, "abc")
    runner.loop.iterate()
    messages = (text_message(Role.USER, "12345"),)
    question = PromptMeasureRequest(prompt=ChatInput(messages=messages))
    runner.commands.put(Ask(request_id=RequestId(2), query=question))
    runner.run()
    (measured,) = (report for report in runner.reports if isinstance(report, Answered))
    assert isinstance(measured.reply, PromptMeasure)
    assert (measured.request_id, measured.reply.n_prompt) == (2, 5)


def test_random_seed_is_reported() -> None:
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(max_tokens=1))
    runner.ask(2, "abc", SamplingParams(max_tokens=1))
    runner.run()
    assert runner.finished(1).seed != runner.finished(2).seed


def test_text_comes_before_the_end_of_its_answer() -> None:
    runner = Runner()
    runner.ask(1, "abc")
    runner.run()
    events = [report.event for report in runner.reports if isinstance(report, RequestEvent)]
    assert isinstance(events[0], PromptProgress)
    assert isinstance(events[-1], Finished)
    assert isinstance(runner.reports[-1], RequestEvent)


@pytest.mark.parametrize("report_late", [False, True])
def test_text_is_sent_before_the_next_step_or_while_the_device_computes_it(report_late: bool) -> None:
    runner = Runner(report_late=report_late)
    runner.ask(1, "abc")
    shown = []
    decode = runner.decoder.decode

    def watched(batch: FakeBatch) -> DecodeResult:
        shown.append(len(runner.text(1)))
        return decode(batch)

    runner.decoder.decode = watched  # type: ignore[method-assign]
    runner.run()
    assert shown == ([0, 0, 1, 2, 3, 4, 5, 6] if report_late else [0, 1, 2, 3, 4, 5, 6, 7])
    assert runner.text(1) == expected_answer("abc", n_max=8)


def test_text_is_not_kept_back_where_no_step_follows() -> None:
    runner = Runner(report_late=True)
    runner.ask(1, "abc")
    runner.loop.iterate()
    runner.loop.iterate()
    assert runner.text(1) == expected_answer("abc", n_max=1)
    runner.commands.put(Pause(request_id=RequestId(1)))
    runner.loop.iterate()
    assert runner.text(1) == expected_answer("abc", n_max=2)


def test_paused_answer_waits_while_others_continue_and_does_not_change() -> None:
    alone = Runner()
    alone.ask(1, "abc", SamplingParams(max_tokens=20, seed=1))
    alone.run()
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(max_tokens=20, seed=1))
    runner.ask(2, "xyz", SamplingParams(max_tokens=20, seed=1))
    while not runner.pieces(1):
        runner.loop.iterate()
    n_before = len(runner.pieces(1))
    runner.commands.put(Pause(request_id=RequestId(1)))
    while not runner.ends(2):
        runner.loop.iterate()
    assert len(runner.pieces(1)) == n_before
    assert not runner.loop.is_idle
    runner.commands.put(Resume(request_id=RequestId(1)))
    runner.run()
    assert runner.text(1) == alone.text(1)
    assert runner.finished(1).usage == alone.finished(1).usage


def test_paused_answer_can_be_cancelled() -> None:
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(max_tokens=20, seed=1))
    while not runner.pieces(1):
        runner.loop.iterate()
    runner.commands.put(Pause(request_id=RequestId(1)))
    runner.cancel(1)
    runner.run()
    assert runner.finished(1).reason is FinishReason.CANCELLED


def test_cancelling_one_of_two_recurrent_sequences_keeps_the_other() -> None:
    """A running state that is broken off is lost, so the step is finished instead."""
    runner = Runner(FakeDecoder(can_trim=False, follows=lambda tokens: 97 + sum(tokens) % 26))
    runner.ask(0, "abc")
    runner.ask(1, "bcd")
    for _ in range(4):
        runner.loop.iterate()
    n_before = runner.decoder.n_evaluated
    runner.decoder.before_decode.append(Cancel(request_id=RequestId(1)))
    runner.run()
    assert runner.n_stops == 0
    assert runner.finished(1).reason is FinishReason.CANCELLED
    assert len(runner.text(0)) == ANSWER.max_tokens
    assert runner.decoder.n_evaluated - n_before <= 8


def test_single_recurrent_prompt_can_be_aborted() -> None:
    runner = Runner(FakeDecoder(can_trim=False))
    runner.decoder.before_decode.append(Cancel(request_id=RequestId(0)))
    runner.ask(0, "abcdefgh" * 4)
    runner.run()
    assert runner.n_stops == 1
    assert runner.finished(0).reason is FinishReason.CANCELLED


@pytest.mark.parametrize(("n_stages", "n_first"), [(1, 64), (2, 128), (9, 256)])
def test_each_pipeline_stage_gets_a_micro_batch(n_stages: int, n_first: int) -> None:
    decoder = FakeDecoder(n_batch=256, n_ctx=512)
    decoder.n_ubatch, decoder.n_stages = 64, n_stages
    runner = Runner(decoder)
    runner.ask(1, "abcdefgh" * 50)
    while not decoder.n_evaluated:
        runner.loop.iterate()
    assert decoder.n_evaluated == n_first


def test_steps_and_passes_are_counted() -> None:
    runner = Runner(FakeDecoder(n_seq_max=2))
    for number in range(2):
        runner.ask(number, "abc")
    runner.run()
    runner.commands.put(Ping())
    runner.loop.iterate()
    (pong,) = [report for report in runner.reports if isinstance(report, Pong)]
    assert pong.n_steps == len(runner.decoder.n_sequences_per_step) > 0
    assert pong.n_passes == pong.n_steps


@pytest.mark.parametrize("code", [-3, -2, -1, 3])
def test_any_other_return_code_is_a_failed_decode(code: int) -> None:
    assert DecodeResult(code) is DecodeResult.FAILED
