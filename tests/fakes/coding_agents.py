"""What coding agents send: requests in the shape of Codex and Claude Code, turn after turn.

An agent takes what was streamed to it, puts it into its next request, and changes what the real one changes
from request to request.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, ClassVar, Final

_RULES: Final = " ".join(
    f"Rule {number}: look at the files before you answer, and change only what was asked for."
    for number in range(1, 25)
)
"""Stands for the long prompts of the real ones."""
_SESSION: Final = "5b0c9f6e-6f0a-4c8e-9f6b-2a44f1f8d111"
_SHELL: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {"command": {"enum": ["ls"]}},
    "required": ["command"],
    "additionalProperties": False,
}


class Codex:
    """Codex CLI: responses, streamed, with tools of kinds that only other servers run."""

    path = "/v1/responses"
    headers: ClassVar = {
        "originator": "codex_cli_rs",
        "session_id": _SESSION,
        "OpenAI-Beta": "responses=experimental",
        "Accept": "text/event-stream",
    }

    def __init__(self) -> None:
        self._input: list[dict[str, Any]] = [
            _said("developer", "<permissions instructions>Ask before you write.</permissions instructions>"),
            _said("user", "<environment_context><cwd>/home/me/project</cwd></environment_context>"),
            _said("user", "Which files are here?"),
        ]

    def body(self) -> dict[str, Any]:
        """Return the next request."""
        return {
            "model": "",
            "instructions": f"You are Codex. {_RULES}",
            "input": list(self._input),
            "tools": [
                {"type": "function", "name": "shell", "strict": False, "parameters": _SHELL},
                {"type": "custom", "name": "apply_patch", "format": {"type": "grammar", "syntax": "lark"}},
                {"type": "web_search"},
                {
                    "type": "namespace",
                    "name": "mcp__notes",
                    "tools": [{"type": "function", "name": "read_note", "parameters": {"type": "object"}}],
                },
            ],
            "tool_choice": "auto",
            "parallel_tool_calls": False,
            "reasoning": {"effort": "medium", "summary": "auto"},
            "store": False,
            "stream": True,
            "include": ["reasoning.encrypted_content"],
            "prompt_cache_key": _SESSION,
            "text": {"verbosity": "low"},
        }

    def take(self, events: Iterable[dict[str, Any]]) -> str:
        """Do what was answered: the tool's output goes into the history. Returns the answer's text.

        Only whole items count, and a stream without its end is broken.
        """
        items, is_complete, text = [], False, ""
        for event in events:
            if event["type"] == "response.output_item.done":
                items.append(event["item"])
            is_complete |= event["type"] == "response.completed"
        assert is_complete
        for item in items:
            match item["type"]:
                case "reasoning":
                    self._input.append({"type": "reasoning", "summary": [], "encrypted_content": None})
                case "message":
                    self._input.append({key: item[key] for key in ("type", "role", "content")})
                    text += item["content"][0]["text"]
                case "function_call":
                    call = {key: item[key] for key in ("type", "name", "arguments", "call_id")}
                    output = [{"type": "input_text", "text": "README.md\nmain.py\n"}]
                    result = {"type": "function_call_output", "call_id": item["call_id"], "output": output}
                    self._input += [call, result]
        return text


class ClaudeCode:
    """Claude Code: messages, streamed, with a line about billing that differs each time."""

    path = "/v1/messages?beta=true"
    headers: ClassVar = {
        "anthropic-version": "2023-06-01",
        "anthropic-beta": "claude-code-20250219,interleaved-thinking-2025-05-14",
        "x-app": "cli",
        "x-claude-code-session-id": _SESSION,
    }

    def __init__(self) -> None:
        self._n_sent = 0
        self._messages: list[dict[str, Any]] = [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "<system-reminder>Today is Monday.</system-reminder>"},
                    {"type": "text", "text": "Which files are here?"},
                ],
            }
        ]

    def body(self) -> dict[str, Any]:
        """Return the next request."""
        self._n_sent += 1
        billing = f"x-anthropic-billing-header: cc_version=2.1.{self._n_sent}; cch={self._n_sent:05x};"
        # What may be cached is marked at the end of the conversation, so the mark moves.
        *before, last = [dict(message) for message in self._messages]
        last["content"] = [*last["content"][:-1], {**last["content"][-1], "cache_control": _EPHEMERAL}]
        return {
            "model": "",
            "system": [
                {"type": "text", "text": billing},
                {"type": "text", "text": "You are Claude Code.", "cache_control": _EPHEMERAL},
                {"type": "text", "text": _RULES, "cache_control": _EPHEMERAL},
            ],
            "messages": [*before, last],
            "tools": [{"name": "Bash", "description": "Run a command", "input_schema": _SHELL}],
            "metadata": {"user_id": json.dumps({"device_id": "a1b2", "session_id": _SESSION})},
            "max_tokens": 32000,
            "thinking": {"type": "adaptive"},
            "context_management": {"edits": [{"type": "clear_thinking_20251015", "keep": "all"}]},
            "output_config": {"effort": "high"},
            "stream": True,
        }

    def take(self, events: Iterable[dict[str, Any]]) -> str:
        """Do what was answered: the tool's output goes into the history. Returns the answer's text."""
        blocks: list[dict[str, Any]] = []
        reason, is_complete = "", False
        for event in events:
            match event["type"]:
                case "content_block_start":
                    blocks.append({**event["content_block"], "written": ""})
                case "content_block_delta":
                    _grow(blocks[event["index"]], event["delta"])
                case "message_delta":
                    reason = event["delta"]["stop_reason"]
                case "message_stop":
                    is_complete = True
        assert is_complete
        for block in blocks:
            if written := block.pop("written"):
                block["input"] = json.loads(written)
        self._messages.append({"role": "assistant", "content": blocks})
        calls = [block for block in blocks if block["type"] == "tool_use"]
        assert bool(calls) == (reason == "tool_use")
        results = [
            {"type": "tool_result", "tool_use_id": call["id"], "content": "README.md\nmain.py\n"}
            for call in calls
        ]
        self._messages.append({"role": "user", "content": results or [{"type": "text", "text": "Go on"}]})
        self._messages.append(
            {"role": "system", "content": [{"type": "text", "text": "Nothing was changed."}]}
        )
        return "".join(block["text"] for block in blocks if block["type"] == "text")


Agent = Codex | ClaudeCode
_EPHEMERAL: Final = {"type": "ephemeral"}


def _said(role: str, text: str) -> dict[str, Any]:
    return {"type": "message", "role": role, "content": [{"type": "input_text", "text": text}]}


def _grow(block: dict[str, Any], delta: dict[str, Any]) -> None:
    match delta["type"]:
        case "text_delta":
            block["text"] += delta["text"]
        case "thinking_delta":
            block["thinking"] += delta["thinking"]
        case "signature_delta":
            block["signature"] += delta["signature"]
        case "input_json_delta":
            block["written"] += delta["partial_json"]
