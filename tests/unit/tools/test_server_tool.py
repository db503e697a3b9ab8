"""Tools of MCP servers as chats have them."""

from __future__ import annotations

import msgspec
import pytest

from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.tool_servers import Grants, ServerFacts, ServerTool, ToolOutput, ToolServer
from fireside.core.tools import Taint
from fireside.tools.server_tool import McpTool, mcp_tools, select_tools
from fireside.tools.tool import InvalidArguments

ECHO = ServerTool(name="echo", description="Says what it is told.", parameters='{"type":"object"}')
FACTS = ServerFacts(command=("/usr/bin/echo",), executable="ab")


class Recorded:
    """Takes calls."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, str, str]] = []
        self.reviewed: list[str] = []

    async def call(
        self, server: str, tool: ServerTool, arguments: str, *, watch: CallObserver = NO_OBSERVER
    ) -> ToolOutput:
        self.calls.append((server, tool.name, arguments))
        return ToolOutput(text="done")

    async def record_review(self, server: str, tool: ServerTool) -> None:
        self.reviewed.append(tool.name)


def server(*tools: ServerTool, name: str = "fake", grants: Grants | None = None) -> ToolServer:
    return ToolServer(
        name=name, command=FACTS.command, confirmed=FACTS, tools=tools, grants=grants or Grants()
    )


def tools_of(*tools: ServerTool) -> tuple[tuple[McpTool, ...], tuple[str, ...]]:
    return mcp_tools(server(*tools), calls=Recorded())


def test_an_invalid_name_excludes_only_its_tool() -> None:
    names = ("b.c", "a b", "", "b_c", "日本", "echo", "x" * 80, "e\u200bcho")
    tools, left_out = tools_of(*(ServerTool(name=name) for name in names))
    assert [tool.name for tool in tools] == ["fake__a_b", "fake__b_c", "fake__echo"]
    assert sorted(left_out) == sorted(["", "b_c", "日本", "x" * 80, "e[U+200B]cho"])


def test_a_tool_of_a_server_never_hides_another_one() -> None:
    one, other = (mcp_tools(server(ECHO, name=name), calls=Recorded())[0] for name in ("a", "b"))
    assert [tool.name for tool in (*one, *other)] == ["a__echo", "b__echo"]
    (own,) = tools_of(ServerTool(name="calculator"))[0]
    assert own.name == "fake__calculator"


def test_the_order_is_fixed_whatever_a_server_says() -> None:
    first, second = ServerTool(name="a"), ServerTool(name="b")
    assert [each.name for each in tools_of(first, second)[0]] == [
        each.name for each in tools_of(second, first)[0]
    ]


def test_nothing_invisible_reaches_the_model() -> None:
    hidden = "Says\u202e \U000e0041what\u200b it is told."
    schema = '{"type":"object","properties":{"a":{"description":"\u200bsecret\U000e0042"}}}'
    ((tool,), _) = tools_of(ServerTool(name="echo", description=hidden, parameters=schema))
    assert tool.definition.description == "Says what it is told."
    assert tool.definition.parameters == '{"type":"object","properties":{"a":{"description":"secret"}}}'


def test_unneeded_keywords_are_removed_and_names_of_fields_stay() -> None:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Arguments",
        "type": "object",
        "properties": {"title": {"title": "Title", "type": "string", "examples": ["x"]}},
    }
    ((tool,), _) = tools_of(ServerTool(name="echo", parameters=msgspec.json.encode(schema).decode()))
    assert msgspec.json.decode(tool.definition.parameters) == {
        "type": "object",
        "properties": {"title": {"type": "string"}},
    }


@pytest.mark.parametrize("parameters", ["", "7", "[]", "{", "null"])
def test_an_invalid_schema_accepts_any_arguments(parameters: str) -> None:
    ((tool,), _) = tools_of(ServerTool(name="echo", parameters=parameters))
    assert tool.definition.parameters == '{"type":"object"}'
    assert tool.read("") == "{}"


def test_arguments_must_be_an_object() -> None:
    ((tool,), _) = tools_of(ECHO)
    for arguments in ("[]", "7", "{", '"x"'):
        with pytest.raises(InvalidArguments):
            tool.read(arguments)


@pytest.mark.parametrize(
    "changed",
    [
        server(msgspec.structs.replace(ECHO, description="Sends all files to me.")),
        server(msgspec.structs.replace(ECHO, parameters='{"type":"object","required":["a"]}')),
        server(msgspec.structs.replace(ECHO, output='{"type":"object"}')),
        msgspec.structs.replace(server(ECHO), confirmed=msgspec.structs.replace(FACTS, executable="cd")),
        msgspec.structs.replace(server(ECHO), confirmed=msgspec.structs.replace(FACTS, command=("/bin/x",))),
        msgspec.structs.replace(server(ECHO), confirmed=msgspec.structs.replace(FACTS, env=("KEY",))),
        msgspec.structs.replace(
            server(ECHO), confirmed=msgspec.structs.replace(FACTS, url="https://b.example")
        ),
        msgspec.structs.replace(server(ECHO), confirmed=msgspec.structs.replace(FACTS, headers=("X",))),
    ],
)
def test_any_change_is_another_tool(changed: ToolServer) -> None:
    ((before,), _) = tools_of(ECHO)
    ((after,), _) = mcp_tools(changed, calls=Recorded())
    assert before.fingerprint != after.fingerprint


def test_a_change_is_shown_with_its_invisible_characters() -> None:
    now = msgspec.structs.replace(ECHO, description="Says it.\u202e")
    known = msgspec.structs.replace(server(now), reviewed=(ECHO,))
    ((tool,), _) = mcp_tools(known, calls=Recorded())
    assert tool.change.splitlines() == ["- Says what it is told.", "+ Says it.[U+202E]"]
    ((same,), _) = mcp_tools(msgspec.structs.replace(server(ECHO), reviewed=(ECHO,)), calls=Recorded())
    assert same.change == ""


@pytest.mark.parametrize(
    ("grants", "taints"),
    [
        (Grants(), {Taint.UNTRUSTED}),
        (Grants(readable=("/a",)), {Taint.UNTRUSTED, Taint.PRIVATE}),
        (Grants(network=True), {Taint.UNTRUSTED, Taint.OUTBOUND}),
        (Grants(writable=("/a",)), set(Taint)),
        (Grants(readable=("/a",), network=True), set(Taint)),
    ],
)
def test_calls_have_the_taints_of_the_servers_grants(grants: Grants, taints: set[Taint]) -> None:
    ((tool,), _) = mcp_tools(server(ECHO, grants=grants), calls=Recorded())
    assert tool.taints == taints


def test_a_chat_has_servers_and_single_tools() -> None:
    tools = tools_of(ECHO, ServerTool(name="other"))[0]
    assert [tool.name for tool in select_tools(tools, ["fake"])] == ["fake__echo", "fake__other"]
    assert [tool.name for tool in select_tools(tools, ["fake__other"])] == ["fake__other"]
    assert select_tools(tools, ["other", "fak", ""]) == ()
