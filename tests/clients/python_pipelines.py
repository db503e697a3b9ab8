"""Use the local API with LlamaIndex, Haystack, Outlines and smolagents, and print what they got as JSON.

Runs in a process of its own: ``python_pipelines.py ADDRESS MODEL``.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable, Iterator
from typing import Any, Literal

import ollama
import openai
import outlines
import pydantic
import smolagents
from haystack.components.embedders import OpenAITextEmbedder
from haystack.components.generators.chat import OpenAIChatGenerator, OpenAIResponsesChatGenerator
from haystack.tools import Tool
from haystack.utils import Secret
from haystack_integrations.components.embedders.ollama import OllamaTextEmbedder
from haystack_integrations.components.generators.ollama import OllamaChatGenerator
from llama_index.core import PromptTemplate
from llama_index.core.llms import LLM, ChatMessage
from llama_index.core.tools import FunctionTool
from llama_index.embeddings.openai_like import OpenAILikeEmbedding
from llama_index.llms.ollama import Ollama
from llama_index.llms.openai_like import OpenAILike

ADDRESS, MODEL = sys.argv[1:]
V1 = f"{ADDRESS}/v1"
QUESTION = "What is the capital of France? Answer in one sentence."
"""The starter model is sure of each of the first six tokens, whatever is computed beside it."""
TOO_LONG = "hello " * 9000
SCHEMA = {"type": "object", "properties": {"at": {"enum": ["here"]}}, "required": ["at"]}
FORMAT = {"type": "json_schema", "json_schema": {"name": "x", "schema": SCHEMA}}


class Place(pydantic.BaseModel):
    """Where something is."""

    at: Literal["here"]


def look(at: Literal["here"]) -> str:
    """Look around.

    Args:
        at: Where to look.
    """
    return at


def error_of(call: Callable[[], object]) -> int:
    """Return the status of an error."""
    try:
        call()
    except (openai.APIStatusError, ollama.ResponseError) as exc:
        return int(exc.status_code)
    except (smolagents.AgentError, outlines.exceptions.APIError) as exc:
        return int(exc.status_code or 0)
    return 200


def with_llama_index(of: Callable[..., LLM]) -> dict[str, Any]:
    said = [ChatMessage(role="user", content=QUESTION)]
    chat, calling = of(n_tokens=6), of(n_tokens=40)
    parts = list(chat.stream_chat(said))
    found = {
        "chat": chat.chat(said).message.content,
        "stream": "".join(part.delta or "" for part in parts),
        "complete": chat.complete(QUESTION).text,
        "schema": calling.structured_predict(Place, PromptTemplate(QUESTION)).model_dump(),
        "unknown": error_of(lambda: of(model="none").chat(said)),
        "too_long": error_of(lambda: chat.chat([ChatMessage(role="user", content=TOO_LONG)])),
    }
    if isinstance(calling, OpenAILike):  # Ollama's API cannot require a call
        asked = calling.chat_with_tools(
            [FunctionTool.from_defaults(look, fn_schema=Place)], QUESTION, tool_required=True
        )
        found["tool"] = calling.get_tool_calls_from_response(asked)[0].tool_kwargs
        embedding = OpenAILikeEmbedding(model_name=MODEL, api_base=V1, api_key="none", dimensions=8)
        found["embed"] = len(embedding.get_text_embedding("a"))
    return found


def llama_index_openai(*, model: str = MODEL, n_tokens: int = 6) -> LLM:
    return OpenAILike(
        model=model,
        api_base=V1,
        api_key="none",
        is_chat_model=True,
        is_function_calling_model=True,
        should_use_structured_outputs=True,
        context_window=1024,
        temperature=0,
        max_tokens=n_tokens,
        max_retries=0,
    )


def llama_index_ollama(*, model: str = MODEL, n_tokens: int = 6) -> LLM:
    more = {"num_predict": n_tokens}
    return Ollama(model=model, base_url=ADDRESS, temperature=0, request_timeout=600, additional_kwargs=more)


def with_haystack(of: Callable[..., Any], *, limit: str, schema: dict[str, Any]) -> dict[str, Any]:
    def ask(said: str = QUESTION, *, model: str = MODEL, n_tokens: int = 6, **more: Any) -> Any:
        options = {"temperature": 0, limit: n_tokens, **more.pop("options", {})}
        return of(model=model, generation_kwargs=options, **more).run(said)["replies"][0]

    seen: list[str] = []
    whole = ask()
    streamed = ask(streaming_callback=lambda part: seen.append(part.content))
    found = {
        "chat": whole.text,
        "stream": "".join(seen),
        "used": whole.meta["finish_reason"],
        "streamed_used": streamed.meta["finish_reason"],
        "unknown": error_of(lambda: ask(model="none")),
        "too_long": error_of(lambda: ask(TOO_LONG)),
        "schema": json.loads(ask(n_tokens=40, **schema).text),
    }
    if limit != "num_predict":
        tools = [Tool(name="look", description="Look around", parameters=SCHEMA, function=look)]
        called = ask(n_tokens=40, tools=tools, options={"tool_choice": "required"})
        found["tool"] = called.tool_calls[0].arguments
    return found


def haystack_openai(**more: Any) -> Any:
    return OpenAIChatGenerator(api_key=Secret.from_token("none"), api_base_url=V1, max_retries=0, **more)


def haystack_responses(**more: Any) -> Any:
    return OpenAIResponsesChatGenerator(
        api_key=Secret.from_token("none"), api_base_url=V1, max_retries=0, **more
    )


def haystack_embeddings() -> list[int]:
    of_openai = OpenAITextEmbedder(
        api_key=Secret.from_token("none"), model=MODEL, dimensions=8, api_base_url=V1
    )
    of_ollama = OllamaTextEmbedder(model=MODEL, url=ADDRESS, dimensions=8)
    return [len(each.run("a")["embedding"]) for each in (of_openai, of_ollama)]


def with_outlines() -> Iterator[tuple[str, dict[str, Any]]]:
    client = openai.OpenAI(base_url=V1, api_key="none", max_retries=0)
    options = {"options": {"temperature": 0, "num_predict": 40}}
    for name, model, more in (
        ("openai", outlines.from_openai(client, MODEL), {"temperature": 0, "max_tokens": 40}),
        ("vllm", outlines.from_vllm(client, MODEL), {"temperature": 0, "max_tokens": 40}),
        ("sglang", outlines.from_sglang(client, MODEL), {"temperature": 0, "max_tokens": 40}),
        ("ollama", outlines.from_ollama(ollama.Client(ADDRESS), MODEL), options),
    ):
        yield (
            name,
            {
                "chat": model(QUESTION, **more),
                "stream": "".join(model.stream(QUESTION, **more)),
                "schema": json.loads(model(QUESTION, Place, **more)),
            },
        )


def with_smolagents() -> dict[str, Any]:
    def model(name: str = MODEL, n_tokens: int = 40) -> Any:
        return smolagents.OpenAIModel(
            name,
            api_base=V1,
            api_key="none",
            temperature=0,
            max_tokens=n_tokens,
            client_kwargs={"max_retries": 0},
        )

    said: Any = [{"role": "user", "content": [{"type": "text", "text": QUESTION}]}]
    whole = model().generate(said)
    parts = list(model().generate_stream(said))
    tool = smolagents.tool(look)
    called = model().generate(said, tools_to_call_from=[tool], tool_choice="required")
    shaped = model().generate(said, response_format=FORMAT)
    agent = smolagents.ToolCallingAgent([tool], model(n_tokens=100), max_steps=2, verbosity_level=0)
    return {
        "chat": whole.content,
        "stream": "".join(part.content or "" for part in parts),
        "used": [whole.token_usage.output_tokens],
        "streamed_used": [part.token_usage.output_tokens for part in parts if part.token_usage],
        "tool": json.loads(called.tool_calls[0].function.arguments),
        "schema": json.loads(shaped.content),
        "unknown": error_of(lambda: model("none").generate(said)),
        "steps": len(list(agent.run(QUESTION, stream=True))),
    }


def found_with_all() -> dict[str, Any]:
    responses_schema = {"text": {"format": {"type": "json_schema", "name": "x", "schema": SCHEMA}}}
    return {
        "llama_index_openai": with_llama_index(llama_index_openai),
        "llama_index_ollama": with_llama_index(llama_index_ollama),
        "haystack_openai": with_haystack(
            haystack_openai, limit="max_completion_tokens", schema={"options": {"response_format": FORMAT}}
        ),
        "haystack_responses": with_haystack(
            haystack_responses, limit="max_output_tokens", schema={"options": responses_schema}
        ),
        "haystack_ollama": with_haystack(
            lambda **more: OllamaChatGenerator(url=ADDRESS, **more),
            limit="num_predict",
            schema={"response_format": SCHEMA},
        ),
        **{f"outlines_{name}": each for name, each in with_outlines()},
        "smolagents": with_smolagents(),
    }


with contextlib.redirect_stdout(sys.stderr):  # an agent says there when it gives up
    FOUND = {"found": found_with_all(), "embed": haystack_embeddings()}
json.dump(FOUND, sys.stdout)
