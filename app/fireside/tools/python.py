"""The tool that runs Python code in the session of its chat."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

import msgspec

from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.tool_servers import ToolOutput
from fireside.core.tools import PYTHON_NAME, CodeArguments, Taint
from fireside.tools.consent import ALL
from fireside.tools.tool import RunnableTool

_DESCRIPTION: Final = (
    "Runs Python code and returns what it prints and the value of its last expression. Variables are kept "
    "between calls of this chat. There is no network. The files of the chat are in the current folder; save "
    "files there to hand them to the user. Figures of matplotlib are shown when the code ends."
)


class PythonAccess(msgspec.Struct, frozen=True, kw_only=True):
    """What the tool of a chat works with."""

    run: Callable[[str, CallObserver], Awaitable[ToolOutput]]
    """Runs code; raises ``ToolFailed``."""
    limit_s: float
    """In which ``run`` returns, unless the user stops it."""
    reach: str = ""
    """What code can reach besides the chat, as sentences for the user, where no confinement keeps it."""
    has_folders: bool = False
    """Whether it can read folders that the user granted."""
    has_skills: bool = False
    """Whether it can read, and so run, files of skills."""

    @property
    def taints(self) -> frozenset[Taint]:
        """What a call brings into the chat."""
        if self.reach:
            return ALL
        if self.has_folders:
            return frozenset({Taint.PRIVATE, Taint.UNTRUSTED})
        return frozenset({Taint.UNTRUSTED}) if self.has_skills else frozenset()


class PythonTool(RunnableTool[CodeArguments]):
    """Without confinement the code can do all that the user can: each call is then asked about."""

    def __init__(self, access: PythonAccess) -> None:
        super().__init__(
            PYTHON_NAME,
            description=_DESCRIPTION,
            arguments=CodeArguments,
            run=self.run,
            taints=access.taints,
            limit_s=access.limit_s,
        )
        self.reach = access.reach
        self._access = access

    async def run(self, arguments: CodeArguments, *, watch: CallObserver = NO_OBSERVER) -> ToolOutput:
        return await self._access.run(arguments.code, watch)
