"""Split a conversation into turns, and merge messages for templates that are strict about roles."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import groupby

import msgspec

from fireside.core.message import (
    ChatMessage,
    DocumentPart,
    MessagePart,
    PassagesPart,
    PerceivedPart,
    ReasoningPart,
    Role,
    TextPart,
    ToolCallPart,
    ToolResultPart,
    texts_of,
)
from fireside.core.prompt_input import ChatInput

Messages = tuple[ChatMessage, ...]
Repair = Callable[[Messages], Messages]


class Turns(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation as the system messages that open it and the turns that follow.

    A turn begins with a user message and holds the answers to it. What comes before the first user message
    (a greeting) is a turn of its own.
    """

    system: Messages
    turns: tuple[Messages, ...]

    def without_oldest(self, n_turns: int) -> Messages:
        """Return the messages without the oldest ``n_turns`` turns."""
        return self.system + tuple(message for turn in self.turns[n_turns:] for message in turn)

    def chat_without(self, chat: ChatInput, n_turns: int) -> ChatInput:
        """Return ``chat``, whose conversation this is, without its oldest ``n_turns`` turns."""
        return msgspec.structs.replace(chat, messages=self.without_oldest(n_turns))


def n_text_bytes(messages: Messages) -> int:
    """Return the UTF-8 size of all texts in bytes."""
    return sum(
        len(text.encode("utf-8", "surrogatepass"))
        for message in messages
        for part in message.parts
        for text in texts_of(part)
    )


def split_turns(messages: Sequence[ChatMessage]) -> Turns:
    """Split ``messages`` into turns."""
    n_system = 0
    while n_system < len(messages) and messages[n_system].role is Role.SYSTEM:
        n_system += 1
    turns: list[list[ChatMessage]] = []
    for message in messages[n_system:]:
        if message.role is Role.USER or not turns:
            turns.append([])
        turns[-1].append(message)
    return Turns(system=tuple(messages[:n_system]), turns=tuple(map(tuple, turns)))


def _joined(role: Role, messages: Sequence[ChatMessage]) -> ChatMessage:
    """Join ``messages`` into one: reasoning, then visible contents as paragraphs, then calls and results."""
    parts = [part for message in messages for part in message.parts]
    reasoning = [part for part in parts if isinstance(part, ReasoningPart)]
    calls = [part for part in parts if isinstance(part, (ToolCallPart, ToolResultPart))]
    visible: list[MessagePart] = []
    for message in messages:
        visible_parts = [part for part in message.parts if _is_visible(part)]
        if visible and visible_parts:
            visible.append(TextPart(text="\n\n"))
        visible += visible_parts
    if not any(isinstance(part, PerceivedPart) for part in visible):
        visible = [TextPart(text="".join(text for part in visible for text in texts_of(part)))]
    return ChatMessage(role=role, parts=(*reasoning, *visible, *calls))


def _is_visible(part: MessagePart) -> bool:
    if isinstance(part, TextPart):
        return bool(part.text)
    return isinstance(part, (PerceivedPart, DocumentPart, PassagesPart))


def system_into_user(messages: Messages) -> Messages:
    """Prepend the system messages to the first user message, for templates without a system role."""
    system = [message for message in messages if message.role is Role.SYSTEM]
    rest = [message for message in messages if message.role is not Role.SYSTEM]
    if not system:
        return messages
    for index, message in enumerate(rest):
        if message.role is Role.USER:
            rest[index] = _joined(Role.USER, [*system, message])
            return tuple(rest)
    return (_joined(Role.USER, system), *rest)


def merge_same_roles(messages: Messages) -> Messages:
    """Join adjacent messages of one role and start with a user message, for strict templates."""
    merged = [
        message
        for role, members in groupby(messages, key=lambda message: message.role)
        for group in [list(members)]
        for message in (group if len(group) == 1 else [_joined(role, group)])
    ]
    return begin_with_user(tuple(merged))


def begin_with_user(messages: Messages) -> Messages:
    """Let a message of the user precede an assistant's that begins the conversation."""
    n_system = len(split_turns(messages).system)
    if n_system == len(messages) or messages[n_system].role is not Role.ASSISTANT:
        return messages
    opening = ChatMessage(role=Role.USER, parts=(TextPart(text="(The conversation begins.)"),))
    return (*messages[:n_system], opening, *messages[n_system:])


def merge_and_move_system(messages: Messages) -> Messages:
    """Apply both repairs above."""
    return merge_same_roles(system_into_user(messages))


def without_empty_answers(messages: Messages) -> Messages:
    """Leave out earlier answers that show and call nothing, which stopped before their first token; then join
    what stands side by side."""
    kept = [
        message
        for message in messages[:-1]
        if message.role is not Role.ASSISTANT
        or any(_is_visible(part) or isinstance(part, ToolCallPart) for part in message.parts)
    ]
    return messages if len(kept) + 1 == len(messages) else merge_same_roles((*kept, *messages[-1:]))


def without_empty_answers_and_system(messages: Messages) -> Messages:
    """Leave out empty answers and move the system messages."""
    return merge_and_move_system(without_empty_answers(messages))


def unchanged(messages: Messages) -> Messages:
    """Return ``messages`` as they are."""
    return messages


REPAIRS: tuple[Repair, ...] = (
    unchanged,
    merge_same_roles,
    system_into_user,
    merge_and_move_system,
    without_empty_answers,
    without_empty_answers_and_system,
)
"""Repairs of a conversation, the most faithful first. The first one that the template accepts is used."""
