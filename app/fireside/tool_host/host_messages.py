"""What the program and the tool host tell each other, in the frames of ``wire``."""

from __future__ import annotations

import sys
from typing import Final

import msgspec

from fireside.core.elicitation import Elicitation, ElicitationReply
from fireside.core.i18n import Translatable
from fireside.core.tool_servers import (
    FilledPrompt,
    ResourceContent,
    Sandbox,
    ServerPrompt,
    ServerResource,
    ServerTool,
)
from fireside.wire.codec import decode_body

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
    sign_in: str = ""
    """What was kept of a sign-in."""
    may_sign_in: bool = False
    """The user waits to sign in anew."""


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


class ListResources(msgspec.Struct, frozen=True, kw_only=True, tag="resources"):
    call: int
    server: str


class ReadResource(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    """With ``arguments`` the address is a template."""

    call: int
    server: str
    uri: str
    arguments: dict[str, str] = {}


class FillPrompt(msgspec.Struct, frozen=True, kw_only=True, tag="prompt"):
    call: int
    server: str
    prompt: str
    arguments: dict[str, str] = {}


class AnswerElicitation(msgspec.Struct, frozen=True, kw_only=True, tag="answer"):
    server: str
    reply: ElicitationReply


class CancelCall(msgspec.Struct, frozen=True, kw_only=True, tag="cancel"):
    call: int


class EndHost(msgspec.Struct, frozen=True, kw_only=True, tag="end"):
    """Stop all servers in order, and exit."""


ServerQuery = ListResources | ReadResource | FillPrompt
"""What the user asks of a server. Its answer is one of its own, or ``CallEnded`` with what went wrong."""
Command = StartServer | StopServer | CallTool | ServerQuery | AnswerElicitation | CancelCall | EndHost


class ServerStarted(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    server: str
    tools: tuple[ServerTool, ...]
    prompts: tuple[ServerPrompt, ...]
    sandbox: Sandbox
    revision: str
    """Of the protocol."""


class ListsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="listed"):
    """The server says that its tools, prompts or resources are others now."""

    server: str
    tools: tuple[ServerTool, ...]
    prompts: tuple[ServerPrompt, ...]


class ServerLogged(msgspec.Struct, frozen=True, kw_only=True, tag="logged"):
    """What a server wrote beside the protocol."""

    server: str
    lines: tuple[str, ...]


class ServerEnded(msgspec.Struct, frozen=True, kw_only=True, tag="ended"):
    server: str
    problem: Translatable = ""
    """A sentence; empty where it was stopped."""
    needs_sign_in: bool = False
    """It answers those alone who have signed in."""


class SignInRequested(msgspec.Struct, frozen=True, kw_only=True, tag="sign_in"):
    """The user has to open an address to sign in to a server that starts."""

    server: str
    url: str


class SignInUpdated(msgspec.Struct, frozen=True, kw_only=True, tag="kept"):
    """What is to be kept of a sign-in, as a secret."""

    server: str
    text: str


class CallProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="progressed"):
    call: int
    message: str = ""
    fraction: float | None = None


class ElicitationRequested(msgspec.Struct, frozen=True, kw_only=True, tag="asked"):
    """The server waits for the user within a call, which does not count as time of the call."""

    call: int
    asked: Elicitation


class ResourcesListed(msgspec.Struct, frozen=True, kw_only=True, tag="resources"):
    call: int
    resources: tuple[ServerResource, ...]


class ResourceRead(msgspec.Struct, frozen=True, kw_only=True, tag="read"):
    call: int
    contents: tuple[ResourceContent, ...]


class PromptFilled(msgspec.Struct, frozen=True, kw_only=True, tag="prompt"):
    call: int
    filled: FilledPrompt


class CallEnded(msgspec.Struct, frozen=True, kw_only=True, tag="call_ended"):
    call: int
    text: str
    is_error: bool = False


CallReply = CallEnded | ResourcesListed | ResourceRead | PromptFilled
"""What ends a call."""
Report = (
    ServerStarted
    | ListsChanged
    | ServerLogged
    | ServerEnded
    | SignInRequested
    | SignInUpdated
    | CallProgressed
    | ElicitationRequested
    | CallReply
)

_COMMANDS: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(Command)
_REPORTS: msgspec.msgpack.Decoder[Report] = msgspec.msgpack.Decoder(Report)


def decode_command(body: bytes) -> Command:
    """Return the command in a frame. Raises ``FrameError``."""
    return decode_body(body, decoder=_COMMANDS)


def decode_report(body: bytes) -> Report:
    """Return the report in a frame. Raises ``FrameError``."""
    return decode_body(body, decoder=_REPORTS)


def host_command() -> tuple[str, ...]:
    """Return the command that starts the tool host of this very program."""
    return (sys.executable, "-P", "-m", "fireside.tool_host")
