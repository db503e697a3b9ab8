"""Answers that begin with forced tokens, to score them or to continue after them."""

import msgspec
import pytest

from fakes.fake_llama import END, FakeDecoder
from fakes.loop_harness import Runner
from fireside.core.errors import InvalidParameter, error_from_info
from fireside.core.generation import Failed, FinishReason
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import PromptPreview, PromptPreviewRequest
from fireside.core.task import GenerationTask, Replay
from fireside.wire.messages import Answered, Ask

PROMPT = ChatInput(messages=(text_message(Role.USER, "ask"),))
GIVEN = "a longer answer than one step has room for"


def _task(replay: Replay, *, top_logprobs: int | None = 2, max_tokens: int | None = None) -> GenerationTask:
    sampling = SamplingParams(max_tokens=max_tokens, seed=1, top_logprobs=top_logprobs)
    return GenerationTask(prompt=PROMPT, sampling=sampling, replay=replay)


def _ids(text: str) -> tuple[int, ...]:
    return tuple(text.encode())


def _written(runner: Runner, number: int) -> bytes:
    return bytes(runner.finished(number).tokens[::4])


def test_forced_tokens_are_emitted_with_their_probabilities_and_nothing_more() -> None:
    runner = Runner()
    runner.give(1, _task(Replay(tokens=_ids(GIVEN), ends=True)))
    runner.run()
    scored = [entry.chosen.token for piece in runner.pieces(1) for entry in piece.logprobs]
    assert runner.text(1) == GIVEN
    assert tuple(scored) == _ids(GIVEN)
    assert runner.finished(1).reason is FinishReason.LENGTH
    assert _written(runner, 1) == GIVEN.encode()


def test_nothing_within_forced_tokens_ends_an_answer_that_is_only_scored() -> None:
    runner = Runner()
    given = (*_ids("a"), END, *_ids("STOP b"), END)
    task = _task(Replay(tokens=given, ends=True))
    sampling = msgspec.structs.replace(task.sampling, stop=("STOP",), stop_tokens=_ids("b"))
    runner.give(1, msgspec.structs.replace(task, sampling=sampling))
    runner.run()
    assert tuple(entry.chosen.token for piece in runner.pieces(1) for entry in piece.logprobs) == given


def test_a_stop_token_ends_an_answer_and_is_not_in_it() -> None:
    free = Runner()
    free.give(1, _task(Replay(tokens=_ids("xy")), max_tokens=6))
    free.run()
    runner = Runner()
    task = _task(Replay(tokens=_ids("xy")), max_tokens=6)
    sampling = msgspec.structs.replace(task.sampling, stop_tokens=_ids(free.text(1)[3]))
    runner.give(1, msgspec.structs.replace(task, sampling=sampling))
    runner.run()
    assert (runner.text(1), runner.finished(1).reason) == (free.text(1)[:3], FinishReason.STOP)


def test_forced_tokens_are_decoded_in_portions() -> None:
    alone = Runner(FakeDecoder(n_batch=16))
    alone.give(1, _task(Replay(tokens=_ids(GIVEN), ends=True)))
    n_turns = 0
    while not alone.reports or not alone.ends(1):
        alone.loop.iterate()
        n_turns += 1
    assert n_turns < 8
    assert alone.finished(1).usage.n_drafted == 0


def test_several_replays_share_the_outputs_of_a_step() -> None:
    decoder = FakeDecoder(n_batch=16)
    decoder.n_outputs_max = 5
    runner = Runner(decoder)
    runner.give(1, _task(Replay(tokens=_ids(GIVEN), ends=True)))
    runner.give(2, _task(Replay(tokens=_ids(GIVEN[::-1]), ends=True)))
    runner.run()
    assert (runner.text(1), runner.text(2)) == (GIVEN, GIVEN[::-1])


def test_answer_continues_after_the_forced_tokens() -> None:
    free = Runner()
    free.give(1, _task(Replay(tokens=_ids("xy")), top_logprobs=None, max_tokens=6))
    free.run()
    assert free.text(1)[:2] == "xy"
    assert len(free.text(1)) == 6
    replayed = Runner()
    replayed.give(1, _task(Replay(tokens=_ids(free.text(1)[:4])), top_logprobs=None, max_tokens=6))
    replayed.run()
    assert replayed.text(1) == free.text(1)


def test_replay_text_is_tokenized() -> None:
    runner = Runner()
    runner.give(1, _task(Replay(text="words", ends=True)))
    runner.run()
    assert runner.text(1) == "words"


@pytest.mark.parametrize("replay", [Replay(ends=True), Replay(tokens=(-3,), ends=True)])
def test_invalid_replay_is_refused(replay: Replay) -> None:
    runner = Runner()
    runner.give(1, _task(replay))
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert isinstance(error_from_info(end.error), InvalidParameter)


def test_reasoning_budget_does_not_apply_to_forced_tokens() -> None:
    runner = Runner(template_source="{% if tools %}<tool_call>{% endif %}")
    task = GenerationTask(
        prompt=ChatInput(messages=(text_message(Role.USER, "?<think>\n"),)),
        sampling=SamplingParams(seed=1, max_tokens=40),
        thinking_budget=1,
        replay=Replay(tokens=_ids("long thoughts</think>yes")),
    )
    runner.give(1, task)
    runner.run()
    assert runner.text(1).startswith("long thoughts</think>yes")
    assert runner.text(1).count("</think>") == 1


def test_aborted_step_loses_no_forced_tokens() -> None:
    runner = Runner()
    runner.give(1, _task(Replay(tokens=_ids(GIVEN), ends=True)))
    runner.loop.iterate()
    runner.loop.iterate()
    runner._stop_decode()
    runner.run()
    assert runner.text(1) == GIVEN


def test_shown_prompt_equals_the_evaluated_prompt() -> None:
    runner = Runner()
    task = GenerationTask(prompt=PROMPT, sampling=SamplingParams(max_tokens=1, seed=1))
    runner.commands.put(Ask(request_id=RequestId(-1), query=PromptPreviewRequest(task=task)))
    runner.give(1, task)
    runner.run()
    (report,) = [report for report in runner.reports if isinstance(report, Answered)]
    assert report.is_last
    shown = report.reply
    assert isinstance(shown, PromptPreview)
    assert bytes(runner.decoder.cells[0][: len(shown.tokens)]) == b"".join(t.piece for t in shown.tokens)
    assert len(shown.tokens) == runner.finished(1).usage.n_prompt
