"""Read the list of well-known models that comes with the program."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Final

import msgspec
from msgspec import Meta

from fireside.core.decoding import JsonInvalid, decode_json
from fireside.core.discovery import CatalogueModel
from fireside.core.errors import HubError, HubNameInvalid
from fireside.core.i18n import tr, tr_noop
from fireside.hub.hub_connection import PUBLIC_HUB
from fireside.hub.repository_names import parse_name

CATALOGUE_NAME: Final = "catalogue.json"
_FORMAT: Final = 1
_MAX_BYTES: Final = 1024 * 1024

_Text = Annotated[str, Meta(min_length=1, max_length=200)]
_Count = Annotated[int, Meta(ge=1, le=10**15)]


class _Entry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    repo: _Text
    quantization: _Text
    name: _Text
    publisher: _Text
    purpose: _Text
    about: _Text
    n_params: _Count
    n_active_params: Annotated[int, Meta(ge=0, le=10**15)] = 0
    size_bytes: _Count
    n_ctx_train: Annotated[int, Meta(ge=1, le=2**31 - 1)]
    licence: _Text
    sees_images: bool = False
    hears_audio: bool = False


class _File(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    format: int
    as_of: Annotated[str, Meta(pattern=r"^(\d{4}-(0[1-9]|1[0-2]))?$")] = ""
    """Month in which the list was made."""
    models: Annotated[list[_Entry], Meta(min_length=1)]


def load_catalogue(path: Path) -> tuple[CatalogueModel, ...]:
    """Return the models in file order, those of one ``purpose`` together.

    Blocks. Raises ``catalogue_damaged``.
    """
    try:
        content = path.read_bytes()
    except OSError as exc:
        raise HubError.of(
            "catalogue_damaged", reason=tr("{path} is missing or cannot be opened.").format(path=path)
        ) from exc
    if len(content) > _MAX_BYTES:
        raise HubError.of("catalogue_damaged", reason=tr_noop("it is too long."))
    try:
        file = decode_json(content, kind=_File)
    except JsonInvalid as exc:
        raise HubError.of("catalogue_damaged", reason=f"{exc}.") from exc
    if file.format != _FORMAT:
        raise HubError.of("catalogue_damaged", reason=tr_noop("it was made for another version."))
    for entry in file.models:
        _check(entry)
    if len({(entry.repo, entry.quantization) for entry in file.models}) < len(file.models):
        raise HubError.of("catalogue_damaged", reason=tr_noop("it names a model twice."))
    return tuple(CatalogueModel(**msgspec.structs.asdict(entry)) for entry in _by_purpose(file.models))


def _check(entry: _Entry) -> None:
    try:
        name = parse_name(f"{entry.repo}:{entry.quantization}", endpoint=PUBLIC_HUB)
    except HubNameInvalid as exc:
        raise HubError.of("catalogue_damaged", reason=str(exc)) from exc
    if (name.repo, name.quantization) != (entry.repo, entry.quantization):
        raise HubError.of("catalogue_damaged", reason=tr("“{repo}” is not a model.").format(repo=entry.repo))
    if entry.n_active_params > entry.n_params:
        raise HubError.of(
            "catalogue_damaged",
            reason=tr("{name} has more parameters at work than parameters.").format(name=entry.name),
        )


def _by_purpose(entries: list[_Entry]) -> list[_Entry]:
    order = list(dict.fromkeys(entry.purpose for entry in entries))
    return sorted(entries, key=lambda entry: order.index(entry.purpose))


CATALOGUE_TEXTS: Final = frozenset(
    {
        tr_noop("Everyday chat"),
        tr_noop("Low-memory PCs"),
        tr_noop("Reasoning"),
        tr_noop("Code"),
        tr_noop("Vision"),
        tr_noop("Search and compare texts"),
        tr_noop("Multilingual all-rounder that can think before answering hard questions."),
        tr_noop("Draft models"),
        tr_noop("Knowledgeable and fast for its size (mixture of experts)."),
        tr_noop("Strong answers in every field, for a computer with a good GPU."),
        tr_noop("Capable for its size, with a very long context."),
        tr_noop("Fast answers, summaries and rewriting on an ordinary laptop."),
        tr_noop("For low-memory PCs: short answers and simple texts."),
        tr_noop("Thinks before answering; fast for its size (mixture of experts)."),
        tr_noop("Works through mathematics and logic step by step, and shows its steps."),
        tr_noop("Writes, completes and explains code in many programming languages."),
        tr_noop("For larger coding tasks with tools; fast for its size (mixture of experts)."),
        tr_noop("Describes images and answers questions about them, on an ordinary laptop."),
        tr_noop("Reads documents, tables, diagrams and handwriting in images."),
        tr_noop("English embeddings; small and fast. Cannot chat."),
        tr_noop("Multilingual embeddings; small and fast. Cannot chat."),
        tr_noop("Multilingual embeddings, also for long texts. Cannot chat."),
        tr_noop("Orders texts by how well they answer a question. Cannot chat."),
        tr_noop("Makes larger Qwen3 models faster by speculative decoding."),
    }
)
"""Purposes and descriptions of the models. Translated with ``tr`` where they are displayed."""
