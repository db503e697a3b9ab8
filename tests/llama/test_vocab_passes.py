"""The vocabulary is scanned once, and the cache of answers evicts the least recently used."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fireside.runner import vocab as vocab_module
from fireside.runner.native import lib
from fireside.runner.prompt.segments import PromptSegment, prompt_of
from llama.bare_vocab import BareVocab


@pytest.fixture
def vocab(starter_model_path: Path) -> Iterator[BareVocab]:
    with BareVocab(starter_model_path) as vocab:
        yield vocab


def test_vocabulary_is_scanned_once(vocab: BareVocab, monkeypatch: pytest.MonkeyPatch) -> None:
    read, ends = lib.llama_vocab_get_attr, lib.llama_vocab_is_eog
    every = [token for token in range(vocab.n_tokens) if ends(vocab.handle, token)]
    n_calls = {"attribute": 0, "ends": 0}

    def counted_attribute(handle: object, token: int) -> int:
        n_calls["attribute"] += 1
        return int(read(handle, token))

    def counted_end(handle: object, token: int) -> bool:
        n_calls["ends"] += 1
        return bool(ends(handle, token))

    monkeypatch.setattr(lib, "llama_vocab_get_attr", counted_attribute)
    monkeypatch.setattr(lib, "llama_vocab_is_eog", counted_end)
    assert "<|im_end|>" in vocab.control_tokens()
    assert vocab.control_tokens()["<|im_end|>"] in vocab.end_tokens
    assert list(vocab.end_tokens) == every
    assert n_calls["attribute"] == vocab.n_tokens
    assert n_calls["ends"] < 1000


def test_used_answer_is_not_evicted_first(vocab: BareVocab, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vocab_module, "_MAX_ANSWERS", 2)
    letters = {letter: vocab.tokenize_text(letter)[0] for letter in "abcd"}

    def letter_by_letter(text: str) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
        """``text`` tokenized letter by letter, as a model might generate it."""
        return np.array([letters[letter] for letter in text], np.int32)

    def tokens(text: str) -> list[int]:
        return [int(token) for token in vocab.tokenize(prompt_of([PromptSegment(text=text, special=False)]))]

    for text in ("abab", "baba"):
        vocab.remember_answer(text, letter_by_letter(text))
    assert tokens("abab") == letter_by_letter("abab").tolist()
    vocab.remember_answer("dada", letter_by_letter("dada"))
    assert tokens("abab") == letter_by_letter("abab").tolist()
    assert tokens("baba") != letter_by_letter("baba").tolist()
