"""Search the hub for models that can be loaded."""

from __future__ import annotations

from typing import Final, Literal
from urllib.parse import urlsplit

import msgspec

from fireside.core.discovery import HubSearchHit, HubSearchPage, ModelQuery, SortOrder
from fireside.core.errors import HubAnswerInvalid, HubNotFound
from fireside.core.i18n import tr_noop
from fireside.hub.hub_session import HubSession
from fireside.hub.model_facts import FACTS, cleaned_entry, generates_text, to_search_hit

PAGE_SIZE: Final = 30
_MAX_TEXT: Final = 200
_MAX_PAGE_ADDRESS: Final = 8_000
_SEARCH: Final = "/api/models"
_SORT_KEYS: Final[dict[SortOrder, Literal["trending_score", "downloads", "likes", "last_modified"]]] = {
    SortOrder.TRENDING: "trending_score",
    SortOrder.DOWNLOADS: "downloads",
    SortOrder.LIKES: "likes",
    SortOrder.UPDATED: "last_modified",
}


def search(session: HubSession, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
    """Return one page of results; ``page`` is the ``next_page`` of the previous one.

    Models for images or sound are left out, and those that do not match filters that the hub does not have
    (architecture, context, tools, reasoning), so that a page may hold few or none. Blocks, from any thread;
    the first call takes longer. Raises ``HubError``.
    """
    from fireside.hub.hf_transport import library_request

    if page is not None:
        _check_page(session, page)
    query = _normalized(query)
    try:
        with library_request(session, what="models", clean=_clean_answer, page=page) as request:
            infos = list(
                request.api.list_models(
                    filter=[
                        "gguf",
                        *([f"license:{query.licence}"] if query.licence else []),
                        *([query.task] if query.task else []),
                    ],
                    search=query.text or None,
                    author=query.author or None,
                    gated=query.is_gated,
                    num_parameters=_range(query),
                    sort=_SORT_KEYS[query.sort],
                    limit=PAGE_SIZE,
                    expand=[*FACTS],
                )
            )
    except HubNotFound as exc:
        raise HubAnswerInvalid(
            host=session.host,
            reason=tr_noop("it has no search. Check the Hugging Face endpoint in the settings."),
        ) from exc
    models = (to_search_hit(info) for info in infos if generates_text(info))
    return HubSearchPage(
        models=tuple(model for model in models if _matches(model, query)),
        next_page=_checked_page(session, request.next_page),
    )


def _matches(model: HubSearchHit, query: ModelQuery) -> bool:
    """Whether a model matches the filters that the hub does not have."""
    return (
        model.architecture.casefold().startswith(query.architecture)
        and model.n_ctx_train >= query.min_ctx_train
        and (model.calls_tools or not query.calls_tools)
        and (model.reasons or not query.reasons)
    )


def _clean_answer(answer: object) -> object:
    if not isinstance(answer, list):
        raise msgspec.ValidationError("not a list")
    return [entry for entry in map(cleaned_entry, answer[:PAGE_SIZE]) if entry is not None]


def _normalized(query: ModelQuery) -> ModelQuery:
    """Return the query without surrounding spaces and unprintable characters."""
    return msgspec.structs.replace(
        query,
        text=_clean_text(query.text),
        author=_clean_text(query.author).replace(" ", ""),
        licence=_clean_text(query.licence).casefold(),
        architecture=_clean_text(query.architecture).casefold().replace(" ", ""),
    )


def _clean_text(text: str) -> str:
    printable = "".join(character if character.isprintable() else " " for character in text[:_MAX_TEXT])
    return " ".join(printable.split())


def _range(query: ModelQuery) -> str | None:
    """Return the range of parameters in the hub's notation: ``min:3B,max:9B``."""
    ends = (("min", query.min_params), ("max", query.max_params))
    return ",".join(f"{name}:{_number(n)}" for name, n in ends if n is not None) or None


def _number(n: int) -> str:
    """Return a number in the largest unit of which it is a multiple."""
    for unit, scale in (("B", 10**9), ("M", 10**6), ("K", 10**3)):
        if n >= scale and n % scale == 0:
            return f"{n // scale}{unit}"
    return str(max(0, n))


def _check_page(session: HubSession, page: str) -> None:
    """Raise if ``page`` is no search of this hub: the token would be sent there."""
    search_path = urlsplit(session.endpoint + _SEARCH).path
    if len(page) > _MAX_PAGE_ADDRESS or not session.is_own(page) or urlsplit(page).path != search_path:
        raise HubAnswerInvalid(host=session.host, reason=tr_noop("it redirects elsewhere."))


def _checked_page(session: HubSession, page: str | None) -> str | None:
    if page is not None:
        _check_page(session, page)
    return page
