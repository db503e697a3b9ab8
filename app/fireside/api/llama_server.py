"""The other routes of llama.cpp's server: state, tokens, reranking; and LM Studio's list of models."""

from __future__ import annotations

from http import HTTPStatus
from pathlib import Path
from typing import Annotated, Final

import msgspec

from fireside.api.api_service import MAX_TEXTS, MAX_TOKEN_IDS, ApiService, check_tokens
from fireside.api.completion_request import CompletionRequest
from fireside.api.http_error import HttpError, invalid
from fireside.api.http_messages import HttpRequest, HttpResponse, json_response
from fireside.api.llama_completion import generation_settings, text_tokens
from fireside.api.openai_chat import BUILD, ChatBody, read_chat
from fireside.api.openapi import items
from fireside.core.options import Purpose
from fireside.core.prompt_input import RerankInput, TokenInput

_CONTENT_TYPE: Final = "text/plain; version=0.0.4"


async def get_metrics(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/metrics``, if the setting ``api.metrics`` is on."""
    del request
    if not service.options.metrics_enabled:
        raise HttpError(
            HTTPStatus.NOT_IMPLEMENTED,
            "Metrics are off. The setting “api.metrics” turns them on.",
            code="not_supported_error",
        )
    activity = service.activity
    running = [each for each in activity.running if each.path != "/metrics"]
    n_queued = sum(each.is_queued for each in running)
    rows: list[tuple[str, str, str, float]] = [
        ("prompt_tokens_total", "counter", "Prompt tokens read.", activity.n_prompt),
        ("prompt_tokens_cached_total", "counter", "Prompt tokens found in a cache.", activity.n_cached),
        ("prompt_seconds_total", "counter", "Time spent reading prompts.", activity.prompt_s),
        ("tokens_predicted_total", "counter", "Tokens generated.", activity.n_completion),
        ("tokens_predicted_seconds_total", "counter", "Time spent generating.", activity.decode_s),
        (
            "prompt_tokens_seconds",
            "gauge",
            "Prompt tokens a second.",
            _rate(activity.n_prompt, activity.prompt_s),
        ),
        (
            "predicted_tokens_seconds",
            "gauge",
            "Generated tokens a second.",
            _rate(activity.n_completion, activity.decode_s),
        ),
        ("requests_processing", "gauge", "Requests being answered.", len(running) - n_queued),
        ("requests_deferred", "gauge", "Requests queued.", n_queued),
    ]
    lines = [
        line
        for name, kind, description, value in rows
        for line in (
            f"# HELP llamacpp:{name} {description}",
            f"# TYPE llamacpp:{name} {kind}",
            f"llamacpp:{name} {value:.6g}",
        )
    ]
    started = (("Process-Start-Time-Unix", str(int(activity.started_at))),)
    return HttpResponse(body="\n".join((*lines, "")).encode(), content_type=_CONTENT_TYPE, headers=started)


def _rate(n: int, seconds: float) -> float:
    return n / seconds if seconds > 0 else 0.0


_FIRST_TOKENS: Final = 128
"""Fit every context, also one that a load made smaller."""


class TokenizeBody(msgspec.Struct, kw_only=True):
    """The body of ``/tokenize``."""

    content: str = ""
    model: str = ""
    add_special: bool = False
    parse_special: bool = True
    with_pieces: bool = False


class DetokenizeBody(msgspec.Struct, kw_only=True):
    """The body of ``/detokenize``."""

    tokens: Annotated[list[int], items(at_most=MAX_TOKEN_IDS)] = []
    model: str = ""


class RerankDocument(msgspec.Struct):
    """A document to rank, as an object."""

    text: str


class RerankBody(msgspec.Struct, kw_only=True):
    """A query, and the documents to rank by how well they answer it."""

    query: str
    documents: Annotated[list[str | RerankDocument], items(at_most=MAX_TEXTS)] = []
    texts: Annotated[list[str], items(at_most=MAX_TEXTS)] = []
    """The documents, under the name of Text Embeddings Inference; the response has its form too."""
    model: str = ""
    top_n: int | None = None


async def get_health(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/health``. The server is always ready, since models are loaded on demand."""
    del service, request
    return json_response({"status": "ok"})


async def get_props(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/props``, about the model in use. Only the name of its file is disclosed, not the path."""
    del request
    spec = await service.find("")
    ready = service.loaded(spec)
    options, sampling = await service.defaults(spec)
    return json_response(
        {
            "default_generation_settings": {
                "n_ctx": await service.n_ctx(spec),
                "params": generation_settings(sampling),
            },
            "n_ctx_train": spec.n_ctx_train,
            "total_slots": ready.loaded.n_seq_max if ready is not None else options.n_seq_max,
            "model_alias": spec.id,
            "model_path": Path(spec.path).name,
            "modalities": {
                "vision": spec.sees_images,
                "video": spec.sees_images,
                "audio": spec.hears_audio,
            },
            "build_info": BUILD,
            "is_sleeping": ready is None,
        }
    )


async def tokenize(service: ApiService, request: HttpRequest, body: TokenizeBody) -> HttpResponse:
    """Handle ``/tokenize``."""
    tokens = await text_tokens(
        service,
        request,
        body.content,
        model=body.model,
        add_special=body.add_special,
        parse_special=body.parse_special,
    )
    if not body.with_pieces:
        return json_response({"tokens": [token.token for token in tokens]})
    return json_response({"tokens": [{"id": token.token, "piece": _piece(token.piece)} for token in tokens]})


def _piece(piece: bytes) -> str | list[int]:
    try:
        return piece.decode()
    except UnicodeDecodeError:
        return list(piece)


async def detokenize(service: ApiService, request: HttpRequest, body: DetokenizeBody) -> HttpResponse:
    """Handle ``/detokenize``: the tokens as prompts that fit the context, and what those are as text."""
    if not body.tokens:
        return json_response({"content": ""})
    spec = await service.find(body.model)
    check_tokens(body.tokens, spec, param="tokens")
    pieces: list[bytes] = []
    start, end = 0, _FIRST_TOKENS
    while start < len(body.tokens):
        prompt = TokenInput(tokens=tuple(body.tokens[start:end]))
        tokens = await service.prompt_tokens(
            CompletionRequest(model=spec.id, prompts=(prompt,)), request.client
        )
        pieces += (token.piece for token in tokens)
        start, end = end, end + max(_FIRST_TOKENS, await service.n_ctx(spec) // 2)
    return json_response({"content": b"".join(pieces).decode("utf-8", "replace")})


async def apply_template(service: ApiService, request: HttpRequest, body: ChatBody) -> HttpResponse:
    """Handle ``/apply-template``: the conversation as the text of the prompt."""
    tokens = await service.prompt_tokens(read_chat(body), request.client)
    return json_response({"prompt": b"".join(token.piece for token in tokens).decode("utf-8", "replace")})


async def rerank(service: ApiService, request: HttpRequest, body: RerankBody) -> HttpResponse:
    """Handle ``/rerank`` and ``/reranking``."""
    documents = [each if isinstance(each, str) else each.text for each in body.documents] or body.texts
    param = "texts" if body.texts and not body.documents else "documents"
    if len(documents) > MAX_TEXTS:
        raise invalid(f"{param}: send at most {MAX_TEXTS}.", param=param)
    if not documents:
        raise invalid("documents: there are none.", param="documents")
    prompt = RerankInput(query=body.query, documents=tuple(documents))
    spec, vectors = await service.vectors(prompt, body.model, request, param=param)
    scores = [(vector[0], index) for index, (vector, _) in enumerate(vectors)]
    n_tokens = sum(n for _, n in vectors)
    best = sorted(scores, reverse=True)[: body.top_n]
    if body.texts:
        return json_response([{"index": index, "score": score} for score, index in best])
    return json_response(
        {
            "model": spec.id,
            "object": "list",
            "usage": {"prompt_tokens": n_tokens, "total_tokens": n_tokens},
            "results": [{"index": index, "relevance_score": score} for score, index in best],
        }
    )


async def list_lm_studio_models(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle LM Studio's ``/api/v0/models``, from which some clients learn what is loaded."""
    del request
    data = []
    for entry in service.entries():
        spec = entry.spec
        assert spec is not None
        is_chat_model = spec.purpose is Purpose.GENERATE
        data.append(
            {
                "id": spec.id,
                "object": "model",
                "type": ("vlm" if spec.sees_images else "llm") if is_chat_model else "embeddings",
                "publisher": "",
                "arch": spec.architecture,
                "compatibility_type": "gguf",
                "quantization": spec.quantization,
                "state": "loaded" if spec.remote or service.loaded(spec) is not None else "not-loaded",
                "max_context_length": spec.n_ctx_train,
                "loaded_context_length": await service.n_ctx(spec),
            }
        )
    return json_response({"object": "list", "data": data})
