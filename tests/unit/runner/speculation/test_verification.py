"""Drafts in the decode loop never change an answer."""

from __future__ import annotations

import random
import threading
from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import (
    END,
    N_CTX,
    FakeBatch,
    FakeDecoder,
    Follows,
    expected_answer,
    next_token,
    scripted,
)
from fakes.loop_harness import Runner
from fireside.core.generation import Failed, FinishReason
from fireside.core.ids import RequestId
from fireside.core.message import Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput, ToolDefinition
from fireside.core.task import GenerationTask
from fireside.runner.decoder import DecodedPart, DecodeResult, DraftRequest
from fireside.runner.speculation.speculator import Speculator
from fireside.runner.tokens import Tokens
from fireside.wire.messages import Cancel

N_DRAFT = 5
PROMPTS = st.text("abcdefgh", min_size=1, max_size=30)
LONG = SamplingParams(max_tokens=40, seed=1)


class Oracle:
    """Drafts the true continuation, or a wrong or empty one with given probabilities."""

    is_free = False

    def __init__(self, *, wrong: float = 0.0, silent: float = 0.0, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._wrong = wrong
        self._silent = silent
        self.follows: Follows = next_token
        self.requests: list[DraftRequest] = []
        self.drafts: list[Tokens] = []

    def follow(self, parts: Sequence[DecodedPart]) -> None:
        """Needs nothing of it."""

    def draft(self, requests: Sequence[DraftRequest]) -> list[Tokens | None]:
        self.requests += [
            DraftRequest(request.slot, request.tokens.copy(), request.n_max) for request in requests
        ]
        return [self._draft_for(request) for request in requests]

    def _draft_for(self, request: DraftRequest) -> Tokens | None:
        if self._random.random() < self._silent:
            return self._random.choice([None, np.empty(0, np.int32)])
        text = request.tokens.tolist()
        draft: list[int] = []
        for _ in range(request.n_max):
            token = self.follows(text + draft)
            draft.append(98 + token % 20 if self._random.random() < self._wrong else token)
        self.drafts.append(np.array(draft, np.int32))
        return self.drafts[-1]


class CountingDecoder(FakeDecoder):
    """Refuses a batch with too many outputs, on which llama.cpp would abort."""

    def decode(self, batch: FakeBatch) -> DecodeResult:
        assert sum(entry[3] for entry in batch.entries) <= self.n_seq_max * (1 + N_DRAFT)
        return super().decode(batch)


def speculating(drafter: Oracle, decoder: FakeDecoder | None = None, **changes: object) -> Runner:
    speculator = Speculator(drafter=drafter, n_draft=N_DRAFT, n_vocab=256, clock=lambda: 0.0)
    return Runner(decoder or CountingDecoder(), speculator=speculator, **changes)  # type: ignore[arg-type]


def find_prompt(*, n_answer: int) -> str:
    """A prompt whose answer has at least ``n_answer`` tokens."""
    return next(
        prompt
        for number in range(1000)
        if len(expected_answer(prompt := f"prompt {number}", n_max=n_answer)) == n_answer
    )


@given(
    st.lists(st.tuples(PROMPTS, st.integers(0, 6), st.integers(1, 30)), min_size=1, max_size=6),
    st.lists(st.sampled_from([DecodeResult.DONE, DecodeResult.ABORTED]), max_size=20),
    st.integers(1, 3),
    st.sampled_from([0.0, 0.3, 1.0]),
    st.booleans(),
    st.integers(0, 100),
)
def test_drafts_never_change_the_answer(
    requests: list[tuple[str, int, int]],
    results: list[DecodeResult],
    n_seq_max: int,
    wrong: float,
    can_trim: bool,
    seed: int,
) -> None:
    """Whatever is drafted, runs at the same time, is aborted, or cannot be rolled back."""
    drafter = Oracle(wrong=wrong, silent=0.2, seed=seed)
    runner = speculating(drafter, CountingDecoder(n_seq_max=n_seq_max, can_trim=can_trim))
    runner.decoder.results = list(results)
    for number, (prompt, n_turns_later, n_max) in enumerate(requests):
        runner.ask(number, prompt, SamplingParams(max_tokens=n_max, seed=1))
        for _ in range(n_turns_later):
            runner.loop.iterate()
    runner.run()
    for number, (prompt, _, n_max) in enumerate(requests):
        assert runner.text(number) == expected_answer(prompt, n_max=n_max)
        usage = runner.finished(number).usage
        assert usage.n_completion == len(runner.text(number))
        assert 0 <= usage.n_draft_accepted <= usage.n_drafted
    assert all(sampler.closed for sampler in runner.samplers)


@given(st.lists(st.tuples(PROMPTS, st.integers(0, 12)), min_size=1, max_size=5), st.booleans())
def test_cancelled_request_ends_exactly_once(requests: list[tuple[str, int]], during_decode: bool) -> None:
    runner = speculating(Oracle(wrong=0.3))
    for number, (prompt, n_turns) in enumerate(requests):
        runner.ask(number, prompt, LONG)
        for _ in range(n_turns):
            runner.loop.iterate()
        if during_decode:
            runner.decoder.before_decode.append(Cancel(request_id=RequestId(number)))
        else:
            runner.cancel(number)
    runner.run()
    for number, (prompt, _) in enumerate(requests):
        assert len(runner.ends(number)) == 1
        assert expected_answer(prompt, n_max=40).startswith(runner.text(number))


@pytest.mark.parametrize("wrong", [0.0, 0.3])
@pytest.mark.parametrize("n_more", range(6))
def test_draft_is_not_accepted_before_a_pending_constraint(wrong: float, n_more: int) -> None:
    """The first constrained token is sampled from its own logits."""
    start = "Sure" + "." * n_more
    output = start + ' <tool_call>\n{"name": "add", "arguments": {"a": 1}}\n</tool_call> Done.'
    drafter = Oracle(wrong=wrong)
    drafter.follows = scripted(output, after="?")
    runner = speculating(
        drafter,
        CountingDecoder(n_ctx=1024, follows=drafter.follows),
        template_source="{% if tools %}<tool_call>{% endif %}",
    )
    runner.compiling = threading.Event()
    tools = (ToolDefinition(name="add", description="", parameters="{}"),)
    chat = ChatInput(messages=(text_message(Role.USER, "?"),), tools=tools)
    runner.give(1, GenerationTask(prompt=chat, sampling=SamplingParams(max_tokens=200, seed=1)))
    for _ in range(60):
        runner.loop.iterate()
    assert (runner.text(1), runner.samplers[0].constraints) == (start, [])
    assert runner.loop._slots[0].tokens.tolist() == list(f"?{start} <tool_call>".encode())
    runner.compiling.set()
    runner.run()
    assert runner.text(1) == output
    assert [prefix for _, prefix, _ in runner.samplers[0].constraints] == [""]


def test_accepted_drafts_save_steps() -> None:
    prompt = find_prompt(n_answer=24)
    n_steps = []
    for drafter in (Oracle(), Oracle(wrong=1.0)):
        runner = speculating(drafter)
        runner.ask(1, prompt, SamplingParams(max_tokens=24, seed=1))
        n = 0
        while not runner.ends(1):
            runner.loop.iterate()
            n += 1
        n_steps.append(n)
    assert n_steps[0] <= 10
    assert n_steps[1] >= 24


def test_drafted_and_accepted_tokens_are_reported() -> None:
    runner = speculating(Oracle())
    runner.ask(1, find_prompt(n_answer=24), SamplingParams(max_tokens=24, seed=1))
    runner.run()
    usage = runner.finished(1).usage
    assert usage.n_drafted == usage.n_draft_accepted > 10
    assert usage.n_completion == 24


def test_rejected_drafts_are_reported() -> None:
    runner = speculating(Oracle(wrong=1.0))
    runner.ask(1, find_prompt(n_answer=24), SamplingParams(max_tokens=24, seed=1))
    runner.run()
    usage = runner.finished(1).usage
    assert usage.n_drafted > 0
    assert usage.n_draft_accepted == 0


def test_stop_string_within_a_draft_ends_the_answer() -> None:
    prompt = find_prompt(n_answer=24)
    answer = expected_answer(prompt, n_max=24)
    for start in range(6, 14):
        runner = speculating(Oracle())
        runner.ask(1, prompt, SamplingParams(max_tokens=24, stop=(answer[start : start + 2],), seed=1))
        runner.run()
        assert runner.text(1) == answer[: answer.index(answer[start : start + 2])]
        assert runner.finished(1).reason is FinishReason.STOP


def test_draft_tokens_after_the_end_are_not_cached() -> None:
    """Otherwise the next turn would follow tokens that are not part of the conversation."""
    prompt = find_prompt(n_answer=24)
    answer = expected_answer(prompt, n_max=24)
    for start in range(6, 14):
        runner = speculating(Oracle(), CountingDecoder(n_seq_max=1))
        runner.ask(1, prompt, SamplingParams(max_tokens=24, stop=(answer[start : start + 2],), seed=1))
        runner.run()
        n_held = len(runner.decoder.cells[0])
        assert runner.decoder.cells[0] == list((prompt + answer).encode())[:n_held]
        follow_up = prompt + answer[: start + 2] + "more"
        runner.ask(2, follow_up)
        runner.run()
        assert runner.text(2) == expected_answer(follow_up, n_max=8)


def test_drafted_end_token_ends_the_answer() -> None:
    prompt = next(
        prompt
        for number in range(1000)
        if 8 <= len(expected_answer(prompt := f"prompt {number}", n_max=30)) < 30
    )
    drafter = Oracle()
    runner = speculating(drafter)
    runner.ask(1, prompt, SamplingParams(max_tokens=30, seed=1))
    runner.run()
    assert runner.text(1) == expected_answer(prompt, n_max=30)
    assert runner.finished(1).reason is FinishReason.STOP
    assert any(END in draft for draft in drafter.drafts), "the end was never drafted"


@pytest.mark.parametrize("n_left", range(1, 14))
def test_full_context_ends_the_answer_at_the_last_position(n_left: int) -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    prompt = next(
        prompt
        for first in letters
        for second in letters
        if len(expected_answer(prompt := first + second * (N_CTX - n_left - 1), n_max=100)) == n_left + 1
    )
    runner = speculating(Oracle())
    runner.ask(1, prompt, SamplingParams(max_tokens=100, seed=1))
    runner.run()
    end = runner.finished(1)
    assert (end.reason, end.context_full) == (FinishReason.LENGTH, True)
    assert runner.text(1) == expected_answer(prompt, n_max=100)


@pytest.mark.parametrize("n_max", range(1, 16))
def test_max_tokens_within_a_draft_ends_the_answer(n_max: int) -> None:
    prompt = find_prompt(n_answer=24)
    runner = speculating(Oracle())
    runner.ask(1, prompt, SamplingParams(max_tokens=n_max, seed=1))
    runner.run()
    assert runner.text(1) == expected_answer(prompt, n_max=n_max)
    assert runner.finished(1).reason is FinishReason.LENGTH


def test_drafts_fit_into_the_step() -> None:
    """Three streams of one token in a batch of six leave three tokens, one for each."""
    drafter = Oracle()
    runner = speculating(drafter, CountingDecoder(n_seq_max=3, n_batch=6))
    for number in range(3):
        runner.ask(number, find_prompt(n_answer=24) + "abc"[number], LONG)
    runner.run()
    assert drafter.requests
    for number in range(3):
        prompt = find_prompt(n_answer=24) + "abc"[number]
        assert runner.text(number) == expected_answer(prompt, n_max=40)


def test_unknown_token_is_never_verified() -> None:
    class Stranger(Oracle):
        def _draft_for(self, ask: DraftRequest) -> Tokens | None:
            return np.array([next_token(ask.tokens.tolist()), -1, 300], np.int32)

    prompt = find_prompt(n_answer=24)
    runner = speculating(Stranger())
    runner.ask(1, prompt, SamplingParams(max_tokens=24, seed=1))
    runner.run()
    assert runner.text(1) == expected_answer(prompt, n_max=24)
    usage = runner.finished(1).usage
    assert usage.n_drafted == usage.n_draft_accepted > 0


def test_sampler_error_within_a_draft_fails_only_its_request() -> None:
    runner = speculating(Oracle())
    prompt = find_prompt(n_answer=24)
    runner.ask(1, prompt, LONG)
    runner.ask(2, prompt + "b", LONG)
    for _ in range(6):
        runner.loop.iterate()
    sampler = runner.samplers[0]
    samples = iter([sampler.sample])

    def fail_at_the_second(index: int) -> object:
        return next(samples)(index)

    sampler.sample = fail_at_the_second  # type: ignore[method-assign,assignment]
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert runner.text(2) == expected_answer(prompt + "b", n_max=40)
    runner.ask(3, prompt)
    runner.run()
    assert runner.text(3) == expected_answer(prompt, n_max=8)
