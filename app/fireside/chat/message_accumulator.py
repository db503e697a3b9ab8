"""Collect what a model writes, by kind, and make a message of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from fireside.core.generation import OutputKind, TextDelta
from fireside.core.message import MessagePart, ReasoningPart, TextPart, ToolCallPart


class MessageAccumulator:
    """Everything that one answer has said so far, in pieces; the writer counts those it has saved.

    Args:
        clock: seconds that never go backwards.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._pieces: list[TextDelta] = []
        self._thought_s: float | None = None
        self._thinking_since: float | None = None
        self._thinking_until = 0.0
        self.thinking_began: float | None = None
        """When the first reasoning came, by ``clock``."""

    def add(self, piece: TextDelta) -> None:
        """Take what came next."""
        self._pieces.append(piece)
        self._note_time(piece.kind)

    def __len__(self) -> int:
        return len(self._pieces)

    def stretch(self, first: int, last: int) -> tuple[TextDelta, int]:
        """Return as one piece what has one kind from piece ``first`` on, and where that ends: at ``last`` at
        the latest."""
        end = first + 1
        while end < last and self._pieces[end].kind is self._pieces[first].kind:
            end += 1
        same = self._pieces[first:end]
        text = "".join(piece.text for piece in same)
        return TextDelta(text=text, n_completion=same[-1].n_completion, kind=same[-1].kind), end

    def stretches(self, first: int, last: int) -> Iterator[TextDelta]:
        """Yield the pieces from ``first`` to before ``last``, neighbours of one kind as one."""
        while first < last:
            stretch, first = self.stretch(first, last)
            yield stretch

    @property
    def thought_s(self) -> float | None:
        """Seconds from the first to the last of each stretch of reasoning; ``None`` where there was none."""
        if self._thinking_since is None:
            return self._thought_s
        return (self._thought_s or 0.0) + self._thinking_until - self._thinking_since

    @property
    def raw(self) -> str | None:
        """The output to the letter, where it is not simply the answer's text."""
        if all(piece.kind is OutputKind.ANSWER for piece in self._pieces):
            return None
        return "".join(piece.text for piece in self._pieces)

    @property
    def text(self) -> str:
        """The answer's text, without reasoning."""
        return "".join(piece.text for piece in self._pieces if piece.kind is OutputKind.ANSWER)

    def parts(
        self, *, last: int | None = None, tool_calls: Iterable[ToolCallPart] = ()
    ) -> tuple[MessagePart, ...]:
        """Return reasoning and answer in the order they came, to before piece ``last``, then the calls; what
        is between is left out."""
        parts: list[MessagePart] = []
        for stretch in self.stretches(0, len(self) if last is None else last):
            if stretch.kind is OutputKind.REASONING:
                parts.append(ReasoningPart(text=stretch.text))
            elif stretch.kind is OutputKind.ANSWER:
                parts.append(TextPart(text=stretch.text))
        return (*parts, *tool_calls)

    def _note_time(self, kind: OutputKind) -> None:
        now = self._clock()
        if kind is OutputKind.REASONING:
            self._thinking_until = now
            if self._thinking_since is None:
                self._thinking_since = now
            if self.thinking_began is None:
                self.thinking_began = now
        elif self._thinking_since is not None:
            self._thought_s = (self._thought_s or 0.0) + now - self._thinking_since
            self._thinking_since = None


def joined(before: Iterable[MessagePart], after: Iterable[MessagePart]) -> tuple[MessagePart, ...]:
    """Return both as one message: text goes on in the text that it continues, reasoning in the reasoning."""
    parts: list[MessagePart] = []
    for part in (*before, *after):
        last = parts[-1] if parts else None
        if isinstance(part, TextPart) and isinstance(last, TextPart):
            parts[-1] = TextPart(text=last.text + part.text)
        elif isinstance(part, ReasoningPart) and isinstance(last, ReasoningPart):
            parts[-1] = ReasoningPart(text=last.text + part.text)
        else:
            parts.append(part)
    return tuple(parts)
