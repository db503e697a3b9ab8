"""Cancelling requests of a real model."""

from __future__ import annotations

from pathlib import Path

from fireside.core.generation import FinishReason, PromptProgress
from fireside.core.ids import RequestId
from fireside.core.options import SamplingParams
from fireside.wire.messages import TokensDecoded
from llama.runner_process import RunnerProcess, small_options, user

LONG_TEXT = "The history of the city begins in the ninth century, when traders settled by the river. " * 60
N_END = 10
"""More tokens than the template puts behind a question, and what a cut does to its last word."""
ENDLESS = SamplingParams(temperature=0, max_tokens=None)


def test_cancel_during_prefill_keeps_the_evaluated_tokens(short_model_path: Path) -> None:
    with RunnerProcess() as runner:
        runner.load(short_model_path, small_options(n_ctx=2048, n_seq_max=1, n_batch=64, n_ubatch=64))
        request_id = runner.start([user(LONG_TEXT)], ENDLESS)
        while runner.expect(PromptProgress).n_done < 128:
            pass
        runner.cancel(request_id)
        cancelled = runner.finish(request_id)
        assert cancelled.finished.reason is FinishReason.CANCELLED
        assert cancelled.text == ""
        n_read = cancelled.progress[-1].n_done
        assert 128 <= n_read < cancelled.finished.usage.n_prompt

        beginning = [user(LONG_TEXT[:1200])]
        usage = runner.ask(beginning, SamplingParams(temperature=0, max_tokens=4)).finished.usage
        assert usage.n_cached >= min(n_read, usage.n_prompt - N_END)


def test_answer_after_an_aborted_prefill_is_correct(
    shared_runner: RunnerProcess, short_model_path: Path
) -> None:
    """Nothing half-computed may stay in the cache."""
    text, four = LONG_TEXT[:1500], SamplingParams(temperature=0, max_tokens=4)
    with RunnerProcess() as runner:
        runner.load(short_model_path)
        broken_off = runner.start(text, ENDLESS)
        runner.expect(PromptProgress)
        runner.cancel(broken_off)
        assert runner.finish(broken_off).finished.reason is FinishReason.CANCELLED
        assert runner.ask(text, four).text == shared_runner.ask(text, four).text


def test_cancel_does_not_change_another_stream(shared_runner: RunnerProcess) -> None:
    sampling = SamplingParams(temperature=0, max_tokens=24)
    alone = shared_runner.ask("Tell me a story about the sea.", sampling)
    streaming = shared_runner.start("Tell me a story about the sea.", sampling)
    shared_runner.expect(TokensDecoded)
    reading = shared_runner.start([user(LONG_TEXT[:1500])], ENDLESS)
    shared_runner.expect(PromptProgress)
    shared_runner.cancel(reading)
    assert shared_runner.finish(streaming).text == alone.text
    assert shared_runner.finish(reading).finished.reason is FinishReason.CANCELLED


def test_cancel_while_streaming_reports_the_usage(shared_runner: RunnerProcess) -> None:
    request_id = shared_runner.start("Tell me a long story.", ENDLESS)
    shared_runner.expect(TokensDecoded)
    shared_runner.cancel(request_id)
    answer = shared_runner.finish(request_id)
    assert answer.finished.reason is FinishReason.CANCELLED
    assert answer.finished.usage.n_completion == answer.pieces[-1].n_completion


def test_cancel_is_idempotent_and_may_come_late(shared_runner: RunnerProcess) -> None:
    answer = shared_runner.start("Hello", SamplingParams(temperature=0, max_tokens=2))
    shared_runner.finish(answer)
    for request_id in (answer, RequestId(10_000_000)):
        shared_runner.cancel(request_id)
    assert shared_runner.ask("Hello").finished.reason is not FinishReason.CANCELLED
