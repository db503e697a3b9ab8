"""Adapters: as loaded, per request, several scales at once, and invalid files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from fireside.core.options import LoraAdapter, SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from llama.runner_process import Answer, RunnerProcess, assistant, small_options, user
from llama.tiny_lora import write_lora

GREEDY = SamplingParams(temperature=0, max_tokens=12)
STRONG = 60.0
QUESTION = "Name three colours of the sea."


@pytest.fixture(scope="module")
def adapter(tmp_path_factory: pytest.TempPathFactory, short_model_path: Path) -> Path:
    return write_lora(tmp_path_factory.mktemp("lora") / "adapter.gguf", model=short_model_path)


@pytest.fixture(scope="module")
def runner(adapter: Path, short_model_path: Path) -> Iterator[RunnerProcess]:
    with RunnerProcess() as runner:
        lora = (LoraAdapter(path=str(adapter), scale=0.0),)
        runner.load(short_model_path, small_options(lora=lora))
        yield runner


def task(scales: tuple[float, ...] | None, text: str = QUESTION) -> GenerationTask:
    return GenerationTask(prompt=ChatInput(messages=(user(text),)), sampling=GREEDY, lora_scales=scales)


def ask(runner: RunnerProcess, scales: tuple[float, ...] | None, text: str = QUESTION) -> Answer:
    return runner.finish(runner.start_task(task(scales, text)))


def test_scale_of_zero_equals_the_model_alone(runner: RunnerProcess, short_model_path: Path) -> None:
    with RunnerProcess() as bare:
        bare.load(short_model_path)
        plain = bare.ask(QUESTION, GREEDY).text
    assert ask(runner, (0.0,)).text == plain
    assert ask(runner, None).text == plain


def test_scale_changes_only_its_own_answer(runner: RunnerProcess) -> None:
    plain = ask(runner, (0.0,)).text
    assert ask(runner, (STRONG,)).text != plain
    assert ask(runner, (0.0,)).text == plain


def test_prompt_evaluated_with_another_scale_is_evaluated_again(runner: RunnerProcess) -> None:
    """What the cache holds was computed with other weights."""
    story = "Once there was a keeper who counted the waves. " * 10

    def cached_share(scale: float) -> float:
        usage = ask(runner, (scale,), story).finished.usage
        return usage.n_cached / usage.n_prompt

    cached_share(STRONG)
    # Not nothing: what all prompts begin with may have been read with this strength.
    assert cached_share(0.0) < 0.5
    assert cached_share(STRONG) > 0.9


def test_requests_with_different_scales_do_not_affect_each_other(runner: RunnerProcess) -> None:
    alone = [ask(runner, scales).text for scales in ((0.0,), (STRONG,))]
    together = [runner.start_task(task(scales)) for scales in ((0.0,), (STRONG,))]
    assert [runner.finish(request_id).text for request_id in together] == alone


def test_conversation_with_an_adapter_keeps_its_cache(runner: RunnerProcess) -> None:
    first = ask(runner, (STRONG,), "Tell me of the sea.")
    messages = (user("Tell me of the sea."), assistant(first.text), user("Go on."))
    next_turn = GenerationTask(prompt=ChatInput(messages=messages), sampling=GREEDY, lora_scales=(STRONG,))
    usage = runner.finish(runner.start_task(next_turn)).finished.usage
    assert usage.n_cached > usage.n_prompt // 2


@pytest.mark.parametrize("scales", [(), (1.0, 1.0), (float("nan"),), (1e9,)])
def test_invalid_scales_are_refused(runner: RunnerProcess, scales: tuple[float, ...]) -> None:
    assert ask(runner, scales).failed.error.code == "invalid_parameter"


def test_adapter_of_another_model_is_refused_by_name(tmp_path: Path, short_model_path: Path) -> None:
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(b"GGUF" + bytes(64))
    with RunnerProcess() as runner:
        lora = (LoraAdapter(path=str(broken)),)
        error = runner.rejected(short_model_path, small_options(lora=lora)).error
    assert error.code == "load_failed"
    assert "broken.gguf" in error.sentence


def test_missing_adapter_is_named(tmp_path: Path, short_model_path: Path) -> None:
    with RunnerProcess() as runner:
        lora = (LoraAdapter(path=str(tmp_path / "gone.gguf")),)
        error = runner.rejected(short_model_path, small_options(lora=lora)).error
    assert error.code == "model_file_missing"
    assert "gone.gguf" in error.sentence
