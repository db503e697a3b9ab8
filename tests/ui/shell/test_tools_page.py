"""The tools page: servers with their grants, permissions, adding by form and by pasting."""

from __future__ import annotations

import asyncio
import io
import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLineEdit
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.widgets import child
from fireside.core.errors import KeyringUnavailable
from fireside.core.events import ToolCallProgressed
from fireside.core.for_window import for_window
from fireside.core.i18n import Phrase
from fireside.core.message import ImagePart
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import (
    CallNote,
    Grants,
    NewServer,
    Sandbox,
    ServerFacts,
    ServerState,
    ServerTool,
    ToolOutput,
    ToolServer,
    ToolServerInfo,
)
from fireside.core.tools import Permission, ToolInfo
from fireside.services.tool_servers.server_service import ToolServerService
from fireside.settings.definitions import BY_KEY
from fireside.settings.definitions_tools import (
    CALCULATOR,
    CHANGES,
    CHAT_PERMISSIONS,
    CHAT_SEARCH,
    FILES,
    FOLDERS,
    MEMORY,
    PERMISSIONS,
    SERVERS,
    SWITCHES,
    WEB_SEARCH,
)
from fireside.settings.secrets import KeepIn
from fireside.settings.values import AppLayer, ConversationLayer, Origin, ResolvedSetting
from fireside.ui.chat.answer.result_pictures import ResultPictures
from fireside.ui.kit.path_list import PathList
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.theme import SPACE_XL
from fireside.ui.tool_servers.server_text import access_text, sandbox_text, unpinned_text
from fireside.ui.tool_servers.tools_controller import TrySheet
from fireside.ui.tool_servers.tools_page import ToolsPage
from fireside.ui.widgets.check_box import CheckBox
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import WrappedLabel

COMMAND = (sys.executable, "-m", "some server", "--key")
ECHO = ServerTool(name="echo", description="Says what it is told.", parameters='{"type":"object"}')


@pytest.fixture
def tested(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Servers that were started, in place of their processes."""
    names: list[str] = []

    async def test(self: ToolServerService, name: str) -> ToolServerInfo:
        names.append(name)
        server = (await self._stored_servers())[name]
        await self._replace(name, tools=(ECHO,))
        return ToolServerInfo(server=server, state=ServerState.RUNNING)

    monkeypatch.setattr(ToolServerService, "test", for_window(test))
    return names


@pytest.fixture
def page(window: MainWindow, tested: list[str]) -> ToolsPage:
    window.router.show_page(Page.TOOLS)
    settled()
    return window.pages.tools


def add(page: ToolsPage, *, name: str = "files", command: str = "") -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.name.setText(name)
    sheet.command.setText(command or f"{sys.executable} -m 'some server' --key")
    sheet.next.click()
    settled()
    sheet.next.click()
    settled()


def test_a_server_is_added_by_form_and_its_exact_command_confirmed(
    page: ToolsPage, tested: list[str]
) -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    assert sheet.focusWidget() is sheet.name
    QTest.keyClicks(sheet.name, "files")
    sheet.command.setText(f"{sys.executable} -m 'some server' {'x' * 3000}")
    sheet.values.setPlainText("API_KEY=sesame\n")
    QTest.keyClick(sheet.name, Qt.Key.Key_Return)
    settled()
    texts = [label.text() for label in sheet.confirmation.findChildren(type(page.about))]
    shown = next(text for text in texts if "some server" in text)
    assert shown.endswith("x" * 3000)  # nothing is cut
    assert any("No network" in text for text in texts)
    assert tested == []
    sheet.next.click()
    settled()
    assert tested == ["files"]
    card = page.cards["files"]
    assert card.command.text() == shown
    assert list(card.rows) == ["files__echo"]


def test_what_downloads_its_server_is_asked_about_the_network_before_it_starts(
    page: ToolsPage, tested: list[str], tmp_path: Path
) -> None:
    npx = tmp_path / "npx"
    npx.touch()
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.name.setText("files")
    sheet.command.setText(f"{npx} -y a-server@1.0.0")
    sheet.next.click()
    settled()
    (box,) = sheet.confirmation.findChildren(CheckBox)
    assert box.accessibleName() == "Allow files the network"
    assert not box.isChecked()

    def shown() -> str:
        return "\n".join(label.text() for label in sheet.confirmation.findChildren(WrappedLabel))

    assert "npx downloads it when it starts, which needs the network." in shown()
    assert "No network" in shown()
    box.click()
    assert "Uses the network" in shown()
    sheet.next.click()
    settled()
    assert tested == ["files"]
    assert page.cards["files"].info.server.grants.network


def test_a_refused_server_is_explained_and_the_input_stays(page: ToolsPage) -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    for command in ("", "'open", "no-such-program-anywhere"):
        sheet.name.setText("files")
        sheet.command.setText(command)
        sheet.next.click()
        settled()
        assert sheet.status.text().startswith("The MCP server cannot be added: ")
        assert sheet.command.text() == command
        assert sheet.pages.currentIndex() == 0


def test_servers_are_added_by_pasting_and_secrets_are_asked_for(
    page: ToolsPage, tested: list[str], client: AppClient
) -> None:
    whole = {
        "inputs": [{"id": "key", "description": "The key"}],
        "servers": {
            "one": {"command": sys.executable, "args": ["--key", "${input:key}"]},
            "two": {"type": "http", "url": "https://mcp.example.com/mcp"},
        },
    }
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.kinds.key_selected.emit("json")
    sheet.kinds.select("json")
    sheet.json.setPlainText(json.dumps(whole))
    sheet.next.click()
    settled()
    (field,) = sheet.confirmation.findChildren(QLineEdit)
    assert field.accessibleName() == "The key"
    assert field.echoMode() is QLineEdit.EchoMode.Password
    field.setText("sesame")
    sheet.next.click()
    settled()
    assert sorted(tested) == ["one", "two"]
    assert set(page.cards) == {"one", "two"}


def test_a_server_is_used_in_chats_by_its_switch(page: ToolsPage, client: AppClient) -> None:
    add(page)
    page.cards["files"].used.click()
    settled()
    assert client.layers[AppLayer()][SERVERS] == ("files",)
    assert page.cards["files"].used.isChecked()
    page.cards["files"].used.click()
    settled()
    assert client.layers[AppLayer()][SERVERS] == ()


def test_without_servers_the_page_says_what_they_are_below_the_built_in_tools(page: ToolsPage) -> None:
    assert page.empty.isVisible()
    assert page.built_in is not None
    assert page.built_in.rows[CALCULATOR].isVisible()
    add(page)
    assert not page.empty.isVisible()
    assert page.cards["files"].isVisible()


def test_a_permission_is_decided_on_the_page(page: ToolsPage) -> None:
    add(page)
    row = page.cards["files"].rows["files__echo"]
    assert (row.label.text(), row.choice.selected_key) == ("Echo", Permission.ASK)
    row.choice.button(Permission.NEVER).click()
    settled()
    assert page.cards["files"].rows["files__echo"].choice.selected_key == Permission.NEVER


def chosen(page: ToolsPage, key: str) -> str:
    assert page.built_in is not None
    return page.built_in.rows[key].choice.selected_key


def choose(page: ToolsPage, key: str, choice: Permission) -> None:
    assert page.built_in is not None
    page.built_in.rows[key].choice.button(choice).click()
    settled()


def test_one_choice_turns_a_built_in_tool_on_and_says_whether_it_asks(
    page: ToolsPage, client: AppClient
) -> None:
    assert chosen(page, CHAT_SEARCH) == Permission.NEVER
    choose(page, CHAT_SEARCH, Permission.ALWAYS)
    stored = client.layers[AppLayer()]
    assert stored[CHAT_SEARCH] is True
    lines = stored[PERMISSIONS]
    assert isinstance(lines, tuple)
    assert [line.split()[:2] for line in lines] == [["search_chats", "always"]]
    assert chosen(page, CHAT_SEARCH) == Permission.ALWAYS
    choose(page, CHAT_SEARCH, Permission.ASK)
    assert chosen(page, CHAT_SEARCH) == Permission.ASK
    choose(page, CHAT_SEARCH, Permission.NEVER)
    assert client.layers[AppLayer()][CHAT_SEARCH] is False
    assert chosen(page, CHAT_SEARCH) == Permission.NEVER


def test_one_choice_holds_for_all_tools_of_a_switch(page: ToolsPage, client: AppClient) -> None:
    choose(page, FILES, Permission.ALWAYS)
    lines = client.layers[AppLayer()][PERMISSIONS]
    assert isinstance(lines, tuple)
    assert {line.split()[0] for line in lines} == {"list_folder", "read_file", "search_files"}


def test_a_tool_of_which_each_call_is_shown_cannot_be_always(page: ToolsPage) -> None:
    assert page.built_in is not None
    rows = page.built_in.rows.items()
    asked = {key for key, row in rows if not row.choice.button(Permission.ALWAYS).isEnabled()}
    assert asked == {CHANGES, WEB_SEARCH, MEMORY}


def test_what_the_command_line_decides_cannot_be_changed(page: ToolsPage) -> None:
    fixed = {
        key: ResolvedSetting(definition=BY_KEY[key], value=False, origin=Origin.COMMAND_LINE)
        for key in (*SWITCHES, FOLDERS)
    }
    page.show_built_in([], fixed)
    assert page.built_in is not None
    assert not any(row.choice.isEnabled() for row in page.built_in.rows.values())
    assert not page.built_in.folders.isEnabled()


def test_folders_are_chosen_in_a_dialog_and_removed_by_their_button(
    page: ToolsPage, client: AppClient, tmp_path: Path
) -> None:
    assert page.built_in is not None
    folders = page.built_in.folders
    folders.add.click()
    dialog = folders.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    settled()
    assert client.layers[AppLayer()][FOLDERS] == (str(tmp_path),)
    assert folders.paths == (str(tmp_path),)
    (remove,) = folders.removals
    assert remove.accessibleName() == f"Remove {tmp_path}"
    remove.setFocus()
    remove.click()
    settled()
    assert client.layers[AppLayer()][FOLDERS] == ()
    assert page.window().focusWidget() is folders.add


def test_the_search_shows_the_tools_that_it_finds(page: ToolsPage) -> None:
    add(page)
    assert page.built_in is not None
    page.search.setText("calcul")
    assert page.built_in.rows[CALCULATOR].isVisible()
    assert not page.built_in.rows[FILES].isVisible()
    assert not page.cards["files"].isVisible()
    page.search.setText("echo")
    assert not page.built_in.isVisible()
    assert page.cards["files"].rows["files__echo"].isVisible()
    page.search.setText("no such tool")
    assert page.nothing.isVisible()
    QTest.keyClick(page.search, Qt.Key.Key_Escape)
    assert page.built_in.isVisible()
    assert not page.nothing.isVisible()


def test_permissions_of_single_chats_are_listed_and_revoked(page: ToolsPage, client: AppClient) -> None:
    assert not page.chats.isVisible()
    made = client.add_conversation("Loans"), client.add_conversation("Garden")
    for chat, lines in zip(
        made, (("search_chats always a", "read_file always b"), ("time__get_it always c",)), strict=True
    ):
        client.layers[ConversationLayer(conversation_id=chat)] = {CHAT_PERMISSIONS: lines}
    page.controller.refresh()
    settled()
    assert page.chats.isVisible()
    assert {button.accessibleDescription() for button in page.chats.revokes} == {
        "Loans: Search chats, Read file",
        "Garden: Get it",
    }
    (loans,) = (button for button in page.chats.revokes if "Loans" in button.accessibleDescription())
    loans.setFocus()
    QTest.keyClick(loans, Qt.Key.Key_Space)
    settled()
    assert CHAT_PERMISSIONS not in client.layers[ConversationLayer(conversation_id=made[0])]
    (garden,) = page.chats.revokes
    assert page.window().focusWidget() is garden
    garden.click()
    settled()
    assert not page.chats.isVisible()


def test_removing_asks_once_more(page: ToolsPage) -> None:
    add(page)
    card = page.cards["files"]
    card.remove.click()
    assert page.window().focusWidget() is card.removal.keep
    card.removal.keep.click()
    assert page.window().focusWidget() is card.remove
    card.remove.click()
    card.removal.confirm.setFocus()
    card.removal.confirm.click()
    settled()
    assert page.cards == {}
    assert page.window().focusWidget() is page.search


def test_the_focus_stays_at_its_part_when_the_cards_are_made_anew(page: ToolsPage) -> None:
    add(page)
    for part in ("attempts", "used", "access"):
        card = page.cards["files"]
        before = card.attempts["files__echo"] if part == "attempts" else getattr(card, part)
        name = before.accessibleName()
        before.setFocus()
        page.controller.refresh()
        settled()
        assert page.cards["files"] is not card
        focused = page.window().focusWidget()
        assert page.cards["files"].isAncestorOf(focused)
        assert focused.accessibleName() == name


def info(**changes: Any) -> ToolServerInfo:
    facts = ServerFacts(command=COMMAND, executable="ab")
    server = ToolServer(
        name="files", command=COMMAND, confirmed=facts, tools=(ECHO,), grants=Grants(network=True)
    )
    return msgspec.structs.replace(ToolServerInfo(server=server, state=ServerState.STOPPED), **changes)


TOOL = ToolInfo(
    name="files__echo",
    description="Says it.",
    setting=SERVERS,
    server="files",
    n_tokens=20,
    permission=Permission.ASK,
    changed=True,
    change="- Says what it is told.\n+ Says it.",
)


def test_a_crash_is_shown_with_what_the_server_wrote(page: ToolsPage) -> None:
    failed = info(
        state=ServerState.FAILED,
        sandbox=Sandbox.NONE,
        problem=Phrase("It did not answer within {n} s.", {"n": 60}),
        log=("first line", "no such database"),
    )
    page.show_servers([failed], [TOOL], used=[])
    card = page.cards["files"]
    assert card.badge.text() == "Failed"
    assert card.problem.text() == "It did not answer within 60 s."
    assert not card.log.isHidden()
    assert card.log.text() == "first line\nno such database"
    card.fold_log.click()
    page.show_servers([failed], [TOOL], used=[])
    card = page.cards["files"]
    assert card.log.isHidden()
    assert card.test.text() == "Restart"
    texts = [label.text() for label in card.findChildren(type(card.problem))]
    assert any("Not sandboxed: can read all your files." in text for text in texts)
    assert TOOL.change in texts


def test_a_changed_server_is_confirmed_with_its_difference(page: ToolsPage) -> None:
    page.show_servers(
        [info(state=ServerState.CHANGED, current_facts=ServerFacts(command=COMMAND, executable="cd"))],
        [],
        used=[],
    )
    card = page.cards["files"]
    assert "Program file: ab → cd" in card.change.text()
    assert not card.confirm.isHidden()
    assert card.test.isHidden()


def test_changed_grants_of_a_server_need_a_new_confirmation(page: ToolsPage, tmp_path: Path) -> None:
    add(page)
    page.cards["files"].access.click()
    sheet = page.controller.access
    assert sheet is not None
    assert sheet.focusWidget() is sheet.form.readable.add
    sheet.form.readable.show_paths(("/no/such/folder",))
    sheet.save.click()
    settled()
    assert sheet.status.text() == "The folder /no/such/folder does not exist."
    sheet.form.readable.removals[0].click()
    sheet.form.writable.add.click()
    dialog = sheet.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(tmp_path))
    dialog.reject()
    sheet.form.network.setChecked(True)
    sheet.save.click()
    settled()
    assert page.controller.access is None
    card = page.cards["files"]
    assert f"No network → Changes {tmp_path}, Uses the network" in card.change.text()
    assert not card.confirm.isHidden()
    assert card.test.isHidden()
    card.access.click()
    again = page.controller.access
    assert again is not None
    assert again.form.writable.paths == (str(tmp_path),)
    assert again.form.network.isChecked()
    again.reject()
    card.confirm.click()
    settled()
    assert page.cards["files"].change.text() == ""
    assert page.cards["files"].confirm.isHidden()


def test_a_remote_server_has_no_grants(page: ToolsPage) -> None:
    far = ToolServer(name="far", url="https://mcp.example.com/mcp")
    page.show_servers([ToolServerInfo(server=far, state=ServerState.STOPPED)], [], used=[])
    assert page.cards["far"].access.isHidden()
    assert "runs elsewhere" in access_text(far, is_confined=True)
    for url in ("http://127.0.0.1:8000/mcp", "http://localhost/sse", "http://[::1]:8000/mcp"):
        near = msgspec.structs.replace(far, url=url)
        assert "runs on this computer" in access_text(near, is_confined=True)
        assert "runs on this computer" in sandbox_text(ToolServerInfo(server=near, state=ServerState.RUNNING))


def test_an_address_that_was_typed_is_added_without_asking_again(page: ToolsPage, tested: list[str]) -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.command.setText("uvx mcp-server-time")
    assert sheet.next.text() == "Continue"
    sheet.name.setText("far")
    sheet.command.setText("https://mcp.example.com/mcp")
    assert sheet.next.text() == "Add and start"
    sheet.next.click()
    settled()
    assert tested == ["far"]


def test_an_address_from_a_configuration_is_confirmed(page: ToolsPage, tested: list[str]) -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.kinds.key_selected.emit("json")
    sheet.kinds.select("json")
    server = {"type": "http", "url": "https://mcp.example.com/mcp"}
    sheet.json.setPlainText(json.dumps({"mcpServers": {"far": server}}))
    sheet.next.click()
    settled()
    assert tested == []
    assert sheet.pages.currentIndex() == 1


def test_where_a_server_starts_is_confirmed_with_its_command(page: ToolsPage, tmp_path: Path) -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.kinds.key_selected.emit("json")
    sheet.kinds.select("json")
    server = {"command": sys.executable, "args": ["server.py"], "cwd": str(tmp_path)}
    sheet.json.setPlainText(json.dumps({"mcpServers": {"local": server}}))
    sheet.next.click()
    settled()
    texts = [label.text() for label in sheet.confirmation.findChildren(WrappedLabel)]
    assert any(f"Starts in: {tmp_path}" in text for text in texts)


def bundle_in(folder: Path) -> Path:
    """Return a bundle whose server is this very Python."""
    manifest = {
        "name": "Notes",
        "version": "1.0",
        "server": {
            "mcp_config": {
                "command": sys.executable,
                "args": ["${__dirname}/server.py", "${user_config.folder}", "--key=${user_config.key}"],
            }
        },
        "user_config": {
            "folder": {"type": "directory", "title": "Notes", "required": True},
            "key": {"title": "Key", "sensitive": True},
        },
    }
    path = folder / "notes.mcpb"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("manifest.json", json.dumps(manifest))
        archive.writestr("server.py", "")
    return path


def test_a_server_from_a_bundle_asks_for_its_settings(
    page: ToolsPage, tested: list[str], tmp_path: Path
) -> None:
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.kinds.key_selected.emit("bundle")
    sheet.kinds.select("bundle")
    sheet.next.click()
    assert "choose a file first" in sheet.status.text()
    sheet.bundle.choose.click()
    dialog = sheet.findChild(QFileDialog)
    assert isinstance(dialog, QFileDialog)
    dialog.fileSelected.emit(str(bundle_in(tmp_path)))
    dialog.reject()
    settled()
    assert list(sheet.bundle.fields) == ["folder"]  # what is secret is asked for with the command
    sheet.next.click()
    assert "Notes needs a value" in sheet.status.text()
    field = sheet.bundle.fields["folder"]
    assert isinstance(field, PathList)
    field.show_paths((str(tmp_path),))
    sheet.next.click()
    settled()
    texts = [label.text() for label in sheet.confirmation.findChildren(type(page.about))]
    (shown,) = (text for text in texts if "server.py" in text)
    assert shown.endswith(f'{tmp_path} "--key=${{input:key}}"')
    assert any(f"Reads {tmp_path}" in text for text in texts)
    (secret,) = sheet.confirmation.findChildren(QLineEdit)
    assert secret.echoMode() is QLineEdit.EchoMode.Password
    secret.setText("sesame")
    assert tested == []
    sheet.next.click()
    settled()
    assert tested == ["notes"]


def test_a_command_that_may_change_at_any_time_is_reported() -> None:
    assert unpinned_text(("/usr/bin/npx", "-y", "a-server@1.0.0")) == ""
    assert "a-server@VERSION" in unpinned_text(("/usr/bin/npx", "-y", "a-server"))
    assert "a-server==VERSION" in unpinned_text(("/usr/bin/uvx", "a-server"))


def test_signing_in_shows_the_whole_url_before_it_is_opened(page: ToolsPage) -> None:
    page.show_servers([info(state=ServerState.FAILED, needs_sign_in=True)], [], used=[])
    card = page.cards["files"]
    assert not card.sign_in.isHidden()
    assert card.open.isHidden()
    url = "https://login.example.com.evil.example/authorize?x=" + "1" * 500
    page.show_servers([info(state=ServerState.STARTING, sign_in_url=url)], [], used=[])
    card = page.cards["files"]
    assert card.sign_in.isHidden()
    assert url in card.page.text()
    assert "this page of login.example.com.evil.example:" in card.page.text()
    assert not card.open.isHidden()
    assert not card.stop.isHidden()
    page.show_servers([info(state=ServerState.RUNNING, is_signed_in=True)], [], used=[])
    assert not page.cards["files"].sign_out.isHidden()


def test_last_calls_are_listed_newest_first(page: ToolsPage) -> None:
    calls = (
        CallNote(tool="read", at=0.0, seconds=0.25),
        CallNote(tool="wri\u202ete", at=1.0, seconds=2.0, is_error=True),
    )
    page.show_servers([info(calls=calls)], [], used=[])
    card = page.cards["files"]
    assert card.calls.isHidden()
    card.fold_calls.click()
    last, first = card.calls.text().splitlines()
    assert last.endswith(" · wri[U+202E]te · 2.0 s · Failed")
    assert " · read · " in first


def test_without_a_keyring_values_can_be_stored_in_a_file_and_nothing_is_added_twice(
    page: ToolsPage, tested: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    places: list[tuple[str, KeepIn]] = []
    add_really = ToolServerService.add

    async def add_server(
        self: ToolServerService, new: NewServer, *, location: KeepIn = SecretLocation.KEYRING
    ) -> None:
        places.append((new.name, location))
        if location is SecretLocation.KEYRING and new.env:
            raise KeyringUnavailable(reason="none runs")
        await add_really(self, new, location=location)

    monkeypatch.setattr(ToolServerService, "add", for_window(add_server))
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    sheet.kinds.key_selected.emit("json")
    sheet.kinds.select("json")
    servers = {
        "plain": {"command": sys.executable},
        "keyed": {"command": sys.executable, "env": {"KEY": "1"}},
    }
    sheet.json.setPlainText(json.dumps({"mcpServers": servers}))
    sheet.next.click()
    settled()
    shown = [label.text() for label in sheet.confirmation.findChildren(WrappedLabel)]
    assert sum("Variables: KEY" in text for text in shown) == 1
    assert sheet.save_to_file.isHidden()
    sheet.next.click()
    settled()
    assert "not encrypted" in sheet.status.text()
    assert not sheet.save_to_file.isHidden()
    sheet.save_to_file.click()
    settled()
    assert places[-1] == ("keyed", SecretLocation.FILE)
    assert [name for name, _ in places].count("plain") == 1
    assert sorted(page.cards) == ["keyed", "plain"]
    assert sorted(tested) == ["keyed", "plain"]


SCHEMA = {
    "type": "object",
    "properties": {
        "city": {"type": "string", "description": "Where"},
        "days": {"type": "integer"},
        "places": {"type": "array"},
    },
    "required": ["city"],
}


class ByHand:
    """Stands for calls of tools."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.output = ToolOutput(text="Rain")
        self.never: asyncio.Event | None = None
        self.was_cancelled = False

    async def call_tool(self, service: ToolServerService, name: str, arguments: str) -> ToolOutput:
        self.calls.append((name, json.loads(arguments)))
        service._emit(ToolCallProgressed(tool=name, text="50% · Looking"))
        if self.never is not None:
            try:
                await self.never.wait()
            except asyncio.CancelledError:
                self.was_cancelled = True
                raise
        return self.output


@pytest.fixture
def by_hand(monkeypatch: pytest.MonkeyPatch) -> ByHand:
    made = ByHand()

    async def call_tool(self: ToolServerService, name: str, arguments: str) -> ToolOutput:
        return await made.call_tool(self, name, arguments)

    monkeypatch.setitem(globals(), "ECHO", replace(ECHO, parameters=json.dumps(SCHEMA)))
    monkeypatch.setattr(ToolServerService, "call_tool", for_window(call_tool))
    return made


@pytest.fixture
def sheet(page: ToolsPage, by_hand: ByHand) -> TrySheet:
    add(page)
    page.cards["files"].attempts["files__echo"].click()
    settled()
    assert page.controller.attempt is not None
    return page.controller.attempt


def line(sheet: TrySheet, name: str) -> QLineEdit:
    field = sheet.editors[name].first
    assert isinstance(field, QLineEdit)
    return field


def test_a_tool_is_tried_with_a_field_for_each_argument(sheet: TrySheet, by_hand: ByHand) -> None:
    sheet.call.click()
    assert sheet.status.text() == "city: needs a value."
    line(sheet, "city").setText("Bern")
    line(sheet, "places").setText("[1")
    sheet.call.click()
    assert sheet.status.text() == "places: not JSON."
    line(sheet, "places").setText('["a", 1]')
    by_hand.output = ToolOutput(
        text="Rain", structured='{"sky": "grey"}', images=(ImagePart(data=b"", media_type="image/png"),)
    )
    sheet.call.click()
    settled()
    assert by_hand.calls == [("files__echo", {"city": "Bern", "places": ["a", 1]})]
    assert sheet.shown.toPlainText() == 'Rain\n\n{\n  "sky": "grey"\n}'
    assert len(child(sheet, ResultPictures).buttons) == 1
    assert sheet.status.isHidden()
    # It stays for the next call, of which an error is shown.
    by_hand.output = ToolOutput(text="No such city", is_error=True)
    sheet.call.click()
    settled()
    assert sheet.shown.toPlainText() == "No such city"
    assert "failed" in sheet.status.text()
    assert sheet.call.isEnabled()


def test_after_trying_a_tool_the_focus_is_at_its_row_though_the_cards_are_new(
    page: ToolsPage, sheet: TrySheet
) -> None:
    card = page.cards["files"]
    page.controller.refresh()
    settled()
    assert page.cards["files"] is not card
    sheet.reject()
    settled()
    assert page.window().focusWidget() is page.cards["files"].attempts["files__echo"]


def test_long_names_and_large_results_leave_fields_and_buttons_in_sight(page: ToolsPage) -> None:
    long = "a_name_that_generators_of_servers_make_of_all_that_leads_to_an_argument"
    properties = {long: {"type": "string"}, "b": {"type": "string"}}
    tool = ToolInfo(
        name="files__echo",
        description="What models read of it. " * 20,
        setting=SERVERS,
        n_tokens=40,
        permission=Permission.ASK,
        parameters=json.dumps({"type": "object", "properties": properties}),
    )
    page.controller.try_tool(tool)
    sheet = page.controller.attempt
    assert sheet is not None
    file = io.BytesIO()
    Image.new("RGB", (300, 900), "teal").save(file, "PNG")
    image = ImagePart(data=file.getvalue(), media_type="image/png")
    sheet.show_output(ToolOutput(text="x\n" * 99, images=(image, image)))
    settled()
    area = child(sheet, PageScroll)
    right = sheet.call.mapTo(sheet, sheet.call.rect().topRight()).x()
    for name in (long, "b"):
        field = line(sheet, name)
        assert field.mapTo(area, QPoint()).x() == SPACE_XL
        assert field.mapTo(sheet, field.rect().topRight()).x() == right
    assert area.isAncestorOf(child(sheet, ResultPictures))
    assert area.mapTo(sheet, area.rect().bottomLeft()).y() < sheet.call.mapTo(sheet, QPoint()).y()
    sheet.reject()
    settled()


def test_a_call_by_hand_shows_progress_and_is_cancelled(
    page: ToolsPage, sheet: TrySheet, by_hand: ByHand, qtbot: QtBot
) -> None:
    by_hand.never = asyncio.Event()
    line(sheet, "city").setText("Bern")
    sheet.call.click()
    assert not sheet.call.isEnabled()
    qtbot.waitUntil(lambda: sheet.status.text() == "50% · Looking")
    sheet.cancel.click()
    settled()
    assert by_hand.was_cancelled
    assert sheet.status.text() == "Cancelled"
    assert sheet.call.isEnabled()
    by_hand.was_cancelled = False
    sheet.call.click()
    qtbot.waitUntil(lambda: len(by_hand.calls) == 2)
    sheet.reject()  # closing it cancels the call too
    settled()
    assert by_hand.was_cancelled
    assert page.controller.attempt is None
