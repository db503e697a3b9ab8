"""Coding agents finish a loop with a tool, and what was read of their prompts once is not read again."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from fakes.api_harness import ApiHarness
from fakes.coding_agents import Agent, ClaudeCode, Codex
from fakes.engine import finished, says
from fireside.core.generation import FinishReason, GenerationEvent, OutputKind, TextDelta
from fireside.core.message import ToolCallPart
from fireside.core.prompt_input import ChatInput
from fireside.engine.request import GenerationRequest

CALL = ToolCallPart(id="call_1", name="", arguments='{"command": "ls"}')


def looks_first(request: GenerationRequest) -> list[GenerationEvent]:
    """Call the first tool there is until something was seen, and say so then."""
    assert isinstance(request.task.prompt, ChatInput)
    if any(message.role == "tool" for message in request.task.prompt.messages):
        return list(says("Two", " files")(request))  # type: ignore[arg-type]
    call = msgspec.structs.replace(CALL, name=request.task.prompt.tools[0].name)
    return [
        TextDelta(text="I look", n_completion=1, kind=OutputKind.REASONING),
        msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=(call,)),
    ]


async def turn(harness: ApiHarness, agent: Agent) -> tuple[str, ChatInput]:
    answer = await harness.ask(agent.path, agent.body(), headers=agent.headers)
    assert answer.status == 200, answer.body
    prompt = harness.engine.requests[-1].task.prompt
    assert isinstance(prompt, ChatInput)
    return agent.take(answer.events), prompt


@pytest.mark.parametrize("agent_type", [Codex, ClaudeCode])
async def test_a_loop_with_a_tool_ends_and_each_prompt_begins_with_the_one_before(
    harness: ApiHarness, agent_type: Callable[[], Agent]
) -> None:
    harness.engine.script = looks_first
    agent = agent_type()
    text, first = await turn(harness, agent)
    assert text == ""
    text, second = await turn(harness, agent)
    assert text == "Two files"
    _, third = await turn(harness, agent)
    for before, after in ((first, second), (second, third)):
        assert after.messages[: len(before.messages)] == before.messages
        assert len(after.messages) > len(before.messages)
        assert (after.tools, after.tool_choice) == (before.tools, before.tool_choice)
    results = [message.parts for message in second.messages if message.role == "tool"]
    assert "main.py" in str(results)
    assert len({request.task.owner for request in harness.engine.requests}) == 1
    assert harness.engine.requests[0].task.owner is not None


async def test_what_only_other_servers_run_is_left_out_of_the_tools(harness: ApiHarness) -> None:
    harness.engine.script = looks_first
    _, prompt = await turn(harness, Codex())
    assert [tool.name for tool in prompt.tools] == ["shell", "apply_patch", "read_note"]


async def test_claude_code_looks_whether_anything_is_there(harness: ApiHarness) -> None:
    assert (await harness.ask("/", method="HEAD")).status == 200
