"""Protocol of the service for tools and MCP servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.core.elicitation import ElicitationReply
from fireside.core.ids import ConversationId, FactId, MessageId
from fireside.core.tool_servers import (
    FilledPrompt,
    Grants,
    NewServer,
    ResourceContent,
    ServerBundle,
    ServerPrompt,
    ServerResource,
    ToolServer,
    ToolServerInfo,
)
from fireside.core.tools import AllowEdited, ChatGrant, ConsentAnswer, Permission, RememberedFact, ToolInfo
from fireside.settings.secrets import KeepIn, SecretLocation


class ToolClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def tools(self) -> tuple[ToolInfo, ...]:
        """Return all tools in the order in which a model is told of them, with what holds for each."""

    async def permit(self, name: str, permission: Permission) -> None:
        """Decide about all calls of a tool. Raises ``RecordNotFound`` for one that does not exist, or
        ``SettingsUnwritable``: then it holds for this run."""

    async def chat_grants(self) -> tuple[ChatGrant, ...]:
        """Return the chats in which tools are allowed, the one changed last first."""

    async def revoke(self, conversation_id: ConversationId) -> None:
        """Have a chat ask again about all tools. Raises ``StorageError``."""

    async def answer_call(
        self, message_id: MessageId, call_id: str, answer: ConsentAnswer | AllowEdited | ElicitationReply
    ) -> None:
        """Say what the user wants of a call that waits, or replies to its server; what becomes of it arrives
        as ``MessageReplaced``."""

    async def facts(self) -> tuple[RememberedFact, ...]:
        """Return what is remembered, the oldest first."""

    async def forget_fact(self, fact_id: FactId) -> None:
        """Delete a fact. Raises ``StorageError``."""


class ToolServerClient(Protocol):
    """What the window may ask about MCP servers; see ``ToolClient``. All raise ``ToolServerError``."""

    async def servers(self) -> tuple[ToolServerInfo, ...]:
        """Return all servers in the order in which they were added. Starts none."""

    async def prepare(self, new: NewServer) -> ToolServer:
        """Return a server as it would be kept, with the exact command, for the user to confirm.

        Starts nothing. Raises ``ToolServerInvalid`` or ``ToolServerFolderMissing``.
        """

    async def open_bundle(self, path: str) -> ServerBundle:
        """Unpack a server from a file and return what it says about itself. Starts nothing.

        Raises ``ToolServerInvalid``.
        """

    async def add(self, new: NewServer, *, place: KeepIn = SecretLocation.KEYRING) -> None:
        """Keep a server that the user has seen as ``prepare`` and confirmed. Starts nothing.

        Raises ``ToolServerInvalid``, ``SettingsUnwritable``, or ``SecretsError`` where a value cannot be kept
        in ``place``: nothing is added then.
        """

    async def confirm(self, name: str) -> None:
        """Take a server as it is now for the one that the user confirmed.

        Raises ``ToolServerNotFound`` or ``SettingsUnwritable``.
        """

    async def grant(self, name: str, grants: Grants) -> None:
        """Let a server get at something else, and end it: it starts once that is confirmed.

        Raises ``ToolServerNotFound``, ``ToolServerFolderMissing`` or ``SettingsUnwritable``.
        """

    async def remove(self, name: str) -> None:
        """End a server and forget it, with its values and what was unpacked for it.

        Raises ``ToolServerNotFound`` or ``SettingsUnwritable``.
        """

    async def test(self, name: str) -> ToolServerInfo:
        """Start a server anew, and return it with its tools; it goes on running.

        Raises ``ToolServerError`` where it cannot be started. Cancelled, it ends what it started.
        """

    async def sign_in(self, name: str) -> ToolServerInfo:
        """Start a server behind an address anew, and have the user sign in: meanwhile its info says what to
        open. Raises ``ToolServerError``. Cancelled, it ends what it started."""

    async def sign_out(self, name: str) -> None:
        """End a server, and forget that the user has signed in."""

    async def stop(self, name: str) -> None:
        """End a server; the next call starts it."""

    async def prompts(self, names: Sequence[str]) -> Mapping[str, tuple[ServerPrompt, ...]]:
        """Return the prompts of these servers as they were listed last, by server. Starts none."""

    async def resources(self, name: str) -> tuple[ServerResource, ...]:
        """Return what a server has to be read; starts it if need be. Raises ``ToolServerError``."""

    async def read_resource(
        self, name: str, uri: str, arguments: Mapping[str, str]
    ) -> tuple[ResourceContent, ...]:
        """Return what a resource holds; with ``arguments`` its address is a template. Starts the server if
        need be. Raises ``ToolServerError``."""

    async def fill_prompt(self, name: str, prompt: str, arguments: Mapping[str, str]) -> FilledPrompt:
        """Return what a server makes of a prompt; starts it if need be. Raises ``ToolServerError``."""
