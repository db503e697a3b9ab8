"""The messages between the program that hosts an engine and a client that uses it.

The client sends ``Join``; the host replies with ``Welcome`` and ``EngineState``, and sends the state again
whenever it changes. If their versions differ, they exchange ``Join`` and ``Welcome`` only. Every
``StartGeneration`` ends in one ``EventPosted`` with a ``Finished`` or ``Failed``, every ``EngineCall`` in one
``CallReply``. ``Cancel``, ``Pause``, ``Resume`` and ``EndCall`` may cross the end of what they refer to. The
end of a connection cancels everything requested over it.
"""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.generation import GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.prompt_query import AnyPromptQuery
from fireside.core.status import ModelStatus, RunningModel
from fireside.engine.request import GenerationRequest, LoadRequest
from fireside.wire.messages import Cancel, Pause, Resume

MAX_REQUEST_BYTES: Final = 192 * 2**20
"""Of a client's message: six messages of a chat with as much sound as one may have. Runners get each piece of
sound in a frame of its own."""


class Join(msgspec.Struct, frozen=True, kw_only=True, tag="join"):
    """The client's first message. Its shape never changes: another version must be able to read it."""

    version: str
    client: str
    """Name of the client program: ``fireside run``."""
    pid: int


class Welcome(msgspec.Struct, frozen=True, kw_only=True, tag="welcome"):
    """The host's first message. Its shape never changes either."""

    version: str
    host: str
    """Name of the host program: ``window``."""


class StartGeneration(msgspec.Struct, frozen=True, kw_only=True, tag="start_generation"):
    """Start a request; its id is unique in this connection only."""

    request: GenerationRequest


class SetPriorityOwner(msgspec.Struct, frozen=True, kw_only=True, tag="set_priority_owner"):
    """See ``Engine.set_priority_owner``."""

    owner: str


class LoadModel(msgspec.Struct, frozen=True, kw_only=True, tag="load_model"):
    """Load a model. The reply is a ``LoadedModel``."""

    request: LoadRequest


class UnloadModel(msgspec.Struct, frozen=True, kw_only=True, tag="unload_model"):
    """Unload a model. The reply is nil."""

    model_id: ModelId


class AskModel(msgspec.Struct, frozen=True, kw_only=True, tag="ask_model"):
    """A question about a prompt. The reply is of the query's type, or nil."""

    model_id: ModelId
    query: AnyPromptQuery


class FreezeLoads(msgspec.Struct, frozen=True, kw_only=True, tag="freeze_loads"):
    """Load nothing until ``EndCall``; see ``Engine.freeze_loads``. The reply is nil."""

    name: str


Query = LoadModel | UnloadModel | AskModel | FreezeLoads


class EngineCall(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """Run a query and reply; ``number`` is unique in this connection only."""

    number: int
    query: Query


class EndCall(msgspec.Struct, frozen=True, kw_only=True, tag="end_call"):
    """End a call: its reply is no longer needed, and a freeze of loads ends."""

    number: int


ClientMessage = Join | StartGeneration | Cancel | Pause | Resume | SetPriorityOwner | EngineCall | EndCall
"""A message of the client."""


class EngineState(msgspec.Struct, frozen=True, kw_only=True, tag="engine_state"):
    """The models of the engine now."""

    statuses: tuple[ModelStatus, ...]
    running_models: tuple[RunningModel, ...]


class EventPosted(msgspec.Struct, frozen=True, kw_only=True, tag="event"):
    """An event of a request."""

    request_id: RequestId
    event: GenerationEvent


class CallReply(msgspec.Struct, frozen=True, kw_only=True, tag="call_reply"):
    """The reply to a call: an error, or a value of the type that the query returns."""

    number: int
    error: ErrorInfo | None = None
    value: msgspec.Raw = msgspec.Raw(b"\xc0")


HostMessage = Welcome | EngineState | EventPosted | CallReply
"""A message of the host."""
