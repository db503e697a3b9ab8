"""Which path does what, and in which dialect its errors are told."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Final

from fireside.api.answers import Answers
from fireside.api.anthropic import ANTHROPIC, answer_messages, count_message_tokens
from fireside.api.calls import Call, Dialect, Reply, Route, Stream
from fireside.api.llama_server import (
    answer_infill,
    answer_raw,
    apply_template,
    detokenize,
    list_studio_models,
    rerank,
    show_health,
    show_props,
    tokenize,
)
from fireside.api.ollama import OLLAMA, answer_ollama_chat, answer_ollama_embed, answer_ollama_generate
from fireside.api.ollama_models import (
    list_running,
    list_tags,
    refuse_management,
    say_running,
    show_model_info,
    show_version,
)
from fireside.api.openai_chat import OPENAI, answer_chat
from fireside.api.openai_completions import answer_completion, answer_embeddings, list_models, show_model
from fireside.api.openai_responses import answer_responses
from fireside.api.refusal import Refusal
from fireside.settings.api_tokens import Scope

Answerer = Callable[[Answers, Call], Awaitable[Reply | Stream]]

_POSTS: Final[Mapping[str, Answerer]] = {
    "/v1/chat/completions": answer_chat,
    "/v1/completions": answer_completion,
    "/v1/embeddings": answer_embeddings,
    "/v1/responses": answer_responses,
    "/v1/messages": answer_messages,
    "/v1/messages/count_tokens": count_message_tokens,
    "/api/chat": answer_ollama_chat,
    "/api/generate": answer_ollama_generate,
    "/api/embed": answer_ollama_embed,
    "/api/embeddings": answer_ollama_embed,
    "/api/show": show_model_info,
    **dict.fromkeys(("/api/pull", "/api/create", "/api/push", "/api/copy", "/api/delete"), refuse_management),
    "/tokenize": tokenize,
    "/detokenize": detokenize,
    "/apply-template": apply_template,
    "/completion": answer_raw,
    "/infill": answer_infill,
    **dict.fromkeys(("/v1/rerank", "/v1/reranking"), rerank),
}
_GETS: Final[Mapping[str, Answerer]] = {
    "/": say_running,
    "/v1/models": list_models,
    "/api/version": show_version,
    "/api/tags": list_tags,
    "/api/ps": list_running,
    "/api/v0/models": list_studio_models,
    "/props": show_props,
    "/health": show_health,
}
_DELETES: Final[Mapping[str, Answerer]] = {"/api/delete": refuse_management}
_GETS_BELOW: Final[Mapping[str, Answerer]] = {"/v1/models/": show_model}
_BY_METHOD: Final = {"GET": _GETS, "HEAD": _GETS, "POST": _POSTS, "DELETE": _DELETES}
_OPEN: Final = frozenset({"/", "/health"})
"""Say only that something is there."""
_MANAGING: Final = frozenset({"/api/pull", "/api/create", "/api/push", "/api/copy", "/api/delete"})
_V1: Final = "/v1"
"""Routes of it exist without this beginning too, as in llama.cpp's server, and the other way around."""


class Routes:
    """The table of all paths."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers

    def dialect_of(self, path: str) -> Dialect:
        """Return how errors are told under ``path``, known or not."""
        if path.startswith("/api/"):
            return OLLAMA
        return ANTHROPIC if path.startswith("/v1/messages") else OPENAI

    def find(self, method: str, path: str) -> Route:
        """Return what a request asks for. Raises ``Refusal``."""
        answerer = _found(_BY_METHOD.get(method, {}), path)
        if answerer is not None:
            scope = Scope.MANAGE if path in _MANAGING else Scope.ANSWER
            return Route(handler=partial(answerer, self._answers), scope=scope, is_open=path in _OPEN)
        allowed = ", ".join(each for each, table in _BY_METHOD.items() if _found(table, path) is not None)
        if not allowed:
            # Nothing here may look like an unknown model: clients give up on the whole server for that.
            raise Refusal(HTTPStatus.NOT_FOUND, f"There is no route {method} {path}.", code="route_not_found")
        raise Refusal(
            HTTPStatus.METHOD_NOT_ALLOWED,
            f"{path} takes {allowed}.",
            code="method_not_allowed",
            headers=(("allow", allowed),),
        )


def _found(table: Mapping[str, Answerer], path: str) -> Answerer | None:
    for each in (path, f"{_V1}{path}", path.removeprefix(_V1)):
        if (answerer := table.get(each)) is not None:
            return answerer
    if table is not _GETS:
        return None
    return next((answerer for start, answerer in _GETS_BELOW.items() if path.startswith(start)), None)
