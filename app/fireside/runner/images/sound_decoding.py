"""Read the stored form of sound: samples of bounded number."""

from __future__ import annotations

import io
import wave
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt

from fireside.core.attachment import MAX_ATTACHED_SECONDS
from fireside.core.errors import RequestError
from fireside.core.i18n import Phrase, tr_noop
from fireside.core.message import SAMPLE_RATE
from fireside.gguf.projector_facts import MIN_SECONDS

Samples = npt.NDArray[np.float32]
_FULL_SCALE: Final = 32768


class DecodedSound(msgspec.Struct, frozen=True, kw_only=True, eq=False):
    """One channel at ``SAMPLE_RATE``, from -1 to 1."""

    samples: Samples


def decode_sound(data: bytes, *, number: int) -> DecodedSound:
    """Return the sound in the WAV file of an ``AudioPart``.

    Args:
        number: number of the sound in the request, from 1, for error messages.

    Raises:
        invalid_audio: it is another format, damaged, empty or too long.
    """
    try:
        with wave.open(io.BytesIO(data)) as file:
            if (file.getnchannels(), file.getsampwidth(), file.getframerate()) != (1, 2, SAMPLE_RATE):
                raise RequestError.of(
                    "invalid_audio",
                    number=number,
                    reason=tr_noop("it is not a WAV file of one channel at 16 kHz."),
                )
            encoded = file.readframes(MAX_ATTACHED_SECONDS * SAMPLE_RATE + 1)
    except (wave.Error, EOFError, ValueError, OSError, MemoryError) as exc:
        raise RequestError.of("invalid_audio", number=number, reason=tr_noop("it is damaged.")) from exc
    samples = np.frombuffer(encoded[: len(encoded) // 2 * 2], "<i2").astype(np.float32) / _FULL_SCALE
    if not len(samples):
        raise RequestError.of("invalid_audio", number=number, reason=tr_noop("it is empty."))
    if len(samples) > MAX_ATTACHED_SECONDS * SAMPLE_RATE:
        minutes = MAX_ATTACHED_SECONDS // 60
        raise RequestError.of(
            "invalid_audio",
            number=number,
            reason=Phrase(tr_noop("it is longer than {n} minutes."), {"n": minutes}),
        )
    n_missing = max(0, round(MIN_SECONDS * SAMPLE_RATE) - len(samples))
    return DecodedSound(samples=np.pad(samples, (0, n_missing)))
