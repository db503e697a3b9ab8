"""OpenAI's chat completions: what is asked, what is answered, whole and in pieces."""

from __future__ import annotations

import math
import time
import uuid
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from typing import Annotated, Any, Final

import msgspec

from fireside.api.answering import Answering, Collected
from fireside.api.answers import Answers
from fireside.api.asks import EFFORTS, Ask, Choices, n_answers
from fireside.api.calls import Call, Dialect, Reply, Stream, event, json_reply
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
from fireside.api.refusal import Refusal, invalid
from fireside.api.sessions import keep_alive_of, session_of
from fireside.core.generation import Finished, FinishReason, OutputKind, TextDelta, TokenLogprobs
from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ChatInput

DONE: Final = b"data: [DONE]\n\n"
COMMENT: Final = b": still working\n\n"
LEAST_LOGPROB: Final = -9999.0
"""JSON has no infinity; OpenAI's API writes this for what cannot come."""
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
_REASONS: Final[Mapping[FinishReason, str]] = {
    FinishReason.STOP: "stop",
    FinishReason.LENGTH: "length",
    FinishReason.TOOL_CALL: "tool_calls",
    FinishReason.REPETITION: "length",
}


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
    logit_bias: dict[str, float] | None = None
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
    reasoning_effort: Annotated[str, one_of(*EFFORTS)] | None = None
    chat_template_kwargs: dict[str, Any] | None = None


def openai_error(refusal: Refusal) -> dict[str, Any]:
    """Return an error as OpenAI's clients expect it."""
    return {
        "error": {
            "message": refusal.message,
            "type": refusal.kind,
            "param": refusal.param,
            "code": refusal.code,
            **refusal.facts,
        }
    }


OPENAI: Final = Dialect(error=openai_error)


def stream_failure(refusal: Refusal) -> bytes:
    """Return what ends a stream that fails."""
    return event(openai_error(refusal))


def put_sampling(choices: Choices, body: Sampling) -> None:
    """Note how the client would have tokens chosen."""
    choices.put_samplers(body, SAMPLERS)
    choices.put_seed(body.seed)
    choices.put_stop(body.stop)
    choices.put_biases(body.logit_bias)


def put_format(choices: Choices, wanted: ResponseFormat | None) -> None:
    """Note the form of the answer. Raises ``Refusal``."""
    match wanted:
        case None | ResponseFormat(type="text"):
            return
        case ResponseFormat(type="json_object", schema=schema):
            choices.put_schema(schema or {}, name="response_format")
        case ResponseFormat(type="json_schema", json_schema=JsonSchema(schema=schema)):
            choices.put_schema(schema or {}, name="response_format")
        case ResponseFormat(type="json_schema", schema=schema) if schema is not None:
            choices.put_schema(schema, name="response_format")
        case _:
            raise invalid(
                "response_format: choose text, json_object or json_schema with a schema.",
                param="response_format",
            )


def read_chat(body: ChatBody) -> Ask:
    """Return what is asked for. Raises ``Refusal``."""
    choices = Choices()
    put_sampling(choices, body)
    if body.max_completion_tokens is not None:
        choices.put_max_tokens(body.max_completion_tokens, name="max_completion_tokens")
    else:
        choices.put_max_tokens(body.max_tokens, name="max_tokens")
    put_format(choices, body.response_format)
    choices.put_effort(body.reasoning_effort, name="reasoning_effort")
    choices.put_template_arguments(body.chat_template_kwargs, name="chat_template_kwargs")
    if body.logprobs:
        choices.put("sampling.top_logprobs", body.top_logprobs or 0)
    messages = read_messages(body.messages)
    prompt = ChatInput(
        messages=messages,
        tools=read_tools(body.tools),
        tool_choice=read_tool_choice(body.tool_choice),
        continue_final=continues(messages),
    )
    return Ask(
        model=body.model,
        prompts=(prompt,),
        n=n_answers(body.n),
        settings=choices.settings,
        names=choices.names,
        keep_alive_s=keep_alive_of(body.keep_alive if body.keep_alive is not None else body.ttl),
        one_call=body.parallel_tool_calls is False,
    )


async def answer_chat(answers: Answers, call: Call, body: ChatBody) -> Reply | Stream:
    """Answer one call of ``/v1/chat/completions``."""
    session = session_of(call.headers, cache_key=body.prompt_cache_key)
    answering = await answers.start(read_chat(body), call, session=session)
    frame = Frame("chat.completion.chunk", prefix="chatcmpl-", model=answering.spec.id)
    if not body.stream:
        whole = await answering.collect()
        return json_reply(_whole(whole, frame, with_logprobs=bool(body.logprobs)))
    with_usage = body.stream_options is not None and body.stream_options.include_usage
    pieces = _pieces(answering, frame, with_usage=with_usage, with_logprobs=bool(body.logprobs))
    return Stream(pieces=pieces, failure=stream_failure, heartbeat=COMMENT)


async def count_chat_tokens(answers: Answers, call: Call, body: ChatBody) -> Reply:
    """Answer one call of ``/v1/chat/completions/input_tokens``. Waits behind no answer."""
    return json_reply({"input_tokens": await answers.count(read_chat(body), call.client)})


class Frame:
    """What all objects of one answer share."""

    def __init__(self, kind: str, *, prefix: str, model: str) -> None:
        self.id = prefix + uuid.uuid4().hex
        self._fields = {"id": self.id, "object": kind, "created": int(time.time()), "model": model}

    def around(self, choices: Sequence[Mapping[str, Any]], **more: Any) -> dict[str, Any]:
        """Return one object."""
        return {**self._fields, "choices": choices, **more}


async def _pieces(
    answering: Answering, frame: Frame, *, with_usage: bool, with_logprobs: bool
) -> AsyncGenerator[bytes, None]:
    begun: set[int] = set()
    ends: dict[int, Finished] = {}

    def chunk(index: int, delta: Mapping[str, Any], **more: Any) -> bytes:
        return event(frame.around([{"index": index, "delta": delta, "finish_reason": None, **more}]))

    yield chunk(0, {"role": "assistant", "content": ""})
    begun.add(0)
    async with aclosing(answering.events()) as events:
        async for index, each in events:
            if index not in begun:
                begun.add(index)
                yield chunk(index, {"role": "assistant", "content": ""})
            match each:
                case TextDelta():
                    delta = _delta(each)
                    if delta or (with_logprobs and each.logprobs):
                        more = {"logprobs": logprobs_of(each.logprobs)} if with_logprobs else {}
                        yield chunk(index, delta, **more)
                case Finished():
                    ends[index] = each
                    for piece in _call_deltas(each.tool_calls):
                        yield chunk(index, {"tool_calls": [piece]})
                    yield chunk(index, {}, finish_reason=finish_reason(each))
                case _:
                    pass
    if with_usage:
        last = list(ends.values())
        yield event(frame.around([], usage=usage_of(last), timings=timings_of(last[0])))
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


def _whole(found: Sequence[Collected], frame: Frame, *, with_logprobs: bool) -> dict[str, Any]:
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


def message_of(each: Collected) -> dict[str, Any]:
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


def finish_reason(end: Finished) -> str:
    """Return why an answer ended, in OpenAI's words."""
    return _REASONS[end.reason]


def usage_of(ends: Sequence[Finished]) -> dict[str, Any]:
    """Return the tokens of answers to one prompt, which counts once."""
    n_prompt = ends[0].usage.n_prompt
    n_completion = sum(end.usage.n_completion for end in ends)
    return {
        "prompt_tokens": n_prompt,
        "completion_tokens": n_completion,
        "total_tokens": n_prompt + n_completion,
        "prompt_tokens_details": {"cached_tokens": ends[0].usage.n_cached},
        "completion_tokens_details": {"reasoning_tokens": sum(end.usage.n_reasoning for end in ends)},
    }


def timings_of(end: Finished) -> dict[str, Any]:
    """Return how fast it went, as llama.cpp's server tells it."""
    usage, timings = end.usage, end.timings
    n_read = usage.n_prompt - usage.n_cached
    return {
        "cache_n": usage.n_cached,
        "prompt_n": n_read,
        "prompt_ms": timings.prompt_s * 1000,
        "prompt_per_second": n_read / timings.prompt_s if timings.prompt_s > 0 else 0.0,
        "predicted_n": usage.n_completion,
        "predicted_ms": timings.decode_s * 1000,
        "predicted_per_second": timings.tokens_per_second(n_completion=usage.n_completion),
    }


def logprobs_of(tokens: Iterable[TokenLogprobs]) -> dict[str, Any]:
    """Return probabilities as chat completions have them."""
    content = [
        {
            **_token(each.chosen.piece, each.chosen.logprob),
            "top_logprobs": [_token(top.piece, top.logprob) for top in each.top],
        }
        for each in tokens
    ]
    return {"content": content, "refusal": None}


def _token(piece: bytes, logprob: float) -> dict[str, Any]:
    return {
        "token": piece.decode("utf-8", "replace"),
        "logprob": finite(logprob),
        "bytes": list(piece),
    }


def finite(logprob: float) -> float:
    """Return a logarithm that JSON can hold."""
    return logprob if math.isfinite(logprob) else LEAST_LOGPROB
