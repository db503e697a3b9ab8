"""What a projector's header tells: which media it encodes, and how many tokens sound takes."""

from __future__ import annotations

from math import ceil, floor, sqrt
from typing import Final

from fireside.core.model import Senses
from fireside.gguf.facts import FileKind, file_kind
from fireside.gguf.header import GgufHeader

_SPEAKERS: Final = frozenset({"qwen3tts_spkenc", "pockettts_spkenc"})
"""Kinds whose encoder of sound takes the voice that speech is to be made with, not what is said."""
MIN_SECONDS: Final = 0.5
"""Shorter sound is filled up with silence: encoders need some frames, and llama.cpp ends the process where it
gets too few."""
_MEL_FRAMES: Final = 100
"""Frames of a spectrogram for a second of sound."""
_WINDOW: Final = 30 * _MEL_FRAMES
"""Frames that Whisper's encoder takes at once, the last ones filled up with silence."""
_MERGED: Final = {
    "qwen2a": 4,
    "qwen2.5o": 4,
    "musicflamingo": 4,
    "voxtral": 4,
    "ultravox": 2,
    "meralion": 2,
    "glma": 2,
}
"""Kinds with Whisper's encoder: frames for one token, before those that are stacked."""
_WINDOWED: Final = frozenset({*_MERGED, "qwen3a", "gemma4a", "dots3note_a"})
_STACKED: Final = frozenset({"voxtral", "ultravox", "meralion", "glma"})
_FRAMES_A_TOKEN: Final = {"lfm2a": 8, "dots3note_a": 8, "gemma4a": 4, "gemma4ua": 4}
"""Kinds that take sound of any length."""


def projector_senses(header: GgufHeader) -> Senses | None:
    """Return what a projector lets a model take; ``None`` for other files. Old ones say nothing, and are for
    images."""
    if file_kind(header) is not FileKind.PROJECTOR:
        return None
    has_audio = header.metadata.get("clip.has_audio_encoder") is True
    is_old = "clip.has_audio_encoder" not in header.metadata
    has_vision = header.metadata.get("clip.has_vision_encoder", is_old)
    senses = Senses(sees=has_vision is True, hears=has_audio and audio_kind(header) not in _SPEAKERS)
    return senses if any(senses) else None


def audio_kind(header: GgufHeader) -> str:
    """Return llama.cpp's name for the part of a projector that encodes sound."""
    return header.text("clip.projector_type") or header.text("clip.audio.projector_type")


def takes_windows(header: GgufHeader) -> bool:
    """Whether llama.cpp itself encodes long sound in windows of a minute at most. Others it would encode
    whole, in memory that grows with the square of the length."""
    return audio_kind(header) in _WINDOWED


def audio_tokens(header: GgufHeader, *, seconds: float) -> int | None:
    """Return the tokens of so much sound, without the text around it; ``None`` for kinds where the header
    does not determine them. The counts are those of llama.cpp's ``clip_n_output_tokens``."""
    kind, n_frames = audio_kind(header), round(max(MIN_SECONDS, seconds) * _MEL_FRAMES)
    if kind in _MERGED:
        stack = (header.integer("clip.audio.projector.stack_factor") or 1) if kind in _STACKED else 1
        n_around = 2 if kind == "glma" else 0
        return (1 + (n_frames + 1) // _WINDOW) * (-(-_WINDOW // max(1, stack)) // _MERGED[kind] + n_around)
    if kind == "qwen3a":  # 13 for each begun second of each window
        whole, rest = divmod(n_frames + 1, _WINDOW)
        return 13 * (30 * whole + -(-rest // _MEL_FRAMES))
    if kind == "parakeet":
        return n_frames // max(1, header.integer("clip.audio.subsampling_factor") or 8) + 1
    if kind == "granite_speech":
        window = header.integer("clip.audio.projector.window_size") or 15
        rate = header.integer("clip.audio.projector.downsample_rate") or 5
        return -(-(n_frames // 2) // max(1, window)) * (window // max(1, rate))
    if kind in _FRAMES_A_TOKEN:
        return -(-n_frames // _FRAMES_A_TOKEN[kind])
    return None


# Estimate the tokens of an image from a projector's header, without loading it


_TYPE_KEYS: Final = ("clip.vision.projector_type", "clip.projector_type")
_SQUARE: Final = {
    "mlp": 1,
    "mlp_norm": 1,
    "janus_pro": 1,
    "ldp": 2,
    "ldpv2": 2,
    "gemma3": 4,
    "internvl": 2,
}
"""Types that scale every image to one square, and how many patches per side make one token."""
_DYNAMIC_SIZE: Final = frozenset({"qwen2vl_merger", "qwen2.5vl_merger", "qwen3vl_merger"})
"""Types that keep the size of an image, within limits."""
_MERGE_SIZE: Final = 2
_MAX_TOKENS: Final = 4096
_MIN_TOKENS: Final = 8


def picture_tokens(header: GgufHeader, *, width: int, height: int) -> int | None:
    """Return the tokens of an image of so many pixels, without the text around it.

    ``None`` if the header does not determine them, or the image is split into tiles. The counts are those of
    llama.cpp's ``clip_n_output_tokens``.
    """
    kind = next((value for key in _TYPE_KEYS if (value := header.text(key))), "")
    patch = header.integer("clip.vision.patch_size") or 0
    edge = header.integer("clip.vision.image_size") or 0
    if (
        patch <= 0
        or edge <= 0
        or width <= 0
        or height <= 0
        or "clip.vision.image_grid_pinpoints" in header.metadata
    ):
        return None
    if kind in _SQUARE:
        side = header.integer("clip.vision.projector.scale_factor") or _SQUARE[kind]
        return (edge // patch // side) ** 2 or None if side > 0 else None
    if kind in _DYNAMIC_SIZE:
        return _dynamic_tokens(
            width,
            height,
            cell=patch * (header.integer("clip.vision.spatial_merge_size") or _MERGE_SIZE),
        )
    return None


def _dynamic_tokens(width: int, height: int, *, cell: int) -> int | None:
    """Return the cells of an image that keeps its size, or is scaled to the maximum or minimum."""
    if cell <= 0:
        return None
    columns, rows = (max(1, round(edge / cell)) for edge in (width, height))
    n_cells = width * height / cell**2
    if columns * rows > _MAX_TOKENS:
        columns, rows = (max(1, floor(edge * sqrt(_MAX_TOKENS / n_cells) / cell)) for edge in (width, height))
    elif columns * rows < _MIN_TOKENS:
        columns, rows = (ceil(edge * sqrt(_MIN_TOKENS / n_cells) / cell) for edge in (width, height))
    return columns * rows
