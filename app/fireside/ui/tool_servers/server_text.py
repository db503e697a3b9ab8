"""The texts of the tools page about servers. Pure functions."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final
from urllib.parse import urlsplit

from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import number, render, tr, tr_noop
from fireside.core.tool_servers import (
    BEHIND_ADDRESS,
    NOT_SANDBOXED,
    PARTLY_SANDBOXED,
    Grants,
    Sandbox,
    ServerFacts,
    ServerState,
    ToolServer,
    ToolServerInfo,
    changes_between,
    downloader,
    unpinned_package,
)

STATE_LABELS: Final = {
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
_FACT_LABELS: Final = {
    "command": tr_noop("Command"),
    "env": tr_noop("Variables"),
    "executable": tr_noop("Program file"),
    "cwd": tr_noop("Starts in"),
    "url": tr_noop("Address"),
    "headers": tr_noop("Headers"),
    "grants": tr_noop("Access"),
}
_SANDBOX_TEXTS: Final = {
    Sandbox.FULL: tr_noop("Sandboxed."),
    Sandbox.NO_NAMESPACES: PARTLY_SANDBOXED,
    Sandbox.NONE: NOT_SANDBOXED,
}


def access_text(server: ToolServer, *, is_confined: bool) -> str:
    """Return what a server is started with and may access, and whether a sandbox enforces that."""
    names = with_invisible_named(", ".join((*server.env, *server.headers)))
    if server.url:
        lines = [
            f"{tr(_FACT_LABELS['headers'])}: {names}" if names else "",
            tr(BEHIND_ADDRESS[server.is_on_this_computer]),
        ]
    else:
        lines = [
            f"{tr(_FACT_LABELS['env'])}: {names}" if names else "",
            f"{tr(_FACT_LABELS['cwd'])}: {with_invisible_named(server.cwd)}" if server.cwd else "",
            grants_text(server.grants),
            tr("Sandboxed.") if is_confined else tr(NOT_SANDBOXED),
        ]
    return "\n".join(filter(None, lines))


def grants_text(grants: Grants) -> str:
    """Return the grants, one per line."""
    lines = [tr("Reads {folder}").format(folder=folder) for folder in grants.readable]
    lines += [tr("Changes {folder}").format(folder=folder) for folder in grants.writable]
    lines.append(tr("Uses the network") if grants.network else tr("No network"))
    return "\n".join(lines)


def sandbox_text(info: ToolServerInfo) -> str:
    """Return how the process is confined, or where it runs; empty where none has been started yet."""
    if info.server.url:
        return tr(BEHIND_ADDRESS[info.server.is_on_this_computer])
    return "" if info.sandbox is None else tr(_SANDBOX_TEXTS[info.sandbox])


def change_text(info: ToolServerInfo) -> str:
    """Return how a server differs from the one that was confirmed."""
    if info.current_facts is None:
        return ""
    before = info.server.confirmed or ServerFacts()
    changed = {
        line.partition(": ")[0]: line.partition(": ")[2]
        for line in changes_between(before, info.current_facts)
    }
    if "grants" in changed:
        old, new = (grants_text(facts.grants).replace("\n", ", ") for facts in (before, info.current_facts))
        changed["grants"] = f"{old} → {new}"
    return "\n".join(f"{tr(_FACT_LABELS[name])}: {change}" for name, change in changed.items())


def server_problem_text(info: ToolServerInfo) -> str:
    """Return why a server failed."""
    return render(info.problem) if info.state is ServerState.FAILED else ""


def calls_text(info: ToolServerInfo) -> str:
    """Return the latest calls, one per line, the newest first."""
    return "\n".join(
        " · ".join(
            filter(
                None,
                (
                    time.strftime("%X", time.localtime(call.at)),
                    with_invisible_named(call.tool),
                    tr("{seconds} s").format(seconds=number(call.seconds, decimals=1)),
                    tr("Failed") if call.is_error else "",
                ),
            )
        )
        for call in reversed(info.calls)
    )


def sign_in_text(info: ToolServerInfo) -> str:
    """Return where the user signs in: the host, and the whole address."""
    if not info.sign_in_url:
        return ""
    host = with_invisible_named(urlsplit(info.sign_in_url).netloc)
    text = tr("To sign in, open this page of {host}:").format(host=host)
    return f"{text}\n{with_invisible_named(info.sign_in_url)}"


def unpinned_text(command: Sequence[str]) -> str:
    """Return a warning that a command fetches the newest version at each start; empty where it does not."""
    package = unpinned_package(command)
    if not package:
        return ""
    is_python = downloader(command).startswith(("uv", "pipx"))
    pinned = f"{package}==VERSION" if is_python else f"{package}@VERSION"
    return tr(
        "This downloads the newest version of {package} when it starts, so it can change at any time, and "
        "it needs the network. Write {pinned} to stay with one version."
    ).format(package=with_invisible_named(package), pinned=with_invisible_named(pinned))
