"""Every message between a program that has an engine and one that uses it.

The user says ``Join``; the answer is ``Welcome``, and behind it ``EngineState``, anew whenever that changes.
The versions of both are the same, or nothing but these two is said. Every ``StartAnswer`` ends in one
``Told`` with a ``Finished`` or ``Failed``; every ``Call`` in one ``Replied``. ``Cancel``, ``Pause``,
``Resume`` and ``EndCall`` may cross the end of what they are about. The end of a connection cancels all that
was asked over it.
"""

from __future__ import annotations

import msgspec

from fireside.core.context import PromptQuestion
from fireside.core.errors import ErrorInfo
from fireside.core.generation import GenerationEvent
from fireside.core.ids import ModelId, RequestId
from fireside.core.message import ChatMessage
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.status import ModelStatus, RunningModel
from fireside.core.task import GenerationTask
from fireside.engine.request import GenerationRequest
from fireside.wire.messages import Cancel, Pause, Resume


class Join(msgspec.Struct, frozen=True, kw_only=True, tag="join"):
    """The first message. Its shape never changes: another version must be able to read it."""

    version: str
    client: str
    """What the user of the engine is called: ``fireside run``."""
    pid: int


class Welcome(msgspec.Struct, frozen=True, kw_only=True, tag="welcome"):
    """The first answer. Its shape never changes either."""

    version: str
    host: str
    """What the program that has the engine is called: ``window``."""


class StartAnswer(msgspec.Struct, frozen=True, kw_only=True, tag="start_answer"):
    """Answer a request; its number is of this connection alone."""

    request: GenerationRequest


class LookAt(msgspec.Struct, frozen=True, kw_only=True, tag="look_at"):
    """The user looks at this owner's answers now."""

    owner: str


class LoadModel(msgspec.Struct, frozen=True, kw_only=True, tag="load_model"):
    """Load a model. Replied to with a ``LoadedModel``."""

    spec: ModelSpec
    options: LoadOptions
    keep_alive_s: float | None
    override_options: LoadOptions | None
    persist: bool


class UnloadModel(msgspec.Struct, frozen=True, kw_only=True, tag="unload_model"):
    """Unload a model. Replied to with nothing."""

    model_id: ModelId


class CountTokens(msgspec.Struct, frozen=True, kw_only=True, tag="count_tokens"):
    """Count a prompt. Replied to with two numbers or nothing."""

    model_id: ModelId
    messages: tuple[ChatMessage, ...]
    draft: str


class ShowPrompt(msgspec.Struct, frozen=True, kw_only=True, tag="show_prompt"):
    """Show a prompt. Replied to with a ``PromptPreview`` or nothing."""

    model_id: ModelId
    task: GenerationTask


class MeasurePrompt(msgspec.Struct, frozen=True, kw_only=True, tag="measure_prompt"):
    """Measure a prompt. Replied to with a ``PromptMeasure`` or nothing."""

    model_id: ModelId
    question: PromptQuestion


class HoldLoads(msgspec.Struct, frozen=True, kw_only=True, tag="hold_loads"):
    """Load nothing until ``EndCall``, since a model called ``name`` is measured. Replied to with nothing."""

    name: str


Question = LoadModel | UnloadModel | CountTokens | ShowPrompt | MeasurePrompt | HoldLoads


class Call(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """Reply to a question; ``number`` is of this connection alone."""

    number: int
    question: Question


class EndCall(msgspec.Struct, frozen=True, kw_only=True, tag="end_call"):
    """Its reply is no longer waited for; what it holds is let go."""

    number: int


Asked = Join | StartAnswer | Cancel | Pause | Resume | LookAt | Call | EndCall
"""What the user of an engine says."""


class EngineState(msgspec.Struct, frozen=True, kw_only=True, tag="engine_state"):
    """How the engine stands now."""

    statuses: tuple[ModelStatus, ...]
    running_models: tuple[RunningModel, ...]


class Told(msgspec.Struct, frozen=True, kw_only=True, tag="told"):
    """An event of an answer."""

    request_id: RequestId
    event: GenerationEvent


class Replied(msgspec.Struct, frozen=True, kw_only=True, tag="replied"):
    """The reply to a call: an error, or a value whose type the question tells."""

    number: int
    error: ErrorInfo | None = None
    value: msgspec.Raw = msgspec.Raw(b"\xc0")


Said = Welcome | EngineState | Told | Replied
"""What the program that has the engine says."""
