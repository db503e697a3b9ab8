"""MCP servers: configuration, what a server offers, and its state."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.i18n import Translatable, tr_noop
from fireside.core.tools import Taint

SERVER_NAME: Final = re.compile(r"[a-z0-9](?:-?[a-z0-9]){0,23}")
"""Names of servers: their tools are called ``server__tool``."""
SEPARATOR: Final = "__"
NOT_SANDBOXED: Final = tr_noop("Not sandboxed: can read all your files.")


class Sandbox(StrEnum):
    """What keeps a server of this computer from files and network that were not granted."""

    FULL = "full"
    NO_NAMESPACES = "no-namespaces"
    """Files and TCP are kept from it; UDP, and with it DNS, is not."""
    NONE = "none"
    REMOTE = "remote"
    """It runs elsewhere and sees what calls send."""


class ServerTool(msgspec.Struct, frozen=True, kw_only=True):
    """A tool as a server lists it."""

    name: str
    """The server's own; it may hold anything."""
    description: str = ""
    parameters: str = "{}"
    """JSON Schema of the arguments."""
    output: str = ""
    """JSON Schema of the result, or nothing."""


class PromptArgument(msgspec.Struct, frozen=True, kw_only=True):
    """A text that a prompt, or the address of a resource, is filled in with."""

    name: str
    description: str = ""
    is_required: bool = False


class ServerPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """A prompt as a server lists it."""

    name: str
    description: str = ""
    arguments: tuple[PromptArgument, ...] = ()


class ServerResource(msgspec.Struct, frozen=True, kw_only=True):
    """What a server has to be read, as it lists it."""

    uri: str
    """Of several that are addressed alike a template (RFC 6570)."""
    name: str
    description: str = ""
    media_type: str = ""
    size_bytes: int | None = None
    arguments: tuple[PromptArgument, ...] = ()
    """What a template is filled in with."""


class ResourceContent(msgspec.Struct, frozen=True, kw_only=True):
    """What a resource holds: ``text``, or where that is ``None`` the bytes of a file."""

    uri: str
    media_type: str = ""
    text: str | None = None
    data: bytes = b""


class FilledPrompt(msgspec.Struct, frozen=True, kw_only=True):
    """What a server made of a prompt: words for the user to send, and what goes along with them."""

    text: str
    contents: tuple[ResourceContent, ...] = ()


class Grants(msgspec.Struct, frozen=True, kw_only=True):
    """What a server of this computer may get at, besides its own program."""

    readable: tuple[str, ...] = ()
    """Folders."""
    writable: tuple[str, ...] = ()
    network: bool = False
    without_sandbox: bool = False
    """The user agreed that it starts where nothing holds it to this."""


class ServerFacts(msgspec.Struct, frozen=True, kw_only=True):
    """What consent is bound to: what a server is and what it may do."""

    command: tuple[str, ...] = ()
    env: tuple[str, ...] = ()
    """Names of variables."""
    executable: str = ""
    """Hash of the program's content."""
    cwd: str = ""
    """Where it starts: a relative argument is another file elsewhere."""
    url: str = ""
    headers: tuple[str, ...] = ()
    grants: Grants = Grants()

    @property
    def fingerprint(self) -> str:
        """The hash of it all."""
        return hashlib.sha256(msgspec.json.encode(self)).hexdigest()


class ToolServer(msgspec.Struct, frozen=True, kw_only=True):
    """One server as it is stored. Where a value holds ``${input:NAME}``, a secret is put in at its start."""

    name: str
    command: tuple[str, ...] = ()
    """The executable, absolute, and its arguments; empty where there is an address."""
    cwd: str = ""
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    grants: Grants = Grants()
    confirmed: ServerFacts | None = None
    """As the user confirmed them; a server of other facts does not start."""
    tools: tuple[ServerTool, ...] = ()
    """As listed last."""
    reviewed: tuple[ServerTool, ...] = ()
    """Those that the user decided about, as they were then."""
    prompts: tuple[ServerPrompt, ...] = ()
    """As listed last."""

    @property
    def command_or_url(self) -> str:
        """The exact command, or the address."""
        return self.url or command_line(self.command)

    @property
    def taints(self) -> frozenset[Taint]:
        """What its calls touch, by what it was granted."""
        found = {Taint.UNTRUSTED}
        if self.grants.readable or self.grants.writable:
            found.add(Taint.PRIVATE)
        if self.url or self.grants.network or self.grants.writable:
            found.add(Taint.OUTBOUND)
        return frozenset(found)

    def facts(self, *, executable: str) -> ServerFacts:
        """Return what is to be confirmed; ``executable`` is the hash of the program's content."""
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
    """A server that the user wants to add. Values of variables and headers are secrets."""

    name: str
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    grants: Grants = Grants()
    inputs: dict[str, str] = {}
    """Values that are asked for, by name: what the question says, until they are filled in."""


class QuestionKind(StrEnum):
    """What a bundle asks for."""

    TEXT = "text"
    NUMBER = "number"
    SWITCH = "switch"
    FOLDER = "folder"
    FILE = "file"


class BundleQuestion(msgspec.Struct, frozen=True, kw_only=True):
    """A value that a bundle needs; ``default`` has several where ``is_multiple``."""

    name: str
    title: str
    description: str = ""
    kind: QuestionKind = QuestionKind.TEXT
    is_required: bool = False
    is_secret: bool = False
    is_multiple: bool = False
    default: tuple[str, ...] = ()


class ServerBundle(msgspec.Struct, frozen=True, kw_only=True):
    """A server in a file (``.mcpb``), unpacked and not started. What it says about itself is not verified."""

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
    """Where a server stands."""

    STOPPED = "stopped"
    """It starts with the first call."""
    STARTING = "starting"
    RUNNING = "running"
    FAILED = "failed"
    """It could not be started, or ended by itself."""
    CHANGED = "changed"
    """It is not what the user confirmed, and does not start before that."""


class CallNote(msgspec.Struct, frozen=True, kw_only=True):
    """That a tool of a server was called."""

    tool: str
    at: float
    """In seconds since 1970."""
    seconds: float
    is_error: bool = False


class ToolServerInfo(msgspec.Struct, frozen=True, kw_only=True):
    """A server as the user sees it."""

    server: ToolServer
    state: ServerState
    sandbox: Sandbox | None = None
    """Of the process that runs or ran last."""
    problem: Translatable = ""
    """Why it failed, as a sentence."""
    log: tuple[str, ...] = ()
    """The last lines that it wrote."""
    calls: tuple[CallNote, ...] = ()
    """The last calls since the program started, the last one last."""
    excluded_tools: tuple[str, ...] = ()
    """Names of tools that cannot be called."""
    needs_sign_in: bool = False
    """It answers those alone who have signed in."""
    sign_in_url: str = ""
    """What the user has to open while it starts; the server chose it."""
    is_signed_in: bool = False
    current_facts: ServerFacts | None = None
    """Of a server that is not what was confirmed: what it is."""


def changes_between(before: ServerFacts, now: ServerFacts) -> tuple[str, ...]:
    """Return what differs, a line each: what, how it was, how it is."""
    return tuple(
        f"{name}: {_worded(getattr(before, name))} → {_worded(getattr(now, name))}"
        for name in ServerFacts.__struct_fields__
        if getattr(before, name) != getattr(now, name)
    )


def _worded(value: object) -> str:
    match value:
        case str():
            return value or "-"
        case Grants():
            return msgspec.json.encode(value).decode()
        case tuple():
            return command_line(value) or "-"
        case _:
            return str(value)


def unpinned_package(command: Sequence[str]) -> str:
    """Return the package that a command fetches in its newest version at each start; empty for none."""
    program = re.split(r"[/\\]", command[0])[-1].lower() if command else ""
    runner = next((name for name in _RUNNERS if program.split(".")[0] == name), "")
    if not runner:
        return ""
    words = iter(command[1:])
    package = ""
    for word in words:
        if word in ("--from", "-p", "--package"):
            package = next(words, "")
            break
        if not word.startswith("-") and word not in ("tool", "run", "exec", "dlx", "x"):
            package = word
            break
    has_version = "@" in package[1:] or "==" in package or package.startswith((".", "/", "git+", "http"))
    is_newest = package.endswith("@latest")
    return "" if has_version and not is_newest else package


_RUNNERS: Final = ("npx", "uvx", "bunx", "pnpx")


def command_line(command: tuple[str, ...]) -> str:
    """Return a command as it is shown, exact: parts that hold anything unusual are quoted, nothing is cut."""
    return " ".join(part if _PLAIN.fullmatch(part) else _quoted(part) for part in command)


_PLAIN: Final = re.compile(r"[\w@%+=:,./\\~^-]+", re.ASCII)


def _quoted(part: str) -> str:
    return msgspec.json.encode("".join(_visible(char) for char in part)).decode()


def _visible(char: str) -> str:
    return char if char.isprintable() else f"[U+{ord(char):04X}]"
