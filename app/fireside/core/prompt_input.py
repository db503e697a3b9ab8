"""Inputs of a model: a chat, a text or a gap to complete, or texts to embed or rerank."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.message import ChatMessage

MAX_INPUTS: Final = 10_000
"""Texts to embed, or documents to rerank, in one request."""


class ToolDefinition(msgspec.Struct, frozen=True, kw_only=True):
    """A tool that the model may call. ``parameters`` is JSON Schema text of an object."""

    name: str
    description: str
    parameters: str
    accepted: str = ""
    """The JSON Schema that constrains calls, if it is narrower than ``parameters``."""


class ToolMode(StrEnum):
    """Whether the model calls tools."""

    AUTO = "auto"
    """The model decides; calls are constrained by the tool's schema."""
    NONE = "none"
    """The tools are in the prompt, for earlier calls, but cannot be called."""
    REQUIRED = "required"
    """The model must call a tool: the one of ``ToolChoice.name``, if set."""


class ToolChoice(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the model may, must or must not call a tool."""

    mode: ToolMode = ToolMode.AUTO
    name: str | None = None
    """Only with ``REQUIRED``."""
    unknown: bool = False
    """Whether a call of an unknown tool is reported as a call rather than as text; the caller then answers it
    with an error. Only with ``AUTO``."""
    several: bool = False
    """With ``REQUIRED``, whether an answer may contain several calls. Small models then repeat themselves."""


class ReasoningEffort(StrEnum):
    """Whether and how much the model reasons before it answers, if its template supports that."""

    DEFAULT = "default"
    OFF = "off"
    ON = "on"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class ChatInput(msgspec.Struct, frozen=True, kw_only=True, tag="chat"):
    """A conversation, to be formatted by the chat template."""

    messages: tuple[ChatMessage, ...]
    tools: tuple[ToolDefinition, ...] = ()
    tool_choice: ToolChoice = ToolChoice()
    reasoning: ReasoningEffort = ReasoningEffort.DEFAULT
    continue_final: bool = False
    """Continue the last message, which is the assistant's, rather than start a new one."""
    template: str = ""
    """Jinja source that replaces the model's template; empty for the model's."""
    template_arguments: str = ""
    """Additional variables of the template, as JSON text of an object; empty for none."""


class TextInput(msgspec.Struct, frozen=True, kw_only=True, tag="text"):
    """A text to continue, without a template."""

    text: str
    parse_special: bool = False
    """Whether texts like ``<|im_end|>`` become control tokens: only in raw prompts."""


class TokenInput(msgspec.Struct, frozen=True, kw_only=True, tag="tokens"):
    """Token ids to continue, without a BOS token."""

    tokens: tuple[int, ...]


class InfillFile(msgspec.Struct, frozen=True, kw_only=True):
    """Another file of the project that a gap is in."""

    name: str
    text: str


class InfillInput(msgspec.Struct, frozen=True, kw_only=True, tag="infill"):
    """The texts before and after a gap, for models trained for infill."""

    prefix: str
    suffix: str
    files: tuple[InfillFile, ...] = ()
    """What the model sees before it. If there is no room, they are cut first, from the beginning."""


class EmbeddingInput(msgspec.Struct, frozen=True, kw_only=True, tag="embedding"):
    """Texts to embed, by a model that is loaded for it."""

    texts: tuple[str, ...]
    normalise: bool = True
    """Scale each vector to length 1, so that the dot product is the cosine."""
    truncate: bool = False
    """Truncate texts that are too long, instead of refusing them."""
    dimensions: int | None = None
    """Truncate each vector to this length, for models trained for it (Matryoshka)."""


class RerankInput(msgspec.Struct, frozen=True, kw_only=True, tag="rerank"):
    """Documents to score by how well they answer a query, by a model that is loaded for it."""

    query: str
    documents: tuple[str, ...]


PromptInput = ChatInput | TextInput | TokenInput | InfillInput | EmbeddingInput | RerankInput
