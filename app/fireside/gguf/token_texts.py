"""Read the texts of single tokens, which ``read_header`` skips with the rest of the vocabulary."""

from __future__ import annotations

import contextlib
from collections.abc import Collection
from pathlib import Path
from typing import Final

from fireside.core.errors import ModelFileInvalid
from fireside.core.i18n import tr_noop
from fireside.gguf.cursor import MAX_STRING_BYTES, Cursor
from fireside.gguf.header import GgufHeader, Omitted, Scalar
from fireside.gguf.metadata import MetadataReader
from fireside.gguf.reader import MAX_METADATA

TOKENS_KEY: Final = "tokenizer.ggml.tokens"
_MAX_TEXT_BYTES: Final = 1024


class _TokensRead(Exception):
    """The tokens are read; the rest of the header is not needed."""


def read_tokens(header: GgufHeader, ids: Collection[int], *, also: Collection[str] = ()) -> dict[int, str]:
    """Return the texts of the tokens ``ids``, and of those whose text is one of ``also``, by their ids.

    Missing ones are left out. Blocks on the disk; raises ``ModelFileInvalid`` or ``OSError``.
    """
    with Path(header.path).open("rb", buffering=0) as source:
        cursor = Cursor(source, size_bytes=header.size_bytes, path=header.path)
        cursor.take(8)
        cursor.u64()  # number of tensors
        n_metadata = cursor.u64()
        reader = _TokenReader(cursor, ids=frozenset(ids), also=frozenset(text.encode() for text in also))
        if n_metadata > MAX_METADATA:
            raise ModelFileInvalid(path=header.path, reason=tr_noop("it has changed meanwhile."))
        with contextlib.suppress(_TokensRead):
            reader.read(n_metadata)
        return reader.texts


class _TokenReader(MetadataReader):
    def __init__(self, cursor: Cursor, *, ids: frozenset[int], also: frozenset[bytes]) -> None:
        super().__init__(cursor)
        self.texts: dict[int, str] = {}
        self._tokens = cursor
        self._ids = ids
        self._also = also

    def _strings(self, key: str, count: int) -> tuple[Scalar, ...] | Omitted:
        if key != TOKENS_KEY:
            return super()._strings(key, count)
        cursor = self._tokens
        cursor.count_strings(count)
        for number in range(count):
            length = cursor.string_length(limit=MAX_STRING_BYTES, what="a token")
            if length > _MAX_TEXT_BYTES:
                cursor.skip(length)
                continue
            text = cursor.take(length)
            if number in self._ids or text in self._also:
                self.texts[number] = text.decode(errors="replace")
        raise _TokensRead
