"""Ollama's routes about models, which its clients call before they chat."""

from __future__ import annotations

import hashlib
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.http_error import HttpError
from fireside.api.http_messages import HttpRequest, HttpResponse, json_response
from fireside.api.ollama import ollama_time
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import Purpose

VERSION: Final = "0.17.1"
"""The version of Ollama that these routes match; clients decide by it which features to use."""


class OllamaName(msgspec.Struct, kw_only=True):
    """The name of a model; older clients send it as ``name``."""

    model: str = ""
    name: str = ""


async def get_root(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/``, by which clients find out whether a server runs."""
    del service, request
    return HttpResponse(body=b"Ollama is running", content_type="text/plain; charset=utf-8")


async def get_version(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/api/version``."""
    del service, request
    return json_response({"version": VERSION})


async def list_tags(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/api/tags``."""
    del request
    return json_response({"models": [_tag(entry) for entry in service.entries()]})


async def get_model_info(service: ApiService, request: HttpRequest, body: OllamaName) -> HttpResponse:
    """Handle ``/api/show``."""
    del request
    spec = await service.find(body.model or body.name)
    n_ctx, family = await service.n_ctx(spec), _family(spec)
    entry = next(each for each in service.entries() if each.spec is not None and each.spec.id == spec.id)
    return json_response(
        {
            "modelfile": f"FROM {spec.id}",
            "parameters": f"num_ctx {n_ctx}",
            "template": "{{ if .System }}{{ .System }}\n{{ end }}{{ .Prompt }}",
            "license": spec.licence,
            "details": _details(spec),
            "model_info": {
                "general.architecture": family,
                "general.basename": spec.name,
                "general.parameter_count": spec.n_params,
                f"{family}.block_count": spec.n_layers,
                f"{family}.context_length": spec.n_ctx_train or n_ctx,
                f"{family}.embedding_length": spec.n_embd,
            },
            "capabilities": _capabilities(spec),
            "modified_at": _modified_at(entry),
        }
    )


async def list_running(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Handle ``/api/ps``."""
    del request
    return json_response(
        {
            "models": [
                {
                    **_tag(entry),
                    "size": n_bytes,
                    "size_vram": n_gpu_bytes,
                    "expires_at": ollama_time(expires_at),
                    "context_length": n_ctx,
                }
                for entry, n_ctx, n_bytes, n_gpu_bytes, expires_at in service.running()
            ]
        }
    )


async def refuse_management(service: ApiService, request: HttpRequest) -> HttpResponse:
    """Refuse a request that would create, change or delete models. Raises ``HttpError``."""
    del service
    raise HttpError(HTTPStatus.FORBIDDEN, f"{request.path} is not offered: models are managed in Fireside.")


def _capabilities(spec: ModelSpec) -> list[str]:
    if spec.purpose is not Purpose.GENERATE:
        return ["embedding"]
    vision = ["vision"] if spec.sees_images else []
    thinking = ["thinking"] if spec.reasons else []
    # A local model that was not trained for tool calls gets instructions; another engine may not do so.
    tools = [] if spec.remote is not None and spec.remote.model.calls_tools is False else ["tools"]
    return ["completion", *tools, *vision, *thinking]


def _tag(entry: ModelEntry) -> dict[str, Any]:
    spec = entry.spec
    assert spec is not None
    return {
        "name": spec.id,
        "model": spec.id,
        "modified_at": _modified_at(entry),
        "size": spec.size_bytes,
        "digest": entry.sha256 or hashlib.sha256(spec.id.encode()).hexdigest(),
        "details": _details(spec),
    }


def _details(spec: ModelSpec) -> dict[str, Any]:
    millions = spec.n_params / 1e6
    size = f"{millions / 1000:.1f}B" if millions >= 1000 else f"{millions:.2f}M"
    return {
        "parent_model": "",
        "format": "gguf",
        "family": _family(spec),
        "families": [_family(spec)],
        "parameter_size": size,
        "quantization_level": spec.quantization,
    }


def _family(spec: ModelSpec) -> str:
    """Return the architecture, never empty, since clients use it in keys of ``model_info``."""
    return spec.architecture or "unknown"


def _modified_at(entry: ModelEntry) -> str:
    return ollama_time(entry.user_metadata.last_used_s or 0)
