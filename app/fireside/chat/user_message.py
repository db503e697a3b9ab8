"""Make of what the user sends a message, and of a model the place for its answer."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from fireside.core.attachment import attachment_limit_problem
from fireside.core.chat import GenerationRecord
from fireside.core.collection import WholeReading
from fireside.core.errors import ImagesUnsupported, InvalidText
from fireside.core.i18n import tr, tr_noop
from fireside.core.message import (
    AttachedPart,
    ChatMessage,
    ImagePart,
    MessagePart,
    PassagesPart,
    Role,
    TextPart,
)
from fireside.core.model import ModelSpec

TITLE_CHARACTERS = 60

_FENCE = re.compile(r"\s*(```|~~~)")
_BEGINS = re.compile(r"(?:(?:#{1,6}|[-*+]|>+)\s+)+(?=\S)")
"""What Markdown writes before a heading, a point of a list and a quotation."""
_AROUND = re.compile(r"(\*\*|~~|`)(?=[^\s*~`])(.+?)(?<=\S)\1")
"""What Markdown writes around words."""


def title_from(text: str) -> str:
    """Return a title for a conversation that begins with ``text``.

    It is the first line that says something, without the marks of Markdown, cut at a word.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    line = next((line for line in lines if not _FENCE.match(line)), lines[0] if lines else tr("New chat"))
    line = _AROUND.sub(r"\2", _BEGINS.sub("", line, count=1) if _BEGINS.match(line) else line)
    line = " ".join(line.split()).rstrip(" ,.;:") or line
    if len(line) <= TITLE_CHARACTERS:
        return line
    cut = line[:TITLE_CHARACTERS].rsplit(" ", 1)[0]
    return (cut if len(cut) > TITLE_CHARACTERS // 2 else line[:TITLE_CHARACTERS]).rstrip(" ,.;:") + "…"


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
    """Return a message with its files in front of the words about them.

    Raises:
        InvalidText: there is nothing in it, or what no database or model takes, or too much of it.
        ImagesUnsupported: there are pictures, and one of the models has no eyes.
    """
    if text.strip() or not attached:
        check_text(text)
    if reason := attachment_limit_problem(tuple(attached)):
        raise InvalidText(reason=reason)
    has_pictures = any(isinstance(part, ImagePart) for part in attached)
    if has_pictures and not all(spec.sees_images for spec in specs):
        raise ImagesUnsupported
    words = (TextPart(text=text),) if text.strip() else ()
    return ChatMessage(role=Role.USER, parts=(*attached, *words))


def with_whole_reading(message: ChatMessage) -> ChatMessage:
    """Return a question for which all documents of its chat are read."""
    parts: list[MessagePart] = [part for part in message.parts if not isinstance(part, PassagesPart)]
    place = next((n for n, part in enumerate(parts) if isinstance(part, TextPart)), len(parts))
    parts.insert(place, PassagesPart(question=message.text, reading=WholeReading()))
    return ChatMessage(role=message.role, parts=tuple(parts))


def initial_record(spec: ModelSpec) -> GenerationRecord:
    """Return what is known of an answer that has not begun."""
    return GenerationRecord(model_id=spec.id, model_name=spec.name, quantization=spec.quantization)
