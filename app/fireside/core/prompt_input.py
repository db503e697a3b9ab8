"""What a model is given to continue: a conversation, a raw text, or a gap to fill."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.message import ChatMessage


class ToolDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model may call. ``parameters`` is the text of a JSON Schema of an object."""

    name: str
    description: str
    parameters: str


class ToolMode(StrEnum):
    """Whether the model calls tools."""

    AUTO = "auto"
    """As it sees fit; a call that it begins is held to the tool's schema."""
    NONE = "none"
    """The tools are shown to it, for the history's sake, and not called."""
    REQUIRED = "required"
    """It must call one; ``ToolChoice.name`` says which, if only one will do."""


class ToolChoice(msgspec.Struct, frozen=True, kw_only=True):
    mode: ToolMode = ToolMode.AUTO
    name: str | None = None
    """Only with ``REQUIRED``."""


class Reasoning(StrEnum):
    """Whether the model thinks before it answers, where its template knows the difference."""

    DEFAULT = "default"
    OFF = "off"
    ON = "on"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ChatInput(msgspec.Struct, frozen=True, kw_only=True, tag="chat"):
    """A conversation, worded by the model's chat template."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice = ToolChoice()
    reasoning: Reasoning = Reasoning.DEFAULT
    continue_final: bool = False
    """Go on with the last message, which is the assistant's, where it stops; nothing is closed before."""


class TextInput(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """A text to go on with, as it is."""

    text: str
    parse_special: bool = False
    """Whether ``<|im_end|>`` and its like in ``text`` are control tokens. Only for who writes a prompt."""


class InfillInput(msgspec.Struct, frozen=True, kw_only=True, tag="infill"):
    """What stands before and behind a gap, for models that were taught to fill one in."""

    prefix: str
    suffix: str


PromptInput = ChatInput | TextInput | InfillInput
