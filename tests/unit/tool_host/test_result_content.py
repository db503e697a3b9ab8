"""Results of tools as text and JSON, each once."""

from __future__ import annotations

from typing import Any

import pytest
from mcp import types

from fireside.tool_host.server_owner import ended_call


@pytest.mark.parametrize(
    ("text", "data", "shown"),
    [
        ("Rain", None, ("Rain", "")),
        ("Rain", {"result": "Rain"}, ("Rain", "")),
        ("2", {"result": 2}, ("2", "")),
        ("Rain\n\n", {"content": "Rain\n\n"}, ("Rain", "")),  # server-filesystem
        ('{"sky": 1}', {"sky": 1}, ('{"sky": 1}', "")),
        ("Rain", {"sky": "grey"}, ("Rain", '{"sky": "grey"}')),
        ("", {"sky": "grey"}, ('{"sky": "grey"}', "")),
        ("[" * 100_000, {"sky": 1}, ("[" * 100_000, '{"sky": 1}')),
        ("", None, ("(no result)", "")),
    ],
)
def test_what_text_and_json_say_both_is_shown_once(
    text: str, data: dict[str, Any] | None, shown: tuple[str, str]
) -> None:
    content: list[types.ContentBlock] = [types.TextContent(type="text", text=text)]
    ended = ended_call(1, types.CallToolResult(content=content, structured_content=data))
    assert (ended.text, ended.structured) == shown
