"""The arguments of ``fireside serve`` and ``fireside api-token``."""

from __future__ import annotations

import argparse
from typing import Any, Final

import msgspec

from fireside.cli.action_parsers import ActionParsers

SERVE_COMMAND: Final = "serve"
TOKEN_COMMAND: Final = "api-token"  # noqa: S105 - the name of the command
SCOPES: Final = ("answer", "load", "manage", "documents", "tools")
"""Scopes of tokens; the first two are the default."""

_MAX_PORT: Final = 65_535
_SERVE_DESCRIPTION: Final = """\
Serve the models of this computer to other programs, in the dialects of OpenAI, Ollama,
Anthropic and llama.cpp. The first line printed is the address. Ctrl+C ends it.
The window and commands such as “fireside run” use the models that it has loaded.
"""
_SERVE_EPILOG: Final = """\
examples:
  fireside serve
  fireside serve --port 0              any free port
  fireside serve --no-token            for clients that send no token, such as Ollama's
  fireside serve --host 192.168.1.5    for other computers, with a token; not encrypted
  fireside serve --socket ~/fireside.sock    for programs of this user alone
"""


class ServeArguments(msgspec.Struct, frozen=True, kw_only=True):
    """The arguments of ``serve`` or ``api-token``."""

    host: str = ""
    """Empty: this computer only."""
    port: int | None = None
    """``None``: the port in the settings; 0: a free port."""
    socket: str = ""
    """Path of a Unix socket, instead of host and port."""
    no_token: bool = False
    action: str = ""
    """``add``, ``list`` or ``revoke`` a token."""
    name: str = ""
    scopes: tuple[str, ...] = ()


def add_serve_commands(commands: argparse._SubParsersAction[Any]) -> None:
    """Add ``serve`` and ``api-token`` to the commands."""
    serve = commands.add_parser(
        SERVE_COMMAND,
        help="serve models to other programs",
        description=_SERVE_DESCRIPTION,
        epilog=_SERVE_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    serve.add_argument("--port", type=_port, metavar="N", help="port, 3473 by default; 0 takes a free one")
    serve.add_argument(
        "--host", default="", metavar="ADDRESS", help="address to listen at; 127.0.0.1 by default"
    )
    serve.add_argument(
        "--socket", default="", metavar="PATH", help="listen at a Unix socket of this user, at no port"
    )
    serve.add_argument("--no-token", action="store_true", help="let every program of this computer in")
    token = commands.add_parser(
        TOKEN_COMMAND,
        help="add, list or revoke access tokens of the local API",
        description="Access tokens of the local API. A token is shown once, when it is added.",
    )
    actions = ActionParsers(
        token,
        {
            "add": "add a token and show it once",
            "list": "list tokens",
            "revoke": "take a token’s access back",
        },
    )
    actions.add(
        "name", of=("add", "revoke"), nargs="?", default="",
        help="what a token is for, such as “editor”; or its id",
    )  # fmt: skip
    actions.add(
        "--scope", of=("add",), action="append", choices=SCOPES, default=[],
        help="answer, load, manage, documents or tools; repeatable, the first two by default",
    )  # fmt: skip


def read_serve_arguments(parsed: argparse.Namespace) -> ServeArguments:
    """Return the arguments of ``serve`` or ``api-token``; defaults for other commands."""
    return ServeArguments(
        host=getattr(parsed, "host", ""),
        port=getattr(parsed, "port", None),
        socket=getattr(parsed, "socket", ""),
        no_token=getattr(parsed, "no_token", False),
        action=getattr(parsed, "action", ""),
        name=getattr(parsed, "name", ""),
        scopes=tuple(getattr(parsed, "scope", ())) or SCOPES[:2],
    )


def serve_usage_error(arguments: ServeArguments) -> str | None:
    """Return which argument is missing or cannot be combined, if any."""
    if arguments.action in ("add", "revoke") and not arguments.name.strip():
        return f"which token? Try: fireside api-token {arguments.action} NAME"
    if arguments.socket and (arguments.host or arguments.port is not None):
        return "--socket listens at no port: leave out --host and --port"
    return None


def _port(text: str) -> int:
    if not text.isdecimal() or len(text) > 5 or int(text) > _MAX_PORT:
        raise argparse.ArgumentTypeError(f"“{text}” is not a port from 0 to {_MAX_PORT}")
    return int(text)
