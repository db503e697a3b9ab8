"""OpenAI's chat completions: what is asked, what is answered, whole and in pieces."""

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
    Biases,
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
    Message,
    NamedTool,
    Tool,
    continues,
    read_messages,
    read_tool_choice,
    read_tools,
)
from fireside.api.openapi import one_of
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import finish_reason, logprobs_of, progress_of, timings_of, usage_of
from fireside.core.generation import Finished, OutputKind, PromptProgress, TextDelta
from fireside.core.message import ChatMessage, ToolCallPart
from fireside.core.prompt_input import ChatInput

BUILD: Final = f"build-{__version__}"
"""What answers: with the same one and the same seed they are alike."""
DONE: Final = b"data: [DONE]\n\n"
COMMENT: Final = b": still working\n\n"
SAMPLERS: Final = (
    "temperature",
    "top_p",
    "top_k",
    "min_p",
    "typical_p",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
)


class JsonSchema(msgspec.Struct):
    """A schema with its name."""

    schema: dict[str, Any] | bool | None = None


class ResponseFormat(msgspec.Struct):
    """What form the answer has."""

    type: Annotated[str, one_of("text", "json_object", "json_schema")] = "text"
    json_schema: JsonSchema | None = None
    schema: dict[str, Any] | bool | None = None
    """Where llama.cpp's server takes it."""


class StreamOptions(msgspec.Struct):
    """What a stream says besides the answer."""

    include_usage: bool = False


class Sampling(msgspec.Struct, kw_only=True):
    """How tokens are chosen, in OpenAI's words and llama.cpp's."""

    temperature: float | None = None
    top_p: float | None = None
    top_k: int | None = None
    min_p: float | None = None
    typical_p: float | None = None
    repeat_penalty: float | None = None
    presence_penalty: float | None = None
    frequency_penalty: float | None = None
    seed: int | None = None
    stop: str | list[str] | None = None
    logit_bias: Biases | None = None
    ignore_eos: bool | None = None
    json_schema: dict[str, Any] | bool | None = None
    """In these two llama.cpp's server takes the form of the answer."""
    grammar: str | None = None
    keep_alive: float | str | None = None
    ttl: float | None = None
    prompt_cache_key: str | None = None


class ChatBody(Sampling, kw_only=True):
    """What a client sends. What is not named here is ignored."""

    messages: list[Message]
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
    tool_choice: str | NamedTool | None = None
    parallel_tool_calls: bool | None = None
    fireside_tools: UserTools = ()
    reasoning_effort: Annotated[str, one_of(*EFFORTS)] | None = None
    chat_template_kwargs: dict[str, Any] | None = None
    continue_final_message: bool | None = None
    """As for vLLM, whether the answer goes on with the last message; unset is yes for the assistant's."""
    add_generation_prompt: bool | None = None
    return_progress: bool = False
    """Whether a stream tells how far the prompt is read."""


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
    """Return what ends a stream that fails."""
    return sse_event(openai_error(http_error))


def set_sampling(settings: RequestSettings, body: Sampling) -> None:
    """Note how the client would have tokens chosen."""
    settings.set_samplers(body, SAMPLERS)
    settings.set_seed(body.seed)
    settings.set_stop(body.stop)
    settings.set_biases(body.logit_bias)
    settings.set("sampling.ignore_eos", body.ignore_eos)
    settings.set_schema(body.json_schema, name="json_schema")
    settings.set_grammar(body.grammar, name="grammar")


def set_format(settings: RequestSettings, wanted: ResponseFormat | None) -> None:
    """Note the form of the answer. Raises ``HttpError``."""
    match wanted:
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
    """Return what is asked for. Raises ``HttpError``."""
    settings = RequestSettings()
    set_sampling(settings, body)
    if body.max_completion_tokens is not None:
        settings.set_max_tokens(body.max_completion_tokens, name="max_completion_tokens")
    else:
        settings.set_max_tokens(body.max_tokens, name="max_tokens")
    set_format(settings, body.response_format)
    settings.set_effort(body.reasoning_effort, name="reasoning_effort")
    settings.set_template_arguments(body.chat_template_kwargs, name="chat_template_kwargs")
    if body.logprobs:
        settings.set("sampling.top_logprobs", body.top_logprobs or 0)
    messages = read_messages(body.messages)
    prompt = ChatInput(
        messages=messages,
        tools=read_tools(body.tools),
        tool_choice=read_tool_choice(body.tool_choice, parallel=body.parallel_tool_calls),
        continue_final=_continues(body, messages),
    )
    return CompletionRequest(
        model=body.model,
        prompts=(prompt,),
        n=n_answers(body.n),
        settings=settings.values,
        names=settings.names,
        keep_alive_s=parse_keep_alive(body.keep_alive if body.keep_alive is not None else body.ttl),
        user_tools=body.fireside_tools,
        single_tool_call=body.parallel_tool_calls is False,
    )


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
    """Answer one call of ``/v1/chat/completions``."""
    session = session_id(request.headers, cache_key=body.prompt_cache_key)
    completion = await service.start(read_chat(body), request, session=session)
    frame = Frame("chat.completion.chunk", prefix="chatcmpl-", model=completion.spec.id)
    if not body.stream:
        whole = await completion.collect()
        return json_response(_whole(whole, frame, with_logprobs=bool(body.logprobs)))
    with_usage = body.stream_options is not None and body.stream_options.include_usage
    pieces = _chunks(
        completion,
        frame,
        with_usage=with_usage,
        with_logprobs=bool(body.logprobs),
        with_progress=body.return_progress,
    )
    return StreamingResponse(chunks=pieces, error_chunk=stream_error_chunk, heartbeat=COMMENT)


async def count_chat_tokens(service: ApiService, request: HttpRequest, body: ChatBody) -> HttpResponse:
    """Answer one call of ``/v1/chat/completions/input_tokens``. Waits behind no answer."""
    return json_response({"input_tokens": await service.count(read_chat(body), request.client)})


class Frame:
    """What all objects of one answer share."""

    def __init__(self, kind: str, *, prefix: str, model: str) -> None:
        self.id = prefix + uuid.uuid4().hex
        self._fields = {
            "id": self.id,
            "object": kind,
            "created": int(time.time()),
            "model": model,
            "system_fingerprint": BUILD,
        }

    def around(self, choices: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
        """Return one object."""
        return {**self._fields, "choices": choices, **more}


async def _chunks(
    completion: Completion, frame: Frame, *, with_usage: bool, with_logprobs: bool, with_progress: bool
) -> AsyncGenerator[bytes, None]:
    begun: set[int] = set()
    ends: dict[int, Finished] = {}

    def chunk(index: int, delta: Mapping[str, Any], **more: Any) -> bytes:
        return sse_event(frame.around([{"index": index, "delta": delta, "finish_reason": None, **more}]))

    async with aclosing(completion.events()) as events:
        async for index, each in events:
            # With the first token: clients take the time until then for the time to the first token.
            if index not in begun and isinstance(each, TextDelta | Finished):
                begun.add(index)
                yield chunk(index, {"role": "assistant", "content": ""})
            match each:
                case TextDelta():
                    delta = _delta(each)
                    if delta or (with_logprobs and each.logprobs):
                        more = {"logprobs": logprobs_of(each.logprobs)} if with_logprobs else {}
                        yield chunk(index, delta, **more)
                case PromptProgress() if with_progress:
                    choice = {"index": index, "delta": {}, "finish_reason": None}
                    yield sse_event(frame.around([choice], prompt_progress=progress_of(each)))
                case Finished():
                    ends[index] = each
                    for piece in _call_deltas(each.tool_calls):
                        yield chunk(index, {"tool_calls": [piece]})
                    yield chunk(index, {}, finish_reason=finish_reason(each))
                case _:
                    pass
    if with_usage:
        last = list(ends.values())
        yield sse_event(frame.around([], usage=usage_of(last), timings=timings_of(last[0])))
    yield DONE


def _delta(each: TextDelta) -> dict[str, Any]:
    match each.kind:
        case OutputKind.ANSWER:
            return {"content": each.text} if each.text else {}
        case OutputKind.REASONING:
            # Clients know one name or the other.
            return {"reasoning_content": each.text, "reasoning": each.text} if each.text else {}
        case OutputKind.MARKUP:
            return {}


def _call_deltas(calls: Iterable[ToolCallPart]) -> Iterable[dict[str, Any]]:
    for index, call in enumerate(calls):
        named = {"name": call.name, "arguments": ""}
        yield {"index": index, "id": call_id(call), "type": "function", "function": named}
        yield {"index": index, "function": {"arguments": call.arguments}}


def call_id(call: ToolCallPart) -> str:
    """Return the id of a call; models that give none get one."""
    return call.id or f"call_{uuid.uuid4().hex[:24]}"


def arguments_of(call: ToolCallPart) -> Any:
    """Return the arguments of a call as clients read them that want no text; what is none is empty."""
    try:
        return msgspec.json.decode(call.arguments or "{}")
    except msgspec.DecodeError:
        return {}


def _whole(found: Sequence[CollectedAnswer], frame: Frame, *, with_logprobs: bool) -> dict[str, Any]:
    choices = [
        {
            "index": index,
            "message": message_of(each),
            "logprobs": logprobs_of(each.logprobs) if with_logprobs else None,
            "finish_reason": finish_reason(each.finished),
        }
        for index, each in enumerate(found)
    ]
    ends = [each.finished for each in found]
    whole = frame.around(choices, usage=usage_of(ends), timings=timings_of(ends[0]))
    return {**whole, "object": "chat.completion"}


def message_of(each: CollectedAnswer) -> dict[str, Any]:
    """Return an answer as a message."""
    message: dict[str, Any] = {"role": "assistant", "content": each.text, "refusal": None}
    if each.reasoning:
        message |= {"reasoning_content": each.reasoning, "reasoning": each.reasoning}
    if calls := each.finished.tool_calls:
        message["content"] = each.text or None
        message["tool_calls"] = [
            {
                "id": call_id(call),
                "type": "function",
                "function": {"name": call.name, "arguments": call.arguments},
            }
            for call in calls
        ]
    return message
