"""The messages between the program and the tool host, sent in the frames of ``wire``."""

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
from fireside.wire.frames import decode_body

MAX_LINE_BYTES: Final = 32 << 20
"""Of one message of a server. A result of 5 MB has 10 and more, as many servers send it as text and as JSON.
A longer one is not read; the request that it answers fails."""


class StdioLaunch(msgspec.Struct, frozen=True, kw_only=True, tag="stdio"):
    """A server to be started on this computer."""

    command: tuple[str, ...]
    cwd: str
    environment: dict[str, str]
    """The complete environment."""
    readable: tuple[str, ...]
    writable: tuple[str, ...]
    network: bool
    without_sandbox: bool
    """Whether it may start if it cannot be confined."""
    is_confined: bool = True
    """Whether a sandbox is tried at all."""
    is_strict: bool = False
    """Confine it to one process that computes: no socket, no further process, and a file system of its own.
    That has parts of the system, ``readable``, and ``cwd``, empty and in memory; there is no ``writable``."""
    limits: dict[str, int] = {}
    """Limits by their names in ``resource``, such as ``RLIMIT_AS``."""
    cwd_bytes: int = 0
    """Of a strict one: how much ``cwd`` holds."""


class HttpLaunch(msgspec.Struct, frozen=True, kw_only=True, tag="http"):
    """A server behind a URL."""

    url: str
    headers: dict[str, str]
    proxy: str = ""
    ca_file: str = ""
    sign_in: str = ""
    """The stored sign-in."""
    may_sign_in: bool = False
    """The user is present and may sign in."""


class StartServer(msgspec.Struct, frozen=True, kw_only=True, tag="start"):
    server: str
    launch: StdioLaunch | HttpLaunch


class StopServer(msgspec.Struct, frozen=True, kw_only=True, tag="stop"):
    server: str


class CallTool(msgspec.Struct, frozen=True, kw_only=True, tag="call"):
    """``arguments`` is a JSON object as text; ``limit_s`` starts again with progress, up to ``cap_s``."""

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
    """With ``arguments``, ``uri`` is a template."""

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
    """Stop all servers, and exit."""


ServerQuery = ListResources | ReadResource | FillPrompt
"""A request other than a tool call; its reply has its own type, or is ``CallEnded`` with an error."""
Command = StartServer | StopServer | CallTool | ServerQuery | AnswerElicitation | CancelCall | EndHost


class ServerStarted(msgspec.Struct, frozen=True, kw_only=True, tag="started"):
    server: str
    tools: tuple[ServerTool, ...]
    prompts: tuple[ServerPrompt, ...]
    sandbox: Sandbox
    task_tools: tuple[str, ...] = ()
    """Names of tools that run only as tasks, which cannot be called."""
    revision: str
    """Protocol revision."""


class ListsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="listed"):
    """The server reports that its tools, prompts or resources changed."""

    server: str
    tools: tuple[ServerTool, ...]
    prompts: tuple[ServerPrompt, ...]
    task_tools: tuple[str, ...] = ()


class ServerLogged(msgspec.Struct, frozen=True, kw_only=True, tag="logged"):
    """Lines of a server on standard error, or on standard output outside the protocol."""

    server: str
    lines: tuple[str, ...]


class ServerEnded(msgspec.Struct, frozen=True, kw_only=True, tag="ended"):
    server: str
    problem: Translatable = ""
    """A sentence; empty if the server was stopped."""
    needs_sign_in: bool = False
    """The server requires the user to sign in."""


class SignInRequested(msgspec.Struct, frozen=True, kw_only=True, tag="sign_in"):
    """The user must open a URL to sign in to a server that starts."""

    server: str
    url: str


class SignInUpdated(msgspec.Struct, frozen=True, kw_only=True, tag="kept"):
    """The sign-in to store, as a secret."""

    server: str
    text: str


class CallProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="progressed"):
    call: int
    message: str = ""
    fraction: float | None = None


class ElicitationRequested(msgspec.Struct, frozen=True, kw_only=True, tag="asked"):
    """A server asks the user during a call; the time until the reply does not count."""

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
    images: tuple[bytes, ...] = ()
    """Files in formats of any kind, which the server calls images."""
    structured: str = ""
    """The JSON of a result that has a text besides."""


CallReply = CallEnded | ResourcesListed | ResourceRead | PromptFilled
"""The last report of a call."""
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
REPORTS: Final[msgspec.msgpack.Decoder[Report]] = msgspec.msgpack.Decoder(Report)
"""Decodes what the host sends."""


def decode_command(body: bytes) -> Command:
    """Decode the command in a frame. Raises ``FrameError``."""
    return decode_body(body, decoder=_COMMANDS)


def host_command() -> tuple[str, ...]:
    """Return the command line that starts the tool host."""
    return (sys.executable, "-P", "-m", "fireside.tool_host")
