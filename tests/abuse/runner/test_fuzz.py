"""Strange requests, many at once: each ends once and in words, and the runner serves on as before."""

from __future__ import annotations

import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import psutil
import pytest

from abuse.runner.strange_tasks import SEED, strange_task
from fireside.core.errors import ErrorInfo
from fireside.core.generation import Finished, FinishReason
from fireside.core.ids import RequestId
from fireside.core.options import Speculation
from fireside.core.task import GenerationTask
from fireside.wire.messages import CacheOptions
from llama.runner_process import Answer, RunnerProcess, small_options
from llama.tiny_models import write_gemma3, write_lfm2, write_llama, write_mamba

N_TASKS = 30
N_TINY_TASKS = 80
BATCHES = (1, 2, 3, 6)
CHECK_EVERY = 25
MAX_GROWTH_BYTES = 400 << 20
"""Rules and states that are remembered, and what llama.cpp allocates when it first needs it."""

_BUG = re.compile(
    r"inside Fireside|stopped unexpectedly|Traceback|Error\b|Exception|object at 0x|<class|None"
)
QUESTION = "Repeat this: one two three one two three one two three"
"""Each token of its answer leads the next likely one by far more than rounding moves it."""


TINY: dict[str, tuple[Callable[[Path], Path], dict[str, object]]] = {
    "full attention": (write_llama, {}),
    "sliding window": (write_gemma3, {"n_batch": 16, "speculation": Speculation.PROMPT_LOOKUP}),
    "hybrid": (
        write_lfm2,
        {"n_batch": 64, "n_ubatch": 16, "speculation": Speculation.PROMPT_LOOKUP, "n_draft": 14},
    ),
    "recurrent": (write_mamba, {"n_seq_max": 1}),
}
"""Models of every kind of memory, which are so small that they answer hundreds of requests in seconds."""


def load(runner: RunnerProcess, model: Path, folder: Path, **options: object) -> None:
    cache = CacheOptions(folder=str(folder), memory_bytes=32 << 20, disk_bytes=64 << 20)
    runner.load(
        model, small_options(**{"n_ctx": 256, "n_seq_max": 3, "n_threads": 1, **options}), cache=cache
    )


@pytest.fixture(scope="module")
def runner(short_model_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunnerProcess]:
    with RunnerProcess() as process:
        load(process, short_model_path, tmp_path_factory.mktemp("states"))
        yield process


def check_words(error: ErrorInfo, *, number: int) -> None:
    """Fail where an error is none that a user could do something about."""
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
    numbers = [value for value in msgspec.structs.astuple(task.sampling) if isinstance(value, float)]
    assert all(map(math.isfinite, numbers)), number
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


def run_all(runner: RunnerProcess, tasks: range) -> None:
    """Send the tasks of these numbers, some at once, and a question in between whose answer never changes."""
    expected = runner.ask(QUESTION).text
    chance = random.Random(SEED)
    process = psutil.Process(runner.pid)
    outcomes: Counter[str] = Counter()
    first, n_since, n_bytes_before = tasks.start, 0, 0
    while first < tasks.stop:
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
    assert outcomes["stop"] + outcomes["length"] > len(tasks) // 6, outcomes
    assert outcomes["invalid_parameter"] > 0, outcomes
    assert outcomes["constraint_invalid"] > 0, outcomes


def test_strange_requests_end_in_words_and_leave_no_trace(runner: RunnerProcess, abuse_scale: int) -> None:
    run_all(runner, range(N_TASKS * abuse_scale))


@pytest.mark.parametrize("kind", TINY)
def test_strange_requests_end_in_words_on_every_kind_of_memory(
    kind: str, tmp_path: Path, abuse_scale: int
) -> None:
    write, options = TINY[kind]
    with RunnerProcess(environment={"FIRESIDE_RUNNER_CHECK": "1"}) as runner:
        load(runner, write(tmp_path / "tiny.gguf"), tmp_path / "states", **options)
        run_all(runner, range(10_000, 10_000 + N_TINY_TASKS * abuse_scale))


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
