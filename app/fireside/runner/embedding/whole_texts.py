"""Tokenize whole texts and pairs with the model's begin, separator and end tokens."""

from __future__ import annotations

import numpy as np

from fireside.runner.native import lib
from fireside.runner.prompt.segments import PromptSegment, prompt_of
from fireside.runner.tokens import Tokens
from fireside.runner.vocab import Vocab


class WholeTexts:
    """Tokenizes for an embedding model or reranker; see ``WholeTokenizer``."""

    def __init__(self, vocab: Vocab) -> None:
        handle = vocab.handle
        self._vocab = vocab
        self._begin = _optional_token(lib.llama_vocab_bos(handle), lib.llama_vocab_get_add_bos(handle))
        eos, sep = int(lib.llama_vocab_eos(handle)), int(lib.llama_vocab_sep(handle))
        # As in llama.cpp's server: without an EOS token, the separator ends a text.
        self._end = _optional_token(eos if eos >= 0 else sep, lib.llama_vocab_get_add_eos(handle))
        self._separator = _optional_token(sep, lib.llama_vocab_get_add_sep(handle))
        self._final = self._separator if not len(self._end) else self._end

    def tokenize_whole(self, text: str) -> Tokens:
        """Return the tokens of ``text`` with the model's begin and end tokens."""
        return np.concatenate([self._begin, self._without_bos((text, False)), self._final])

    def tokenize_pair(self, first: str, second: str) -> Tokens:
        """Return the tokens of two texts with the model's begin, separator and end tokens."""
        left, right = self._without_bos((first, False)), self._without_bos((second, False))
        return np.concatenate([self._begin, left, self._end, self._separator, right, self._final])

    def tokenize_template(self, parts: tuple[tuple[str, bool], ...]) -> Tokens:
        """Return the tokens of (text, special) parts; control tokens only in those that are special."""
        return self._without_bos(*parts)

    def _without_bos(self, *parts: tuple[str, bool]) -> Tokens:
        prompt = prompt_of(PromptSegment(text=text, special=special) for text, special in parts)
        tokens = self._vocab.tokenize(prompt)
        n_begin = len(self._begin)
        return tokens[n_begin:] if n_begin and np.array_equal(tokens[:n_begin], self._begin) else tokens


def _optional_token(token: int, is_used: object) -> Tokens:
    return np.array([token] if is_used and token >= 0 else [], np.int32)
