"""OpenAI's responses API, which Codex and newer clients use. Responses are not stored."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import aclosing
from typing import Any

from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.http_error import HttpError
from fireside.api.http_messages import HttpRequest, HttpResponse, StreamingResponse, json_response, sse_event
from fireside.api.openai_chat import COMMENT, arguments_of
from fireside.api.openai_response_items import CUSTOM_ARGUMENT, ResponsesBody, read_responses
from fireside.api.sessions import session_id
from fireside.api.usage import logprobs_of
from fireside.core.generation import CallDelta, Finished, FinishReason, OutputKind, TextDelta, TokenLogprobs
from fireside.core.message import ToolCallPart


async def create_response(
    service: ApiService, request: HttpRequest, body: ResponsesBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/v1/responses``."""
    session = session_id(request.headers, cache_key=body.prompt_cache_key)
    completion = await service.start(read_responses(body), request, session=session)
    writer = _Writer(body, model=completion.spec.id)
    if not body.stream:
        (answer,) = await completion.collect()
        return json_response(writer.complete(answer))
    return StreamingResponse(
        chunks=_chunks(completion, writer), error_chunk=writer.error_chunk, heartbeat=COMMENT
    )


async def count_response_tokens(
    service: ApiService, request: HttpRequest, body: ResponsesBody
) -> HttpResponse:
    """Handle ``/v1/responses/input_tokens``, without waiting for running answers."""
    n_tokens = await service.count(read_responses(body), request.client)
    return json_response({"object": "response.input_tokens", "input_tokens": n_tokens})


async def _chunks(completion: Completion, writer: _Writer) -> AsyncGenerator[bytes, None]:
    yield writer.start()
    async with aclosing(completion.events()) as events:
        async for _, event in events:
            if isinstance(event, TextDelta) and (chunk := writer.add(event)):
                yield chunk
            elif isinstance(event, CallDelta):
                yield writer.add_call(event)
            elif isinstance(event, Finished):
                yield writer.end(event)


class _Writer:
    """Writes the events of one response. Keeps its items, which the last event contains again."""

    def __init__(self, body: ResponsesBody, *, model: str) -> None:
        self._custom_tools = body.custom_tools
        self._has_logprobs = body.has_logprobs
        self._logprobs: list[TokenLogprobs] = []
        self._head: dict[str, Any] = {
            "id": f"resp_{uuid.uuid4().hex}",
            "object": "response",
            "created_at": int(time.time()),
            "model": model,
            "error": None,
            "incomplete_details": None,
            "parallel_tool_calls": True,
            "tool_choice": "auto",
            "tools": [],
        }
        self._n_events = 0
        self._items: list[dict[str, Any]] = []
        self._open: OutputKind | str | None = None
        """The kind of the item that is written; the id of a call."""
        self._texts: list[str] = []

    def start(self) -> bytes:
        """Return the first events."""
        response = self._response("in_progress")
        return self._event("response.created", response=response) + self._event(
            "response.in_progress", response=response
        )

    def add(self, delta: TextDelta) -> bytes:
        """Return the events of a text delta."""
        if not delta.text or delta.kind is OutputKind.MARKUP:
            return b""
        events = b"" if self._open is delta.kind else self._close() + self._begin(delta.kind)
        self._texts.append(delta.text)
        if delta.kind is OutputKind.REASONING:
            return events + self._event("response.reasoning_text.delta", **self._position(), delta=delta.text)
        self._logprobs += delta.logprobs
        logprobs = self._content_of(delta.logprobs)
        return events + self._event(
            "response.output_text.delta", **self._position(), delta=delta.text, logprobs=logprobs
        )

    def add_call(self, delta: CallDelta) -> bytes:
        """Return the events of more of a tool call."""
        events = b"" if self._open == delta.id else self._close() + self._begin_call(delta)
        self._texts.append(delta.arguments)
        item, text = self._items[-1], delta.arguments
        if item["type"] == "custom_tool_call":
            before, whole = item["input"], self._written_item()["input"]
            text = whole[len(before) :]
            self._items[-1] = {**item, "input": before + text}
        return events + (
            self._event(f"{_kind(item)}.delta", **self._call_position(), delta=text) if text else b""
        )

    def end(self, end: Finished) -> bytes:
        """Return the last events."""
        is_cut = end.cut_call is not None and end.cut_call.id == self._open
        events = self._close(is_cut=is_cut)
        if not self._items:
            events += self._begin(OutputKind.ANSWER) + self._close()
        return events + self._event(f"response.{_status(end)}", response=self._finished(end))

    def error_chunk(self, http_error: HttpError) -> bytes:
        """Return the event that ends a response with an error."""
        error = {"code": http_error.code or http_error.kind, "message": http_error.message}
        response = {**self._response("failed"), "error": error}
        return self._event("response.failed", response=response)

    def complete(self, answer: CollectedAnswer) -> dict[str, Any]:
        """Return a response that is not streamed."""
        if answer.reasoning:
            self._items.append(_reasoning_item(answer.reasoning))
        if answer.text or not answer.finished.written_calls:
            self._items.append(_message_item(answer.text, self._content_of(answer.logprobs)))
        self._items += [
            self._call_item(call, is_cut=call is answer.finished.cut_call)
            for call in answer.finished.written_calls
        ]
        return self._finished(answer.finished)

    def _begin(self, kind: OutputKind) -> bytes:
        self._open = kind
        self._texts = []
        self._logprobs = []
        is_text = kind is OutputKind.ANSWER
        item = _message_item("") if is_text else _reasoning_item("")
        item |= {"status": "in_progress", "content": []}
        self._items.append(item)
        added = self._event("response.output_item.added", output_index=self._index, item=item)
        part = {"type": "output_text", "text": "", "annotations": []}
        if not is_text:
            part = {"type": "reasoning_text", "text": ""}
        return added + self._event("response.content_part.added", **self._position(), part=part)

    def _close(self, *, is_cut: bool = False) -> bytes:
        if self._open is None:
            return b""
        if not isinstance(self._open, OutputKind):
            return self._close_call(is_cut=is_cut)
        is_text, text = self._open is OutputKind.ANSWER, "".join(self._texts)
        self._open = None
        logprobs = self._content_of(self._logprobs)
        item = _message_item(text, logprobs) if is_text else _reasoning_item(text)
        done = {**item, "id": self._items[-1]["id"]}
        self._items[-1] = done
        kind = "output_text" if is_text else "reasoning_text"
        position = self._position()
        fields = {"text": text, "logprobs": logprobs} if is_text else {"text": text}
        return (
            self._event(f"response.{kind}.done", **position, **fields)
            + self._event("response.content_part.done", **position, part=done["content"][0])
            + self._event("response.output_item.done", output_index=self._index, item=done)
        )

    def _begin_call(self, delta: CallDelta) -> bytes:
        self._open, self._texts = delta.id, []
        call = ToolCallPart(id=delta.id, name=delta.name, arguments="")
        item = {**self._call_item(call, is_cut=False), "status": "in_progress"}
        self._items.append(item)
        return self._event("response.output_item.added", output_index=self._index, item=item)

    def _written_item(self, *, is_cut: bool = False) -> dict[str, Any]:
        """Return the item of the call that is written, as far as it came."""
        begun = self._items[-1]
        call = ToolCallPart(id=begun["call_id"], name=begun["name"], arguments="".join(self._texts))
        return {**self._call_item(call, is_cut=is_cut), "id": begun["id"]}

    def _close_call(self, *, is_cut: bool) -> bytes:
        self._open = None
        self._items[-1] = item = self._written_item(is_cut=is_cut)
        field = "input" if item["type"] == "custom_tool_call" else "arguments"
        return self._event(
            f"{_kind(item)}.done", **self._call_position(), **{field: item[field]}
        ) + self._event("response.output_item.done", output_index=self._index, item=item)

    def _call_position(self) -> dict[str, Any]:
        return {"item_id": self._items[-1]["id"], "output_index": self._index}

    def _call_item(self, call: ToolCallPart, *, is_cut: bool) -> dict[str, Any]:
        head = {
            "call_id": call.id,
            "name": call.name,
            "status": "incomplete" if is_cut else "completed",
        }
        if call.name in self._custom_tools:
            text = arguments_of(call).get(CUSTOM_ARGUMENT, "")
            return {"id": f"ctc_{uuid.uuid4().hex}", "type": "custom_tool_call", **head, "input": str(text)}
        head["arguments"] = call.arguments
        return {"id": f"fc_{uuid.uuid4().hex}", "type": "function_call", **head}

    def _content_of(self, tokens: Sequence[TokenLogprobs]) -> list[dict[str, Any]]:
        content: list[dict[str, Any]] = logprobs_of(tokens)["content"] if self._has_logprobs else []
        return content

    @property
    def _index(self) -> int:
        return len(self._items) - 1

    def _position(self) -> dict[str, Any]:
        return {"item_id": self._items[-1]["id"], "output_index": self._index, "content_index": 0}

    def _finished(self, end: Finished) -> dict[str, Any]:
        usage, status = end.usage, _status(end)
        incomplete = {"reason": "max_output_tokens"} if status == "incomplete" else None
        return {
            **self._response(status),
            "incomplete_details": incomplete,
            "usage": {
                "input_tokens": usage.n_prompt,
                "input_tokens_details": {"cached_tokens": usage.n_cached},
                "output_tokens": usage.n_completion,
                "output_tokens_details": {"reasoning_tokens": usage.n_reasoning},
                "total_tokens": usage.n_prompt + usage.n_completion,
            },
        }

    def _response(self, status: str) -> dict[str, Any]:
        return {**self._head, "status": status, "output": list(self._items), "usage": None}

    def _event(self, name: str, /, **fields: Any) -> bytes:
        number, self._n_events = self._n_events, self._n_events + 1
        return sse_event({"type": name, "sequence_number": number, **fields}, name=name)


def _kind(item: Mapping[str, Any]) -> str:
    """Return the name of the events about the text of a call."""
    is_custom = item["type"] == "custom_tool_call"
    return "response.custom_tool_call_input" if is_custom else "response.function_call_arguments"


def _status(end: Finished) -> str:
    return "incomplete" if end.reason in (FinishReason.LENGTH, FinishReason.REPETITION) else "completed"


def _message_item(text: str, logprobs: Sequence[Mapping[str, Any]] = ()) -> dict[str, Any]:
    return {
        "id": f"msg_{uuid.uuid4().hex}",
        "type": "message",
        "role": "assistant",
        "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": [], "logprobs": list(logprobs)}],
    }


def _reasoning_item(text: str) -> dict[str, Any]:
    return {
        "id": f"rs_{uuid.uuid4().hex}",
        "type": "reasoning",
        "summary": [],
        "status": "completed",
        "content": [{"type": "reasoning_text", "text": text}],
    }
