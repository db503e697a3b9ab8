"""What is said about attached files. Pure: no Qt."""

from __future__ import annotations

from fireside.core.attachment import Attachment, TokenCost
from fireside.core.errors import format_bytes
from fireside.core.message import AttachedPart, DocumentPart, ImagePart
from fireside.ui.context.words import compact

READING = "Reading…"
_KINDS = {
    "application/pdf": "PDF",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "Word",
    "text/html": "Web page",
}
_LONGEST_ENDING = 5


def kind_of(part: AttachedPart) -> str:
    """Return what a file is, in a word: what was found in it, and of a text its ending."""
    if isinstance(part, ImagePart):
        return "Image"
    if part.media_type in _KINDS:
        return _KINDS[part.media_type]
    stem, _, ending = part.name.rpartition(".")
    return ending.upper() if stem and ending.isalnum() and len(ending) <= _LONGEST_ENDING else "Text"


def cost_words(cost: TokenCost) -> str:
    about = "" if cost.is_exact else "about "
    return f"{about}{compact(cost.n_tokens)} token{'' if cost.n_tokens == 1 else 's'}"


def facts_of(attachment: Attachment, *, cost: TokenCost | None) -> str:
    """Return the second line of a chip before it is sent."""
    facts = _facts(attachment.part, size_bytes=attachment.size_bytes)
    return " · ".join([*facts, cost_words(cost)] if cost is not None else facts)


def sent_facts_of(part: AttachedPart) -> str:
    """Return the second line of a chip in a message."""
    return " · ".join(_facts(part, size_bytes=part.size_bytes if isinstance(part, DocumentPart) else 0))


def _facts(part: AttachedPart, *, size_bytes: int) -> list[str]:
    facts = [kind_of(part)]
    if isinstance(part, DocumentPart) and part.n_pages is not None:
        facts.append(f"{part.n_pages:,} page{'' if part.n_pages == 1 else 's'}")
    elif size_bytes:
        facts.append(format_bytes(size_bytes))
    return facts


CANNOT_SEE = "This model cannot see images"


def cannot_see(model: str) -> str:
    return f"{model or 'This model'} cannot see images. Remove the image, or choose a model that can."


TOO_LONG = "Too long for this model"


def too_long(cost: TokenCost, *, n_ctx: int) -> str:
    return (
        f"It takes {cost_words(cost)}, and the model’s context holds {n_ctx:,}. "
        "Give the model a larger context, or attach a part of the file."
    )


def sentence(reason: str) -> str:
    """Return the end of a sentence as one of its own."""
    return reason[:1].upper() + reason[1:]
