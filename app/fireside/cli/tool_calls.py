"""Tools in the terminal: the calls of an answer, with the user's consent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from fireside.cli.screen import Screen, one_line
from fireside.core.chat import MessageState, StoredMessage
from fireside.core.elicitation import (
    Elicitation,
    ElicitationAction,
    ElicitationReply,
)
from fireside.core.errors import format_bytes
from fireside.core.facts import FactScope, scope_choices
from fireside.core.graphemes import with_invisible_named
from fireside.core.ids import MessageId
from fireside.core.message import ImagePart, ToolResultPart
from fireside.core.tool_arguments import argument_value
from fireside.core.tool_calls import (
    CALL_SEPARATOR,
    CallAnswer,
    ShownCall,
    calls_of,
    consent_reasons,
    elicitation_question,
    tool_change_text,
)
from fireside.core.tools import CALL_TOOL, UNFINISHED, AllowEdited, CallState, ConsentAnswer
from fireside.markup.markdown import destination

_ANSWERS: Final = {
    "[o]nce": (ConsentAnswer.ONCE, ("o", "once")),
    "in this [c]hat": (ConsentAnswer.CHAT, ("c", "chat")),
    "[a]lways": (ConsentAnswer.ALWAYS, ("a", "always")),
    "[d]eny": (ConsentAnswer.DENY, ("d", "deny", "n", "no")),
}
"""Whole words: “cancel” and “allow” begin with letters of answers that they are not."""
_MAX_RESULT_CHARS: Final = 500


class ToolCalls:
    """Prints the calls of an answer, and asks the user whether they may run."""

    def __init__(self, screen: Screen, *, answer: Callable[[MessageId, str, CallAnswer], None]) -> None:
        """``answer`` gets the user's decisions and replies, with the ids of message and call."""
        self._screen = screen
        self._answer = answer
        self.ask: Callable[[str], str] | None = None
        """Asks for a line; ``None`` if there is no terminal: then calls that need consent are denied."""
        self._printed: set[tuple[MessageId, str, CallState, int]] = set()
        """Engines elsewhere may give calls of several chats the same id."""

    def show(self, message: StoredMessage) -> None:
        """Print changes of the calls of an answer, and answer what waits for the user."""
        is_live = message.state is MessageState.STREAMING
        lasting: set[str] = set()  # what the user allows for more than one call answers those beside it
        for call in calls_of(message.message, is_live=is_live):
            result = call.result
            if result is None:
                continue
            key = (
                message.id,
                result.call_id,
                result.state,
                0 if result.asked is None else result.asked.number,
            )
            if key in self._printed:
                continue
            self._printed.add(key)
            if call.elicitation is not None:
                self._answer(message.id, result.call_id, self._reply(call.elicitation))
            elif call.is_waiting:
                if result.name in lasting and not result.is_asked_each_time:
                    continue
                consent = self._consent(call, result)
                if consent in (ConsentAnswer.CHAT, ConsentAnswer.ALWAYS) and result.name != CALL_TOOL:
                    lasting.add(result.name)
                self._answer(message.id, result.call_id, consent)
            elif result.state not in UNFINISHED:
                state = CALL_SEPARATOR.join(call.details or (result.state,))
                images = "".join(f"\nImage: {image_line(image)}" for image in result.images)
                head = f"Tool {call.part.name} {call.code or call.part.arguments}"
                made = "".join(
                    f"\nFile: {file.name}, {format_bytes(len(file.data))}" for file in result.files
                )
                self._say(f"{head}: {state}\n{_shortened(result.text)}{images}{made}")

    def _consent(self, call: ShownCall, result: ToolResultPart) -> ConsentAnswer | AllowEdited:
        """Return the user's answer, given what the window tells of the call too."""
        preview = result.preview or call.code or call.part.arguments
        self._say(with_invisible_named(f"Tool {call.part.name} {preview}"))
        for text in (*consent_reasons(result), tool_change_text(result)):
            self._say(text)
        if self.ask is None:
            self._say("Not allowed: it needs your permission, and this is no terminal.")
            return ConsentAnswer.DENY
        if result.scope is not None:
            return self._scope(result, result.scope)
        choices = ("[o]nce", "[d]eny") if result.is_asked_each_time else tuple(_ANSWERS)
        answers = {word: answer for answer, words in map(_ANSWERS.__getitem__, choices) for word in words}
        while True:  # a slip decides nothing
            try:
                typed = self.ask(f"Allow? {', '.join(choices)}: ").strip().casefold()
            except EOFError:
                return ConsentAnswer.DENY
            if typed in answers:
                return answers[typed]

    def _scope(self, result: ToolResultPart, proposed: FactScope) -> ConsentAnswer | AllowEdited:
        """Return whether a fact is remembered, and where; Enter takes what is proposed."""
        scopes = [scope for scope, _ in scope_choices(proposed=proposed, project=result.project)]
        labels = {
            FactScope.EVERYWHERE: "[e]verywhere",
            FactScope.PROJECT: "[p]roject",
            FactScope.CHAT: "this [c]hat",
        }
        question = f"Remember? {', '.join(labels[scope] for scope in scopes)}, [d]eny: "
        while self.ask is not None:
            try:
                typed = self.ask(question).strip().casefold()
            except EOFError:
                break
            if typed in ("d", "deny"):
                break
            for scope in scopes:
                if typed in (scope.value, scope.value[0]):
                    return AllowEdited(text=result.preview, scope=scope)
        return ConsentAnswer.DENY

    def _reply(self, elicitation: Elicitation) -> ElicitationReply:
        """Return the user's reply to a server's request."""
        self._say(elicitation_question(elicitation, host=destination(elicitation.url)))
        try:
            return ElicitationReply(
                number=elicitation.number, action=ElicitationAction.ACCEPT, content=self._content(elicitation)
            )
        except (EOFError, ValueError) as exc:
            self._say(f"Declined. {exc}".rstrip())
            return ElicitationReply(number=elicitation.number, action=ElicitationAction.DECLINE)

    def _content(self, elicitation: Elicitation) -> dict[str, str | int | float | bool | tuple[str, ...]]:
        """Return the values that the user enters. Raises ``EOFError``, or ``ValueError`` for an invalid
        value."""
        if self.ask is None:
            raise EOFError("This is no terminal.")
        content: dict[str, str | int | float | bool | tuple[str, ...]] = {}
        for field in elicitation.fields:
            choices = f" ({', '.join(value for value, _ in field.options)})" if field.options else ""
            text = self.ask(f"{one_line(field.label)}{one_line(choices)}: ").strip()
            if text or field.is_required:
                content[field.name] = argument_value(field, text)
        if self.ask("Send? [y]es, [n]o: ").strip().casefold()[:1] != "y":
            raise EOFError
        return content

    def _say(self, text: str) -> None:
        self._screen.end()
        self._screen.say("\n".join(map(one_line, text.splitlines())) + "\n")


def image_line(image: ImagePart) -> str:
    """Return name, format and size of an image."""
    return f"{image.name}, {image.media_type}, {format_bytes(len(image.data))}"


def _shortened(text: str) -> str:
    return text if len(text) <= _MAX_RESULT_CHARS else f"{text[:_MAX_RESULT_CHARS]}…"
