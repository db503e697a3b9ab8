"""Generating a title does not cost the conversation its cache."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from fireside.chat.titles import TITLE_PROMPT
from fireside.core.generation import Priority
from fireside.core.message import ChatMessage
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.wire.messages import CacheOptions
from llama.runner_process import Answer, RunnerProcess, assistant, small_options, user
from llama.tiny_models import write_gemma3, write_lfm2, write_llama, write_mamba

WRITERS: dict[str, Callable[[Path], Path]] = {
    "full attention": write_llama,
    "sliding window": write_gemma3,
    "hybrid": write_lfm2,
    "recurrent": write_mamba,
}
SAMPLING = SamplingParams(temperature=0, max_tokens=40, ignore_eos=True, guard_repetition=False)
SLACK = 32
"""The runner does not look after fewer tokens: reading them again is as fast."""


class Chat:
    """A conversation after its first answer, whose state has been saved since."""

    def __init__(self, model: Path, states: Path) -> None:
        self._model = model
        self._cache = CacheOptions(folder=str(states), memory_bytes=64 << 20, disk_bytes=64 << 20)
        question = user("Why is the sea salty? " * 12)
        with RunnerProcess() as runner:
            self._load(runner)
            self._said: tuple[ChatMessage, ...] = (question,)
            answer = self._ask(runner, *self._said, owner="chat").text
            runner.leave()
        self._said = (question, assistant(answer))

    def n_cached_of_second_turn(self, *, asks_for_title: bool) -> int:
        with RunnerProcess() as runner:
            self._load(runner)
            if asks_for_title:
                self._ask(runner, *self._said, user(TITLE_PROMPT), owner=None, priority=Priority.BACKGROUND)
            second = self._ask(runner, *self._said, user("And lakes?"), owner="chat")
        return second.finished.usage.n_cached

    def _load(self, runner: RunnerProcess) -> None:
        runner.load(self._model, small_options(n_ctx=1024, n_threads=1, n_ubatch=512), cache=self._cache)

    def _ask(
        self,
        runner: RunnerProcess,
        *messages: ChatMessage,
        owner: str | None,
        priority: Priority = Priority.INTERACTIVE,
    ) -> Answer:
        task = GenerationTask(
            prompt=ChatInput(messages=messages), sampling=SAMPLING, owner=owner, priority=priority
        )
        return runner.finish(runner.start_task(task))


@pytest.mark.parametrize("kind", list(WRITERS))
def test_title_does_not_evict_the_conversation(kind: str, tmp_path: Path) -> None:
    states = tmp_path / "states"
    states.mkdir()
    chat = Chat(WRITERS[kind](tmp_path / "tiny.gguf"), states)
    usual = chat.n_cached_of_second_turn(asks_for_title=False)
    assert usual > 200
    assert chat.n_cached_of_second_turn(asks_for_title=True) >= usual - SLACK
