"""Running requests, totals and recent errors of the API: names and paths, never contents."""

from __future__ import annotations

import time
from collections import deque
from typing import Final

from fireside.core.generation import Finished, GenerationEvent, Queued, TextDelta
from fireside.core.local_api import ApiCall, ApiFailure

_MAX_ERRORS: Final = 20
_MAX_ERROR_CHARS: Final = 300
"""Characters of an error message, which may quote the request."""


class RequestActivity:
    """The progress of one running request."""

    def __init__(self, client: str, path: str) -> None:
        self.path = path
        self._client = client
        self._n_tokens: dict[int, int] = {}
        self._n_first = 0
        self._first_at: float | None = None
        self._last_at = 0.0
        self.is_queued = False
        self.finished_events: list[Finished] = []

    def record_event(self, number: int, event: GenerationEvent) -> None:
        """Record an event of the answer with this number."""
        self.is_queued = isinstance(event, Queued)
        if isinstance(event, TextDelta):
            self._n_tokens[number] = event.n_completion
            self._last_at = time.monotonic()
            if self._first_at is None:
                self._first_at, self._n_first = self._last_at, event.n_completion
        elif isinstance(event, Finished):
            self.finished_events.append(event)

    def snapshot(self) -> ApiCall:
        """Return the current state; the rate is 0 before the second token."""
        elapsed_s = self._last_at - self._first_at if self._first_at is not None else 0.0
        n_since = sum(self._n_tokens.values()) - self._n_first
        rate = n_since / elapsed_s if elapsed_s > 0 else 0.0
        return ApiCall(client=self._client, path=self.path, tokens_per_s=rate)


class ApiActivity:
    """The running requests, the totals of the finished ones, and the latest errors."""

    def __init__(self) -> None:
        self.running: set[RequestActivity] = set()
        self.started_at = time.time()
        self.recent_errors: deque[ApiFailure] = deque(maxlen=_MAX_ERRORS)
        self.n_prompt = 0
        """Prompt tokens that were computed; cached ones are not counted."""
        self.n_cached = 0
        self.prompt_s = 0.0
        self.n_completion = 0
        self.decode_s = 0.0

    def start_request(self, client: str, path: str) -> RequestActivity:
        """Add a request that is being handled."""
        running = RequestActivity(client, path)
        self.running.add(running)
        return running

    def end_request(self, running: RequestActivity) -> None:
        """Remove a request, and add its figures to the totals."""
        self.running.discard(running)
        for end in running.finished_events:
            self.n_prompt += end.usage.n_prompt - end.usage.n_cached
            self.n_cached += end.usage.n_cached
            self.prompt_s += end.timings.prompt_s
            self.n_completion += end.usage.n_completion
            self.decode_s += end.timings.decode_s

    def record_error(self, client: str, path: str, sentence: str) -> None:
        """Record that a request ended with an error."""
        self.recent_errors.append(ApiFailure(client=client, path=path, sentence=sentence[:_MAX_ERROR_CHARS]))
