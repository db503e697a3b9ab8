"""Which engine of a pool a conversation is sent to, and which of them are better left alone for a while."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from typing import Final

from fireside.core.message import Role
from fireside.core.prompt_input import ChatInput, PromptInput
from fireside.core.remote import RemoteLocation
from fireside.core.task import GenerationTask

_SESSION_CHARACTERS: Final = 32
_REST_S: Final = 30.0
"""An engine that could not be reached is asked behind the others for so long: each attempt may take that of
a connection that is not accepted."""


class Routing:
    """On one loop.

    Args:
        on_reached: is told of each engine whether it was reached, by its id.
        clock: seconds that never go backwards.
    """

    def __init__(self, *, on_reached: Callable[[str, bool], None], clock: Callable[[], float]) -> None:
        self._on_reached = on_reached
        self._clock = clock
        self._rests_until: dict[str, float] = {}

    def in_turn(self, place: RemoteLocation, task: GenerationTask) -> tuple[RemoteLocation, ...]:
        """Return where to ask, one after the other: those that rest come last."""
        now = self._clock()
        return tuple(
            sorted(in_order(place, task), key=lambda each: self._rests_until.get(each.engine_id, now) > now)
        )

    def reached(self, place: RemoteLocation) -> None:
        """Its engine began to answer."""
        self._rests_until.pop(place.engine_id, None)
        self._on_reached(place.engine_id, True)

    def not_reached(self, place: RemoteLocation) -> None:
        """There was no connection to its engine."""
        self.rest(place)
        self._on_reached(place.engine_id, False)

    def rest(self, place: RemoteLocation, *, seconds: float = _REST_S) -> None:
        """Its engine is better left alone: it asked for that, or broke off an answer."""
        self._rests_until[place.engine_id] = self._clock() + min(seconds, _REST_S)


def in_order(place: RemoteLocation, task: GenerationTask) -> tuple[RemoteLocation, ...]:
    """Return the engines of a pool as a conversation wants them, or the one engine that there is.

    Each engine draws a number with each conversation (rendezvous hashing): a conversation keeps its engine,
    which has its prompt in a cache, and when one engine goes only its own conversations move.
    """
    return tuple(sorted(place.members or (place,), key=lambda each: session_of(task, each)))


def session_of(task: GenerationTask, place: RemoteLocation) -> str:
    """Return a name for a conversation that stays and tells nothing: for caches of servers.

    A request that belongs to no conversation is known by how its prompt begins.
    """
    said = f"{place.engine_id}\0{task.owner or _beginning(task.prompt)}"
    return hashlib.sha256(said.encode("utf-8", "replace")).hexdigest()[:_SESSION_CHARACTERS]


def _beginning(prompt: PromptInput) -> str:
    texts: list[str] = []
    for message in prompt.messages if isinstance(prompt, ChatInput) else ():
        texts.append(message.text)
        if message.role is Role.USER:
            break
    return "\0".join(texts)
