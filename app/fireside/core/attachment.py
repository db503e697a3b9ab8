"""Files attached to a message that is not sent yet, and their limits."""

from __future__ import annotations

from typing import Final

import msgspec

from fireside.core.i18n import number, tr
from fireside.core.message import AttachedPart, AudioPart, DocumentPart, ImagePart, VideoPart

MAX_ATTACHED: Final = 50
"""Files per message."""
MAX_ATTACHED_CHARS: Final = 2_000_000
MAX_ATTACHED_BYTES: Final = 16_000_000
"""Bytes of all images of a message together, as stored; a video's pictures are images."""
MAX_ATTACHED_SECONDS: Final = 900
"""Seconds of all sound of a message together: 29 MB as stored at most, below the limit of a frame between
processes, and 6,000 to 25,000 tokens."""
MAX_VIDEO_FRAMES: Final = 32
FRAMES_PER_SECOND: Final = 1
"""Of a video; fewer where it has more than ``MAX_VIDEO_FRAMES`` seconds."""


class Attachment(msgspec.Struct, frozen=True, kw_only=True):
    """A file that was read and is ready to send."""

    part: AttachedPart
    size_bytes: int
    """Size of the file."""
    warnings: tuple[str, ...] = ()
    """What the model will not see of the file, as sentences."""
    path: str = ""
    """Where the file is; empty for what was pasted, or comes from a sent message."""
    is_unread: bool = False
    """Whether the file is still to be read, such as one that waits for a component: ``part`` has its name."""

    @property
    def name(self) -> str:
        """The name of the file."""
        return self.part.name


def unread_attachment(name: str, *, path: str) -> Attachment:
    """Return what the draft keeps of a file that could not be read yet."""
    part = DocumentPart(name=name, media_type="", text="")
    return Attachment(part=part, size_bytes=0, path=path, is_unread=True)


def as_attachment(part: AttachedPart) -> Attachment:
    """Return a part of a sent message as an attachment, without the warnings of its file, which are lost."""
    n_bytes = len(part.data) if isinstance(part, ImagePart) else part.size_bytes
    return Attachment(part=part, size_bytes=n_bytes)


class TokenCost(msgspec.Struct, frozen=True, kw_only=True):
    """The number of tokens of an attachment."""

    n_tokens: int
    is_exact: bool
    """Whether it was counted by the model rather than estimated."""


def clock_time(seconds: float) -> str:
    """Return a duration as players show it: ``0:07``, ``1:02:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


def attachment_limit_problem(parts: tuple[AttachedPart, ...]) -> str:
    """Return which limit of a message these parts exceed, as the end of a sentence; empty for none."""
    if len(parts) > MAX_ATTACHED:
        return tr("limit: {most} files per message.").format(most=MAX_ATTACHED)
    if sum(len(part.text) for part in parts if isinstance(part, DocumentPart)) > MAX_ATTACHED_CHARS:
        return tr("limit: {most} characters per message in files.").format(most=number(MAX_ATTACHED_CHARS))
    if _picture_bytes(parts) > MAX_ATTACHED_BYTES:
        return tr("limit: {most} MB of images per message.").format(most=MAX_ATTACHED_BYTES // 10**6)
    if sum(each.seconds for each in sound_in(parts)) > MAX_ATTACHED_SECONDS:
        return tr("limit: {most} minutes of audio per message.").format(most=MAX_ATTACHED_SECONDS // 60)
    return ""


def sound_in(parts: tuple[AttachedPart, ...]) -> tuple[AudioPart, ...]:
    """Return the sound of these parts, that of videos included."""
    tracks = (part.sound if isinstance(part, VideoPart) else part for part in parts)
    return tuple(track for track in tracks if isinstance(track, AudioPart))


def _picture_bytes(parts: tuple[AttachedPart, ...]) -> int:
    images = sum(len(part.data) for part in parts if isinstance(part, ImagePart))
    frames = (frame for part in parts if isinstance(part, VideoPart) for frame in part.frames)
    return images + sum(len(frame.data) for frame in frames)
