"""Read the metadata of a GGUF header; large values are omitted."""

from __future__ import annotations

from fireside.gguf.cursor import HEADER_TOO_LARGE, MAX_STRING_BYTES, Cursor
from fireside.gguf.format_constants import SCALARS, ValueType
from fireside.gguf.header import MetadataValue, Omitted, Scalar, printable

MAX_KEY_BYTES = 65_535
MAX_KEPT_TEXT_BYTES = 256 * 1024
"""Chat templates are the longest texts that are used; the largest known has 30 kB."""
MAX_KEPT_ELEMENTS = 1024
MAX_KEPT_STRINGS = 64
MAX_KEPT_BYTES = 16 * 1024 * 1024
MAX_KEPT_TOTAL = 64 * 1024
"""Elements of all lists together: as Python values, they take many times their size in the file."""
STRING_WEIGHT = 16
"""A text in a list counts as so many numbers."""


class MetadataReader:
    """Reads key–value pairs at the cursor. Keeps at most 16 MiB of one file."""

    def __init__(self, cursor: Cursor) -> None:
        self.kinds: dict[str, str] = {}
        """The type of each property read so far, in the format's terms."""
        self._cursor = cursor
        self._n_kept_bytes = 0
        self._n_kept_elements = 0

    def read(self, count: int) -> dict[str, MetadataValue]:
        """Read ``count`` entries and return them by key. Raises ``ModelFileInvalid``."""
        metadata: dict[str, MetadataValue] = {}
        for _ in range(count):
            key = self._key()
            if key in metadata:
                self._cursor.refuse_damaged(f"the property “{printable(key)}” is there twice")
            metadata[key] = self._value(key)
        return metadata

    def _key(self) -> str:
        cursor = self._cursor
        length = cursor.string_length(limit=MAX_KEY_BYTES, what="the name of a property")
        if not length:
            cursor.refuse_damaged("a property has no name")
        self._n_kept_bytes += length
        if self._n_kept_bytes > MAX_KEPT_BYTES:
            cursor.refuse_damaged(HEADER_TOO_LARGE)
        try:
            return cursor.take(length).decode()
        except UnicodeDecodeError:
            cursor.refuse_damaged("the name of a property is no text")

    def _value(self, key: str) -> MetadataValue:
        value_type = self._value_type(key)
        self.kinds[key] = value_type.name.lower()
        if value_type is ValueType.ARRAY:
            return self._array(key)
        if value_type is ValueType.STRING:
            return self._text(key)
        layout = SCALARS[value_type]
        scalar: Scalar = layout.unpack(self._cursor.take(layout.size))[0]
        return scalar

    def _value_type(self, key: str) -> ValueType:
        kind = self._cursor.u32()
        try:
            return ValueType(kind)
        except ValueError:
            self._cursor.refuse_damaged(f"the property “{printable(key)}” has the unknown type {kind}")

    def _text(self, key: str) -> str | Omitted:
        cursor = self._cursor
        length = cursor.string_length(limit=MAX_STRING_BYTES, what=f"the property “{printable(key)}”")
        if length > MAX_KEPT_TEXT_BYTES or self._n_kept_bytes + length > MAX_KEPT_BYTES:
            cursor.skip(length)
            return Omitted(element_type=ValueType.STRING, count=length)
        self._n_kept_bytes += length
        return cursor.take(length).decode(errors="replace")

    def _array(self, key: str) -> tuple[Scalar, ...] | Omitted:
        cursor = self._cursor
        element_type = self._value_type(key)
        self.kinds[key] = f"array of {element_type.name.lower()}"
        count = cursor.u64()
        if element_type is ValueType.ARRAY:
            cursor.refuse_damaged(f"the property “{printable(key)}” is a list of lists")
        if element_type is ValueType.STRING:
            return self._strings(key, count)
        layout = SCALARS[element_type]
        n_bytes = count * layout.size
        if (
            not self._reserve(count, limit=MAX_KEPT_ELEMENTS, weight=1)
            or self._n_kept_bytes + n_bytes > MAX_KEPT_BYTES
        ):
            cursor.skip(n_bytes)
            return Omitted(element_type=element_type, count=count)
        self._n_kept_bytes += n_bytes
        return tuple(value for (value,) in layout.iter_unpack(cursor.take(n_bytes)))

    def _strings(self, key: str, count: int) -> tuple[Scalar, ...] | Omitted:
        if self._reserve(count, limit=MAX_KEPT_STRINGS, weight=STRING_WEIGHT):
            texts = [self._text(key) for _ in range(count)]
            complete = tuple(text for text in texts if isinstance(text, str))
            return complete if len(complete) == count else Omitted(element_type=ValueType.STRING, count=count)
        self._cursor.skip_strings(count)
        return Omitted(element_type=ValueType.STRING, count=count)

    def _reserve(self, count: int, *, limit: int, weight: int) -> bool:
        """Return whether a list fits into the limits of kept elements; if so, count it."""
        if count > limit or self._n_kept_elements + count * weight > MAX_KEPT_TOTAL:
            return False
        self._n_kept_elements += count * weight
        return True
