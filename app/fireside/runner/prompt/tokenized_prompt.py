"""A prompt as tokens, with what is known of where its messages and pictures stand; and how to cut it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec
import numpy as np

from fireside.core.message import ImagePart, Role
from fireside.runner.prompt.segments import Prompt, Segment
from fireside.runner.tokens import Tokens


class Span(NamedTuple):
    """Tokens from ``start`` up to ``end``, which is not among them."""

    start: int
    end: int


class TokenizedPrompt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The tokens of a prompt and its places."""

    tokens: Tokens
    n_lead: int = 0
    """Tokens in front of everything: the one that begins a prompt."""
    system_end: int = 0
    """Where the words of the system prompt end; 0 without one."""
    marks: tuple[int, ...] = ()
    messages: tuple[Span, ...] = ()
    pictures: tuple[Span, ...] = ()
    images: tuple[ImagePart, ...] = ()
    opening: str = ""

    def without(self, cut: Span) -> TokenizedPrompt:
        """Return this without the tokens of ``cut``, which holds each picture wholly or not at all."""
        n_cut = cut.end - cut.start

        def moved(place: int) -> int:
            return place if place <= cut.start else max(cut.start, place - n_cut)

        shown = [index for index, picture in enumerate(self.pictures) if not _is_within(picture, cut)]
        return TokenizedPrompt(
            tokens=np.concatenate([self.tokens[: cut.start], self.tokens[cut.end :]]),
            n_lead=self.n_lead,
            system_end=moved(self.system_end),
            marks=tuple(moved(mark) for mark in self.marks if mark <= cut.start or mark > cut.end),
            messages=tuple(Span(moved(span.start), moved(span.end)) for span in self.messages),
            pictures=tuple(
                Span(moved(self.pictures[index].start), moved(self.pictures[index].end)) for index in shown
            ),
            images=tuple(self.images[index] for index in shown),
            opening=self.opening,
        )

    def cut_out_of_the_middle(self, *, n_room: int) -> Span:
        """Return the fewest tokens to leave out so that ``n_room`` are left: the oldest behind the beginning.

        The beginning is the system prompt, or at most half of the room. A picture is cut out as a whole.
        """
        n_keep = min(max(self.system_end, self.n_lead), n_room // 2)
        start, end = n_keep, n_keep + len(self.tokens) - n_room
        for picture in self.pictures:
            if picture.start < start < picture.end:
                start = picture.start
            if picture.start < end < picture.end:
                end = picture.end
        return Span(start, end)

    def n_messages_within(self, cut: Span) -> int:
        """Return how many messages lie in ``cut`` with all their words."""
        return sum(_is_within(message, cut) for message in self.messages)


def tokenized_prompt(prompt: Prompt, parts: Sequence[Tokens]) -> TokenizedPrompt:
    """Return the reading of ``prompt``.

    Args:
        parts: what stands in front of all segments, and then the tokens of each.
    """
    ends = np.cumsum([len(part) for part in parts]).tolist()
    placed = [(segment, Span(ends[index], ends[index + 1])) for index, segment in enumerate(prompt.segments)]
    messages = _messages(placed)
    system = [span for _, span in takewhile(lambda item: item[0] is Role.SYSTEM, messages)]
    marks = {span.end for role, span in messages if role in (Role.SYSTEM, Role.USER)}
    return TokenizedPrompt(
        tokens=np.concatenate(parts),
        n_lead=len(parts[0]),
        system_end=system[-1].end if system else 0,
        marks=tuple(sorted(marks)),
        messages=tuple(span for _, span in messages),
        pictures=tuple(span for segment, span in placed if segment.image is not None),
        images=prompt.images,
        opening=prompt.opening,
    )


def _messages(placed: Sequence[tuple[Segment, Span]]) -> list[tuple[Role, Span]]:
    """Return the role of each message, and from where to where, in order."""
    found: dict[int, tuple[Role, Span]] = {}
    for segment, span in placed:
        if segment.message is None or segment.role is None:
            continue
        known = found.get(segment.message)
        start = known[1].start if known else span.start
        found[segment.message] = (segment.role, Span(start, span.end))
    return [found[index] for index in sorted(found)]


def _is_within(span: Span, cut: Span) -> bool:
    return span.start >= cut.start and span.end <= cut.end
