"""Ollama's “pull”: downloads a model, if the user lets clients do so."""

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
