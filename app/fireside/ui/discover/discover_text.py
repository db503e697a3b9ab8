"""Texts about hub models: facts, badges, licences, ages. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from fireside.core.discovery import (
    Access,
    CatalogueModel,
    FitEstimate,
    HubModel,
    HubQuant,
    HubSearchHit,
)
from fireside.core.errors import format_bytes
from fireside.core.fit import Placement, QuantFit, speed_text
from fireside.core.i18n import number, tr, tr_noop
from fireside.core.options import Purpose
from fireside.ui.model_text import (
    AUDIO,
    SEPARATOR,
    VIDEO,
    VISION,
    abbreviate_count,
    format_context_size,
    media_labels,
)
from fireside.ui.widgets.text import one_line, truncate_text

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_SPANS: Final[tuple[tuple[int, Callable[[int], str]], ...]] = (
    (365 * _DAY, lambda n: tr("%n year ago|%n years ago", "", n)),
    (30 * _DAY, lambda n: tr("%n month ago|%n months ago", "", n)),
    (7 * _DAY, lambda n: tr("%n week ago|%n weeks ago", "", n)),
    (_DAY, lambda n: tr("%n day ago|%n days ago", "", n)),
    (_HOUR, lambda n: tr("%n hour ago|%n hours ago", "", n)),
    (_MINUTE, lambda n: tr("%n minute ago|%n minutes ago", "", n)),
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
"""The hub's identifier of a licence, and its display name."""
_LICENCE_NAMES: Final = dict(LICENCES) | {"other": tr_noop("Custom"), "unknown": ""}

PURPOSE_BADGES: Final = {Purpose.EMBED: tr_noop("Embedding"), Purpose.RERANK: tr_noop("Reranking")}
"""Badges of models that cannot chat, by purpose."""
PURPOSE_NOTES: Final = {
    Purpose.EMBED: tr_noop("Embedding model: for search and similarity. Cannot chat."),
    Purpose.RERANK: tr_noop("Reranking model: ranks texts by relevance. Cannot chat."),
}

GATED_BADGE: Final = tr_noop("Gated")
PRIVATE_BADGE: Final = tr_noop("Private")
BADGE_PHRASES: Final = {
    PURPOSE_BADGES[Purpose.EMBED]: tr_noop("embedding"),
    PURPOSE_BADGES[Purpose.RERANK]: tr_noop("reranking"),
    VISION: tr_noop("vision"),
    AUDIO: tr_noop("audio"),
    VIDEO: tr_noop("video"),
    GATED_BADGE: tr_noop("gated"),
    PRIVATE_BADGE: tr_noop("private"),
}
"""Badges of special abilities, as a label and as part of a sentence."""

_LONGEST_LICENCE: Final = 32
_ADDRESS: Final = re.compile(r"https?://\S+|(?:www\.)?(?:huggingface\.co|hf\.co)/\S+", re.IGNORECASE)
_REPO: Final = re.compile(r"[\w.-]+/[\w.-]+")
_CHOICE: Final = re.compile(r"[\w.-]+/[\w.-]+(?::[\w.-]+|/\S+\.gguf)", re.IGNORECASE)


def is_exact_name(text: str) -> bool:
    """Return whether ``text`` can only mean one model: a URL, or a repository with a quantization."""
    name = text.strip()
    return _ADDRESS.fullmatch(name) is not None or _CHOICE.fullmatch(name) is not None


def is_repository(text: str) -> bool:
    """Return whether ``text`` looks like ``owner/name``, which may also be a search term."""
    return _REPO.fullmatch(text.strip()) is not None


def owner_of(repo: str) -> str:
    return one_line(repo.partition("/")[0])


def name_of(repo: str) -> str:
    """Return a repository's name without its owner and without the usual suffixes."""
    name = one_line(repo.partition("/")[2] or repo)
    return re.sub(r"[-_.]gguf$", "", name, flags=re.IGNORECASE) or name


def isolated(text: str) -> str:
    """Return ``text`` isolated in its writing direction, so that it does not affect its surroundings."""
    return f"\u2068{text}\u2069"


def ago_text(moment: str, *, now: datetime) -> str:
    """Return how long ago ``moment`` (UTC, ISO 8601) was; empty where it cannot be parsed."""
    try:
        then = datetime.fromisoformat(moment)
    except ValueError:
        return ""
    seconds = (now - (then if then.tzinfo is not None else then.replace(tzinfo=UTC))).total_seconds()
    for span, text_for in _SPANS:
        if seconds >= span:
            return text_for(int(seconds // span))
    return tr("just now")


def licence_text(licence: str) -> str:
    """Return the display name of a licence, or the hub's identifier, shortened to fit a button."""
    return truncate_text(tr(_LICENCE_NAMES.get(licence, one_line(licence))), length=_LONGEST_LICENCE)


def badges(hit: HubSearchHit) -> tuple[str, ...]:
    """Return the badges of a model: keys of ``BADGE_PHRASES``, untranslated."""
    labels = [PURPOSE_BADGES[hit.purpose]] if hit.purpose in PURPOSE_BADGES else []
    labels += media_labels(sees=hit.sees_images, hears=hit.hears_audio)
    match hit.access:
        case Access.GATED:
            labels.append(GATED_BADGE)
        case Access.PRIVATE:
            labels.append(PRIVATE_BADGE)
        case Access.OPEN:
            pass
    return tuple(labels)


def outlook_text(outlook: FitEstimate | None) -> str:
    """Return how a model would run here, in the named or usual quantization; empty if unknown."""
    if outlook is None:
        return ""
    return outlook.obstacle.rstrip(".") or verdict_text(outlook)


def verdict_text(fit: FitEstimate | QuantFit) -> str:
    """Return how a model would run here, in a few words."""
    if not fit.where.runs:
        return tr(PLACEMENT_TEXTS[fit.where])
    speed = speed_text(fit.speed) if fit.speed is not None else tr("Fits this computer")
    where = "" if fit.where is Placement.PROCESSOR else tr(PLACEMENT_TEXTS[fit.where])
    label = one_line(fit.label) if isinstance(fit, FitEstimate) else ""
    return SEPARATOR.join(part for part in (speed, where, label) if part)


PLACEMENT_TEXTS: Final = {
    Placement.GPU: tr_noop("Fully on GPU"),
    Placement.PARTLY_GPU: tr_noop("Partly on GPU"),
    Placement.PROCESSOR: tr_noop("CPU"),
    Placement.NOT_NOW: tr_noop("Does not fit right now"),
    Placement.NOWHERE: tr_noop("Does not fit this computer"),
}
"""Display texts of where a model would run."""


def result_facts(hit: HubSearchHit, *, now: datetime) -> tuple[str, ...]:
    """Return the second line of a search result, most important facts first."""
    facts = (
        owner_of(hit.repo),
        params_text(hit.n_params),
        tr("{count} downloads").format(count=abbreviate_count(hit.n_downloads))
        if hit.n_downloads > 0
        else "",
        ago_text(hit.updated_at, now=now),
        likes_text(hit.n_likes),
        licence_text(hit.licence),
    )
    return tuple(fact for fact in facts if fact)


def params_text(n: int) -> str:
    """Return the number of parameters; empty if unknown."""
    return tr("{count} parameters").format(count=abbreviate_count(n)) if n > 0 else ""


def likes_text(n: int) -> str:
    """Return the number of likes: ``1 like``, ``1.2k likes``; empty for none."""
    if n < 1000:
        return tr("%n like|%n likes", "", n) if n > 0 else ""
    return tr("{count} likes").format(count=abbreviate_count(n))


def result_accessible_text(
    hit: HubSearchHit, *, in_library: bool, now: datetime, outlook: FitEstimate | None = None
) -> str:
    """Return all facts of a search result for screen readers."""
    updated = ago_text(hit.updated_at, now=now)
    licence = licence_text(hit.licence)
    parts = [
        tr("{name} by {owner}").format(name=name_of(hit.repo), owner=owner_of(hit.repo)),
        params_text(hit.n_params),
        outlook_text(outlook),
        tr("licence {name}").format(name=licence) if licence else "",
        tr("%n download this month|%n downloads this month", "", hit.n_downloads),
        tr("%n like|%n likes", "", hit.n_likes),
        tr("updated {when}").format(when=updated) if updated else "",
        *(tr(BADGE_PHRASES[badge]) for badge in badges(hit)),
        tr("downloaded") if in_library else "",
    ]
    return ", ".join(part for part in parts if part) + "."


def catalogue_facts(model: CatalogueModel) -> tuple[str, ...]:
    """Return the facts of a card of the start page."""
    n_active = model.n_active_params
    facts = (
        params_text(model.n_params),
        tr("{count} active").format(count=abbreviate_count(n_active)) if n_active else "",
        format_bytes(model.size_bytes),
        licence_text(model.licence),
    )
    return tuple(fact for fact in facts if fact)


def catalogue_accessible_text(model: CatalogueModel) -> str:
    """Return all facts of a card for screen readers."""
    facts = ", ".join(catalogue_facts(model))
    parts = (
        tr("{name} by {publisher}.").format(name=model.name, publisher=model.publisher),
        tr(model.about),
        tr("Supports images.") if model.sees_images else "",
        tr("Supports audio.") if model.hears_audio else "",
        f"{facts}.",
    )
    return " ".join(part for part in parts if part)


def model_facts(model: HubModel, *, now: datetime) -> tuple[tuple[str, str], ...]:
    """Return titles and values of the known facts for a model's page."""
    hit = model.found
    facts = (
        (tr("Parameters"), abbreviate_count(hit.n_params) if hit.n_params > 0 else ""),
        (
            tr("Trained context"),
            tr("{count} tokens").format(count=format_context_size(hit.n_ctx_train))
            if hit.n_ctx_train > 0
            else "",
        ),
        (tr("Architecture"), one_line(hit.architecture)),
        (tr("Base model"), one_line(model.base_model)),
        (tr("Downloads this month"), number(hit.n_downloads) if hit.n_downloads > 0 else ""),
        (tr("Likes"), number(hit.n_likes) if hit.n_likes > 0 else ""),
        (tr("Updated"), ago_text(hit.updated_at, now=now)),
    )
    return tuple((name, value) for name, value in facts if value)


def size_text(quant: HubQuant) -> str:
    """Return the size of a quantization, and its number of files if several."""
    size = format_bytes(quant.size_bytes)
    n = len(quant.files)
    return tr("{size} in %n file|{size} in %n files", "", n).format(size=size) if n > 1 else size
