"""``fireside serve`` with the real model: agents that call tools, and answers that are cut off."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import ExitStack
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from fakes.coding_agents import Agent, ClaudeCode, Codex
from fakes.serving import Serving, serving

NEVER_ENDS: Final = {"type": "array", "items": {"type": "integer"}, "minItems": 800}
SAID: Final = [{"role": "user", "content": "Count"}]
STREAMS: Final[dict[str, tuple[dict[str, Any], bytes, bytes]]] = {
    "/v1/chat/completions": (
        {
            "messages": SAID,
            "response_format": {"type": "json_schema", "json_schema": {"name": "x", "schema": NEVER_ENDS}},
        },
        rb'"content":"[^"]',
        b'"code":"runner_died"',
    ),
    "/v1/responses": (
        {"input": "Count", "text": {"format": {"type": "json_schema", "name": "x", "schema": NEVER_ENDS}}},
        rb"output_text\.delta",
        b"event: response.failed\n",
    ),
    "/v1/messages": (
        {
            "messages": SAID,
            "max_tokens": 4000,
            "output_config": {"format": {"type": "json_schema", "schema": NEVER_ENDS}},
        },
        rb"text_delta",
        b"event: error\n",
    ),
    "/api/chat": ({"messages": SAID, "format": NEVER_ENDS}, rb'"content":"[^"]', b'{"error":'),
}
"""Body, what the first text looks like, and how an error is told."""


def events_of(reply: HTTPResponse) -> list[dict[str, Any]]:
    with reply:
        lines = reply.read().decode().splitlines()
    return [json.loads(line[6:]) for line in lines if line.startswith("data: ")]


def usage_of(events: list[dict[str, Any]]) -> tuple[int, int]:
    """Return the tokens of the prompt, and how many of them were cached."""
    for event in events:
        if event["type"] == "response.completed":
            usage = event["response"]["usage"]
            return usage["input_tokens"], usage["input_tokens_details"]["cached_tokens"]
        if event["type"] == "message_delta":
            n_cached = event["usage"]["cache_read_input_tokens"]
            return event["usage"]["input_tokens"] + n_cached, n_cached
    raise AssertionError(events)


@pytest.mark.parametrize(
    ("agent_type", "forced"),
    [
        (Codex, {"tool_choice": {"type": "function", "name": "shell"}, "max_output_tokens": 80}),
        (ClaudeCode, {"tool_choice": {"type": "tool", "name": "Bash"}, "max_tokens": 80}),
    ],
)
def test_what_an_agent_sent_before_is_not_read_again(
    own_home: Path, starter_model_path: Path, agent_type: Callable[[], Agent], forced: dict[str, Any]
) -> None:
    with serving(own_home, "--no-token") as server:
        agent, n_before = agent_type(), 0
        for _ in range(3):
            body = {**agent.body(), **forced}
            events = events_of(server.stream(agent.path, body, headers=agent.headers))
            n_prompt, n_cached = usage_of(events)
            assert n_prompt > n_before
            assert n_cached >= 0.99 * n_before
            n_before = n_prompt
            agent.take(events)


def read_until(reply: HTTPResponse, sign: bytes) -> None:
    for line in reply:
        if re.search(sign, line):
            return
    raise AssertionError(sign)


def runner_of(server: Serving) -> psutil.Process:
    """Return the process that holds the model: the largest, beside those that check rules."""
    children = psutil.Process(server.process.pid).children(recursive=True)
    return max(children, key=lambda child: child.memory_info().rss)


def test_counting_waits_behind_no_answer_and_a_killed_runner_is_told_in_every_dialect(
    own_home: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("FIRESIDE_LOAD_N_SEQ_MAX", str(len(STREAMS)))
    with serving(own_home, "--no-token") as server, ExitStack() as stack:
        streams = []
        for path, (body, sign, told) in STREAMS.items():
            reply = stack.enter_context(server.stream(path, {**body, "stream": True}))
            read_until(reply, sign)
            streams.append((reply, told))
        counted = server.ask("/v1/messages/count_tokens", {"messages": SAID})
        assert counted["input_tokens"] > 0
        runner_of(server).kill()
        for reply, told in streams:
            # None had ended when the tokens were counted.
            assert told in reply.read()
        assert server.ask("/v1/chat/completions", {"messages": SAID, "max_tokens": 1})["usage"]
