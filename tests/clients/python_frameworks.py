"""Use the local API with frameworks for agents, and print what they got as JSON.

Runs in a process of its own: ``python_frameworks.py ADDRESS MODEL``.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any, Literal

import agents
import instructor
import llm
import openai
import pydantic
from pydantic_ai import Agent
from pydantic_ai.models.openai import OpenAIChatModel
from pydantic_ai.providers.openai import OpenAIProvider

ADDRESS, MODEL = sys.argv[1:]
V1 = f"{ADDRESS}/v1"
QUESTION = "What is the capital of France? Answer in one sentence."
"""The starter model is sure of each of the first six tokens, whatever is computed beside it."""


class Place(pydantic.BaseModel):
    """Where something is."""

    model_config = pydantic.ConfigDict(extra="forbid")
    at: Literal["here"]


def with_pydantic_ai() -> dict[str, Any]:
    model = OpenAIChatModel(MODEL, provider=OpenAIProvider(base_url=V1, api_key="none"))
    settings: Any = {"temperature": 0, "max_tokens": 40}
    text = Agent(model, model_settings={"temperature": 0, "max_tokens": 6})
    shaped = Agent(model, output_type=Place, model_settings=settings)

    async def streamed() -> str:
        async with text.run_stream(QUESTION) as result:
            return str(await result.get_output())

    return {
        "chat": text.run_sync(QUESTION).output,
        "stream": asyncio.run(streamed()),
        "schema": shaped.run_sync(QUESTION).output.model_dump(),
    }


def with_openai_agents() -> dict[str, Any]:
    client = openai.AsyncOpenAI(base_url=V1, api_key="none", max_retries=0)
    settings = agents.ModelSettings(temperature=0, max_tokens=40, tool_choice="required")
    seen: list[str] = []

    @agents.function_tool  # type: ignore[untyped-decorator]
    def note(at: Literal["here"]) -> str:
        """Note where something is."""
        seen.append(at)
        return at

    found: dict[str, Any] = {}
    for name, model in (
        ("chat", agents.OpenAIChatCompletionsModel(MODEL, client)),
        ("response", agents.OpenAIResponsesModel(MODEL, client)),
    ):
        agent = agents.Agent(
            name="Helper",
            model=model,
            tools=[note],
            model_settings=settings,
            tool_use_behavior="stop_on_first_tool",  # so small a model would call it again and again
        )
        found[name] = str(agents.Runner.run_sync(agent, QUESTION, max_turns=4).final_output)
    return {**found, "tool": seen}


def with_instructor() -> dict[str, Any]:
    plain = openai.OpenAI(base_url=V1, api_key="none", max_retries=0)
    found = {}
    for mode in (instructor.Mode.TOOLS, instructor.Mode.JSON_SCHEMA):
        client = instructor.from_openai(plain, mode=mode)
        messages: Any = [{"role": "user", "content": QUESTION}]
        made = client.chat.completions.create(
            model=MODEL, response_model=Place, messages=messages, temperature=0, max_tokens=60
        )
        found[mode.value] = made.model_dump()
    return found


def with_llm() -> dict[str, Any]:
    model = llm.get_model(f"ollama/{MODEL}")
    return {
        "chat": model.prompt(QUESTION, temperature=0, num_predict=6).text(),
        "stream": "".join(model.prompt(QUESTION, temperature=0, num_predict=6, stream=True)),
    }


FOUND = {
    "pydantic_ai": with_pydantic_ai(),
    "openai_agents": with_openai_agents(),
    "instructor": with_instructor(),
    "llm": with_llm(),
}
json.dump(FOUND, sys.stdout)
