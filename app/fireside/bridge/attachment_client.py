"""Protocol of the service for files attached to a message."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from fireside.core.attachment import Attachment, TokenCost
from fireside.core.ids import ModelId
from fireside.core.message import AttachedPart
from fireside.core.tool_servers import ResourceContent


class AttachmentClient(Protocol):
    """Façade over the engine thread, used from the GUI thread only; see ``EngineClient``."""

    async def read_file(self, path: str) -> Attachment:
        """Read a file of this computer, in a process of its own. Raises ``AttachmentUnreadable``."""

    async def read_data(self, data: bytes, *, name: str) -> Attachment:
        """Return pasted data as an attachment. Raises ``AttachmentUnreadable``."""

    async def read_contents(
        self, contents: Sequence[ResourceContent], *, name: str, server: str
    ) -> Attachment:
        """Return a resource of an MCP server as an attachment: its texts joined, else its first file.

        Raises ``AttachmentUnreadable``.
        """

    async def count(self, part: AttachedPart, *, model_id: ModelId | None) -> TokenCost:
        """Return the tokens of an attachment: counted by the model if it is loaded, else estimated."""
