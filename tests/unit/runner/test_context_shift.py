"""What happens to an answer whose context is full."""

from __future__ import annotations

from itertools import product
from typing import NamedTuple

import numpy as np
import pytest

from fakes.fake_llama import N_CTX, FakeDecoder, expected_answer
from fakes.loop_harness import Runner
from fireside.core.generation import FinishReason, Truncation, WhenFull
from fireside.core.ids import RequestId
from fireside.core.message import ImagePart, Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.runner.decode_step import shift_context
from fireside.runner.output.output_stream import OutputStream
from fireside.runner.prompt.prompt_fitting import FittedPrompt
from fireside.runner.slots import Sequence, Slot

N_SINKS = 4
N_FORGOTTEN = (N_CTX - N_SINKS) // 2
LONG = SamplingParams(max_tokens=48, seed=1)


def _long_prompt() -> str:
    """A prompt whose answer outgrows the context twice."""
    prompts = ("".join(letters) * 10 for letters in product("abcdefghij", repeat=5))
    return next(prompt for prompt in prompts if len(expected_answer(prompt, n_max=48, n_keep=N_SINKS)) == 48)


@pytest.fixture(scope="module")
def prompt() -> str:
    return _long_prompt()


class Way(NamedTuple):
    can_shift: bool
    can_trim: bool

    def decoder(self) -> FakeDecoder:
        return FakeDecoder(n_seq_max=1, can_shift=self.can_shift, can_trim=self.can_trim)


WAYS = {
    "shifting": Way(can_shift=True, can_trim=True),
    "reading again": Way(can_shift=False, can_trim=True),
    "reading all again": Way(can_shift=True, can_trim=False),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_answer_continues_in_a_full_context(prompt: str, way: Way) -> None:
    runner = Runner(way.decoder())
    runner.ask(1, prompt, LONG, when_full=WhenFull.SHIFT)
    runner.run()
    assert runner.text(1) == expected_answer(prompt, n_max=48, n_keep=N_SINKS)
    end = runner.finished(1)
    assert (end.reason, end.context_full) == (FinishReason.LENGTH, False)


def test_discarded_tokens_are_reported(prompt: str) -> None:
    runner = Runner()
    runner.ask(1, prompt, LONG, when_full=WhenFull.SHIFT)
    runner.run()
    n = 2 * N_FORGOTTEN
    assert runner.finished(1).truncation == Truncation(n_messages=0, n_tokens=n, n_shifted=n)


def test_answer_without_a_shift_reports_none() -> None:
    runner = Runner()
    runner.ask(1, "abc", when_full=WhenFull.SHIFT)
    runner.run()
    assert runner.finished(1).truncation is None


def test_answer_ends_at_a_full_context_without_shift(prompt: str) -> None:
    runner = Runner()
    runner.ask(1, prompt, LONG)
    runner.run()
    end = runner.finished(1)
    assert (end.reason, end.context_full) == (FinishReason.LENGTH, True)


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_shifted_tokens_are_not_reused_by_another_prompt(prompt: str, way: Way) -> None:
    decoder = way.decoder()
    runner = Runner(decoder)
    runner.ask(1, prompt, LONG, when_full=WhenFull.SHIFT)
    runner.run()
    assert len(decoder.cells[0]) <= decoder.n_unshifted[0]
    repeated = bytes(decoder.cells[0]).decode() or prompt
    runner.ask(2, repeated, SamplingParams(max_tokens=2))
    runner.run()
    assert runner.text(2) == expected_answer(repeated, n_max=2)


def test_shift_does_not_change_other_answers(prompt: str) -> None:
    runner = Runner(FakeDecoder(n_seq_max=3))
    for number, other in enumerate((prompt, "abcd", prompt + "x")):
        runner.ask(number, other, LONG, when_full=WhenFull.SHIFT)
    runner.run()
    for number, other in enumerate((prompt, "abcd", prompt + "x")):
        assert runner.text(number) == expected_answer(other, n_max=48, n_keep=N_SINKS)


def _seated(*, n_mark: int | None, role: Role = Role.SYSTEM, n_images: int = 0) -> Slot:
    """A slot whose context is full, behind a prompt whose first part has ``n_mark`` tokens."""
    request_id = RequestId(1)
    message = text_message(role, "x")
    picture = ImagePart(data=b"", media_type="image/png")
    sequence = Sequence(
        request_id=request_id,
        task=GenerationTask(prompt=ChatInput(messages=(message, message)), when_full=WhenFull.SHIFT),
        fitted=FittedPrompt(
            tokens=np.arange(60, dtype=np.int32),
            truncation=None,
            message_ends=() if n_mark is None else (n_mark, 60),
            images=(picture,) * n_images,
        ),
        seed=1,
        output=OutputStream(request_id, parser=None, stop=(), model_stop=(), emit=lambda _piece: None),
        accepted_at=0,
    )
    slot = Slot(0, n_ctx=N_CTX)
    slot.occupy(sequence, n_kept=0)
    slot.n_past = 60
    while not slot.is_full:
        slot.append(100 + slot.n_tokens)
        slot.n_past = min(slot.n_tokens, N_CTX)
    return slot


def _memory(slot: Slot) -> FakeDecoder:
    memory = FakeDecoder()
    memory.cells[0] = slot.cached.tolist()
    return memory


def test_system_prompt_is_never_discarded() -> None:
    slot = _seated(n_mark=20)
    memory = _memory(slot)
    assert shift_context(memory, slot)
    assert memory.cells[0][:20] == list(range(20))
    assert memory.cells[0][20] == 20 + (N_CTX - 20) // 2


def test_first_user_message_is_discarded_like_others() -> None:
    slot = _seated(n_mark=60, role=Role.USER)
    assert shift_context(_memory(slot), slot)


def test_answer_ends_where_a_shift_would_free_too_little() -> None:
    slot = _seated(n_mark=N_CTX - 2)
    assert not shift_context(_memory(slot), slot)


def test_conversation_with_pictures_is_not_shifted() -> None:
    slot = _seated(n_mark=20, n_images=1)
    assert not shift_context(_memory(slot), slot)


def test_slot_tokens_equal_the_cache() -> None:
    slot = _seated(n_mark=20)
    memory = _memory(slot)
    shift_context(memory, slot)
    n_pending = slot.n_pending
    assert (slot.n_past, n_pending, len(memory.cells[0])) == (slot.n_tokens - 1, 1, slot.n_past)
    assert slot.pending(1).tolist() == [100 + N_CTX]
