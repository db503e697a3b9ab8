"""What the page of tools says about servers. Pure."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import render, tr, tr_noop
from fireside.core.tool_servers import (
    NOT_SANDBOXED,
    Facts,
    Grants,
    Sandbox,
    ServerState,
    ToolServer,
    ToolServerInfo,
    changes_between,
)

STATE_WORDS: Final = {
    ServerState.STOPPED: tr_noop("Not started"),
    ServerState.STARTING: tr_noop("Starting…"),
    ServerState.RUNNING: tr_noop("Running"),
    ServerState.FAILED: tr_noop("Failed"),
    ServerState.CHANGED: tr_noop("Changed"),
}
STATE_TONES: Final = {
    ServerState.RUNNING: "ok",
    ServerState.FAILED: "danger",
    ServerState.CHANGED: "warn",
}
_FACT_WORDS: Final = {
    "command": tr_noop("Command"),
    "env": tr_noop("Variables"),
    "executable": tr_noop("Program file"),
    "url": tr_noop("Address"),
    "headers": tr_noop("Headers"),
    "grants": tr_noop("Access"),
}
_SANDBOX_WORDS: Final = {
    Sandbox.FULL: tr_noop("Sandboxed."),
    Sandbox.NO_NAMESPACES: tr_noop("Sandboxed, but it can send UDP: this system allows no namespaces."),
    Sandbox.NONE: NOT_SANDBOXED,
    Sandbox.REMOTE: tr_noop("It runs elsewhere and sees what the model sends."),
}


def access_words(server: ToolServer, *, is_confined: bool) -> str:
    """Return what a server may get at, and whether anything holds it to that."""
    if server.url:
        return tr(_SANDBOX_WORDS[Sandbox.REMOTE])
    held = tr("Sandboxed.") if is_confined else tr(NOT_SANDBOXED)
    return f"{grants_words(server.grants)}\n{held}"


def grants_words(grants: Grants) -> str:
    """Return what was granted, a line each."""
    lines = [tr("Reads {folder}").format(folder=folder) for folder in grants.readable]
    lines += [tr("Changes {folder}").format(folder=folder) for folder in grants.writable]
    lines.append(tr("Uses the network") if grants.network else tr("No network"))
    return "\n".join(lines)


def sandbox_words(sandbox: Sandbox | None) -> str:
    """Return how the process is confined; empty where none has run yet."""
    return "" if sandbox is None else tr(_SANDBOX_WORDS[sandbox])


def change_words(info: ToolServerInfo) -> str:
    """Return how a server differs from what was confirmed."""
    if info.now is None:
        return ""
    before = info.server.confirmed or Facts()
    lines = (line.partition(": ") for line in changes_between(before, info.now))
    return "\n".join(f"{tr(_FACT_WORDS[name])}: {rest}" for name, _, rest in lines)


def problem_words(info: ToolServerInfo) -> str:
    """Return why a server failed."""
    return render(info.problem) if info.state is ServerState.FAILED else ""


def count_words(n_servers: int, n_tools: int) -> str:
    """Return how much there is."""
    servers = tr("%n server|%n servers", "", n_servers)
    tools = tr("%n tool|%n tools", "", n_tools)
    return f"{servers} · {tools}"
