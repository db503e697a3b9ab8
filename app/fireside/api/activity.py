"""What clients do now, what was done for them, and what went wrong last: names and paths, never contents."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

from fireside.core.generation import Finished, GenerationEvent, Queued, TextDelta
from fireside.core.local_api import ApiCall, ApiFailure

_KEPT: Final = 20
_LONGEST: Final = 300
"""Characters of what is kept of an error, which may quote what was sent."""


class RunningCall:
    """One request while it is answered."""

    def __init__(self, client: str, path: str) -> None:
        self.path = path
        self._client = client
        self._n_tokens: dict[int, int] = {}
        self._n_first = 0
        self._first_at: float | None = None
        self._last_at = 0.0
        self.is_queued = False
        self.ends: list[Finished] = []

    def note(self, number: int, event: GenerationEvent) -> None:
        """Something happened to the answer of this number."""
        self.is_queued = isinstance(event, Queued)
        if isinstance(event, TextDelta):
            self._n_tokens[number] = event.n_completion
            self._last_at = time.monotonic()
            if self._first_at is None:
                self._first_at, self._n_first = self._last_at, event.n_completion
        elif isinstance(event, Finished):
            self.ends.append(event)

    def shown(self) -> ApiCall:
        """Return how it stands."""
        elapsed_s = self._last_at - self._first_at if self._first_at is not None else 0.0
        n_since = sum(self._n_tokens.values()) - self._n_first
        rate = n_since / elapsed_s if elapsed_s > 0 else 0.0
        return ApiCall(client=self._client, path=self.path, tokens_per_s=rate)


class Activity:
    """Remembers what runs, what all that ended took, and the last refusals."""

    def __init__(self) -> None:
        self.running: set[RunningCall] = set()
        self.began_at = time.time()
        self.failed: deque[ApiFailure] = deque(maxlen=_KEPT)
        self.n_prompt = 0
        """Tokens of prompts that were read, those from a cache not counted."""
        self.n_cached = 0
        self.prompt_s = 0.0
        self.n_completion = 0
        self.decode_s = 0.0

    def begin(self, client: str, path: str) -> RunningCall:
        """A request is answered from now on."""
        running = RunningCall(client, path)
        self.running.add(running)
        return running

    def end(self, running: RunningCall) -> None:
        """A request is over."""
        self.running.discard(running)
        for end in running.ends:
            self.n_prompt += end.usage.n_prompt - end.usage.n_cached
            self.n_cached += end.usage.n_cached
            self.prompt_s += end.timings.prompt_s
            self.n_completion += end.usage.n_completion
            self.decode_s += end.timings.decode_s

    def refused(self, client: str, path: str, sentence: str) -> None:
        """A request ended with an error."""
        self.failed.append(ApiFailure(client=client, path=path, sentence=sentence[:_LONGEST]))
