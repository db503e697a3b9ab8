"""Microphone and speaker of a real sound system: PulseAudio, whose output is its input, with miniaudio.

It runs where PulseAudio and the component for speech are installed; only recogniser and voice are stand-ins.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from fakes.component_index import component_store
from fakes.speech import SpeechHarness
from fireside.core.speech import SentenceEnded, SpeechEnded, SpeechFault, SpeechHeard, SpeechReady
from fireside.settings.definitions_speech import MICROPHONE, OUTPUT
from fireside.settings.paths import locate
from fireside.settings.values import AppLayer

PULSEAUDIO, PACTL = shutil.which("pulseaudio"), shutil.which("pactl")
COMPONENT = component_store(locate(os.environ).data_folder).folder_of("speech")
"""Of the user: found before each test has a home of its own."""

pytestmark = pytest.mark.skipif(
    None in (PULSEAUDIO, PACTL, COMPONENT), reason="PulseAudio or the component for speech is not installed"
)
SINKS = ("box", "headphones")
SAID = "word3 word5 word7 word4"


async def pactl(*arguments: str) -> str:
    assert PACTL is not None
    process = await asyncio.create_subprocess_exec(
        PACTL, *arguments, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    output, _ = await process.communicate()
    return output.decode()


@pytest.fixture
async def pulseaudio(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[None]:
    """A server with two speakers that play to nobody; what either plays is a microphone."""
    assert PULSEAUDIO is not None
    socket = Path(os.environ["XDG_RUNTIME_DIR"]) / "pulse.sock"
    modules = [f"module-native-protocol-unix socket={socket}"]
    modules += [
        f"module-null-sink sink_name={name} sink_properties=device.description={name}" for name in SINKS
    ]
    loads = (word for module in modules for word in ("-L", module))
    options = ("-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no")
    server = await asyncio.create_subprocess_exec(PULSEAUDIO, *options, *loads, stderr=subprocess.DEVNULL)
    monkeypatch.setenv("PULSE_SERVER", f"unix:{socket}")
    while len((await pactl("list", "short", "sinks")).splitlines()) < len(SINKS):
        assert server.returncode is None, "it ended by itself"
    yield
    server.terminate()
    await server.wait()


@pytest.fixture
async def harness(pulseaudio: None, tmp_path: Path) -> AsyncIterator[SpeechHarness]:
    harness = SpeechHarness(tmp_path)
    assert COMPONENT is not None
    for path in COMPONENT.glob("*miniaudio.*"):  # and its native half
        shutil.copy(path, harness.component)
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
    assert "Fireside" in await pactl("list", "clients")
    await service.add_text(speaking, text, is_last=True)
    assert await harness.end_of(speaking) == ""
    assert harness.of(SentenceEnded, speaking)
    await service.stop(listening)
    assert await harness.end_of(listening) == ""
    await service.acknowledge(listening)
    return " ".join(event.text for event in harness.of(SpeechHeard, listening) if event.is_final)


async def test_what_is_played_is_what_is_heard(harness: SpeechHarness) -> None:
    assert await heard_while_speaking(harness, SAID) == SAID
    assert "Fireside" not in await pactl("list", "clients"), "each device is closed with its connection"


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
