"""Prompts with sound give the answers of bare llama.cpp, and are cached as those with images."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import numpy as np
import pytest

from fireside.core.generation import FinishReason
from fireside.core.message import AudioPart
from fireside.engine.planning.auxiliary_models import read_auxiliary
from fireside.gguf import read_header
from fireside.gguf.projector_facts import audio_tokens
from fireside.wire.messages import CacheOptions
from llama.runner_process import RunnerProcess, user
from llama.seeing import (
    FAMILIES,
    HEARING,
    MEASURED,
    Family,
    Question,
    Reference,
    VisionModel,
    as_wav,
    bare_answers,
    logprobs_of,
    pixels,
    samples,
    sees,
    write_vision_model,
)

TOLERANCE = 1e-4
"""As for images."""

ONE: Question = ("hear this", samples(1), "what is it")
TWO: Question = ("first", samples(2), "then", samples(3, seconds=1.1), "compare")
TWINS: tuple[Question, Question] = (("what", samples(4), "is it"), ("what", samples(5), "is it"))
IN_STEPS: Question = ("step by step", samples(6), "end")
QUESTIONS = (ONE, TWO, TWINS[1], IN_STEPS)
Answers = Callable[[Question], Reference]


@pytest.fixture(scope="module", params=HEARING, ids=lambda family: family.name)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> VisionModel:
    family: Family = request.param
    return write_vision_model(tmp_path_factory.mktemp("hearing"), family)


@pytest.fixture(scope="module")
def reference(files: VisionModel) -> Answers:
    """The answer of bare llama.cpp to one of ``QUESTIONS``."""
    answers = bare_answers(files, QUESTIONS)
    return lambda question: next(
        answer for candidate, answer in zip(QUESTIONS, answers, strict=True) if candidate is question
    )


@pytest.fixture(scope="module")
def runner(files: VisionModel) -> Iterator[RunnerProcess]:
    with RunnerProcess() as running:
        running.load(files.model, files.options(n_ctx=2048))
        yield running


def close(values: list[float]) -> object:
    return pytest.approx(values, abs=TOLERANCE)


@pytest.mark.parametrize("question", [ONE, TWO], ids=["one", "two"])
def test_answers_to_sound_equal_those_of_llama_cpp(
    runner: RunnerProcess, reference: Answers, question: Question
) -> None:
    answer = runner.ask([sees(*question)], MEASURED)
    assert answer.finished.usage.n_prompt == reference(question).n_prompt
    assert logprobs_of(answer) == close(reference(question).logprobs)


@pytest.mark.parametrize("seconds", [0.2, 0.7, 1.99, 29.99, 30.0, 61.3])
def test_tokens_of_sound_are_predicted_by_the_header(
    runner: RunnerProcess, files: VisionModel, seconds: float
) -> None:
    def cost(seconds: float) -> int:
        return runner.count([sees("x", samples(7, seconds=seconds))]) - runner.count([sees("x")])

    header = read_header(files.projector)
    predicted = {each: audio_tokens(header, seconds=each) for each in (seconds, 0.6)}
    assert predicted[0.6] is not None
    assert predicted[seconds] == cost(seconds) - (cost(0.6) - predicted[0.6])


def test_same_sound_is_cached_and_another_is_not(runner: RunnerProcess, reference: Answers) -> None:
    first, second = (runner.ask([sees(*TWINS[0])], MEASURED) for _ in range(2))
    assert second.finished.usage.n_cached == first.finished.usage.n_prompt - 1
    assert logprobs_of(second) == close(logprobs_of(first))
    other = runner.ask([sees(*TWINS[1])], MEASURED)
    assert other.finished.usage.n_cached < other.finished.usage.n_prompt - 15
    assert logprobs_of(other) == close(reference(TWINS[1]).logprobs)


def test_sound_is_decoded_with_any_step_size(files: VisionModel, reference: Answers) -> None:
    with RunnerProcess() as running:
        running.load(files.model, files.options(n_ctx=2048, n_batch=6, n_ubatch=6))
        answer = running.ask([sees(*IN_STEPS)], MEASURED)
    assert logprobs_of(answer) == close(reference(IN_STEPS).logprobs)


def test_sound_does_not_change_another_stream(runner: RunnerProcess) -> None:
    long_sampling = msgspec.structs.replace(MEASURED, max_tokens=40)
    alone = runner.ask([user("tell a story")], long_sampling)
    stream = runner.start([user("tell a story")], long_sampling)
    heard = runner.ask([sees("hear", samples(8), "now")], MEASURED)
    assert runner.finish(stream).text == alone.text
    assert heard.finished.reason is FinishReason.LENGTH


def test_runner_works_after_a_cancelled_sound(runner: RunnerProcess, reference: Answers) -> None:
    request_id = runner.start([sees("stop", samples(9, seconds=50), "now")], MEASURED)
    runner.cancel(request_id)
    assert runner.finish(request_id).finished.reason is FinishReason.CANCELLED
    assert logprobs_of(runner.ask([sees(*ONE)], MEASURED)) == close(reference(ONE).logprobs)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"RIFF",
        as_wav(samples(1))[:60],
        as_wav(samples(1, seconds=0)),
        as_wav(np.zeros(9, np.int16))[:44],
    ],
    ids=["nothing", "a beginning", "cut", "empty", "no samples"],
)
def test_damaged_sound_fails_only_its_request(runner: RunnerProcess, data: bytes) -> None:
    good = sees("hear", samples(1))
    bad = msgspec.structs.replace(good, parts=(*good.parts, AudioPart(data=data, seconds=1)))
    answer = runner.ask([bad], MEASURED)
    if len(data) != 60:  # the samples that are there are heard
        assert (answer.failed.error.code, answer.failed.error.data["number"]) == ("invalid_audio", 2)
    assert runner.ask([good], MEASURED).finished.usage.n_completion == 6


def test_memory_for_sound_is_predicted_by_the_header(files: VisionModel) -> None:
    with RunnerProcess() as running:
        loaded = running.load(files.model, files.options())
    reports = [report for report in loaded.memory if report.buffer.startswith("projector")]
    predicted = read_auxiliary(files.options())
    assert predicted.projector_bytes == sum(report.weights_bytes for report in reports)
    measured = sum(report.compute_bytes for report in reports)
    assert measured <= predicted.projector_compute_bytes <= 4 * measured


def test_long_sound_is_encoded_in_pieces_where_llama_cpp_would_not(tmp_path: Path) -> None:
    files = write_vision_model(tmp_path, HEARING[1])
    with RunnerProcess() as running:
        running.load(files.model, files.options(n_ctx=4096, n_seq_max=1))
        long = sees("hear", samples(10, seconds=65), "all")
        assert running.ask([long], MEASURED).finished.usage.n_completion == 6
        (reference,) = bare_answers(files, [("hear", samples(10, seconds=65), "all")])
        assert running.ask([long], MEASURED).finished.usage.n_prompt == reference.n_prompt


def test_state_with_sound_is_restored_from_memory(tmp_path: Path) -> None:
    """Where a token has four positions: one slot, so that every other conversation evicts it."""
    files = write_vision_model(tmp_path, HEARING[-1])
    question = sees("remember", samples(11), "and", pixels(1), "well")
    with RunnerProcess() as running:
        running.load(
            files.model, files.options(n_ctx=2048, n_seq_max=1), cache=CacheOptions(memory_bytes=1 << 26)
        )
        first = running.ask([question], MEASURED)
        running.ask([user("something else that is quite long and takes the slot away")], MEASURED)
        second = running.ask([question], MEASURED)
    assert second.finished.usage.cache.n_memory == second.finished.usage.n_prompt - 1
    assert logprobs_of(second) == close(logprobs_of(first))


@pytest.mark.parametrize(
    ("family", "part", "code"),
    [(FAMILIES[0], samples(1), "audio_unsupported"), (HEARING[0], pixels(1), "images_unsupported")],
    ids=["a model that sees", "a model that hears"],
)
def test_a_model_refuses_what_it_does_not_take(
    tmp_path: Path, family: Family, part: np.ndarray, code: str
) -> None:
    files = write_vision_model(tmp_path, family)
    with RunnerProcess() as running:
        running.load(files.model, files.options())
        assert running.ask([sees("x", part)], MEASURED).failed.error.code == code
