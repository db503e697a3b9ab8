"""Sound: decoded within bounds, mixed to one channel, resampled, and stored as models take it."""

from __future__ import annotations

import io
import struct
import wave
from collections.abc import Iterable, Iterator
from fractions import Fraction
from itertools import chain, pairwise
from math import ceil
from typing import IO, Any, Final

import numpy as np
import numpy.typing as npt

from fireside.core.attachment import MAX_ATTACHED_SECONDS
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.message import N_PEAKS, SAMPLE_RATE, AudioPart
from fireside.documents.extracted_text import FileRefused

Samples = npt.NDArray[np.float32]

DAMAGED_SOUND: Final = tr_noop("the audio is damaged, or in a format that cannot be read.")
TOO_LONG: Final = Phrase(
    tr_noop("it is longer than {n} minutes. Transcribe it, or cut it into shorter pieces."),
    {"n": MAX_ATTACHED_SECONDS // 60},
)
_EMPTY: Final = tr_noop("there is no audio in it.")
_MAX_FILE_RATE: Final = 384_000
_MAX_CHANNELS: Final = 32
_FULL_SCALE: Final = 32767
_HALF_WIDTH: Final = 24
"""Zero crossings of the filter on each side."""
_CUTOFF: Final = 0.93
"""Of the lower of half of both rates. With these, what lies above it by a tenth is 70 dB lower."""
_KAISER_BETA: Final = 7.0
_MOST_OLD: Final = 6000
"""Of a group of old samples: the ratio of two rates is exact for all rates in use, and within a few ms at the
end of the longest sound for others, whose weights would take a gigabyte."""
_AT_ONCE: Final = 4096
"""New samples that are computed together, which bounds the memory."""
_MP3_KBITS: Final = (
    (0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160),
    (0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320),
)
"""Of a frame of MPEG-2 and of MPEG-1, by the number in its header."""
_MP3_RATES: Final = (44_100, 48_000, 32_000)
_MP3_HALVINGS: Final = {3: 0, 2: 1, 0: 2}
"""Of these rates in MPEG-1, 2 and 2.5."""
_MOST_MP3_FRAMES: Final = 1 << 20
"""That are counted: seven hours."""


def read_sound(data: bytes, *, name: str) -> AudioPart:
    """Return the sound of a WAV, FLAC, MP3, Ogg (Vorbis, Opus) or AIFF file. Raises ``FileRefused``."""
    import soundfile  # native, only with the first such file

    try:
        with opened_sound(io.BytesIO(data)) as file:
            rate, n_channels = file.samplerate, file.channels
            if not is_bounded(file):
                raise FileRefused(DAMAGED_SOUND)
            samples = collected(resampled(mixed_blocks(file), rate=rate))
    except (soundfile.SoundFileError, RuntimeError, ValueError, TypeError, OSError) as exc:
        raise FileRefused(DAMAGED_SOUND) from exc
    if not len(samples):
        raise FileRefused(_EMPTY)
    return audio_part(samples, name=name, n_channels=n_channels, sample_rate=rate, size_bytes=len(data))


def opened_sound(file: IO[bytes]) -> Any:
    """Open a file with libsndfile so that all of it can be read, also where it was streamed and so does not
    tell its length. Raises what libsndfile does."""
    import soundfile

    opened = soundfile.SoundFile(_with_mp3_length(file))
    # It goes to where it is after each read, which fails in a FLAC that was streamed.
    opened.seekable = lambda: False
    return opened


def is_bounded(file: Any) -> bool:
    """Return whether rate and channels of a file are such that a second of it may be held."""
    return bool(0 < file.samplerate <= _MAX_FILE_RATE and 0 < file.channels <= _MAX_CHANNELS)


def mixed_blocks(file: Any) -> Iterator[Samples]:
    """Yield the sound of a file, a second at a time, as one channel."""
    while len(block := file.read(file.samplerate, dtype="float32", always_2d=True)):
        # A float file may hold anything: what is no number is silence.
        yield np.clip(np.nan_to_num(block, posinf=1, neginf=-1), -1, 1).mean(axis=1, dtype=np.float32)


def resampled(blocks: Iterable[Samples], *, rate: int, to: int = SAMPLE_RATE) -> Iterator[Samples]:
    """Yield the sound of ``blocks``, which is at ``rate``, at the rate ``to``: by a windowed sinc.

    New samples lie between old ones at positions that repeat after each group of them, so each of a group has
    weights of its own: as many rows as the ratio of both rates has in its numerator.
    """
    if rate == to:
        yield from blocks
        return
    ratio = Fraction(to, rate).limit_denominator(_MOST_OLD)
    n_new, n_old = ratio.numerator, ratio.denominator
    cutoff = _CUTOFF * min(1.0, to / rate)
    reach = ceil(_HALF_WIDTH / cutoff)
    starts, remainders = np.divmod(np.arange(n_new) * n_old, n_new)
    distances = np.arange(-reach, reach + 1)[None, :] - remainders[:, None] / n_new
    window = np.i0(_KAISER_BETA * np.sqrt(np.clip(1 - (distances / (reach + 1)) ** 2, 0, 1)))
    weights = np.sinc(cutoff * distances) * window
    weights = (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)
    n_groups = max(1, _AT_ONCE // n_new)
    firsts = (np.arange(n_groups) * n_old)[:, None] + starts[None, :]
    step = n_groups * n_old
    n_read = n_written = 0
    rest = np.zeros(reach, np.float32)
    silence = (np.zeros(max(step, reach), np.float32) for _ in range(2))
    for block, is_sound in chain(((each, True) for each in blocks), ((each, False) for each in silence)):
        n_read += len(block) if is_sound else 0
        rest = np.concatenate([rest, block])
        while len(rest) > step + 2 * reach:
            windows = np.lib.stride_tricks.sliding_window_view(rest, 2 * reach + 1)[firsts]
            new = np.einsum("gkt,kt->gk", windows, weights).ravel()
            rest = rest[step:]
            new = new[: ceil(n_read * n_new / n_old) - n_written]
            n_written += len(new)
            yield new


def collected(blocks: Iterable[Samples]) -> npt.NDArray[np.int16]:
    """Return ``blocks`` as 16-bit samples, if there are any. Raises ``FileRefused`` for too many."""
    pieces = [np.zeros(0, "<i2")]
    n_samples = 0
    for block in blocks:
        n_samples += len(block)
        if n_samples > MAX_ATTACHED_SECONDS * SAMPLE_RATE:
            raise FileRefused(TOO_LONG)
        pieces.append(np.clip(np.rint(block * _FULL_SCALE), -_FULL_SCALE, _FULL_SCALE).astype("<i2"))
    return np.concatenate(pieces)


def audio_part(
    samples: npt.NDArray[np.int16], *, name: str, n_channels: int, sample_rate: int, size_bytes: int
) -> AudioPart:
    """Return the part of a message for ``samples``; the other facts are those of the file."""
    written = io.BytesIO()
    with wave.open(written, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(samples.tobytes())
    bounds = np.linspace(0, len(samples), N_PEAKS + 1).astype(int)
    peaks = bytes(
        int(np.abs(samples[start : max(start + 1, end)].astype(np.int32)).max(initial=0)) * 255 // 32768
        for start, end in pairwise(bounds)
    )
    return AudioPart(
        data=written.getvalue(),
        name=name,
        seconds=len(samples) / SAMPLE_RATE,
        peaks=peaks,
        n_channels=n_channels,
        sample_rate=sample_rate,
        size_bytes=size_bytes,
    )


def _with_mp3_length(file: IO[bytes]) -> IO[bytes]:
    """Return ``file``, or an MP3 that does not tell its length with a frame before it that does.

    libsndfile would guess it from the first frame, and read no further.
    """
    head = file.read(10)
    start = 0
    if head[:3] == b"ID3" and len(head) == 10:
        start = 10 + (head[6] << 21 | head[7] << 14 | head[8] << 7 | head[9])
        file.seek(start)
        head = file.read(4)
    header, is_mpeg_1 = head[:4], len(head) > 1 and head[1] >> 3 & 3 == 3
    n_frames = _n_mp3_frames(file, start) if _mp3_frame_bytes(header) else 0
    is_mono = len(header) == 4 and header[3] >> 6 == 3
    tag_at = 4 + ((17 if is_mono else 32) if is_mpeg_1 else (9 if is_mono else 17))
    file.seek(start)
    first = file.read(64)
    file.seek(0)
    tells_length = first[tag_at : tag_at + 4] in (b"Xing", b"Info") or first[36:40] == b"VBRI"
    if n_frames < 2 or tells_length:
        return file
    # A frame of the same kind, without a checksum, and large enough at any rate.
    frame = bytes((header[0], header[1] | 1, header[2] & 0x0C | 0x90, header[3]))
    frame += bytes(tag_at - 4) + b"Xing" + struct.pack(">II", 1, n_frames)
    return _Preceded(frame.ljust(_mp3_frame_bytes(frame), b"\0"), file, start=start)


def _mp3_frame_bytes(header: bytes) -> int:
    """Return the size of the frame that begins with ``header``; 0 if there is none of MP3."""
    if len(header) < 4 or header[0] != 0xFF or header[1] & 0xE6 != 0xE2:
        return 0
    version, bits, rate = header[1] >> 3 & 3, header[2] >> 4, header[2] >> 2 & 3
    if version not in _MP3_HALVINGS or not 0 < bits < 15 or rate == 3:
        return 0
    is_mpeg_1 = version == 3
    per_s = _MP3_RATES[rate] >> _MP3_HALVINGS[version]
    return (144 if is_mpeg_1 else 72) * 1000 * _MP3_KBITS[is_mpeg_1][bits] // per_s + (header[2] >> 1 & 1)


def _n_mp3_frames(file: IO[bytes], start: int) -> int:
    """Return how many frames there are from ``start`` on; at least that, where something else is between."""
    n_frames, at, smallest = 0, start, 1 << 16
    while n_frames < _MOST_MP3_FRAMES:
        file.seek(at)
        n_bytes = _mp3_frame_bytes(file.read(4))
        if not n_bytes:
            break
        n_frames, at, smallest = n_frames + 1, at + n_bytes, min(smallest, n_bytes)
    return n_frames + max(0, file.seek(0, io.SEEK_END) - at) // smallest


class _Preceded(io.BytesIO):
    """A file from ``start`` on, with ``before`` in front of it, as libsndfile reads it."""

    def __init__(self, before: bytes, file: IO[bytes], *, start: int) -> None:
        super().__init__()
        self._before, self._file = before, file
        self._shift = len(before) - start
        self._at = 0

    def tell(self) -> int:
        return self._at

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        end = self._file.seek(0, io.SEEK_END) + self._shift
        self._at = offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: end}[whence]
        return self._at

    def readinto(self, buffer: Any) -> int:
        view = memoryview(buffer).cast("B")
        piece = self._before[self._at : self._at + len(view)]
        if len(piece) < len(view):
            self._file.seek(self._at + len(piece) - self._shift)
            piece += self._file.read(len(view) - len(piece))
        view[: len(piece)] = piece
        self._at += len(piece)
        return len(piece)
