"""The handlers of all paths, and the dialect of their errors."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from http import HTTPStatus
from typing import Final, TypeVar

import msgspec

from fireside.api.anthropic import ANTHROPIC, count_message_tokens, create_message
from fireside.api.anthropic_messages import MessagesBody
from fireside.api.api_service import ApiService
from fireside.api.audio import SpeechBody, create_speech, create_transcription
from fireside.api.documents import show_documents
from fireside.api.http_error import HttpError
from fireside.api.http_messages import (
    Dialect,
    HttpRequest,
    HttpResponse,
    RoutedRequest,
    StreamingResponse,
    json_response,
)
from fireside.api.llama_completion import RawCompletionBody, create_infill, create_llama_completion
from fireside.api.llama_server import (
    DetokenizeBody,
    RerankBody,
    TokenizeBody,
    apply_template,
    detokenize,
    get_health,
    get_metrics,
    get_props,
    list_lm_studio_models,
    rerank,
    tokenize,
)
from fireside.api.ollama import (
    OLLAMA,
    OllamaChat,
    OllamaEmbed,
    OllamaGenerate,
    ollama_chat,
    ollama_embed,
    ollama_generate,
)
from fireside.api.ollama_models import (
    OllamaName,
    PullBody,
    get_model_info,
    get_root,
    get_version,
    list_running,
    list_tags,
    pull_model,
    refuse_management,
)
from fireside.api.openai_chat import OPENAI, ChatBody, count_chat_tokens, create_chat_completion
from fireside.api.openai_completions import (
    CompletionBody,
    EmbeddingBody,
    LlamaEmbeddingBody,
    create_completion,
    create_embeddings,
    create_llama_embedding,
    get_model,
    list_models,
)
from fireside.api.openai_response_items import ResponsesBody
from fireside.api.openai_responses import (
    cancel_response,
    count_response_tokens,
    create_response,
    delete_response,
    get_response,
)
from fireside.api.openapi import Operation, document
from fireside.api.sampling import field_limits
from fireside.api.vector_stores import SearchBody, get_store, list_stores, search_store
from fireside.settings.api_tokens import TokenScope

EndpointHandler = Callable[[ApiService, HttpRequest], Awaitable[HttpResponse | StreamingResponse]]
BodyT = TypeVar("BodyT")


class ApiEndpoint(msgspec.Struct, frozen=True, kw_only=True):
    """The handler of a path and method."""

    handler: EndpointHandler
    body: type | None = None
    """The type of the JSON body."""
    scope: TokenScope = TokenScope.ANSWER
    is_public: bool = False


def _with_body(
    body: type[BodyT],
    handler: Callable[[ApiService, HttpRequest, BodyT], Awaitable[HttpResponse | StreamingResponse]],
    *,
    scope: TokenScope = TokenScope.ANSWER,
) -> ApiEndpoint:
    async def decode_and_handle(
        service: ApiService, request: HttpRequest
    ) -> HttpResponse | StreamingResponse:
        value = await request.read(body)
        if isinstance(value, ChatBody | MessagesBody | ResponsesBody):
            await show_documents(value, service.page_text)
        return await handler(service, request, value)

    return ApiEndpoint(handler=decode_and_handle, body=body, scope=scope)


async def _get_openapi(service: ApiService, request: HttpRequest) -> HttpResponse:
    del service, request
    operations = [
        Operation(method=method, path=path, body=endpoint.body, dialect=_dialect_of(path))
        for method, table in _BY_METHOD.items()
        for path, endpoint in table.items()
        if method != "HEAD"
    ]
    return json_response(document(operations, limits=field_limits()))


_REFUSED: Final = ApiEndpoint(handler=refuse_management, scope=TokenScope.MANAGE)
_POSTS: Final[Mapping[str, ApiEndpoint]] = {
    "/v1/chat/completions": _with_body(ChatBody, create_chat_completion),
    "/v1/chat/completions/input_tokens": _with_body(ChatBody, count_chat_tokens),
    "/v1/completions": _with_body(CompletionBody, create_completion),
    "/v1/embeddings": _with_body(EmbeddingBody, create_embeddings),
    "/embedding": _with_body(LlamaEmbeddingBody, create_llama_embedding),
    "/v1/responses": _with_body(ResponsesBody, create_response),
    "/v1/responses/input_tokens": _with_body(ResponsesBody, count_response_tokens),
    "/v1/responses/{response}/cancel": ApiEndpoint(handler=cancel_response),
    "/v1/messages": _with_body(MessagesBody, create_message),
    "/v1/messages/count_tokens": _with_body(MessagesBody, count_message_tokens),
    "/api/chat": _with_body(OllamaChat, ollama_chat),
    "/api/generate": _with_body(OllamaGenerate, ollama_generate),
    "/api/embed": _with_body(OllamaEmbed, ollama_embed),
    "/api/embeddings": _with_body(OllamaEmbed, ollama_embed),
    "/api/show": _with_body(OllamaName, get_model_info),
    "/api/pull": _with_body(PullBody, pull_model, scope=TokenScope.MANAGE),
    **dict.fromkeys(("/api/create", "/api/push", "/api/copy", "/api/delete"), _REFUSED),
    "/tokenize": _with_body(TokenizeBody, tokenize),
    "/detokenize": _with_body(DetokenizeBody, detokenize),
    "/apply-template": _with_body(ChatBody, apply_template),
    # Without /v1, these are the routes of llama.cpp's server.
    **dict.fromkeys(("/completion", "/completions"), _with_body(RawCompletionBody, create_llama_completion)),
    "/infill": _with_body(RawCompletionBody, create_infill),
    **dict.fromkeys(("/v1/rerank", "/v1/reranking"), _with_body(RerankBody, rerank)),
    "/v1/audio/speech": _with_body(SpeechBody, create_speech, scope=TokenScope.SPEECH),
    "/v1/audio/transcriptions": ApiEndpoint(handler=create_transcription, scope=TokenScope.SPEECH),
    "/v1/vector_stores/{store}/search": _with_body(SearchBody, search_store, scope=TokenScope.DOCUMENTS),
}
_GETS: Final[Mapping[str, ApiEndpoint]] = {
    # These two only show that a server runs.
    "/": ApiEndpoint(handler=get_root, is_public=True),
    "/health": ApiEndpoint(handler=get_health, is_public=True),
    "/openapi.json": ApiEndpoint(handler=_get_openapi),
    "/v1/models": ApiEndpoint(handler=list_models),
    "/v1/models/{model}": ApiEndpoint(handler=get_model),
    "/v1/responses/{response}": ApiEndpoint(handler=get_response),
    "/v1/vector_stores": ApiEndpoint(handler=list_stores, scope=TokenScope.DOCUMENTS),
    "/v1/vector_stores/{store}": ApiEndpoint(handler=get_store, scope=TokenScope.DOCUMENTS),
    "/api/version": ApiEndpoint(handler=get_version),
    "/api/tags": ApiEndpoint(handler=list_tags),
    "/api/ps": ApiEndpoint(handler=list_running),
    "/api/v0/models": ApiEndpoint(handler=list_lm_studio_models),
    "/props": ApiEndpoint(handler=get_props),
    "/metrics": ApiEndpoint(handler=get_metrics),
}
_DELETES: Final[Mapping[str, ApiEndpoint]] = {
    "/api/delete": _REFUSED,
    "/v1/responses/{response}": ApiEndpoint(handler=delete_response),
}
_BY_METHOD: Final = {"GET": _GETS, "HEAD": _GETS, "POST": _POSTS, "DELETE": _DELETES}
_V1: Final = "/v1"
"""As in llama.cpp's server, this prefix is optional, for all routes."""
_PLACEHOLDER: Final = re.compile(r"\{(\w+)\}")


class Routes:
    """The table of all paths."""

    def __init__(self, service: ApiService) -> None:
        self._service = service

    def dialect_of(self, path: str) -> Dialect:
        """Return the dialect of errors under ``path``, whether there is a route or not."""
        return _dialect_of(path)

    def find(self, method: str, path: str) -> RoutedRequest:
        """Return the route of a request. Raises ``HttpError``."""
        endpoint = _match(_BY_METHOD.get(method, {}), path)
        if endpoint is not None:
            handler = partial(endpoint.handler, self._service)
            return RoutedRequest(handler=handler, scope=endpoint.scope, is_public=endpoint.is_public)
        allowed = ", ".join(each for each, table in _BY_METHOD.items() if _match(table, path) is not None)
        if not allowed:
            # Must not look like an unknown model, for which clients give up on the whole server.
            raise HttpError(
                HTTPStatus.NOT_FOUND, f"There is no route {method} {path}.", code="route_not_found"
            )
        raise HttpError(
            HTTPStatus.METHOD_NOT_ALLOWED,
            f"{path} takes {allowed}.",
            code="method_not_allowed",
            headers=(("allow", allowed),),
        )


def _dialect_of(path: str) -> Dialect:
    if path.startswith("/api/"):
        return OLLAMA
    return ANTHROPIC if path.startswith("/v1/messages") else OPENAI


def _match(table: Mapping[str, ApiEndpoint], path: str) -> ApiEndpoint | None:
    for each in (path, f"{_V1}{path}", path.removeprefix(_V1)):
        if (endpoint := table.get(each)) is not None:
            return endpoint
    for template, pattern in _PATTERNS.items():
        if template in table and pattern.fullmatch(path):
            return table[template]
    return None


def _pattern(template: str) -> re.Pattern[str]:
    prefix, name, suffix = _PLACEHOLDER.split(template)
    value = ".+" if name == "model" else "[^/]+"  # names of models contain slashes
    return re.compile(f"(?:{_V1})?{re.escape(prefix.removeprefix(_V1))}{value}{re.escape(suffix)}")


_PATTERNS: Final = {
    template: _pattern(template) for table in _BY_METHOD.values() for template in table if "{" in template
}
