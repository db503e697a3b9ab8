"""Run the commands about tools and MCP servers."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, Sequence
from getpass import getpass
from pathlib import Path

import msgspec

from fireside.chat.app import App
from fireside.cli.columns import columns
from fireside.cli.engine_loop import EngineLoop
from fireside.cli.screen import Screen, one_line, printable
from fireside.cli.tool_arguments import ToolsAction, ToolsArguments
from fireside.cli.tools import tools_table
from fireside.core.errors import FiresideError, ToolServerError, ToolServerInvalid
from fireside.core.i18n import render
from fireside.core.os_errors import render_os_error
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import (
    BEHIND_ADDRESS,
    NOT_SANDBOXED,
    PARTLY_SANDBOXED,
    BundleQuestion,
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
from fireside.core.tools import Permission
from fireside.main.tool_call import call_tool
from fireside.settings.secrets import KeepIn
from fireside.settings.server_shapes import read_servers


def run_tools_command(app: App, loop: EngineLoop, *, arguments: ToolsArguments) -> int:
    """Run the command and return the exit status. Raises ``FiresideError``."""
    screen = Screen(output=sys.stdout, status=sys.stderr)
    match arguments.action:
        case ToolsAction.LIST:
            screen.write(tools_table(loop.wait(app.tools.tools())))
            if servers := loop.wait(app.tool_servers.servers()):
                screen.write(f"\n{servers_table(servers)}")
            return 0
        case ToolsAction.ADD:
            return _add(app, loop, arguments, screen=screen)
        case ToolsAction.TEST:
            return _test(app, loop, arguments.name, screen=screen)
        case ToolsAction.CALL:
            return call_tool(app, loop, arguments, screen=screen, confirms=_confirms)
        case ToolsAction.CONFIRM:
            return _confirm(app, loop, arguments, screen=screen)
        case ToolsAction.PERMIT:
            loop.wait(app.tools.permit(arguments.name, Permission(arguments.permission)))
            screen.write(f"{one_line(arguments.name)}: {arguments.permission}\n")
            return 0
        case ToolsAction.REMOVE:
            loop.wait(app.tool_servers.remove(arguments.name))
            screen.write(f"“{one_line(arguments.name)}” removed.\n")
            return 0


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


def _add(app: App, loop: EngineLoop, arguments: ToolsArguments, *, screen: Screen) -> int:
    is_bundle = arguments.json_file.endswith((".mcpb", ".dxt"))
    servers = (_bundled(app, loop, arguments, screen=screen),) if is_bundle else _new_servers(arguments)
    status = 0
    for new in servers:
        try:
            status = max(status, _add_one(app, loop, arguments, new=new, screen=screen))
        except ToolServerError as exc:
            if len(servers) == 1:
                raise
            screen.say(f"{one_line(new.name)}: {one_line(exc.sentence())}\n")
            status = 1
    return status


def _add_one(app: App, loop: EngineLoop, arguments: ToolsArguments, *, new: NewServer, screen: Screen) -> int:
    with_access = _with_needed_access(new, is_sure=arguments.is_sure)
    if with_access is None:
        screen.say("Not added.\n")
        return 1
    server = loop.wait(app.tool_servers.prepare(with_access))
    screen.write(_description(server))
    inputs = _inputs_of(with_access, arguments.env)
    if not arguments.is_sure and not _confirms("Add this server and start it?"):
        screen.say("Not added.\n")
        return 1
    location: KeepIn = SecretLocation.FILE if arguments.in_file else SecretLocation.KEYRING
    loop.wait(app.tool_servers.add(msgspec.structs.replace(with_access, inputs=inputs), location=location))
    return _test(app, loop, new.name, screen=screen)


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
        if is_sure or not _is_terminal():
            sys.stderr.write(f"fireside: {one_line(reason)} Add {flag} to allow that.\n")
            return None
        if not _confirms(f"{one_line(reason)} Allow that?"):
            return None
    return msgspec.structs.replace(new, grants=grants)


def _bundled(app: App, loop: EngineLoop, arguments: ToolsArguments, *, screen: Screen) -> NewServer:
    """Return the server of a bundle; ask the user for its settings, except secrets."""
    from fireside.settings.server_bundles import bundled_server

    bundle = loop.wait(app.tool_servers.open_bundle(str(Path(arguments.json_file).expanduser().absolute())))
    header = " · ".join(filter(None, (bundle.title, bundle.version, bundle.author)))
    screen.write(f"{printable(header)}\n{printable(bundle.description)}\n")
    answers = {
        question.name: _answer(question, arguments.env.get(question.name))
        for question in bundle.questions
        if not question.is_secret
    }
    new = bundled_server(bundle, answers, arguments.grants)
    return msgspec.structs.replace(new, name=arguments.name) if arguments.name else new


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


def _new_servers(arguments: ToolsArguments) -> tuple[NewServer, ...]:
    if not arguments.json_file:
        return (
            NewServer(
                name=arguments.name,
                command=arguments.command[0] if arguments.command else "",
                args=arguments.command[1:],
                cwd=arguments.cwd or _folder_of(arguments.command),
                env={name: _value_of(name, value) for name, value in arguments.env.items()},
                url=arguments.url,
                headers={
                    name: _value_of(name.upper().replace("-", "_"), value)
                    for name, value in arguments.headers.items()
                },
                grants=arguments.grants,
            ),
        )
    found = read_servers(_configuration(arguments.json_file))
    servers = [new for new in found if arguments.name in ("", new.name)]
    if not servers:
        names = ", ".join(new.name for new in found)
        raise ToolServerInvalid(
            reason=f"the file has no “{one_line(arguments.name)}”, but {one_line(names)}."
        )
    asked = {name for new in servers for name in new.inputs}
    own = {name: _value_of(name, value) for name, value in arguments.env.items() if name not in asked}
    return tuple(
        msgspec.structs.replace(
            new, grants=arguments.grants, env={**new.env, **own} if new.command else new.env
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


def _test(app: App, loop: EngineLoop, name: str, *, screen: Screen) -> int:
    screen.show_status(f"Starting {name}…")
    try:
        info = loop.wait(app.tool_servers.test(name))
    except FiresideError as exc:
        screen.say(f"{_printable_lines(exc.sentence())}\n")
        return 1
    finally:
        screen.clear_status()
    screen.write(f"{one_line(name)}: {ServerState.RUNNING.value}. {_sandbox(info)}\n")
    tools = [tool for tool in loop.wait(app.tools.tools()) if tool.name.startswith(f"{name}__")]
    screen.write(tools_table(tools))
    for tool in tools:
        if tool.change:
            screen.write(f"\n{tool.name} is not what you allowed:\n{_printable_lines(tool.change)}\n")
    if info.task_tools:
        names = ", ".join(map(one_line, info.task_tools))
        screen.write(f"Left out, as they run only as tasks, which is not supported: {names}\n")
    if info.excluded_tools:
        screen.write(f"Left out, for their names: {', '.join(map(one_line, info.excluded_tools))}\n")
    return 0


def _confirm(app: App, loop: EngineLoop, arguments: ToolsArguments, *, screen: Screen) -> int:
    known = {info.server.name: info for info in loop.wait(app.tool_servers.servers())}
    info = known.get(arguments.name)
    if info is not None:
        screen.write(_description(info.server))
        if info.current_facts is not None and info.server.confirmed is not None:
            screen.write(
                "".join(f"  {line}\n" for line in changes_between(info.server.confirmed, info.current_facts))
            )
        if (
            info.current_facts is not None
            and not arguments.is_sure
            and not _confirms("Confirm this server as it is now?")
        ):
            screen.say("Not confirmed.\n")
            return 1
    loop.wait(app.tool_servers.confirm(arguments.name))
    screen.write(f"“{one_line(arguments.name)}” confirmed.\n")
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


def _confirms(question: str) -> bool:
    if not _is_terminal():
        sys.stderr.write("fireside: this needs your confirmation. In a script, add --yes.\n")
        return False
    try:
        return input(f"{question} [y/N] ").strip().casefold() in ("y", "yes")
    except EOFError:
        return False


def _is_terminal() -> bool:
    return sys.stdin is not None and sys.stdin.isatty()


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
    if not _is_terminal():
        reason = f"“{one_line(question)}” is asked for, and this is no terminal. {one_line(hint)}"
        raise ToolServerInvalid(reason=reason)
    try:
        return getpass(f"{one_line(question)}: ")
    except EOFError:
        raise ToolServerInvalid(reason=f"no “{one_line(question)}” was given.") from None


def _printable_lines(text: str) -> str:
    return "\n".join(map(one_line, text.splitlines()))
