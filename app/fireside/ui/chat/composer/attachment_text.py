"""Texts about attached files: kind, token cost, problems. Pure: no Qt."""

from __future__ import annotations

from fireside.core.attachment import MAX_ATTACHED, Attachment, TokenCost
from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.message import AttachedPart, AudioPart, DocumentPart, ImagePart, MediaPart, VideoPart
from fireside.ui.context.context_text import compact_count

READING = tr_noop("Reading…")
_KINDS = {
    "application/pdf": "PDF",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": tr_noop("Word"),
    "text/html": tr_noop("HTML"),
}
_MAX_EXTENSION_CHARS = 5
_SHORTENED_FROM = 1000
"""Counts from this one on are shortened, as ``1.9k``."""


def kind_of(part: AttachedPart) -> str:
    """Return the kind of a file in a word: from its media type, for plain text from its file extension."""
    if isinstance(part, MediaPart):
        return {ImagePart: tr("Image"), AudioPart: tr("Sound"), VideoPart: tr("Video")}[type(part)]
    if part.media_type in _KINDS:
        return tr(_KINDS[part.media_type])
    stem, _, extension = part.name.rpartition(".")
    return (
        extension.upper()
        if stem and extension.isalnum() and len(extension) <= _MAX_EXTENSION_CHARS
        else tr("Text")
    )


def cost_text(cost: TokenCost) -> str:
    """Return a file's token count: ``about 1.9k tokens``."""
    n = cost.n_tokens
    if n < _SHORTENED_FROM:
        return (
            tr("%n token|%n tokens", "", n) if cost.is_exact else tr("about %n token|about %n tokens", "", n)
        )
    template = tr("{count} tokens") if cost.is_exact else tr("about {count} tokens")
    return template.format(count=compact_count(n))


def facts_of(attachment: Attachment, *, cost: TokenCost | None) -> str:
    """Return the second line of a chip in the composer."""
    facts = _facts(attachment.part, size_bytes=attachment.size_bytes)
    return " · ".join([*facts, cost_text(cost)] if cost is not None else facts)


def sent_facts_of(part: AttachedPart) -> str:
    """Return the second line of a chip in a message."""
    return " · ".join(_facts(part, size_bytes=part.size_bytes if isinstance(part, DocumentPart) else 0))


def _facts(part: AttachedPart, *, size_bytes: int) -> list[str]:
    facts = [part.server, kind_of(part)] if part.server else [kind_of(part)]
    if isinstance(part, DocumentPart) and part.n_pages is not None:
        facts.append(tr("%n page|%n pages", "", part.n_pages))
    elif size_bytes:
        facts.append(format_bytes(size_bytes))
    return facts


NO_VISION = tr_noop("No image support")


def no_vision_message(model: str) -> str:
    if not model:
        return tr("This model does not support images. Remove the image or choose a vision model.")
    template = tr("{model} does not support images. Remove the image or choose a vision model.")
    return template.format(model=model)


TOO_LONG = tr_noop("Too long for this model")


def too_long_message(cost: TokenCost, *, n_ctx: int) -> str:
    return tr("It needs {tokens}; the context holds {size}.").format(
        tokens=cost_text(cost), size=number(n_ctx)
    )


def unreadable_text(reason: str) -> str:
    """Return that a file is not sent since it cannot be read."""
    return tr("Not sent: {reason}").format(reason=reason)


def limit_message(n_files: int) -> str:
    """Return how many files exceed the limit and were not attached; empty where none were."""
    if n_files <= 0:
        return ""
    return tr(
        "Limit: {most} files (%n skipped)|Limit: {most} files (%n skipped)",
        "",
        n_files,
    ).format(most=MAX_ATTACHED)
