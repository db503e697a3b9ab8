"""llguidance's tokenizer table for a vocabulary: every token's bytes, and which tokens are special."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

from llama_cpp.llama_cpp import _lib

from fireside.runner.native import lib

if TYPE_CHECKING:
    from llguidance import LLTokenizer

_SPECIAL_MARK: Final = b"\xff"
"""Prefix for special tokens: the bytes are the token's name, not text."""

_ATTRIBUTE_UNKNOWN: Final = 1
_ATTRIBUTE_UNUSED: Final = 2
_ATTRIBUTE_CONTROL: Final = 8
_ATTRIBUTE_USER_DEFINED: Final = 16


def build_table(vocab: Any, *, token_bytes: Callable[[int], bytes], end_tokens: list[int]) -> LLTokenizer:
    """Return the table of llama.cpp's ``vocab``. Takes 0.2 to 1 s, mostly without the interpreter lock.

    Args:
        token_bytes: returns the bytes of a token, or the name of a control token.
        end_tokens: the end-of-generation tokens, at least one.
    """
    # Imported only by runners that use constraints.
    from llguidance import LLTokenizer

    n_tokens = int(lib.llama_vocab_n_tokens(vocab))
    return LLTokenizer.from_llamacpp(  # type: ignore[attr-defined, no-any-return]  # missing from its stubs
        tokens=[_marked_bytes(vocab, token, token_bytes(token)) for token in range(n_tokens)],
        vocab_ptr=vocab,
        tokenize_fptr=ctypes.cast(_lib.llama_tokenize, ctypes.c_void_p).value,
        eos_token=end_tokens,
        slices=None,
    )


def _marked_bytes(vocab: Any, token: int, piece: bytes) -> bytes:
    """Return ``piece``, the bytes of ``token``, with a prefix if it is special."""
    attribute = lib.llama_vocab_get_attr(vocab, token)
    special = attribute & (_ATTRIBUTE_UNKNOWN | _ATTRIBUTE_UNUSED | _ATTRIBUTE_CONTROL) or (
        attribute & _ATTRIBUTE_USER_DEFINED and piece.startswith(b"<") and piece.endswith(b">")
    )
    return _SPECIAL_MARK + piece if special and piece else piece
