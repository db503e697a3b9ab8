"""Collect what a model writes, by kind, and make a message of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from fireside.core.generation import OutputKind
from fireside.core.message import MessagePart, ReasoningPart, TextPart, ToolCallPart


class Output:
    """Everything that one answer has said so far.

    Args:
        clock: seconds that never go backwards.
    """

    def __init__(self, *, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._stretches: list[tuple[OutputKind, list[str]]] = []
        self._thought_s: float | None = None
        self._thinking_since: float | None = None
        self._thinking_until = 0.0

    def add(self, text: str, *, kind: OutputKind) -> None:
        """Take what came next."""
        if self._stretches and self._stretches[-1][0] is kind:
            self._stretches[-1][1].append(text)
        else:
            self._stretches.append((kind, [text]))
        self._note_time(kind)

    @property
    def thought_s(self) -> float | None:
        """Seconds from the first to the last of each stretch of reasoning; ``None`` where there was none."""
        if self._thinking_since is None:
            return self._thought_s
        return (self._thought_s or 0.0) + self._thinking_until - self._thinking_since

    @property
    def raw(self) -> str | None:
        """The output to the letter, where it is not simply the answer's text."""
        if all(kind is OutputKind.ANSWER for kind, _ in self._stretches):
            return None
        return "".join(text for _, texts in self._stretches for text in texts)

    @property
    def text(self) -> str:
        """The answer's text, without reasoning."""
        return "".join(text for kind, texts in self._stretches if kind is OutputKind.ANSWER for text in texts)

    def parts(self, *, tool_calls: Iterable[ToolCallPart] = ()) -> tuple[MessagePart, ...]:
        """Return reasoning and answer in the order they came, then the calls; what is between is left out."""
        parts: list[MessagePart] = []
        for kind, texts in self._stretches:
            text = "".join(texts)
            if kind is OutputKind.REASONING:
                parts.append(ReasoningPart(text=text))
            elif kind is OutputKind.ANSWER:
                parts.append(TextPart(text=text))
        return (*parts, *tool_calls)

    def _note_time(self, kind: OutputKind) -> None:
        now = self._clock()
        if kind is OutputKind.REASONING:
            self._thinking_until = now
            if self._thinking_since is None:
                self._thinking_since = now
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
