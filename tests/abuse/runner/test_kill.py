"""A runner that is killed while it keeps conversations on disk: no wrong answer, and nothing left over."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from fireside.core.message import ChatMessage
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.wire.cache_files import TEMPORARY_SUFFIX
from fireside.wire.messages import CacheOptions, Shutdown
from llama.runner_process import Answer, RunnerProcess, small_options, user

SEED = 20_262
N_ROUNDS = 2
TOPICS = ("rain", "bread", "iron")
GREEDY = SamplingParams(temperature=0, max_tokens=6, ignore_eos=True)
DISK_BYTES = 7 << 20
"""Two of the three conversations fit."""


def conversation(topic: str) -> tuple[ChatMessage, ...]:
    return (user(f"Tell me of {topic}. " + f"I like {topic} and {topic} likes me. " * 9),)


def ask(runner: RunnerProcess, topic: str) -> Answer:
    task = GenerationTask(prompt=ChatInput(messages=conversation(topic)), sampling=GREEDY, owner=topic)
    return runner.finish(runner.start_task(task))


def load(runner: RunnerProcess, model: Path, folder: Path | None) -> None:
    cache = CacheOptions() if folder is None else CacheOptions(folder=str(folder), disk_bytes=DISK_BYTES)
    runner.load(model, small_options(n_threads=1), cache=cache)


def n_bytes_in(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def names_in(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()} if folder.exists() else set()


def kill_while_writing(runner: RunnerProcess, folder: Path, *, n_looks: int) -> None:
    """Ask the runner to leave, which makes it write, and kill it some looks at the folder after it began."""
    before = names_in(folder)
    runner.send(Shutdown())
    while names_in(folder) <= before and runner.is_running:
        pass
    for _ in range(n_looks):
        names_in(folder)
    runner.kill()


@pytest.fixture(scope="module")
def expected(short_model_path: Path) -> dict[str, str]:
    """The answers of a runner that keeps nothing."""
    with RunnerProcess() as runner:
        load(runner, short_model_path, None)
        return {topic: ask(runner, topic).text for topic in TOPICS}


def test_runners_killed_while_they_write_give_no_wrong_answer_and_leave_nothing(
    short_model_path: Path, expected: dict[str, str], tmp_path: Path, abuse_scale: int
) -> None:
    folder = tmp_path / "states"
    chance = random.Random(SEED)
    for number in range(N_ROUNDS * abuse_scale):
        topic = chance.choice(TOPICS)
        with RunnerProcess() as runner:
            load(runner, short_model_path, folder)
            assert ask(runner, topic).text == expected[topic], number
            kill_while_writing(runner, folder, n_looks=chance.choice((0, 0, 5, 30, 100, 400)))
    with RunnerProcess() as runner:
        load(runner, short_model_path, folder)
        for topic in TOPICS:
            assert ask(runner, topic).text == expected[topic]
        runner.leave()
    assert not [name for name in names_in(folder) if name.endswith(TEMPORARY_SUFFIX)]
    assert 0 < n_bytes_in(folder) <= DISK_BYTES
