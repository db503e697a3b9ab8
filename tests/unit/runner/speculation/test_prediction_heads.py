"""What heads read: each token with the state that the model had before it, whatever the model does."""

from __future__ import annotations

import random
from collections.abc import Sequence

import numpy as np
import pytest

from fireside.runner.decoder import DecodedPart, DecodeResult, DraftRequest
from fireside.runner.speculation.prediction_heads import N_READ, PredictionHeads, States
from fireside.runner.tokens import Tokens

N_CTX, N_VOCAB, N_EMBD = 600, 50, 2


def state_after(tokens: Sequence[int]) -> list[float]:
    """A state that tells texts apart: their length and last token."""
    return [float(len(tokens)), float(tokens[-1])]


def next_token(token: int) -> int:
    return (7 * token + 3) % N_VOCAB


class FakeBatch:
    def __init__(self, n_max: int) -> None:
        self.n_max = n_max
        self.clear()

    def clear(self) -> None:
        self.rows: list[tuple[int, int, int, States, bool]] = []

    def add_with_states(
        self, tokens: Tokens, states: States, *, sequence: int, position: int, wants_logits: bool
    ) -> int:
        for offset, (token, state) in enumerate(zip(tokens, states, strict=True)):
            is_last = offset == len(tokens) - 1
            self.rows.append(
                (sequence, position + offset, int(token), state.copy(), wants_logits and is_last)
            )
        assert len(self.rows) <= self.n_max
        return len(self.rows) - 1

    def add(self, tokens: Tokens, *, sequence: int, position: int, wants_logits: bool) -> int:
        raise AssertionError("heads read nothing without a state")

    def add_all(self, tokens: Tokens, *, sequence: int, position: int) -> int:
        raise AssertionError("heads read nothing without a state")


class FakeHeads:
    """Checks positions like llama.cpp, and notes what every head has read of each slot."""

    n_ctx, n_embd, n_seq_max = N_CTX, N_EMBD, 3

    def __init__(self, *, n_heads: int = 1, n_batch: int = 96) -> None:
        self.n_heads = n_heads
        self.n_batch = n_batch
        self.cells: list[dict[int, tuple[int, tuple[float, ...]]]] = [{} for _ in range(self.n_seq_max)]
        self.head = 0
        self.rows: list[tuple[int, int, int, States, bool]] = []
        self.n_without_room = 0

    def decode(self, batch: FakeBatch) -> DecodeResult:
        if self.n_without_room:
            self.n_without_room -= 1
            return DecodeResult.NO_ROOM
        for slot, position, token, state, _ in batch.rows:
            assert not self.cells[slot] or position == max(self.cells[slot]) + 1
            self.cells[slot][position] = token, tuple(state.tolist())
        self.rows = list(batch.rows)
        return DecodeResult.DONE

    def logits(self, index: int) -> States:
        assert self.rows[index][4], "no logits there"
        logits = np.full(N_VOCAB, -20, np.float32)
        logits[next_token(self.rows[index][2])] = 20
        return logits

    def state(self, index: int) -> States:
        return np.array([-1.0, self.rows[index][2]], np.float32)

    def select_head(self, head: int) -> None:
        self.head = head

    def remove_from(self, sequence: int, position: int) -> bool:
        for at in [at for at in self.cells[sequence] if at >= position]:
            del self.cells[sequence][at]
        return True

    def clear(self, sequence: int) -> None:
        self.cells[sequence].clear()


class Model:
    """Several slots whose texts grow, are cut, and are replaced, all of it shown to the heads."""

    def __init__(self, heads: FakeHeads) -> None:
        self.heads = heads
        self.texts: list[list[int]] = [[] for _ in range(heads.n_seq_max)]
        self.first_seen = [0] * heads.n_seq_max
        self._states = np.zeros((0, N_EMBD), np.float32)
        self.drafter = PredictionHeads[FakeBatch](
            context=heads, states=lambda n: self._states[:n], make_batch=FakeBatch
        )

    def compute(self, **parts: tuple[int, list[int]]) -> None:
        """Compute tokens behind the first ``n`` of a slot; in one batch for all slots."""
        shown, states = [], []
        for name, (n, tokens) in parts.items():
            slot = int(name.removeprefix("slot"))
            self.texts[slot] = self.texts[slot][:n] + tokens
            for end in range(n + 1, n + len(tokens) + 1):
                states.append(state_after(self.texts[slot][:end]))
            text = np.array(self.texts[slot], np.int32)
            shown.append(DecodedPart(slot, text[:n], text[n:]))
        self._states = np.array(states, np.float32)
        self.drafter.follow(shown)

    def draft(self, slot: int, token: int, *, n_max: int = 3) -> list[int] | None:
        text = np.array([*self.texts[slot], token], np.int32)
        draft = self.drafter.draft([DraftRequest(slot, text, n_max)])[0]
        return None if draft is None else draft.tolist()

    def check(self, slot: int) -> None:
        """All that the heads have read of a slot is the text, each token with the state before it."""
        text = self.texts[slot]
        for at, (token, state) in self.heads.cells[slot].items():
            if at >= len(text):
                continue  # of a draft
            assert token == text[at]
            assert state in ((0.0, 0.0), tuple(state_after(text[:at])) if at else (0.0, 0.0)), at


def test_each_token_is_read_with_the_state_before_it() -> None:
    model = Model(FakeHeads())
    model.compute(slot0=(0, [1, 2, 3]), slot1=(0, [4, 5]))
    assert model.draft(0, 9) == [next_token(9), next_token(next_token(9)), model_token(9, 3)]
    assert [model.heads.cells[0][at] for at in range(4)] == [
        (1, (0.0, 0.0)),
        (2, (1.0, 1.0)),
        (3, (2.0, 2.0)),
        (9, (3.0, 3.0)),
    ]


def model_token(token: int, n: int) -> int:
    for _ in range(n):
        token = next_token(token)
    return token


def test_rejected_drafts_are_read_as_if_they_had_not_been() -> None:
    model = Model(FakeHeads())
    model.compute(slot0=(0, [1, 2]))
    draft = model.draft(0, 9)
    assert draft is not None
    model.compute(slot0=(2, [9, *draft]))
    model.texts[0] = [1, 2, 9, draft[0]]  # the rest was rejected
    assert model.draft(0, 30) is not None
    assert [model.heads.cells[0][at] for at in range(2, 5)] == [
        (9, (2.0, 2.0)),
        (draft[0], (3.0, 9.0)),
        (30, (4.0, float(draft[0]))),
    ]


def test_long_prompt_is_read_in_portions_and_the_last_token_is_late_once() -> None:
    model = Model(FakeHeads())
    model.compute(slot0=(0, list(range(46)) * 10))
    assert len(model.heads.cells[0]) >= 460 - 2 * N_READ
    assert model.draft(0, 1) is None
    assert model.draft(0, 1) == [model_token(1, 1), model_token(1, 2), model_token(1, 3)]
    model.check(0)


def test_what_was_not_shown_is_skipped() -> None:
    """Such as an image, or a cache that was read from the disk."""
    model = Model(FakeHeads())
    model.compute(slot0=(0, [1, 2, 3]))
    assert model.draft(0, 4)
    model.texts[0] = [1, 2, 3, 4, 5, 6]
    assert model.draft(0, 7) == []
    model.compute(slot0=(6, [7, 8]))
    assert model.draft(0, 9) is not None
    assert sorted(model.heads.cells[0])[0] == 6
    assert model.heads.cells[0][7] == (8, (7.0, 7.0))


def test_without_room_the_cells_of_other_slots_go() -> None:
    model = Model(FakeHeads())
    model.compute(slot0=(0, [1, 2, 3]), slot1=(0, [4, 5]))
    model.draft(1, 6)
    model.heads.n_without_room = 1
    assert model.draft(0, 9)
    assert not model.heads.cells[1]
    model.heads.n_without_room = 2
    assert model.draft(0, 9) == []
    model.compute(slot0=(3, [9, 10]))
    assert model.draft(0, 11)
    model.check(0)


def test_several_heads_take_turns_and_each_reads_all() -> None:
    model = Model(FakeHeads(n_heads=2))
    model.compute(slot0=(0, [1, 2, 3]))
    assert model.draft(0, 9) == [model_token(9, 1), model_token(9, 2)]
    assert model.heads.head == 1
    assert [row[2] for row in model.heads.rows] == [9, model_token(9, 1)]
    model.check(0)


@pytest.mark.parametrize("seed", range(6))
def test_nothing_is_mixed_up_whatever_the_model_does(seed: int) -> None:
    chance = random.Random(seed)
    model = Model(FakeHeads(n_heads=chance.choice([1, 3])))
    for _ in range(150):
        slot = chance.randrange(3)
        if chance.random() < 0.1 and len(model.texts[slot]) < N_CTX // 2:
            model.texts[slot] += [chance.randrange(N_VOCAB) for _ in range(5)]  # not shown
        text = model.texts[slot]
        tokens = [chance.randrange(N_VOCAB) for _ in range(chance.choice([1, 1, 3, 200]))]
        n = chance.choice([len(text), len(text), chance.randrange(len(text) + 1), 0])
        if n + len(tokens) > N_CTX - 10:
            n = 0
        model.compute(**{f"slot{slot}": (n, tokens)})
        if chance.random() < 0.7:
            token = chance.randrange(N_VOCAB)
            draft = model.draft(slot, token)
            if draft:
                n_accepted = chance.randrange(len(draft) + 1)
                model.compute(**{f"slot{slot}": (len(model.texts[slot]), [token, *draft])})
                model.texts[slot] = model.texts[slot][: len(model.texts[slot]) - len(draft) + n_accepted]
                model.draft(slot, 1)
        if chance.random() < 0.1:
            model.heads.n_without_room = chance.choice([1, 2])
            model.draft(slot, 1)
            model.heads.n_without_room = 0
        if model.draft(slot, 1):  # cells that are out of date are removed when others are added
            model.check(slot)
