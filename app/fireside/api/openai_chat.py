"""OpenAI's chat completions: requests, and answers whole or streamed."""

from __future__ import annotations

import time
import uuid
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Annotated, Any, Final

import msgspec

from fireside import __version__
from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.completion_request import (
    EFFORTS,
    CompletionRequest,
    RequestSettings,
    UserTools,
    n_answers,
)
from fireside.api.http_error import HttpError, invalid
from fireside.api.http_messages import (
    Dialect,
    HttpRequest,
    HttpResponse,
    StreamingResponse,
    json_response,
    sse_event,
)
from fireside.api.openai_messages import (
    Function,
    Message,
    Tool,
    continues,
    read_messages,
    read_tool_choice,
    read_tools,
)
from fireside.api.openapi import items, one_of
from fireside.api.sampling import Sampling, set_sampling
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import finish_reason, logprobs_of, progress_of, timings_of, usage_of
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.generation import CallDelta, Finished, OutputKind, PromptProgress, TextDelta
from fireside.core.message import ChatMessage, ToolCallPart
from fireside.core.prompt_input import ChatInput, ToolChoice, ToolDefinition

BUILD: Final = f"build-{__version__}"
"""Sent as the system fingerprint: the same build gives the same answer for the same seed."""
DONE: Final = b"data: [DONE]\n\n"
COMMENT: Final = b": still working\n\n"


class JsonSchema(msgspec.Struct):
    """A JSON Schema, as OpenAI's API nests it."""

    schema: dict[str, Any] | bool | None = None


class ResponseFormat(msgspec.Struct):
    """The format of the answer."""

    type: Annotated[str, one_of("text", "json_object", "json_schema")] = "text"
    json_schema: JsonSchema | None = None
    schema: dict[str, Any] | bool | None = None
    """The schema where llama.cpp's server expects it."""


class StreamOptions(msgspec.Struct):
    """Additional content of a stream."""

    include_usage: bool = False


class ChatBody(Sampling, kw_only=True):
    """The body of ``/v1/chat/completions``. Unknown fields are ignored."""

    messages: Annotated[list[Message], items(at_least=1)]
    model: str = ""
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    n: int | None = None
    stream: bool | None = None
    stream_options: StreamOptions | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    response_format: ResponseFormat | None = None
    tools: list[Tool] | None = None
    tool_choice: str | dict[str, Any] | None = None
    parallel_tool_calls: bool | None = None
    functions: list[Function] | None = None
    """The tools in the form before ``tools``; calls are then answered in that form too."""
    function_call: str | dict[str, Any] | None = None
    fireside_tools: UserTools = ()
    reasoning_effort: Annotated[str, one_of(*EFFORTS)] | None = None
    chat_template: str | None = None
    """A template in place of the model's, as vLLM takes it."""
    chat_template_kwargs: dict[str, Any] | None = None
    documents: list[dict[str, Any]] | None = None
    """For templates that show documents; of vLLM, as is ``echo``, which is read to be refused."""
    echo: bool | None = None
    continue_final_message: bool | None = None
    """As in vLLM, whether the answer continues the last message; unset means yes for an assistant's."""
    add_generation_prompt: bool | None = None
    modalities: list[str] | None = None
    return_progress: bool = False
    """Whether a stream reports the progress of prompt processing."""

    @property
    def has_old_calls(self) -> bool:
        """Whether the client knows ``function_call`` alone."""
        return bool(self.functions) and not self.tools


def openai_error(http_error: HttpError) -> dict[str, Any]:
    """Return an error as OpenAI's clients expect it."""
    return {
        "error": {
            "message": http_error.message,
            "type": http_error.kind,
            "param": http_error.param,
            "code": http_error.code,
            **http_error.facts,
        }
    }


OPENAI: Final = Dialect(error=openai_error)


def stream_error_chunk(http_error: HttpError) -> bytes:
    """Return the chunk that ends a stream with an error."""
    return sse_event(openai_error(http_error))


def set_format(settings: RequestSettings, response_format: ResponseFormat | None) -> None:
    """Set the format of the answer. Raises ``HttpError``."""
    match response_format:
        case None | ResponseFormat(type="text"):
            return
        case ResponseFormat(type="json_object", schema=schema):
            settings.set_schema(schema or {}, name="response_format")
        case ResponseFormat(type="json_schema", json_schema=JsonSchema(schema=schema)):
            settings.set_schema(schema or {}, name="response_format")
        case ResponseFormat(type="json_schema", schema=schema) if schema is not None:
            settings.set_schema(schema, name="response_format")
        case _:
            raise invalid(
                "response_format: choose text, json_object or json_schema with a schema.",
                param="response_format",
            )


def read_chat(body: ChatBody) -> CompletionRequest:
    """Return the request that a body describes. Raises ``HttpError``."""
    settings = RequestSettings()
    set_sampling(settings, body)
    if body.max_completion_tokens is not None:
        settings.set_max_tokens(body.max_completion_tokens, name="max_completion_tokens")
    else:
        settings.set_max_tokens(body.max_tokens, name="max_tokens")
    set_format(settings, body.response_format)
    settings.set_effort(body.reasoning_effort, name="reasoning_effort")
    settings.set("answer.template", body.chat_template, name="chat_template")
    documents = {"documents": body.documents} if body.documents else {}
    settings.set_template_arguments(
        {**documents, **(body.chat_template_kwargs or {})}, name="chat_template_kwargs"
    )
    if body.echo:
        raise invalid("echo: only for /v1/completions; put both texts together.", param="echo")
    if set(body.modalities or ()) - {"text"}:
        raise invalid("modalities: answers are text.", param="modalities")
    if body.logprobs:
        settings.set("sampling.top_logprobs", body.top_logprobs or 0)
    messages = read_messages(body.messages)
    if len(messages) == len(body.messages):
        settings.names["messages[]"] = "messages[]"
    choice, tools = _tools(body)
    prompt = ChatInput(
        messages=messages,
        tools=tools,
        tool_choice=choice,
        continue_final=_continues(body, messages),
    )
    return CompletionRequest(
        model=body.model,
        prompts=(prompt,),
        n=n_answers(body.n),
        settings=settings.values,
        names=settings.names,
        reads_only=settings.reads_only,
        stop_tokens=settings.stop_tokens,
        min_tokens=settings.min_tokens,
        shows_stop=settings.shows_stop,
        reuses_cache=settings.reuses_cache,
        keep_alive_s=parse_keep_alive(body.keep_alive if body.keep_alive is not None else body.ttl),
        user_tools=body.fireside_tools,
        single_tool_call=body.parallel_tool_calls is False or body.has_old_calls,
    )


def _tools(body: ChatBody) -> tuple[ToolChoice, tuple[ToolDefinition, ...]]:
    if body.functions and body.tools:
        raise invalid("functions: not together with tools, which are the same.", param="functions")
    if body.has_old_calls:
        tools = read_tools([Tool(function=each) for each in body.functions or ()])
        return read_tool_choice(body.function_call, tools=tools, parallel=None)
    return read_tool_choice(body.tool_choice, tools=read_tools(body.tools), parallel=body.parallel_tool_calls)


def _continues(body: ChatBody, messages: Sequence[ChatMessage]) -> bool:
    if body.continue_final_message and body.add_generation_prompt:
        raise invalid(
            "continue_final_message: leave add_generation_prompt out, it says the opposite.",
            param="continue_final_message",
        )
    if body.continue_final_message is None:
        return continues(messages)
    if body.continue_final_message and not continues(messages):
        raise invalid(
            "continue_final_message: the last message is not the assistant's.",
            param="continue_final_message",
        )
    return body.continue_final_message


async def create_chat_completion(
    service: ApiService, request: HttpRequest, body: ChatBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/v1/chat/completions``."""
    session = session_id(request.headers, cache_key=body.prompt_cache_key)
    completion = await service.start(read_chat(body), request, session=session)
    head = CompletionHead("chat.completion.chunk", prefix="chatcmpl-", model=completion.spec.id)
    if not body.stream:
        answers = await completion.collect()
        return json_response(_complete(answers, head, body))
    return StreamingResponse(
        chunks=_chunks(completion, head, body), error_chunk=stream_error_chunk, heartbeat=COMMENT
    )


async def count_chat_tokens(service: ApiService, request: HttpRequest, body: ChatBody) -> HttpResponse:
    """Handle ``/v1/chat/completions/input_tokens``, without waiting for running answers."""
    return json_response({"input_tokens": await service.count(read_chat(body), request.client)})


class CompletionHead:
    """The fields that all objects of one response share."""

    def __init__(self, kind: str, *, prefix: str, model: str) -> None:
        self.id = prefix + uuid.uuid4().hex
        self._fields = {
            "id": self.id,
            "object": kind,
            "created": int(time.time()),
            "model": model,
            "system_fingerprint": BUILD,
        }

    def with_choices(self, choices: Sequence[Mapping[str, Any]], **fields: Any) -> dict[str, Any]:
        """Return one object of the response."""
        return {**self._fields, "choices": choices, **fields}


async def _chunks(
    completion: Completion, head: CompletionHead, body: ChatBody
) -> AsyncGenerator[bytes, None]:
    with_usage = body.stream_options is not None and body.stream_options.include_usage
    calls: dict[int, list[str]] = {}
    """The ids of the calls of each answer that has started."""
    ends: list[Finished] = []

    def chunk(index: int, delta: Mapping[str, Any], **fields: Any) -> bytes:
        choice = {"index": index, "delta": delta, "finish_reason": None, **fields}
        return sse_event(head.with_choices([choice]))

    async with aclosing(completion.events()) as events:
        async for index, event in events:
            if index not in calls and isinstance(event, PromptProgress | TextDelta | CallDelta | Finished):
                calls[index] = []
                yield chunk(index, {"role": "assistant", "content": ""})
            match event:
                case TextDelta():
                    delta = _delta(event)
                    if delta or (body.logprobs and event.logprobs):
                        logprobs = {"logprobs": logprobs_of(event.logprobs)} if body.logprobs else {}
                        yield chunk(index, delta, **logprobs)
                case PromptProgress() if body.return_progress:
                    choice = {"index": index, "delta": {}, "finish_reason": None}
                    yield sse_event(head.with_choices([choice], prompt_progress=progress_of(event)))
                case CallDelta():
                    for call_delta in _call_deltas(event, calls[index], is_old=body.has_old_calls):
                        yield chunk(index, call_delta)
                case Finished():
                    ends.append(event)
                    yield chunk(index, {}, finish_reason=_reason(event, body))
                case _:
                    pass
    if with_usage:
        yield sse_event(head.with_choices([], usage=usage_of(ends), timings=timings_of(ends[0])))
    yield DONE


def _delta(delta: TextDelta) -> dict[str, Any]:
    match delta.kind:
        case OutputKind.ANSWER:
            return {"content": delta.text} if delta.text else {}
        case OutputKind.REASONING:
            # Clients read one of the two names.
            return {"reasoning_content": delta.text, "reasoning": delta.text} if delta.text else {}
        case OutputKind.MARKUP:
            return {}


def _reason(end: Finished, body: ChatBody) -> str:
    reason = finish_reason(end)
    return "function_call" if reason == "tool_calls" and body.has_old_calls else reason


def _call_deltas(delta: CallDelta, ids: list[str], *, is_old: bool) -> Iterable[dict[str, Any]]:
    """Yield more of a call, behind its head if it is new: then its id is added to ``ids``."""
    function, arguments = {"name": delta.name, "arguments": ""}, {"arguments": delta.arguments}
    is_new = delta.id not in ids
    if is_new:
        ids.append(delta.id)
    if is_old:
        yield from ({"function_call": part} for part in ((function, arguments) if is_new else (arguments,)))
        return
    index = ids.index(delta.id)
    if is_new:
        yield {"tool_calls": [{"index": index, "id": delta.id, "type": "function", "function": function}]}
    if delta.arguments:
        yield {"tool_calls": [{"index": index, "function": arguments}]}


def arguments_of(call: ToolCallPart) -> Any:
    """Return the arguments of a call, decoded: of a call that was cut off what came before."""
    try:
        return decode_json(call.arguments or "{}", kind=object)
    except JsonInvalid:
        return _begun_object(call.arguments)


def _begun_object(text: str) -> Any:
    """Return the object that ``text`` is the beginning of; an empty one if it is not JSON."""
    from pydantic_core import from_json  # comes with mcp; late, since calls are rarely cut off

    try:
        value = from_json(text, allow_partial="trailing-strings")
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def _complete(answers: Sequence[CollectedAnswer], head: CompletionHead, body: ChatBody) -> dict[str, Any]:
    choices = [
        {
            "index": index,
            "message": _message(answer, is_old=body.has_old_calls),
            "logprobs": logprobs_of(answer.logprobs) if body.logprobs else None,
            "finish_reason": _reason(answer.finished, body),
        }
        for index, answer in enumerate(answers)
    ]
    ends = [answer.finished for answer in answers]
    response = head.with_choices(choices, usage=usage_of(ends), timings=timings_of(ends[0]))
    return {**response, "object": "chat.completion"}


def _message(answer: CollectedAnswer, *, is_old: bool) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": answer.text, "refusal": None}
    if answer.reasoning:
        message |= {"reasoning_content": answer.reasoning, "reasoning": answer.reasoning}
    if calls := answer.finished.written_calls:
        message["content"] = answer.text or None
        if is_old:
            return message | {"function_call": {"name": calls[0].name, "arguments": calls[0].arguments}}
        message["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    return message
