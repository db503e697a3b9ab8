"""A tool: its arguments, declared once for schema, grammar and validation, and its taints."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import msgspec

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.facts import FactScope
from fireside.core.prompt_input import ToolDefinition
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import Permission, Taint

Arguments = TypeVar("Arguments", bound=msgspec.Struct)

CHARS_PER_TOKEN: Final = 4
"""Estimate for English."""
_MARKUP_TOKENS: Final = 20
"""Estimate of what templates add to each tool."""
CALL_LIMIT_S: Final = 60.0


class ToolFailed(Exception):
    """The call failed; the message is for the model."""


class InvalidArguments(ToolFailed):
    """The arguments do not match the schema; the message names the field."""


class RunnableTool(Generic[Arguments]):
    """One tool. Its texts in English are for the model."""

    field = ""
    """The argument that the user may edit before a call runs; empty where there is none."""
    reach = ""
    """What calls can reach, as sentences for the user; empty where their taints say enough."""

    def __init__(
        self,
        name: str,
        *,
        description: str,
        arguments: type[Arguments],
        run: Callable[[Arguments], Awaitable[str | ToolOutput]],
        preview: Callable[[Arguments], Awaitable[str]] | None = None,
        taints: frozenset[Taint] = frozenset(),
        permission: Permission = Permission.ASK,
        limit_s: float = CALL_LIMIT_S,
    ) -> None:
        """``run`` executes a call, or raises ``ToolFailed``; if cancelled, it returns at once.

        ``permission`` applies until the user decides; ``limit_s`` is the time limit of a call. ``preview``
        returns what a call would change: then each call is shown to the user, who is asked each time.
        """
        self.name = name
        self.taints = taints
        self.permission = permission
        self.limit_s = limit_s
        self._description = description
        self._arguments = arguments
        self._run = run
        self._preview = preview

    @property
    def prompts_each_time(self) -> bool:
        """Whether no standing permission counts: each call is shown first."""
        return self._preview is not None

    @cached_property
    def definition(self) -> ToolDefinition:
        """Return the definition for the model."""
        return ToolDefinition(
            name=self.name,
            description=self._description,
            parameters=msgspec.json.encode(_schema_of(self._arguments)).decode(),
        )

    @property
    def fingerprint(self) -> str:
        """What a permission applies to: name, description and schema."""
        definition = self.definition
        return hashlib.sha256(
            msgspec.json.encode((definition.name, definition.description, definition.parameters))
        ).hexdigest()

    @property
    def n_tokens(self) -> int:
        """Estimate of the tokens that its definition takes in each prompt."""
        definition = self.definition
        texts = (definition.name, definition.description, definition.parameters)
        return sum(map(len, texts)) // CHARS_PER_TOKEN + _MARKUP_TOKENS

    @property
    def server(self) -> str:
        """The MCP server of the tool; empty for built-in ones."""
        return ""

    @property
    def change(self) -> str:
        """The difference from the definition that the user decided about, as lines; empty if there is
        none."""
        return ""

    async def record_review(self) -> None:
        """Record that the user decided about the tool as it is now."""

    def read(self, arguments: str) -> Arguments:
        """Return the decoded arguments of a call. Raises ``InvalidArguments`` with the name of the field."""
        try:
            return decode_json(arguments or "{}", kind=self._arguments)
        except JsonInvalid as exc:
            reason = str(exc).replace("$.", "").replace(" - at `$`", "").replace("Object", "The arguments")
            raise InvalidArguments(f"Invalid arguments of {self.name}: {reason}") from exc

    async def preview(self, arguments: Arguments) -> str:
        """Return what a call would change; empty for tools without a preview. Raises ``ToolFailed``."""
        return "" if self._preview is None else await self._preview(arguments)

    def with_text(self, arguments: Arguments, text: str) -> Arguments:  # noqa: ARG002 - for tools with a field
        """Return the arguments with the user's text in ``field``."""
        return arguments

    def scope(self, arguments: Arguments) -> FactScope | None:  # noqa: ARG002 - for facts
        """Return where the fact of a call would hold; ``None`` for other tools."""
        return None

    def with_scope(self, arguments: Arguments, scope: FactScope) -> Arguments:  # noqa: ARG002 - for facts
        """Return the arguments with the user's scope."""
        return arguments

    async def run(
        self,
        arguments: Arguments,
        *,
        watch: CallObserver = NO_OBSERVER,  # noqa: ARG002 - for tools of servers
    ) -> ToolOutput:
        """Execute a call and return its result; ``watch`` is notified of progress. Raises ``ToolFailed``."""
        output = await self._run(arguments)
        return ToolOutput(text=output) if isinstance(output, str) else output


def _schema_of(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schema without what only takes space in a prompt: titles, and the level of ``$defs``."""
    schema = msgspec.json.schema(arguments)["$defs"][arguments.__name__]
    return {key: value for key, value in schema.items() if key not in ("title", "description")}
