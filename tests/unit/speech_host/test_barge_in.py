"""Who speaks silences the voice within 200 ms, by the clock of the samples."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from fakes.speech import LIBRARIES, RATE, tones
from fireside.core.speech import SpeechHeard, VoiceHeard
from fireside.speech_host.devices import Player
from fireside.speech_host.recognition import Listener, Recognizer
from fireside.speech_host.speech_messages import ModelFiles, SpeechFormat

BUFFER = 640
"""Samples that a device takes at once: 40 ms."""


@pytest.fixture
def listener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Listener]:
    monkeypatch.syspath_prepend(LIBRARIES)
    (tmp_path / "encoder").touch()
    files = {"encoder": str(tmp_path / "encoder"), "decoder": "", "tokens": ""}
    recognizer = Recognizer(ModelFiles(format=SpeechFormat.WHISPER, files=files), language="")
    yield Listener(1, recognizer, vad="", has_partials=False)
    del sys.modules["sherpa_onnx"]


def test_a_voice_is_silent_within_200_ms(listener: Listener) -> None:
    player = Player(RATE, on_mark=lambda _: None)
    player.feed(tones((9, 5.0)))
    spoken = tones((0, 1.0), (3, 1.0), (0, 1.0))
    last_sound, heard = 0, list[str]()
    for first in range(0, len(spoken), BUFFER):
        for found in listener.hear(spoken[first : first + BUFFER]):
            if isinstance(found, VoiceHeard):
                player.stop()
            elif isinstance(found, SpeechHeard):
                heard.append(found.text)
        if np.abs(player.take(BUFFER)).max() > 0.01:
            last_sound = first + BUFFER
    assert RATE < last_sound <= RATE * 1.2
    assert heard == ["word3"], "and nothing of what was said is lost"


def test_a_click_silences_nothing(listener: Listener) -> None:
    click = tones((0, 0.512), (3, 0.01), (0, 1.0))
    assert list(listener.hear(click)) == []
    assert list(listener.finish()) == []
