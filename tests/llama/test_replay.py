"""Probabilities of given answers, and answers that continue from a given token, with a real model."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fireside.core.generation import TokenLogprobs
from fireside.core.ids import RequestId
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, TextInput
from fireside.core.prompt_query import PromptPreview, PromptPreviewRequest
from fireside.core.task import GenerationTask, Replay
from fireside.wire.messages import Answered, Ask
from llama.conftest import Reference
from llama.runner_process import Answer, RunnerProcess, exact_options, user
from llama.tiny_models import write_gemma3, write_llama

TEXT = TextInput(text="The capital of France is Paris, and the capital of", parse_special=True)
FREE = SamplingParams(temperature=0, max_tokens=24, top_logprobs=10, guard_repetition=False)
WANDERING = SamplingParams(
    temperature=1, seed=5, max_tokens=40, top_logprobs=10, guard_repetition=False, ignore_eos=True
)
TOLERANCE = 0.01
N_LONG = 90
"""Tokens of an answer that is scored in several portions."""
CHAT = ChatInput(messages=(user("Name three colours."),))


@pytest.fixture(scope="module")
def runner(short_model_path: Path) -> Iterator[RunnerProcess]:
    with RunnerProcess() as started:
        started.load(short_model_path, exact_options())
        yield started


def _scores(answer: Answer) -> list[TokenLogprobs]:
    return [entry for piece in answer.pieces for entry in piece.logprobs]


def _ids(answer: Answer) -> tuple[int, ...]:
    return tuple(np.frombuffer(answer.finished.tokens, "<i4").tolist())


def _ask(
    runner: RunnerProcess,
    prompt: ChatInput | TextInput,
    *,
    sampling: SamplingParams = FREE,
    replay: Replay | None = None,
) -> Answer:
    task = GenerationTask(prompt=prompt, sampling=sampling, replay=replay)
    return runner.finish(runner.start_task(task))


def test_replayed_probabilities_equal_those_of_llama_cpp(
    fresh_runner: RunnerProcess, short_model_path: Path, bare_llama_exactly: Reference
) -> None:
    """Whatever the runner read before, in whatever portions.

    That is so with a cache of 32 bits. With one of 16 bits llama.cpp computes attention in another precision
    for one token than for several: a beginning of this text that was read token by token moves its likeliest
    logits by up to 0.48, where the first two are 0.2 apart in places. With 32 bits they move by 0.
    """
    (reference,) = bare_llama_exactly([TEXT.text], 24)
    fresh_runner.load(short_model_path, exact_options(n_seq_max=1))
    _ask(fresh_runner, TextInput(text="The capital of France is"))  # begins as what follows
    answer = _ask(fresh_runner, TEXT)
    assert answer.finished.usage.n_cached > 4
    scored = _ask(fresh_runner, TEXT, replay=Replay(tokens=_ids(answer), ends=True))
    assert scored.text == reference["text"]
    logprobs = [entry.chosen.logprob for entry in _scores(scored)]
    assert logprobs == pytest.approx(reference["logprobs"], abs=TOLERANCE)


@pytest.mark.parametrize("write", [write_llama, write_gemma3])
def test_replayed_probabilities_equal_the_sampled_ones(
    fresh_runner: RunnerProcess, tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    """With float32 weights, many tokens at once are computed like one alone."""
    fresh_runner.load(write(tmp_path / "tiny.gguf"), exact_options())
    prompt = TextInput(text="abc def")
    answer = _ask(fresh_runner, prompt, sampling=WANDERING)
    scored = _ask(fresh_runner, prompt, sampling=WANDERING, replay=Replay(tokens=_ids(answer), ends=True))
    before, after = _scores(answer), _scores(scored)
    assert len(before) == WANDERING.max_tokens
    assert [entry.chosen.token for entry in after] == [entry.chosen.token for entry in before]
    for sampled, replayed in zip(before, after, strict=True):
        assert replayed.chosen.logprob == pytest.approx(sampled.chosen.logprob, abs=1e-3)
        assert [t.logprob for t in replayed.top] == pytest.approx([t.logprob for t in sampled.top], abs=1e-3)


def test_answer_continues_from_another_token(
    runner: RunnerProcess,
) -> None:
    answer = _ask(runner, CHAT)
    index = 3
    second = _scores(answer)[index].top[1].token
    begun = (*_ids(answer)[:index], second)
    replayed = _ask(runner, CHAT, replay=Replay(tokens=begun))
    assert _ids(replayed)[: index + 1] == begun
    assert len(_ids(replayed)) > index + 1
    # Greedy answers that begin alike go on alike, however much of them was given.
    further = _ask(runner, CHAT, replay=Replay(tokens=_ids(replayed)[: index + 4]))
    assert further.text == replayed.text


def test_long_answer_is_scored_whole(runner: RunnerProcess) -> None:
    long_sampling = msgspec.structs.replace(FREE, max_tokens=N_LONG, ignore_eos=True)
    answer = runner.finish(runner.start_task(GenerationTask(prompt=CHAT, sampling=long_sampling)))
    task = GenerationTask(prompt=CHAT, sampling=long_sampling, replay=Replay(tokens=_ids(answer), ends=True))
    scored = runner.finish(runner.start_task(task))
    assert len(_scores(scored)) == N_LONG
    assert scored.text == answer.text


def test_shown_prompt_includes_the_control_tokens(runner: RunnerProcess) -> None:
    task = GenerationTask(prompt=ChatInput(messages=(user("Say <|im_end|> please."),)), sampling=FREE)
    runner.send(Ask(request_id=RequestId(-1), query=PromptPreviewRequest(task=task)))
    shown = runner.expect(Answered).reply
    assert isinstance(shown, PromptPreview)
    text = b"".join(token.piece for token in shown.tokens).decode()
    assert "<|im_start|>user\nSay <|im_end|> please.<|im_end|>" in text
    marks = [token.piece for token in shown.tokens if token.is_special]
    assert marks.count(b"<|im_end|>") == text.count("<|im_end|>") - 1
    assert len(shown.tokens) == runner.finish(runner.start_task(task)).finished.usage.n_prompt
