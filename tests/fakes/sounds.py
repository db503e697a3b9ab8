"""Sound and videos as parts of messages."""

from __future__ import annotations

import io
import wave

from PIL import Image

from fireside.core.message import N_PEAKS, SAMPLE_RATE, AudioPart, VideoFrame, VideoPart


def sound(name: str = "memo.wav", *, seconds: float = 7.0, peaks: bytes = b"") -> AudioPart:
    """Return silence whose waveform says that its first half is loud."""
    file = io.BytesIO()
    with wave.open(file, "wb") as writer:
        writer.setnchannels(1)
        writer.setsampwidth(2)
        writer.setframerate(SAMPLE_RATE)
        writer.writeframes(bytes(2 * round(seconds * SAMPLE_RATE)))
    return AudioPart(
        data=file.getvalue(),
        name=name,
        seconds=seconds,
        peaks=peaks or bytes([200]) * (N_PEAKS // 2) + bytes(N_PEAKS // 2),
        n_channels=2,
        sample_rate=44_100,
        size_bytes=1_200_000,
    )


def video(name: str = "clip.mp4", *, seconds: float = 12.0, track: AudioPart | None = None) -> VideoPart:
    """Return a video with an image each second, each brighter than the one before."""
    frames = tuple(
        VideoFrame(data=_jpeg(brightness=20 * n), at_s=float(n)) for n in range(min(12, round(seconds)))
    )
    return VideoPart(
        frames=frames,
        sound=track,
        media_type="video/mp4",
        name=name,
        seconds=seconds,
        width=320,
        height=180,
        size_bytes=8_300_000,
    )


def _jpeg(*, brightness: int) -> bytes:
    file = io.BytesIO()
    Image.new("L", (320, 180), brightness).save(file, "JPEG")
    return file.getvalue()
