"""Guess what a branch takes of a context while its model is not loaded, from what is known of its answers."""

from __future__ import annotations

from typing import Final

from fireside.chat.context.prepared_request import Branch
from fireside.core.chat import GenerationRecord
from fireside.core.context import MessageTokens, PromptMeasure
from fireside.core.context_length import effective_n_ctx
from fireside.core.ids import ModelId
from fireside.core.message import ChatMessage, DocumentPart, ImagePart, PassagesPart, Role, texts_of
from fireside.core.model import ModelSpec
from fireside.core.options import LoadOptions
from fireside.core.prompt_input import ChatInput
from fireside.services.remote_entries import place_for_options

_TOKENS_PER_BYTE: Final = 0.25
"""Of English prose; code and other languages have more."""
_AROUND: Final = 5
"""Tokens that a template writes around a message."""
_PICTURE_TOKENS: Final = 800
"""What models in use make of a picture lies between 256 and a few thousand."""


def estimated(prompt: ChatInput, branch: Branch, *, model_id: ModelId) -> PromptMeasure:
    """Return about what a measure of ``prompt`` would say."""
    share = _tokens_per_byte(branch, model_id=model_id)
    counts = [_tokens(message, share=share) for message in prompt.messages]
    n_system = sum(message.role is Role.SYSTEM for message in prompt.messages)
    n_tools = sum(round(share * len(tool.description + tool.parameters)) + _AROUND for tool in prompt.tools)
    record = _last_record(branch, model_id=model_id)
    is_cut = record is not None and record.truncation is not None and not record.n_summarised
    n_dropped = record.truncation.n_messages if is_cut and record is not None and record.truncation else 0
    said = counts[n_system:]
    return PromptMeasure(
        n_prompt=sum(each.n_tokens for each in (*counts[:n_system], *said[n_dropped:]))
        + _AROUND * (len(counts) - n_dropped)
        + n_tools,
        n_system=sum(each.n_tokens for each in counts[:n_system]),
        messages=tuple(said),
        n_dropped=min(n_dropped, len(said)),
    )


def likely_context(spec: ModelSpec, branch: Branch, *, wanted: LoadOptions) -> int:
    """Return the context that the model will probably have: what it had, else what the settings ask for.

    Of another engine it is what that said, or is asked for; 0 where nothing is known.
    """
    if spec.remote is not None:
        return place_for_options(spec.remote, wanted).model.n_ctx or 0
    record = _last_record(branch, model_id=spec.id)
    if record is not None and record.n_ctx:
        return record.n_ctx
    return effective_n_ctx(wanted, n_ctx_train=spec.n_ctx_train)


def _last_record(branch: Branch, *, model_id: ModelId) -> GenerationRecord | None:
    records = (message.generation for message in reversed(branch.said))
    return next((each for each in records if each is not None and each.model_id == model_id), None)


def _tokens_per_byte(branch: Branch, *, model_id: ModelId) -> float:
    """Return the share that the last answer of this model tells, where it saw all that is here."""
    n_bytes = 0
    known = _TOKENS_PER_BYTE
    for message in (*branch.covered, *branch.said):
        n_bytes += _size(message.message)
        record = message.generation
        if record is None or record.usage is None or record.model_id != model_id:
            continue
        if record.truncation is None and not record.n_summarised and n_bytes:
            known = (record.usage.n_prompt + record.usage.n_completion) / n_bytes
    return min(1.0, known)


def _tokens(message: ChatMessage, *, share: float) -> MessageTokens:
    n_pictures = _PICTURE_TOKENS * sum(isinstance(part, ImagePart) for part in message.parts)
    n_files = sum(
        len(part.prompt_text.encode())
        for part in message.parts
        if isinstance(part, DocumentPart | PassagesPart)
    )
    return MessageTokens(round(_size(message) * share) + n_pictures, round(n_files * share) + n_pictures)


def _size(message: ChatMessage) -> int:
    return sum(
        len(text.encode("utf-8", "surrogatepass")) for part in message.parts for text in texts_of(part)
    )
