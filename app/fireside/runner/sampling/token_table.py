"""llguidance's tokenizer table for a vocabulary: every token's bytes, and which tokens are special."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, Final

from llama_cpp.llama_cpp import _lib

from fireside.runner.native import lib

if TYPE_CHECKING:
    from llguidance import LLTokenizer

_PIECE_BYTES: Final = 512
_SPECIAL_MARK: Final = b"\xff"
"""Prefix for special tokens: the bytes are the token's name, not text."""

_ATTRIBUTE_UNKNOWN: Final = 1
_ATTRIBUTE_UNUSED: Final = 2
_ATTRIBUTE_CONTROL: Final = 8
_ATTRIBUTE_USER_DEFINED: Final = 16


def build_table(vocab: Any, *, end_tokens: list[int]) -> LLTokenizer:
    """Return the table of llama.cpp's ``vocab``. Takes 0.2 to 1 s, mostly without the interpreter lock.

    Args:
        end_tokens: the end-of-generation tokens, at least one.
    """
    # Imported only by runners that use constraints.
    from llguidance import LLTokenizer

    n_tokens = int(lib.llama_vocab_n_tokens(vocab))
    return LLTokenizer.from_llamacpp(  # type: ignore[attr-defined, no-any-return]  # missing from its stubs
        tokens=[_name_or_bytes(vocab, token) for token in range(n_tokens)],
        vocab_ptr=vocab,
        tokenize_fptr=ctypes.cast(_lib.llama_tokenize, ctypes.c_void_p).value,
        eos_token=end_tokens,
        slices=None,
    )


def _name_or_bytes(vocab: Any, token: int) -> bytes:
    buffer = ctypes.create_string_buffer(_PIECE_BYTES)
    n = lib.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, True)
    if n < 0:
        buffer = ctypes.create_string_buffer(-n)
        n = lib.llama_token_to_piece(vocab, token, buffer, len(buffer), 0, True)
    piece = buffer.raw[: max(0, n)]
    attribute = lib.llama_vocab_get_attr(vocab, token)
    special = attribute & (_ATTRIBUTE_UNKNOWN | _ATTRIBUTE_UNUSED | _ATTRIBUTE_CONTROL) or (
        attribute & _ATTRIBUTE_USER_DEFINED and piece.startswith(b"<") and piece.endswith(b">")
    )
    return _SPECIAL_MARK + piece if special and piece else piece
