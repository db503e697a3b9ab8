"""Someone speaks to the whole program, with microphone and speaker of a real sound system.

Only recogniser and voice are stand-ins: a tone of n hundred hertz is the word “wordn”.
"""

from __future__ import annotations

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from fakes.program import Program, running_program, until
from fakes.pulseaudio import needs_pulseaudio, pactl, pulseaudio, use_real_devices
from fakes.speech import RATE, furnish, tones
from fireside.ui.speech.dictation import DictationState

pytestmark = needs_pulseaudio
SETTINGS = (
    "sampling.max_tokens=12",
    "sampling.temperature=0",
    "load.n_ctx=512",
    "speech.microphone=Monitor of headphones",
    "speech.output=box",
)
RAW = ("--raw", "--format=s16le", f"--rate={RATE}", "--channels=1")
LOUD = 0.1


@contextmanager
def saying(*words: int) -> Iterator[None]:
    """Say words into the microphone."""
    said = tones((0, 0.3), *((word, 0.5) for word in words), (0, 0.3))
    with tempfile.TemporaryFile() as sound:
        sound.write((said * 32_767).astype("<i2").tobytes())
        sound.seek(0)
        with subprocess.Popen(("pacat", "--playback", "--device=headphones", *RAW), stdin=sound):
            yield


@contextmanager
def listening(file: Path) -> Iterator[None]:
    """Record what the speaker plays."""
    with file.open("wb") as record:
        command = ("pacat", "--record", "--device=box.monitor", "--latency-msec=20", *RAW)
        with subprocess.Popen(command, stdout=record) as recorder:
            try:
                yield
            finally:
                recorder.terminate()


def n_open_microphones() -> int:
    return pactl("list", "source-outputs").count('application.name = "Fireside"')


def click(button: QWidget) -> None:
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def test_what_is_said_is_written_and_answered_aloud(
    qapp: QApplication, own_home: Path, starter_model_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert starter_model_path.exists()
    home = own_home / "fireside"
    use_real_devices(furnish(home / "data"))
    with (
        pulseaudio(monkeypatch),
        running_program(qapp, home=home, settings=SETTINGS) as program,
    ):
        heard = own_home / "heard.raw"
        program.run(program.ready)
        program.run(lambda: dictate(program, recordings=home / "data" / "recordings"))
        program.run(lambda: talk(program, heard=heard))
        played = np.frombuffer(heard.read_bytes(), "<i2") / 32_767
        assert np.abs(played).max() > LOUD, "the answer was heard"


async def dictate(program: Program, *, recordings: Path) -> None:
    dictation, composer = program.window.dictation, program.window.chat.composer
    bar = dictation.bar
    assert n_open_microphones() == 0
    click(composer.dictate_button)
    await until(lambda: dictation.state is DictationState.LISTENING)
    assert n_open_microphones() == 1
    loudest = max(bar.meter.levels)
    assert loudest == 0.0

    def is_heard() -> bool:
        nonlocal loudest
        loudest = max(loudest, *bar.meter.levels)
        return bar.words.text() == "word3 word5"

    with saying(3, 5):
        await until(is_heard)
    assert loudest > LOUD
    program.press(Qt.Key.Key_Return)
    await until(lambda: composer.text() == "word3 word5")
    assert not bar.isVisible()

    click(composer.dictate_button)
    await until(lambda: dictation.state is DictationState.LISTENING)
    with saying(7):
        await until(lambda: bar.words.text() == "word7")
    program.press(Qt.Key.Key_Escape)
    await until(lambda: dictation.state is DictationState.IDLE)
    await until(lambda: n_open_microphones() == 0)
    assert composer.text() == "word3 word5"
    # It is deleted once the host has let go of it.
    await until(lambda: not any(recordings.iterdir()))


async def talk(program: Program, *, heard: Path) -> None:
    window = program.window
    window.chat.composer.set_text("")
    with listening(heard):
        click(window.chat.composer.talk_button)
        await until(lambda: window.talk.sheet is not None)
        sheet = window.talk.sheet
        assert sheet is not None
        await until(lambda: sheet.state.text() == "Listening…")
        with saying(4):
            await until(lambda: sheet.state.text() == "Speaking")
        spoken = sheet.words.text()
        await until(lambda: sheet.state.text() == "Listening…")
    question, answer = (entry.text.strip() for entry in window.chat.transcript.entries)
    assert question == "word4"
    assert spoken in answer
    QTest.keyClick(sheet, Qt.Key.Key_Escape)
    await until(lambda: n_open_microphones() == 0)
