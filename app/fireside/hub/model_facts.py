"""Interpret the hub's description of a repository, which is untrusted input."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.discovery import Access, HubSearchHit
from fireside.core.model import template_calls_tools
from fireside.core.options import Purpose
from fireside.gguf import (
    EMBEDDING_ARCHITECTURES,
    PICTURE_ARCHITECTURES,
    template_reasons,
)
from fireside.hub.repository_names import is_repo
from fireside.hub.response_errors import commit_of

if TYPE_CHECKING:  # Slow to import, and only needed for a request.
    from huggingface_hub import ModelInfo

FACTS: Final = (
    "downloads",
    "gated",
    "gguf",
    "lastModified",
    "likes",
    "pipeline_tag",
    "private",
    "sha",
    "tags",
)
"""The fields that ``to_search_hit`` needs, as the hub names them."""

MAX_CONTEXT: Final = 2**31 - 1
_MAX_COUNT: Final = 10**15
_MAX_TEXT: Final = 200
_MAX_TAGS: Final = 200
_MAX_TEMPLATE: Final = 64_000
_MAX_ADDRESS: Final = 2_000
_GATE_KINDS: Final = ("auto", "manual")
_VISION_TASKS: Final = frozenset(
    {
        "any-to-any",
        "document-question-answering",
        "image-text-to-text",
        "image-to-text",
        "video-text-to-text",
        "visual-question-answering",
    }
)
_AUDIO_TASKS: Final = frozenset({"any-to-any", "audio-text-to-text"})
_EMBEDDING_TASKS: Final = frozenset({"feature-extraction", "sentence-similarity"})
_RERANKING_TASKS: Final = frozenset({"text-ranking", "reranker", "cross-encoder"})
_NON_TEXT_TASK: Final = re.compile(
    r"(?:.+-to-(?:image|video|audio|speech|3d)|text-to-music|automatic-speech-recognition"
    r"|audio-classification|image-classification|object-detection|image-segmentation)"
)
"""Tasks of models that generate or classify images and sound."""


def cleaned_entry(entry: object) -> dict[str, object] | None:
    """Return the well-formed part of a repository's description; ``None`` if it names none."""
    if not isinstance(entry, Mapping):
        return None
    repo = entry.get("id")
    if not isinstance(repo, str) or not is_repo(repo):
        return None
    sha, gated, header, card = (entry.get(name) for name in ("sha", "gated", "gguf", "cardData"))
    return {
        "id": repo,
        "sha": commit_of(sha) if isinstance(sha, str) else None,
        "downloads": _count(entry.get("downloads")),
        "likes": _count(entry.get("likes")),
        "lastModified": _timestamp(entry.get("lastModified")),
        "private": entry.get("private") is True,
        # Unknown values count as gated too.
        "gated": gated if gated in _GATE_KINDS else "manual" if gated else False,
        "pipeline_tag": _text(entry.get("pipeline_tag")),
        "tags": _texts(entry.get("tags")),
        "gguf": _header(header) if isinstance(header, Mapping) else None,
        "cardData": _card(card) if isinstance(card, Mapping) else None,
        "siblings": None,
    }


def to_search_hit(info: ModelInfo) -> HubSearchHit:
    """Return the facts of a cleaned description."""
    header = info.gguf or {}
    tags = info.tags or []
    tasks = {info.pipeline_tag or "", *tags}
    card = info.card_data
    return HubSearchHit(
        repo=info.id,
        commit=info.sha or "",
        n_downloads=info.downloads or 0,
        n_likes=info.likes or 0,
        updated_at="" if info.last_modified is None else info.last_modified.isoformat(timespec="seconds"),
        access=Access.PRIVATE if info.private else Access.GATED if info.gated else Access.OPEN,
        licence=_licence(tags, name=card.license_name if card else None, code=card.license if card else None),
        n_params=header.get("total", 0),
        n_ctx_train=header.get("context_length", 0),
        architecture=header.get("architecture", ""),
        purpose=_purpose(info.id, header.get("architecture", ""), tasks),
        sees_images=not _VISION_TASKS.isdisjoint(tasks),
        hears_audio=not _AUDIO_TASKS.isdisjoint(tasks),
        calls_tools=template_calls_tools(header.get("chat_template", "")),
        reasons=template_reasons(header.get("chat_template", "")),
    )


def generates_text(info: ModelInfo) -> bool:
    """Whether a model generates text, embeds or ranks, rather than images or sound."""
    architecture = (info.gguf or {}).get("architecture", "")
    return (
        architecture not in PICTURE_ARCHITECTURES
        and _NON_TEXT_TASK.fullmatch(info.pipeline_tag or "") is None
    )


def base_model(info: ModelInfo) -> str:
    """Return the repository that this one was made from; empty if not stated."""
    from_card = [info.card_data.base_model] if info.card_data else []
    from_tags = [tag.rpartition(":")[2] for tag in info.tags or [] if tag.startswith("base_model:")]
    for name in (*from_card, *from_tags):
        if isinstance(name, str) and is_repo(name):
            return name
    return ""


def _licence(tags: Iterable[str], *, name: object, code: object) -> str:
    """Return the licence's code; one that is “other” for the hub may have a name."""
    tagged = next((tag.removeprefix("license:") for tag in tags if tag.startswith("license:")), "")
    licence = tagged or (code if isinstance(code, str) else "")
    return name if licence in ("", "other") and isinstance(name, str) and name else licence


def _purpose(repo: str, architecture: str, labels: set[str]) -> Purpose:
    name = repo.rpartition("/")[2].casefold()
    if not _RERANKING_TASKS.isdisjoint(labels) or "rerank" in name:
        return Purpose.RERANK
    if architecture in EMBEDDING_ARCHITECTURES or not _EMBEDDING_TASKS.isdisjoint(labels):
        return Purpose.EMBED
    # Some are derived from text models, and do not state their task.
    return Purpose.EMBED if re.search(r"(?:^|[-_.])embed(?:ding)?s?(?:$|[-_.])", name) else Purpose.GENERATE


def _header(header: Mapping[object, object]) -> dict[str, object]:
    template = header.get("chat_template")
    return {
        "total": _count(header.get("total")),
        "context_length": _count(header.get("context_length"), limit=MAX_CONTEXT),
        "architecture": _text(header.get("architecture")),
        "chat_template": template[:_MAX_TEMPLATE] if isinstance(template, str) else "",
    }


def _card(card: Mapping[object, object]) -> dict[str, object]:
    return {
        "license": _text(_first(card.get("license"))),
        "license_name": _text(card.get("license_name")),
        "license_link": _text(card.get("license_link"), limit=_MAX_ADDRESS),
        "base_model": _text(_first(card.get("base_model"))),
    }


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else value


def _count(value: object, *, limit: int = _MAX_COUNT) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= limit else 0


def _text(value: object, *, limit: int = _MAX_TEXT) -> str:
    return value if isinstance(value, str) and len(value) <= limit and value.isprintable() else ""


def _texts(value: object) -> list[str]:
    if not isinstance(value, list):
        return []
    return [text for text in map(_text, value[: 4 * _MAX_TAGS]) if text][:_MAX_TAGS]


def _timestamp(value: object) -> str | None:
    """Return a time in the only notation that the library parses; it fails for all others."""
    try:
        time = msgspec.convert(value, datetime)
        time = time if time.tzinfo is not None else time.replace(tzinfo=UTC)
        return time.astimezone(UTC).replace(tzinfo=None).isoformat(timespec="microseconds") + "Z"
    except (msgspec.ValidationError, OverflowError, ValueError):
        return None
