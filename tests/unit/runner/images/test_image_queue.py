"""Images alternate with batches of text in the decode loop, over a fake llama.cpp."""

from __future__ import annotations

from string import ascii_lowercase

import pytest

from fakes.fake_images import N_CELLS, ImageRunner, message
from fakes.fake_llama import FakeDecoder, expected_answer
from fakes.loop_harness import Runner
from fireside.core.generation import Failed, FinishReason, Priority
from fireside.core.ids import RequestId
from fireside.runner.decoder import DecodeResult
from fireside.wire.messages import Cancel

N_TOKENS = 2 + 2 * N_CELLS
"""Of one image, the tokens around its spans included."""
LONG = next(letter for letter in ascii_lowercase if len(expected_answer(letter, n_max=8)) == 8)
"""Is answered with as many tokens as may be."""
QUESTION = (message("see ", 1, " here"),)


def alone(*questions: tuple[object, ...]) -> list[str]:
    """Answers of a runner without other requests."""
    answers = []
    for question in questions:
        runner = ImageRunner()
        runner.show(1, question)  # type: ignore[arg-type]
        runner.run()
        answers.append(runner.text(1))
    return answers


def test_image_cells_are_at_the_position_of_the_image() -> None:
    runner = ImageRunner()
    runner.show(1, QUESTION)
    runner.run()
    n_text = len("see  here")
    assert runner.finished(1).usage.n_prompt == n_text + N_TOKENS
    cells = runner.eyes.cells[0]
    assert bytes(cells[:4]) == b"see "
    assert cells[4] == 1
    assert min(cells[5 : 5 + N_CELLS]) > 1000
    assert bytes(cells[4 + N_TOKENS : 4 + N_TOKENS + 5]) == b" here"


def test_every_span_is_encoded_once_for_an_answer() -> None:
    runner = ImageRunner(n_image_max=2)
    runner.show(1, QUESTION)
    runner.run()
    assert runner.projector.encoded == [(1, 0), (1, 1)]


def test_answer_does_not_depend_on_the_step_size() -> None:
    small = ImageRunner(n_image_max=2)
    small.show(1, QUESTION)
    small.run()
    large = ImageRunner()
    large.show(1, QUESTION)
    large.run()
    assert small.finished(1).usage == large.finished(1).usage


def test_repeated_request_encodes_and_decodes_no_image_again() -> None:
    runner = ImageRunner()
    for number in (1, 2):
        runner.show(number, QUESTION)
        runner.run()
    assert len(runner.projector.encoded) == 2
    assert runner.finished(2).usage.n_cached == runner.finished(2).usage.n_prompt - 1
    assert runner.text(2) == runner.text(1)


def test_image_encoded_for_another_conversation_is_not_encoded_again() -> None:
    runner = ImageRunner()
    runner.show(1, QUESTION)
    runner.run()
    runner.show(2, (message("what is ", 1),))
    runner.run()
    assert len(runner.projector.encoded) == 2
    assert runner.finished(2).usage.n_cached == 0


def test_different_image_is_encoded_and_decoded() -> None:
    runner = ImageRunner()
    other = (message("see ", 2, " here"),)
    runner.show(1, QUESTION)
    runner.run()
    runner.show(2, other)
    runner.run()
    assert runner.projector.encoded[2:] == [(2, 0), (2, 1)]
    assert runner.finished(2).usage.n_cached == len("see ") + 1
    assert [runner.text(2)] == alone(other)


def test_evicted_image_is_encoded_again() -> None:
    runner = ImageRunner(budget_bytes=0)
    for number, text in ((1, "a"), (2, "b")):
        runner.show(number, (message(text, 1),))
        runner.run()
    assert len(runner.projector.encoded) == 4


def test_requests_with_different_images_do_not_wait_for_each_other() -> None:
    """Nothing is cached, so each request must keep its own span."""
    runner = ImageRunner(budget_bytes=0, n_image_max=2)
    first, second = (message("a", 1, "b"),), (message("c", 2, "d"),)
    runner.show(1, first)
    runner.show(2, second)
    runner.run()
    assert [runner.text(1), runner.text(2)] == alone(first, second)
    assert len(runner.projector.encoded) == 4


def test_stream_advances_between_two_image_steps() -> None:
    runner = ImageRunner(n_image_max=1)
    runner.ask(1, LONG)
    runner.loop.iterate()
    runner.loop.iterate()
    runner.show(2, QUESTION)
    runner.run()
    during = runner.eyes.steps[runner.eyes.steps.index("image") :]
    assert during[:6] == ["image", "text"] * 3


def test_image_does_not_change_the_answer_of_another_stream() -> None:
    runner = ImageRunner(n_image_max=2)
    runner.ask(1, LONG)
    runner.show(2, QUESTION)
    runner.run()
    plain = Runner(FakeDecoder(n_ctx=128))
    plain.ask(1, LONG)
    plain.run()
    assert runner.text(1) == plain.text(1)
    assert [runner.text(2)] == alone(QUESTION)


def test_interactive_image_comes_before_a_background_image() -> None:
    runner = ImageRunner()
    runner.show(1, (message("a", 1),), priority=Priority.BACKGROUND)
    runner.show(2, (message("b", 2),))
    runner.run()
    assert [number for number, _ in runner.projector.encoded] == [2, 2, 1, 1]


def test_image_that_cannot_be_encoded_fails_only_its_request() -> None:
    runner = ImageRunner()
    runner.projector.broken.add(2)
    runner.show(1, QUESTION)
    runner.show(2, (message("x", 1, "y", 2),))
    runner.run()
    (end,) = runner.ends(2)
    assert isinstance(end, Failed)
    assert (end.error.code, end.error.data["number"]) == ("invalid_image", 2)
    assert [runner.text(1)] == alone(QUESTION)


def test_cancel_during_encoding_takes_effect_after_it() -> None:
    runner = ImageRunner()
    runner.projector.while_encoding = lambda: runner.commands.put(Cancel(request_id=RequestId(1)))
    runner.show(1, QUESTION)
    runner.run()
    assert runner.finished(1).reason is FinishReason.CANCELLED
    assert len(runner.projector.encoded) == 1
    assert "image" not in runner.eyes.steps


@pytest.mark.parametrize("n_image_max", [2, N_CELLS])
def test_image_interrupted_by_another_cancel_is_continued(n_image_max: int) -> None:
    runner = ImageRunner(n_image_max=n_image_max)
    runner.eyes.image_results = [DecodeResult.DONE, DecodeResult.ABORTED]
    runner.show(1, QUESTION)
    runner.run()
    assert [runner.text(1)] == alone(QUESTION)


def test_partly_decoded_image_is_not_reused_for_another_image() -> None:
    runner = ImageRunner(n_image_max=2, n_seq_max=1)
    runner.eyes.before_image = [Cancel(request_id=RequestId(1))]
    runner.show(1, QUESTION)
    runner.run()
    assert runner.finished(1).reason is FinishReason.CANCELLED
    other = (message("see ", 2, " here"),)
    runner.show(2, other)
    runner.run()
    runner.show(3, QUESTION)
    runner.run()
    assert [runner.text(2), runner.text(3)] == alone(other, QUESTION)


def test_failed_step_fails_its_request_and_leaves_the_slot_usable() -> None:
    runner = ImageRunner(n_seq_max=1)
    runner.eyes.image_results = [DecodeResult.FAILED]
    runner.show(1, QUESTION)
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    runner.show(2, QUESTION)
    runner.run()
    assert [runner.text(2)] == alone(QUESTION)


def test_prompt_that_ends_with_an_image_can_be_repeated() -> None:
    runner = ImageRunner()
    question = (message("see ", 1),)
    for number in (1, 2):
        runner.show(number, question)
        runner.run()
    assert runner.text(1) == runner.text(2) == alone(question)[0]
    assert len(runner.projector.encoded) == 2


def test_sampler_gets_the_text_tokens_only() -> None:
    """llama.cpp counts tokens in a table of the vocabulary's size: an image's cell would be outside of it."""
    runner = ImageRunner()
    runner.show(1, QUESTION)
    runner.run()
    assert min(runner.requests[0].prompt) >= 0
    assert len(runner.requests[0].prompt) == len("see  here") + 2
