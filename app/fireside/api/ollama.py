"""Ollama's dialect: answers as lines of JSON, and embeddings."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.completion import CollectedAnswer, Completion
from fireside.api.completion_request import (
    CompletionRequest,
    RequestSettings,
    UserTools,
    image_of,
    image_of_base64,
)
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
from fireside.api.media import beginning_of, medium_of
from fireside.api.openai_chat import arguments_of
from fireside.api.openai_messages import Tool, arguments_text, read_tools
from fireside.api.sampling import Samplers, set_samplers
from fireside.api.sessions import parse_keep_alive, session_id
from fireside.api.usage import logprobs_of
from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.generation import (
    Finished,
    FinishReason,
    OutputKind,
    Overflow,
    TextDelta,
    TokenLogprobs,
)
from fireside.core.message import (
    AudioPart,
    ChatMessage,
    ImagePart,
    MessagePart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
)
from fireside.core.prompt_input import ChatInput, EmbeddingInput, InfillInput, PromptInput, TextInput
from fireside.documents.media_signatures import N_BYTES, is_media

OLLAMA_HEARTBEAT: Final = b" "
"""Goes before the next object. An empty line would end the stream for some clients."""
_NS: Final = 1_000_000_000
_CONTEXT_MARK: Final = 0x46495245
"""The first number of a ``context``, so that one of another server is not read as ours."""
_CONTEXT_BYTES: Final = 3
"""In each of the other numbers, which have at most 31 bits in some clients."""


class OllamaCall(msgspec.Struct):
    """A tool's name and arguments."""

    name: str
    arguments: Any = None


class OllamaToolCall(msgspec.Struct):
    """A tool call of an earlier answer."""

    function: OllamaCall
    id: str = ""


class OllamaMessage(msgspec.Struct):
    """A message of the conversation."""

    role: Role
    content: str = ""
    thinking: str | None = None
    images: list[str] | None = None
    tool_calls: list[OllamaToolCall] | None = None
    tool_name: str = ""
    tool_call_id: str = ""


class OllamaOptions(Samplers, kw_only=True):
    """The options of an answer. Those of a load, such as ``num_gpu``, are the user's and have no effect."""

    num_predict: int | None = None
    num_ctx: int | None = None


class OllamaAnswer(msgspec.Struct, kw_only=True):
    """The common fields of chat and generate requests."""

    model: str = ""
    name: str = ""
    stream: bool | None = None
    format: str | dict[str, Any] | None = None
    options: OllamaOptions | None = None
    keep_alive: float | str | None = None
    think: bool | str | None = None
    logprobs: bool | None = None
    top_logprobs: int | None = None
    truncate: bool | None = None
    fireside_tools: UserTools = ()


class OllamaChat(OllamaAnswer, kw_only=True):
    """The body of ``/api/chat``. Without messages, it loads or unloads the model."""

    messages: list[OllamaMessage] = []
    tools: list[Tool] | None = None


class OllamaGenerate(OllamaAnswer, kw_only=True):
    """The body of ``/api/generate``: a message to answer, or with ``raw`` a text to continue."""

    prompt: str = ""
    suffix: str = ""
    system: str = ""
    images: list[str] | None = None
    raw: bool = False
    template: str | None = None
    """Read to be refused: Ollama's templates are in Go's notation."""
    context: list[int] | None = None
    """The conversation so far, as an earlier answer returned it."""


class OllamaEmbed(msgspec.Struct, kw_only=True):
    """The body of ``/api/embed`` (``input``) and of the older ``/api/embeddings`` (``prompt``)."""

    model: str = ""
    input: str | list[str] = ""
    prompt: str = ""
    truncate: bool | None = None
    dimensions: int | None = None


def ollama_error(http_error: HttpError) -> dict[str, str]:
    """Return an error as Ollama's clients expect it."""
    if http_error.code == "model_not_found":  # clients recognize it by this text
        return {"error": f"{http_error.message.removesuffix('.')}: model not found, try pulling it first"}
    return {"error": http_error.message}


OLLAMA: Final = Dialect(error=ollama_error)


def _read_settings(body: OllamaAnswer) -> tuple[RequestSettings, int | None]:
    """Return the client's settings, and the context length that it requests. Raises ``HttpError``."""
    settings, options = RequestSettings(), body.options or OllamaOptions()
    set_samplers(settings, options, within="options.")
    settings.set_max_tokens(options.num_predict, name="options.num_predict")
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
    return settings, options.num_ctx


def _completion_request(body: OllamaAnswer, prompt: PromptInput) -> CompletionRequest:
    settings, n_ctx = _read_settings(body)
    prompt_name = "prompt" if isinstance(body, OllamaGenerate) else "messages"
    settings.names |= {"infill": "suffix", "messages": prompt_name}
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


def _image(image: str, *, param: str) -> ImagePart | AudioPart:
    """Return an image, or the sound that Ollama takes in its place."""
    if image.startswith("data:image/"):
        return image_of(image, param=param)
    medium = medium_of(image, param=param)
    if is_media(beginning_of(medium)[:N_BYTES]):
        return medium
    return image_of_base64(image.rpartition("base64,")[2], media_type="image/*", param=param)


def read_ollama_messages(messages: Iterable[OllamaMessage]) -> tuple[ChatMessage, ...]:
    """Return the conversation. Raises ``HttpError``."""
    chat = []
    for index, message in enumerate(messages):
        param = f"messages[{index}].images"
        parts: list[MessagePart] = [_image(image, param=param) for image in message.images or ()]
        if message.role is Role.TOOL:
            result = ToolResultPart(
                call_id=message.tool_call_id, name=message.tool_name, text=message.content
            )
            chat.append(ChatMessage(role=Role.TOOL, parts=(result,)))
            continue
        if message.thinking:
            parts.append(ReasoningPart(text=message.thinking))
        if message.content:
            parts.append(TextPart(text=message.content))
        for call in message.tool_calls or ():
            arguments = arguments_text(call.function.arguments)
            parts.append(ToolCallPart(id=call.id, name=call.function.name, arguments=arguments))
        chat.append(ChatMessage(role=message.role, parts=tuple(parts)))
    return tuple(chat)


async def ollama_chat(
    service: ApiService, request: HttpRequest, body: OllamaChat
) -> HttpResponse | StreamingResponse:
    """Handle ``/api/chat``."""
    if not body.messages:
        return await _load(service, request, body, {"message": {"role": "assistant", "content": ""}})
    prompt = ChatInput(messages=read_ollama_messages(body.messages), tools=read_tools(body.tools))
    return await _answer(service, request, body, prompt, as_message=True)


async def ollama_generate(
    service: ApiService, request: HttpRequest, body: OllamaGenerate
) -> HttpResponse | StreamingResponse:
    """Handle ``/api/generate``."""
    if body.template:
        raise invalid(
            "template: Go's templates are not run; send the finished prompt with raw, or use /api/chat.",
            param="template",
        )
    for name in ("system", "context", "images"):
        if (body.raw or body.suffix) and getattr(body, name) and (name, body.raw) != ("system", False):
            raise invalid(f"{name}: not together with {'raw' if body.raw else 'suffix'}.", param=name)
    if not (body.prompt or body.suffix or body.images):
        return await _load(service, request, body, {"response": ""})
    prompt: PromptInput
    if body.suffix:
        prompt = InfillInput(prefix=body.prompt, suffix=body.suffix)
    elif body.raw:
        prompt = TextInput(text=body.prompt, parse_special=True)
    else:
        earlier = _earlier(body.context)
        if body.system:
            earlier = [each for each in earlier if each.role is not Role.SYSTEM]
            earlier.insert(0, OllamaMessage(role=Role.SYSTEM, content=body.system))
        message = OllamaMessage(role=Role.USER, content=body.prompt, images=body.images)
        prompt = ChatInput(messages=read_ollama_messages([*earlier, message]))
    return await _answer(service, request, body, prompt, as_message=False)


def _context(messages: Iterable[ChatMessage], answer: str) -> list[int]:
    """Return a conversation and the answer to it as Ollama's ``context``, without images.

    In Ollama it is token ids, which clients do not look into. As messages, the template can show them again.
    """
    said = [(message.role, message.text) for message in messages]
    data = msgspec.json.encode([*said, (Role.ASSISTANT, answer)])
    data += b" " * (-len(data) % _CONTEXT_BYTES)
    starts = range(0, len(data), _CONTEXT_BYTES)
    return [_CONTEXT_MARK, *(int.from_bytes(data[start : start + _CONTEXT_BYTES], "big") for start in starts)]


def _earlier(context: Sequence[int] | None) -> list[OllamaMessage]:
    """Return the conversation in a ``context``. Raises ``HttpError``."""
    if not context:
        return []
    try:
        data = b"".join(each.to_bytes(_CONTEXT_BYTES, "big") for each in context[1:])
        said = decode_json(data, kind=list[tuple[Role, str]])
        if context[0] == _CONTEXT_MARK:
            return [OllamaMessage(role=role, content=text) for role, text in said]
    except (JsonInvalid, OverflowError):
        pass
    raise invalid("context: send one that this server returned, or none.", param="context")


async def _answer(
    service: ApiService, request: HttpRequest, body: OllamaAnswer, prompt: PromptInput, *, as_message: bool
) -> HttpResponse | StreamingResponse:
    session = session_id(request.headers)
    completion = await service.start(_completion_request(body, prompt), request, session=session)
    said = prompt.messages if isinstance(prompt, ChatInput) and not as_message else None
    writer = _Writer(completion.spec.id, as_message=as_message, said=said)
    if body.stream is False:
        (answer,) = await completion.collect()
        return json_response(writer.complete(answer))
    return StreamingResponse(
        chunks=_chunks(completion, writer),
        error_chunk=stream_error_chunk,
        heartbeat=OLLAMA_HEARTBEAT,
        content_type=NDJSON,
    )


def stream_error_chunk(http_error: HttpError) -> bytes:
    """Return the chunk that ends a stream with an error."""
    return ndjson_line(ollama_error(http_error))


async def _load(
    service: ApiService, request: HttpRequest, body: OllamaAnswer, empty: Mapping[str, Any]
) -> HttpResponse:
    """Load the model, or unload it if ``keep_alive`` is 0, as an empty prompt requests."""
    spec = await service.find(body.model or body.name)
    keep_alive_s = parse_keep_alive(body.keep_alive)
    if keep_alive_s == 0:
        await service.unload(spec, request.client)
    else:
        _, n_ctx = _read_settings(body)
        await service.load(spec, request.client, keep_alive_s=keep_alive_s, n_ctx=n_ctx)
    reason = "unload" if keep_alive_s == 0 else "load"
    return json_response(
        {"model": spec.id, "created_at": _now(), **empty, "done": True, "done_reason": reason}
    )


class _Writer:
    """Builds Ollama's response objects, with a message (chat) or a text (generate)."""

    def __init__(self, model: str, *, as_message: bool, said: Sequence[ChatMessage] | None = None) -> None:
        self._model = model
        self._said = said
        """The conversation, if the answer ends with it; ``None`` if not."""
        self._texts: list[str] = []
        self._as_message = as_message
        self._started = time.monotonic()

    def delta(self, delta: TextDelta) -> dict[str, Any] | None:
        """Return a chunk of the answer; ``None`` if the delta is not for clients."""
        logprobs = _logprobs(delta.logprobs)
        if delta.ends_reasoning:
            self._texts.clear()
        match delta.kind:
            case OutputKind.ANSWER if delta.text or logprobs:
                self._texts.append(delta.text)
                return {**self._object(delta.text), "done": False, **logprobs}
            case OutputKind.REASONING if delta.text:
                return {**self._object("", thinking=delta.text), "done": False}
            case _:
                return None

    def calls(self, calls: Iterable[ToolCallPart]) -> dict[str, Any]:
        """Return the chunk with the tool calls of an answer."""
        return {**self._object("", calls=calls), "done": False}

    def end(self, end: Finished) -> dict[str, Any]:
        """Return the last chunk."""
        return {**self._object(""), **self._statistics(end)}

    def complete(self, answer: CollectedAnswer) -> dict[str, Any]:
        """Return an answer that is not streamed."""
        end = answer.finished
        self._texts = [answer.text]
        fields = self._object(answer.text, thinking=answer.reasoning, calls=end.tool_calls)
        return {**fields, **self._statistics(end), **_logprobs(answer.logprobs)}

    def _object(self, text: str, *, thinking: str = "", calls: Iterable[ToolCallPart] = ()) -> dict[str, Any]:
        reasoning = {"thinking": thinking} if thinking else {}
        tool_calls = [
            {
                "id": call.id,
                "function": {"index": index, "name": call.name, "arguments": arguments_of(call)},
            }
            for index, call in enumerate(calls)
        ]
        head = {"model": self._model, "created_at": _now()}
        if not self._as_message:
            return {**head, "response": text, **reasoning}
        message: dict[str, Any] = {"role": "assistant", "content": text, **reasoning}
        if tool_calls:
            message["tool_calls"] = tool_calls
        return {**head, "message": message}

    def _statistics(self, end: Finished) -> dict[str, Any]:
        usage, timings = end.usage, end.timings
        total_s = time.monotonic() - self._started
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
            **({} if self._said is None else {"context": _context(self._said, "".join(self._texts))}),
        }


def _logprobs(tokens: Sequence[TokenLogprobs]) -> dict[str, Any]:
    return {"logprobs": logprobs_of(tokens)["content"]} if tokens else {}


async def _chunks(completion: Completion, writer: _Writer) -> AsyncGenerator[bytes, None]:
    async with aclosing(completion.events()) as events:
        async for _, event in events:
            match event:
                case TextDelta() if (delta := writer.delta(event)) is not None:
                    yield ndjson_line(delta)
                case Finished():
                    if event.tool_calls:
                        yield ndjson_line(writer.calls(event.tool_calls))
                    yield ndjson_line(writer.end(event))
                case _:
                    pass


async def ollama_embed(service: ApiService, request: HttpRequest, body: OllamaEmbed) -> HttpResponse:
    """Handle ``/api/embed``, or of the older ``/api/embeddings``."""
    is_legacy = request.path.endswith("/embeddings")
    texts = [body.prompt] if is_legacy else [body.input] if isinstance(body.input, str) else body.input
    started = time.monotonic()
    if not texts or (texts == [""] and not isinstance(body.input, list)):
        return json_response({"embedding": []} if is_legacy else {"model": body.model, "embeddings": []})
    # Ollama truncates long texts by default.
    prompt = EmbeddingInput(
        texts=tuple(texts), truncate=body.truncate is not False, dimensions=body.dimensions
    )
    param = "prompt" if is_legacy else "input"
    spec, vectors = await service.vectors(prompt, body.model, request, param=param)
    if is_legacy:
        return json_response({"embedding": list(vectors[0][0])})
    return json_response(
        {
            "model": spec.id,
            "embeddings": [list(vector) for vector, _ in vectors],
            "total_duration": int((time.monotonic() - started) * _NS),
            "load_duration": 0,
            "prompt_eval_count": sum(n for _, n in vectors),
        }
    )


def _now() -> str:
    return ollama_time(time.time())


def ollama_time(seconds: float) -> str:
    """Return seconds since 1970 in Ollama's format."""
    return datetime.fromtimestamp(seconds, UTC).isoformat().replace("+00:00", "Z")
