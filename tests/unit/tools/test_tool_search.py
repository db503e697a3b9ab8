"""Too many tools for a context: what a model is told of unasked, and what it finds."""

from __future__ import annotations

import asyncio

import msgspec
import pytest

from fakes.tool_calls import text_of
from fireside.core.prompt_input import ToolDefinition
from fireside.core.tools import CONTEXT_SHARE, MAX_TOOLS
from fireside.tools.tool import RunnableTool, ToolFailed
from fireside.tools.tool_search import advertised_tools, rank_tools


class Empty(msgspec.Struct, frozen=True, kw_only=True):
    """No arguments."""


async def nothing(_arguments: Empty) -> str:
    return ""


def tool(
    name: str, description: str = "Does something for the user, again and again."
) -> RunnableTool[Empty]:
    return RunnableTool(name, description=description, arguments=Empty, run=nothing)


def names(tools: tuple[RunnableTool[Empty], ...]) -> list[str]:
    return [each.name for each in tools]


FEW = [tool("one"), tool("two")]
MANY = [tool(f"tool_{number}") for number in range(30)]


def test_tools_that_fit_are_all_advertised_in_order() -> None:
    assert names(advertised_tools(FEW, n_ctx=32_768, always=[tool("last")])) == ["one", "two", "last"]


def test_few_tools_are_advertised_even_in_a_small_context() -> None:
    assert names(advertised_tools(FEW, n_ctx=512)) == ["one", "two"]


@pytest.mark.parametrize("n_ctx", [2_048, 8_192, 131_072])
def test_of_many_tools_the_first_are_advertised_and_the_others_found(n_ctx: int) -> None:
    advertised = advertised_tools(MANY, n_ctx=n_ctx, always=[tool("last")])
    assert names(advertised)[:3] == ["find_tools", "call_tool", "last"]
    assert names(advertised)[3:] == names(tuple(MANY))[: len(advertised) - 3]
    assert len(advertised) <= MAX_TOOLS
    assert len(advertised) == 3 or sum(each.n_tokens for each in advertised) <= n_ctx * CONTEXT_SHARE


def test_more_context_takes_nothing_away() -> None:
    counts = [len(advertised_tools(MANY, n_ctx=n_ctx)) for n_ctx in range(1_024, 16_384, 512)]
    assert counts == sorted(counts)


@pytest.mark.parametrize(
    ("query", "first"),
    [
        ("send a mail", "send_mail"),
        ("sending mails", "send_mail"),
        ("WEATHER forecast", "get_weather"),
        ("get_weather", "get_weather"),
        ("rain", "get_weather"),
        ("é a o", None),
    ],
)
def test_tools_are_found_by_name_and_description(query: str, first: str | None) -> None:
    tools = [
        tool("list_mails", "Lists what was received."),
        tool("get_weather", "Tells whether it will rain."),
        tool("send_mail", "Sends a message."),
    ]
    matches = rank_tools(tools, query)
    assert (matches[0].name if matches else None) == first


def test_a_match_has_its_schema_and_a_miss_lists_all_names() -> None:
    find = advertised_tools(MANY, n_ctx=4_096)[0]
    text = asyncio.run(text_of(find, find.read('{"query": "tool_7"}')))
    assert '"type":"object"' in text
    with pytest.raises(ToolFailed, match="tool_29"):
        asyncio.run(text_of(find, find.read('{"query": "zebra"}')))


@pytest.mark.parametrize(
    ("schema", "is_kept"),
    [
        ('{"type":"object","properties":{"a":{"type":"string","enum":["x"]}},"required":["a"]}', True),
        ('{"type":"object","properties":{"a":{"type":"array","items":{"type":"integer"}}}}', True),
        ('{"type":"object","properties":{"a":{"anyOf":[{"type":"null"},{"type":"string"}]}}}', True),
        ('{"type":"object","additionalProperties":{"type":"number"}}', True),
        ('{"type":"object","properties":{"a":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":"null"}}}', False),
        ('{"type":"object","properties":{"a":{"type":"string","pattern":"("}}}', False),
        ('{"type":"object","properties":{"a":{"not":{}}}}', False),
        ('{"type":"object","properties":{"a":{"type":"unicorn"}}}', False),
        ('{"type":"object","properties":["a"]}', False),
        ('{"type":"object","properties":{"a":null}}', False),
        ('{"type":"object","required":[1]}', False),
        ('{"type":"object","description":"' + "x" * 5_000 + '"}', False),
        ('{"type":"string"}', False),
        ("[]", False),
    ],
)
def test_a_schema_that_could_spoil_the_others_counts_as_any_object(
    monkeypatch: pytest.MonkeyPatch, schema: str, is_kept: bool
) -> None:
    strange = tool("strange")
    monkeypatch.setattr(
        strange, "definition", ToolDefinition(name="strange", description="", parameters=schema)
    )
    call = advertised_tools([strange, *MANY], n_ctx=4_096)[1]
    held = msgspec.json.decode(call.definition.accepted)["anyOf"][0]["properties"]
    assert held["name"] == {"const": "strange"}
    assert held["arguments"] == (msgspec.json.decode(schema) if is_kept else {"type": "object"})
