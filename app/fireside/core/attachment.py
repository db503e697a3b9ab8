"""Files attached to a message that is not sent yet, and their limits."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import number, tr
from fireside.core.message import AttachedPart, DocumentPart, ImagePart

MAX_ATTACHED: Final = 50
"""Most files of one message."""
MAX_ATTACHED_CHARS: Final = 2_000_000
MAX_ATTACHED_BYTES: Final = 16_000_000
"""Most bytes of all images of one message together, as stored."""


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was read and can be sent."""

    part: AttachedPart
    size_bytes: int
    """Of the file."""
    warnings: tuple[str, ...] = ()
    """Sentences: what the model will not see of it."""

    @property
    def name(self) -> str:
        """Its file's name."""
        return self.part.name


def as_attachment(part: AttachedPart) -> Attachment:
    """Return a part of a sent message as an attachment again; the warnings of its file are not known any
    more."""
    n_bytes = part.size_bytes if isinstance(part, DocumentPart) else len(part.data)
    return Attachment(part=part, size_bytes=n_bytes)


class TokenCost(msgspec.Struct, frozen=True, kw_only=True):
    """Tokens that an attachment takes of the model's context."""

    n_tokens: int
    is_exact: bool
    """Counted by the model itself; else it is an estimate."""


def attachment_limit_problem(parts: tuple[AttachedPart, ...]) -> str:
    """Return why these parts exceed the limits of one message, as the end of a sentence; empty if they do
    not."""
    if len(parts) > MAX_ATTACHED:
        return tr("limit: {most} files per message.").format(most=MAX_ATTACHED)
    if sum(len(part.text) for part in parts if isinstance(part, DocumentPart)) > MAX_ATTACHED_CHARS:
        return tr("limit: {most} characters per message in files.").format(most=number(MAX_ATTACHED_CHARS))
    if sum(len(part.data) for part in parts if isinstance(part, ImagePart)) > MAX_ATTACHED_BYTES:
        return tr("limit: {most} MB of images per message.").format(most=MAX_ATTACHED_BYTES // 10**6)
    return ""
