"""Sound files as samples, as they are needed: by libsndfile, and by FFmpeg where its component is here."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOENT
from itertools import chain
from pathlib import Path
from typing import IO, Final, NamedTuple

import numpy as np

from fireside.core.i18n import Phrase, tr_noop
from fireside.core.os_errors import os_error_text
from fireside.core.speech import SpeechFault
from fireside.documents.media_signatures import N_BYTES, is_container
from fireside.documents.sound import is_bounded, mixed_blocks, opened_sound, resampled
from fireside.speech_host.devices import Samples, SoundError
from fireside.speech_host.speech_messages import MAX_AUDIO_S, SAMPLE_RATE

UNREADABLE: Final = tr_noop(
    "This is not sound in a format that can be read: WAV, AIFF, MP3, FLAC, Ogg Vorbis or Opus."
)
NEEDS_MEDIA: Final = tr_noop("Reading this format needs the component “Media formats”, which is a download.")
_MOST_FRAMES: Final = 1 << 50
_CANNOT_OPEN: Final = tr_noop("The recording cannot be opened ({reason}).")
_NO_SOUND: Final = tr_noop("There is no sound in this file.")
_TOO_LONG: Final = tr_noop("The recording is longer than four hours. Cut it into parts.")


class SoundFile(NamedTuple):
    """A sound file that is being read."""

    duration_s: float
    """As the file says; 0 where it does not."""
    blocks: Iterator[Samples]
    """Its samples, one channel. Raises ``SoundError``, also after some of them."""


@contextmanager
def open_sound(source: str | bytes, *, sample_rate: int = SAMPLE_RATE) -> Iterator[SoundFile]:
    """Open the file at a path, or with this content. Raises ``SoundError``."""
    with _opened(source) as file:
        is_other = is_container(file.read(N_BYTES))
        file.seek(0)
        with _by_ffmpeg(file, sample_rate) if is_other else _by_libsndfile(file, sample_rate) as sound:
            if sound.duration_s > MAX_AUDIO_S:
                raise SoundError(_TOO_LONG, SpeechFault.FORMAT)
            yield SoundFile(sound.duration_s, _limited(sound.blocks, sample_rate))


def _opened(source: str | bytes) -> IO[bytes]:
    if isinstance(source, bytes):
        return io.BytesIO(source)
    try:
        if not Path(source).is_file():  # a pipe or a device may never end
            raise FileNotFoundError(ENOENT, os.strerror(ENOENT))
        return Path(source).open("rb")
    except OSError as exc:
        raise SoundError(Phrase(_CANNOT_OPEN, {"reason": os_error_text(exc)}), SpeechFault.FORMAT) from exc


@contextmanager
def _by_libsndfile(file: IO[bytes], sample_rate: int) -> Iterator[SoundFile]:
    import soundfile  # native: only with the first file

    errors = (soundfile.SoundFileError, RuntimeError, ValueError, TypeError)
    try:
        opened = opened_sound(file)
    except errors as exc:
        raise SoundError(UNREADABLE, SpeechFault.FORMAT) from exc
    with opened:
        rate = opened.samplerate
        if not is_bounded(opened):
            raise SoundError(UNREADABLE, SpeechFault.FORMAT)
        duration_s = max(0, opened.frames) / rate
        blocks = resampled(_guarded(mixed_blocks(opened), errors), rate=rate, to=sample_rate)
        # What was streamed does not know its length, and says the most there can be.
        yield SoundFile(0.0 if opened.frames > _MOST_FRAMES else duration_s, blocks)


@contextmanager
def _by_ffmpeg(file: IO[bytes], sample_rate: int) -> Iterator[SoundFile]:
    try:
        import av
    except ImportError as exc:
        raise SoundError(NEEDS_MEDIA, SpeechFault.MEDIA) from exc
    errors: tuple[type[Exception], ...] = (av.FFmpegError, ValueError, EOFError, ArithmeticError)
    try:
        # A file that refers to other files or to addresses (playlists do) may not open them.
        container = av.open(file, options={"protocol_whitelist": "", "enable_drefs": "0"})
    except errors as exc:
        raise SoundError(UNREADABLE, SpeechFault.FORMAT) from exc
    with container:
        if not container.streams.audio:
            raise SoundError(_NO_SOUND, SpeechFault.FORMAT)

        def decoded() -> Iterator[Samples]:
            resampler = av.AudioResampler(format="flt", layout="mono", rate=sample_rate)
            for frame in chain(container.decode(audio=0), (None,)):
                for block in resampler.resample(frame):
                    yield block.to_ndarray().reshape(-1).astype(np.float32)

        yield SoundFile((container.duration or 0) / 1_000_000, _guarded(decoded(), errors))


def _guarded(blocks: Iterator[Samples], errors: tuple[type[Exception], ...]) -> Iterator[Samples]:
    try:
        yield from blocks
    except errors as exc:
        raise SoundError(UNREADABLE, SpeechFault.FORMAT) from exc


def _limited(blocks: Iterator[Samples], sample_rate: int) -> Iterator[Samples]:
    n_read, most = 0, int(MAX_AUDIO_S * sample_rate)
    for block in blocks:
        n_read += len(block)
        if n_read > most:
            raise SoundError(_TOO_LONG, SpeechFault.FORMAT)
        yield np.nan_to_num(block, posinf=0.0, neginf=0.0).clip(-1.0, 1.0)
    if not n_read:
        raise SoundError(_NO_SOUND, SpeechFault.FORMAT)
