"""What a family of models writes around the parts of its tool calls."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

import msgspec

NUMBER: Final = "\0"
"""Stands in a mark for the number of the call."""


class CallMarks(msgspec.Struct, frozen=True, kw_only=True):
    """The texts in their order: ``section opens id named_by name name_ends arguments closes … ends``.

    The arguments are one JSON object, or each is ``key_opens key key_ends value value_ends``. Space at either
    end of a mark, and at its line breaks, may be missing or be more.
    """

    section: str = ""
    """Before the first call; it may be left out."""
    opens: str
    """Before each call."""
    named_by: str = ""
    """Behind an id that stands before the name; empty where none does."""
    name_ends: str = ""
    closes: str = ""
    """Behind the arguments."""
    between: str = ""
    ends: str = ""
    """Behind the last call."""
    key_opens: str = ""
    """Empty where the arguments are JSON."""
    key_ends: str = ""
    """Between a key and a value that is text."""
    other_key_ends: tuple[tuple[str, str], ...] = ()
    """The same before values of other JSON types, by type."""
    value_ends: str = ""
    is_padded: bool = False
    """Whether a value has a line break before and behind it that is not its own."""

    @property
    def texts(self) -> Iterator[str]:
        """All marks, in pieces that are written without a space between."""
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
        """Return what stands between a key and a value of a JSON type."""
        return dict(self.other_key_ends).get(str(kind), self.key_ends)


def pieces(mark: str) -> list[str]:
    """Return the parts of ``mark`` between which there may be space or none."""
    return [piece for piece in re.split(r"\s*\n\s*|(?<=>)(?=<)", mark.strip()) if piece]
