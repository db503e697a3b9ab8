"""Inputs of a model: a chat, a text or a gap to complete, or texts to embed or rerank."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.message import ChatMessage


class ToolDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model may call. ``parameters`` is the text of a JSON Schema of an object."""

    name: str
    description: str
    parameters: str
    accepted: str = ""
    """What calls are held to, also a JSON Schema, where that is narrower than what the model is told."""


class ToolMode(StrEnum):
    """Whether the model calls tools."""

    AUTO = "auto"
    """As it sees fit; a call that it begins is held to the tool's schema."""
    NONE = "none"
    """The tools are shown to it, for the history's sake, and not called."""
    REQUIRED = "required"
    """It must call one; ``ToolChoice.name`` says which, if only one will do."""


class ToolChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the model may, must or must not call a tool."""

    mode: ToolMode = ToolMode.AUTO
    name: str | None = None
    """Only with ``REQUIRED``."""
    unknown: bool = False
    """Whether a call of a tool that there is not is a call too, and no text: whoever asks tells the model so.
    Only with ``AUTO``."""
    several: bool = False
    """With ``REQUIRED``, whether one answer may hold several calls. A small model that may repeats itself."""


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
    template: str = ""
    """Jinja source of a template in place of the model's own; empty is the model's."""
    template_arguments: str = ""
    """More values for the template, as the text of a JSON object; empty is none."""


class TextInput(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """A text to go on with, as it is."""

    text: str
    parse_special: bool = False
    """Whether ``<|im_end|>`` and its like in ``text`` are control tokens: in raw prompts alone."""


class TokenInput(msgspec.Struct, frozen=True, kw_only=True, tag="tokens"):
    """Token ids of the model to go on with, as they are: nothing is put in front of them."""

    tokens: tuple[int, ...]


class InfillInput(msgspec.Struct, frozen=True, kw_only=True, tag="infill"):
    """What stands before and behind a gap, for models that were taught to fill one in."""

    prefix: str
    suffix: str


class EmbeddingInput(msgspec.Struct, frozen=True, kw_only=True, tag="embedding"):
    """Texts to turn into vectors, by a model that was loaded to do that."""

    texts: tuple[str, ...]
    normalise: bool = True
    """Scale each vector to length 1, so that a dot product is the cosine."""
    truncate: bool = False
    """Cut a text that is too long, instead of refusing it."""
    dimensions: int | None = None
    """Only so many numbers of each vector, from the first: for models that were trained for it."""


class RerankInput(msgspec.Struct, frozen=True, kw_only=True, tag="rerank"):
    """Documents to judge by how well they answer a query, by a model that was loaded to do that."""

    query: str
    documents: tuple[str, ...]


PromptInput = ChatInput | TextInput | TokenInput | InfillInput | EmbeddingInput | RerankInput
