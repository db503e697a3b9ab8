"""Strange requests, many at once: each ends once and in words, and the runner serves on as before."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from abuse.runner.strange_tasks import SEED, strange_task
from fireside.core.errors import ErrorInfo
from fireside.core.generation import FinishReason
from fireside.core.ids import RequestId
from fireside.core.task import GenerationTask
from fireside.wire.messages import CacheOptions, Finished
from llama.runner_process import Answer, RunnerProcess, small_options

N_TASKS = 100
BATCHES = (1, 2, 3, 6)
CHECK_EVERY = 25
MAX_GROWTH_BYTES = 400 << 20
"""Rules and states that are remembered, and what llama.cpp allocates when it first needs it."""

_BUG = re.compile(
    r"inside Fireside|stopped unexpectedly|Traceback|Error\b|Exception|object at 0x|<class|None"
)
QUESTION = "Name three colours of the rainbow."


@pytest.fixture(scope="module")
def runner(starter_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunnerProcess]:
    cache = CacheOptions(
        folder=str(tmp_path_factory.mktemp("states")), memory_bytes=32 << 20, disk_bytes=64 << 20
    )
    with RunnerProcess() as process:
        process.load(starter_model_path, small_options(n_ctx=256, n_seq_max=3, n_threads=1), cache=cache)
        yield process


def check_words(error: ErrorInfo, *, number: int) -> None:
    """Fail where an error is none that a person could do something with."""
    sentence = error.sentence
    assert sentence, number
    assert sentence[-1] in ".!?”", (number, sentence)
    assert len(sentence) < 600, (number, sentence[:900])
    assert all(char.isprintable() or char == "\n" for char in sentence), (number, sentence)
    assert not _BUG.search(sentence), (number, sentence)


def check_answer(answer: Answer, task: GenerationTask, *, number: int) -> None:
    """Fail where what came back of one request does not fit together."""
    if not isinstance(answer.end, Finished):
        check_words(answer.failed.error, number=number)
        return
    end = answer.finished
    counts = [piece.n_completion for piece in answer.pieces]
    assert counts == sorted(counts), number
    assert (counts[-1] if counts else 0) <= end.usage.n_completion, number
    assert end.usage.n_reasoning <= end.usage.n_completion, number
    assert 0 <= end.usage.n_cached <= end.usage.n_prompt, number
    if task.sampling.max_tokens is not None:
        assert end.usage.n_completion <= task.sampling.max_tokens, number
    if end.reason is FinishReason.LENGTH and not end.context_full:
        assert end.usage.n_completion == task.sampling.max_tokens, number
    logprobs = [entry for piece in answer.pieces for entry in piece.logprobs]
    if task.sampling.top_logprobs is None:
        assert not logprobs, number
        return
    assert len(logprobs) == end.usage.n_completion, number
    assert all(len(entry.top) == task.sampling.top_logprobs for entry in logprobs), number
    raw = b"".join(entry.chosen.piece for entry in logprobs).decode("utf-8", "replace")
    if end.reason is FinishReason.STOP and task.sampling.stop:
        assert raw.startswith(answer.text), (number, raw, answer.text)
    else:
        assert raw.rstrip("\ufffd") == answer.text.rstrip("\ufffd"), (number, raw, answer.text)


def run_batch(runner: RunnerProcess, numbers: range, *, chance: random.Random) -> Counter[str]:
    """Send the tasks of ``numbers`` together, cancel some, and wait for the end of each."""
    tasks = {runner.start_task(task): (number, task) for number in numbers for task in [strange_task(number)]}
    doomed = [request for request in tasks if chance.random() < 0.2]
    cancel_at = {chance.randrange(12): request for request in doomed}
    n_reports = 0
    while any(runner.answers[request].end is None for request in tasks):
        if n_reports in cancel_at:
            runner.cancel(cancel_at.pop(n_reports))
        assert runner.receive() is not None, ([*numbers], runner.log[-3000:])
        n_reports += 1
    outcomes: Counter[str] = Counter()
    for request, (number, task) in tasks.items():
        answer = runner.answers.pop(request)
        check_answer(answer, task, number=number)
        end = answer.end
        outcomes[end.reason if isinstance(end, Finished) else answer.failed.error.code] += 1
    return outcomes


def test_strange_requests_end_in_words_and_leave_no_trace(runner: RunnerProcess, abuse_scale: int) -> None:
    expected = runner.ask(QUESTION).text
    chance = random.Random(SEED)
    process = psutil.Process(runner.pid)
    outcomes: Counter[str] = Counter()
    first = n_since = 0
    n_bytes_before = 0
    while first < N_TASKS * abuse_scale:
        batch = range(first, first + chance.choice(BATCHES))
        outcomes += run_batch(runner, batch, chance=chance)
        first, n_since = batch.stop, n_since + len(batch)
        if n_since >= CHECK_EVERY:
            n_since = 0
            assert runner.ask(QUESTION).text == expected, batch
            n_bytes_before = n_bytes_before or process.memory_info().rss
    assert runner.ask(QUESTION).text == expected
    assert process.memory_info().rss < n_bytes_before + MAX_GROWTH_BYTES
    # A suite whose requests are all refused at the door would test nothing.
    assert outcomes["stop"] + outcomes["length"] > N_TASKS * abuse_scale // 6, outcomes
    assert outcomes["invalid_parameter"] > 0, outcomes
    assert outcomes["constraint_invalid"] > 0, outcomes


def test_nobody_is_left_of_requests_cancelled_before_they_began(runner: RunnerProcess) -> None:
    expected = runner.ask(QUESTION).text
    requests: list[RequestId] = []
    for number in range(5000, 5012):
        request = runner.start_task(strange_task(number))
        runner.cancel(request)
        requests.append(request)
    for request in requests:
        runner.finish(request)
    assert runner.ask(QUESTION).text == expected
