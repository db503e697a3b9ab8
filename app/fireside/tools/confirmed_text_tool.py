"""A tool with one text argument that the user sees in full, may edit, and confirms each time."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from fireside.core.graphemes import without_invisible
from fireside.core.tools import Taint
from fireside.tools.tool import Arguments, RunnableTool


class ConfirmedTextTool(RunnableTool[Arguments]):
    """Runs with exactly the text that the user confirmed."""

    def __init__(
        self,
        name: str,
        *,
        description: str,
        arguments: type[Arguments],
        field: str,
        run: Callable[[Arguments], Awaitable[str]],
        taints: frozenset[Taint],
    ) -> None:
        """``field`` is the argument that holds the text."""

        async def text(call_arguments: Arguments) -> str:
            return str(getattr(call_arguments, field))

        super().__init__(
            name, description=description, arguments=arguments, run=run, preview=text, taints=taints
        )
        self.field = field

    def read(self, arguments: str) -> Arguments:
        """Return the arguments, without invisible characters in the text."""
        decoded = super().read(arguments)
        return self.with_text(decoded, without_invisible(getattr(decoded, self.field)))

    def with_text(self, arguments: Arguments, text: str) -> Arguments:
        """Return the arguments with the user's text in place of the model's."""
        return msgspec.structs.replace(arguments, **{self.field: text})
