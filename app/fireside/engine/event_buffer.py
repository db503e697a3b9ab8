"""Events of one request on their way from the runner to their reader."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable

from fireside.core.generation import (
    Embedded,
    Failed,
    Finished,
    GenerationEvent,
    OutputKind,
    TextDelta,
    TokenLogprobs,
)

MAX_UNREAD_CHARACTERS = 512 * 1024
"""With more text than this unread, the answer is paused."""
MAX_FLOOD_CHARACTERS = 8 * MAX_UNREAD_CHARACTERS
"""As much does not come from a sound runner that was told to pause."""

_STRETCH_WEIGHT = 256
"""What a stretch of another kind costs besides its text, in characters: a runner may not fill the memory with
empty ones."""
_PROBABILITY_WEIGHT = 64
"""What one candidate of ``logprobs`` costs."""


class _Text:
    """Neighbouring ``TextDelta`` of one kind that are joined when they are read."""

    def __init__(self, kind: OutputKind) -> None:
        self.kind = kind
        self.weight = _STRETCH_WEIGHT
        self._parts: list[str] = []
        self._logprobs: list[TokenLogprobs] = []
        self._n_completion = 0

    def add(self, tokens: TextDelta) -> None:
        self._parts.append(tokens.text)
        self._logprobs += tokens.logprobs
        self._n_completion = tokens.n_completion
        self.weight += _weight(tokens)

    def joined(self) -> TextDelta:
        return TextDelta(
            text="".join(self._parts),
            n_completion=self._n_completion,
            kind=self.kind,
            logprobs=tuple(self._logprobs),
        )


def _weight(tokens: TextDelta) -> int:
    n_candidates = sum(1 + len(token.top) for token in tokens.logprobs)
    return len(tokens.text) + _PROBABILITY_WEIGHT * n_candidates


class EventBuffer:
    """Keeps events until they are read, joined so that a slow reader finds few of them.

    Text is joined to text of its kind, a newer progress replaces an older one. Ends with ``Finished`` or
    ``Failed``; what is posted after that, or after ``close``, is dropped. One writer, one reader, on the
    loop's thread.
    """

    def __init__(self) -> None:
        self._waiting: deque[GenerationEvent | _Text] = deque()
        self._n_unread = 0
        self._is_ended = False
        self._posted = asyncio.Event()
        self.is_full = False
        """Whether the writer should pause until ``on_room``."""
        self.on_room: Callable[[], None] = lambda: None
        """Called when it is full no longer."""

    @property
    def is_flooded(self) -> bool:
        """Whether the writer has gone on for long although it is full."""
        return self._n_unread > MAX_FLOOD_CHARACTERS

    def post(self, event: GenerationEvent) -> None:
        """Add an event; after the last one, or once it is closed, nothing is added."""
        if self._is_ended:
            return
        last = self._waiting[-1] if self._waiting else None
        if isinstance(event, TextDelta):
            if not isinstance(last, _Text) or last.kind is not event.kind:
                last = _Text(event.kind)
                self._waiting.append(last)
                self._n_unread += last.weight
            last.add(event)
            self._n_unread += _weight(event)
            if self._n_unread > MAX_UNREAD_CHARACTERS:
                self.is_full = True
        elif type(last) is type(event) and not isinstance(event, Embedded):
            self._waiting[-1] = event
        else:
            self._waiting.append(event)
        self._is_ended = isinstance(event, Finished | Failed)
        self._posted.set()

    def close(self) -> None:
        """There is no reader any more: drop everything."""
        self._is_ended = True
        self._waiting.clear()
        self._n_unread = 0
        self.make_room()
        self._posted.set()

    def make_room(self) -> None:
        """Let the writer go on, however much is unread."""
        if self.is_full:
            self.is_full = False
            self.on_room()

    async def take(self) -> GenerationEvent | None:
        """Return the oldest event once there is one; ``None`` after the last, or after ``close``."""
        while not self._waiting:
            if self._is_ended:
                return None
            self._posted.clear()
            await self._posted.wait()
        event = self._waiting.popleft()
        if not isinstance(event, _Text):
            return event
        self._n_unread -= event.weight
        self.make_room()
        return event.joined()
