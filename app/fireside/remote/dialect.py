"""The dialects of remote engines: a path, a builder of request bodies and a reader of answers."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Final, Protocol

from fireside.core.remote import RemoteLocation, ServerKind
from fireside.core.task import GenerationTask
from fireside.remote.anthropic import AnthropicReader, messages_body
from fireside.remote.delta_builder import AnswerReader
from fireside.remote.ollama import OllamaReader, ollama_body
from fireside.remote.openai import OpenAIReader, openai_body


class BodyBuilder(Protocol):
    """Returns the body of a request. Raises ``RemoteUnable``."""

    def __call__(
        self, task: GenerationTask, location: RemoteLocation, *, unsupported: Collection[str], session: str
    ) -> dict[str, Any]: ...


@dataclass(frozen=True, kw_only=True)
class ServerDialect:
    """How to request and read an answer."""

    path: str
    body: BodyBuilder
    reader: Callable[[], AnswerReader]
    required_parameters: frozenset[str]
    """Parameters that cannot be left out without changing the request."""
    media_type: str = "text/event-stream"
    """What is asked for; a server may send something else (``remote_answers.py``)."""


_OPENAI: Final = ServerDialect(
    path="/v1/chat/completions",
    body=openai_body,
    reader=OpenAIReader,
    required_parameters=frozenset({"model", "messages", "stream", "tools", "response_format"}),
)
_ANTHROPIC: Final = ServerDialect(
    path="/v1/messages",
    body=messages_body,
    reader=AnthropicReader,
    required_parameters=frozenset({"model", "messages", "system", "stream", "tools", "max_tokens"}),
)
_OLLAMA: Final = ServerDialect(
    path="/api/chat",
    body=ollama_body,
    reader=OllamaReader,
    required_parameters=frozenset({"model", "messages", "stream", "tools", "format"}),
    media_type="application/x-ndjson",
)
_NATIVE: Final = {ServerKind.ANTHROPIC: _ANTHROPIC, ServerKind.OLLAMA: _OLLAMA}


def dialect_of(kind: ServerKind) -> ServerDialect:
    """Return the dialect for a kind of server: its native one, or else OpenAI's."""
    return _NATIVE.get(kind, _OPENAI)
