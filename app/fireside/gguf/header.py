"""The values of a GGUF header."""

from __future__ import annotations

import msgspec

from fireside.gguf.format_constants import TENSOR_TYPES, TensorType, ValueType


class Omitted(msgspec.Struct, frozen=True, kw_only=True):
    """A value that was checked and skipped: a long array, or a text of more than 256 KiB."""

    element_type: ValueType
    count: int
    """Elements of an array; bytes of a text."""


Scalar = bool | int | float | str
MetadataValue = Scalar | tuple[Scalar, ...] | Omitted


class TensorInfo(msgspec.Struct, frozen=True, kw_only=True):
    """Name, shape and position of one tensor; its data is never read."""

    name: str
    shape: tuple[int, ...]
    """In ggml's order: the row length first."""
    type_id: int
    offset: int
    """Bytes from ``Header.data_offset``."""
    n_elements: int
    n_bytes: int

    @property
    def type(self) -> TensorType:
        """The format of its numbers."""
        return TENSOR_TYPES[self.type_id]


class GgufHeader(msgspec.Struct, frozen=True, kw_only=True):
    """A GGUF file without its tensor data. Sizes and offsets in bytes."""

    path: str
    size_bytes: int
    version: int
    alignment: int
    data_offset: int
    metadata: dict[str, MetadataValue]
    tensors: tuple[TensorInfo, ...]
    kinds: dict[str, str] = {}
    """The type of each property: ``uint32``, ``string``, ``array of float32``."""

    def text(self, key: str) -> str:
        """Return a text value; empty if it is missing or no text."""
        value = self.metadata.get(key)
        return value if isinstance(value, str) else ""

    def integer(self, key: str) -> int | None:
        """Return an integer, or the largest of an array of integers; ``None`` if it is neither."""
        value = self.metadata.get(key)
        if isinstance(value, tuple):
            numbers = [n for n in value if isinstance(n, int) and not isinstance(n, bool)]
            return max(numbers) if numbers and len(numbers) == len(value) else None
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    def length(self, key: str) -> int | None:
        """Return the number of elements of an array, also of an omitted one; ``None`` if it is no array."""
        value = self.metadata.get(key)
        match value:
            case tuple():
                return len(value)
            case Omitted():
                return value.count
            case _:
                return None


def printable(text: str, *, limit: int = 64) -> str:
    """Return ``text`` printable, on one line and at most ``limit`` characters long.

    Control, bidirectional and private characters could change how the surrounding line is displayed.
    """
    clean = "".join(character if character.isprintable() else "\ufffd" for character in text[:limit])
    return clean if len(text) <= limit else clean[:-1] + "…"
