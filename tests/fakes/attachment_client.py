"""An ``AttachmentClient`` in memory: what a path or pasted data is read as, is set by a test."""

from __future__ import annotations

from fakes.requests import Requests
from fireside.bridge.attachment_client import AttachmentClient
from fireside.core.attachment import Attachment, TokenCost
from fireside.core.errors import AttachmentUnreadable
from fireside.core.ids import ModelId
from fireside.core.message import AttachedPart, DocumentPart


def document(name: str, text: str = "Some words.", *, n_pages: int | None = None) -> Attachment:
    """Return a document as it is after it was read."""
    part = DocumentPart(
        name=name, media_type="text/plain", text=text, n_pages=n_pages, size_bytes=len(text.encode())
    )
    return Attachment(part=part, size_bytes=part.size_bytes)


class FakeAttachmentClient(Requests):
    """``files`` holds what each path, and each name of pasted data, is read as."""

    def __init__(self) -> None:
        super().__init__()
        self.files: dict[str, Attachment] = {}
        self.cost = TokenCost(n_tokens=120, is_exact=True)

    async def read_file(self, path: str) -> Attachment:
        await self.enter("read_file", path)
        return self._find(path)

    async def read_data(self, data: bytes, *, name: str) -> Attachment:
        await self.enter("read_data", data, name)
        return self._find(name)

    async def count(self, part: AttachedPart, *, model_id: ModelId | None) -> TokenCost:
        await self.enter("count", part, model_id)
        return self.cost

    def _find(self, name: str) -> Attachment:
        if name not in self.files:
            raise AttachmentUnreadable(name=name, reason="there is no such file.")
        return self.files[name]


def as_client(fake: FakeAttachmentClient) -> AttachmentClient:
    """Let the type checker confirm that the fake keeps the contract."""
    return fake
