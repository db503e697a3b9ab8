"""Check that a draft model has the vocabulary of the main model."""

from __future__ import annotations

from typing import Any, Final, Protocol

from fireside.core.i18n import Phrase, Translatable, tr_noop
from fireside.runner.native import lib

_MAX_EXTRA: Final = 128
"""Padding tokens at the end of a vocabulary, whose number differs within a model family."""
_N_UNCHECKED: Final = 5
"""The first tokens are often control tokens under other names."""


class TokenTable(Protocol):
    """A vocabulary as a table of texts."""

    n_tokens: int
    kind: int
    """The tokenizer type: llama.cpp's ``enum llama_vocab_type``."""
    special: tuple[int, ...]
    """BOS and EOS tokens, and whether they are added."""

    def raw_text(self, token: int) -> bytes:
        """Return a token's text as stored in the file."""
        ...


def vocab_mismatch(main: TokenTable, draft: TokenTable) -> Translatable | None:
    """Return why ``draft`` cannot be the draft model of ``main``; ``None`` if it can."""
    if main.kind != draft.kind:
        return tr_noop("its tokenizer differs")
    if abs(main.n_tokens - draft.n_tokens) > _MAX_EXTRA:
        return Phrase(
            tr_noop("its vocabulary has {n_small} tokens, the model’s {n_large}"),
            {"n_small": draft.n_tokens, "n_large": main.n_tokens},
        )
    if main.special != draft.special:
        return tr_noop("its begin or end tokens differ")
    for token in range(_N_UNCHECKED, min(main.n_tokens, draft.n_tokens)):
        if main.raw_text(token) != draft.raw_text(token):
            return Phrase(tr_noop("token {token} stands for another text in it"), {"token": token})
    return None


class NativeTable:
    """The vocabulary of a loaded model."""

    def __init__(self, handle: Any) -> None:
        self._handle = handle
        self.n_tokens = int(lib.llama_vocab_n_tokens(handle))
        self.kind = int(lib.llama_vocab_type(handle))
        self.special: tuple[int, ...] = (
            int(lib.llama_vocab_bos(handle)),
            int(lib.llama_vocab_eos(handle)),
            int(lib.llama_vocab_get_add_bos(handle)),
            int(lib.llama_vocab_get_add_eos(handle)),
        )

    def raw_text(self, token: int) -> bytes:
        """Return the text of ``token`` as stored in the file."""
        text = lib.llama_vocab_get_text(self._handle, token)
        return bytes(text) if text is not None else b""
