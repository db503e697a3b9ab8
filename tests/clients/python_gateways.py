"""Use the local API with litellm, as each kind of server that it knows, and with LangChain as Anthropic's.

Runs in a process of its own: ``python_gateways.py ADDRESS MODEL``. Prints what they got as JSON.
"""

from __future__ import annotations

import json
import sys
from itertools import islice
from typing import Any, Literal

import anthropic
import litellm
import openai
import pydantic
from langchain_anthropic import ChatAnthropic
from langchain_core.tools import tool

litellm.suppress_debug_info = True  # it prints advice about itself beside the answer

ADDRESS, MODEL = sys.argv[1:]
V1 = f"{ADDRESS}/v1"
QUESTION = "What is the capital of France? Answer in one sentence."
"""The starter model is sure of each of the first six tokens, whatever is computed beside it."""
SAID = [{"role": "user", "content": QUESTION}]
PROVIDERS = {
    "openai": V1,
    "hosted_vllm": V1,
    "lm_studio": V1,
    "llamafile": V1,
    "anthropic": ADDRESS,
    "ollama": ADDRESS,
    "ollama_chat": ADDRESS,
}
SCHEMA = {"type": "object", "properties": {"at": {"enum": ["here"]}}, "required": ["at"]}
"""As most programs write them: other keys are not forbidden, and must not be made up."""
TOOLS = [{"type": "function", "function": {"name": "look", "parameters": SCHEMA}}]
FORMAT = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}


class Place(pydantic.BaseModel):
    """Where something is."""

    at: Literal["here"]


@tool  # type: ignore[untyped-decorator]
def look(at: Literal["here"]) -> str:
    """Look around."""
    return at


def with_litellm(provider: str) -> dict[str, Any]:
    settings: dict[str, Any] = {"api_base": PROVIDERS[provider], "api_key": "none", "num_retries": 0}

    def ask(*, model: str = MODEL, max_tokens: int = 40, **more: Any) -> Any:
        return litellm.completion(
            f"{provider}/{model}", SAID, max_tokens=max_tokens, temperature=0, **settings, **more
        )

    found: dict[str, Any] = {"chat": ask(max_tokens=6).choices[0].message.content}
    parts = ask(max_tokens=6, stream=True)
    found["stream"] = "".join(part.choices[0].delta.content or "" for part in parts)
    found["schema"] = json.loads(ask(response_format=FORMAT).choices[0].message.content)
    if not provider.startswith("ollama"):  # whose API cannot require a call
        called = ask(tools=TOOLS, tool_choice="required").choices[0].message
        found["tool"] = json.loads(called.tool_calls[0].function.arguments)
    if provider in ("openai", "hosted_vllm", "ollama"):
        made = litellm.embedding(f"{provider}/{MODEL}", ["a", "b"], **settings)
        found["embed"] = len(made.data)
    try:
        ask(model="none")
    except openai.APIError as exc:  # what all its errors are
        found["error"] = getattr(exc, "status_code", repr(exc))
    list(islice(ask(max_tokens=900, stream=True), 1))
    found["after_cancel"] = ask(max_tokens=2).usage.completion_tokens
    return found


def with_langchain_anthropic() -> dict[str, Any]:
    settings: dict[str, Any] = {"base_url": ADDRESS, "api_key": "none", "max_retries": 0}
    chat = ChatAnthropic(model=MODEL, max_tokens=6, temperature=0, **settings)
    calling = ChatAnthropic(model=MODEL, max_tokens=40, temperature=0, **settings)
    found: dict[str, Any] = {"chat": chat.invoke(QUESTION).text}
    found["stream"] = "".join(chunk.text for chunk in chat.stream(QUESTION))
    found["tool"] = calling.bind_tools([look], tool_choice="look").invoke(QUESTION).tool_calls[0]["args"]
    found["schema"] = calling.with_structured_output(Place).invoke(QUESTION).model_dump()
    try:
        ChatAnthropic(model="none", max_tokens=1, **settings).invoke(QUESTION)
    except anthropic.APIStatusError as exc:
        found["error"] = exc.status_code
    list(islice(ChatAnthropic(model=MODEL, max_tokens=900, **settings).stream(QUESTION), 1))
    after = ChatAnthropic(model=MODEL, max_tokens=2, **settings).invoke(QUESTION)
    found["after_cancel"] = after.usage_metadata["output_tokens"]
    return found


FOUND = {name: with_litellm(name) for name in PROVIDERS}
json.dump({**FOUND, "langchain_anthropic": with_langchain_anthropic()}, sys.stdout)
