"""A repeatable request gets the same answer and probabilities, whatever the caches hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from fireside.core.message import ChatMessage
from fireside.core.options import LoadOptions, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.wire.messages import CacheOptions
from llama.runner_process import Answer, RunnerProcess, assistant, user
from llama.tiny_models import write_gemma3, write_lfm2, write_mamba

EXACT = SamplingParams(temperature=0, max_tokens=10, top_logprobs=3, ignore_eos=True, guard_repetition=False)
MEMORY_BYTES = 64 << 20
STORY = "The old mill stood where the river bends, and nobody had lived there for years. " * 4
QUESTIONS = (
    "Say hello.",
    STORY,
    f"{STORY} Who left it, and why?",
    f"{STORY} Who left it, and why? Answer in a sentence of at most nine words, please.",
    f"{STORY[:151]} What is it?",
)
ORDER = (0, 0, 0, 1, 1, 2, 2, 1, 3, 4, 0, 3, 2, 4, 1)


def options(**changes: object) -> LoadOptions:
    """As the program loads models, in one thread: several would wait for each other on a busy machine."""
    values: dict[str, object] = {"n_ctx": 1024, "n_seq_max": 3, "n_threads": 1, "n_gpu_layers": 0}
    return LoadOptions(**{**values, **changes})  # type: ignore[arg-type]


def ask(
    runner: RunnerProcess,
    *messages: ChatMessage,
    sampling: SamplingParams = EXACT,
    is_repeatable: bool = True,
    reuses_cache: bool = True,
) -> Answer:
    task = GenerationTask(
        prompt=ChatInput(messages=messages),
        sampling=sampling,
        is_repeatable=is_repeatable,
        reuses_cache=reuses_cache,
    )
    return runner.finish(runner.start_task(task))


def said(answer: Answer) -> list[object]:
    """The text, with the probability of each token and of the likeliest others."""
    return [(piece.text, piece.logprobs) for piece in answer.pieces]


@pytest.fixture(scope="module", params=["starter", "sliding window", "hybrid", "recurrent"])
def model(
    request: pytest.FixtureRequest, starter_model_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    writers: dict[str, Callable[[Path], Path]] = {
        "sliding window": write_gemma3,
        "hybrid": write_lfm2,
        "recurrent": write_mamba,
    }
    if request.param == "starter":
        return starter_model_path
    return writers[request.param](tmp_path_factory.mktemp("models") / "tiny.gguf")


@pytest.fixture(scope="module")
def fresh(model: Path) -> Iterator[Callable[..., Answer]]:
    """Answers of a runner that reads each prompt from its first token."""
    with RunnerProcess() as runner:
        runner.load(model, options(), cache=CacheOptions(memory_bytes=MEMORY_BYTES))
        yield lambda *messages: ask(runner, *messages, reuses_cache=False)


@pytest.fixture
def runner(model: Path) -> Iterator[RunnerProcess]:
    with RunnerProcess(environment={"FIRESIDE_RUNNER_CHECK": "1"}) as process:
        process.load(model, options(), cache=CacheOptions(memory_bytes=MEMORY_BYTES))
        yield process


def test_answer_is_the_same_whatever_was_asked_before(
    runner: RunnerProcess, fresh: Callable[..., Answer]
) -> None:
    """After itself, after others with a common prefix of odd length, after several."""
    expected = [said(fresh(user(question))) for question in QUESTIONS]
    before = -1
    for n in ORDER:
        answer = ask(runner, user(QUESTIONS[n]))
        assert said(answer) == expected[n], n
        usage = answer.finished.usage
        assert usage.n_cached % 16 == 0
        assert usage.n_cached > 0 or n != before
        before = n


def test_next_turn_is_the_same_after_the_turn_before_and_after_nothing(
    runner: RunnerProcess, fresh: Callable[..., Answer]
) -> None:
    first = ask(runner, user(QUESTIONS[2]))
    turns = (user(QUESTIONS[2]), assistant(first.text), user("And then?"))
    assert said(ask(runner, *turns)) == said(ask(runner, *turns)) == said(fresh(*turns))


def test_other_requests_change_nothing(runner: RunnerProcess, fresh: Callable[..., Answer]) -> None:
    """Those with a temperature leave states that were computed in other ways."""
    chance = SamplingParams(temperature=1, max_tokens=5, ignore_eos=True)
    for question in (QUESTIONS[1], QUESTIONS[3], "Hm."):
        ask(runner, user(question), sampling=chance, is_repeatable=False)
    assert said(ask(runner, user(QUESTIONS[3]))) == said(fresh(user(QUESTIONS[3])))


def test_seed_gives_the_same_answer_from_a_cache(runner: RunnerProcess) -> None:
    seeded = SamplingParams(temperature=1, seed=42, max_tokens=10, ignore_eos=True)
    first, *others = (ask(runner, user(QUESTIONS[2]), sampling=seeded).text for _ in range(3))
    assert others == [first, first]


def test_whole_prompt_is_read_where_the_cache_must_not_be_used(runner: RunnerProcess) -> None:
    for is_repeatable in (True, False):
        asked = [
            ask(runner, user(QUESTIONS[2]), is_repeatable=is_repeatable, reuses_cache=reuses_cache)
            for reuses_cache in (True, True, False)
        ]
        _, cached, read = (answer.finished.usage.n_cached for answer in asked)
        assert cached > 0
        assert read == 0
