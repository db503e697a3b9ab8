"""Microphone and speaker of a real sound system: PulseAudio, whose output is its input, with miniaudio.

It runs where PulseAudio and the component for speech are installed; only recogniser and voice are stand-ins.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest

from fakes.pulseaudio import SINKS, needs_pulseaudio, pactl, pulseaudio, use_real_devices
from fakes.speech import SpeechHarness
from fireside.core.speech import SentenceEnded, SpeechEnded, SpeechFault, SpeechHeard, SpeechReady
from fireside.settings.definitions_speech import MICROPHONE, OUTPUT
from fireside.settings.values import AppLayer

pytestmark = needs_pulseaudio
SAID = "word3 word5 word7 word4"


@pytest.fixture(autouse=True)
def _sound(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with pulseaudio(monkeypatch):
        yield


@pytest.fixture
async def harness(_sound: None, tmp_path: Path) -> AsyncIterator[SpeechHarness]:
    harness = SpeechHarness(tmp_path)
    use_real_devices(harness.component)
    yield harness
    await harness.service.close()


def use(harness: SpeechHarness, *, microphone: str, output: str) -> None:
    for key, value in ((MICROPHONE, microphone), (OUTPUT, output)):
        harness.settings.change(AppLayer(), key=key, value=value)


async def heard_while_speaking(harness: SpeechHarness, text: str) -> str:
    """Return what the microphone hears while a voice says ``text``."""
    service = harness.service
    listening = await service.start_dictation()
    await harness.until(lambda: harness.of(SpeechReady, listening))
    speaking = await service.start_speaking()
    assert "Fireside" in pactl("list", "clients")
    await service.add_text(speaking, text, is_last=True)
    assert await harness.end_of(speaking) == ""
    assert harness.of(SentenceEnded, speaking)
    await service.stop(listening)
    assert await harness.end_of(listening) == ""
    await service.acknowledge(listening)
    return " ".join(event.text for event in harness.of(SpeechHeard, listening) if event.is_final)


async def test_what_is_played_is_what_is_heard(harness: SpeechHarness) -> None:
    assert await heard_while_speaking(harness, SAID) == SAID
    assert "Fireside" not in pactl("list", "clients"), "each device is closed with its connection"


async def test_the_devices_of_the_settings_are_used(harness: SpeechHarness) -> None:
    devices = await harness.service.devices()
    assert sorted(devices.speakers) == sorted(SINKS)
    (monitor,) = (name for name in devices.microphones if "headphones" in name)
    use(harness, microphone=monitor, output="headphones")
    assert await heard_while_speaking(harness, SAID) == SAID
    use(harness, microphone=monitor, output="box")
    assert await heard_while_speaking(harness, SAID) == ""


async def test_a_speaker_that_was_unplugged_is_said(harness: SpeechHarness) -> None:
    use(harness, microphone="", output="gone")
    job = await harness.service.start_speaking()
    await harness.service.add_text(job, "word3", is_last=True)
    assert "No speaker" in await harness.end_of(job)
    assert harness.of(SpeechEnded, job)[0].fault is SpeechFault.SPEAKER
