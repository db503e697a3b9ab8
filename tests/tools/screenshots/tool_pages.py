"""The page of tools: without servers, adding one, and servers in every state. See ``stage`` for the usage."""

from __future__ import annotations

import sys

from fakes.client import AppClient
from fireside.core.i18n import Phrase
from fireside.core.tool_servers import (
    Grants,
    Sandbox,
    ServerFacts,
    ServerState,
    ServerTool,
    ToolServer,
    ToolServerInfo,
)
from fireside.core.tools import Permission, ToolInfo
from fireside.settings.definitions_tools import SERVERS
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from tools.screenshots.stage import Camera, play, rest

_COMMAND = ("/usr/bin/npx", "-y", "@modelcontextprotocol/server-filesystem", "/home/ada/Documents")
_READ = ServerTool(name="read_file", description="Reads a file.", parameters='{"type":"object"}')


def _info(name: str, state: ServerState, **facts: object) -> ToolServerInfo:
    server = ToolServer(
        name=name,
        command=_COMMAND,
        confirmed=ServerFacts(command=_COMMAND, executable="ab"),
        tools=(_READ,),
        grants=Grants(network=True),
    )
    return ToolServerInfo(server=server, state=state, **facts)  # type: ignore[arg-type]  # as named


async def take(window: MainWindow, client: AppClient, camera: Camera) -> None:
    """Go through the page's states."""
    window.show_page(Page.TOOLS)
    await rest()
    await camera.take("page-tools-empty")
    page = window.pages.tools
    page.add.click()
    sheet = page.controller.sheet
    assert sheet is not None
    await camera.take("sheet-add-server", of=lambda: sheet)
    sheet.name.setText("files")
    sheet.command.setText(f"{sys.executable} -m 'some server' --key")
    sheet.next.click()
    await rest()
    await camera.take("sheet-add-server-confirm", of=lambda: sheet)
    sheet.reject()
    changed = ServerFacts(command=_COMMAND, executable="cd")
    failed = Phrase("It did not answer within {n} s.", {"n": 60})
    tool = ToolInfo(
        name="files__read_file",
        description=_READ.description,
        setting=SERVERS,
        server="files",
        n_tokens=48,
        permission=Permission.ASK,
    )
    page.show_servers(
        [
            _info("files", ServerState.RUNNING),
            _info("search", ServerState.FAILED, sandbox=Sandbox.NONE, problem=failed, log=("no such key",)),
            _info("calendar", ServerState.CHANGED, current_facts=changed),
        ],
        [tool],
        used=["files"],
    )
    await rest()
    await camera.take("page-tools")
    page.cards["calendar"].setFocus()
    page.cards["calendar"].confirm.setFocus()
    await rest()
    await camera.take("page-tools-changed")


if __name__ == "__main__":
    play(take)
