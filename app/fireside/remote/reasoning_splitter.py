"""Separate reasoning that a server left in the text of an answer, by its tags. Pure."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from fireside.core.generation import OutputKind

_CLOSE_OF: Final = {
    "<think>": "</think>",
    "<thinking>": "</thinking>",
    "<seed:think>": "</seed:think>",
    "[THINK]": "[/THINK]",
}
_OPEN_TAG: Final = "<think>"
_CLOSE_TAG: Final = "</think>"
_FENCE: Final = re.compile(r" {0,3}(`{3,}|~{3,})")
_BEFORE_QUOTED: Final = " \t\"'“‘«([{"
_AFTER_QUOTED: Final = " \t\"'”’»)]},.;:?!"

Piece = tuple[OutputKind, str]


class _State(Enum):
    START = auto()
    """Nothing but white space so far."""
    REASONING = auto()
    """Between a pair of tags."""
    ANSWER = auto()
    """The tag that ends reasoning may still come: some servers send it without the one that begins it."""
    AFTER_TAG = auto()
    """White space after the tag that ended the reasoning is no part of the answer."""
    DONE = auto()
    """All further text is the answer."""


class ReasoningSplitter:
    """Splits ``<think>…</think>`` at the start of an answer from the answer itself.

    Where ``</think>`` comes first, as a tag and not in code or quoted in a sentence, it is returned as
    ``MARKUP``: all before it was reasoning.
    """

    def __init__(self) -> None:
        self.is_separate = False
        """Whether reasoning came in a field of its own; then ``</think>`` in the text is just text."""
        self._state = _State.START
        self._close_tag = _CLOSE_TAG
        self._buffer = ""
        self._code = _CodeState()

    def split(self, text: str) -> list[Piece]:
        """Return the text whose kind is certain by now, in order."""
        self._buffer += text
        return self._certain(is_end=False)

    def end(self) -> list[Piece]:
        """Return the buffered text."""
        return self._certain(is_end=True)

    def _certain(self, *, is_end: bool) -> list[Piece]:
        pieces: list[Piece] = []
        if self._state is _State.START:
            self._start(is_end=is_end)
        if self._state is _State.REASONING:
            pieces += self._reasoning(is_end=is_end)
        if self._state is _State.ANSWER:
            pieces += self._answer(is_end=is_end)
        if self._state is _State.AFTER_TAG:
            self._buffer = self._buffer.lstrip()
            self._state = _State.DONE if self._buffer else _State.AFTER_TAG
        if (self._state is _State.DONE or is_end) and self._buffer:
            pieces.append((OutputKind.ANSWER, self._buffer))
            self._buffer = ""
        return pieces

    def _start(self, *, is_end: bool) -> None:
        start = self._buffer.lstrip()
        tags = (*_CLOSE_OF, _CLOSE_TAG)
        if (tag := next((tag for tag in tags if start.startswith(tag)), None)) is not None:
            self._state = _State.AFTER_TAG if tag == _CLOSE_TAG else _State.REASONING
            self._close_tag = _CLOSE_OF.get(tag, _CLOSE_TAG)
            self._buffer = start.removeprefix(tag)
        elif is_end or not any(tag.startswith(start) for tag in tags):
            self._state = _State.DONE if self.is_separate else _State.ANSWER

    def _reasoning(self, *, is_end: bool) -> list[Piece]:
        reasoning, tag, rest = self._buffer.partition(self._close_tag)
        if tag:
            self._buffer, self._state = rest, _State.AFTER_TAG
        else:
            n_certain = len(reasoning) - (0 if is_end else _n_held(reasoning, self._close_tag))
            reasoning, self._buffer = reasoning[:n_certain], reasoning[n_certain:]
        return [(OutputKind.REASONING, reasoning)] if reasoning else []

    def _answer(self, *, is_end: bool) -> list[Piece]:
        """Return the answer up to what may be a tag."""
        pieces: list[Piece] = []
        while (at := self._next_tag()) >= 0:
            self._move(at, pieces)
            is_close = self._buffer.startswith(_CLOSE_TAG)
            tag = _CLOSE_TAG if is_close else _OPEN_TAG
            if self._code.is_code:
                self._move(len(tag), pieces)
                continue
            following = self._buffer[len(tag) : len(tag) + 1]
            if is_close and not following and not is_end:
                return pieces  # the next character decides
            self._state = _State.DONE
            if is_close and not self._is_quoted(following):
                pieces.append((OutputKind.MARKUP, tag))
                self._buffer, self._state = self._buffer.removeprefix(tag), _State.AFTER_TAG
            return pieces
        n_held = 0 if is_end else max(_n_held(self._buffer, tag) for tag in (_OPEN_TAG, _CLOSE_TAG))
        self._move(len(self._buffer) - n_held, pieces)
        return pieces

    def _next_tag(self) -> int:
        places = [at for tag in (_OPEN_TAG, _CLOSE_TAG) if (at := self._buffer.find(tag)) >= 0]
        return min(places, default=-1)

    def _move(self, n: int, pieces: list[Piece]) -> None:
        """Move ``n`` characters of the buffer to the answer."""
        if n > 0:
            text, self._buffer = self._buffer[:n], self._buffer[n:]
            self._code.follow(text)
            pieces.append((OutputKind.ANSWER, text))

    def _is_quoted(self, following: str) -> bool:
        """Whether the tag is a word of a sentence: “the </think> tag”."""
        before = self._code.line[-1:]
        return bool(before and following) and before in _BEFORE_QUOTED and following in _AFTER_QUOTED


class _CodeState:
    """Whether the end of a Markdown text, which arrives in pieces, is in code."""

    def __init__(self) -> None:
        self.line = ""
        """The text after the last line break."""
        self._fence = ""

    @property
    def is_code(self) -> bool:
        return bool(self._fence) or self.line.count("`") % 2 == 1

    def follow(self, text: str) -> None:
        *lines, self.line = (self.line + text).split("\n")
        for line in lines:
            match = _FENCE.match(line)
            if match is None:
                continue
            if not self._fence:
                self._fence = match.group(1)
            elif match.group(1).startswith(self._fence) and not line[match.end() :].strip():
                self._fence = ""


def _n_held(text: str, tag: str) -> int:
    """Return the length of the end of ``text`` that may be the beginning of ``tag``."""
    return next((n for n in range(min(len(tag) - 1, len(text)), 0, -1) if text.endswith(tag[:n])), 0)
