"""The decode loop over a fake llama.cpp whose next token depends on every token before it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from fireside.core.constraint import Constraint
from fireside.core.generation import FinishReason, Priority
from fireside.core.ids import RequestId
from fireside.core.message import ChatMessage, Role, text_message
from fireside.core.options import SamplingParams
from fireside.core.prompt_input import ChatInput
from fireside.core.task import GenerationTask
from fireside.prompt.segments import Prompt, Segment
from fireside.runner.cache import Tokens
from fireside.runner.decoder import Choice, DecodeResult, SamplerRequest
from fireside.runner.inbox import Inbox
from fireside.runner.loop import Loop
from fireside.runner.prompts import PromptFitter
from fireside.wire.messages import (
    Cancel,
    Command,
    CountTokens,
    Failed,
    Finished,
    Generate,
    PromptRead,
    Report,
    TokensCounted,
    TokensDecoded,
)

N_CTX = 64
END = 0
ANSWER = SamplingParams(max_tokens=8, seed=1)


def next_token(tokens: Sequence[int]) -> int:
    """The token that follows ``tokens``: printable, now and then the end."""
    value = sum((position + 1) * token for position, token in enumerate(tokens)) * 2654435761 % 2**32
    return END if value % 13 == 0 else 97 + value % 26


def expected_answer(prompt: str, *, n_max: int) -> str:
    """What a model alone on the machine answers."""
    tokens = list(prompt.encode())
    answer = ""
    while len(answer) < n_max and len(tokens) <= N_CTX:
        token = next_token(tokens)
        if token == END:
            break
        tokens.append(token)
        answer += chr(token)
    return answer


class FakeBatch:
    def __init__(self, n_max: int) -> None:
        self.n_max = n_max
        self.entries: list[tuple[int, int, int, bool]] = []

    def clear(self) -> None:
        self.entries.clear()

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        for offset, token in enumerate(tokens):
            last = offset == len(tokens) - 1
            self.entries.append((int(token), sequence, position + offset, wants_logits and last))
        assert len(self.entries) <= self.n_max, "llama.cpp aborts on a batch that is too large"
        return len(self.entries) - 1


class FakeDecoder:
    """KV caches as lists. ``results`` are given out first, then everything works.

    An aborted step keeps half of its tokens, as llama.cpp keeps the micro-batches that were done.
    """

    def __init__(self, *, n_seq_max: int = 2, n_batch: int = 16, can_go_back: bool = True) -> None:
        self.n_ctx, self.n_batch, self.n_ubatch, self.n_seq_max, self.n_swa = (
            N_CTX,
            n_batch,
            n_batch,
            n_seq_max,
            0,
        )
        self.cells: list[list[int]] = [[] for _ in range(n_seq_max)]
        self.results: list[DecodeResult] = []
        self.before_decode: list[Command] = []
        self.inbox: Inbox | None = None
        self.n_evaluated = 0
        self._can_go_back = can_go_back
        self._outputs: dict[int, int] = {}

    def decode(self, batch: FakeBatch) -> DecodeResult:
        if self.inbox is not None and self.before_decode:
            self.inbox.put(self.before_decode.pop(0))
        result = self.results.pop(0) if self.results else DecodeResult.DONE
        n_done = {DecodeResult.DONE: len(batch.entries), DecodeResult.ABORTED: len(batch.entries) // 2}.get(
            result, 0
        )
        self._outputs.clear()
        for index, (token, sequence, position, wants_logits) in enumerate(batch.entries[:n_done]):
            cells = self.cells[sequence]
            assert position == len(cells), "llama.cpp refuses a gap in the positions"
            assert position < self.n_ctx, "the cache is full"
            cells.append(token)
            self.n_evaluated += 1
            if wants_logits:
                self._outputs[index] = next_token(cells)
        return result

    def output(self, index: int) -> int:
        return self._outputs[index]

    def remove_from(self, sequence: int, position: int) -> bool:
        if self._can_go_back:
            del self.cells[sequence][position:]
        return self._can_go_back

    def clear(self, sequence: int) -> None:
        self.cells[sequence].clear()

    def first_position(self, sequence: int) -> int:
        return 0 if self.cells[sequence] else -1

    def last_position(self, sequence: int) -> int:
        return len(self.cells[sequence]) - 1


class FakeSampler:
    def __init__(self, decoder: FakeDecoder) -> None:
        self._decoder = decoder
        self.closed = False

    def sample(self, index: int) -> Choice:
        return Choice(self._decoder.output(index))

    def force(self, tokens: Tokens) -> None:
        raise NotImplementedError

    def constrain(self, constraint: Constraint, *, already: str, ends_answer: bool) -> None:
        raise NotImplementedError

    def close(self) -> None:
        assert not self.closed, "freed twice"
        self.closed = True


class FakeVocab:
    """A byte is a token."""

    def tokenize(self, prompt: Prompt) -> Tokens:
        return np.frombuffer(prompt.text.encode(), np.uint8).astype(np.int32)

    def piece(self, token: int) -> bytes:
        return bytes([token])

    def ends_answer(self, token: int) -> bool:
        return token == END

    def remember_answer(self, text: str, tokens: Tokens) -> None:
        assert bytes(tokens.tolist()).decode().startswith(text)


class FakeTemplate:
    """Texts one after the other; ``boom`` raises what no one expects."""

    def render(self, messages: Sequence[ChatMessage]) -> Prompt:
        text = "".join(message.text for message in messages)
        if text == "boom":
            raise ZeroDivisionError
        return Prompt(segments=(Segment(text=text, special=False),))


class Runner:
    """A loop and everything that it reported."""

    def __init__(self, decoder: FakeDecoder | None = None, *, stop: tuple[str, ...] = ()) -> None:
        self.decoder = decoder or FakeDecoder()
        self.n_stops = 0
        self.inbox = Inbox(stop_decode=self._stop_decode)
        self.decoder.inbox = self.inbox
        self.reports: list[Report] = []
        self.samplers: list[FakeSampler] = []
        vocab = FakeVocab()
        self.loop = Loop(
            name="Fake",
            decoder=self.decoder,
            make_batch=FakeBatch,
            make_sampler=self._make_sampler,
            vocab=vocab,
            fitter=PromptFitter(template=FakeTemplate(), tokenizer=vocab, n_ctx=N_CTX),
            stop=stop,
            inbox=self.inbox,
            lower_abort=lambda: None,
            send=lambda *reports: self.reports.extend(reports),
        )

    def _stop_decode(self) -> None:
        self.n_stops += 1
        self.decoder.results.insert(0, DecodeResult.ABORTED)

    def _make_sampler(self, _request: SamplerRequest) -> FakeSampler:
        self.samplers.append(FakeSampler(self.decoder))
        return self.samplers[-1]

    def ask(
        self,
        number: int,
        prompt: str,
        sampling: SamplingParams = ANSWER,
        *,
        priority: Priority = Priority.INTERACTIVE,
    ) -> None:
        self.inbox.put(
            Generate(
                request_id=RequestId(number),
                task=GenerationTask(
                    prompt=ChatInput(messages=(text_message(Role.USER, prompt),)),
                    sampling=sampling,
                    priority=priority,
                ),
            )
        )

    def cancel(self, number: int) -> None:
        self.inbox.put(Cancel(request_id=RequestId(number)))

    def run(self) -> None:
        for _ in range(2000):
            self.loop.turn()
            if self.loop.is_idle and self.inbox.is_empty:
                return
        raise AssertionError("the loop does not come to an end")

    def text(self, number: int) -> str:
        pieces = [
            piece for report in self.reports if isinstance(report, TokensDecoded) for piece in report.pieces
        ]
        return "".join(piece.text for piece in pieces if piece.request_id == number)

    def ends(self, number: int) -> list[Finished | Failed]:
        return [
            report
            for report in self.reports
            if isinstance(report, (Finished, Failed)) and report.request_id == number
        ]

    def finished(self, number: int) -> Finished:
        (end,) = self.ends(number)
        assert isinstance(end, Finished), end
        return end

    def progress(self, number: int) -> list[int]:
        return [
            report.n_done
            for report in self.reports
            if isinstance(report, PromptRead) and report.request_id == number
        ]


PROMPTS = st.text("abcdefgh", min_size=1, max_size=40)


@settings(max_examples=150)
@given(
    st.lists(st.tuples(PROMPTS, st.integers(0, 6), st.booleans()), min_size=1, max_size=6),
    st.lists(st.sampled_from([DecodeResult.DONE, DecodeResult.ABORTED]), max_size=12),
    st.integers(1, 3),
    st.booleans(),
)
def test_every_answer_is_the_one_a_request_alone_would_get(
    requests: list[tuple[str, int, bool]],
    results: list[DecodeResult],
    n_seq_max: int,
    can_go_back: bool,
) -> None:
    """Whatever runs beside it, is broken off, or is found in the cache."""
    runner = Runner(FakeDecoder(n_seq_max=n_seq_max, can_go_back=can_go_back))
    runner.decoder.results = list(results)
    for number, (prompt, n_turns_later, background) in enumerate(requests):
        runner.ask(number, prompt, priority=Priority.BACKGROUND if background else Priority.INTERACTIVE)
        for _ in range(n_turns_later):
            runner.loop.turn()
    runner.run()
    for number, (prompt, _, _) in enumerate(requests):
        assert runner.text(number) == expected_answer(prompt, n_max=8)
        assert len(runner.ends(number)) == 1
    assert all(sampler.closed for sampler in runner.samplers)


@settings(max_examples=100)
@given(st.lists(st.tuples(PROMPTS, st.integers(0, 8)), min_size=1, max_size=5), st.booleans())
def test_every_request_ends_once_whenever_it_is_cancelled(
    requests: list[tuple[str, int]], during_decode: bool
) -> None:
    runner = Runner()
    for number, (prompt, n_turns) in enumerate(requests):
        runner.ask(number, prompt)
        for _ in range(n_turns):
            runner.loop.turn()
        if during_decode:
            runner.decoder.before_decode.append(Cancel(request_id=RequestId(number)))
        else:
            runner.cancel(number)
        runner.cancel(number)
    runner.run()
    for number, (prompt, _) in enumerate(requests):
        assert len(runner.ends(number)) == 1
        assert expected_answer(prompt, n_max=8).startswith(runner.text(number))


def test_cancel_during_prefill_breaks_the_step_off_and_frees_the_slot() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "a" * 40)
    runner.decoder.before_decode = [Cancel(request_id=RequestId(1))]
    runner.ask(2, "b" * 5)
    runner.run()
    assert runner.n_stops == 1
    assert runner.finished(1).reason is FinishReason.CANCELLED
    assert runner.text(2) == expected_answer("b" * 5, n_max=8)


def test_what_a_cancelled_prompt_had_evaluated_is_kept() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "abcdefgh" * 5)
    runner.loop.turn()
    runner.cancel(1)
    runner.run()
    runner.ask(2, "abcdefgh" * 5)
    runner.run()
    assert runner.finished(2).usage.n_cached == 16


def test_cancel_of_a_waiting_request_ends_it_without_evaluating_it() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "abc")
    runner.ask(2, "xyz")
    runner.loop.turn()
    runner.cancel(2)
    runner.run()
    assert runner.finished(2).reason is FinishReason.CANCELLED
    assert runner.progress(2) == []


def test_cancel_of_an_unknown_request_is_ignored() -> None:
    runner = Runner()
    runner.cancel(99)
    runner.run()
    assert runner.reports == []


def test_a_follow_up_evaluates_only_what_is_new() -> None:
    runner = Runner()
    runner.ask(1, "a question")
    runner.run()
    n_before = runner.decoder.n_evaluated
    answer = runner.text(1)
    runner.ask(2, "a question" + answer + "more", SamplingParams(max_tokens=1))
    runner.run()
    # The last token of the answer was given out and never evaluated, if the answer was cut by its length.
    assert runner.decoder.n_evaluated - n_before <= len("more") + 1
    assert runner.finished(2).usage.n_cached >= len("a question" + answer) - 1


def test_the_same_prompt_again_evaluates_its_last_token_only() -> None:
    runner = Runner()
    runner.ask(1, "the same")
    runner.run()
    runner.ask(2, "the same")
    runner.run()
    assert runner.finished(2).usage.n_cached == len("the same") - 1


def test_progress_starts_at_the_cached_part_and_ends_at_the_whole_prompt() -> None:
    runner = Runner()
    runner.ask(1, "abcdefgh" * 5)
    runner.run()
    assert runner.progress(1) == [0, 16, 32, 40]


def test_an_answer_that_fills_the_context_says_so() -> None:
    prompts = (letter * 60 for letter in "abcdefghijklmnopqrstuvwxyz")
    prompt = next(prompt for prompt in prompts if len(expected_answer(prompt, n_max=100)) == N_CTX + 1 - 60)
    runner = Runner()
    runner.ask(1, prompt, SamplingParams(max_tokens=100))
    runner.run()
    end = runner.finished(1)
    assert (end.reason, end.context_full, end.usage.n_completion) == (FinishReason.LENGTH, True, 5)


def test_an_answer_that_reaches_its_length_leaves_the_context_unfilled() -> None:
    runner = Runner()
    runner.ask(1, "ab", SamplingParams(max_tokens=1))
    runner.run()
    end = runner.finished(1)
    assert (end.reason, end.context_full, end.usage.n_completion) == (FinishReason.LENGTH, False, 1)


def test_the_models_own_end_stops_an_answer() -> None:
    prompt = next(p for p in ("a" * n for n in range(1, 30)) if 0 < len(expected_answer(p, n_max=8)) < 8)
    runner = Runner()
    runner.ask(1, prompt)
    runner.run()
    assert runner.finished(1).reason is FinishReason.STOP


def test_a_stop_string_ends_an_answer() -> None:
    whole = expected_answer("abc", n_max=8)
    assert len(whole) > 4
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(max_tokens=8, stop=(whole[2:4],)))
    runner.run()
    assert runner.finished(1).reason is FinishReason.STOP
    assert runner.text(1) == whole[: whole.index(whole[2:4])]


def test_a_step_that_cannot_be_computed_fails_its_requests_and_no_later_one() -> None:
    runner = Runner()
    runner.decoder.results = [DecodeResult.FAILED]
    runner.ask(1, "abc")
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    runner.ask(2, "abc")
    runner.run()
    assert runner.text(2) == expected_answer("abc", n_max=8)


def test_a_bug_in_one_request_fails_that_request_only() -> None:
    runner = Runner()
    runner.ask(1, "boom")
    runner.ask(2, "abc")
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert end.error.code == "runner_crashed"
    assert runner.text(2) == expected_answer("abc", n_max=8)


def test_a_bad_parameter_fails_the_request() -> None:
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(top_p=float("nan")))
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert end.error.code == "invalid_parameter"


def test_the_front_is_let_in_before_the_background() -> None:
    runner = Runner(FakeDecoder(n_seq_max=1))
    runner.ask(1, "abc")
    runner.ask(2, "bcd", priority=Priority.BACKGROUND)
    runner.ask(3, "cde")
    runner.run()
    ends = [report.request_id for report in runner.reports if isinstance(report, Finished)]
    assert ends == [1, 3, 2]


def test_tokens_are_counted_between_steps() -> None:
    runner = Runner()
    runner.ask(1, "abc")
    runner.loop.turn()
    messages = (text_message(Role.USER, "12345"),)
    runner.inbox.put(CountTokens(request_id=RequestId(2), messages=messages, draft="678"))
    runner.run()
    assert TokensCounted(request_id=RequestId(2), n_history=5, n_draft=3) in runner.reports


def test_a_seed_is_drawn_and_reported_when_none_is_given() -> None:
    runner = Runner()
    runner.ask(1, "abc", SamplingParams(max_tokens=1))
    runner.ask(2, "abc", SamplingParams(max_tokens=1))
    runner.run()
    assert runner.finished(1).seed != runner.finished(2).seed


def test_text_comes_before_the_end_of_its_answer() -> None:
    runner = Runner()
    runner.ask(1, "abc")
    runner.run()
    kinds = [type(report) for report in runner.reports]
    assert kinds[0] is PromptRead
    assert kinds[-1] is Finished
