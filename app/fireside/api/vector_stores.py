"""The user's collections of documents as OpenAI's vector stores, read-only."""

from __future__ import annotations

from collections.abc import Iterable
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.http_error import HttpError, invalid
from fireside.api.http_messages import HttpRequest, HttpResponse, json_response
from fireside.core.collection import Collection, Passage, location_text

_DEFAULT_RESULTS: Final = 10
_MAX_RESULTS: Final = 50
_MAX_QUERIES: Final = 8


class RankingOptions(msgspec.Struct, kw_only=True):
    """Which results are returned."""

    score_threshold: float = 0.0


class SearchBody(msgspec.Struct, kw_only=True):
    """The body of a search."""

    query: str | list[str]
    max_num_results: int = _DEFAULT_RESULTS
    ranking_options: RankingOptions | None = None
    filters: dict[str, Any] | None = None


async def list_stores(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/v1/vector_stores``."""
    del request
    data = [await _object(service, each) for each in await service.collections.collections()]
    ids = [each["id"] for each in data]
    return json_response(
        {
            "object": "list",
            "data": data,
            "first_id": ids[0] if ids else None,
            "last_id": ids[-1] if ids else None,
            "has_more": False,
        }
    )


async def get_store(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/v1/vector_stores/ID``."""
    return json_response(await _object(service, await _collection(service, request)))


async def search_store(service: ApiService, request: HttpRequest, body: SearchBody) -> HttpResponse:
    """Handle ``/v1/vector_stores/ID/search``: by words, and by meaning if there is an embedding model."""
    collection = await _collection(service, request)
    queries = [body.query] if isinstance(body.query, str) else body.query
    if not 1 <= len(queries) <= _MAX_QUERIES:
        raise invalid(f"query: send 1 to {_MAX_QUERIES} texts.", param="query")
    if not 1 <= body.max_num_results <= _MAX_RESULTS:
        raise invalid(
            f"max_num_results: choose a whole number from 1 to {_MAX_RESULTS}.", param="max_num_results"
        )
    if body.filters:
        raise invalid("filters: documents have no attributes to filter by.", param="filters")
    results = [
        await service.collections.search(query, collection_ids=[collection.id], limit=body.max_num_results)
        for query in queries
    ]
    threshold = body.ranking_options.score_threshold if body.ranking_options is not None else 0.0
    passages = _ranked(passage for result in results for passage in result.passages)
    data = [_result_object(each) for each in passages if _score(each) >= threshold]
    return json_response(
        {
            "object": "vector_store.search_results.page",
            "search_query": queries,
            "data": data[: body.max_num_results],
            "has_more": False,
            "next_page": None,
            "by_meaning": all(result.by_meaning for result in results),
        }
    )


async def _collection(service: ApiService, request: HttpRequest) -> Collection:
    collection_id = request.path.partition("/vector_stores/")[2].partition("/")[0]
    for each in await service.collections.collections():
        if each.id == collection_id:
            return each
    raise HttpError(
        HTTPStatus.NOT_FOUND,
        f"There is no collection “{collection_id}”. /v1/vector_stores lists them.",
        code="vector_store_not_found",
    )


async def _object(service: ApiService, collection: Collection) -> dict[str, Any]:
    state = await service.collections.state(collection.id)
    return {
        "id": collection.id,
        "object": "vector_store",
        "created_at": 0,
        "name": collection.name,
        "status": "in_progress" if state.n_waiting else "completed",
        "file_counts": {
            "in_progress": state.n_waiting,
            "completed": state.n_searchable,
            "failed": state.n_unreadable,
            "cancelled": 0,
            "total": state.n_files,
        },
        "metadata": {},
    }


def _ranked(passages: Iterable[Passage]) -> list[Passage]:
    """Return each passage once, with its best score, the best first."""
    unique: dict[tuple[int, int], Passage] = {}
    for each in sorted(passages, key=_score, reverse=True):
        unique.setdefault((each.source_id, each.char_from), each)
    return list(unique.values())


def _score(passage: Passage) -> float:
    return passage.scores.fused if passage.scores is not None else 0.0


def _result_object(passage: Passage) -> dict[str, Any]:
    return {
        "file_id": f"file-{passage.source_id}",
        "filename": passage.label,
        "score": _score(passage),
        "attributes": {
            "place": location_text(passage.location, translate=str),
            "headings": " › ".join(passage.headings),
            **({"warnings": " ".join(passage.warnings)} if passage.warnings else {}),
        },
        "content": [{"type": "text", "text": passage.text}],
    }
