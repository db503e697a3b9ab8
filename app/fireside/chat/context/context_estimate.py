"""Estimate the tokens of a branch while its model is not loaded, from the usage of its earlier answers."""

from __future__ import annotations

from typing import Final

from fireside.chat.attachments import typical_tokens
from fireside.chat.context.prepared_request import Branch
from fireside.core.chat import GenerationRecord
from fireside.core.ids import ModelId
from fireside.core.load_sizes import effective_n_ctx
from fireside.core.message import ChatMessage, DocumentPart, MediaPart, PassagesPart, Role, texts_of
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.prompt_input import ChatInput
from fireside.core.prompt_query import MessageTokens, PromptMeasure
from fireside.services.remote_entries import location_for_options

_TOKENS_PER_BYTE: Final = 0.25
"""For English prose; code and other languages have more."""
_TEMPLATE_TOKENS: Final = 5
"""Tokens that a chat template adds to a message."""


def estimate_measure(prompt: ChatInput, branch: Branch, *, model_id: ModelId) -> PromptMeasure:
    """Return an estimate of what measuring ``prompt`` would return."""
    tokens_per_byte = _tokens_per_byte(branch, model_id=model_id)
    counts = [_tokens(message, tokens_per_byte=tokens_per_byte) for message in prompt.messages]
    n_system = sum(message.role is Role.SYSTEM for message in prompt.messages)
    n_tools = sum(
        round(tokens_per_byte * len(tool.description + tool.parameters)) + _TEMPLATE_TOKENS
        for tool in prompt.tools
    )
    record = _last_record(branch, model_id=model_id)
    n_dropped = 0
    if record is not None and record.truncation is not None and not record.n_summarised:
        n_dropped = record.truncation.n_messages
    messages = counts[n_system:]
    return PromptMeasure(
        n_prompt=sum(each.n_tokens for each in (*counts[:n_system], *messages[n_dropped:]))
        + _TEMPLATE_TOKENS * (len(counts) - n_dropped)
        + n_tools,
        n_system=sum(each.n_tokens for each in counts[:n_system]),
        messages=tuple(messages),
        n_dropped=min(n_dropped, len(messages)),
    )


def likely_context(spec: ModelSpec, branch: Branch, *, options: LoadOptions) -> int:
    """Return the context length that the model will probably have, in tokens.

    That is the length of its last answer, else that of the settings; for another engine the length that it
    reported or that is requested, 0 if neither is known.
    """
    if spec.remote is not None:
        return location_for_options(spec.remote, options).model.n_ctx or 0
    record = _last_record(branch, model_id=spec.id)
    if record is not None and record.n_ctx:
        return record.n_ctx
    return effective_n_ctx(options, n_ctx_train=spec.n_ctx_train)


def _last_record(branch: Branch, *, model_id: ModelId) -> GenerationRecord | None:
    records = (message.generation for message in reversed(branch.messages))
    return next((each for each in records if each is not None and each.model_id == model_id), None)


def _tokens_per_byte(branch: Branch, *, model_id: ModelId) -> float:
    """Return the ratio measured by this model's last answer that had the whole branch as its prompt."""
    n_bytes = 0
    ratio = _TOKENS_PER_BYTE
    for message in (*branch.covered, *branch.messages):
        n_bytes += _size(message.message)
        record = message.generation
        if record is None or record.usage is None or record.model_id != model_id:
            continue
        if record.truncation is None and not record.n_summarised and n_bytes:
            ratio = (record.usage.n_prompt + record.usage.n_completion) / n_bytes
    return min(1.0, ratio)


def _tokens(message: ChatMessage, *, tokens_per_byte: float) -> MessageTokens:
    n_media = sum(typical_tokens(part) for part in message.parts if isinstance(part, MediaPart))
    n_file_bytes = sum(
        len(part.prompt_text.encode())
        for part in message.parts
        if isinstance(part, DocumentPart | PassagesPart)
    )
    return MessageTokens(
        round(_size(message) * tokens_per_byte) + n_media,
        round(n_file_bytes * tokens_per_byte) + n_media,
    )


def _size(message: ChatMessage) -> int:
    return sum(
        len(text.encode("utf-8", "surrogatepass")) for part in message.parts for text in texts_of(part)
    )
