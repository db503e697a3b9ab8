"""What the program and the tool host tell each other, in the frames of ``wire``."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from fireside.core.i18n import Words
from fireside.core.tool_servers import Sandbox, ServerTool
from fireside.wire.codec import FrameError

MAX_LINE_BYTES: Final = 8 << 20
"""Of one message of a server; one that sends more without an end is ended."""


class StdioLaunch(msgspec.Struct, frozen=True, kw_only=True, tag="stdio"):
    """A server that is started on this computer."""

    command: tuple[str, ...]
    cwd: str
    environment: dict[str, str]
    """All of it."""
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    network: bool
    without_sandbox: bool
    """It may start where nothing confines it."""


class HttpLaunch(msgspec.Struct, frozen=True, kw_only=True, tag="http"):
    """A server behind an address."""

    url: str
    headers: dict[str, str]
    proxy: str = ""
    ca_file: str = ""


class StartServer(msgspec.Struct, frozen=True, kw_only=True, tag="start"):
    server: str
    launch: StdioLaunch | HttpLaunch


class StopServer(msgspec.Struct, frozen=True, kw_only=True, tag="stop"):
    server: str


class CallTool(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """``arguments`` is the text of one JSON object; ``limit_s`` runs anew with progress, up to ``cap_s``."""

    call: int
    server: str
    tool: str
    arguments: str
    limit_s: float
    cap_s: float


class CancelCall(msgspec.Struct, frozen=True, kw_only=True, tag="cancel"):
    call: int


class EndHost(msgspec.Struct, frozen=True, kw_only=True, tag="end"):
    """Stop all servers in order, and exit."""


Command = StartServer | StopServer | CallTool | CancelCall | EndHost


class ServerStarted(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    server: str
    tools: tuple[ServerTool, ...]
    sandbox: Sandbox
    revision: str
    """Of the protocol."""


class ToolsListed(msgspec.Struct, frozen=True, kw_only=True, tag="listed"):
    """The server says that its tools are others now."""

    server: str
    tools: tuple[ServerTool, ...]


class ServerLogged(msgspec.Struct, frozen=True, kw_only=True, tag="logged"):
    """What a server wrote beside the protocol."""

    server: str
    lines: tuple[str, ...]


class ServerEnded(msgspec.Struct, frozen=True, kw_only=True, tag="ended"):
    server: str
    problem: Words = ""
    """A sentence; empty where it was stopped."""


class CallProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="progressed"):
    call: int
    message: str = ""
    fraction: float | None = None


class CallEnded(msgspec.Struct, frozen=True, kw_only=True, tag="call_ended"):
    call: int
    text: str
    is_error: bool = False


Report = ServerStarted | ToolsListed | ServerLogged | ServerEnded | CallProgressed | CallEnded

_COMMANDS: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(Command)
_REPORTS: msgspec.msgpack.Decoder[Report] = msgspec.msgpack.Decoder(Report)
_INVALID: Final = (msgspec.DecodeError, msgspec.ValidationError, UnicodeDecodeError, RecursionError)


def decode_command(body: bytes) -> Command:
    """Return the command in a frame. Raises ``FrameError``."""
    try:
        return _COMMANDS.decode(body)
    except _INVALID as exc:
        raise FrameError(str(exc)) from exc


def decode_report(body: bytes) -> Report:
    """Return the report in a frame. Raises ``FrameError``."""
    try:
        return _REPORTS.decode(body)
    except _INVALID as exc:
        raise FrameError(str(exc)) from exc


def host_command() -> tuple[str, ...]:
    """Return the command that starts the tool host of this very program."""
    return (sys.executable, "-P", "-m", "fireside.tool_host")
