"""Drafts of a smaller model, over fake caches."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fakes.fake_llama import FakeBatch, FakeDecoder, next_token
from fireside.core.i18n import render
from fireside.runner.decoder import DecodeResult, DraftRequest
from fireside.runner.speculation.draft_model import N_CATCH_UP, N_READ, DraftModel, likeliest
from fireside.runner.speculation.drafter_setup import vocab_mismatch
from fireside.runner.tokens import Tokens

N_VOCAB = 256


class SmallModel(FakeDecoder):
    """Its likeliest token is that of the main model; below ``sure`` it is not likely enough."""

    def __init__(self, *, n_ctx: int = 64, can_trim: bool = True) -> None:
        super().__init__(n_batch=512, can_trim=can_trim)
        self.n_ctx = n_ctx
        self.unsure_at: set[int] = set()

    def logits(self, index: int) -> npt.NDArray[np.float32]:
        token = self.output(index)
        logits = np.zeros(N_VOCAB, np.float32)
        logits[token] = 1.0 if token in self.unsure_at else 20.0
        return logits


def drafter(small: SmallModel) -> DraftModel[FakeBatch]:
    return DraftModel(context=small, make_batch=FakeBatch, n_batch=512, n_vocab=N_VOCAB)


def tokens(*values: int) -> Tokens:
    return np.array(values, np.int32)


def truth(text: Tokens, n: int) -> list[int]:
    follows: list[int] = []
    for _ in range(n):
        follows.append(next_token(text.tolist() + follows))
    return follows


def test_all_slots_are_drafted_in_one_batch() -> None:
    small = SmallModel()
    first, second = tokens(1, 2, 3), tokens(4, 5, 6, 7)
    drafts = drafter(small).draft([DraftRequest(0, first, 4), DraftRequest(1, second, 2)])
    assert [None if draft is None else draft.tolist() for draft in drafts] == [
        truth(first, 4),
        truth(second, 2),
    ]


@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.integers(0, 12), st.lists(st.integers(1, 9), min_size=1, max_size=6)),
        min_size=1,
        max_size=12,
    ),
    st.booleans(),
)
def test_trimmed_and_changed_text_is_drafted_correctly(
    changes: list[tuple[int, int, list[int]]], can_trim: bool
) -> None:
    """Rejected drafts and other conversations leave nothing in its cache."""
    small = SmallModel(can_trim=can_trim)
    model = drafter(small)
    texts: list[list[int]] = [[1], [2]]
    for slot, n_kept, added in changes:
        texts[slot] = texts[slot][:n_kept] + added
        text = tokens(*texts[slot])
        if len(text) + 3 > small.n_ctx:
            continue
        (draft,) = model.draft([DraftRequest(slot, text, 3)])
        if draft is None:
            continue
        assert draft.tolist() == truth(text, 3)


def test_long_text_is_evaluated_in_parts_before_drafting() -> None:
    small = SmallModel(n_ctx=64)
    model = drafter(small)
    text = tokens(*range(1, N_CATCH_UP + 10))
    assert model.draft([DraftRequest(0, text, 2)]) == [None]
    (draft,) = model.draft([DraftRequest(0, text, 2)])
    assert draft is not None
    assert draft.tolist() == truth(text, 2)


def test_step_evaluates_no_more_than_its_limit() -> None:
    small = SmallModel(n_ctx=1000)
    assert drafter(small).draft([DraftRequest(0, np.ones(600, np.int32), 2)]) == [None]
    assert small.n_evaluated == N_READ


def test_draft_ends_before_an_unlikely_token() -> None:
    small = SmallModel()
    text = tokens(1, 2, 3)
    expected = truth(text, 4)
    small.unsure_at = {expected[2]}
    (draft,) = drafter(small).draft([DraftRequest(0, text, 4)])
    assert draft is not None
    assert draft.tolist() == expected[: expected.index(expected[2])]


def test_text_longer_than_the_draft_context_is_not_drafted() -> None:
    (draft,) = drafter(SmallModel(n_ctx=8)).draft([DraftRequest(0, np.ones(7, np.int32), 4)])
    assert draft is not None
    assert len(draft) == 0


@pytest.mark.parametrize("stranger", [-1, N_VOCAB])
def test_text_with_unknown_tokens_is_not_drafted(stranger: int) -> None:
    small = SmallModel()
    (draft,) = drafter(small).draft([DraftRequest(0, tokens(1, stranger, 3), 4)])
    assert draft is not None
    assert len(draft) == 0
    assert small.n_evaluated == 0


@pytest.mark.parametrize("n_before", [0, 1])
def test_failed_step_clears_the_cache_and_the_next_one_works(n_before: int) -> None:
    small = SmallModel()
    model = drafter(small)
    text = tokens(1, 2, 3)
    small.results = [DecodeResult.DONE] * n_before + [DecodeResult.FAILED]
    assert model.draft([DraftRequest(0, text, 4)]) == [None]
    (draft,) = model.draft([DraftRequest(0, text, 4)])
    assert draft is not None
    assert draft.tolist() == truth(text, 4)


def test_token_is_drafted_at_the_minimum_probability() -> None:
    def logits(probability: float) -> npt.NDArray[np.float32]:
        return np.log(np.array([probability, 1 - probability], np.float32)) + np.float32(50)

    assert likeliest(logits(0.76)) == 0
    assert likeliest(logits(0.74)) is None
    assert likeliest(logits(0.2)) == 1


@pytest.fixture
def sizes(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The length of the argument of each call of ``exp``."""
    sizes: list[int] = []
    exp = np.exp

    def noted(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        sizes.append(x.size)
        result: npt.NDArray[np.float32] = exp(x)
        return result

    monkeypatch.setattr(np, "exp", noted)
    return sizes


def test_only_blocks_in_reach_are_summed_exactly(sizes: list[int]) -> None:
    values = np.full(262_144, -30.0, np.float32)
    values[7], values[8] = 5.0, 4.0
    assert likeliest(values) is None
    values[8] = 3.0
    assert likeliest(values) == 7
    assert max(sizes) < len(values) / 16


def test_unlikely_best_token_is_detected_by_the_block_maxima(sizes: list[int]) -> None:
    values = np.random.default_rng(1).normal(0, 3, 262_144).astype(np.float32)
    assert likeliest(values) is None
    assert sum(sizes) < len(values) / 16


# Vocabularies


@dataclass
class Table:
    n_tokens: int = 50
    kind: int = 2
    special: tuple[int, ...] = (1, 2, 0, 0)
    other: dict[int, bytes] = field(default_factory=dict)

    def raw_text(self, token: int) -> bytes:
        return self.other.get(token, b"%d" % token)


@pytest.mark.parametrize(
    "small",
    [Table(), Table(n_tokens=60), Table(n_tokens=40), Table(other={3: b"<pad>"})],
    ids=["same", "more fillers", "fewer fillers", "another control token"],
)
def test_vocabulary_with_extra_padding_tokens_matches(small: Table) -> None:
    assert vocab_mismatch(Table(), small) is None


@pytest.mark.parametrize(
    ("small", "word"),
    [
        (Table(kind=1), "tokenizer differs"),
        (Table(n_tokens=500), "500 tokens"),
        (Table(special=(1, 7, 0, 0)), "end tokens differ"),
        (Table(special=(1, 2, 1, 0)), "begin or end"),
        (Table(other={30: b"x"}), "token 30"),
    ],
)
def test_other_vocabulary_is_refused_with_a_reason(small: Table, word: str) -> None:
    assert word in render(vocab_mismatch(Table(), small) or "")
