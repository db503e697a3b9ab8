"""MCP servers: configuration, capabilities and state."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from enum import StrEnum
from itertools import pairwise
from typing import Final
from urllib.parse import urlsplit

import msgspec

from fireside.core.graphemes import with_invisible_named
from fireside.core.i18n import Translatable, tr, tr_noop
from fireside.core.loopback import is_loopback
from fireside.core.message import ImagePart, MadeFile
from fireside.core.tools import TOOL_LABELS, Taint

SERVER_NAME: Final = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,23}")
"""Valid names of servers; their tools are named ``server__tool``."""
SEPARATOR: Final = "__"
NOT_SANDBOXED: Final = tr_noop("Not sandboxed: can read all your files.")
BEHIND_ADDRESS: Final = {
    True: tr_noop("It runs on this computer and sees what the model sends."),
    False: tr_noop("It runs elsewhere and sees what the model sends."),
}
"""What a server with an address is, by ``is_on_this_computer``."""
PARTLY_SANDBOXED: Final = tr_noop(
    "Sandboxed, but this system allows no namespaces: it can send UDP, change the permissions of your files, "
    "and read memory that your programs share."
)


def tool_label(name: str) -> str:
    """Return a tool's name for the user: of a server's ``time__get_current_time``, “Get current time”."""
    if name in TOOL_LABELS:
        return tr(TOOL_LABELS[name])
    own = name.partition(SEPARATOR)[2]
    if not own:
        return with_invisible_named(name)
    words = " ".join(re.split(r"[_\-]+|(?<=[a-z0-9])(?=[A-Z])", own)).strip() or own
    return with_invisible_named(words[:1].upper() + words[1:])


class Sandbox(StrEnum):
    """The sandbox that limits a local server to its grants."""

    FULL = "full"
    NO_NAMESPACES = "no-namespaces"
    """Files and TCP are restricted; UDP, and with it DNS, is not."""
    NONE = "none"
    REMOTE = "remote"
    """The server is behind an address, and receives what calls send."""


class ServerTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a server lists it."""

    name: str
    """The server's name, which may contain anything."""
    description: str = ""
    parameters: str = "{}"
    """JSON Schema of the arguments."""
    output: str = ""
    """JSON Schema of the result, or empty."""


class PromptArgument(msgspec.Struct, frozen=True, kw_only=True):
    """An argument of a prompt, or of a resource template."""

    name: str
    description: str = ""
    is_required: bool = False


class ServerPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt as a server lists it."""

    name: str
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


class ServerResource(msgspec.Struct, frozen=True, kw_only=True):
    """A resource or resource template as a server lists it."""

    uri: str
    """The URI, or for a template, a URI template (RFC 6570)."""
    name: str
    description: str = ""
    media_type: str = ""
    size_bytes: int | None = None
    arguments: tuple[PromptArgument, ...] = ()
    """Variables of the URI template."""


class ResourceContent(msgspec.Struct, frozen=True, kw_only=True):
    """The content of a resource: ``text``, or if that is ``None``, ``data``."""

    uri: str
    media_type: str = ""
    text: str | None = None
    data: bytes = b""


class FilledPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt with its arguments filled in: a text for the user to send, and attachments."""

    text: str
    contents: tuple[ResourceContent, ...] = ()


class ToolOutput(msgspec.Struct, frozen=True, kw_only=True):
    """What a call of a tool returned."""

    text: str
    notes: str = ""
    """What the model is told besides, of what the user sees by itself."""
    images: tuple[ImagePart, ...] = ()
    files: tuple[MadeFile, ...] = ()
    memory_bytes: int | None = None
    """The most that the process of the call has used; ``None`` where nobody knows."""
    structured: str = ""
    """JSON besides the text, for a person who calls a tool by hand."""
    is_error: bool = False
    """Whether the call failed, for which ``text`` is the reason."""


class Grants(msgspec.Struct, frozen=True, kw_only=True):
    """What a local server may access in addition to its own program."""

    readable: tuple[str, ...] = ()
    """Paths of folders and files."""
    writable: tuple[str, ...] = ()
    network: bool = False
    without_sandbox: bool = False
    """Whether the user agreed to run it where no sandbox enforces the grants."""


class ServerFacts(msgspec.Struct, frozen=True, kw_only=True):
    """The facts that the user confirms: what a server is and what it may do."""

    command: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    """Names of environment variables."""
    executable: str = ""
    """Hash of the program file."""
    cwd: str = ""
    """The working directory, which relative arguments depend on."""
    url: str = ""
    headers: tuple[str, ...] = ()
    grants: Grants = Grants()

    @property
    def fingerprint(self) -> str:
        """The hash of all facts."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()


class ToolServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server as it is stored. ``${input:NAME}`` in values is replaced by a secret at its start."""

    name: str
    command: tuple[str, ...] = ()
    """The absolute path of the executable, and arguments; empty if there is a URL."""
    cwd: str = ""
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    grants: Grants = Grants()
    confirmed: ServerFacts | None = None
    """The confirmed facts; a server with other facts is not started."""
    tools: tuple[ServerTool, ...] = ()
    """As of the last listing."""
    reviewed: tuple[ServerTool, ...] = ()
    """The tools that the user decided about, as they were then."""
    prompts: tuple[ServerPrompt, ...] = ()
    """As of the last listing."""

    @property
    def command_or_url(self) -> str:
        """The exact command, or the URL."""
        return self.url or command_line(self.command)

    @property
    def is_on_this_computer(self) -> bool:
        """Whether it is a program of this computer, by its command or by its address."""
        try:
            return not self.url or is_loopback(urlsplit(self.url).hostname or "")
        except ValueError:
            return False

    @property
    def taints(self) -> frozenset[Taint]:
        """The taints of its calls, by its grants."""
        taints = {Taint.UNTRUSTED}
        if self.grants.readable or self.grants.writable:
            taints.add(Taint.PRIVATE)
        if self.url or self.grants.network or self.grants.writable:
            taints.add(Taint.OUTBOUND)
        return frozenset(taints)

    def facts(self, *, executable: str) -> ServerFacts:
        """Return the facts to confirm; ``executable`` is the hash of the program file."""
        return ServerFacts(
            command=self.command,
            env=tuple(sorted(self.env)),
            executable=executable,
            cwd=self.cwd,
            url=self.url,
            headers=tuple(sorted(self.headers)),
            grants=self.grants,
        )


class NewServer(msgspec.Struct, frozen=True, kw_only=True):
    """A server that the user adds. The values of inputs are secrets."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    grants: Grants = Grants()
    inputs: dict[str, str] = {}
    """Inputs by name: first their descriptions, then the values that the user entered."""


class QuestionKind(StrEnum):
    """The kind of a value that a bundle asks for."""

    TEXT = "text"
    NUMBER = "number"
    SWITCH = "switch"
    FOLDER = "folder"
    FILE = "file"


class BundleQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a bundle asks for; ``default`` may have several items if ``is_multiple``."""

    name: str
    title: str
    description: str = ""
    kind: QuestionKind = QuestionKind.TEXT
    is_required: bool = False
    is_secret: bool = False
    is_multiple: bool = False
    default: tuple[str, ...] = ()


class ServerBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A server in an unpacked bundle (``.mcpb``). Its description of itself is not verified."""

    name: str
    title: str
    version: str = ""
    author: str = ""
    description: str = ""
    folder: str
    command: str
    args: tuple[str, ...] = ()
    env: dict[str, str] = {}
    questions: tuple[BundleQuestion, ...] = ()


class ServerState(StrEnum):
    """State of a server."""

    STOPPED = "stopped"
    """It is started by the first call."""
    STARTING = "starting"
    RUNNING = "running"
    FAILED = "failed"
    """It could not be started, or ended by itself."""
    CHANGED = "changed"
    """It differs from what the user confirmed, and is not started before they confirm it again."""


class CallNote(msgspec.Struct, frozen=True, kw_only=True):
    """A record of a tool call."""

    tool: str
    at: float
    """Seconds since 1970."""
    seconds: float
    is_error: bool = False


class ToolServerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A server with its state, as shown to the user."""

    server: ToolServer
    state: ServerState
    sandbox: Sandbox | None = None
    """The sandbox of the current or last process."""
    problem: Translatable = ""
    """Why it failed, as a sentence."""
    log: tuple[str, ...] = ()
    """The last lines of its log."""
    calls: tuple[CallNote, ...] = ()
    """The latest calls since the start of the program, the newest last."""
    task_tools: tuple[str, ...] = ()
    """Names of tools that run only as tasks of the protocol, which is not supported."""
    excluded_tools: tuple[str, ...] = ()
    """Names of tools that cannot be called."""
    needs_sign_in: bool = False
    """Whether the user must sign in to use it."""
    sign_in_url: str = ""
    """The URL to open while it starts; chosen by the server."""
    is_signed_in: bool = False
    current_facts: ServerFacts | None = None
    """The actual facts of a server in state ``CHANGED``."""


def changes_between(before: ServerFacts, now: ServerFacts) -> tuple[str, ...]:
    """Return a line for each difference: name, old value, new value."""
    return tuple(
        f"{name}: {_value_text(getattr(before, name))} → {_value_text(getattr(now, name))}"
        for name in ServerFacts.__struct_fields__
        if getattr(before, name) != getattr(now, name)
    )


def _value_text(value: object) -> str:
    match value:
        case str():
            return value or "-"
        case Grants():
            return msgspec.json.encode(value).decode()
        case tuple():
            return command_line(value) or "-"
        case _:
            return str(value)


def downloader(command: Sequence[str]) -> str:
    """Return how users name what downloads a server when it starts, as “npx” or “pnpm dlx”; empty if nothing
    does."""
    program, args = _program(command)
    subcommands = _DOWNLOADERS.get(program)
    word = next(
        (arg for before, arg in pairwise(("", *args)) if arg[:1] != "-" and before not in _VALUE_OPTIONS), ""
    )
    if subcommands is None or (subcommands and word not in subcommands):
        return ""
    return f"{program} {word}" if subcommands else program


def starts_container(command: Sequence[str]) -> bool:
    """Whether a command has a service start a container, which no sandbox around the command includes."""
    return _program(command)[0] in _CONTAINER_PROGRAMS


def unpinned_package(command: Sequence[str]) -> str:
    """Return the package whose newest version a command downloads at each start; empty for none."""
    if downloader(command) in ("", "uv run") or starts_container(command):
        return ""
    args = iter(_program(command)[1])
    package = ""
    for arg in args:
        if arg in ("--from", "-p", "--package", "--spec"):
            package = next(args, "")
            break
        if not arg.startswith("-") and arg not in ("tool", "run", "exec", "dlx", "x"):
            package = arg
            break
    has_version = "@" in package[1:] or "==" in package or package.startswith((".", "/", "git+", "http"))
    is_newest = package.endswith("@latest")
    return "" if has_version and not is_newest else package


def _program(command: Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the plain name of a program, and its arguments."""
    name = re.split(r"[/\\]", command[0])[-1].lower().split(".")[0] if command else ""
    if name == "cmd" and len(command) > 2:  # by which Windows starts scripts such as npx
        return _program(command[2:])
    return name, tuple(command[1:])


_CONTAINER_PROGRAMS: Final = ("docker", "podman", "nerdctl")
_DOWNLOADERS: Final = {
    **dict.fromkeys(("npx", "pnpx", "bunx", "uvx"), ()),
    **dict.fromkeys(_CONTAINER_PROGRAMS, ("run",)),
    "npm": ("exec", "x"),
    "pnpm": ("dlx",),
    "yarn": ("dlx",),
    "bun": ("x",),
    "uv": ("run", "tool"),
    "pipx": ("run",),
}
"""Programs that download what they start, with the subcommands by which they do; none for all."""
_VALUE_OPTIONS: Final = ("--directory", "--project", "--prefix", "--context", "--host", "-H", "-C")
"""Options before a subcommand that have a value."""


def command_line(command: tuple[str, ...]) -> str:
    """Return a command for display, in full; arguments with special characters are quoted."""
    return " ".join(part if _PLAIN.fullmatch(part) else _quoted(part) for part in command)


_PLAIN: Final = re.compile(r"[\w@%+=:,./\\~^-]+", re.ASCII)


def _quoted(part: str) -> str:
    return msgspec.json.encode("".join(_visible(char) for char in part)).decode()


def _visible(char: str) -> str:
    return char if char.isprintable() else f"[U+{ord(char):04X}]"
