"""Have a vision model read pages and images without text, one at a time."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol

from fireside.core.collection import Collection, PageLocation, location_text
from fireside.core.errors import FiresideError, RequestError, RunnerError
from fireside.core.ids import ModelId
from fireside.core.model import ModelSpec
from fireside.documents.extracted_text import strip_marks, tidy_prose
from fireside.documents.page_messages import PageReply, PageRequest
from fireside.retrieval.collection_store import CollectionStore
from fireside.retrieval.scanned_pages import ScannedPage
from fireside.services.collections.file_reading import read_unchanged
from fireside.services.collections.page_renderer import RenderPage

RETRY_S: Final = 120.0
"""Delay after a model failed to read before it is tried again."""
_WIDTH: Final = 1440
"""Pixels of the page image for the model: small print is legible, and a page of paper is 2,048 high."""
_MAX_CHARS: Final = 20_000
"""Of one page; a model that repeats itself writes more."""
_JPEG: Final = b"\xff\xd8\xff"


class ReadPicture(Protocol):
    """Returns the text on an image. Raises ``FiresideError`` where the model cannot read it."""

    async def __call__(self, picture: bytes, *, media_type: str, model_id: ModelId) -> str: ...


RunPageStep = Callable[[str, Callable[[], Awaitable[str]]], Awaitable[str]]
"""Runs a step of work under a name that is displayed, while no chat is answered; see ``RunStep``."""


class ScannedPageReader:
    """Reads scanned pages. Lives on the engine's loop. Each page is stored before the next is read: a kill
    costs one."""

    def __init__(
        self,
        *,
        store: Callable[[], Awaitable[CollectionStore]],
        read_picture: ReadPicture,
        spec_of: Callable[[ModelId], ModelSpec],
        render: RenderPage,
    ) -> None:
        """``spec_of`` raises ``ModelNotFound`` for a model that was removed."""
        self._store = store
        self._read_picture = read_picture
        self._spec_of = spec_of
        self._render = render
        self._failed: dict[ModelId, tuple[float, FiresideError]] = {}
        self._skipped: set[tuple[str, int]] = set()
        """Hash and number of pages that cannot be rendered, or that a model failed at."""

    async def read_missing(self, collection: Collection, run_step: RunPageStep) -> bool:
        """Read the pages that the collection's model has not read, one a step. Returns whether there were
        any.

        Raises ``FiresideError`` where the model cannot be used; it is not tried again for ``RETRY_S``.
        """
        model_id = collection.vision_model
        if model_id is None:
            return False
        at_s, error = self._failed.get(model_id, (0.0, None))
        if error is not None and time.monotonic() - at_s < RETRY_S:
            raise error
        store, has_read = await self._store(), False
        while page := await store.scans.next(collection.id, model_id, exclude=self._skipped):
            key = (page.hash, page.number)
            image = await asyncio.to_thread(self._rendered, page)
            if not image:
                self._skipped.add(key)
                continue
            media_type = "image/jpeg" if image.startswith(_JPEG) else "image/png"
            try:
                name = self._spec_of(model_id).name
                read = partial(self._read_picture, image, media_type=media_type, model_id=model_id)
                location = location_text(PageLocation(page=page.number))
                text = await run_step(f"{page.name}, {location}", read)
            except FiresideError as exc:
                self._failed[model_id] = (time.monotonic(), exc)
                if isinstance(exc, RequestError | RunnerError):
                    self._skipped.add(key)
                raise
            await store.scans.store(page, model_id=model_id, model_name=name, text=_clean(text))
            has_read = True
        return has_read

    def clear_failures(self) -> None:
        """Allow models and pages that failed to be tried again at once."""
        self._failed.clear()
        self._skipped.clear()

    def _rendered(self, page: ScannedPage) -> bytes:
        """Return a page as an image; empty where its file has changed or cannot be rendered."""
        try:
            data = read_unchanged(page.path, page.hash)
        except OSError:
            return b""
        if data is None:
            return b""
        reply: PageReply = self._render(PageRequest(data=data, page=page.number, width=_WIDTH))
        return reply.image


def _clean(text: str) -> str:
    return tidy_prose(strip_marks(text))[:_MAX_CHARS]
