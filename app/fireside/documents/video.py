"""Video, and audio that ``sound`` cannot read: decoded by PyAV, which is a component."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

import numpy as np

from fireside.core.attachment import FRAMES_PER_SECOND, MAX_ATTACHED_SECONDS, MAX_VIDEO_FRAMES
from fireside.core.i18n import tr_noop
from fireside.core.message import SAMPLE_RATE, AudioPart, VideoFrame, VideoPart
from fireside.documents.extracted_text import FileRefused
from fireside.documents.messages import MEDIA_VARIABLE
from fireside.documents.sound import TOO_LONG, Samples, audio_part, collected

NOT_INSTALLED: Final = tr_noop(
    "it needs “Media formats”, a component that is not downloaded yet. Without it, save the audio as WAV, "
    "MP3 or FLAC."
)
_DAMAGED: Final = tr_noop("it is damaged, or in a format that cannot be read.")
_EMPTY: Final = tr_noop("there is neither an image nor audio in it.")
_FORMATS: Final = {"mov": "video/mp4", "matroska": "video/webm", "avi": "video/x-msvideo"}
_MAX_EDGE: Final = 768
"""Of a picture: each costs as many tokens as an image."""
_MAX_PIXELS: Final = 64_000_000
_ATTACHED_PICTURE: Final = 1024
_QUALITY: Final = 85
_S16_SCALE: Final = 32768
_SLACK_S: Final = 0.05
"""A picture that comes so much too early is taken."""


def read_video(data: bytes, *, name: str) -> VideoPart | AudioPart:
    """Return a video with its sound, or the sound of a file without pictures. Raises ``FileRefused``."""
    folder = os.environ.get(MEDIA_VARIABLE, "")
    if folder and folder not in sys.path:
        sys.path.append(folder)
    try:
        import av  # native and large: only with the first such file
    except ImportError as exc:
        raise FileRefused(NOT_INSTALLED, needs_component=True) from exc
    try:
        return _read(av, data, name=name)
    except (av.FFmpegError, ValueError, OSError, EOFError, ArithmeticError) as exc:
        raise FileRefused(_DAMAGED) from exc


def _read(av: Any, data: bytes, *, name: str) -> VideoPart | AudioPart:
    # A file that refers to other files or to addresses (playlists do) may not open them.
    with av.open(io.BytesIO(data), options={"protocol_whitelist": "", "enable_drefs": "0"}) as container:
        sound = _sound(av, container, name=name, size_bytes=len(data))
        if not _has_pictures(container):
            if sound is None:
                raise FileRefused(_EMPTY)
            return sound
        seconds = _duration(container, sound)
        stream = container.streams.video[0]
        frames = _frames(container, stream, seconds=seconds)
        if not frames:
            raise FileRefused(_DAMAGED)
        return VideoPart(
            frames=frames,
            sound=sound,
            media_type=_media_type(container.format.name),
            name=name,
            seconds=max(seconds, frames[-1].at_s),
            width=stream.codec_context.width,
            height=stream.codec_context.height,
            size_bytes=len(data),
        )


def _media_type(format_name: str) -> str:
    return next((kind for key, kind in _FORMATS.items() if key in format_name), "video/mpeg")


def _sound(av: Any, container: Any, *, name: str, size_bytes: int) -> AudioPart | None:
    """Return the first track of sound; ``None`` if there is none, or nothing in it."""
    if not container.streams.audio:
        return None
    stream = container.streams.audio[0]
    resampler = av.AudioResampler(format="s16", layout="mono", rate=SAMPLE_RATE)

    def blocks() -> Iterator[Samples]:
        for frame in chain(container.decode(stream), (None,)):
            for block in resampler.resample(frame):
                yield block.to_ndarray().reshape(-1).astype(np.float32) / _S16_SCALE

    samples = collected(blocks())
    if not len(samples):
        return None
    return audio_part(
        samples,
        name=name,
        n_channels=stream.codec_context.channels or 1,
        sample_rate=stream.codec_context.sample_rate or 0,
        size_bytes=size_bytes,
    )


def _duration(container: Any, sound: AudioPart | None) -> float:
    told = (container.duration or 0) / 1_000_000
    seconds = max(told, 0.0 if sound is None else sound.seconds)
    if seconds > MAX_ATTACHED_SECONDS:
        raise FileRefused(TOO_LONG)
    return seconds


def _frames(container: Any, stream: Any, *, seconds: float) -> tuple[VideoFrame, ...]:
    """Return evenly spaced pictures: of those that are stored whole, if these are enough, else of all."""
    n_frames = max(1, min(MAX_VIDEO_FRAMES, round(seconds * FRAMES_PER_SECOND)))
    for kept in ("NONKEY", "DEFAULT"):
        container.seek(0)
        stream.codec_context.flush_buffers()
        stream.codec_context.skip_frame = kept
        frames = tuple(_spaced(container.decode(stream), step=seconds / n_frames, n_frames=n_frames))
        if len(frames) == n_frames:
            break
    return frames


def _spaced(decoded: Iterator[Any], *, step: float, n_frames: int) -> Iterator[VideoFrame]:
    n_taken = 0
    for frame in decoded:
        at_s = max(0.0, float(frame.time or 0.0))
        if at_s + _SLACK_S < n_taken * step:
            continue
        if frame.width * frame.height > _MAX_PIXELS:
            raise FileRefused(_DAMAGED)
        scale = min(1.0, _MAX_EDGE / max(frame.width, frame.height))
        width, height = (max(1, round(edge * scale)) for edge in (frame.width, frame.height))
        image = frame.to_image(width=width, height=height)
        jpeg = io.BytesIO()
        image.save(jpeg, "JPEG", quality=_QUALITY)
        yield VideoFrame(data=jpeg.getvalue(), at_s=at_s)
        n_taken += 1
        if n_taken == n_frames:
            return


def _has_pictures(container: Any) -> bool:
    """Whether there is a video stream; the cover of an album is none."""
    return any(not int(stream.disposition) & _ATTACHED_PICTURE for stream in container.streams.video)
