"""Tools in the terminal: which there are, what a model calls, and whether it may."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from typing import Final, TypeVar

from fireside.cli.columns import columns
from fireside.cli.screen import Screen, printable
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.ids import MessageId
from fireside.core.message import ToolResultPart
from fireside.core.tools import UNFINISHED, CallsEnded, CallState, ConsentAnswer, ToolInfo

TOOLS_COMMAND: Final = "tools"
_NAMES: Final = ("calculator", "date_time", "chat_search", "files", "file_changes")
"""What ``--tool`` takes: the settings that turn tools on, without what they begin with."""

_Parser = TypeVar("_Parser", bound=argparse.ArgumentParser)
CALLS_ENDED: Final = {
    CallsEnded.STEPS: "no more tools: the limit of tool steps was reached",
    CallsEnded.REPEATED: "no more tools: the model repeated a call and got the same result",
    CallsEnded.INVALID: "no more tools: the model called one with invalid arguments twice",
}
_ANSWERS: Final = {
    "o": ConsentAnswer.ONCE,
    "c": ConsentAnswer.CHAT,
    "a": ConsentAnswer.ALWAYS,
    "d": ConsentAnswer.DENY,
}
_SHOWN: Final = 500
"""Characters of a result."""


def add_tools_command(commands: argparse._SubParsersAction[_Parser]) -> None:
    """Add the command that lists the tools."""
    tools = commands.add_parser(
        TOOLS_COMMAND, help="list the tools that models may call", description="List the tools of chats."
    )
    tools.add_argument("action", choices=("list",), help="list all tools with their permissions")


def add_tool_option(answer: argparse._ArgumentGroup) -> None:
    """Add what turns tools on for one run."""
    answer.add_argument(
        "--tool", metavar="NAME", dest="tools", action="append", default=[], choices=_NAMES,
        help="let the model use a tool, see “fireside tools list”; repeatable",
    )  # fmt: skip


def tools_table(tools: Iterable[ToolInfo]) -> str:
    """Return one line for each tool."""
    rows = [
        (tool.name, tool.setting.removeprefix("tools."), tool.permission.value, str(tool.n_tokens))
        for tool in tools
    ]
    return columns([("TOOL", "--TOOL", "PERMISSION", "TOKENS"), *rows], numbers=(3,))


class ToolCalls:
    """Prints the calls of an answer as they come, and asks whether they may run."""

    def __init__(self, screen: Screen, *, answer: Callable[[MessageId, str, ConsentAnswer], None]) -> None:
        """Take ``answer`` as what is told what the user says."""
        self._screen = screen
        self._answer = answer
        self.ask: Callable[[str], str] | None = None
        """Asks for a line; ``None`` where there is no user, and nothing is allowed that waits."""
        self._told: set[tuple[str, CallState]] = set()

    def show(self, message: StoredMessage) -> None:
        """Print what is new in an answer's calls."""
        asked = {call.id: call.arguments for call in message.message.tool_calls}
        for part in message.message.parts:
            if not isinstance(part, ToolResultPart) or (part.call_id, part.state) in self._told:
                continue
            self._told.add((part.call_id, part.state))
            if part.state is CallState.WAITING and message.state is MessageState.STREAMING:
                self._say(f"Tool {part.name} {part.preview or asked.get(part.call_id, '')}")
                self._answer(message.id, part.call_id, self._consent(part))
            elif part.state not in UNFINISHED:
                self._say(
                    f"Tool {part.name} {asked.get(part.call_id, '')}: {part.state}\n{_shown(part.text)}"
                )

    def _consent(self, part: ToolResultPart) -> ConsentAnswer:
        if self.ask is None:
            self._say("Not allowed: it needs your permission, and this is no terminal.")
            return ConsentAnswer.DENY
        choices = "[o]nce, [d]eny" if part.is_asked_each_time else "[o]nce, in this [c]hat, [a]lways, [d]eny"
        try:
            said = self.ask(f"Allow? {choices}: ")
        except EOFError:
            return ConsentAnswer.DENY
        return _ANSWERS.get(said.strip().casefold()[:1], ConsentAnswer.DENY)

    def _say(self, text: str) -> None:
        self._screen.end()
        self._screen.say("\n".join(map(printable, text.splitlines())) + "\n")


def _shown(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"
