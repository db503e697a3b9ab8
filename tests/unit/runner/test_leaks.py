"""Nothing leaks, in any order of events."""

from __future__ import annotations

import threading
from collections import Counter

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from fakes.fake_llama import IMPOSSIBLE, FakeDecoder, FakeVocab, expected_answer, talkative_next_token
from fakes.loop_harness import Runner
from fireside.core.generation import Failed, Finished, FinishReason, Priority, WhenFull
from fireside.core.ids import RequestId
from fireside.core.options import SamplingParams
from fireside.runner.decoder import DecodeResult
from fireside.wire.messages import Cancel, RequestEvent, TokensDecoded

N_SINKS = 4
N_MAX = 40
BROKEN = ord("q")
"""Pieces of this letter cannot be read, in runs where the vocabulary is broken."""

FAULTS = ["none"] * 5 + ["template", "sampler", "parameter", "rule", "unready", "unready"]
_WORDS = st.text("abcdefgh", min_size=1, max_size=60)
_LONG = [letter * n for letter in "abcdefgh" for n in (45, 55, 62)]
_ASK = st.tuples(
    st.just("ask"),
    st.one_of(_WORDS, st.sampled_from(["abcdefgh" * 3, "abcdefgh" * 3 + "x", *_LONG])),
    st.sampled_from(FAULTS),
    st.sampled_from(list(Priority)),
    st.sampled_from(list(WhenFull)),
    st.sampled_from([(), ("ab", "z"), ("e",)]),
)
_ACTIONS = st.lists(
    st.one_of(
        _ASK,
        _ASK,
        st.tuples(st.just("turn"), st.integers(1, 12)),
        st.tuples(st.just("cancel"), st.integers(0, 12)),
        st.tuples(st.just("cancel in decode"), st.integers(0, 12)),
        st.tuples(st.just("ready")),
        st.tuples(
            st.just("result"),
            st.sampled_from([DecodeResult.ABORTED, DecodeResult.FAILED, DecodeResult.NO_ROOM]),
        ),
    ),
    max_size=24,
)


class Play:
    """A loop, what is done to it, and what must hold at any time."""

    def __init__(self, runner: Runner) -> None:
        self.runner = runner
        self.prompts: list[str] = []
        self.whole: set[int] = set()
        """Requests with which nothing was wrong."""
        self._unset: list[threading.Event] = []

    def do(self, action: tuple[object, ...]) -> None:
        runner = self.runner
        match action:
            case ("ask", str(prompt), fault, Priority() as priority, WhenFull() as when_full, stop):
                self._ask(prompt, str(fault), priority=priority, when_full=when_full, stop=stop)  # type: ignore[arg-type]
            case ("turn", int(n)):
                for _ in range(n):
                    runner.loop.iterate()
                    self.check()
            case ("cancel", int(number)):
                runner.cancel(number % (len(self.prompts) or 1))
            case ("cancel in decode", int(number)):
                runner.decoder.before_decode.append(
                    Cancel(request_id=RequestId(number % (len(self.prompts) or 1)))
                )
            case ("ready",):
                self.make_ready()
            case ("result", DecodeResult() as result):
                runner.decoder.results.append(result)

    def _ask(
        self, prompt: str, fault: str, *, priority: Priority, when_full: WhenFull, stop: tuple[str, ...]
    ) -> None:
        number = len(self.prompts)
        self.prompts.append(prompt)
        runner = self.runner
        if fault == "unready":
            self._unset.append(threading.Event())
            runner.preparing.append(self._unset[-1])
        if fault == "sampler":
            runner.fails_after[number] = len(prompt) % 4
        if fault in ("none", "unready") and not stop and when_full is WhenFull.SHIFT:
            self.whole.add(number)
        top_p = 2.0 if fault == "parameter" else 0.9
        sampling = SamplingParams(max_tokens=N_MAX, seed=number, stop=stop, top_p=top_p)
        text = "boom" if fault == "template" else prompt
        runner.ask(
            number,
            text,
            sampling,
            priority=priority,
            when_full=when_full,
            constraint=IMPOSSIBLE if fault == "rule" else None,
        )

    def make_ready(self) -> None:
        for event in self._unset:
            event.set()

    def check(self) -> None:
        """What is known of each cache is what it holds."""
        for slot in self.runner.loop._slots:
            cells = self.runner.decoder.cells[slot.index]
            assert slot.tokens[: slot.n_past].tolist() == cells
            assert slot.n_past <= slot.n_tokens
            assert len(slot.cached) <= self.runner.decoder.n_unshifted[slot.index]
            assert slot.sequence is not None or slot.n_past == slot.n_tokens == len(slot.cached)

    def end(self) -> None:
        self.make_ready()
        self.runner.run()
        self.check()


def _check_nothing_is_left(play: Play) -> None:
    runner = play.runner
    assert all(slot.sequence is None for slot in runner.loop._slots)
    assert all(sampler.closed for sampler in runner.samplers)
    assert Counter(runner.end_order()) == Counter(range(len(play.prompts)))


def _check_nothing_follows_an_end(play: Play) -> None:
    over: set[RequestId] = set()
    for report in play.runner.reports:
        if isinstance(report, TokensDecoded):
            assert not over & {piece.request_id for piece in report.pieces}
        elif isinstance(report, RequestEvent) and isinstance(report.event, Finished | Failed):
            over.add(report.request_id)


def _check_answers(play: Play) -> None:
    """Those with whom nothing was wrong got what they would have got alone."""
    for number in play.whole:
        (end,) = play.runner.ends(number)
        expected = expected_answer(
            play.prompts[number], n_max=N_MAX, n_keep=N_SINKS, follows=talkative_next_token
        )
        text = play.runner.text(number)
        assert expected.startswith(text)
        if isinstance(end, Finished) and end.reason is not FinishReason.CANCELLED:
            assert text == expected


_FULL = [
    ("ask", "a" * 60, "none", Priority.INTERACTIVE, WhenFull.SHIFT, ()),
    ("ask", "b" * 55, "none", Priority.BACKGROUND, WhenFull.SHIFT, ()),
    ("turn", 30),
    ("ask", "a" * 30, "none", Priority.INTERACTIVE, WhenFull.SHIFT, ()),
]


@example(_FULL, 1, True, True)
@example(_FULL, 2, True, True)
@example(_FULL, 2, False, True)
@example(_FULL, 2, True, False)
@given(_ACTIONS, st.integers(1, 3), st.booleans(), st.booleans())
def test_nothing_leaks_in_any_order_of_events(
    actions: list[tuple[object, ...]], n_seq_max: int, can_shift: bool, can_trim: bool
) -> None:
    decoder = FakeDecoder(
        n_seq_max=n_seq_max, can_shift=can_shift, can_trim=can_trim, follows=talkative_next_token
    )
    play = Play(Runner(decoder))
    for action in actions:
        play.do(action)
    play.end()
    _check_nothing_is_left(play)
    _check_nothing_follows_an_end(play)
    _check_answers(play)


@given(_ACTIONS, st.integers(1, 3))
def test_nothing_leaks_if_the_vocabulary_fails(actions: list[tuple[object, ...]], n_seq_max: int) -> None:
    play = Play(Runner(FakeDecoder(n_seq_max=n_seq_max), vocab=FakeVocab(fails_at=BROKEN)))
    for action in actions:
        play.do(action)
    play.end()
    _check_nothing_is_left(play)


@given(_ACTIONS)
def test_nothing_leaks_if_answers_cannot_be_remembered(actions: list[tuple[object, ...]]) -> None:
    play = Play(Runner(vocab=FakeVocab(remembering_fails=True)))
    for action in actions:
        play.do(action)
    play.end()
    _check_nothing_is_left(play)


@pytest.mark.parametrize("n_seq_max", [1, 2])
def test_sampler_error_fails_only_its_answer(n_seq_max: int) -> None:
    runner = Runner(FakeDecoder(n_seq_max=n_seq_max))
    runner.fails_after[7] = 2
    runner.ask(1, "abc", SamplingParams(max_tokens=8, seed=7))
    runner.ask(2, "bcd")
    runner.run()
    (end,) = runner.ends(1)
    assert isinstance(end, Failed)
    assert runner.text(2) == expected_answer("bcd", n_max=8)
