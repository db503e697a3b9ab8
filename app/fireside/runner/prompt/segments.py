"""A rendered prompt: which text is the template's own and which are the words of a message."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fireside.core.message import ImagePart, Role


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of prompt text. Only where ``special`` is true may ``<|im_end|>`` become a control token."""

    text: str
    special: bool
    role: Role | None = None
    """Whose words these are; ``None`` for the template's own, and where it cannot be told."""
    message: int | None = None
    """Which message these words are from, counted in the conversation as it was worded."""
    image: int | None = None
    """Index into ``Prompt.images`` of the picture that stands here; ``text`` is empty then."""


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Segments in order, no two scaffolds in a row, none empty."""

    segments: tuple[Segment, ...]
    images: tuple[ImagePart, ...] = ()

    @property
    def text(self) -> str:
        """The whole text; pictures have none."""
        return "".join(segment.text for segment in self.segments)

    @property
    def opening(self) -> str:
        """The scaffold at the end, behind which the answer begins: it may open a stretch of reasoning."""
        return self.segments[-1].text if self.segments and self.segments[-1].special else ""


def prompt_of(segments: Iterable[Segment], *, images: tuple[ImagePart, ...] = ()) -> Prompt:
    """Return a prompt without empty segments and with neighbouring scaffolds joined."""
    joined: list[Segment] = []
    for segment in segments:
        if segment.special and joined and joined[-1].special:
            joined.append(Segment(text=joined.pop().text + segment.text, special=True))
        elif segment.text or segment.image is not None:
            joined.append(segment)
    return Prompt(segments=tuple(joined), images=images)
