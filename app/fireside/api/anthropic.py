"""Anthropic's dialect: messages, whole or streamed, and token counts."""

from __future__ import annotations

import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from http import HTTPStatus
from typing import Any, Final

from fireside.api.anthropic_messages import MessagesBody, read_anthropic
from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.http_error import HttpError
from fireside.api.http_messages import (
    Dialect,
    HttpRequest,
    HttpResponse,
    StreamingResponse,
    json_response,
    sse_event,
)
from fireside.api.openai_chat import arguments_of
from fireside.api.sessions import session_id
from fireside.core.generation import CallDelta, Finished, FinishReason, OutputKind, PromptProgress, TextDelta

_PING: Final = b'event: ping\ndata: {"type": "ping"}\n\n'
_OVERLOADED: Final = 529
_SIGNATURE: Final = "fireside"
"""Clients send it back with the reasoning; it is not checked."""
_REASONS: Final[Mapping[FinishReason, str]] = {
    FinishReason.STOP: "end_turn",
    FinishReason.LENGTH: "max_tokens",
    FinishReason.TOOL_CALL: "tool_use",
    FinishReason.REPETITION: "max_tokens",
}


def anthropic_error(http_error: HttpError) -> dict[str, Any]:
    """Return an error as Anthropic's clients expect it."""
    kind = "api_error" if http_error.status == HTTPStatus.INTERNAL_SERVER_ERROR else http_error.kind
    return {
        "type": "error",
        "error": {"type": kind, "message": http_error.message},
        "request_id": f"req_{uuid.uuid4().hex[:24]}",
    }


ANTHROPIC: Final = Dialect(error=anthropic_error, busy_status=_OVERLOADED)


async def create_message(
    service: ApiService, request: HttpRequest, body: MessagesBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/v1/messages``."""
    user_id = body.metadata.user_id if body.metadata is not None else None
    session = session_id(request.headers, user_id=user_id)
    completion = await service.start(read_anthropic(body), request, session=session)
    if not body.stream:
        (answer,) = await completion.collect()
        return json_response(_complete_message(answer, model=completion.spec.id))
    return StreamingResponse(chunks=_chunks(completion), error_chunk=_error_event, heartbeat=_PING)


def _error_event(http_error: HttpError) -> bytes:
    return sse_event(anthropic_error(http_error), name="error")


async def count_message_tokens(service: ApiService, request: HttpRequest, body: MessagesBody) -> HttpResponse:
    """Handle ``/v1/messages/count_tokens``, without waiting for running answers."""
    return json_response({"input_tokens": await service.count(read_anthropic(body), request.client)})


def _message(content: Sequence[Mapping[str, Any]], *, model: str, **fields: Any) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": None,
        "stop_sequence": None,
        **fields,
    }


def _complete_message(answer: CollectedAnswer, *, model: str) -> dict[str, Any]:
    end = answer.finished
    content: list[dict[str, Any]] = []
    if answer.reasoning:
        content.append({"type": "thinking", "thinking": answer.reasoning, "signature": _SIGNATURE})
    if answer.text or not end.written_calls:
        content.append({"type": "text", "text": answer.text})
    for call in end.written_calls:
        content.append({"type": "tool_use", "id": call.id, "name": call.name, "input": arguments_of(call)})
    usage = _usage(end.usage.n_prompt, end.usage.n_cached, end.usage.n_completion)
    return _message(content, model=model, **_stop_fields(end), usage=usage)


def _stop_fields(end: Finished) -> dict[str, str | None]:
    return {"stop_reason": _stop_reason(end), "stop_sequence": end.stop_string or None}


def _stop_reason(end: Finished) -> str:
    if end.reason is FinishReason.LENGTH and end.context_full:
        return "model_context_window_exceeded"
    return "stop_sequence" if end.stop_string else _REASONS[end.reason]


def _usage(n_prompt: int, n_cached: int, n_completion: int) -> dict[str, int]:
    return {
        "input_tokens": n_prompt - n_cached,
        "cache_creation_input_tokens": 0,
        "cache_read_input_tokens": n_cached,
        "output_tokens": n_completion,
    }


class _ContentBlocks:
    """Writes the events of an answer's content blocks; a delta of another kind or call starts a new one."""

    def __init__(self) -> None:
        self._n = -1
        self._open: OutputKind | str | None = None
        """The kind of the open block; the id of a call."""

    def add(self, delta: TextDelta) -> bytes:
        """Return the events of a text delta."""
        if not delta.text or delta.kind is OutputKind.MARKUP:
            return b""
        is_text = delta.kind is OutputKind.ANSWER
        events = b""
        if self._open is not delta.kind:
            events = self.close() + self._start(
                {"type": "text", "text": ""}
                if is_text
                else {"type": "thinking", "thinking": "", "signature": ""}
            )
            self._open = delta.kind
        if is_text:
            return events + self._delta({"type": "text_delta", "text": delta.text})
        return events + self._delta({"type": "thinking_delta", "thinking": delta.text})

    def add_call(self, delta: CallDelta) -> bytes:
        """Return the events of more of a tool call."""
        events = b""
        if self._open != delta.id:
            block = {"type": "tool_use", "id": delta.id, "name": delta.name, "input": {}}
            events = self.close() + self._start(block)
            self._open = delta.id
        return events + self._delta({"type": "input_json_delta", "partial_json": delta.arguments})

    def close(self) -> bytes:
        """Return the events that end the open block, if there is one."""
        if self._open is None:
            return b""
        signature = b""
        if self._open is OutputKind.REASONING:
            signature = self._delta({"type": "signature_delta", "signature": _SIGNATURE})
        self._open = None
        return signature + self._stop()

    def _start(self, block: Mapping[str, Any]) -> bytes:
        self._n += 1
        return _event("content_block_start", index=self._n, content_block=block)

    def _delta(self, delta: Mapping[str, Any]) -> bytes:
        return _event("content_block_delta", index=self._n, delta=delta)

    def _stop(self) -> bytes:
        return _event("content_block_stop", index=self._n)


def _event(name: str, **fields: Any) -> bytes:
    return sse_event({"type": name, **fields}, name=name)


async def _chunks(completion: Completion) -> AsyncGenerator[bytes, None]:
    blocks, has_started = _ContentBlocks(), False
    n_prompt, n_cached = 0, 0
    async with aclosing(completion.events()) as events:
        async for _, event in events:
            if isinstance(event, PromptProgress):
                n_prompt, n_cached = event.n_total, event.n_cached
            if not has_started and isinstance(event, PromptProgress | TextDelta | CallDelta | Finished):
                has_started = True
                message = _message([], model=completion.spec.id, usage=_usage(n_prompt, n_cached, 0))
                yield _event("message_start", message=message) + _PING
            if isinstance(event, TextDelta) and (chunk := blocks.add(event)):
                yield chunk
            elif isinstance(event, CallDelta):
                yield blocks.add_call(event)
            elif isinstance(event, Finished):
                yield blocks.close()
                usage = _usage(event.usage.n_prompt, event.usage.n_cached, event.usage.n_completion)
                yield _event("message_delta", delta=_stop_fields(event), usage=usage) + _event("message_stop")
