"""A rendered prompt: which text is the template's own and which is somebody's words."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of prompt text. Only where ``special`` is true may ``<|im_end|>`` become a control token."""

    text: str
    special: bool


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Segments in order, no two scaffolds in a row, none empty."""

    segments: tuple[Segment, ...]

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)


def prompt_of(segments: Iterable[Segment]) -> Prompt:
    """Return a prompt without empty segments and with neighbouring scaffolds joined."""
    joined: list[Segment] = []
    for segment in segments:
        if segment.special and joined and joined[-1].special:
            joined.append(Segment(text=joined.pop().text + segment.text, special=True))
        elif segment.text:
            joined.append(segment)
    return Prompt(segments=tuple(joined))
