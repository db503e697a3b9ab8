"""A rendered prompt: which text is the template's own and which is somebody's words."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from fireside.core.message import ImagePart


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A stretch of prompt text. Only where ``special`` is true may ``<|im_end|>`` become a control token."""

    text: str
    special: bool
    image: int | None = None
    """Index in ``Prompt.images`` of the image that stands here; ``text`` is empty then.

    The image brings the tokens that its model puts around one (``<|vision_start|>``, ``<start_of_image>``)
    with it: a scaffold that has them too would have them twice.
    """


class Prompt(msgspec.Struct, frozen=True, kw_only=True):
    """Segments in order, no two scaffolds in a row, none empty."""

    segments: tuple[Segment, ...]
    images: tuple[ImagePart, ...] = ()

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)


def prompt_of(segments: Iterable[Segment], *, images: tuple[ImagePart, ...] = ()) -> Prompt:
    """Return a prompt without empty segments and with neighbouring scaffolds joined."""
    joined: list[Segment] = []
    for segment in segments:
        if segment.image is not None:
            joined.append(segment)
        elif segment.special and joined and joined[-1].special and joined[-1].image is None:
            joined.append(Segment(text=joined.pop().text + segment.text, special=True))
        elif segment.text:
            joined.append(segment)
    return Prompt(segments=tuple(joined), images=images)
