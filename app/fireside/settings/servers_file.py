"""The file of the MCP servers that the user added, in the format that other applications use.

It contains no secrets: the values of inputs are stored with the other secrets, by name.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.errors import SettingsUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.tool_servers import SERVER_NAME, Grants, ServerFacts, ServerPrompt, ServerTool, ToolServer
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.settings.secrets import SecretName

SERVERS_NAME: Final = "mcp.json"
_SIZE_LIMIT: Final = 64_000_000
_LOSS: Final = tr_noop("The MCP servers in it must be added again.")


class _FiresideFields(msgspec.Struct, frozen=True, kw_only=True):
    """Fields of a server that other applications do not know."""

    grants: Grants = Grants()
    confirmed: ServerFacts | None = None
    tools: tuple[ServerTool, ...] = ()
    reviewed: tuple[ServerTool, ...] = ()
    prompts: tuple[ServerPrompt, ...] = ()


class _Stored(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    command: str = ""
    args: tuple[str, ...] = ()
    cwd: str = ""
    env: dict[str, str] = {}
    url: str = ""
    headers: dict[str, str] = {}
    fireside: _FiresideFields = _FiresideFields()


class _File(msgspec.Struct, frozen=True, kw_only=True):
    mcp_servers: dict[str, msgspec.Raw] = msgspec.field(name="mcpServers", default={})


def value_name(server: str, name: str) -> SecretName:
    """Return the name of the secret that is the value of a server's input."""
    return SecretName(f"mcp-value@{server}/{name}")


class ServersFile:
    """Reads and writes all servers at once. Blocks; one caller at a time."""

    def __init__(self, path: Path, *, on_damaged: OnDamaged = lambda _: None) -> None:
        self._file = JsonFile(path, _File, limit=_SIZE_LIMIT, loss=_LOSS, on_damaged=on_damaged)

    def read(self) -> tuple[ToolServer, ...]:
        """Return the servers. Damaged entries are ignored, so that nothing wrong is started; they stay in
        the file."""
        entries = self._entries()
        servers = [_server(name, raw) for name, raw in entries.items()]
        if None in servers:
            self._file.report(tr_noop("some of its entries are not valid"))
        return tuple(server for server in servers if server is not None)

    def write(self, servers: tuple[ToolServer, ...]) -> None:
        """Replace all servers that can be read. Raises ``SettingsUnwritable``."""
        unread = {name: raw for name, raw in self._entries().items() if _server(name, raw) is None}
        stored = {server.name: msgspec.Raw(msgspec.json.encode(_stored(server))) for server in servers}
        try:
            self._file.write(_File(mcp_servers={**unread, **stored}))
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._file.path), reason=render_os_error(exc)) from exc

    def _entries(self) -> dict[str, msgspec.Raw]:
        content = self._file.read()
        return {} if content is None else content.mcp_servers


def _server(name: str, raw: msgspec.Raw) -> ToolServer | None:
    try:
        stored = decode_json(raw, kind=_Stored)
    except JsonInvalid:
        return None
    if SERVER_NAME.fullmatch(name) is None or bool(stored.command) == bool(stored.url):
        return None
    if any("\0" in each for each in (stored.command, *stored.args, stored.cwd, stored.url)):
        return None  # no system can start that
    extra = stored.fireside
    return ToolServer(
        name=name,
        command=(stored.command, *stored.args) if stored.command else (),
        cwd=stored.cwd,
        env=stored.env,
        url=stored.url,
        headers=stored.headers,
        grants=extra.grants,
        confirmed=extra.confirmed,
        tools=extra.tools,
        reviewed=extra.reviewed,
        prompts=extra.prompts,
    )


def _stored(server: ToolServer) -> _Stored:
    return _Stored(
        command=server.command[0] if server.command else "",
        args=server.command[1:],
        cwd=server.cwd,
        env=server.env,
        url=server.url,
        headers=server.headers,
        fireside=_FiresideFields(
            grants=server.grants,
            confirmed=server.confirmed,
            tools=server.tools,
            reviewed=server.reviewed,
            prompts=server.prompts,
        ),
    )
