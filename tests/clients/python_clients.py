"""Use the local API with clients of other makers, and print what they got as JSON.

Runs in a process of its own: ``python_clients.py ADDRESS MODEL``. Answers are short, since it is part of
every run of the tests.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from itertools import islice
from typing import Any, Literal

import anthropic
import ollama
import openai
import pydantic
from langchain_core.tools import tool
from langchain_ollama import ChatOllama, OllamaEmbeddings
from langchain_openai import ChatOpenAI, OpenAIEmbeddings

ADDRESS, MODEL = sys.argv[1:]
V1 = f"{ADDRESS}/v1"
QUESTION = "What is the capital of France? Answer in one sentence."
"""The starter model is sure of each of the first ``N_TOKENS`` tokens, whatever is computed beside it."""
SAID: list[Any] = [{"role": "user", "content": QUESTION}]
N_TOKENS = 6
N_CALL_TOKENS = 40
LONG = {"temperature": 0, "num_predict": 900}
SCHEMA = {
    "type": "object",
    "properties": {"at": {"enum": ["here"]}},
    "required": ["at"],
    "additionalProperties": False,
}
TOOL: Any = {"type": "function", "function": {"name": "look", "parameters": SCHEMA}}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}
PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
PICTURE: Any = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}}


class Place(pydantic.BaseModel):
    """Where something is."""

    model_config = pydantic.ConfigDict(extra="forbid")
    at: Literal["here"]


@tool  # type: ignore[untyped-decorator]
def look(at: Literal["here"]) -> str:
    """Look around."""
    return at


def error_of(call: Callable[[], object]) -> list[Any]:
    """Return the status of an error, and what the client takes for its code."""
    try:
        call()
    except (openai.APIStatusError, anthropic.APIStatusError, ollama.ResponseError) as exc:
        return [exc.status_code, getattr(exc, "code", None)]
    return []


def with_openai() -> dict[str, Any]:
    client = openai.OpenAI(base_url=V1, api_key="none", max_retries=0)
    ask = client.chat.completions.create
    common: dict[str, Any] = {"model": MODEL, "messages": SAID, "max_tokens": N_TOKENS, "temperature": 0}
    calling: dict[str, Any] = {
        **common,
        "max_tokens": N_CALL_TOKENS,
        "tools": [TOOL],
        "tool_choice": "required",
    }
    found: dict[str, Any] = {"models": [model.id for model in client.models.list()]}
    found["chat"] = ask(**common).choices[0].message.content
    chunks = [chunk for chunk in ask(**common, stream=True) if chunk.choices]
    found["stream"] = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    called = ask(**calling).choices[0]
    found["tool"] = json.loads(called.message.tool_calls[0].function.arguments)
    with client.chat.completions.stream(**calling) as stream:
        kinds = [event.type for event in stream]
        whole = stream.get_final_completion().choices[0]
    found["streamed_tool"] = json.loads(whole.message.tool_calls[0].function.arguments)
    found["n_pieces"] = kinds.count("tool_calls.function.arguments.delta")
    shaped = ask(**{**common, "max_tokens": N_CALL_TOKENS}, response_format=FORMAT)
    found["schema"] = json.loads(shaped.choices[0].message.content)
    made = client.embeddings.create(model=MODEL, input=["a", "b"], dimensions=8).data
    found["embeddings"] = [len(each.embedding) for each in made]
    response = client.responses.create(model=MODEL, input=QUESTION, max_output_tokens=N_TOKENS)
    found["response"] = response.output_text
    with client.responses.stream(
        model=MODEL, input="x", text={"format": {**FORMAT["json_schema"], "type": "json_schema"}}
    ) as events:
        for _ in events:
            pass
        found["streamed_response"] = json.loads(events.get_final_response().output_text)
    with client.responses.stream(
        model=MODEL, input=QUESTION, tools=[{"type": "function", **TOOL["function"]}], tool_choice="required"
    ) as events:
        pieces = [each.delta for each in events if each.type == "response.function_call_arguments.delta"]
    found["response_pieces"] = [len(pieces), json.loads("".join(pieces))]
    found["errors"] = [
        error_of(lambda: ask(model="none", messages=SAID)),
        error_of(lambda: ask(**{**common, "temperature": 9})),
        error_of(lambda: ask(model=MODEL, messages=[{"role": "user", "content": "hello " * 3000}])),
    ]
    found["image"] = error_of(lambda: ask(model=MODEL, messages=[{"role": "user", "content": [PICTURE]}]))
    with ask(**{**common, "max_tokens": 900}, stream=True) as cancelled:
        next(iter(cancelled))
    found["after_cancel"] = ask(**{**common, "max_tokens": 2}).usage.completion_tokens
    return found


def with_anthropic() -> dict[str, Any]:
    client = anthropic.Anthropic(base_url=ADDRESS, api_key="none", max_retries=0)
    common: dict[str, Any] = {"model": MODEL, "max_tokens": N_TOKENS, "messages": SAID}
    common["extra_body"] = {"temperature": 0}  # the client itself no longer takes it
    calling: dict[str, Any] = {
        **common,
        "max_tokens": N_CALL_TOKENS,
        "tools": [{"name": "look", "input_schema": SCHEMA}],
        "tool_choice": {"type": "any"},
    }
    found: dict[str, Any] = {"chat": client.messages.create(**common).content[0].text}
    with client.messages.stream(**common) as stream:
        found["stream"] = "".join(stream.text_stream)
    found["tool"] = client.messages.create(**calling).content[-1].input
    with client.messages.stream(**calling) as stream:
        found["n_pieces"] = [event.type for event in stream].count("input_json")
        found["streamed_tool"] = stream.get_final_message().content[-1].input
    found["count"] = client.messages.count_tokens(model=MODEL, messages=SAID).input_tokens
    found["error"] = error_of(lambda: client.messages.create(model="none", max_tokens=1, messages=SAID))
    source = {"type": "base64", "media_type": "image/png", "data": PNG}
    picture: Any = [{"role": "user", "content": [{"type": "image", "source": source}]}]
    found["image"] = error_of(lambda: client.messages.create(model=MODEL, max_tokens=1, messages=picture))
    with client.messages.stream(**{**common, "max_tokens": 900}) as cancelled:
        next(iter(cancelled.text_stream))
    after = client.messages.create(**{**common, "max_tokens": 2})
    found["after_cancel"] = after.usage.output_tokens
    return found


def with_ollama() -> dict[str, Any]:
    client = ollama.Client(ADDRESS)
    options = {"num_predict": N_TOKENS, "temperature": 0}
    found: dict[str, Any] = {"models": [model.model for model in client.list().models]}
    found["chat"] = client.chat(MODEL, SAID, options=options).message.content
    streamed = client.chat(MODEL, SAID, options=options, stream=True)
    found["stream"] = "".join(part.message.content or "" for part in streamed)
    found["generate"] = client.generate(MODEL, QUESTION, options=options).response
    # Whether a tool is called, the model says: with Ollama's API nothing can be required.
    found["tools"] = client.chat(MODEL, SAID, tools=[TOOL], options=options).done_reason
    shaped = client.chat(MODEL, SAID, format=SCHEMA, options={**options, "num_predict": N_CALL_TOKENS})
    found["schema"] = json.loads(shaped.message.content or "")
    found["embed"] = len(client.embed(MODEL, "a", dimensions=8).embeddings[0])
    found["context"] = [model.context_length for model in client.ps().models]
    found["error"] = error_of(lambda: client.chat("none", SAID))
    picture = [{**SAID[0], "images": [PNG]}]
    found["image"] = error_of(lambda: client.chat(MODEL, picture))
    cancelled = client.chat(MODEL, SAID, options=LONG, stream=True)
    list(islice(cancelled, 1))
    cancelled.close()
    found["after_cancel"] = client.chat(MODEL, SAID, options={**options, "num_predict": 2}).eval_count
    return found


def with_langchain_openai() -> dict[str, Any]:
    settings: dict[str, Any] = {"base_url": V1, "api_key": "none", "max_retries": 0}
    chat = ChatOpenAI(model=MODEL, temperature=0, max_tokens=N_TOKENS, **settings)
    calling = ChatOpenAI(model=MODEL, temperature=0, max_tokens=N_CALL_TOKENS, **settings)
    vectors = OpenAIEmbeddings(model=MODEL, check_embedding_ctx_length=False, **settings)
    asked = calling.bind_tools([look], tool_choice="look", strict=True).invoke(QUESTION)
    return {
        "chat": chat.invoke(QUESTION).content,
        "stream": "".join(str(chunk.content) for chunk in chat.stream(QUESTION)),
        "tool": asked.tool_calls[0]["args"],
        "schema": calling.with_structured_output(Place).invoke(QUESTION).model_dump(),
        "embed": len(vectors.embed_query("a")),
        "error": error_of(lambda: ChatOpenAI(model="none", **settings).invoke(QUESTION)),
        "image": error_of(lambda: chat.invoke([{"role": "user", "content": [PICTURE]}])),
    }


def with_langchain_ollama() -> dict[str, Any]:
    chat = ChatOllama(model=MODEL, base_url=ADDRESS, temperature=0, num_predict=N_TOKENS)
    shaping = ChatOllama(model=MODEL, base_url=ADDRESS, temperature=0, num_predict=N_CALL_TOKENS)
    unknown = ChatOllama(model="none", base_url=ADDRESS)
    return {
        "chat": chat.invoke(QUESTION).content,
        "stream": "".join(str(chunk.content) for chunk in chat.stream(QUESTION)),
        "schema": shaping.with_structured_output(Place, method="json_schema").invoke(QUESTION).model_dump(),
        "embed": len(OllamaEmbeddings(model=MODEL, base_url=ADDRESS).embed_query("a")),
        "error": error_of(lambda: unknown.invoke(QUESTION)),
        "image": error_of(lambda: chat.invoke([{"role": "user", "content": [PICTURE]}])),
    }


FOUND = {
    "openai": with_openai(),
    "anthropic": with_anthropic(),
    "ollama": with_ollama(),
    "langchain_openai": with_langchain_openai(),
    "langchain_ollama": with_langchain_ollama(),
}
json.dump(FOUND, sys.stdout)
