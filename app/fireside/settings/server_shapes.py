"""Read MCP servers as Claude Desktop, Cursor, LM Studio, Jan and VS Code write them. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from fireside.core.errors import ToolServerInvalid
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.tool_servers import SERVER_NAME, NewServer

INPUT: Final = re.compile(r"\$\{input:([^}]+)\}")
_FROM_ENVIRONMENT: Final = re.compile(r"\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)\}")
_STRING: Final = r'"(?:\\.|[^"\\])*(?:"|\Z)'
_COMMENT: Final = re.compile(rf"({_STRING})|//[^\n]*|/\*.*?(?:\*/|\Z)", re.DOTALL)
_LAST_COMMA: Final = re.compile(rf"({_STRING})|,(?=\s*[}}\]])", re.DOTALL)
_PLACES: Final = (("mcpServers",), ("servers",), ("mcp", "servers"), ("mcp", "mcpServers"))
_REMOTE: Final = ("http", "streamable-http", "streamableHttp")
_MOST: Final = 100


def read_servers(text: str) -> tuple[NewServer, ...]:
    """Return the servers in a configuration that was pasted. Nothing is started.

    Raises ``ToolServerInvalid`` with what is wrong.
    """
    try:
        whole = msgspec.json.decode(_plain_json(text))
    except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as exc:
        raise ToolServerInvalid(
            reason=Phrase(tr_noop("it is not valid JSON ({reason})."), {"reason": str(exc)})
        ) from exc
    if not isinstance(whole, dict):
        raise ToolServerInvalid(reason=tr_noop("it holds no servers."))
    inputs = _inputs(whole)
    servers = _servers_in(whole)
    if not servers or len(servers) > _MOST:
        raise ToolServerInvalid(reason=tr_noop("it holds no servers."))
    return tuple(_server(name, entry, inputs=inputs) for name, entry in servers.items())


def _plain_json(text: str) -> str:
    """Return JSON without the comments and the commas before a bracket that VS Code allows in its files, and
    with the brackets around it that descriptions of servers leave out."""
    text = _COMMENT.sub(lambda found: found[1] or " ", text)
    text = f"{{{text}}}" if text.lstrip().startswith('"') else text
    return _LAST_COMMA.sub(lambda found: found[1] or "", text)


def server_name(text: str) -> str:
    """Return a name that tools can be called by, made of any text."""
    words = re.findall(r"[a-z0-9]+", text.casefold())
    name = "-".join(words)[:24].strip("-")
    return name if SERVER_NAME.fullmatch(name) else "server"


def _servers_in(whole: Mapping[str, Any]) -> dict[str, Any]:
    for place in _PLACES:
        found: Any = whole
        for key in place:
            found = found.get(key) if isinstance(found, dict) else None
        if isinstance(found, dict):
            return found
    if isinstance(whole.get("command"), str) or isinstance(whole.get("url"), str):
        return {str(whole.get("name", "server")): whole}
    return {
        name: entry
        for name, entry in whole.items()
        if isinstance(entry, dict) and ("command" in entry or "url" in entry)
    }


def _inputs(whole: Mapping[str, Any]) -> dict[str, str]:
    """Return what the configuration asks the user for, by its name."""
    places = (whole, whole.get("mcp"))
    listed = [one for place in places if isinstance(place, dict) for one in _list(place.get("inputs"))]
    return {
        str(one["id"]): str(one.get("description") or one["id"])
        for one in listed
        if isinstance(one, dict) and one.get("id")
    }


def _server(name: str, entry: Any, *, inputs: Mapping[str, str]) -> NewServer:
    if not isinstance(entry, dict):
        raise _invalid(name, tr_noop("it is no server."))
    if entry.get("type") == "sse" or entry.get("transport") == "sse":
        raise _invalid(name, tr_noop("it uses HTTP with SSE, which servers no longer should."))
    if _text(entry, "envFile", of=name):
        raise _invalid(name, tr_noop("it reads variables from a file. Write them under “env”."))
    command = _text(entry, "command", of=name)
    url = next((text for key in ("url", "httpUrl", "serverUrl") if (text := _text(entry, key, of=name))), "")
    if bool(command) == bool(url) or (entry.get("type") in _REMOTE and not url):
        raise _invalid(name, tr_noop("it needs a command or an address."))
    args = tuple(_argument(one, of=name) for one in _list(entry.get("args")))
    env, headers = _texts(entry, "env", of=name), _texts(entry, "headers", of=name)
    if any(_FROM_ENVIRONMENT.search(arg) for arg in args):
        raise _invalid(name, tr_noop("its arguments name variables of the environment. Write their values."))
    asked = _asked(env, headers)
    env, headers = (
        {key: _FROM_ENVIRONMENT.sub(r"${input:\1}", value) for key, value in values.items()}
        for values in (env, headers)
    )
    names = {found for text in (*args, *env.values(), *headers.values()) for found in INPUT.findall(text)}
    return NewServer(
        name=server_name(name),
        command=command,
        args=args,
        cwd=_text(entry, "cwd", of=name),
        env=env,
        url=url,
        headers=headers,
        inputs={one: inputs.get(one, asked.get(one, one)) for one in sorted(names)},
    )


def _asked(*groups: Mapping[str, str]) -> dict[str, str]:
    names = (
        found for values in groups for value in values.values() for found in _FROM_ENVIRONMENT.findall(value)
    )
    return {name: name for name in names}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(entry: Mapping[str, Any], key: str, *, of: str) -> str:
    value = entry.get(key)
    if value is None:
        return ""
    if not isinstance(value, str) or "\0" in value:
        raise _invalid(of, Phrase(tr_noop("“{key}” is no text."), {"key": key}))
    return value


def _texts(entry: Mapping[str, Any], key: str, *, of: str) -> dict[str, str]:
    value = entry.get(key) or {}
    if not isinstance(value, dict):
        raise _invalid(of, Phrase(tr_noop("“{key}” holds no names and values."), {"key": key}))
    return {str(name): _argument(each, of=of) for name, each in value.items()}


def _argument(value: Any, *, of: str) -> str:
    if isinstance(value, bool) or not isinstance(value, str | int | float) or "\0" in str(value):
        raise _invalid(of, tr_noop("one of its values is no text."))
    return str(value)


def _invalid(name: str, reason: str | Phrase) -> ToolServerInvalid:
    return ToolServerInvalid(reason=Phrase(tr_noop("{name}: {reason}"), {"name": name, "reason": reason}))
