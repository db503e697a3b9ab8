"""Offers of MCP servers for a message: resources in the attachment menu, prompts in the slash menu."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from fakes.client import AppClient, settled
from fireside.core.errors import ToolServerError
from fireside.core.for_window import for_window
from fireside.core.ids import ConversationId
from fireside.core.message import ChatMessage, DocumentPart, Role
from fireside.core.tool_servers import (
    FilledPrompt,
    PromptArgument,
    ResourceContent,
    ServerPrompt,
    ServerResource,
)
from fireside.core.tools import Taint
from fireside.services.tool_servers.server_service import ToolServerService
from fireside.settings.definitions_tools import SERVERS
from fireside.tools.consent import sources_of, taints_of
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.tool_menu.offer_sheets import FieldsSheet, ResourceSheet

GREET = ServerPrompt(
    name="greet", description="Greets.", arguments=(PromptArgument(name="who", is_required=True),)
)
PLAIN = ServerPrompt(name="plain")
RESOURCES = (
    ServerResource(uri="notes://today", name="today.md"),
    ServerResource(uri="notes://rain", name="rain.md", description="Weather."),
    ServerResource(
        uri="notes://{day}{?lines}",
        name="note",
        arguments=(PromptArgument(name="day", is_required=True), PromptArgument(name="lines")),
    ),
)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What servers were asked for, in place of their processes."""
    received: list[str] = []

    async def prompts(
        _self: ToolServerService, names: Sequence[str]
    ) -> Mapping[str, tuple[ServerPrompt, ...]]:
        received.append("prompts")
        return dict.fromkeys(names, (GREET, PLAIN))

    async def resources(_self: ToolServerService, name: str) -> tuple[ServerResource, ...]:
        if name == "broken":
            raise ToolServerError.of("tool_server_refused", name=name, reason="no disk")
        received.append(f"resources of {name}")
        return RESOURCES

    async def read(
        _self: ToolServerService, name: str, uri: str, arguments: Mapping[str, str]
    ) -> tuple[ResourceContent, ...]:
        received.append(f"{name} {uri} {dict(arguments)}")
        return (ResourceContent(uri=uri, media_type="text/markdown", text="It rai\u200bns."),)

    async def fill(
        _self: ToolServerService, name: str, prompt: str, arguments: Mapping[str, str]
    ) -> FilledPrompt:
        received.append(f"{name} {prompt} {dict(arguments)}")
        content = ResourceContent(uri="notes://rain.md", text="Rain.")
        return FilledPrompt(text=f"Hello {arguments.get('who', 'you')}\u202e", contents=(content,))

    monkeypatch.setattr(ToolServerService, "prompts", for_window(prompts))
    monkeypatch.setattr(ToolServerService, "resources", for_window(resources))
    monkeypatch.setattr(ToolServerService, "read_resource", for_window(read))
    monkeypatch.setattr(ToolServerService, "fill_prompt", for_window(fill))
    return received


@pytest.fixture
def chat(client: AppClient, window: MainWindow, asked: list[str]) -> ConversationId:
    """A chat that uses two servers."""
    made = client.add_conversation("A chat", turns=("Why?", "Because."))
    window.conversations.open(made)
    settled()
    assert asked == []  # a chat that uses no server asks for nothing
    window.presets.settings.change({SERVERS: ("notes", "broken__tool")})
    settled()
    return made


def resource_sheet(window: MainWindow, name: str) -> ResourceSheet:
    menu = window.chat.composer.attach_button.menu()
    assert menu is not None
    menu.aboutToShow.emit()
    next(action for action in menu.actions() if name in action.text()).trigger()
    settled()
    sheet = window.server_offers.sheet
    assert isinstance(sheet, ResourceSheet)
    return sheet


@pytest.mark.usefixtures("chat")
def test_a_resource_is_attached_by_the_keyboard_and_marked_as_of_its_server(
    window: MainWindow, asked: list[str]
) -> None:
    sheet = resource_sheet(window, "notes")
    assert sheet.focusWidget() is sheet.search
    assert len(sheet.model.items) == 3
    QTest.keyClicks(sheet.search, "weather")
    assert [one.name for one in sheet.model.items] == ["rain.md"]
    QTest.keyClick(sheet.search, Qt.Key.Key_Return)
    settled()
    assert asked[-1] == "notes notes://rain {}"
    (part,) = window.chat.attachments.parts
    assert isinstance(part, DocumentPart)
    assert (part.name, part.server, part.text) == ("rain.md", "notes", "It rains.")
    assert "MCP server notes" in part.prompt_text
    sent = ChatMessage(role=Role.USER, parts=(part,))
    assert taints_of(sources_of([sent])) == {Taint.PRIVATE, Taint.UNTRUSTED}


@pytest.mark.usefixtures("chat")
def test_a_template_is_filled_in_and_attached_by_the_keyboard(window: MainWindow, asked: list[str]) -> None:
    picker = resource_sheet(window, "notes")
    QTest.keyClicks(picker.search, "lines")
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    settled()
    sheet = window.server_offers.sheet
    assert isinstance(sheet, FieldsSheet)
    assert sheet.focusWidget() is sheet.fields["day"]
    QTest.keyClick(sheet.fields["day"], Qt.Key.Key_Return)
    assert "day" in sheet.status.text()  # it needs a value
    QTest.keyClicks(sheet.fields["day"], "monday")
    QTest.keyClick(sheet.fields["day"], Qt.Key.Key_Return)
    settled()
    assert asked[-1] == "notes notes://{day}{?lines} {'day': 'monday'}"
    (part,) = window.chat.attachments.parts
    assert isinstance(part, DocumentPart)
    assert (part.name, part.server) == ("note monday", "notes")


@pytest.mark.usefixtures("chat")
def test_a_server_that_refuses_says_so_in_the_picker(window: MainWindow) -> None:
    sheet = resource_sheet(window, "broken")
    assert sheet.status.text() == "The MCP server broken answered with an error: no disk"
    assert not sheet.attach.isEnabled()


@pytest.mark.usefixtures("chat")
def test_a_prompt_is_filled_in_and_inserted_into_the_message(window: MainWindow, asked: list[str]) -> None:
    editor = window.chat.composer.editor
    editor.setFocus()
    QTest.keyClicks(editor, "/gree")
    current = window.slash.menu.current
    assert current is not None
    assert (current.target.label, current.target.location) == ("greet", "notes")
    QTest.keyClick(editor, Qt.Key.Key_Return)
    sheet = window.server_offers.sheet
    assert isinstance(sheet, FieldsSheet)
    sheet.submit.click()
    assert "who" in sheet.status.text()  # it needs a value
    QTest.keyClicks(sheet.fields["who"], "Ada")
    QTest.keyClick(sheet.fields["who"], Qt.Key.Key_Return)
    settled()
    assert asked[-1] == "notes greet {'who': 'Ada'}"
    assert window.chat.composer.text() == "Hello Ada"
    assert [part.name for part in window.chat.attachments.parts] == ["rain.md"]


@pytest.mark.usefixtures("chat")
def test_a_prompt_without_arguments_is_requested_at_once(window: MainWindow, asked: list[str]) -> None:
    window.server_offers.fill("notes", PLAIN)
    settled()
    assert asked[-1] == "notes plain {}"
    assert window.chat.composer.text() == "Hello you"


def test_a_chat_without_servers_offers_nothing(window: MainWindow, asked: list[str]) -> None:
    assert window.chat.composer.attach_button.menu() is None
    assert window.server_offers.targets() == ()
    assert asked == []
