"""Answers that call tools, and the chat that they are called in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from fakes.app_harness import AppHarness
from fakes.engine import Script, finished
from fireside.core.chat import StoredMessage
from fireside.core.elicitation import NO_OBSERVER, CallObserver
from fireside.core.events import MessageReplaced
from fireside.core.generation import FinishReason, GenerationEvent, TextDelta
from fireside.core.ids import ConversationId
from fireside.core.message import ToolCallPart, ToolResultPart
from fireside.core.options import SettingValue
from fireside.core.tools import CallState
from fireside.settings.values import AppLayer
from fireside.tools.tool import RunnableTool, ToolFailed


def calls(*asked: tuple[str, str], text: str = "") -> Sequence[GenerationEvent]:
    """End a request with calls: names and arguments."""
    parts = tuple(
        ToolCallPart(id=f"call_{name}_{place}_{hash(arguments)}", name=name, arguments=arguments)
        for place, (name, arguments) in enumerate(asked)
    )
    said = [TextDelta(text=text, n_completion=1)] if text else []
    return [*said, msgspec.structs.replace(finished(FinishReason.TOOL_CALL), tool_calls=parts)]


def in_turn(*steps: Sequence[GenerationEvent | None]) -> Script:
    """Answer one request after the other; the last answer is given again and again."""
    left = list(steps)
    return lambda _: left.pop(0) if len(left) > 1 else left[0]


def answer(text: str = "Done.") -> Sequence[GenerationEvent]:
    return [TextDelta(text=text, n_completion=1), finished()]


async def ask(harness: AppHarness, settings: dict[str, SettingValue]) -> ConversationId:
    await harness.app.preferences.change(AppLayer(), key="chat.titles_by_model", value=False)
    return await harness.app.generations.send(None, text="Go", model_id=harness.model_id, settings=settings)


def results(message: StoredMessage) -> list[ToolResultPart]:
    return [part for part in message.message.parts if isinstance(part, ToolResultPart)]


def last(harness: AppHarness) -> StoredMessage:
    event = harness.seen(MessageReplaced)[-1]
    assert isinstance(event, MessageReplaced)
    return event.message


async def waiting(harness: AppHarness, n: int = 1) -> StoredMessage:
    """Return the answer once so many of its calls wait for the user."""

    def is_so() -> bool:
        if not harness.seen(MessageReplaced):
            return False
        return sum(each.state is CallState.WAITING for each in results(last(harness))) == n

    await harness.until_so(is_so)
    return last(harness)


async def text_of(tool: RunnableTool[Any], arguments: Any, *, watch: CallObserver = NO_OBSERVER) -> str:
    """Return the text of a tool's result. Raises ``ToolFailed`` where that is an error."""
    output = await tool.run(arguments, watch=watch)
    if output.is_error:
        raise ToolFailed(output.text)
    return output.text
