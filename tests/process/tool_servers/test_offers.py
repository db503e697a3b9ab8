"""What servers have besides tools: resources, prompts, and what they ask the user within a call."""

from __future__ import annotations

import asyncio
import json

import msgspec
import pytest

from fakes.raised import refuses
from fakes.tool_calls import text_of
from fakes.tool_servers_harness import ToolServersHarness
from fireside.core.elicitation import Elicitation, ElicitationAction, ElicitationReply, FieldKind
from fireside.core.events import ToolServersChanged
from fireside.tools.server_tool import McpTool
from fireside.tools.tool import ToolFailed


class Watch:
    """Answers what is asked as it was told, and remembers it."""

    def __init__(self, action: ElicitationAction, **content: str | int) -> None:
        self._action = action
        self._content = content
        self.heard: list[tuple[str, float | None]] = []
        self.prompted_variables: list[Elicitation] = []

    def on_progress(self, message: str, fraction: float | None) -> None:
        self.heard.append((message, fraction))

    def on_output(self, text: str) -> None:
        """Ignore it: results of servers come whole."""

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        self.prompted_variables.append(elicitation)
        return ElicitationReply(number=elicitation.number, action=self._action, content=dict(self._content))


async def tool_of(harness: ToolServersHarness, name: str) -> McpTool:
    return next(tool for tool in await harness.servers.tools(["fake"]) if tool.name == f"fake__{name}")


async def call_tool(harness: ToolServersHarness, name: str, text: str, watch: Watch) -> str:
    tool = await tool_of(harness, name)
    return await text_of(tool, tool.read(msgspec.json.encode({"text": text}).decode()), watch=watch)


async def test_resources_are_listed_and_read(harness: ToolServersHarness) -> None:
    await harness.add("offers")
    listed = await harness.servers.resources("fake")  # starts it
    assert [(each.uri, each.name, each.size_bytes) for each in listed] == [
        ("notes://today", "today", 12),
        ("notes://picture", "picture.png", None),
    ]
    (text,) = await harness.servers.read_resource("fake", "notes://today", {})
    assert text.text == "# To\u200bday\nrain"
    (picture,) = await harness.servers.read_resource("fake", "notes://picture", {})
    assert picture.text is None
    assert picture.data.startswith(b"\x89PNG")
    with refuses("tool_server_refused", match="Method not found"):
        await harness.servers.read_resource("fake", "notes://none", {})


async def test_a_template_is_listed_with_its_fields_and_read_filled_in(harness: ToolServersHarness) -> None:
    await harness.add("offers", "templates")
    *_, note = await harness.servers.resources("fake")
    assert (note.name, note.uri) == ("note", "notes://{day}/{name}{?lines}")
    assert [(each.name, each.is_required) for each in note.arguments] == [
        ("day", True),
        ("name", True),
        ("lines", False),
    ]
    arguments = {"day": "monday", "name": "a b/../c"}
    (content,) = await harness.servers.read_resource("fake", note.uri, arguments)
    assert content.text == "notes://monday/a%20b%2F..%2Fc"


async def test_prompts_are_kept_filled_and_follow_their_list(harness: ToolServersHarness) -> None:
    await harness.add("offers")
    assert await harness.servers.prompts(["fake"]) == {}
    await harness.servers.test("fake")
    (greet, plain) = (await harness.servers.prompts(["fake", "other"]))["fake"]
    assert [(each.name, each.is_required) for each in greet.arguments] == [("who", True)]
    assert plain.arguments == ()
    filled = await harness.servers.fill_prompt("fake", "greet", {"who": "Ada"})
    assert filled.text == "Hello Ada"
    assert [content.uri for content in filled.contents] == ["notes://today"]
    await harness.servers.stop("fake")
    assert [each.name for each in (await harness.servers.prompts(["fake"]))["fake"]] == ["greet", "plain"]
    harness.events.clear()
    await call_tool(harness, "echo", "x", Watch(ElicitationAction.CANCEL))  # it changes its list

    async def is_shorter() -> bool:
        return [each.name for each in (await harness.servers.prompts(["fake"]))["fake"]] == ["plain"]

    await harness.until(is_shorter)
    assert any(isinstance(event, ToolServersChanged) for event in harness.events)


async def test_a_call_tells_how_far_it_is(harness: ToolServersHarness) -> None:
    await harness.add("slow")
    await harness.servers.test("fake")
    watch = Watch(ElicitationAction.CANCEL)
    await call_tool(harness, "steps", "4", watch)
    assert watch.heard == [(f"step {n}", n / 4) for n in range(4)]


async def test_the_user_answers_a_form_declines_and_opens_a_page(harness: ToolServersHarness) -> None:
    await harness.add("asks")
    await harness.servers.test("fake")
    watch = Watch(ElicitationAction.ACCEPT, city="Bern", nights=2)
    assert json.loads(await call_tool(harness, "form", "", watch)) == {
        "action": "accept",
        "content": {"city": "Bern", "nights": 2},
    }
    (elicitation,) = watch.prompted_variables
    assert (elicitation.server, elicitation.message) == ("fake", "Where to?")
    assert [(field.label, field.kind, field.is_required) for field in elicitation.fields] == [
        ("City", FieldKind.TEXT, True),
        ("nights", FieldKind.INTEGER, False),
        ("class", FieldKind.CHOICE, False),
    ]
    assert repr(elicitation.fields[1].default) == "2"  # no 2.0, which is no integer
    assert elicitation.fields[2].options == (("a", "First"), ("b", "Second"))
    declined = await call_tool(harness, "form", "", Watch(ElicitationAction.DECLINE, city="Bern"))
    assert json.loads(declined) == {"action": "decline"}
    watch = Watch(ElicitationAction.ACCEPT)
    assert json.loads(await call_tool(harness, "page", "", watch)) == {"action": "accept"}
    assert watch.prompted_variables[0].url == "https://sign.example/x?id=1"


async def test_a_call_that_needs_a_page_first_is_made_again_once_that_has_served(
    harness: ToolServersHarness,
) -> None:
    await harness.add("asks")
    await harness.servers.test("fake")
    with pytest.raises(ToolFailed, match="did not open"):
        await call_tool(harness, "behind_page", "in", Watch(ElicitationAction.DECLINE))
    await harness.servers.test("fake")
    watch = Watch(ElicitationAction.ACCEPT)
    assert await call_tool(harness, "behind_page", "in", watch) == "in"
    assert [elicitation.url for elicitation in watch.prompted_variables] == ["https://sign.example/x?id=1"]


async def test_a_form_that_asks_for_a_secret_or_a_page_that_is_none_is_declined_unseen(
    harness: ToolServersHarness,
) -> None:
    await harness.add("asks")
    await harness.servers.test("fake")
    watch = Watch(ElicitationAction.ACCEPT, Password="sesame")
    for tool in ("secret", "script"):
        answer, _, note = (await call_tool(harness, tool, "", watch)).partition("\n[")
        assert json.loads(answer) == {"action": "decline"}
        assert note.startswith("Fireside declined what ")
    assert watch.prompted_variables == []


async def test_a_call_that_is_stopped_while_the_user_is_asked_asks_no_more(
    harness: ToolServersHarness,
) -> None:
    await harness.add("asks")
    await harness.servers.test("fake")
    watch = _Never()
    call = asyncio.create_task(call_tool(harness, "form", "", watch))
    await watch.began.wait()
    call.cancel()
    await watch.ended.wait()
    await harness.servers.stop("fake")


class _Never(Watch):
    """The user does not answer."""

    def __init__(self) -> None:
        super().__init__(ElicitationAction.CANCEL)
        self.began = asyncio.Event()
        self.ended = asyncio.Event()
        self._reply: asyncio.Future[ElicitationReply] = asyncio.get_running_loop().create_future()

    async def on_elicitation(self, elicitation: Elicitation) -> ElicitationReply:
        self.began.set()
        try:
            return await self._reply
        finally:
            self.ended.set()
