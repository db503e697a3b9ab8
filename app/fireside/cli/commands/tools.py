"""``fireside tools``: list, add, test, call, confirm, permit and remove tools and MCP servers."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from getpass import getpass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.cli.command_app import CommandApp, command_app
from fireside.cli.command_parser import CommandParser, UsageError, not_blank
from fireside.cli.commands.tool_call import call, define_call
from fireside.cli.inputs import confirms, is_interactive
from fireside.cli.screen import columns, one_line, printable
from fireside.core.errors import FiresideError, ToolServerError, ToolServerInvalid
from fireside.core.i18n import render
from fireside.core.os_errors import render_os_error
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import (
    BEHIND_ADDRESS,
    NOT_SANDBOXED,
    PARTLY_SANDBOXED,
    BundleQuestion,
    Grants,
    NewServer,
    QuestionKind,
    Sandbox,
    ServerState,
    ToolServer,
    ToolServerInfo,
    changes_between,
    downloader,
    starts_container,
)
from fireside.core.tools import Permission, ToolInfo

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext
    from fireside.settings.secrets import KeepIn

_DESCRIPTION: Final = """\
Manage what models may call: built-in tools, and tools of MCP servers. On Linux a server is sandboxed: it
reads its own program and the folders you grant, writes a folder of its own, and has no network unless you
allow it.
"""
_EXAMPLES: Final = """\
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


def define(command: CommandParser) -> None:
    """Add what may be typed after ``tools``."""
    command.description = _DESCRIPTION
    command.epilog = _EXAMPLES
    command.add_action("list", list_tools, help="list tools and servers")
    _define_add(
        command.add_action("add", add, help="add a server: its command behind --, or an address, or a file")
    )
    test = command.add_action("test", test_server, help="start a server and list its tools")
    define_call(command.add_action("call", call, help="call a tool of a server, and print its result"))
    confirm = command.add_action(
        "confirm", confirm_server, help="let a server start whose program or command has changed"
    )
    permit = command.add_action("permit", permit_tool, help="decide about a tool")
    permit.add_argument("name", help="the tool")
    permit.add_argument(
        "permission",
        metavar="permission",
        choices=[each.value for each in Permission],
        help=" or ".join(Permission),
    )
    remove = command.add_action("remove", remove_server, help="remove a server")
    for action in (test, confirm, remove):
        action.add_argument("name", type=not_blank, help="the server")
    confirm.add_argument("--yes", dest="is_sure", action="store_true", help="do not ask")


def _define_add(action: CommandParser) -> None:
    action.add_argument("name", nargs="?", default="", help="the server")
    action.add_argument("command_line", nargs="*", metavar="command", help="behind --, the server’s command")
    for option, dest, text in (
        ("--read", "readable", "folder it may read; repeatable"),
        ("--write", "writable", "folder it may change; repeatable"),
    ):
        action.add_argument(option, dest=dest, action="append", default=[], metavar="FOLDER", help=text)
    for option, dest, text in (
        (
            "--env",
            "env",
            "variable for it, or what its file asks for, kept in the keyring; repeatable. NAME alone: its "
            "value is that of your own variable, or asked unseen",
        ),
        (
            "--header",
            "headers",
            "header for the address, kept in the keyring; repeatable. X-Key alone: its value is that of "
            "your variable X_KEY, or asked unseen",
        ),
    ):
        action.add_argument(
            option, dest=dest, action="append", default=[], type=_pair, metavar="NAME[=VALUE]", help=text
        )
    for option, dest, text in (
        (
            "--network",
            "network",
            "let it use the network; npx, uvx and the like need it to download the server",
        ),
        (
            "--without-sandbox",
            "without_sandbox",
            "start it where no sandbox can be had, as for containers: it can read all your files",
        ),
        (
            "--values-in-file",
            "in_file",
            "keep values in a file, not encrypted, where there is no keyring",
        ),
        ("--yes", "is_sure", "do not ask"),
    ):
        action.add_argument(option, dest=dest, action="store_true", help=text)
    action.add_argument("--url", default="", help="address of a server")
    action.add_argument(
        "--cwd",
        default="",
        metavar="FOLDER",
        help="where it starts; the current folder if its arguments name a file there",
    )
    action.add_argument(
        "--json", dest="json_file", default="", metavar="JSON",
        help="file: configuration of another app, or a server (.mcpb); - reads the pipe",
    )  # fmt: skip


def _pair(text: str) -> tuple[str, str | None]:
    name, separator, value = text.partition("=")
    if not name:
        raise argparse.ArgumentTypeError(f"“{text}” is neither NAME nor NAME=VALUE")
    return name, value if separator else None


class _Request(msgspec.Struct, frozen=True, kw_only=True):
    """What was typed about a server to add."""

    name: str
    command: tuple[str, ...]
    url: str
    env: dict[str, str | None]
    """Also answers what a configuration in a file asks for. ``None``: the value is that of the user's own
    variable, or typed unseen."""
    headers: dict[str, str | None]
    cwd: str
    grants: Grants
    json_file: str
    is_sure: bool
    in_file: bool
    """Secret values may be stored in a file that is not encrypted."""


def list_tools(context: StartupContext) -> int:
    """Print the tools and servers. Raises ``FiresideError``."""
    with command_app(context) as program:
        program.screen.write(tools_table(program.wait(program.app.tools.tools())))
        if servers := program.wait(program.app.tool_servers.servers()):
            program.screen.write(f"\n{servers_table(servers)}")
    return 0


def add(
    context: StartupContext,
    *,
    name: str,
    command_line: Sequence[str],
    readable: Sequence[str],
    writable: Sequence[str],
    env: Sequence[tuple[str, str | None]],
    headers: Sequence[tuple[str, str | None]],
    network: bool,
    without_sandbox: bool,
    in_file: bool,
    is_sure: bool,
    url: str,
    cwd: str,
    json_file: str,
) -> int:
    """Add a server and start it. Returns the exit status; raises ``FiresideError``."""
    if json_file and (command_line or url or headers or cwd):
        raise UsageError("--json replaces the command, --url, --header and --cwd.")
    if not json_file and not name:
        raise UsageError("a name for the server is missing: fireside tools add NAME -- COMMAND")
    if not json_file and bool(command_line) == bool(url):
        raise UsageError("a command behind -- or an address with --url is wanted.")
    request = _Request(
        name=name,
        command=tuple(command_line),
        url=url,
        env=dict(env),
        headers=dict(headers),
        cwd=str(Path(cwd).expanduser().absolute()) if cwd else "",
        grants=Grants(
            readable=_folders(readable),
            writable=_folders(writable),
            network=network,
            without_sandbox=without_sandbox,
        ),
        json_file=json_file,
        is_sure=is_sure,
        in_file=in_file,
    )
    with command_app(context) as program:
        return _add(program, request)


def _folders(paths: Sequence[str]) -> tuple[str, ...]:
    return tuple(str(Path(path).expanduser().resolve()) for path in paths)


def test_server(context: StartupContext, *, name: str) -> int:
    """Start a server and print its tools. Returns 1 if it does not start."""
    with command_app(context) as program:
        return _test(program, name)


def confirm_server(context: StartupContext, *, name: str, is_sure: bool) -> int:
    """Let a server start again that has changed, once the user agrees. Raises ``FiresideError``."""
    with command_app(context) as program:
        return _confirm(program, name, is_sure=is_sure)


def permit_tool(context: StartupContext, *, name: str, permission: str) -> int:
    """Store whether a tool may be called. Raises ``FiresideError``."""
    with command_app(context) as program:
        program.wait(program.app.tools.permit(name, Permission(permission)))
        program.screen.write(f"{one_line(name)}: {permission}\n")
    return 0


def remove_server(context: StartupContext, *, name: str) -> int:
    """Remove a server. Raises ``FiresideError``."""
    with command_app(context) as program:
        program.wait(program.app.tool_servers.remove(name))
        program.screen.write(f"“{one_line(name)}” removed.\n")
    return 0


def tools_table(tools: Iterable[ToolInfo]) -> str:
    """Return a table of tools."""
    rows = [(tool.name, _typed_as(tool), tool.permission.value, str(tool.n_tokens)) for tool in tools]
    return columns([("TOOL", "--TOOL", "PERMISSION", "TOKENS"), *rows], numbers=(3,))


def _typed_as(tool: ToolInfo) -> str:
    return tool.name if tool.setting == "tools.servers" else tool.setting.removeprefix("tools.")


def servers_table(servers: Sequence[ToolServerInfo]) -> str:
    """Return one line for each server."""
    rows = [
        (
            info.server.name,
            info.state.value,
            str(len(info.server.tools)),
            one_line(info.server.command_or_url),
        )
        for info in servers
    ]
    return columns([("SERVER", "STATE", "TOOLS", "COMMAND"), *rows], numbers=(2,))


def _add(program: CommandApp, request: _Request) -> int:
    is_bundle = request.json_file.endswith((".mcpb", ".dxt"))
    servers = (_bundled(program, request),) if is_bundle else _new_servers(request)
    status = 0
    for new in servers:
        try:
            status = max(status, _add_one(program, request, new=new))
        except ToolServerError as exc:
            if len(servers) == 1:
                raise
            program.screen.say(f"{one_line(new.name)}: {one_line(exc.sentence())}\n")
            status = 1
    return status


def _add_one(program: CommandApp, request: _Request, *, new: NewServer) -> int:
    with_access = _with_needed_access(new, is_sure=request.is_sure)
    if with_access is None:
        program.screen.say("Not added.\n")
        return 1
    server = program.wait(program.app.tool_servers.prepare(with_access))
    program.screen.write(_description(server))
    inputs = _inputs_of(with_access, request.env)
    if not request.is_sure and not confirms("Add this server and start it?"):
        program.screen.say("Not added.\n")
        return 1
    location: KeepIn = SecretLocation.FILE if request.in_file else SecretLocation.KEYRING
    program.wait(
        program.app.tool_servers.add(msgspec.structs.replace(with_access, inputs=inputs), location=location)
    )
    return _test(program, new.name)


def _with_needed_access(new: NewServer, *, is_sure: bool) -> NewServer | None:
    """Return a server with the access that its command cannot start without; ``None`` if the user does not
    allow it."""
    command, grants = (new.command, *new.args), new.grants
    needs: list[tuple[str, str]] = []
    if (program := downloader(command)) and not grants.network:
        reason = f"{program} downloads “{new.name}” when it starts, which needs the network."
        grants = msgspec.structs.replace(grants, network=True)
        needs.append((reason, "--network"))
    if sys.platform == "linux" and starts_container(command) and not grants.without_sandbox:
        reason = (
            f"“{new.name}” is in a container, which is started outside the sandbox and can read your files."
        )
        grants = msgspec.structs.replace(grants, without_sandbox=True)
        needs.append((reason, "--without-sandbox"))
    for reason, flag in needs:
        if is_sure or not is_interactive():
            sys.stderr.write(f"fireside: {one_line(reason)} Add {flag} to allow that.\n")
            return None
        if not confirms(f"{one_line(reason)} Allow that?"):
            return None
    return msgspec.structs.replace(new, grants=grants)


def _bundled(program: CommandApp, request: _Request) -> NewServer:
    """Return the server of a bundle; ask the user for its settings, except secrets."""
    from fireside.settings.server_bundles import bundled_server

    bundle = program.wait(
        program.app.tool_servers.open_bundle(str(Path(request.json_file).expanduser().absolute()))
    )
    header = " · ".join(filter(None, (bundle.title, bundle.version, bundle.author)))
    program.screen.write(f"{printable(header)}\n{printable(bundle.description)}\n")
    answers = {
        question.name: _answer(question, request.env.get(question.name))
        for question in bundle.questions
        if not question.is_secret
    }
    new = bundled_server(bundle, answers, request.grants)
    return msgspec.structs.replace(new, name=request.name) if request.name else new


def _answer(question: BundleQuestion, given: str | None) -> tuple[str, ...]:
    """Return the answer as it was given by ``--env``, else as the user types it, else the default."""
    default = ", ".join(question.default)
    hint = f" [{one_line(default)}]" if default else ""
    try:
        typed = given or input(f"{one_line(question.title)}{hint}: ").strip() or default
    except EOFError:
        typed = default
    parts = typed.split(",") if question.is_multiple else [typed]
    is_path = question.kind in (QuestionKind.FOLDER, QuestionKind.FILE)
    return tuple(
        str(Path(part.strip()).expanduser().absolute()) if is_path else part.strip()
        for part in parts
        if part.strip()
    )


def _new_servers(request: _Request) -> tuple[NewServer, ...]:
    if not request.json_file:
        return (
            NewServer(
                name=request.name,
                command=request.command[0] if request.command else "",
                args=request.command[1:],
                cwd=request.cwd or _folder_of(request.command),
                env={name: _value_of(name, value) for name, value in request.env.items()},
                url=request.url,
                headers={
                    name: _value_of(name.upper().replace("-", "_"), value)
                    for name, value in request.headers.items()
                },
                grants=request.grants,
            ),
        )
    from fireside.settings.server_shapes import read_servers

    found = read_servers(_configuration(request.json_file))
    servers = [new for new in found if request.name in ("", new.name)]
    if not servers:
        names = ", ".join(new.name for new in found)
        raise ToolServerInvalid(reason=f"the file has no “{one_line(request.name)}”, but {one_line(names)}.")
    asked = {name for new in servers for name in new.inputs}
    own = {name: _value_of(name, value) for name, value in request.env.items() if name not in asked}
    return tuple(
        msgspec.structs.replace(
            new, grants=request.grants, env={**new.env, **own} if new.command else new.env
        )
        for new in servers
    )


def _configuration(path: str) -> str:
    """Return the text of a configuration. Raises ``ToolServerInvalid``."""
    if path == "-":
        return sys.stdin.read()
    try:
        return Path(path).expanduser().read_text(encoding="utf-8-sig", errors="replace")
    except OSError as exc:
        reason = f"{one_line(path)} cannot be read: {render_os_error(exc)}."
        raise ToolServerInvalid(reason=reason) from exc


def _folder_of(command: Sequence[str]) -> str:
    """Return the current folder if an argument names a file in it, which the user then means; else empty."""
    folder = Path.cwd()
    names = [argument for argument in command[1:] if not Path(argument).is_absolute()]
    return str(folder) if any((folder / name).is_file() for name in names) else ""


def _test(program: CommandApp, name: str) -> int:
    program.screen.show_status(f"Starting {name}…")
    try:
        info = program.wait(program.app.tool_servers.test(name))
    except FiresideError as exc:
        program.screen.say(f"{_printable_lines(exc.sentence())}\n")
        return 1
    finally:
        program.screen.clear_status()
    program.screen.write(f"{one_line(name)}: {ServerState.RUNNING.value}. {_sandbox(info)}\n")
    tools = [tool for tool in program.wait(program.app.tools.tools()) if tool.name.startswith(f"{name}__")]
    program.screen.write(tools_table(tools))
    for tool in tools:
        if tool.change:
            program.screen.write(f"\n{tool.name} is not what you allowed:\n{_printable_lines(tool.change)}\n")
    if info.task_tools:
        names = ", ".join(map(one_line, info.task_tools))
        program.screen.write(f"Left out, as they run only as tasks, which is not supported: {names}\n")
    if info.excluded_tools:
        program.screen.write(f"Left out, for their names: {', '.join(map(one_line, info.excluded_tools))}\n")
    return 0


def _confirm(program: CommandApp, name: str, *, is_sure: bool) -> int:
    known = {info.server.name: info for info in program.wait(program.app.tool_servers.servers())}
    info = known.get(name)
    if info is not None:
        program.screen.write(_description(info.server))
        if info.current_facts is not None and info.server.confirmed is not None:
            program.screen.write(
                "".join(f"  {line}\n" for line in changes_between(info.server.confirmed, info.current_facts))
            )
        if (
            info.current_facts is not None
            and not is_sure
            and not confirms("Confirm this server as it is now?")
        ):
            program.screen.say("Not confirmed.\n")
            return 1
    program.wait(program.app.tool_servers.confirm(name))
    program.screen.write(f"“{one_line(name)}” confirmed.\n")
    return 0


def _description(server: ToolServer) -> str:
    """Return everything that the user confirms, without truncation."""
    lines = [
        f"Server {server.name}",
        f"  {'address' if server.url else 'command'}: {one_line(server.command_or_url)}",
    ]
    if names := (*server.env, *server.headers):
        lines.append(f"  values: {', '.join(map(one_line, names))}")
    if server.url:
        return "\n".join([*lines, f"  {render(BEHIND_ADDRESS[server.is_on_this_computer])}\n"])
    if server.cwd:
        lines.append(f"  starts in: {one_line(server.cwd)}")
    grants = server.grants
    lines += [f"  may read: {one_line(path)}" for path in grants.readable]
    lines += [f"  may change: {one_line(path)}" for path in grants.writable]
    lines.append(f"  network: {'yes' if grants.network else 'no'}")
    if sys.platform != "linux":
        lines.append(f"  {render(NOT_SANDBOXED)}")
    return "\n".join(lines) + "\n"


def _sandbox(info: ToolServerInfo) -> str:
    match info.sandbox:
        case Sandbox.FULL:
            return "Sandboxed."
        case Sandbox.NO_NAMESPACES:
            return render(PARTLY_SANDBOXED)
        case Sandbox.NONE:
            return render(NOT_SANDBOXED)
        case _:
            return render(BEHIND_ADDRESS[info.server.is_on_this_computer])


def _inputs_of(new: NewServer, env: Mapping[str, str | None]) -> dict[str, str]:
    """Return what a server asks for. The environment is read only for names that the user typed, as the
    configuration of a server may name any. Raises ``ToolServerInvalid``."""
    return {
        name: _value_of(name, env[name])
        if name in env
        else _typed_unseen(question, hint=f"Give it by --env {name}, as the value of that variable.")
        for name, question in new.inputs.items()
    }


def _value_of(variable: str, value: str | None) -> str:
    """Return a value, else that of the user's own variable, else what they type. Raises
    ``ToolServerInvalid``."""
    given = os.environ.get(variable) if value is None else value
    return _typed_unseen(variable, hint=f"Set the variable {variable}.") if given is None else given


def _typed_unseen(question: str, *, hint: str) -> str:
    if not is_interactive():
        reason = f"“{one_line(question)}” is asked for, and this is no terminal. {one_line(hint)}"
        raise ToolServerInvalid(reason=reason)
    try:
        return getpass(f"{one_line(question)}: ")
    except EOFError:
        raise ToolServerInvalid(reason=f"no “{one_line(question)}” was given.") from None


def _printable_lines(text: str) -> str:
    return "\n".join(map(one_line, text.splitlines()))
