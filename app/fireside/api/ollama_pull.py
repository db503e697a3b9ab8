"""Ollama's “pull”: have a model downloaded, where the user lets clients do so."""

from __future__ import annotations

import asyncio
import contextlib
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
from fireside.api.ollama import OLLAMA_HEARTBEAT, stream_error_chunk
from fireside.core.errors import DownloadNotFound, error_from_info
from fireside.core.hub import Download, DownloadId, DownloadState
from fireside.services.downloads.download_scheduler import DownloadScheduler

_LOOK_S: Final = 0.25


class PullBody(msgspec.Struct, kw_only=True):
    """Which model: a repository of the hub, ``owner/name`` or ``owner/name:Q4_K_M``."""

    model: str = ""
    name: str = ""
    stream: bool | None = None


async def pull_model(
    service: ApiService, request: HttpRequest, body: PullBody
) -> HttpResponse | StreamingResponse:
    """Answer one call of ``/api/pull``. A download that it began is paused when the client goes."""
    del request
    if not service.options.allows_pull:
        raise HttpError(
            HTTPStatus.FORBIDDEN, "Clients may not download models. The setting “api.pull” lets them."
        )
    downloads = service.downloads
    plan = await downloads.plan(body.model or body.name)
    before = {download.id for download in downloads.downloads}
    download_id = await downloads.add(plan)
    following = _followed(downloads, download_id, is_new=download_id not in before)
    if body.stream is not False:
        return StreamingResponse(
            chunks=_chunks(following),
            error_chunk=stream_error_chunk,
            heartbeat=OLLAMA_HEARTBEAT,
            content_type=NDJSON,
        )
    last: dict[str, Any] = {}
    async for each in following:
        last = each
    return json_response(last)


async def _chunks(following: AsyncGenerator[dict[str, Any], None]) -> AsyncGenerator[bytes, None]:
    async with contextlib.aclosing(following) as progress:
        async for each in progress:
            yield ndjson_line(each)


async def _followed(
    downloads: DownloadScheduler, download_id: DownloadId, *, is_new: bool
) -> AsyncGenerator[dict[str, Any], None]:
    """Yield how far a download is, until it is whole. Raises ``FiresideError`` if it fails."""
    yield {"status": "pulling manifest"}
    told: Download | None = None
    try:
        while True:
            download = next((each for each in downloads.downloads if each.id == download_id), None)
            if download is None:
                raise DownloadNotFound(id=str(download_id))
            if download.error is not None:
                raise error_from_info(download.error)
            if download != told:
                told = download
                yield _progress(download)
            if download.state is DownloadState.DONE:
                break
            await asyncio.sleep(_LOOK_S)
    finally:
        if is_new and told is not None and told.state is not DownloadState.DONE:
            with contextlib.suppress(DownloadNotFound):
                await downloads.pause(download_id)
    yield {"status": "success"}


def _progress(download: Download) -> dict[str, Any]:
    digest = download.files[0].file.digest
    return {
        "status": f"pulling {digest[:12]}",
        "digest": f"sha256:{digest}",
        "total": download.size_bytes,
        "completed": download.n_bytes,
    }
