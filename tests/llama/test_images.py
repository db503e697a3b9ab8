"""Image prompts give the answers of bare llama.cpp, and are cached."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from fireside.core.generation import Finished, FinishReason
from fireside.core.message import ChatMessage, ImagePart, Role, ToolCallPart, ToolResultPart
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.gguf import read_header
from fireside.gguf.projector_facts import picture_tokens
from fireside.wire.messages import CacheOptions
from llama.runner_process import RunnerProcess, assistant, small_options, user
from llama.seeing import (
    FAMILIES,
    MEASURED,
    N_EMBD,
    Family,
    Question,
    Reference,
    VisionModel,
    as_png,
    bare_answers,
    logprobs_of,
    pixels,
    sees,
    write_vision_model,
)
from llama.tiny_models import write_llama
from llama.tiny_projectors import write_llava

TOLERANCE = 1e-4
"""Of the logarithm of a probability: the same kernels on the same numbers, in batches of other sizes."""

ONE: Question = ("look here", pixels(1), "what is it")
SEVERAL: Question = ("first", pixels(2), "and", pixels(3, width=40, height=120), pixels(4), "compare")
LATER: Question = ("turn", pixels(11), "onewell and", pixels(12), "this")
TWINS: tuple[Question, Question] = (("what", pixels(7), "is this"), ("what", pixels(8), "is this"))
TURNED: Question = ("order", pixels(10), "then", pixels(9), "end")
IN_STEPS: Question = ("little by little", pixels(15), "done")
AFTER_A_STOP: Question = ("go", pixels(17), "on")
Answers = Callable[[Question], Reference]
QUESTIONS = (ONE, SEVERAL, LATER, TWINS[1], TURNED, IN_STEPS, AFTER_A_STOP)


@pytest.fixture(scope="module", params=FAMILIES, ids=lambda family: family.name)
def files(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> VisionModel:
    family: Family = request.param
    return write_vision_model(tmp_path_factory.mktemp("seeing"), family)


@pytest.fixture(scope="module")
def reference(files: VisionModel) -> Answers:
    """The answer of bare llama.cpp to one of ``QUESTIONS``."""
    answers = bare_answers(files, QUESTIONS)
    return lambda question: next(
        answer for candidate, answer in zip(QUESTIONS, answers, strict=True) if candidate is question
    )


@pytest.fixture(scope="module")
def runner(files: VisionModel) -> Iterator[RunnerProcess]:
    """A runner of one model family, with whatever earlier tests left in its caches."""
    with RunnerProcess() as running:
        running.load(files.model, files.options())
        yield running


@pytest.fixture
def plain_files(tmp_path: Path) -> VisionModel:
    return write_vision_model(tmp_path, FAMILIES[0])


def close(values: list[float]) -> object:
    return pytest.approx(values, abs=TOLERANCE)


def test_image_answers_equal_those_of_llama_cpp(runner: RunnerProcess, reference: Answers) -> None:
    answer = runner.ask([sees(*ONE)], MEASURED)
    assert answer.finished.usage.n_prompt == reference(ONE).n_prompt
    assert logprobs_of(answer) == close(reference(ONE).logprobs)
    assert answer.text == reference(ONE).text


@pytest.mark.parametrize(("width", "height"), [(100, 60), (300, 200), (57, 400), (112, 112), (20, 20)])
def test_image_tokens_are_predicted_by_the_header(
    runner: RunnerProcess, files: VisionModel, width: int, height: int
) -> None:
    predicted = picture_tokens(read_header(files.projector), width=width, height=height)
    if predicted is None:
        assert "image_grid_pinpoints" in str(read_header(files.projector).metadata.keys())
        return
    assert cost_of(runner, width, height) - predicted == n_around(runner, files)


def cost_of(runner: RunnerProcess, width: int, height: int) -> int:
    """Return the tokens that an image adds to a message, with the markup around it."""
    image = pixels(21, width=width, height=height)
    return runner.count([sees("what", image)]) - runner.count([sees("what")])


def n_around(runner: RunnerProcess, files: VisionModel) -> int:
    """Return the tokens around every image: an image of one square of 112 pixels is known to be 16."""
    assert picture_tokens(read_header(files.projector), width=112, height=112) == 16
    return cost_of(runner, 112, 112) - 16


def test_image_of_any_size_stays_within_the_token_limit(tmp_path: Path) -> None:
    family = next(family for family in FAMILIES if family.name == "rows and columns")
    seeing = write_vision_model(tmp_path, family)
    large = pixels(21, width=900, height=900)

    def n_tokens(**bounds: int) -> int:
        with RunnerProcess() as running:
            running.load(seeing.model, seeing.options(**bounds))
            return running.count([sees("what", large)])

    free = n_tokens()
    assert n_tokens(image_max_tokens=16) < free
    assert n_tokens(image_max_tokens=16) <= 16 + 40


def test_several_images_with_text_between_them(runner: RunnerProcess, reference: Answers) -> None:
    answer = runner.ask([sees(*SEVERAL)], MEASURED)
    assert answer.finished.usage.n_prompt == reference(SEVERAL).n_prompt
    assert logprobs_of(answer) == close(reference(SEVERAL).logprobs)


def test_image_of_a_tool_result_is_seen(runner: RunnerProcess) -> None:
    call = ToolCallPart(id="call_1", name="look", arguments="{}")
    result = ToolResultPart(call_id="call_1", name="look", text="A picture")
    called = ChatMessage(role=Role.ASSISTANT, parts=(call,))

    def ask(*images: ImagePart) -> Finished:
        chat = [user("see"), called, ChatMessage(role=Role.TOOL, parts=(result, *images))]
        return runner.ask(chat, MEASURED).finished

    (image,) = sees(pixels(21)).parts
    assert isinstance(image, ImagePart)
    assert ask(image).usage.n_prompt > ask().usage.n_prompt + 4


def test_prompt_that_ends_with_an_image_is_answered(runner: RunnerProcess) -> None:
    """The logits of its last cell are needed each time, so the image is decoded again."""
    # With as much text as this before the image, its slot is worth more than an empty one.
    question = sees("see what there is to be seen here and say it", pixels(5))
    first, second = runner.ask([question], MEASURED), runner.ask([question], MEASURED)
    assert second.finished.usage.n_cached > 0
    assert logprobs_of(second) == close(logprobs_of(first))


def test_same_image_is_cached(runner: RunnerProcess) -> None:
    question = sees("again", pixels(6), "and again")
    first, second = runner.ask([question], MEASURED), runner.ask([question], MEASURED)
    assert second.finished.usage.n_cached == first.finished.usage.n_prompt - 1
    assert logprobs_of(second) == close(logprobs_of(first))


def test_different_image_of_the_same_size_is_not_cached(runner: RunnerProcess, reference: Answers) -> None:
    runner.ask([sees(*TWINS[0])], MEASURED)
    answer = runner.ask([sees(*TWINS[1])], MEASURED)
    # The image and what is behind it have more tokens than that in every family.
    assert answer.finished.usage.n_cached <= answer.finished.usage.n_prompt - 15
    assert logprobs_of(answer) == close(reference(TWINS[1]).logprobs)


def test_swapped_images_are_evaluated_again(runner: RunnerProcess, reference: Answers) -> None:
    runner.ask([sees("order", pixels(9), "then", pixels(10), "end")], MEASURED)
    answer = runner.ask([sees(*TURNED)], MEASURED)
    assert logprobs_of(answer) == close(reference(TURNED).logprobs)


def test_image_of_an_older_turn_stays_cached(runner: RunnerProcess, reference: Answers) -> None:
    question = sees("turn", pixels(11), "one")
    first = runner.ask([question], MEASURED)
    second = runner.ask([question, assistant("well"), sees(" and", pixels(12), "this")], MEASURED)
    assert second.finished.usage.n_cached >= first.finished.usage.n_prompt - 1
    assert logprobs_of(second) == close(reference(LATER).logprobs)


def test_image_does_not_change_another_stream(runner: RunnerProcess) -> None:
    long_sampling = msgspec.structs.replace(MEASURED, max_tokens=40)
    alone = runner.ask([user("tell a story")], long_sampling)
    stream = runner.start([user("tell a story")], long_sampling)
    image_answer = runner.ask([sees("look", pixels(13), "here")], MEASURED)
    assert runner.finish(stream).text == alone.text
    assert image_answer.finished.reason is FinishReason.LENGTH


def test_state_with_an_image_is_restored_from_memory(runner: RunnerProcess, files: VisionModel) -> None:
    """One slot, so that every other conversation evicts it."""
    question = sees("remember me well", pixels(14), "what was it")
    with RunnerProcess() as running:
        running.load(files.model, files.options(n_seq_max=1), cache=CacheOptions(memory_bytes=1 << 26))
        first = running.ask([question], MEASURED)
        other = [user("something else that is quite long and takes the slot away")]
        between = running.ask(other, MEASURED)
        second = running.ask([question], MEASURED)
        usage = second.finished.usage
        assert usage.cache.n_memory == usage.n_prompt - 1
        assert logprobs_of(second) == close(logprobs_of(first))
        assert logprobs_of(between) == close(logprobs_of(runner.ask(other, MEASURED)))


def test_image_is_decoded_with_any_step_size(files: VisionModel, reference: Answers) -> None:
    """In parts, or in a step larger than configured where it must be decoded as a whole."""
    with RunnerProcess() as running:
        running.load(files.model, files.options(n_batch=6, n_ubatch=6))
        answer = running.ask([sees(*IN_STEPS)], MEASURED)
    assert logprobs_of(answer) == close(reference(IN_STEPS).logprobs)


def test_runner_works_after_a_cancelled_image(runner: RunnerProcess, reference: Answers) -> None:
    request_id = runner.start([sees("stop this", pixels(16, width=900, height=700), "now")], MEASURED)
    runner.cancel(request_id)
    assert runner.finish(request_id).finished.reason is FinishReason.CANCELLED
    answer = runner.ask([sees(*AFTER_A_STOP)], MEASURED)
    assert logprobs_of(answer) == close(reference(AFTER_A_STOP).logprobs)


def test_images_count_when_a_prompt_is_fitted(runner: RunnerProcess) -> None:
    message = sees(*[part for number in range(80) for part in ("x", pixels(number))])
    assert runner.ask([message], MEASURED).failed.error.code == "context_length_exceeded"


def test_image_tokens_are_counted(runner: RunnerProcess) -> None:
    question = sees("count", pixels(21), "me")
    assert runner.count([question]) == runner.ask([question], MEASURED).finished.usage.n_prompt


def test_damaged_image_fails_only_its_request(runner: RunnerProcess) -> None:
    good = sees("look", pixels(22))
    cut = ImagePart(data=as_png(pixels(23))[:200], media_type="image/png")
    damaged = msgspec.structs.replace(good, parts=(*good.parts, cut))
    failed = runner.ask([damaged], MEASURED).failed.error
    assert (failed.code, failed.data["number"]) == ("invalid_image", 2)
    assert runner.ask([good], MEASURED).finished.usage.n_completion == 6


def test_model_without_a_projector_refuses_images(
    fresh_runner: RunnerProcess, plain_files: VisionModel
) -> None:
    fresh_runner.load(plain_files.model)
    failed = fresh_runner.ask([sees("look", pixels(24))], MEASURED).failed.error
    assert (failed.code, failed.sentence) == ("images_unsupported", "This model does not support images.")
    assert fresh_runner.ask("look", MEASURED).finished.usage.n_completion == 6


def test_projector_of_another_model_is_rejected(fresh_runner: RunnerProcess, tmp_path: Path) -> None:
    model = write_llama(tmp_path / "model.gguf")
    projector = write_llava(tmp_path / "mmproj.gguf", n_out=2 * N_EMBD)
    error = fresh_runner.rejected(model, small_options(projector_path=str(projector))).error
    assert error.code == "load_failed"
    assert "its projector “mmproj.gguf” does not go with it" in error.sentence


def test_model_file_is_rejected_as_projector(fresh_runner: RunnerProcess, plain_files: VisionModel) -> None:
    options = small_options(projector_path=str(plain_files.model))
    error = fresh_runner.rejected(plain_files.model, options).error
    assert error.sentence.endswith("“model.gguf” is not a projector.")


def test_missing_projector_is_named(fresh_runner: RunnerProcess, plain_files: VisionModel) -> None:
    options = small_options(projector_path=str(plain_files.projector.with_name("gone.gguf")))
    error = fresh_runner.rejected(plain_files.model, options).error
    assert error.code == "model_file_missing"


def test_projector_memory_is_reported(fresh_runner: RunnerProcess, plain_files: VisionModel) -> None:
    loaded = fresh_runner.load(plain_files.model, plain_files.options())
    (report,) = [report for report in loaded.memory if report.buffer.startswith("projector")]
    assert report.weights_bytes > 100_000
    assert report.compute_bytes > 0


def test_build_without_mtmd_is_reported(plain_files: VisionModel, tmp_path: Path) -> None:
    with RunnerProcess(environment={"MTMD_CPP_LIB": str(tmp_path)}) as running:
        error = running.rejected(plain_files.model, plain_files.options()).error
    assert error.sentence.endswith("this llama.cpp build does not support images.")


def test_mrope_image_is_restored_after_a_restart(tmp_path: Path) -> None:
    """Where a token's position is not its index, the state includes the positions of images."""
    rows = write_vision_model(tmp_path, FAMILIES[-1])
    cache = CacheOptions(folder=str(tmp_path / "states"), disk_bytes=1 << 26)
    question = sees("remember me well", pixels(25), "and then", pixels(26), "what was it")
    task = GenerationTask(prompt=ChatInput(messages=(question,)), sampling=MEASURED, owner="one chat")
    answers = []
    for _ in range(2):
        with RunnerProcess() as running:
            running.load(rows.model, rows.options(), cache=cache)
            answers.append(running.finish(running.start_task(task)))
            running.leave()
    first, second = answers
    assert second.finished.usage.cache.n_disk == second.finished.usage.n_prompt - 1
    assert logprobs_of(second) == close(logprobs_of(first))
