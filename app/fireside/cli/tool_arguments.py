"""The arguments of ``fireside tools``: list, add, test, call, confirm, permit and remove."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Final

import msgspec

from fireside.cli.action_parsers import ActionParsers
from fireside.core.tool_servers import Grants
from fireside.core.tools import Permission

TOOLS_COMMAND: Final = "tools"
_DESCRIPTION: Final = """\
Manage what models may call: built-in tools, and tools of MCP servers. On Linux a server is sandboxed: it
reads its own program and the folders you grant, writes a folder of its own, and has no network unless you
allow it.
"""
_EPILOG: Final = """\
examples:
  fireside tools list
  fireside tools add time -- mcp-server-time
  fireside tools add notes --read ~/notes --network -- npx -y @modelcontextprotocol/server-filesystem ~/notes
  fireside tools add search --url https://mcp.example.com/mcp --header Authorization
  fireside tools add --json claude_desktop_config.json
  fireside tools test time                   start it and list its tools
  fireside tools call time.get_current_time --arg timezone=Asia/Tokyo
  fireside tools confirm time                after its program or command has changed
  fireside tools permit time__get_current_time always
  fireside tools remove time
  fireside run --tool time "What time is it in Tokyo?"
"""


class ToolsAction(StrEnum):
    """The action, as it is typed."""

    LIST = "list"
    ADD = "add"
    TEST = "test"
    CALL = "call"
    CONFIRM = "confirm"
    PERMIT = "permit"
    REMOVE = "remove"


_TOOL_NAMES: Final = {
    ToolsAction.PERMIT: "the tool",
    ToolsAction.CALL: "the tool: SERVER.TOOL, or its name in “fireside tools list”",
}
_ACTIONS: Final = {
    ToolsAction.LIST: "list tools and servers",
    ToolsAction.ADD: "add a server: its command behind --, or an address, or a file",
    ToolsAction.TEST: "start a server and list its tools",
    ToolsAction.CALL: "call a tool of a server, and print its result",
    ToolsAction.CONFIRM: "let a server start whose program or command has changed",
    ToolsAction.PERMIT: "decide about a tool",
    ToolsAction.REMOVE: "remove a server",
}


class ToolsArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of ``fireside tools``."""

    action: ToolsAction = ToolsAction.LIST
    name: str = ""
    permission: str = ""
    command: tuple[str, ...] = ()
    url: str = ""
    env: dict[str, str | None] = {}
    """Also answers what a configuration in a file asks for. ``None``: the value is that of the user's own
    variable, or typed unseen."""
    headers: dict[str, str | None] = {}
    cwd: str = ""
    grants: Grants = Grants()
    json_file: str = ""
    """With ``call`` the JSON of the arguments."""
    values: tuple[tuple[str, str], ...] = ()
    """Arguments of the call, by name."""
    output: str = ""
    """Where images of the result are saved."""
    is_sure: bool = False
    in_file: bool = False
    """Secret values may be stored in a file that is not encrypted."""


def add_tools_command(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``tools`` to the commands."""
    tools = commands.add_parser(
        TOOLS_COMMAND,
        help="tools and MCP servers: list, add, test, call, confirm, permit, remove",
        description=_DESCRIPTION,
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = ActionParsers(tools, _ACTIONS)
    server = dict.fromkeys(set(ToolsAction) - {ToolsAction.LIST}, "the server")
    actions.add("name", nargs="?", default="", help=server | _TOOL_NAMES)
    actions.add(
        "command_line", nargs="*", metavar="command",
        help={
            ToolsAction.ADD: "behind --, the server’s command",
            ToolsAction.PERMIT: " or ".join(Permission),
        },
    )  # fmt: skip
    _add_options(actions)


def _add_options(actions: ActionParsers) -> None:
    of = (ToolsAction.ADD,)
    for flag, placeholder, help_text in (
        ("--read", "FOLDER", "folder it may read; repeatable"),
        ("--write", "FOLDER", "folder it may change; repeatable"),
    ):
        actions.add(flag, of=of, action="append", default=[], metavar=placeholder, help=help_text)
    for flag, help_text in (
        (
            "--env",
            "variable for it, or what its file asks for, kept in the keyring; repeatable. NAME alone: its "
            "value is that of your own variable, or asked unseen",
        ),
        (
            "--header",
            "header for the address, kept in the keyring; repeatable. X-Key alone: its value is that of "
            "your variable X_KEY, or asked unseen",
        ),
    ):
        actions.add(
            flag, of=of, action="append", default=[], type=_pair, metavar="NAME[=VALUE]", help=help_text
        )
    for flag, help_text in (
        ("--network", "let it use the network; npx, uvx and the like need it to download the server"),
        (
            "--without-sandbox",
            "start it where no sandbox can be had, as for containers: it can read all your files",
        ),
        ("--values-in-file", "keep values in a file, not encrypted, where there is no keyring"),
        ("--yes", "do not ask"),
    ):
        actions.add(flag, of=of, action="store_true", help=help_text)
    actions.add(
        "--arg",
        of=(ToolsAction.CALL,),
        action="append",
        default=[],
        type=_argument,
        metavar="NAME=VALUE",
        help="argument of the call; lists and objects as JSON; repeatable",
    )
    actions.add(
        "--output", of=(ToolsAction.CALL,), default="", metavar="FILE", help="where images of the result go"
    )
    actions.add("--url", of=of, default="", help="address of a server")
    actions.add(
        "--cwd",
        of=of,
        default="",
        metavar="FOLDER",
        help="where it starts; the current folder if its arguments name a file there",
    )
    actions.add(
        "--json", dest="json_file", default="", metavar="JSON",
        help={
            ToolsAction.ADD: "file: configuration of another app, or a server (.mcpb); - reads the pipe",
            ToolsAction.CALL: "all arguments, as a JSON object",
        },
    )  # fmt: skip


def read_tools_arguments(parsed: argparse.Namespace) -> ToolsArguments:
    """Return the arguments of ``tools`` in a parsed command line."""
    action = ToolsAction(parsed.action)
    return ToolsArguments(
        action=action,
        name=parsed.name,
        permission=parsed.command_line[0] if parsed.command_line and action is ToolsAction.PERMIT else "",
        command=tuple(parsed.command_line),
        url=parsed.url,
        env=dict(parsed.env),
        headers=dict(parsed.header),
        cwd=str(Path(parsed.cwd).expanduser().absolute()) if parsed.cwd else "",
        grants=Grants(
            readable=_folders(parsed.read),
            writable=_folders(parsed.write),
            network=parsed.network,
            without_sandbox=parsed.without_sandbox,
        ),
        json_file=parsed.json_file,
        values=tuple(parsed.arg),
        output=parsed.output,
        is_sure=parsed.yes,
        in_file=parsed.values_in_file,
    )


def tools_usage_error(arguments: ToolsArguments) -> str | None:
    """Return which argument is missing or not allowed, if any."""
    match arguments.action:
        case ToolsAction.LIST:
            return None
        case ToolsAction.ADD:
            if arguments.json_file:
                is_named = arguments.command or arguments.url or arguments.headers or arguments.cwd
                return "--json replaces the command, --url, --header and --cwd." if is_named else None
            if not arguments.name:
                return "a name for the server is missing: fireside tools add NAME -- COMMAND"
            if bool(arguments.command) == bool(arguments.url):
                return "a command behind -- or an address with --url is wanted."
            return None
        case ToolsAction.CALL:
            return None if arguments.name else "call needs a tool: fireside tools call SERVER.TOOL"
        case ToolsAction.PERMIT:
            if arguments.permission not in tuple(Permission):
                return f"permit needs one of: {', '.join(Permission)}."
            return None
        case _:
            return None if arguments.name else f"{arguments.action.value} needs the name of a server."


def _pair(text: str) -> tuple[str, str | None]:
    name, separator, value = text.partition("=")
    if not name:
        raise argparse.ArgumentTypeError(f"“{text}” is neither NAME nor NAME=VALUE")
    return name, value if separator else None


def _argument(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not name or not separator:
        raise argparse.ArgumentTypeError(f"“{text}” is not NAME=VALUE")
    return name, value


def _folders(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(Path(path).expanduser().resolve()) for path in paths)
