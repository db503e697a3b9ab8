"""Search the hub for models that can be loaded."""

from __future__ import annotations

from typing import Final, Literal, assert_never
from urllib.parse import urlsplit

import msgspec

from fireside.core.discovery import HubSearchHit, HubSearchPage, ModelQuery, SortOrder
from fireside.core.errors import HubAnswerInvalid, HubNotFound
from fireside.core.i18n import tr_noop
from fireside.hub.hub_session import HubSession
from fireside.hub.model_facts import FACTS, cleaned_entry, found_model, writes_text

N_ON_A_PAGE: Final = 30
_MAX_TEXT: Final = 200
_MAX_PAGE_ADDRESS: Final = 8_000
_SEARCH: Final = "/api/models"


def search(session: HubSession, query: ModelQuery, *, page: str | None = None) -> HubSearchPage:
    """Return one page of results; ``page`` is the ``next_page`` of the previous one.

    Models for images or sound are left out, and those that do not match filters that the hub does not have
    (architecture, context, tools, reasoning), so that a page may hold few or none. Blocks, from any thread;
    the first call takes longer. Raises ``HubError``.
    """
    from fireside.hub.hf_transport import library_request

    if page is not None:
        _check_page(session, page)
    query = _tidied(query)
    try:
        with library_request(session, what="models", clean=_cleaned, page=page) as allowed:
            infos = list(
                allowed.api.list_models(
                    filter=[
                        "gguf",
                        *([f"license:{query.licence}"] if query.licence else []),
                        *([query.task] if query.task else []),
                    ],
                    search=query.text or None,
                    author=query.author or None,
                    gated=query.is_gated,
                    num_parameters=_range(query),
                    sort=_sort(query.sort),
                    limit=N_ON_A_PAGE,
                    expand=[*FACTS],
                )
            )
    except HubNotFound as exc:
        raise HubAnswerInvalid(
            host=session.host,
            reason=tr_noop("it has no search. Check the Hugging Face endpoint in the settings."),
        ) from exc
    models = (found_model(info) for info in infos if writes_text(info))
    return HubSearchPage(
        models=tuple(model for model in models if _has(model, query)),
        next_page=_followed(session, allowed.next_page),
    )


def _has(model: HubSearchHit, query: ModelQuery) -> bool:
    """Whether a model matches the filters that the hub does not have."""
    return (
        model.architecture.casefold().startswith(query.architecture)
        and model.n_ctx_train >= query.min_ctx_train
        and (model.calls_tools or not query.calls_tools)
        and (model.reasons or not query.reasons)
    )


def _cleaned(answer: object) -> object:
    if not isinstance(answer, list):
        raise msgspec.ValidationError("not a list")
    return [entry for entry in map(cleaned_entry, answer[:N_ON_A_PAGE]) if entry is not None]


def _tidied(query: ModelQuery) -> ModelQuery:
    """Return the query without surrounding spaces and unprintable characters."""
    return msgspec.structs.replace(
        query,
        text=_words(query.text),
        author=_words(query.author).replace(" ", ""),
        licence=_words(query.licence).casefold(),
        architecture=_words(query.architecture).casefold().replace(" ", ""),
    )


def _words(text: str) -> str:
    printable = "".join(character if character.isprintable() else " " for character in text[:_MAX_TEXT])
    return " ".join(printable.split())


def _sort(order: SortOrder) -> Literal["trending_score", "downloads", "likes", "last_modified"]:
    match order:
        case SortOrder.TRENDING:
            return "trending_score"
        case SortOrder.DOWNLOADS:
            return "downloads"
        case SortOrder.LIKES:
            return "likes"
        case SortOrder.UPDATED:
            return "last_modified"
        case _:
            assert_never(order)


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
    own = urlsplit(session.endpoint + _SEARCH).path
    if len(page) > _MAX_PAGE_ADDRESS or not session.is_own(page) or urlsplit(page).path != own:
        raise HubAnswerInvalid(host=session.host, reason=tr_noop("it redirects elsewhere."))


def _followed(session: HubSession, page: str | None) -> str | None:
    if page is not None:
        _check_page(session, page)
    return page
