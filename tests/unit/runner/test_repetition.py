"""Which answers are loops, and which only look like one."""

from __future__ import annotations

import random
import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import FakeDecoder, scripted
from fakes.loop_harness import Runner
from fireside.core.generation import Finished, FinishReason
from fireside.core.options import SamplingParams
from fireside.runner.slots import CHECK_EVERY, MAX_PERIOD, RepetitionGuard, is_repeating
from fireside.runner.tokens import Tokens


def tokens_of(text: str) -> Tokens:
    """Words, numbers by digits, marks and runs of space, each a token, as tokenizers cut them."""
    parts = re.findall(r" ?[A-Za-z]+|\d|\s+|[^\w\s]", text)
    ids = {part: number for number, part in enumerate(dict.fromkeys(parts))}
    return np.array([ids[part] for part in parts], np.int32)


def _numbers(*, n: int) -> str:
    return "".join(f"{number}. Item number {number} is here.\n" for number in range(1, n + 1))


def _paragraph() -> str:
    return "".join(f" {first}{second}" for first in "abcdefghijklm" for second in "nopqrstuvwxyz") + "\n"


def _triangle() -> str:
    return "".join(" " * (30 - n) + "*" * (2 * n + 1) + "\n" for n in range(30))


LEGITIMATE = {
    "ha ha ha": "ha " * 150,
    "a line a hundred times": "I will not talk in class.\n" * 100,
    "a numbered list": _numbers(n=300),
    "a table of similar rows": "".join(f"| {n} | open | none | 0.0 |\n" for n in range(200)),
    "a table of the same rows": "| Monday | closed | closed | - |\n" * 60,
    "a matrix of zeros": ("0, " * 16 + "\n") * 16,
    "an ASCII triangle": _triangle(),
    "a filled rectangle": ("#" * 40 + "\n") * 20,
    "a ruler": ("=" * 78 + "\n" + "text\n") * 8,
    "indented code": "".join(
        " " * 4 * (n % 6) + f"if value_{n}:\n" + " " * 4 * (n % 6 + 1) + "return None\n" for n in range(120)
    ),
    "counting": " ".join(str(number) for number in range(1, 1200)),
    "a chorus": ("We all live in a house on a hill,\n" * 4 + "a verse of its own, number {}\n") * 12,
    "a long paragraph a few times": _paragraph() * 7,
    "json rows": "".join(f'{{"id": {n}, "name": "none", "value": null}},\n' for n in range(200)),
}

CIRCLES = {
    "one token": "! " * 600,
    "a word": "the the " * 600,
    "a sentence": "I am not sure what you mean by that. " * 130,
    "a paragraph": "First we look at it. Then we think of it. At last, we write it down, and begin anew.\n"
    * 60,
    "code": "    def get(self):\n        return self.value\n\n" * 120,
}


@pytest.mark.parametrize("text", LEGITIMATE.values(), ids=LEGITIMATE)
def test_legitimate_repetition_is_not_a_loop(text: str) -> None:
    tokens = tokens_of(text)
    assert not any(is_repeating(tokens[:n]) for n in range(0, len(tokens) + 1, 7))


@pytest.mark.parametrize("text", CIRCLES.values(), ids=CIRCLES)
def test_endless_text_is_a_loop(text: str) -> None:
    assert is_repeating(tokens_of("An introduction of its own. " + text.rstrip()))


@given(
    st.lists(st.integers(0, 2**31 - 1), min_size=1, max_size=MAX_PERIOD),
    st.lists(st.integers(0, 2**31 - 1), max_size=40),
    st.integers(0, 300),
)
def test_repeated_block_is_detected_after_any_text(block: list[int], before: list[int], n_more: int) -> None:
    n_blocks = 8 + 1024 // len(block)
    repeated = block * (n_blocks + n_more // len(block)) + block[: n_more % len(block)]
    assert is_repeating(np.array(before + repeated, np.int32))


@given(st.lists(st.integers(0, 9), min_size=2, max_size=60), st.integers(600, 2000))
def test_single_other_token_breaks_the_loop(block: list[int], n: int) -> None:
    tokens = np.resize(np.array(block, np.int32), n)
    tokens[-300] = 10  # where it counts
    assert not is_repeating(tokens)


def test_long_white_space_is_a_loop() -> None:
    guard = RepetitionGuard()
    pieces = [b"{", *random.Random(1).choices([b" ", b"\n", b"\t ", b""], k=400)]
    seen = [guard.detects_loop(len(piece), piece) for piece in pieces]
    assert 256 <= seen.index(True) <= 256 + CHECK_EVERY


def test_loop_longer_than_the_context_is_detected() -> None:
    guard = RepetitionGuard()
    assert any(guard.detects_loop(number % 200, b"x") for number in range(1700))


def _pieces(text: str) -> list[bytes]:
    return [part.encode() for part in re.findall(r" ?[A-Za-z]+|\d|\s+|[^\w\s]", text)]


def _is_ended(text: str) -> bool:
    guard = RepetitionGuard()
    return any(guard.detects_loop(number, piece) for number, piece in enumerate(_pieces(text)))


SENTENCES = (
    "They believed that bread was a symbol of their love of life.",
    "The ancient Greeks believed that the bread was made from the blood of a god!",
    "Today, bread remains a symbol of fertility all around the world.",
)


def test_few_sentences_in_any_order_are_a_loop() -> None:
    mixed = random.Random(1).choices(SENTENCES, k=120)
    assert _is_ended(" ".join(mixed))
    assert _is_ended("\n\n".join(sentence.upper() if n % 3 else sentence for n, sentence in enumerate(mixed)))


def test_repeated_long_paragraph_is_a_loop() -> None:
    paragraph = " ".join(
        f"Sentence {word} says that its word is {word}, and no other."
        for word in "abcdefghijklmnopqrstuvwxyz"
    )
    assert len(_pieces(paragraph)) > MAX_PERIOD
    assert _is_ended(f"{paragraph}\n\n" * 14)
    assert not _is_ended(f"{paragraph}\n\n" * 4)


FEW_WORDS = {
    "coins": "\n".join(random.Random(1).choices(["heads", "tails"], k=2000)),
    "a matrix of truth": "".join(random.Random(1).choices(["true, ", "false,\n"], k=2000)),
    "a counted line": "".join(
        f"{n}. I will never again talk to my neighbour in class.\n" for n in range(300)
    ),
    "entries": "".join(
        f'{{\n  "name": "customer number {n}",\n  "is_active": true,\n  "balance": 0.0\n}},\n'
        for n in range(200)
    ),
}


@pytest.mark.parametrize("text", [*LEGITIMATE.values(), *FEW_WORDS.values()], ids=[*LEGITIMATE, *FEW_WORDS])
def test_short_sentences_are_not_counted(text: str) -> None:
    guard = RepetitionGuard()  # each token another one: what is told is told by the sentences
    assert not any(guard.detects_loop(number, piece) for number, piece in enumerate(_pieces(text)))


def _answer_of(text: str, *, sampling: SamplingParams) -> Finished:
    runner = Runner(FakeDecoder(n_ctx=4096, follows=scripted(text, after="?")))
    runner.ask(1, "?", sampling)
    runner.run()
    return runner.finished(1)


def test_looping_answer_finishes_with_repetition() -> None:
    end = _answer_of("Well. " + "and so on, " * 300, sampling=SamplingParams())
    assert end.reason is FinishReason.REPETITION
    assert 1024 <= end.usage.n_completion < 1100


def test_answer_of_white_space_alone_is_ended() -> None:
    assert _answer_of("{" + " \n" * 2000, sampling=SamplingParams()).reason is FinishReason.REPETITION


def test_looping_answer_continues_without_the_guard() -> None:
    end = _answer_of("and so on, " * 150, sampling=SamplingParams(guard_repetition=False))
    assert (end.reason, end.usage.n_completion) == (FinishReason.STOP, 1650)
