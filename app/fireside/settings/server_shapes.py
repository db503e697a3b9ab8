"""Parse MCP server configurations of other applications. Pure.

Known are those with ``mcpServers`` (Claude, Cursor, LM Studio, Jan, Cline, Windsurf, Gemini CLI), those of VS
Code (``servers``), Zed (``context_servers``), opencode, Crush (``mcp``), and Codex (``mcp_servers``, TOML).
"""

from __future__ import annotations

import contextlib
import re
import tomllib
from collections.abc import Mapping
from typing import Any, Final

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.tool_servers import SERVER_NAME, NewServer

INPUT: Final = re.compile(r"\$\{input:([^}]+)\}")
_FROM_ENVIRONMENT: Final = re.compile(
    r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(?::-[^}]*)?\}|\{env:([A-Za-z_][A-Za-z0-9_]*)\}"
)
_STRING: Final = r'"(?:\\.|[^"\\])*(?:"|\Z)'
_COMMENT: Final = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_TRAILING_COMMA: Final = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_SERVER_PATHS: Final = (
    ("mcpServers",),
    ("servers",),
    ("mcp", "servers"),
    ("mcp", "mcpServers"),
    ("context_servers",),
    ("mcp_servers",),
    ("mcp",),
)
_ADDRESSES: Final = ("url", "httpUrl", "serverUrl")
_HTTP_TYPES: Final = ("http", "streamable-http", "streamableHttp", "remote")
_MAX_SERVERS: Final = 100


def read_servers(text: str) -> tuple[NewServer, ...]:
    """Return the servers in a pasted configuration. Raises ``ToolServerInvalid``."""
    config = _config_in(text)
    if not isinstance(config, dict):
        raise ToolServerInvalid(reason=tr_noop("it holds no servers."))
    inputs = _inputs(config)
    servers = _servers_in(config)
    if not servers or len(servers) > _MAX_SERVERS:
        raise ToolServerInvalid(reason=tr_noop("it holds no servers."))
    return tuple(_server(name, entry, inputs=inputs) for name, entry in servers.items())


def _config_in(text: str) -> object:
    """Return what is in a text of JSON, or of TOML as Codex writes it."""
    try:
        return decode_json(_plain_json(text), kind=object)
    except JsonInvalid as exc:
        if "[mcp_servers." in text:
            with contextlib.suppress(tomllib.TOMLDecodeError, RecursionError):
                return tomllib.loads(text)
        raise ToolServerInvalid(
            reason=Phrase(tr_noop("it is not valid JSON ({reason})."), {"reason": str(exc)})
        ) from exc


def _plain_json(text: str) -> str:
    """Return JSON without the comments and trailing commas that VS Code allows in its files, and with the
    outer braces that the documentation of many servers leaves out."""
    text = _COMMENT.sub(lambda match: match[1] or " ", text)
    text = f"{{{text}}}" if text.lstrip().startswith('"') else text
    return _TRAILING_COMMA.sub(lambda match: match[1] or "", text)


def server_name(text: str) -> str:
    """Return a valid server name made of ``text``."""
    parts = re.findall(r"[a-z0-9]+", text.casefold())
    name = "-".join(parts)[:24].strip("-")
    return name if SERVER_NAME.fullmatch(name) else "server"


def _servers_in(config: Mapping[str, Any]) -> dict[str, Any]:
    for path in _SERVER_PATHS:
        value: Any = config
        for key in path:
            value = value.get(key) if isinstance(value, dict) else None
        if isinstance(value, list):  # Continue
            value = {str(entry.get("name", "server")): entry for entry in value if isinstance(entry, dict)}
        if isinstance(value, dict) and not _is_server(value):
            return {name: entry for name, entry in value.items() if not _is_extension(entry)}
    if _is_server(config):
        return {str(config.get("name", "server")): config}
    return {
        name: entry
        for name, entry in config.items()
        if isinstance(entry, dict) and any(key in entry for key in ("command", *_ADDRESSES))
    }


def _is_server(value: Mapping[str, Any]) -> bool:
    return any(isinstance(value.get(key), str) for key in ("command", *_ADDRESSES))


def _is_extension(entry: Any) -> bool:
    """Return whether an entry only sets up a server that comes with an extension of Zed, as nothing else can
    start."""
    return isinstance(entry, dict) and "settings" in entry and not ({"command", *_ADDRESSES} & entry.keys())


def _with_usual_names(entry: dict[str, Any]) -> dict[str, Any]:
    """Return an entry of Zed, opencode or Codex as most applications write it."""
    match entry.get("command"):
        case dict() as command:  # Zed
            entry = {**entry, **command, "command": command.get("path")}
        case [program, *args]:  # opencode
            entry = {**entry, "command": program, "args": args}
    env = {str(name): f"${{env:{name}}}" for name in _list(entry.get("env_vars"))}  # this and more of Codex
    headers = {
        str(name): f"${{env:{variable}}}" for name, variable in _dict(entry.get("env_http_headers")).items()
    }
    if variable := entry.get("bearer_token_env_var"):
        headers["Authorization"] = f"Bearer ${{env:{variable}}}"
    given_env = entry.get("env") or entry.get("environment") or {}
    given_headers = entry.get("headers") or entry.get("http_headers") or {}
    return {
        **entry,
        "env": {**env, **given_env} if isinstance(given_env, dict) else given_env,
        "headers": {**headers, **given_headers} if isinstance(given_headers, dict) else given_headers,
    }


def _inputs(config: Mapping[str, Any]) -> dict[str, str]:
    """Return the descriptions of the inputs that the user must enter, by id."""
    objects = (config, config.get("mcp"))
    inputs = [each for value in objects if isinstance(value, dict) for each in _list(value.get("inputs"))]
    return {
        str(each["id"]): str(each.get("description") or each["id"])
        for each in inputs
        if isinstance(each, dict) and each.get("id")
    }


def _server(name: str, entry: Any, *, inputs: Mapping[str, str]) -> NewServer:
    if not isinstance(entry, dict):
        raise _invalid(name, tr_noop("it is no server."))
    entry = _with_usual_names(entry)
    if _text(entry, "envFile", server=name):
        raise _invalid(name, tr_noop("it reads variables from a file. Write them under “env”."))
    command = _text(entry, "command", server=name)
    url = next((text for key in _ADDRESSES if (text := _text(entry, key, server=name))), "")
    if bool(command) == bool(url) or (entry.get("type") in _HTTP_TYPES and not url):
        raise _invalid(name, tr_noop("it needs a command or an address."))
    args = tuple(_argument(value, server=name) for value in _list(entry.get("args")))
    env, headers = _texts(entry, "env", server=name), _texts(entry, "headers", server=name)
    if any(_FROM_ENVIRONMENT.search(arg) for arg in args):
        raise _invalid(name, tr_noop("its arguments name variables of the environment. Write their values."))
    env, headers = (
        {
            key: _FROM_ENVIRONMENT.sub(lambda match: f"${{input:{match[1] or match[2]}}}", value)
            for key, value in values.items()
        }
        for values in (env, headers)
    )
    ids = {each for text in (*args, *env.values(), *headers.values()) for each in INPUT.findall(text)}
    return NewServer(
        name=server_name(name),
        command=command,
        args=args,
        cwd=_text(entry, "cwd", server=name),
        env=env,
        url=url,
        headers=headers,
        inputs={each: inputs.get(each, each) for each in sorted(ids)},
    )


def _dict(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(entry: Mapping[str, Any], key: str, *, server: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or "\0" in value:
        raise _invalid(server, Phrase(tr_noop("“{key}” is no text."), {"key": key}))
    return value


def _texts(entry: Mapping[str, Any], key: str, *, server: str) -> dict[str, str]:
    value = entry.get(key) or {}
    if not isinstance(value, dict):
        raise _invalid(server, Phrase(tr_noop("“{key}” holds no names and values."), {"key": key}))
    return {str(name): _argument(each, server=server) for name, each in value.items()}


def _argument(value: Any, *, server: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or "\0" in str(value):
        raise _invalid(server, tr_noop("one of its values is no text."))
    return str(value)


def _invalid(name: str, reason: str | Phrase) -> ToolServerInvalid:
    return ToolServerInvalid(reason=Phrase(tr_noop("{name}: {reason}"), {"name": name, "reason": reason}))
