"""Build and check the user's message, its conversation's title, and the initial record of its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fireside.core.attachment import attachment_limit_problem
from fireside.core.chat import GenerationRecord
from fireside.core.collection import WholeReading
from fireside.core.errors import InvalidText, RequestError
from fireside.core.graphemes import cut
from fireside.core.i18n import tr, tr_noop
from fireside.core.message import (
    AttachedPart,
    AudioPart,
    ChatMessage,
    ImagePart,
    PassagesPart,
    Role,
    TextPart,
    VideoPart,
    with_passages,
)
from fireside.core.model import ModelSpec

TITLE_CHARACTERS = 60

_FENCE = re.compile(r"\s*(```|~~~)")
_BLOCK_MARKERS = re.compile(r"(?:(?:#{1,6}|[-*+]|>+)\s+)+(?=\S)")
"""Markdown before a heading, a list item or a quotation."""
_INLINE_MARKERS = re.compile(r"(\*\*|~~|`)(?=[^\s*~`])(.+?)(?<=\S)\1")
"""Markdown around emphasised text and code."""


def title_from(text: str) -> str:
    """Return a title for a conversation that begins with ``text``.

    That is the first line with content, without Markdown, cut at a word.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if not _FENCE.match(line)), lines[0] if lines else tr("New chat"))
    if (markers := _BLOCK_MARKERS.match(line)) is not None:
        line = line[markers.end() :]
    line = _INLINE_MARKERS.sub(r"\2", line)
    line = " ".join(line.split()).rstrip(" ,.;:") or line
    if len(line) <= TITLE_CHARACTERS:
        return line
    beginning = cut(line, TITLE_CHARACTERS)
    words = beginning.rsplit(" ", 1)[0]
    return (words if len(words) > TITLE_CHARACTERS // 2 else beginning).rstrip(" ,.;:") + "…"


def check_text(text: str) -> None:
    """Raise ``InvalidText`` for a message that cannot be stored or shown to a model."""
    if not text.strip():
        raise InvalidText(reason=tr_noop("it is empty."))
    if "\x00" in text:
        raise InvalidText(reason=tr_noop("it contains a NUL character. Was a binary file pasted?"))
    try:
        text.encode()
    except UnicodeEncodeError as exc:
        raise InvalidText(
            reason=tr_noop(
                "it contains an invalid character (a lone surrogate). Delete it or paste the text again."
            )
        ) from exc


def build_user_message(
    text: str, *, attached: Sequence[AttachedPart], specs: Iterable[ModelSpec]
) -> ChatMessage:
    """Return a message with its files before its text.

    Raises:
        InvalidText: it is empty, too large, or has characters that cannot be stored or sent to a model.
        images_unsupported, audio_unsupported, video_unsupported: one of the models does not take what is
            attached.
    """
    if text.strip() or not attached:
        check_text(text)
    if reason := attachment_limit_problem(tuple(attached)):
        raise InvalidText(reason=reason)
    senses = [spec.senses for spec in specs]
    kinds = {type(part) for part in attached}
    if AudioPart in kinds and not all(each.hears for each in senses):
        raise RequestError.of("audio_unsupported")
    if VideoPart in kinds and not all(each.sees for each in senses):
        raise RequestError.of("video_unsupported")
    if ImagePart in kinds and not all(each.sees for each in senses):
        raise RequestError.of("images_unsupported")
    texts = (TextPart(text=text),) if text.strip() else ()
    return ChatMessage(role=Role.USER, parts=(*attached, *texts))


def with_whole_reading(message: ChatMessage) -> ChatMessage:
    """Return a question for which all documents of its chat are to be read."""
    return with_passages(message, PassagesPart(question=message.text, reading=WholeReading()))


def initial_record(spec: ModelSpec) -> GenerationRecord:
    """Return the record of an answer that has not begun."""
    return GenerationRecord(model_id=spec.id, model_name=spec.name, quantization=spec.quantization)
