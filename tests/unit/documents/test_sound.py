"""Sound files become what models take: one channel at 16 kHz, of bounded length."""

from __future__ import annotations

import io
import math
import sysconfig
import tracemalloc
import wave
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import soundfile

from fireside.core.attachment import MAX_ATTACHED_SECONDS
from fireside.core.message import N_PEAKS, SAMPLE_RATE, AudioPart
from fireside.documents import sound, video
from fireside.documents.extraction import NO_DOCUMENT, read
from fireside.documents.media_signatures import is_container, is_sound
from fireside.documents.messages import ReadReply, ReadRequest

FORMATS = {
    "wav": ("WAV", "PCM_24"),
    "float": ("WAV", "FLOAT"),
    "flac": ("FLAC", "PCM_16"),
    "mp3": ("MP3", "MPEG_LAYER_III"),
    "vorbis": ("OGG", "VORBIS"),
    "opus": ("OGG", "OPUS"),
    "aiff": ("AIFF", "PCM_16"),
}
OF_PYTHON = sorted((Path(sysconfig.get_paths()["stdlib"]) / "test" / "audiodata").glob("*.[wa]*"))
"""Which CPython's own tests read; not every system installs them."""


def tone(seconds: float, *, rate: int, hz: float = 440.0) -> np.ndarray:
    return 0.5 * np.sin(2 * np.pi * hz * np.arange(round(seconds * rate)) / rate)


def sound_file(kind: str, *, seconds: float = 1.0, rate: int = 48_000, n_channels: int = 2) -> bytes:
    container, subtype = FORMATS[kind]
    written = io.BytesIO()
    channels = np.repeat(tone(seconds, rate=rate)[:, None], n_channels, axis=1)
    soundfile.write(written, channels, rate, format=container, subtype=subtype)
    return written.getvalue()


def of(data: bytes) -> ReadReply:
    return read(ReadRequest(name="a", data=data, takes_media=True))


def part_of(data: bytes) -> AudioPart:
    reply = of(data)
    assert isinstance(reply.media, AudioPart), reply.problem
    return reply.media


@pytest.mark.parametrize("kind", FORMATS)
def test_sound_of_each_format_is_one_channel_at_16_khz(kind: str) -> None:
    part = part_of(sound_file(kind))
    with wave.open(io.BytesIO(part.data)) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, SAMPLE_RATE)
        assert file.readframes(SAMPLE_RATE * 9) == part.samples
    assert part.seconds == pytest.approx(1.0, abs=0.06)  # MP3 begins and ends with silence
    assert (part.n_channels, part.sample_rate) == (2, 48_000)
    heard = np.frombuffer(part.samples, "<i2")[2000:14_000] / 32767
    assert np.sqrt(2 * np.mean(heard**2)) == pytest.approx(0.5, rel=0.03)


@pytest.mark.parametrize("rate", [48_000, 24_000, 8_000])
@pytest.mark.parametrize("n_channels", [1, 2])
@pytest.mark.parametrize("before", [b"", b"ID3\x04\0\0\0\0\x02\x01" + bytes(257)], ids=["bare", "tagged"])
def test_an_mp3_of_changing_rates_is_read_to_its_end_though_it_does_not_tell_its_length(
    rate: int, n_channels: int, before: bytes
) -> None:
    """As after a cut, or from a radio: a player takes the first frame, of silence, as what all are like."""
    loud = np.random.default_rng(1).uniform(-0.5, 0.5, (rate * 4, n_channels))
    written = io.BytesIO()
    soundfile.write(written, np.concatenate([0 * loud, loud]), rate, format="MP3", subtype="MPEG_LAYER_III")
    tag_at = written.getvalue()[:64].index(b"Xing")
    without_length = bytearray(written.getvalue())
    without_length[tag_at : tag_at + 120] = bytes(120)
    assert part_of(before + without_length).seconds == pytest.approx(8.0, abs=0.3)
    assert part_of(before + written.getvalue()).seconds == pytest.approx(8.0, abs=0.1)
    assert part_of(before + without_length + b"TAG" + bytes(125)).seconds == pytest.approx(8.0, abs=0.8)


def test_a_flac_that_was_streamed_is_read() -> None:
    data = bytearray(sound_file("flac"))
    data[21] &= 0xF0
    data[22:26] = bytes(4)  # its number of samples
    assert part_of(bytes(data)).seconds == 1.0


@pytest.mark.parametrize("path", OF_PYTHON, ids=lambda path: path.name)
def test_sound_that_others_made_is_read(path: Path) -> None:
    """A plucked string of 3307 frames at 11,025 Hz, in the formats of the standard library's old modules."""
    data = path.read_bytes()
    if is_sound(data[:16]):
        assert part_of(data).seconds == pytest.approx(3307 / 11_025, abs=1e-3)
    else:
        assert of(data).problem  # Sun's format, which no model's user was seen with


@pytest.mark.parametrize("rate", [7919, 48_001, 96_001, 383_999])
def test_an_odd_rate_takes_little_memory_and_keeps_the_length(rate: int) -> None:
    silence = np.zeros(2 * rate, np.float32)
    tracemalloc.start()
    n_samples = sum(map(len, sound.resampled([silence], rate=rate)))
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert most < 60_000_000
    assert n_samples == pytest.approx(2 * SAMPLE_RATE, abs=1)


@pytest.mark.parametrize("rate", [8000, 11_025, 16_000, 22_050, 44_056, 44_100, 48_000, 192_000])
def test_resampled_tone_is_the_tone(rate: int) -> None:
    def blocks(values: np.ndarray) -> Iterator[np.ndarray]:
        yield from np.array_split(values.astype(np.float32), 7)

    new = np.concatenate(list(sound.resampled(blocks(tone(2, rate=rate)), rate=rate)))
    assert len(new) == 2 * SAMPLE_RATE
    inner = slice(1000, -1000)
    noise = (new - tone(2, rate=SAMPLE_RATE))[inner]
    assert 10 * math.log10(np.mean(noise**2) / 0.125) < -70
    if rate > 2 * SAMPLE_RATE:  # what cannot be stored is not heard as something else
        folded = np.concatenate(list(sound.resampled(blocks(tone(2, rate=rate, hz=9300)), rate=rate)))
        assert 10 * math.log10(np.mean(folded[inner] ** 2) / 0.125) < -70


def test_waveform_shows_where_it_is_loud() -> None:
    written = io.BytesIO()
    loud_end = np.concatenate([np.zeros(16_000), tone(1, rate=16_000)])
    soundfile.write(written, loud_end, 16_000, format="WAV")
    peaks = part_of(written.getvalue()).peaks
    assert len(peaks) == N_PEAKS
    assert max(peaks[:59]) == 0
    assert set(peaks[61:]) <= {126, 127}
    assert len(part_of(sound_file("wav", seconds=0.001)).peaks) == N_PEAKS


def test_sound_that_is_too_long_is_refused_before_all_of_it_is_decoded() -> None:
    written = io.BytesIO()
    silence = np.zeros(8000 * (MAX_ATTACHED_SECONDS + 2), np.int16)
    soundfile.write(written, silence, 8000, format="FLAC", subtype="PCM_16")
    assert of(written.getvalue()).problem == sound.TOO_LONG


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e30], ids=str)
def test_float_file_may_hold_anything(value: float) -> None:
    written = io.BytesIO()
    soundfile.write(written, np.full(800, value), 16_000, format="WAV", subtype="FLOAT")
    assert abs(np.frombuffer(part_of(written.getvalue()).samples, "<i2").astype(int)).max() <= 32767


@pytest.mark.parametrize(
    "data", [b"RIFF\x00\x00\x00\x00WAVE", b"fLaC", b"OggS" * 9, b"ID3\x04", b"\xff\xfb\x90\x00"]
)
def test_beginning_of_a_file_is_damaged(data: bytes) -> None:
    assert of(data).problem == sound.DAMAGED_SOUND


def test_sound_is_no_document() -> None:
    assert read(ReadRequest(name="a.wav", data=sound_file("wav"))).problem == NO_DOCUMENT


@pytest.mark.parametrize(
    "text",
    ["\ufeffText".encode("utf-16-le"), b"\xff\xd8\xff\xe0", b"moovies are fun", b"RIFF", b"ID", b"\xff"],
)
def test_texts_and_images_are_no_sound(text: bytes) -> None:
    assert not is_sound(text)
    assert not is_container(text)


def test_video_needs_a_component(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "av", None)
    reply = of(b"\x00\x00\x00\x20ftypisom" + bytes(40))
    assert (reply.problem, reply.needs_component) == (video.NOT_INSTALLED, True)
