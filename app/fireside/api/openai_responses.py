"""OpenAI's responses API, which Codex and newer clients use. Responses are kept in memory, for minutes."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncGenerator, Callable, Mapping, Sequence
from contextlib import aclosing
from functools import partial
from typing import Any

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.http_error import HttpError, invalid
from fireside.api.http_messages import HttpRequest, HttpResponse, StreamingResponse, json_response, sse_event
from fireside.api.kept_responses import KeptResponse, WrittenResponse, read_number
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
    if body.background:
        return await _start_in_background(service, request, body, session=session)
    completion = await service.start(read_responses(body), request, session=session)
    writer = _Writer(body, model=completion.spec.id)
    keep = partial(service.responses.keep, request.client.id) if body.store is not False else None
    if body.stream:
        chunks = _chunks(completion, writer, keep=keep)
        return StreamingResponse(chunks=chunks, error_chunk=writer.error_chunk, heartbeat=COMMENT)
    (answer,) = await completion.collect()
    response = writer.complete(answer)
    if keep is not None:
        keep(writer.response_id, response)
    return json_response(response)


async def _start_in_background(
    service: ApiService, request: HttpRequest, body: ResponsesBody, *, session: str
) -> HttpResponse | StreamingResponse:
    """Start a response that goes on without the connection over which it was asked for."""
    if body.store is False:
        raise invalid(
            "background: such a response is kept, so not together with store: false.", param="store"
        )
    client, activity = request.client, service.activity
    service.responses.check_room(client.id)
    running = activity.start_request(client.name, request.path)
    request = msgspec.structs.replace(request, running=running)
    try:
        completion = await service.start(read_responses(body), request, session=session)
    except BaseException:
        activity.end_request(running)
        raise
    writer = _Writer(body, model=completion.spec.id)

    async def close(error: HttpError | None) -> None:
        await completion.aclose()
        activity.end_request(running)
        if error is not None:
            activity.record_error(client.name, request.path, error.message)

    written = WrittenResponse(
        response_id=writer.response_id,
        chunks=_chunks(completion, writer),
        current=writer.current,
        cancelled=writer.cancelled,
        error_chunk=writer.error_chunk,
        close=close,
    )
    kept = service.responses.run(client.id, written)
    return _stream_of(kept) if body.stream else HttpResponse(body=kept.body())


def _stream_of(kept: KeptResponse, *, after: int = -1) -> StreamingResponse:
    return StreamingResponse(chunks=kept.events(after=after), error_chunk=_error_event, heartbeat=COMMENT)


def _error_event(http_error: HttpError) -> bytes:
    """Return an event that ends one reading of a response, not the response."""
    fields = {"code": http_error.code, "message": http_error.message, "param": http_error.param}
    return sse_event({"type": "error", **fields}, name="error")


async def get_response(service: ApiService, request: HttpRequest) -> HttpResponse | StreamingResponse:
    """Handle ``GET /v1/responses/ID``: the response as it is now or, with ``stream=true``, its events above
    the number ``starting_after``."""
    kept = service.responses.find(request.client.id, _id_of(request))
    if request.query.get("stream", "").lower() not in ("true", "1"):
        return HttpResponse(body=kept.body())
    after = read_number(request.query.get("starting_after", ""), param="starting_after")
    if not kept.is_background:
        raise invalid("stream: only a response with background: true can be streamed again.", param="stream")
    return _stream_of(kept, after=after)


async def cancel_response(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``POST /v1/responses/ID/cancel``; a response that ended stays as it is."""
    kept = service.responses.find(request.client.id, _id_of(request))
    if not kept.is_background:
        raise invalid("Only a response with background: true can be cancelled. Close the connection instead.")
    await service.responses.cancel(kept)
    return HttpResponse(body=kept.body())


async def delete_response(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``DELETE /v1/responses/ID``."""
    response_id = _id_of(request)
    await service.responses.delete(request.client.id, response_id)
    return json_response({"id": response_id, "object": "response", "deleted": True})


def _id_of(request: HttpRequest) -> str:
    return request.path.partition("/responses/")[2].partition("/")[0]


async def count_response_tokens(
    service: ApiService, request: HttpRequest, body: ResponsesBody
) -> HttpResponse:
    """Handle ``/v1/responses/input_tokens``, without waiting for running answers."""
    n_tokens = await service.count(read_responses(body), request.client)
    return json_response({"object": "response.input_tokens", "input_tokens": n_tokens})


async def _chunks(
    completion: Completion, writer: _Writer, *, keep: Callable[[str, dict[str, Any]], None] | None = None
) -> AsyncGenerator[bytes, None]:
    """Yield the events, and ``keep`` the response when it ended."""
    try:
        yield writer.start()
        async with aclosing(completion.events()) as events:
            async for _, event in events:
                if isinstance(event, TextDelta) and (chunk := writer.add(event)):
                    yield chunk
                elif isinstance(event, CallDelta):
                    yield writer.add_call(event)
                elif isinstance(event, Finished):
                    last = writer.end(event)
                    if keep is not None:
                        keep(writer.response_id, writer.current())
                    yield last
    finally:
        await completion.aclose()


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
            **({"background": True} if body.background else {}),
        }
        self._last: dict[str, Any] | None = None
        """The response as its last event contains it."""
        self._n_events = 0
        self._items: list[dict[str, Any]] = []
        self._open: OutputKind | str | None = None
        """The kind of the item that is written; the id of a call."""
        self._texts: list[str] = []

    @property
    def response_id(self) -> str:
        """The id under which the response is kept."""
        return str(self._head["id"])

    def current(self) -> dict[str, Any]:
        """Return the response as it is now."""
        return self._response("in_progress") if self._last is None else self._last

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
        self._last = {**self._response("failed"), "error": error}
        return self._event("response.failed", response=self._last)

    def cancelled(self) -> bytes:
        """Return the events that end a response because its client cancelled it. The original has no event of
        its own for that."""
        events = self._close(is_cut=True)
        self._last = self._response("cancelled")
        return events + self._event("response.incomplete", response=self._last)

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
        self._last = {
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
        return self._last

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
