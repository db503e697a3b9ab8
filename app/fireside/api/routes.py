"""Which path does what, and in which dialect its errors are told."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec

from fireside.api.answers import Answers
from fireside.api.anthropic import ANTHROPIC, answer_messages, count_message_tokens
from fireside.api.anthropic_messages import MessagesBody
from fireside.api.calls import Call, Dialect, Reply, Route, Stream, json_reply
from fireside.api.llama_completion import RawCompletionBody, answer_infill, answer_raw
from fireside.api.llama_server import (
    DetokenizeBody,
    RerankBody,
    TokenizeBody,
    apply_template,
    detokenize,
    list_studio_models,
    rerank,
    show_health,
    show_props,
    tokenize,
)
from fireside.api.metrics import show_metrics
from fireside.api.ollama import (
    OLLAMA,
    OllamaChat,
    OllamaEmbed,
    OllamaGenerate,
    answer_ollama_chat,
    answer_ollama_embed,
    answer_ollama_generate,
)
from fireside.api.ollama_models import (
    OllamaName,
    list_running,
    list_tags,
    refuse_management,
    say_running,
    show_model_info,
    show_version,
)
from fireside.api.ollama_pull import PullBody, pull_model
from fireside.api.openai_chat import OPENAI, ChatBody, answer_chat, count_chat_tokens
from fireside.api.openai_completions import (
    CompletionBody,
    EmbeddingBody,
    answer_completion,
    answer_embeddings,
    list_models,
    show_model,
)
from fireside.api.openai_response_items import ResponsesBody
from fireside.api.openai_responses import answer_responses, count_response_tokens
from fireside.api.openapi import Operation, document
from fireside.api.refusal import Refusal
from fireside.api.vector_stores import SearchBody, list_stores, search_store, show_store
from fireside.settings.api_tokens import Scope

Answerer = Callable[[Answers, Call], Awaitable[Reply | Stream]]
BodyT = TypeVar("BodyT")


class Endpoint(msgspec.Struct, frozen=True, kw_only=True):
    """What one path does with one method."""

    answer: Answerer
    body: type | None = None
    """What is sent, as JSON."""
    scope: Scope = Scope.ANSWER
    is_open: bool = False


def _takes(
    body: type[BodyT],
    answer: Callable[[Answers, Call, BodyT], Awaitable[Reply | Stream]],
    *,
    scope: Scope = Scope.ANSWER,
) -> Endpoint:
    async def answer_decoded(answers: Answers, call: Call) -> Reply | Stream:
        return await answer(answers, call, await call.read(body))

    return Endpoint(answer=answer_decoded, body=body, scope=scope)


async def _show_document(answers: Answers, call: Call) -> Reply:
    del answers, call
    operations = [
        Operation(method=method, path=path, body=endpoint.body)
        for method, table in _BY_METHOD.items()
        for path, endpoint in table.items()
        if method != "HEAD"
    ]
    return json_reply(document(operations))


_REFUSED: Final = Endpoint(answer=refuse_management, scope=Scope.MANAGE)
_POSTS: Final[Mapping[str, Endpoint]] = {
    "/v1/chat/completions": _takes(ChatBody, answer_chat),
    "/v1/chat/completions/input_tokens": _takes(ChatBody, count_chat_tokens),
    "/v1/completions": _takes(CompletionBody, answer_completion),
    "/v1/embeddings": _takes(EmbeddingBody, answer_embeddings),
    "/v1/responses": _takes(ResponsesBody, answer_responses),
    "/v1/responses/input_tokens": _takes(ResponsesBody, count_response_tokens),
    "/v1/messages": _takes(MessagesBody, answer_messages),
    "/v1/messages/count_tokens": _takes(MessagesBody, count_message_tokens),
    "/api/chat": _takes(OllamaChat, answer_ollama_chat),
    "/api/generate": _takes(OllamaGenerate, answer_ollama_generate),
    "/api/embed": _takes(OllamaEmbed, answer_ollama_embed),
    "/api/embeddings": _takes(OllamaEmbed, answer_ollama_embed),
    "/api/show": _takes(OllamaName, show_model_info),
    "/api/pull": _takes(PullBody, pull_model, scope=Scope.MANAGE),
    **dict.fromkeys(("/api/create", "/api/push", "/api/copy", "/api/delete"), _REFUSED),
    "/tokenize": _takes(TokenizeBody, tokenize),
    "/detokenize": _takes(DetokenizeBody, detokenize),
    "/apply-template": _takes(ChatBody, apply_template),
    # Without /v1 llama.cpp's server means its own ones.
    **dict.fromkeys(("/completion", "/completions"), _takes(RawCompletionBody, answer_raw)),
    "/infill": _takes(RawCompletionBody, answer_infill),
    **dict.fromkeys(("/v1/rerank", "/v1/reranking"), _takes(RerankBody, rerank)),
    "/v1/vector_stores/{store}/search": _takes(SearchBody, search_store, scope=Scope.DOCUMENTS),
}
_GETS: Final[Mapping[str, Endpoint]] = {
    # These two say only that something is there.
    "/": Endpoint(answer=say_running, is_open=True),
    "/health": Endpoint(answer=show_health, is_open=True),
    "/openapi.json": Endpoint(answer=_show_document),
    "/v1/models": Endpoint(answer=list_models),
    "/v1/models/{model}": Endpoint(answer=show_model),
    "/v1/vector_stores": Endpoint(answer=list_stores, scope=Scope.DOCUMENTS),
    "/v1/vector_stores/{store}": Endpoint(answer=show_store, scope=Scope.DOCUMENTS),
    "/api/version": Endpoint(answer=show_version),
    "/api/tags": Endpoint(answer=list_tags),
    "/api/ps": Endpoint(answer=list_running),
    "/api/v0/models": Endpoint(answer=list_studio_models),
    "/props": Endpoint(answer=show_props),
    "/metrics": Endpoint(answer=show_metrics),
}
_DELETES: Final[Mapping[str, Endpoint]] = {"/api/delete": _REFUSED}
_BY_METHOD: Final = {"GET": _GETS, "HEAD": _GETS, "POST": _POSTS, "DELETE": _DELETES}
_V1: Final = "/v1"
"""Routes of it exist without this beginning too, as in llama.cpp's server, and the other way around."""
_NAMED: Final = re.compile(r"\{(\w+)\}")


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
        endpoint = _found(_BY_METHOD.get(method, {}), path)
        if endpoint is not None:
            handler = partial(endpoint.answer, self._answers)
            return Route(handler=handler, scope=endpoint.scope, is_open=endpoint.is_open)
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


def _found(table: Mapping[str, Endpoint], path: str) -> Endpoint | None:
    for each in (path, f"{_V1}{path}", path.removeprefix(_V1)):
        if (endpoint := table.get(each)) is not None:
            return endpoint
    fitting = (each for each, pattern in _PATTERNS.items() if each in table and pattern.fullmatch(path))
    return next((table[each] for each in fitting), None)


def _pattern(template: str) -> re.Pattern[str]:
    before, name, behind = _NAMED.split(template)
    # Models have names with slashes.
    named = ".+" if name == "model" else "[^/]+"
    return re.compile(f"(?:{_V1})?{re.escape(before.removeprefix(_V1))}{named}{re.escape(behind)}")


_PATTERNS: Final = {
    template: _pattern(template) for table in _BY_METHOD.values() for template in table if "{" in template
}
