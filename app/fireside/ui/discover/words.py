"""Say what the hub knows of a model in few words. Pure."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from fireside.core.discovery import Access, CatalogueModel, FoundModel, HubModel, HubQuant
from fireside.core.errors import format_bytes
from fireside.core.options import Purpose
from fireside.ui.model_words import context_words, count_words
from fireside.ui.widgets.text import one_line

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_SPANS: Final = (
    (365 * _DAY, "year"),
    (30 * _DAY, "month"),
    (7 * _DAY, "week"),
    (_DAY, "day"),
    (_HOUR, "hour"),
    (_MINUTE, "minute"),
)

LICENCES: Final = (
    ("apache-2.0", "Apache 2.0"),
    ("mit", "MIT"),
    ("llama3.3", "Llama 3.3"),
    ("llama3.2", "Llama 3.2"),
    ("llama3.1", "Llama 3.1"),
    ("llama3", "Llama 3"),
    ("gemma", "Gemma"),
    ("cc-by-4.0", "CC BY 4.0"),
    ("cc-by-nc-4.0", "CC BY-NC 4.0"),
    ("bsd-3-clause", "BSD 3-Clause"),
    ("openrail", "OpenRAIL"),
)
"""As the hub writes a licence, and what it is called."""
_LICENCE_NAMES: Final = dict(LICENCES) | {"other": "Its own", "unknown": ""}

PURPOSE_BADGES: Final = {Purpose.EMBED: "Embedding", Purpose.RERANK: "Reranking"}
"""What a model that cannot chat is for."""
PURPOSE_NOTES: Final = {
    Purpose.EMBED: "It turns texts into numbers, for finding what is alike. It cannot chat.",
    Purpose.RERANK: "It judges which of several texts fits a question best. It cannot chat.",
}

_LONGEST_LICENCE: Final = 32
_ADDRESS: Final = re.compile(r"https?://\S+|(?:www\.)?(?:huggingface\.co|hf\.co)/\S+", re.IGNORECASE)
_REPO: Final = re.compile(r"[\w.-]+/[\w.-]+")
_CHOICE: Final = re.compile(r"[\w.-]+/[\w.-]+(?::[\w.-]+|/\S+\.gguf)", re.IGNORECASE)


def is_exact_name(text: str) -> bool:
    """Tell whether ``text`` can only be meant as one model: an address, or a repository with its size."""
    name = text.strip()
    return _ADDRESS.fullmatch(name) is not None or _CHOICE.fullmatch(name) is not None


def is_repository(text: str) -> bool:
    """Tell whether ``text`` looks like ``owner/name``, which may also be searched for."""
    return _REPO.fullmatch(text.strip()) is not None


def owner_of(repo: str) -> str:
    return one_line(repo.partition("/")[0])


def name_of(repo: str) -> str:
    """Return a repository's name without its owner, and without what each of these ends in."""
    name = one_line(repo.partition("/")[2] or repo)
    return re.sub(r"[-_.]gguf$", "", name, flags=re.IGNORECASE) or name


def shortened(text: str, *, length: int) -> str:
    """Return ``text``, or its beginning with “…”."""
    return text if len(text) <= length else f"{text[: length - 1]}…"


def isolated(text: str) -> str:
    """Return ``text`` so that its direction of writing does not turn what stands beside it."""
    return f"\u2068{text}\u2069"


def ago_words(moment: str, *, now: datetime) -> str:
    """Return how long ago ``moment`` was (UTC, ISO 8601); empty where it cannot be read."""
    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return ""
    seconds = (now - (then if then.tzinfo is not None else then.replace(tzinfo=UTC))).total_seconds()
    for span, unit in _SPANS:
        if seconds >= span:
            n = int(seconds // span)
            return f"{n} {unit}{'' if n == 1 else 's'} ago"
    return "just now"


def licence_words(licence: str) -> str:
    """Return what a licence is called, or the hub's own word for it, at a length that fits a button."""
    return shortened(_LICENCE_NAMES.get(licence, one_line(licence)), length=_LONGEST_LICENCE)


def badges(found: FoundModel) -> tuple[str, ...]:
    """Return what sets a model apart from most others."""
    made = [PURPOSE_BADGES[found.purpose]] if found.purpose in PURPOSE_BADGES else []
    if found.sees_images:
        made.append("Sees pictures")
    match found.access:
        case Access.GATED:
            made.append("Asks for consent")
        case Access.PRIVATE:
            made.append("Private")
        case Access.OPEN:
            pass
    return tuple(made)


def found_facts(found: FoundModel, *, now: datetime) -> tuple[str, ...]:
    """Return the second line of a search's row, in order of weight."""
    facts = (
        owner_of(found.repo),
        f"{count_words(found.n_params)} parameters" if found.n_params > 0 else "",
        f"{count_words(found.n_downloads)} downloads" if found.n_downloads > 0 else "",
        ago_words(found.updated_at, now=now),
        f"{count_words(found.n_likes)} likes" if found.n_likes > 0 else "",
        licence_words(found.licence),
    )
    return tuple(fact for fact in facts if fact)


def found_sentence(found: FoundModel, *, in_library: bool, now: datetime) -> str:
    """Return all facts of a search's row for a screen reader."""
    updated = ago_words(found.updated_at, now=now)
    parts = [
        f"{name_of(found.repo)} by {owner_of(found.repo)}",
        f"{count_words(found.n_params)} parameters" if found.n_params > 0 else "",
        f"licence {licence_words(found.licence)}" if licence_words(found.licence) else "",
        f"{found.n_downloads} downloads this month",
        f"{found.n_likes} likes",
        f"updated {updated}" if updated else "",
        *(badge.lower() for badge in badges(found)),
        "in your library" if in_library else "",
    ]
    return ", ".join(part for part in parts if part) + "."


def catalogue_facts(model: CatalogueModel) -> tuple[str, ...]:
    """Return what a card of the start page says beside its sentence."""
    facts = (
        f"{count_words(model.n_params)} parameters",
        f"{count_words(model.n_active_params)} at work" if model.n_active_params else "",
        format_bytes(model.size_bytes),
        licence_words(model.licence),
    )
    return tuple(fact for fact in facts if fact)


def catalogue_sentence(model: CatalogueModel) -> str:
    """Return all that a card says, for a screen reader."""
    sees = "It sees pictures. " if model.sees_images else ""
    return f"{model.name} by {model.publisher}. {model.about} {sees}{', '.join(catalogue_facts(model))}."


def model_facts(model: HubModel, *, now: datetime) -> tuple[tuple[str, str], ...]:
    """Return names and values of what a model's page lists, without those that nobody knows."""
    found = model.found
    facts = (
        ("Parameters", count_words(found.n_params) if found.n_params > 0 else ""),
        ("Trained context", f"{context_words(found.n_ctx_train)} tokens" if found.n_ctx_train > 0 else ""),
        ("Architecture", one_line(found.architecture)),
        ("Made from", one_line(model.base_model)),
        ("Downloads this month", f"{found.n_downloads:,}" if found.n_downloads > 0 else ""),
        ("Likes", f"{found.n_likes:,}" if found.n_likes > 0 else ""),
        ("Updated", ago_words(found.updated_at, now=now)),
    )
    return tuple((name, value) for name, value in facts if value)


def size_words(quant: HubQuant) -> str:
    """Return what a quant takes, and of how many files it is made."""
    parts = f" in {len(quant.files)} files" if len(quant.files) > 1 else ""
    return f"{format_bytes(quant.size_bytes)}{parts}"
