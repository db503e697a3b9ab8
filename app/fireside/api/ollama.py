"""Ollama's dialect: answers as lines of JSON, and models with what its clients look for."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.completion_request import CompletionRequest, RequestSettings, UserTools, image_of_base64
from fireside.api.http_error import HttpError, invalid
from fireside.api.http_messages import (
    NDJSON,
    Dialect,
    HttpRequest,
    HttpResponse,
    StreamingResponse,
    json_response,
    ndjson_line,
)
from fireside.api.openai_chat import arguments_of, call_id
from fireside.api.openai_messages import Tool, read_tools
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import logprobs_of
from fireside.core.generation import Finished, FinishReason, OutputKind, Overflow, TextDelta
from fireside.core.message import (
    ChatMessage,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.options import SettingValue
from fireside.core.prompt_input import ChatInput, EmbeddingInput, InfillInput, PromptInput, TextInput

OLLAMA_HEARTBEAT: Final = b" "
"""Stands before the next object: an empty line ends the stream of some clients."""
_NS: Final = 1_000_000_000
_PLAIN_OPTIONS: Final = (
    "temperature",
    "top_k",
    "top_p",
    "min_p",
    "typical_p",
    "repeat_penalty",
    "presence_penalty",
    "frequency_penalty",
    "mirostat_tau",
    "mirostat_eta",
)
_MOST_LOOKED_BACK: Final = 8192


class OllamaCall(msgspec.Struct):
    """A tool's name with its arguments, an object."""

    name: str
    arguments: dict[str, Any] = {}


class OllamaToolCall(msgspec.Struct):
    """One call of an earlier answer."""

    function: OllamaCall
    id: str = ""


class OllamaMessage(msgspec.Struct):
    """One message."""

    role: Role
    content: str = ""
    thinking: str | None = None
    images: list[str] | None = None
    tool_calls: list[OllamaToolCall] | None = None
    tool_name: str = ""
    tool_call_id: str = ""


class Common(msgspec.Struct, kw_only=True):
    """What both kinds of answers take."""

    model: str = ""
    name: str = ""
    stream: bool | None = None
    format: str | dict[str, Any] | None = None
    options: dict[str, Any] | None = None
    keep_alive: float | str | None = None
    think: bool | str | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    truncate: bool | None = None
    fireside_tools: UserTools = ()


class OllamaChat(Common, kw_only=True):
    """A conversation to go on with; none has the model loaded, or unloaded."""

    messages: list[OllamaMessage] = []
    tools: list[Tool] | None = None


class OllamaGenerate(Common, kw_only=True):
    """A text to answer, or with ``raw`` to go on with."""

    prompt: str = ""
    suffix: str = ""
    system: str = ""
    images: list[str] | None = None
    raw: bool = False


class OllamaEmbed(msgspec.Struct, kw_only=True):
    """Texts to turn into vectors."""

    model: str = ""
    input: str | list[str] = ""
    prompt: str = ""
    truncate: bool | None = None
    dimensions: int | None = None


def ollama_error(http_error: HttpError) -> dict[str, str]:
    """Return an error as Ollama's clients expect it."""
    if http_error.code == "model_not_found":  # which clients know by these words
        return {"error": f"{http_error.message.removesuffix('.')}: model not found, try pulling it first"}
    return {"error": http_error.message}


OLLAMA: Final = Dialect(error=ollama_error)


def _choices(body: Common) -> tuple[RequestSettings, int | None]:
    """Return what a client chose, and the context that it wishes for. Raises ``HttpError``."""
    settings, options = RequestSettings(), body.options or {}
    for name in _PLAIN_OPTIONS:
        settings.set(f"sampling.{name}", options.get(name))
    looked_back = options.get("repeat_last_n")
    settings.set("sampling.repeat_last_n", _MOST_LOOKED_BACK if looked_back == -1 else looked_back)
    if "mirostat" in options:
        settings.set("sampling.mirostat", str(options["mirostat"]) if options["mirostat"] else "off")
    settings.set_max_tokens(_whole(options, "num_predict"), name="num_predict")
    settings.set_seed(_whole(options, "seed"))
    stop = options.get("stop")
    settings.set_stop(stop if isinstance(stop, str | list) else None)
    match body.format:
        case None | "":
            pass
        case "json":
            settings.set_schema({}, name="format")
        case dict():
            settings.set_schema(body.format, name="format")
        case _:
            raise invalid("format: choose “json” or a JSON Schema.", param="format")
    think = body.think
    settings.set_effort(("on" if think else "off") if isinstance(think, bool) else think, name="think")
    if body.logprobs:
        settings.set("sampling.top_logprobs", body.top_logprobs or 0)
    return settings, _whole(options, "num_ctx")


def _whole(options: Mapping[str, SettingValue], name: str) -> int | None:
    value = options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise invalid(f"options.{name}: choose a whole number.", param=f"options.{name}")
    return int(value)


def _ask(body: Common, prompt: PromptInput) -> CompletionRequest:
    settings, n_ctx = _choices(body)
    return CompletionRequest(
        model=body.model or body.name,
        prompts=(prompt,),
        settings=settings.values,
        names=settings.names,
        keep_alive_s=parse_keep_alive(body.keep_alive),
        user_tools=body.fireside_tools,
        n_ctx=n_ctx,
        overflow=Overflow.DROP_OLDEST if body.truncate else Overflow.REFUSE,
    )


def _images(images: Iterable[str] | None, *, param: str) -> list[MessagePart]:
    return [image_of_base64(each, media_type="image/*", param=param) for each in images or ()]


def read_ollama_messages(messages: Iterable[OllamaMessage]) -> tuple[ChatMessage, ...]:
    """Return the conversation. Raises ``HttpError``."""
    found = []
    for at, message in enumerate(messages):
        parts: list[MessagePart] = _images(message.images, param=f"messages[{at}].images")
        if message.role is Role.TOOL:
            result = ToolResultPart(
                call_id=message.tool_call_id, name=message.tool_name, text=message.content
            )
            found.append(ChatMessage(role=Role.TOOL, parts=(result,)))
            continue
        if message.thinking:
            parts.append(ReasoningPart(text=message.thinking))
        if message.content:
            parts.append(TextPart(text=message.content))
        for call in message.tool_calls or ():
            arguments = msgspec.json.encode(call.function.arguments).decode()
            parts.append(ToolCallPart(id=call.id, name=call.function.name, arguments=arguments))
        found.append(ChatMessage(role=message.role, parts=tuple(parts)))
    return tuple(found)


async def ollama_chat(
    service: ApiService, request: HttpRequest, body: OllamaChat
) -> HttpResponse | StreamingResponse:
    """Answer one call of ``/api/chat``."""
    if not body.messages:
        return await _load(service, request, body, {"message": {"role": "assistant", "content": ""}})
    prompt = ChatInput(messages=read_ollama_messages(body.messages), tools=read_tools(body.tools))
    return await _answer(service, request, body, prompt, as_message=True)


async def ollama_generate(
    service: ApiService, request: HttpRequest, body: OllamaGenerate
) -> HttpResponse | StreamingResponse:
    """Answer one call of ``/api/generate``."""
    if not (body.prompt or body.suffix or body.images):
        return await _load(service, request, body, {"response": ""})
    prompt: PromptInput
    if body.suffix:
        prompt = InfillInput(prefix=body.prompt, suffix=body.suffix)
    elif body.raw:
        prompt = TextInput(text=body.prompt, parse_special=True)
    else:
        said = OllamaMessage(role=Role.USER, content=body.prompt, images=body.images)
        told = [OllamaMessage(role=Role.SYSTEM, content=body.system)] if body.system else []
        prompt = ChatInput(messages=read_ollama_messages([*told, said]))
    return await _answer(service, request, body, prompt, as_message=False)


async def _answer(
    service: ApiService, request: HttpRequest, body: Common, prompt: PromptInput, *, as_message: bool
) -> HttpResponse | StreamingResponse:
    session = session_id(request.headers)
    completion = await service.start(_ask(body, prompt), request, session=session)
    lines = _Lines(completion.spec.id, as_message=as_message)
    if body.stream is False:
        (whole,) = await completion.collect()
        return json_response(lines.whole(whole))
    pieces = _chunks(completion, lines)
    return StreamingResponse(
        chunks=pieces, error_chunk=stream_error_chunk, heartbeat=OLLAMA_HEARTBEAT, content_type=NDJSON
    )


def stream_error_chunk(http_error: HttpError) -> bytes:
    """Return what ends a stream that fails."""
    return ndjson_line(ollama_error(http_error))


async def _load(
    service: ApiService, request: HttpRequest, body: Common, empty: Mapping[str, Any]
) -> HttpResponse:
    """Have a model loaded, or with ``keep_alive`` 0 unloaded: what an empty prompt asks for."""
    spec = await service.find(body.model or body.name)
    keep_alive_s = parse_keep_alive(body.keep_alive)
    if keep_alive_s == 0:
        await service.unload(spec, request.client)
    else:
        await service.load(spec, request.client, keep_alive_s=keep_alive_s)
    reason = "unload" if keep_alive_s == 0 else "load"
    return json_response(
        {"model": spec.id, "created_at": _now(), **empty, "done": True, "done_reason": reason}
    )


class _Lines:
    """Words what happens as Ollama's objects: a message, or a bare response."""

    def __init__(self, model: str, *, as_message: bool) -> None:
        self._model = model
        self._as_message = as_message
        self._began = time.monotonic()

    def delta(self, each: TextDelta) -> dict[str, Any] | None:
        """Return a piece of the answer; ``None`` for what is not shown."""
        more = {"logprobs": logprobs_of(each.logprobs)["content"]} if each.logprobs else {}
        match each.kind:
            case OutputKind.ANSWER if each.text or more:
                return {**self._around(each.text), "done": False, **more}
            case OutputKind.REASONING if each.text:
                return {**self._around("", thinking=each.text), "done": False}
            case _:
                return None

    def calls(self, calls: Iterable[ToolCallPart]) -> dict[str, Any]:
        """Return the calls of an answer."""
        return {**self._around("", calls=calls), "done": False}

    def end(self, end: Finished) -> dict[str, Any]:
        """Return the last line."""
        return {**self._around(""), **self._figures(end)}

    def whole(self, each: CollectedAnswer) -> dict[str, Any]:
        """Return an answer that is not streamed."""
        end = each.finished
        around = self._around(each.text, thinking=each.reasoning, calls=end.tool_calls)
        more = {"logprobs": logprobs_of(each.logprobs)["content"]} if each.logprobs else {}
        return {**around, **self._figures(end), **more}

    def _around(self, text: str, *, thinking: str = "", calls: Iterable[ToolCallPart] = ()) -> dict[str, Any]:
        thought = {"thinking": thinking} if thinking else {}
        called = [
            {
                "id": call_id(call),
                "function": {"index": at, "name": call.name, "arguments": arguments_of(call)},
            }
            for at, call in enumerate(calls)
        ]
        asked = {"tool_calls": called} if called else {}
        head = {"model": self._model, "created_at": _now()}
        if self._as_message:
            return {**head, "message": {"role": "assistant", "content": text, **thought, **asked}}
        return {**head, "response": text, **thought}

    def _figures(self, end: Finished) -> dict[str, Any]:
        usage, timings = end.usage, end.timings
        total_s = time.monotonic() - self._began
        return {
            "done": True,
            "done_reason": "length"
            if end.reason in (FinishReason.LENGTH, FinishReason.REPETITION)
            else "stop",
            "total_duration": int(total_s * _NS),
            "load_duration": max(0, int((total_s - timings.prompt_s - timings.decode_s) * _NS)),
            "prompt_eval_count": usage.n_prompt,
            "prompt_eval_duration": int(timings.prompt_s * _NS),
            "eval_count": usage.n_completion,
            "eval_duration": int(timings.decode_s * _NS),
        }


async def _chunks(completion: Completion, lines: _Lines) -> AsyncGenerator[bytes, None]:
    async with aclosing(completion.events()) as events:
        async for _, each in events:
            match each:
                case TextDelta() if (delta := lines.delta(each)) is not None:
                    yield ndjson_line(delta)
                case Finished():
                    if each.tool_calls:
                        yield ndjson_line(lines.calls(each.tool_calls))
                    yield ndjson_line(lines.end(each))
                case _:
                    pass


async def ollama_embed(service: ApiService, request: HttpRequest, body: OllamaEmbed) -> HttpResponse:
    """Answer one call of ``/api/embed``, or of the older ``/api/embeddings``."""
    is_old = request.path.endswith("/embeddings")
    texts = [body.prompt] if is_old else [body.input] if isinstance(body.input, str) else body.input
    began = time.monotonic()
    if not any(texts):
        return json_response({"embedding": []} if is_old else {"model": body.model, "embeddings": []})
    # Ollama cuts what is too long unless it is told not to.
    prompt = EmbeddingInput(
        texts=tuple(texts), truncate=body.truncate is not False, dimensions=body.dimensions
    )
    spec, vectors = await service.vectors(prompt, body.model, request)
    if is_old:
        return json_response({"embedding": list(vectors[0][0])})
    return json_response(
        {
            "model": spec.id,
            "embeddings": [list(vector) for vector, _ in vectors],
            "total_duration": int((time.monotonic() - began) * _NS),
            "load_duration": 0,
            "prompt_eval_count": sum(n for _, n in vectors),
        }
    )


def _now() -> str:
    return written_date(time.time())


def written_date(seconds: float) -> str:
    """Return a moment as Ollama writes it."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
