"""Which engine of a pool serves a conversation, and which engines to avoid for a while."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from fireside.core.message import Role
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask

_SESSION_CHARACTERS: Final = 32
_BACK_OFF_S: Final = 30.0
"""An engine that could not be reached is tried last for so long, since each attempt may take a whole
connection timeout."""


class Routing:
    """Orders the engines of a pool by conversation and availability. On one loop.

    Args:
        on_reached: called with an engine's id and whether it was reached.
        clock: monotonic seconds.
    """

    def __init__(self, *, on_reached: Callable[[str, bool], None], clock: Callable[[], float]) -> None:
        self._on_reached = on_reached
        self._clock = clock
        self._back_off_until: dict[str, float] = {}

    def candidates(self, location: RemoteLocation, task: GenerationTask) -> tuple[RemoteLocation, ...]:
        """Return the engines to try, in order: those to avoid come last."""
        now = self._clock()
        return tuple(
            sorted(
                rendezvous_order(location, task),
                key=lambda each: self._back_off_until.get(each.engine_id, now) > now,
            )
        )

    def mark_reachable(self, location: RemoteLocation) -> None:
        """Record that the engine started to answer."""
        self._back_off_until.pop(location.engine_id, None)
        self._on_reached(location.engine_id, True)

    def mark_unreachable(self, location: RemoteLocation) -> None:
        """Record that no connection to the engine was possible."""
        self.back_off(location)
        self._on_reached(location.engine_id, False)

    def back_off(self, location: RemoteLocation, *, seconds: float = _BACK_OFF_S) -> None:
        """Avoid the engine for a while: it sent ``Retry-After``, or interrupted an answer."""
        self._back_off_until[location.engine_id] = self._clock() + min(seconds, _BACK_OFF_S)


def rendezvous_order(location: RemoteLocation, task: GenerationTask) -> tuple[RemoteLocation, ...]:
    """Return the engines of a pool in the order for a conversation; outside a pool, the one engine.

    Rendezvous hashing: a conversation keeps its engine, which has its prompt in the cache, and if an engine
    is removed, only its own conversations move.
    """
    return tuple(sorted(location.members or (location,), key=lambda each: session_id(task, each)))


def session_id(task: GenerationTask, location: RemoteLocation) -> str:
    """Return a stable, opaque id of a conversation on an engine, for the server's cache.

    A request without a conversation is identified by the start of its prompt.
    """
    key = f"{location.engine_id}\0{task.owner or _prompt_start(task.prompt)}"
    return hashlib.sha256(key.encode("utf-8", "replace")).hexdigest()[:_SESSION_CHARACTERS]


def _prompt_start(prompt: PromptInput) -> str:
    texts: list[str] = []
    for message in prompt.messages if isinstance(prompt, ChatInput) else ():
        texts.append(message.text)
        if message.role is Role.USER:
            break
    return "\0".join(texts)
