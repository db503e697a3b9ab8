"""Recognise sound and video by the first bytes of a file."""

from __future__ import annotations

from typing import Final

N_BYTES: Final = 16
"""As many are enough."""
_SOUND: Final = (b"fLaC", b"OggS", b"ID3")
_CONTAINERS: Final = (
    b"\x1a\x45\xdf\xa3",  # Matroska, WebM
    b"FLV\x01",
    b"\x30\x26\xb2\x75\x8e\x66\xcf\x11",  # ASF: WMA, WMV
    b"\x00\x00\x01\xba",  # MPEG program stream
)
_RIFF: Final = (b"RIFF", b"RF64")


def is_sound(head: bytes) -> bool:
    """Whether a file begins as WAV, AIFF, FLAC, Ogg or MP3 does."""
    form = head[8:12]
    if head[:4] in _RIFF:
        return form == b"WAVE"
    return head.startswith(_SOUND) or (head[:4] == b"FORM" and form in (b"AIFF", b"AIFC")) or _is_mpeg(head)


def is_container(head: bytes) -> bool:
    """Whether a file begins as those do that may hold a video, or sound in other formats: MP4, M4A, WebM."""
    is_mp4 = head[4:8] in (b"ftyp", b"moov", b"mdat", b"wide", b"free") and head[:2] in (b"\0\0", b"\0\1")
    is_avi = head[:4] == b"RIFF" and head[8:12] == b"AVI "
    is_aac = head[:1] == b"\xff" and len(head) > 1 and head[1] & 0xF6 == 0xF0
    return head.startswith(_CONTAINERS) or is_mp4 or is_avi or is_aac


def is_media(head: bytes) -> bool:
    """Whether a file begins as sound or a video does."""
    return is_sound(head) or is_container(head)


def _is_mpeg(head: bytes) -> bool:
    """Whether it is a frame of MPEG audio, layer II or III: eleven bits are set, and no field is invalid."""
    if len(head) < 4 or head[0] != 0xFF or head[1] & 0xE0 != 0xE0:
        return False
    version, layer = head[1] >> 3 & 3, head[1] >> 1 & 3
    return version != 1 and layer in (1, 2) and 0 < head[2] >> 4 < 15 and head[2] >> 2 & 3 != 3
