"""Render tool calls with a chat template, and extract them from the rest of the conversation."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from fireside.core.errors import FiresideError
from fireside.core.message import ChatMessage, Role, ToolCallPart, ToolResultPart, text_message
from fireside.core.prompt_input import ChatInput, ToolDefinition
from fireside.runner.output.call_learning import PROBE_TOOLS, RenderCalls
from fireside.runner.output.call_marks import common_prefix
from fireside.runner.prompt.template import ChatTemplate

_NEEDLE: Final = "Zneedle."
_QUESTION: Final = text_message(Role.USER, "Zquestion?")
_ANSWER: Final = text_message(Role.ASSISTANT, _NEEDLE)
_FIRST_MARK: Final = re.compile(r"\s*(<[^<>]*>|\[[^\[\]]*\]|\S+)")


def call_renderer(
    template: ChatTemplate, *, tools: tuple[ToolDefinition, ...] = PROBE_TOOLS
) -> RenderCalls | None:
    """Return a function that renders calls of ``tools`` with ``template``; ``None`` without tool support."""
    if not template.capabilities.supports_tools or not template.capabilities.supports_calls:
        return None

    def rendered(*messages: ChatMessage) -> str:
        try:
            return template.render_natively(ChatInput(messages=(_QUESTION, *messages), tools=tools)).text
        except FiresideError:
            return ""

    def render_calls(calls: Sequence[ToolCallPart]) -> str | None:
        message = ChatMessage(role=Role.ASSISTANT, parts=tuple(calls))
        answer, text = rendered(_ANSWER), rendered(message)
        if answer.count(_NEEDLE) == 1 and calls[0].name in text[text.rfind(_QUESTION.text) :]:
            return _difference(text, answer)
        # Some templates render calls only together with their results.
        results = [
            ChatMessage(role=Role.TOOL, parts=(ToolResultPart(call_id=call.id, name=call.name, text="R"),))
            for call in calls
        ]
        return _through_end_mark(rendered(message, *results), rendered(_ANSWER, _QUESTION))

    return render_calls


def _difference(text: str, answer: str) -> str | None:
    """Return the part of ``text`` that is in place of the needle in ``answer``."""
    start = _start(text, answer)
    if start is None:
        return None
    rest, after_needle = text[start:], answer[answer.index(_NEEDLE) + len(_NEEDLE) :]
    end = len(rest) - len(common_prefix((rest[::-1], after_needle[::-1])))
    if rest.rfind("<", 0, end) > rest.rfind(">", 0, end) and ">" in rest[end:]:
        end = rest.index(">", end) + 1
    return rest[:end]


def _through_end_mark(text: str, answer: str) -> str | None:
    """Return the part of ``text`` in place of the needle in ``answer``, up to the mark that ends answers."""
    start = _start(text, answer)
    if start is None:
        return None
    mark = _FIRST_MARK.match(answer, answer.index(_NEEDLE) + len(_NEEDLE))
    end = text.find(mark[1], start) if mark else -1
    return text[start:end] if end >= 0 else None


def _start(text: str, answer: str) -> int | None:
    """Return where an answer begins; ``None`` where more differs than the answer."""
    head, needle, _ = answer.partition(_NEEDLE)
    start = len(common_prefix((text, head)))
    if not needle or start < answer.find(_QUESTION.text):
        return None
    # Not from the middle of a tag.
    tag = text.rfind("<", 0, start)
    return tag if tag > text.rfind(">", 0, start) else start
