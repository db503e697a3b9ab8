"""Use the local API with the clients of OpenAI, Anthropic and Ollama, and print what they got as JSON.

Runs in a process of its own: ``python_clients.py ADDRESS MODEL``.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import anthropic
import ollama
import openai

ADDRESS, MODEL = sys.argv[1:]
SAID: list[Any] = [{"role": "user", "content": "Say hello"}]
SCHEMA = {
    "type": "object",
    "properties": {"at": {"enum": ["here"]}},
    "required": ["at"],
    "additionalProperties": False,
}
TOOL: Any = {"type": "function", "function": {"name": "look", "parameters": SCHEMA}}
FORMAT: Any = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}


def with_openai() -> dict[str, Any]:
    client = openai.OpenAI(base_url=f"{ADDRESS}/v1", api_key="none", max_retries=0)
    ask = client.chat.completions.create
    common: dict[str, Any] = {"model": MODEL, "messages": SAID, "max_tokens": 40, "temperature": 0}
    found: dict[str, Any] = {"models": [model.id for model in client.models.list()]}
    found["chat"] = ask(**common).choices[0].message.content
    chunks = [chunk for chunk in ask(**common, stream=True) if chunk.choices]
    found["stream"] = "".join(chunk.choices[0].delta.content or "" for chunk in chunks)
    called = ask(**common, tools=[TOOL], tool_choice="required").choices[0]
    found["tool"] = json.loads(called.message.tool_calls[0].function.arguments)
    with client.chat.completions.stream(**common, tools=[TOOL], tool_choice="required") as stream:
        whole = stream.get_final_completion().choices[0]
    found["streamed_tool"] = json.loads(whole.message.tool_calls[0].function.arguments)
    found["schema"] = json.loads(ask(**common, response_format=FORMAT).choices[0].message.content)
    made = client.embeddings.create(model=MODEL, input=["a", "b"], dimensions=8).data
    found["embeddings"] = [len(each.embedding) for each in made]
    found["response"] = client.responses.create(
        model=MODEL, input="Say hello", max_output_tokens=16
    ).output_text
    with client.responses.stream(
        model=MODEL, input="x", text={"format": {**FORMAT["json_schema"], "type": "json_schema"}}
    ) as events:
        for _ in events:
            pass
        found["streamed_response"] = json.loads(events.get_final_response().output_text)
    found["errors"] = [
        _error(lambda: ask(model="none", messages=SAID)),
        _error(lambda: ask(**{**common, "temperature": 9})),
        _error(lambda: ask(model=MODEL, messages=[{"role": "user", "content": "hello " * 3000}])),
    ]
    with client.chat.completions.create(**{**common, "max_tokens": 500}, stream=True) as cancelled:
        next(iter(cancelled))
    found["after_cancel"] = ask(**{**common, "max_tokens": 2}).usage.completion_tokens
    return found


def _error(call: Any) -> list[Any]:
    try:
        call()
    except openai.APIStatusError as exc:
        return [exc.status_code, exc.code]
    return []


def with_anthropic() -> dict[str, Any]:
    client = anthropic.Anthropic(base_url=ADDRESS, api_key="none", max_retries=0)
    common: dict[str, Any] = {"model": MODEL, "max_tokens": 40, "messages": SAID}
    common["extra_body"] = {"temperature": 0}  # the client itself no longer takes it
    tools: dict[str, Any] = {
        "tools": [{"name": "look", "input_schema": SCHEMA}],
        "tool_choice": {"type": "any"},
    }
    found: dict[str, Any] = {"chat": client.messages.create(**common).content[0].text}
    with client.messages.stream(**common) as stream:
        found["stream"] = "".join(stream.text_stream)
    found["tool"] = client.messages.create(**common, **tools).content[-1].input
    with client.messages.stream(**common, **tools) as stream:
        found["streamed_tool"] = stream.get_final_message().content[-1].input
    found["count"] = client.messages.count_tokens(model=MODEL, messages=SAID).input_tokens
    try:
        client.messages.create(model="none", max_tokens=1, messages=SAID)
    except anthropic.NotFoundError as exc:
        found["error"] = exc.status_code
    return found


def with_ollama() -> dict[str, Any]:
    client = ollama.Client(ADDRESS)
    options = {"num_predict": 40, "temperature": 0}
    found: dict[str, Any] = {"models": [model.model for model in client.list().models]}
    found["chat"] = client.chat(MODEL, SAID, options=options).message.content
    streamed = client.chat(MODEL, SAID, options=options, stream=True)
    found["stream"] = "".join(part.message.content or "" for part in streamed)
    found["generate"] = client.generate(MODEL, "Say hello", options=options).response
    found["schema"] = json.loads(
        client.chat(MODEL, SAID, format=SCHEMA, options=options).message.content or ""
    )
    found["embed"] = len(client.embed(MODEL, "a", dimensions=8).embeddings[0])
    found["context"] = [model.context_length for model in client.ps().models]
    try:
        client.chat("none", SAID)
    except ollama.ResponseError as exc:
        found["error"] = exc.status_code
    return found


json.dump({"openai": with_openai(), "anthropic": with_anthropic(), "ollama": with_ollama()}, sys.stdout)
