"""Damaged sounds and videos are read or refused, in a process that never takes the program down.

Videos need PyAV, in the folder that ``FIRESIDE_MEDIA`` names, as the component "Media formats" has it.
"""

from __future__ import annotations

import io
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
import pytest

from fakes.children import child_environment, file_reading
from fireside.chat.attachments import FileReadingProcess
from fireside.core.message import AudioPart, VideoPart
from fireside.documents.messages import MEDIA_VARIABLE, ReadRequest, reading_command
from unit.documents.test_sound import FORMATS, sound_file

N_MUTANTS = 5
MEDIA_FOLDER = os.environ.get(MEDIA_VARIABLE, "")
VIDEOS = {"mp4": ("mpeg4", "aac"), "webm": ("libvpx", "libopus"), "matroska": ("mpeg4", "flac")}
"""Codecs by container."""
NUMBERS = (bytes(4), b"\xff" * 4, b"\x7f\xff\xff\xff", b"\xff\xff\xff\x7f")
_HEAD = 200
"""Bytes, where most of what a format declares is."""


def mutant_of(content: bytes, number: int) -> bytes:
    """Return the mutant of this number: bits flipped, bytes replaced, pieces cut out, doubled or cut off."""
    chance = random.Random(number)
    mutant = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(8, _HEAD if chance.random() < 0.6 else len(mutant))
        match chance.randrange(5):
            case 0:
                mutant[at] ^= 1 << chance.randrange(8)
            case 1:
                mutant[at : at + 4] = chance.choice(NUMBERS)
            case 2:
                del mutant[at : at + chance.randrange(1, 40)]
            case 3:
                mutant[at:at] = mutant[at : at + 60]
            case _:
                mutant[at : at + 8] = chance.randbytes(8)
        if len(mutant) < 2 * _HEAD:
            break
    return bytes(mutant[: chance.randrange(100, len(mutant))] if chance.random() < 0.2 else mutant)


@pytest.mark.parametrize("kind", FORMATS)
def test_mutants_are_read_or_refused(kind: str, abuse_scale: int) -> None:
    content = sound_file(kind, seconds=0.4)
    mutants = [mutant_of(content, number) for number in range(N_MUTANTS * abuse_scale)]
    read_or_refused(file_reading(), mutants)


def read_or_refused(reading: FileReadingProcess, files: Sequence[bytes]) -> Counter[str]:
    """Return how many ``files`` were read, and how many refused with a sentence."""
    counts: Counter[str] = Counter()
    for reply in reading([ReadRequest(name="a", data=each, takes_media=True) for each in files]):
        assert not reply.is_temporary
        counts["read" if isinstance(reply.media, AudioPart | VideoPart) else "refused"] += 1
        assert reply.media is not None or reply.problem
    assert sum(counts.values()) == len(files)
    return counts


@pytest.mark.skipif(not MEDIA_FOLDER, reason=f"needs PyAV in the folder {MEDIA_VARIABLE}")
@pytest.mark.parametrize("container", VIDEOS)
def test_mutants_of_videos_are_read_or_refused(container: str, abuse_scale: int) -> None:
    content = video_file(container)
    environment = {**child_environment(), MEDIA_VARIABLE: MEDIA_FOLDER}
    reading = FileReadingProcess(command=reading_command(), environment=environment)
    assert read_or_refused(reading, [content])["read"] == 1
    read_or_refused(reading, [mutant_of(content, number) for number in range(N_MUTANTS * abuse_scale)])


def video_file(container: str) -> bytes:
    """Return a second of moving stripes with a tone."""
    sys.path.append(MEDIA_FOLDER)
    import av

    picture_codec, sound_codec = VIDEOS[container]
    written = io.BytesIO()
    with av.open(written, "w", format=container) as file:
        pictures = file.add_stream(picture_codec, rate=10, width=64, height=48, pix_fmt="yuv420p")
        sounds = file.add_stream(sound_codec, rate=48_000, layout="mono")
        for number in range(10):
            stripes = np.roll(np.tile(np.arange(64, dtype=np.uint8) * 4, (48, 1)), number, axis=1)
            frame = av.VideoFrame.from_ndarray(np.dstack([stripes] * 3), format="rgb24")
            frame.pts = number
            file.mux(pictures.encode(frame))
        tone = (np.sin(np.arange(48_000) / 17) * 8000).astype(np.int16).reshape(1, -1)
        block = av.AudioFrame.from_ndarray(tone, format="s16", layout="mono")
        block.sample_rate, block.pts = 48_000, 0
        for frame in av.AudioResampler(format=sounds.format, layout="mono", rate=48_000).resample(block):
            file.mux(sounds.encode(frame))
        file.mux(sounds.encode(None))
        file.mux(pictures.encode(None))
    return written.getvalue()
