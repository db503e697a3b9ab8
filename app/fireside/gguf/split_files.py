"""Models that are split into several files: ``name-00001-of-00003.gguf``."""

from __future__ import annotations

import re

import msgspec

MAX_PARTS = 1000

_PATTERN = re.compile(r"(?P<stem>.+)-(?P<number>\d{5})-of-(?P<count>\d{5})(?P<suffix>\.gguf)", re.IGNORECASE)


class SplitName(msgspec.Struct, frozen=True, kw_only=True):
    """Name of part ``number``, from 1, of ``count``."""

    stem: str
    number: int
    count: int
    suffix: str

    def sibling(self, number: int) -> str:
        """Return the file name of another part, as llama.cpp spells it."""
        return f"{self.stem}-{number:05d}-of-{self.count:05d}{self.suffix}"


def parse_split_name(file_name: str) -> SplitName | None:
    """Return the parts of a split file's name, ``None`` for any other name."""
    match = _PATTERN.fullmatch(file_name)
    if match is None:
        return None
    number, count = int(match["number"]), int(match["count"])
    if not 1 <= number <= count or not 2 <= count <= MAX_PARTS:
        return None
    return SplitName(stem=match["stem"], number=number, count=count, suffix=match["suffix"])
