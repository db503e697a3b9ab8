"""Anthropic's dialect: messages, whole and as events, and counts of tokens."""

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
from fireside.core.generation import Finished, FinishReason, OutputKind, PromptProgress, TextDelta
from fireside.core.message import ToolCallPart

_PING: Final = b'event: ping\ndata: {"type": "ping"}\n\n'
_OVERLOADED: Final = 529
_SIGNATURE: Final = "fireside"
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
    """Answer one call of ``/v1/messages``."""
    user_id = body.metadata.user_id if body.metadata is not None else None
    session = session_id(request.headers, user_id=user_id)
    completion = await service.start(read_anthropic(body), request, session=session)
    if not body.stream:
        (whole,) = await completion.collect()
        return json_response(_whole(whole, model=completion.spec.id))
    return StreamingResponse(chunks=_chunks(completion), error_chunk=_failure, heartbeat=_PING)


def _failure(http_error: HttpError) -> bytes:
    return sse_event(anthropic_error(http_error), name="error")


async def count_message_tokens(service: ApiService, request: HttpRequest, body: MessagesBody) -> HttpResponse:
    """Answer one call of ``/v1/messages/count_tokens``. Waits behind no answer."""
    return json_response({"input_tokens": await service.count(read_anthropic(body), request.client)})


def _message(content: Sequence[Mapping[str, Any]], *, model: str, **more: Any) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex[:24]}",
        "type": "message",
        "role": "assistant",
        "model": model,
        "content": content,
        "stop_reason": None,
        "stop_sequence": None,
        **more,
    }


def _whole(each: CollectedAnswer, *, model: str) -> dict[str, Any]:
    end = each.finished
    content: list[dict[str, Any]] = []
    if each.reasoning:
        content.append({"type": "thinking", "thinking": each.reasoning, "signature": _SIGNATURE})
    if each.text or not end.tool_calls:
        content.append({"type": "text", "text": each.text})
    for call in end.tool_calls:
        content.append({"type": "tool_use", "id": _id(call), "name": call.name, "input": arguments_of(call)})
    usage = _usage(end.usage.n_prompt, end.usage.n_cached, end.usage.n_completion)
    return _message(
        content, model=model, stop_reason=_reason(end), stop_sequence=end.stop_string or None, usage=usage
    )


def _reason(end: Finished) -> str:
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


def _id(call: ToolCallPart) -> str:
    return call.id or f"toolu_{uuid.uuid4().hex[:24]}"


class _Blocks:
    """Numbers the blocks of an answer, and opens and closes them as its kind changes."""

    def __init__(self) -> None:
        self._n = -1
        self._open: OutputKind | None = None

    def add(self, each: TextDelta) -> bytes:
        """Return the events of a piece of output."""
        if not each.text or each.kind is OutputKind.MARKUP:
            return b""
        is_text = each.kind is OutputKind.ANSWER
        out = b""
        if self._open is not each.kind:
            out = self.close() + self._begin(
                {"type": "text", "text": ""}
                if is_text
                else {"type": "thinking", "thinking": "", "signature": ""}
            )
            self._open = each.kind
        if is_text:
            return out + self._delta({"type": "text_delta", "text": each.text})
        return out + self._delta({"type": "thinking_delta", "thinking": each.text})

    def call(self, call: ToolCallPart) -> bytes:
        """Return the events of a call."""
        out = self.close() + self._begin(
            {"type": "tool_use", "id": _id(call), "name": call.name, "input": {}}
        )
        return out + self._delta({"type": "input_json_delta", "partial_json": call.arguments}) + self._stop()

    def close(self) -> bytes:
        """End the block that is open, if one is."""
        if self._open is None:
            return b""
        signed = b""
        if self._open is OutputKind.REASONING:
            signed = self._delta({"type": "signature_delta", "signature": _SIGNATURE})
        self._open = None
        return signed + self._stop()

    def _begin(self, block: Mapping[str, Any]) -> bytes:
        self._n += 1
        return _event("content_block_start", index=self._n, content_block=block)

    def _delta(self, delta: Mapping[str, Any]) -> bytes:
        return _event("content_block_delta", index=self._n, delta=delta)

    def _stop(self) -> bytes:
        return _event("content_block_stop", index=self._n)


def _event(name: str, **fields: Any) -> bytes:
    return sse_event({"type": name, **fields}, name=name)


async def _chunks(completion: Completion) -> AsyncGenerator[bytes, None]:
    blocks, has_begun = _Blocks(), False
    n_prompt, n_cached = 0, 0
    async with aclosing(completion.events()) as events:
        async for _, each in events:
            if isinstance(each, PromptProgress):
                n_prompt, n_cached = each.n_total, each.n_cached
            if not has_begun and isinstance(each, PromptProgress | TextDelta | Finished):
                has_begun = True
                message = _message([], model=completion.spec.id, usage=_usage(n_prompt, n_cached, 0))
                yield _event("message_start", message=message) + _PING
            if isinstance(each, TextDelta) and (out := blocks.add(each)):
                yield out
            elif isinstance(each, Finished):
                yield blocks.close() + b"".join(map(blocks.call, each.tool_calls))
                usage = _usage(each.usage.n_prompt, each.usage.n_cached, each.usage.n_completion)
                delta = {"stop_reason": _reason(each), "stop_sequence": each.stop_string or None}
                yield _event("message_delta", delta=delta, usage=usage) + _event("message_stop")
