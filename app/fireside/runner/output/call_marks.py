"""The markers of a tool-call format."""

from __future__ import annotations

import os.path
import re
from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

NUMBER: Final = "\0"
"""Placeholder in a marker for the number of the call."""


class CallMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The texts in their order: ``section opens id named_by name name_ends arguments closes … ends``.

    The arguments are one JSON object, or each is ``key_opens key key_ends value value_ends``. White space at
    either end of a marker, and at its line breaks, is optional.
    """

    section: str = ""
    """Before the first call; optional."""
    opens: str
    """Before each call."""
    named_by: str = ""
    """After an id that precedes the name; empty without one."""
    name_ends: str = ""
    closes: str = ""
    """After the arguments."""
    between: str = ""
    ends: str = ""
    """After the last call."""
    key_opens: str = ""
    """Empty if the arguments are JSON."""
    key_ends: str = ""
    """Between a key and a string value."""
    other_key_ends: tuple[tuple[str, str], ...] = ()
    """The same before values of other JSON types, by type."""
    value_ends: str = ""
    is_padded: bool = False
    """Whether a value is surrounded by line breaks that are not part of it."""

    @property
    def texts(self) -> Iterator[str]:
        """All markers, in pieces without white space between them."""
        for mark in (
            self.section,
            self.opens,
            self.named_by,
            self.name_ends,
            self.closes,
            self.between,
            self.ends,
            self.key_opens,
            self.key_ends,
            *(end for _, end in self.other_key_ends),
            self.value_ends,
        ):
            yield from pieces(mark)

    def key_ends_before(self, kind: object) -> str:
        """Return the marker between a key and a value of a JSON type."""
        return dict(self.other_key_ends).get(str(kind), self.key_ends)


def common_prefix(texts: Sequence[str]) -> str:
    """Return the longest text that all of ``texts`` begin with."""
    return os.path.commonprefix(texts)  # noqa: RUF071  # made for paths, and works on any texts


def pieces(mark: str) -> list[str]:
    """Return the parts of ``mark`` between which white space is optional."""
    return [piece for piece in re.split(r"\s*\n\s*|(?<=>)(?=<)", mark.strip()) if piece]
