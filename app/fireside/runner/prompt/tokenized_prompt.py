"""A prompt as tokens, with the positions of its messages and images, and how to cut it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

import msgspec
import numpy as np

from fireside.core.message import PerceivedPart, Role
from fireside.runner.prompt.segments import Prompt, PromptSegment
from fireside.runner.tokens import Tokens


class TokenSpan(NamedTuple):
    """The half-open token range from ``start`` to ``end``."""

    start: int
    end: int

    @property
    def n_tokens(self) -> int:
        """Length of the range."""
        return self.end - self.start


class TokenizedPrompt(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """The tokens of a prompt, with the spans of its messages and images."""

    tokens: Tokens
    n_bos: int = 0
    """Number of BOS tokens."""
    system_end: int = 0
    """Where the text of the system prompt ends; 0 without one."""
    message_ends: tuple[int, ...] = ()
    messages: tuple[TokenSpan, ...] = ()
    pictures: tuple[TokenSpan, ...] = ()
    images: tuple[PerceivedPart, ...] = ()
    generation_prompt: str = ""

    def without(self, cut: TokenSpan) -> TokenizedPrompt:
        """Return this without the tokens of ``cut``, which contains each image wholly or not at all."""

        def shifted(position: int) -> int:
            return position if position <= cut.start else max(cut.start, position - cut.n_tokens)

        remaining = [index for index, picture in enumerate(self.pictures) if not _is_within(picture, cut)]
        return TokenizedPrompt(
            tokens=np.concatenate([self.tokens[: cut.start], self.tokens[cut.end :]]),
            n_bos=self.n_bos,
            system_end=shifted(self.system_end),
            message_ends=tuple(
                shifted(message_end)
                for message_end in self.message_ends
                if message_end <= cut.start or message_end > cut.end
            ),
            messages=tuple(TokenSpan(shifted(span.start), shifted(span.end)) for span in self.messages),
            pictures=tuple(
                TokenSpan(shifted(self.pictures[index].start), shifted(self.pictures[index].end))
                for index in remaining
            ),
            images=tuple(self.images[index] for index in remaining),
            generation_prompt=self.generation_prompt,
        )

    def middle_cut(self, *, n_available: int) -> TokenSpan:
        """Return the span to cut so that ``n_available`` tokens are left: the oldest after the beginning.

        The beginning is the system prompt, or at most half of the space. An image is cut as a whole.
        """
        n_keep = min(max(self.system_end, self.n_bos), n_available // 2)
        start, end = n_keep, n_keep + len(self.tokens) - n_available
        for picture in self.pictures:
            if picture.start < start < picture.end:
                start = picture.start
            if picture.start < end < picture.end:
                end = picture.end
        return TokenSpan(start, end)

    def n_messages_within(self, cut: TokenSpan) -> int:
        """Return how many messages lie completely in ``cut``."""
        return sum(_is_within(message, cut) for message in self.messages)


def tokenized_prompt(prompt: Prompt, parts: Sequence[Tokens]) -> TokenizedPrompt:
    """Return ``prompt`` as tokens.

    Args:
        parts: the BOS tokens, and then the tokens of each segment.
    """
    ends = np.cumsum([len(part) for part in parts]).tolist()
    located = [
        (segment, TokenSpan(ends[index], ends[index + 1])) for index, segment in enumerate(prompt.segments)
    ]
    messages = _messages(located)
    system = [span for _, span in takewhile(lambda item: item[0] is Role.SYSTEM, messages)]
    message_ends = {span.end for role, span in messages if role in (Role.SYSTEM, Role.USER)}
    return TokenizedPrompt(
        tokens=np.concatenate(parts),
        n_bos=len(parts[0]),
        system_end=system[-1].end if system else 0,
        message_ends=tuple(sorted(message_ends)),
        messages=tuple(span for _, span in messages),
        pictures=tuple(span for segment, span in located if segment.image is not None),
        images=prompt.images,
        generation_prompt=prompt.generation_prompt,
    )


def _messages(located: Sequence[tuple[PromptSegment, TokenSpan]]) -> list[tuple[Role, TokenSpan]]:
    """Return the role and the span of each message, in order."""
    by_index: dict[int, tuple[Role, TokenSpan]] = {}
    for segment, span in located:
        if segment.message is None or segment.role is None:
            continue
        previous = by_index.get(segment.message)
        start = previous[1].start if previous else span.start
        by_index[segment.message] = (segment.role, TokenSpan(start, span.end))
    return [by_index[index] for index in sorted(by_index)]


def _is_within(span: TokenSpan, cut: TokenSpan) -> bool:
    return span.start >= cut.start and span.end <= cut.end
