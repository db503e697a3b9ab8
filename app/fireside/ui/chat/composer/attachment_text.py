"""Texts about attached files: kind, token cost, problems. Pure: no Qt."""

from __future__ import annotations

from typing import Final

from fireside.core.attachment import MAX_ATTACHED, Attachment, TokenCost, clock_time
from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.message import AttachedPart, AudioPart, DocumentPart, ImagePart, MediaPart, VideoPart
from fireside.core.model import ModelSpec
from fireside.ui.context.context_text import compact_count

READING = tr_noop("Reading…")
MEDIA_NAMES: Final[dict[type[AttachedPart], str]] = {
    ImagePart: tr_noop("Image"),
    AudioPart: tr_noop("Audio"),
    VideoPart: tr_noop("Video"),
}
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
        return tr(MEDIA_NAMES[type(part)])
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


def spoken_facts(part: AttachedPart, line: str) -> str:
    """Return the second line of a chip for screen readers: a duration in words."""
    if not isinstance(part, AudioPart | VideoPart):
        return line
    minutes, seconds = divmod(round(part.seconds), 60)
    words = (
        tr("%n minute|%n minutes", "", minutes) if minutes else "",
        tr("%n second|%n seconds", "", seconds) if seconds or not minutes else "",
    )
    return line.replace(clock_time(part.seconds), " ".join(filter(None, words)))


def _facts(part: AttachedPart, *, size_bytes: int) -> list[str]:
    facts = [part.server, kind_of(part)] if part.server else [kind_of(part)]
    if isinstance(part, AudioPart | VideoPart):
        facts.append(clock_time(part.seconds))
    if isinstance(part, DocumentPart) and part.n_pages is not None:
        facts.append(tr("%n page|%n pages", "", part.n_pages))
    elif size_bytes:
        facts.append(format_bytes(size_bytes))
    return facts


_UNSUPPORTED: Final[dict[type[AttachedPart], tuple[str, str, str]]] = {
    ImagePart: (
        tr_noop("No image support"),
        tr_noop("This model does not support images. Remove the image or choose a vision model."),
        tr_noop("{model} does not support images. Remove the image or choose a vision model."),
    ),
    AudioPart: (
        tr_noop("No audio support"),
        tr_noop("This model does not support audio. Remove the file or choose a model that does."),
        tr_noop("{model} does not support audio. Remove the file or choose a model that does."),
    ),
    VideoPart: (
        tr_noop("No video support"),
        tr_noop("This model does not support videos. Remove the file or choose a model that does."),
        tr_noop("{model} does not support videos. Remove the file or choose a model that does."),
    ),
}
"""A few words, and a sentence without and with the name of the model."""


def takes(spec: ModelSpec, part: AttachedPart) -> bool:
    """Return whether a model takes a file: videos as rows of images, with their sound if it hears."""
    match part:
        case ImagePart() | VideoPart():
            return spec.sees_images
        case AudioPart():
            return spec.hears_audio
        case DocumentPart():
            return True


def unsupported_line(part: AttachedPart) -> str:
    """Return in a few words that the model does not take files of this kind."""
    return tr(_UNSUPPORTED[type(part)][0])


def unsupported_message(part: AttachedPart, *, model: str) -> str:
    """Return that the model does not take files of this kind, and what helps; its name may be empty."""
    _, unnamed, named = _UNSUPPORTED[type(part)]
    return tr(named).format(model=model) if model else tr(unnamed)


SILENT_VIDEO = tr_noop("This model gets the images of the video without its sound.")
TOO_LONG = tr_noop("Too long for this model")
WAITING = tr_noop("Waits for “Media formats”")


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
