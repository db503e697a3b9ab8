"""How an answer is asked for and understood: a dialect is a path, a wording and a reader."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Protocol

from fireside.core.generation import FinishReason, TextDelta, Usage
from fireside.core.message import ToolCallPart
from fireside.core.remote import RemoteLocation, ServerKind
from fireside.core.task import GenerationTask
from fireside.remote.answer_reader import AnswerReader
from fireside.remote.anthropic_body import messages_body
from fireside.remote.anthropic_reader import AnthropicReader
from fireside.remote.chat_body import chat_body
from fireside.remote.ndjson import lines_of
from fireside.remote.ollama_body import ollama_body
from fireside.remote.ollama_reader import OllamaReader
from fireside.remote.sse import events_of


class Reader(Protocol):
    """Understands the events of one answer, in their order."""

    finish: str
    """Why the answer ended, as the server words it; empty until it said so."""
    is_done: bool
    """Nothing more comes."""

    @property
    def is_blocked(self) -> bool: ...
    @property
    def reason(self) -> FinishReason: ...
    @property
    def usage(self) -> Usage: ...
    @property
    def tool_calls(self) -> tuple[ToolCallPart, ...]: ...
    def read(self, data: bytes) -> tuple[TextDelta, ...]: ...
    def end(self) -> tuple[TextDelta, ...]: ...


class Wording(Protocol):
    """Returns the body of a request. Raises ``RemoteUnable``."""

    def __call__(
        self, task: GenerationTask, place: RemoteLocation, *, refused: Collection[str], session: str
    ) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class Dialect:
    """One way to ask."""

    path: str
    body: Wording
    reader: Callable[[], Reader]
    needed: frozenset[str]
    """Parameters without which it would be another question, or none."""
    media_type: str = "text/event-stream"
    events_of: Callable[[AsyncIterator[bytes]], AsyncGenerator[bytes, None]] = events_of
    """Tells the events of a body apart. Raises ``EventTooLong``."""


_OPENAI: Final = Dialect(
    path="/v1/chat/completions",
    body=chat_body,
    reader=AnswerReader,
    needed=frozenset({"model", "messages", "stream", "tools", "response_format"}),
)
_ANTHROPIC: Final = Dialect(
    path="/v1/messages",
    body=messages_body,
    reader=AnthropicReader,
    needed=frozenset({"model", "messages", "system", "stream", "tools", "max_tokens"}),
)
_OLLAMA: Final = Dialect(
    path="/api/chat",
    body=ollama_body,
    reader=OllamaReader,
    needed=frozenset({"model", "messages", "stream", "tools", "format"}),
    media_type="application/x-ndjson",
    events_of=lines_of,
)
_OWN: Final = {ServerKind.ANTHROPIC: _ANTHROPIC, ServerKind.OLLAMA: _OLLAMA}


def dialect_of(kind: ServerKind) -> Dialect:
    """Return the dialect that a server is asked in: OpenAI's, unless it has a better one of its own."""
    return _OWN.get(kind, _OPENAI)
