"""A rendered prompt as segments: the template's own text, or the content of a message."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fireside.core.message import PerceivedPart, Role


class PromptSegment(msgspec.Struct, frozen=True, kw_only=True):
    """A part of the prompt. Only where ``special`` is true may ``<|im_end|>`` become a control token."""

    text: str
    special: bool
    role: Role | None = None
    """Role of the message; ``None`` for the template's own text, and where it is unknown."""
    message: int | None = None
    """Index of the message in the conversation as rendered."""
    image: int | None = None
    """Index into ``Prompt.images`` of the image at this point; ``text`` is empty then."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Segments in order, without empty ones; adjacent scaffolds (the template's own text) are joined."""

    segments: tuple[PromptSegment, ...]
    images: tuple[PerceivedPart, ...] = ()

    @property
    def text(self) -> str:
        """The whole text, without images."""
        return "".join(segment.text for segment in self.segments)

    @property
    def generation_prompt(self) -> str:
        """The scaffold at the end, after which the answer begins; it may open reasoning."""
        return self.segments[-1].text if self.segments and self.segments[-1].special else ""


def prompt_of(segments: Iterable[PromptSegment], *, images: tuple[PerceivedPart, ...] = ()) -> Prompt:
    """Return a prompt without empty segments and with adjacent scaffolds joined."""
    joined: list[PromptSegment] = []
    for segment in segments:
        if segment.special and joined and joined[-1].special:
            joined.append(PromptSegment(text=joined.pop().text + segment.text, special=True))
        elif segment.text or segment.image is not None:
            joined.append(segment)
    return Prompt(segments=tuple(joined), images=images)
