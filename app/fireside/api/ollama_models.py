"""Ollama's routes about models, which its clients call before they chat: lists, details, downloads."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncGenerator
from http import HTTPStatus
from typing import Any, Final

import msgspec

from fireside.api.api_service import ApiService
from fireside.api.http_error import HttpError
from fireside.api.http_messages import (
    NDJSON,
    HttpRequest,
    HttpResponse,
    StreamingResponse,
    json_response,
    ndjson_line,
)
from fireside.api.ollama import OLLAMA_HEARTBEAT, ollama_time, stream_error_chunk
from fireside.core.errors import DownloadNotFound, error_from_info
from fireside.core.hub import Download, DownloadId, DownloadState
from fireside.core.model import ModelEntry, ModelSpec
from fireside.core.options import Purpose
from fireside.services.downloads.download_scheduler import DownloadScheduler

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
    senses = [*(["vision"] if spec.sees_images else ()), *(["audio"] if spec.hears_audio else ())]
    thinking = ["thinking"] if spec.reasons else []
    # A local model that was not trained for tool calls gets instructions; another engine may not do so.
    tools = [] if spec.remote is not None and spec.remote.model.calls_tools is False else ["tools"]
    return ["completion", *tools, *senses, *thinking]


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


_POLL_S: Final = 0.25


class PullBody(msgspec.Struct, kw_only=True):
    """The body of ``/api/pull``: a repository of the hub, ``owner/name`` or ``owner/name:Q4_K_M``."""

    model: str = ""
    name: str = ""
    stream: bool | None = None


async def pull_model(
    service: ApiService, request: HttpRequest, body: PullBody
) -> HttpResponse | StreamingResponse:
    """Handle ``/api/pull``. If the client disconnects, a download that it started is paused."""
    del request
    if not service.options.allows_pull:
        raise HttpError(
            HTTPStatus.FORBIDDEN, "Clients may not download models. The setting “api.pull” lets them."
        )
    downloads = service.downloads
    plan = await downloads.plan(body.model or body.name)
    earlier_ids = {download.id for download in downloads.downloads}
    download_id = await downloads.add(plan)
    progress = _progress(downloads, download_id, is_new=download_id not in earlier_ids)
    if body.stream is not False:
        return StreamingResponse(
            chunks=_chunks(progress),
            error_chunk=stream_error_chunk,
            heartbeat=OLLAMA_HEARTBEAT,
            content_type=NDJSON,
        )
    statuses = [each async for each in progress]
    return json_response(statuses[-1])


async def _chunks(progress: AsyncGenerator[dict[str, Any], None]) -> AsyncGenerator[bytes, None]:
    async with contextlib.aclosing(progress):
        async for each in progress:
            yield ndjson_line(each)


async def _progress(
    downloads: DownloadScheduler, download_id: DownloadId, *, is_new: bool
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield the progress of a download until it is complete. Raises ``FiresideError`` if it fails."""
    yield {"status": "pulling manifest"}
    reported: Download | None = None
    try:
        while True:
            download = next((each for each in downloads.downloads if each.id == download_id), None)
            if download is None:
                raise DownloadNotFound(id=str(download_id))
            if download.error is not None:
                raise error_from_info(download.error)
            if download != reported:
                reported = download
                yield _status(download)
            if download.state is DownloadState.DONE:
                break
            await asyncio.sleep(_POLL_S)
    finally:
        if is_new and reported is not None and reported.state is not DownloadState.DONE:
            with contextlib.suppress(DownloadNotFound):
                await downloads.pause(download_id)
    yield {"status": "success"}


def _status(download: Download) -> dict[str, Any]:
    digest = download.files[0].file.digest
    return {
        "status": f"pulling {digest[:12]}",
        "digest": f"sha256:{digest}",
        "total": download.size_bytes,
        "completed": download.n_bytes,
    }
