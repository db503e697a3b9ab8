"""What a tool is: its arguments, declared once for schema, grammar and check, and what it touches."""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable
from functools import cached_property
from typing import Any, Final, Generic, TypeVar

import msgspec

from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.prompt_input import ToolDefinition
from fireside.core.tools import Permission, Taint

Arguments = TypeVar("Arguments", bound=msgspec.Struct)

CHARACTERS_A_TOKEN: Final = 4
"""About, for English."""
_MARKUP_TOKENS: Final = 20
"""What templates write around a tool, about."""
CALL_LIMIT_S: Final = 60.0


class ToolFailed(Exception):
    """The call cannot be done; the words are for the model."""


class InvalidArguments(ToolFailed):
    """They do not fit the schema; the words name the field."""


class Tool(Generic[Arguments]):
    """One tool. Its words in English are for the model."""

    field = ""
    """The argument whose text the user may change before a call runs; empty where there is none."""

    def __init__(
        self,
        name: str,
        *,
        description: str,
        arguments: type[Arguments],
        run: Callable[[Arguments], Awaitable[str]],
        preview: Callable[[Arguments], Awaitable[str]] | None = None,
        taints: frozenset[Taint] = frozenset(),
        permission: Permission = Permission.ASK,
        limit_s: float = CALL_LIMIT_S,
    ) -> None:
        """Take ``run`` as what does a call, or raises ``ToolFailed``; cancelled, it lets go at once.
        ``permission`` is what holds until the user decides, ``limit_s`` how long a call may take. With
        ``preview``, which returns what a call would change, the user is shown that and asked each time."""
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
        """Return what a model is told."""
        return ToolDefinition(
            name=self.name,
            description=self._description,
            parameters=msgspec.json.encode(_schema_of(self._arguments)).decode(),
        )

    @property
    def fingerprint(self) -> str:
        """What a permission is bound to: name, description and schema."""
        told = self.definition
        return hashlib.sha256(msgspec.json.encode((told.name, told.description, told.parameters))).hexdigest()

    @property
    def n_tokens(self) -> int:
        """About how many tokens it takes of each prompt of a model that is told of it."""
        told = self.definition
        words = (told.name, told.description, told.parameters)
        return sum(map(len, words)) // CHARACTERS_A_TOKEN + _MARKUP_TOKENS

    @property
    def server(self) -> str:
        """The MCP server that it is of; empty for built-in ones."""
        return ""

    @property
    def change(self) -> str:
        """How it differs from the tool that the user decided about, as lines; empty where it does not."""
        return ""

    async def record_review(self) -> None:
        """The user has decided about the tool as it is now."""

    def read(self, arguments: str) -> Arguments:
        """Return the arguments of a call. Raises ``InvalidArguments`` with the name of the field."""
        try:
            return msgspec.json.decode(arguments or "{}", type=self._arguments)
        except (msgspec.DecodeError, RecursionError, UnicodeEncodeError) as exc:
            reason = str(exc).replace("$.", "").replace(" - at `$`", "").replace("Object", "The arguments")
            raise InvalidArguments(f"Invalid arguments of {self.name}: {reason}") from exc

    async def preview(self, arguments: Arguments) -> str:
        """Return what a call would change; empty where it is not one that is shown. Raises ``ToolFailed``."""
        return "" if self._preview is None else await self._preview(arguments)

    def with_text(self, arguments: Arguments, text: str) -> Arguments:  # noqa: ARG002 - for tools with a field
        """Return the arguments with the user's text in ``field``."""
        return arguments

    async def run(self, arguments: Arguments, *, watch: CallObserver = NO_OBSERVER) -> str:  # noqa: ARG002
        """Do a call and return its result; ``watch`` is told what comes meanwhile. Raises ``ToolFailed``."""
        return await self._run(arguments)


def _schema_of(arguments: type[msgspec.Struct]) -> dict[str, Any]:
    """Return the schema without what only takes room in a prompt: titles, and a level of definitions."""
    whole = msgspec.json.schema(arguments)
    own = whole["$defs"][arguments.__name__]
    return {key: value for key, value in own.items() if key not in ("title", "description")}
