"""Ollama's dialect: answers as lines of JSON, and models with what its clients look for."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from datetime import UTC, datetime
from typing import Any, Final

import msgspec

from fireside.api.answering import Answering, Collected
from fireside.api.answers import Answers
from fireside.api.asks import Ask, Choices, OwnTools, image_of_base64
from fireside.api.calls import NDJSON, Call, Dialect, Reply, Stream, json_reply, line
from fireside.api.figures import logprobs_of
from fireside.api.openai_chat import arguments_of, call_id
from fireside.api.openai_messages import Tool, read_tools
from fireside.api.refusal import Refusal, invalid
from fireside.api.sessions import keep_alive_of, session_of
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
    fireside_tools: OwnTools = ()


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


def ollama_error(refusal: Refusal) -> dict[str, str]:
    """Return an error as Ollama's clients expect it."""
    if refusal.code == "model_not_found":  # which clients know by these words
        return {"error": f"{refusal.message.removesuffix('.')}: model not found, try pulling it first"}
    return {"error": refusal.message}


OLLAMA: Final = Dialect(error=ollama_error)


def _choices(body: Common) -> tuple[Choices, int | None]:
    """Return what a client chose, and the context that it wishes for. Raises ``Refusal``."""
    choices, options = Choices(), body.options or {}
    for name in _PLAIN_OPTIONS:
        choices.put(f"sampling.{name}", options.get(name))
    looked_back = options.get("repeat_last_n")
    choices.put("sampling.repeat_last_n", _MOST_LOOKED_BACK if looked_back == -1 else looked_back)
    if "mirostat" in options:
        choices.put("sampling.mirostat", str(options["mirostat"]) if options["mirostat"] else "off")
    choices.put_max_tokens(_whole(options, "num_predict"), name="num_predict")
    choices.put_seed(_whole(options, "seed"))
    stop = options.get("stop")
    choices.put_stop(stop if isinstance(stop, str | list) else None)
    match body.format:
        case None | "":
            pass
        case "json":
            choices.put_schema({}, name="format")
        case dict():
            choices.put_schema(body.format, name="format")
        case _:
            raise invalid("format: choose “json” or a JSON Schema.", param="format")
    think = body.think
    choices.put_effort(("on" if think else "off") if isinstance(think, bool) else think, name="think")
    if body.logprobs:
        choices.put("sampling.top_logprobs", body.top_logprobs or 0)
    return choices, _whole(options, "num_ctx")


def _whole(options: Mapping[str, SettingValue], name: str) -> int | None:
    value = options.get(name)
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value != int(value):
        raise invalid(f"options.{name}: choose a whole number.", param=f"options.{name}")
    return int(value)


def _ask(body: Common, prompt: PromptInput) -> Ask:
    choices, n_ctx = _choices(body)
    return Ask(
        model=body.model or body.name,
        prompts=(prompt,),
        settings=choices.settings,
        names=choices.names,
        keep_alive_s=keep_alive_of(body.keep_alive),
        own_tools=body.fireside_tools,
        n_ctx=n_ctx,
        overflow=Overflow.DROP_OLDEST if body.truncate else Overflow.REFUSE,
    )


def _images(images: Iterable[str] | None, *, param: str) -> list[MessagePart]:
    return [image_of_base64(each, media_type="image/*", param=param) for each in images or ()]


def read_ollama_messages(messages: Iterable[OllamaMessage]) -> tuple[ChatMessage, ...]:
    """Return the conversation. Raises ``Refusal``."""
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


async def answer_ollama_chat(answers: Answers, call: Call, body: OllamaChat) -> Reply | Stream:
    """Answer one call of ``/api/chat``."""
    if not body.messages:
        return await _load(answers, call, body, {"message": {"role": "assistant", "content": ""}})
    prompt = ChatInput(messages=read_ollama_messages(body.messages), tools=read_tools(body.tools))
    return await _answer(answers, call, body, prompt, as_message=True)


async def answer_ollama_generate(answers: Answers, call: Call, body: OllamaGenerate) -> Reply | Stream:
    """Answer one call of ``/api/generate``."""
    if not (body.prompt or body.suffix or body.images):
        return await _load(answers, call, body, {"response": ""})
    prompt: PromptInput
    if body.suffix:
        prompt = InfillInput(prefix=body.prompt, suffix=body.suffix)
    elif body.raw:
        prompt = TextInput(text=body.prompt, parse_special=True)
    else:
        said = OllamaMessage(role=Role.USER, content=body.prompt, images=body.images)
        told = [OllamaMessage(role=Role.SYSTEM, content=body.system)] if body.system else []
        prompt = ChatInput(messages=read_ollama_messages([*told, said]))
    return await _answer(answers, call, body, prompt, as_message=False)


async def _answer(
    answers: Answers, call: Call, body: Common, prompt: PromptInput, *, as_message: bool
) -> Reply | Stream:
    session = session_of(call.headers)
    answering = await answers.start(_ask(body, prompt), call, session=session)
    lines = _Lines(answering.spec.id, as_message=as_message)
    if body.stream is False:
        (whole,) = await answering.collect()
        return json_reply(lines.whole(whole))
    pieces = _pieces(answering, lines)
    return Stream(pieces=pieces, failure=stream_error, heartbeat=OLLAMA_HEARTBEAT, content_type=NDJSON)


def stream_error(refusal: Refusal) -> bytes:
    """Return what ends a stream that fails."""
    return line(ollama_error(refusal))


async def _load(answers: Answers, call: Call, body: Common, empty: Mapping[str, Any]) -> Reply:
    """Have a model loaded, or with ``keep_alive`` 0 unloaded: what an empty prompt asks for."""
    spec = await answers.find(body.model or body.name)
    keep_alive_s = keep_alive_of(body.keep_alive)
    if keep_alive_s == 0:
        await answers.unload(spec, call.client)
    else:
        await answers.load(spec, call.client, keep_alive_s=keep_alive_s)
    reason = "unload" if keep_alive_s == 0 else "load"
    return json_reply({"model": spec.id, "created_at": _now(), **empty, "done": True, "done_reason": reason})


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

    def whole(self, each: Collected) -> dict[str, Any]:
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


async def _pieces(answering: Answering, lines: _Lines) -> AsyncGenerator[bytes, None]:
    async with aclosing(answering.events()) as events:
        async for _, each in events:
            match each:
                case TextDelta() if (delta := lines.delta(each)) is not None:
                    yield line(delta)
                case Finished():
                    if each.tool_calls:
                        yield line(lines.calls(each.tool_calls))
                    yield line(lines.end(each))
                case _:
                    pass


async def answer_ollama_embed(answers: Answers, call: Call, body: OllamaEmbed) -> Reply:
    """Answer one call of ``/api/embed``, or of the older ``/api/embeddings``."""
    is_old = call.path.endswith("/embeddings")
    texts = [body.prompt] if is_old else [body.input] if isinstance(body.input, str) else body.input
    began = time.monotonic()
    if not any(texts):
        return json_reply({"embedding": []} if is_old else {"model": body.model, "embeddings": []})
    # Ollama cuts what is too long unless it is told not to.
    prompt = EmbeddingInput(
        texts=tuple(texts), truncate=body.truncate is not False, dimensions=body.dimensions
    )
    spec, vectors = await answers.vectors(prompt, body.model, call)
    if is_old:
        return json_reply({"embedding": list(vectors[0][0])})
    return json_reply(
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
