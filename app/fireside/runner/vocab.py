"""The vocabulary of a loaded model: text to tokens and tokens to bytes."""

from __future__ import annotations

import ctypes
import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable
from functools import cached_property
from typing import Any, Final

import numpy as np

from fireside.runner.native import lib
from fireside.runner.prompt.infill import InfillTokens
from fireside.runner.prompt.segments import Prompt
from fireside.runner.tokens import NO_TOKENS, Tokens

_ATTRIBUTE_UNKNOWN: Final = 1
_ATTRIBUTE_NORMAL: Final = 4
_ATTRIBUTE_CONTROL: Final = 8
_ATTRIBUTE_USER_DEFINED: Final = 16
_PIECE_BYTES: Final = 512
_MAX_ANSWERS: Final = 256
_MAX_CACHED_CHARS: Final = 2_000_000

ImageTokens = Callable[[int], Tokens]


class Vocab:
    """The vocabulary and tokenizer of one model. Invalid ids never reach llama.cpp, which would abort.

    Tokenizing is thread-safe.
    """

    def __init__(self, model: Any) -> None:
        self._vocab = lib.llama_model_get_vocab(model)
        self.n_tokens = int(lib.llama_vocab_n_tokens(self._vocab))
        self._pieces: dict[int, bytes] = {}
        self._visible: frozenset[int] = frozenset()
        self._end_tokens: dict[int, bool] = {}
        self._bos = int(lib.llama_vocab_bos(self._vocab))
        self._adds_bos = bool(lib.llama_vocab_get_add_bos(self._vocab)) and self._bos >= 0
        self._newline = self._find_newline()
        self._answers: OrderedDict[str, Tokens] = OrderedDict()
        self._cache: OrderedDict[tuple[str, bool, bool], Tokens] = OrderedDict()
        self._n_cached_chars = 0
        self._cache_lock = threading.Lock()
        """Guards the caches; never held while llama.cpp tokenizes."""

    @property
    def handle(self) -> Any:
        """llama.cpp's vocabulary, which any thread may read."""
        return self._vocab

    # Tokens to bytes

    def piece(self, token: int) -> bytes:
        """Return the bytes of ``token``; empty for control tokens that are not visible."""
        piece = self._pieces.get(token)
        if piece is None:
            piece = self._pieces[token] = self._read_piece(token, special=False)
        return piece

    def _read_piece(self, token: int, *, special: bool) -> bytes:
        if not 0 <= token < self.n_tokens:
            return b""
        buffer = ctypes.create_string_buffer(_PIECE_BYTES)
        n = lib.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, special)
        if n < 0:
            buffer = ctypes.create_string_buffer(-n)
            n = lib.llama_token_to_piece(self._vocab, token, buffer, len(buffer), 0, special)
        return buffer.raw[: max(0, n)]

    def set_visible(self, tokens: Iterable[int]) -> None:
        """Make ``piece`` return the text of these control tokens, which the output parser needs."""
        self._visible = frozenset(tokens)
        for token in self._visible:
            self._pieces[token] = self._read_piece(token, special=True)

    def detokenize(self, tokens: Tokens) -> str:
        """Return ``tokens`` as text, including control tokens."""
        return b"".join(self._read_piece(int(token), special=True) for token in tokens).decode(
            "utf-8", "replace"
        )

    def is_eog(self, token: int) -> bool:
        """Whether ``token`` is an end-of-generation token."""
        ends = self._end_tokens.get(token)
        if ends is None:
            ends = self._end_tokens[token] = bool(lib.llama_vocab_is_eog(self._vocab, token))
        return ends

    @property
    def bos_text(self) -> str:
        """Text of the BOS token; empty if there is none."""
        return self._token_text(self._bos)

    @property
    def eos_text(self) -> str:
        return self._token_text(int(lib.llama_vocab_eos(self._vocab)))

    @property
    def infill(self) -> InfillTokens | None:
        """The FIM tokens; ``None`` for a model without fill-in-the-middle."""
        prefix, suffix, middle = (
            int(find(self._vocab))
            for find in (lib.llama_vocab_fim_pre, lib.llama_vocab_fim_suf, lib.llama_vocab_fim_mid)
        )
        if min(prefix, suffix, middle) < 0:
            return None
        return InfillTokens(
            prefix=prefix,
            suffix=suffix,
            middle=middle,
            project=int(lib.llama_vocab_fim_rep(self._vocab)),
            file=int(lib.llama_vocab_fim_sep(self._vocab)),
        )

    def _token_text(self, token: int) -> str:
        return self._read_piece(token, special=True).decode("utf-8", "replace")

    @cached_property
    def _not_normal(self) -> dict[int, int]:
        """The attributes of all tokens that are not normal. The only pass over the whole vocabulary."""
        read = lib.llama_vocab_get_attr
        attributes = ((token, int(read(self._vocab, token))) for token in range(self.n_tokens))
        return {token: attribute for token, attribute in attributes if attribute != _ATTRIBUTE_NORMAL}

    @cached_property
    def end_tokens(self) -> tuple[int, ...]:
        """All end-of-generation tokens."""
        named = (
            find(self._vocab)
            for find in (
                lib.llama_vocab_eos,
                lib.llama_vocab_eot,
                lib.llama_vocab_fim_pad,
                lib.llama_vocab_fim_rep,
                lib.llama_vocab_fim_sep,
            )
        )
        candidates = {*self._not_normal, *(int(token) for token in named if token >= 0)}
        return tuple(token for token in sorted(candidates) if self.is_eog(token))

    def control_tokens(self) -> dict[str, int]:
        """Return all control tokens by text; user text must never be tokenized to one of these."""
        mask = _ATTRIBUTE_CONTROL | _ATTRIBUTE_UNKNOWN
        return {
            self._token_text(token): token
            for token, attribute in self._not_normal.items()
            if attribute & mask
        }

    def _is_special(self, token: int) -> bool:
        mask = _ATTRIBUTE_CONTROL | _ATTRIBUTE_UNKNOWN | _ATTRIBUTE_USER_DEFINED
        return bool(lib.llama_vocab_get_attr(self._vocab, token) & mask)

    # Text to tokens

    def tokenize(self, prompt: Prompt) -> Tokens:
        """Return the tokens of ``prompt``, with the BOS token once where the model wants one."""
        return np.concatenate(self.tokenize_segments(prompt))

    def tokenize_segments(self, prompt: Prompt, *, image_tokens: ImageTokens | None = None) -> list[Tokens]:
        """Return the BOS token or nothing, and then the tokens of each segment.

        Control tokens come only from segments marked ``special``. An answer that was generated here and
        reappears in the history gets the tokens that were generated, which are cached, and which need not be
        those that the tokenizer would choose.

        Args:
            image_tokens: returns the tokens of an image by its index; without it, images have none.
        """
        parts: list[Tokens] = []
        continues = False
        for segment in prompt.segments:
            if segment.image is not None:
                parts.append(image_tokens(segment.image) if image_tokens else NO_TOKENS)
                continues = False
                continue
            tokens = None if segment.special else self._answer(segment.text)
            if tokens is None:
                tokens = self._tokenize_text(segment.text, special=segment.special, continues=continues)
            if len(tokens):
                continues = not self._is_special(int(tokens[-1]))
            parts.append(tokens)
        return self._with_one_bos(parts)

    def tokenize_special(self, text: str) -> Tokens:
        """Tokenize ``text`` within an answer, recognizing control tokens."""
        return self._tokenize_text(text, special=True, continues=True)

    def tokenize_text(self, text: str) -> Tokens:
        """Tokenize ``text`` within an answer, without control tokens."""
        cached = self._answer(text)
        return cached if cached is not None else self._tokenize_text(text, special=False, continues=True)

    def is_control(self, token: int) -> bool:
        """Whether ``token`` is a control or unknown token."""
        if not 0 <= token < self.n_tokens:
            return False
        mask = _ATTRIBUTE_CONTROL | _ATTRIBUTE_UNKNOWN
        return bool(lib.llama_vocab_get_attr(self._vocab, token) & mask)

    def token_bytes(self, token: int) -> bytes:
        """Return the bytes of ``token``, or the name of a control token; empty for an image cell."""
        return self._read_piece(token, special=True)

    def _with_one_bos(self, parts: list[Tokens]) -> list[Tokens]:
        """Return ``parts`` with another one in front: the BOS token if it is missing, else empty."""
        bos = self._bos
        non_empty = [index for index, part in enumerate(parts) if len(part)]
        beginning = [int(token) for index in non_empty[:2] for token in parts[index][:2]][:2]
        if self._adds_bos and beginning[:1] != [bos]:
            return [np.array([bos], np.int32), *parts]
        if beginning == [bos, bos]:
            parts[non_empty[0]] = parts[non_empty[0]][1:]
        return [NO_TOKENS, *parts]

    def _tokenize_text(self, text: str, *, special: bool, continues: bool) -> Tokens:
        """Tokenize one segment, with a cache: most of a conversation is the same in the next turn."""
        key = (text, special, continues)
        with self._cache_lock:
            cached = self._cache.get(key)
            if cached is not None:
                self._cache.move_to_end(key)
                return cached
        parts: list[Tokens] = []
        for part in cut_long_runs(text):
            parts.append(self._tokenize_part(part, special=special, continues=continues or bool(parts)))
        tokens = np.concatenate(parts) if parts else NO_TOKENS
        with self._cache_lock:
            if key not in self._cache:
                self._cache[key] = tokens
                self._n_cached_chars += len(text)
            while self._n_cached_chars > _MAX_CACHED_CHARS:
                (old_text, _, _), _ = self._cache.popitem(last=False)
                self._n_cached_chars -= len(old_text)
        return tokens

    def _tokenize_part(self, text: str, *, special: bool, continues: bool) -> Tokens:
        if continues and self._newline is not None:
            # After a line break the tokenizer adds no further space.
            tokens = self._tokenize_native("\n" + text, special=special)
            n_newline = len(self._newline)
            if np.array_equal(tokens[:n_newline], self._newline):
                return tokens[n_newline:]
        return self._tokenize_native(text, special=special)

    def _find_newline(self) -> Tokens | None:
        """Return the tokens of a line break if this tokenizer adds a space before every text."""
        text = b"".join(self.piece(int(token)) for token in self._tokenize_native("x", special=False))
        return self._tokenize_native("\n", special=False) if text == b" x" else None

    def _tokenize_native(self, text: str, *, special: bool) -> Tokens:
        encoded = text.encode()
        n_max = len(encoded) + 8
        while True:
            tokens = np.empty(n_max, np.int32)
            pointer = tokens.ctypes.data_as(lib.llama_token_p)
            n = int(lib.llama_tokenize(self._vocab, encoded, len(encoded), pointer, n_max, False, special))
            if n >= 0:
                return tokens[:n].copy()
            n_max = -n

    # Generated answers

    def remember_answer(self, text: str, tokens: Tokens) -> None:
        """Remember that ``text`` was generated as ``tokens``, if it is the text of all of them.

        Not with control tokens among them: the same text written by the user is plain text.
        """
        pieces = [self.piece(int(token)) for token in tokens]
        if not self._visible.isdisjoint(tokens.tolist()):
            return
        if not text or not all(pieces) or b"".join(pieces) != text.encode():
            return
        with self._cache_lock:
            self._answers[text] = tokens.copy()
            self._answers.move_to_end(text)
            if len(self._answers) > _MAX_ANSWERS:
                self._answers.popitem(last=False)

    def _answer(self, text: str) -> Tokens | None:
        """Return the tokens that ``text`` was generated as; the least recently used are dropped first."""
        with self._cache_lock:
            tokens = self._answers.get(text)
            if tokens is not None:
                self._answers.move_to_end(text)
            return tokens


MAX_RUN_CHARS: Final = 4096
"""Longer runs without (or of nothing but) white space are split: some tokenizers take quadratic time for one
word, and no call can be interrupted. A split changes at most the tokens at its two sides."""

_LONG_RUN: Final = re.compile(rf"\S{{{MAX_RUN_CHARS}}}|\s{{{MAX_RUN_CHARS}}}")


def cut_long_runs(text: str) -> list[str]:
    """Return ``text`` in parts without an unbroken run much longer than ``MAX_RUN_CHARS``."""
    parts: list[str] = []
    start = 0
    while (match := _LONG_RUN.search(text, start)) is not None:
        parts.append(text[start : match.end()])
        start = match.end()
    if start < len(text):
        parts.append(text[start:])
    return parts
