"""Protocol of the service for tools and MCP servers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from fireside.core.elicitation import ElicitationReply
from fireside.core.ids import ConversationId, FactId, MessageId
from fireside.core.secret_location import SecretLocation
from fireside.core.tool_servers import (
    FilledPrompt,
    Grants,
    NewServer,
    ResourceContent,
    ServerBundle,
    ServerPrompt,
    ServerResource,
    ToolOutput,
    ToolServer,
    ToolServerInfo,
)
from fireside.core.tools import AllowEdited, ChatGrant, ConsentAnswer, Permission, RememberedFact, ToolInfo
from fireside.settings.secrets import KeepIn


class ToolClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def tools(self) -> tuple[ToolInfo, ...]:
        """Return all tools in the order of the prompt, each with its permission."""

    async def permit(self, name: str, permission: Permission) -> None:
        """Set the permission of a tool. Raises ``RecordNotFound`` if it does not exist, or
        ``SettingsUnwritable``: then it applies to this run only."""

    async def chat_grants(self) -> tuple[ChatGrant, ...]:
        """Return the chats with allowed tools, the last changed first."""

    async def revoke(self, conversation_id: ConversationId) -> None:
        """Remove all tool permissions of a chat, so that it asks again. Raises ``StorageError``."""

    async def answer_call(
        self, message_id: MessageId, call_id: str, answer: ConsentAnswer | AllowEdited | ElicitationReply
    ) -> None:
        """Answer a tool call that waits for consent, or an elicitation of its server. The result arrives as
        ``MessageReplaced``."""

    async def facts(self) -> tuple[RememberedFact, ...]:
        """Return all remembered facts, the oldest first."""

    async def forget_fact(self, fact_id: FactId) -> None:
        """Delete a fact. Raises ``StorageError``."""


class ToolServerClient(Protocol):
    """Protocol of the service for MCP servers; see ``ToolClient``. All methods raise ``ToolServerError``."""

    async def servers(self) -> tuple[ToolServerInfo, ...]:
        """Return all servers in the order in which they were added. Starts none."""

    async def prepare(self, new: NewServer) -> ToolServer:
        """Return a server as it would be stored, with the exact command, for the user to confirm.

        Starts nothing. Raises ``ToolServerInvalid`` or ``ToolServerFolderMissing``.
        """

    async def open_bundle(self, path: str) -> ServerBundle:
        """Unpack a server from a file and return what it says about itself. Starts nothing.

        Raises ``ToolServerInvalid``.
        """

    async def add(self, new: NewServer, *, location: KeepIn = SecretLocation.KEYRING) -> None:
        """Store a server that the user has confirmed after ``prepare``. Starts nothing.

        Raises ``ToolServerInvalid``, ``SettingsUnwritable``, or ``SecretsError`` if a value cannot be stored
        in ``place``: nothing is added then.
        """

    async def confirm(self, name: str) -> None:
        """Record that the user confirmed a server as it is now.

        Raises ``ToolServerNotFound`` or ``SettingsUnwritable``.
        """

    async def grant(self, name: str, grants: Grants) -> None:
        """Change the access of a server, and stop it: it starts again once the change is confirmed.

        Raises ``ToolServerNotFound``, ``ToolServerFolderMissing`` or ``SettingsUnwritable``.
        """

    async def remove(self, name: str) -> None:
        """Stop a server and delete it, with its secrets and its unpacked bundle.

        Raises ``ToolServerNotFound`` or ``SettingsUnwritable``.
        """

    async def test(self, name: str) -> ToolServerInfo:
        """Restart a server and return it with its tools; it keeps running.

        Raises ``ToolServerError`` if it cannot be started. When cancelled, it stops what it started.
        """

    async def sign_in(self, name: str) -> ToolServerInfo:
        """Reconnect to a remote server and sign in; meanwhile its info has the URL for the browser.

        Raises ``ToolServerError``. When cancelled, it stops what it started.
        """

    async def sign_out(self, name: str) -> None:
        """Stop a server and delete its sign-in."""

    async def stop(self, name: str) -> None:
        """Stop a server; the next call starts it."""

    async def call_tool(self, name: str, arguments: str) -> ToolOutput:
        """Call a tool, named as models call it, for the user: no permission is asked for. Starts the server
        if needed. ``arguments`` is the JSON of an object, which is checked against the tool's schema.

        Raises ``RecordNotFound`` or ``ToolServerError``. When cancelled, the server is told.
        """

    async def prompts(self, names: Sequence[str]) -> Mapping[str, tuple[ServerPrompt, ...]]:
        """Return the prompts of these servers as they were listed last, by server. Starts none."""

    async def resources(self, name: str) -> tuple[ServerResource, ...]:
        """Return the resources of a server; starts it if needed. Raises ``ToolServerError``."""

    async def read_resource(
        self, name: str, uri: str, arguments: Mapping[str, str]
    ) -> tuple[ResourceContent, ...]:
        """Return the contents of a resource; with ``arguments`` its URI is a template. Starts the server if
        needed. Raises ``ToolServerError``."""

    async def fill_prompt(self, name: str, prompt: str, arguments: Mapping[str, str]) -> FilledPrompt:
        """Return a prompt that the server has filled in; starts it if needed. Raises ``ToolServerError``."""
