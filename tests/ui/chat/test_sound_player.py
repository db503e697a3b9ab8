"""Attached sound is played: by mouse, keys and screen readers, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from typing import Any, cast

import pytest
from PySide6.QtCore import QObject, QPoint, Qt, Signal
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.sounds import sound
from fireside.bridge.client import EngineClient
from fireside.core.errors import DownloadError, FiresideError, RequestError
from fireside.core.events import AppEvent
from fireside.core.speech import SoundPlayed, SpeechEnded
from fireside.ui.chat.composer.attachment_chip import AttachmentChip, facts_of_part
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.sound_player import SoundPlayer, use_sound_player
from fireside.ui.tasks import TaskRunner
from fireside.ui.widgets.waveform import Waveform

MEMO = sound(seconds=60.0)


class Speaker(QObject):
    """A client with a speech service that plays nothing; each play waits until it is released."""

    frame = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.speech = self
        self.calls: list[tuple[Any, ...]] = []
        self.error: FiresideError | None = None
        self.may_begin = asyncio.Event()
        self.may_begin.set()
        self._n_jobs = 0

    async def play(self, data: bytes) -> int:
        if self.error is not None:
            raise self.error
        self._n_jobs = job = self._n_jobs + 1
        self.calls.append(("play", job, len(data)))
        await self.may_begin.wait()
        return job

    async def control(self, job: int, **changes: object) -> None:
        self.calls.append(
            ("control", job, {name: value for name, value in changes.items() if value is not None})
        )

    async def stop(self, job: int) -> None:
        self.calls.append(("stop", job))

    def reports(self, *events: AppEvent) -> None:
        self.frame.emit(events)


@pytest.fixture
def speaker(loop: asyncio.AbstractEventLoop) -> Speaker:
    return Speaker()


@pytest.fixture
def errors() -> list[FiresideError]:
    return []


@pytest.fixture
def tasks(loop: asyncio.AbstractEventLoop, errors: list[FiresideError]) -> TaskRunner:
    return TaskRunner(loop, on_error=errors.append)


@pytest.fixture
def set_ups() -> list[Callable[[], None]]:
    """What plays once the component is there, for each offer to download it."""
    return []


@pytest.fixture
def player(
    speaker: Speaker,
    tasks: TaskRunner,
    errors: list[FiresideError],
    set_ups: list[Callable[[], None]],
) -> Iterator[SoundPlayer]:
    player = SoundPlayer(
        cast("EngineClient", speaker), tasks=tasks, on_error=errors.append, set_up=set_ups.append
    )
    use_sound_player(player)
    yield player
    use_sound_player(None)


@pytest.fixture
def window(qtbot: QtBot) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    return window


@pytest.fixture
def chip(window: QWidget, player: SoundPlayer) -> AttachmentChip:
    chip = AttachmentChip(facts_of_part(MEMO, "Audio · 1:00"), can_remove=False, parent=window)
    window.resize(chip.size())
    window.show()
    return chip


def controls(chip: AttachmentChip) -> tuple[QWidget, Waveform]:
    assert chip.controls is not None
    assert chip.controls.button is not None
    return chip.controls.button, chip.controls.waveform


def line(chip: AttachmentChip) -> str:
    return chip.line.text()


def settle(qtbot: QtBot, tasks: TaskRunner) -> None:
    qtbot.waitUntil(lambda: tasks.n_running == 0)


def test_a_sound_is_played_paused_and_ends(
    qtbot: QtBot, chip: AttachmentChip, speaker: Speaker, tasks: TaskRunner
) -> None:
    button, waveform = controls(chip)
    assert button.accessibleName() == "Play memo.wav"
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, tasks)
    assert speaker.calls == [("play", 1, len(MEMO.data))]
    assert button.accessibleName() == "Pause memo.wav"
    speaker.reports(SoundPlayed(job=1, position_s=12.4, duration_s=60.0))
    assert line(chip) == "Audio · 0:12 / 1:00"
    assert waveform.value() == 12
    QTest.keyClick(button, Qt.Key.Key_Space)
    settle(qtbot, tasks)
    assert speaker.calls[1:] == [("control", 1, {"is_paused": True})]
    assert button.accessibleName() == "Play memo.wav"
    assert line(chip) == "Audio · 0:12 / 1:00", "it goes on from there"
    speaker.reports(SpeechEnded(job=1))
    assert line(chip) == "Audio · 1:00"
    assert waveform.value() == 0


def test_keys_and_clicks_on_the_waveform_move_within_the_sound(
    qtbot: QtBot, chip: AttachmentChip, speaker: Speaker, tasks: TaskRunner
) -> None:
    _, waveform = controls(chip)
    QTest.keyClick(waveform, Qt.Key.Key_Space)
    settle(qtbot, tasks)
    speaker.reports(SoundPlayed(job=1, position_s=20.0, duration_s=60.0))
    speaker.calls.clear()
    QTest.keyClick(waveform, Qt.Key.Key_Right)
    settle(qtbot, tasks)
    middle = QPoint(waveform.width() // 2, waveform.height() // 2)
    QTest.mouseClick(waveform, Qt.MouseButton.LeftButton, pos=middle)
    settle(qtbot, tasks)
    (_, _, by_key), (_, _, by_click) = speaker.calls
    assert by_key == {"position_s": 25.0}
    assert by_click["position_s"] == pytest.approx(30.0, abs=0.5)


def test_a_click_on_the_waveform_begins_there(
    qtbot: QtBot, chip: AttachmentChip, speaker: Speaker, tasks: TaskRunner
) -> None:
    _, waveform = controls(chip)
    QTest.keyClick(waveform, Qt.Key.Key_End)
    settle(qtbot, tasks)
    assert [call[0] for call in speaker.calls] == ["play", "control"]
    assert speaker.calls[1][2]["position_s"] == 60.0


def test_only_what_was_asked_for_last_is_heard(
    qtbot: QtBot, player: SoundPlayer, speaker: Speaker, tasks: TaskRunner
) -> None:
    other = sound("other.wav", seconds=1.0)
    player.toggle(other)
    settle(qtbot, tasks)
    speaker.may_begin.clear()
    for each in (MEMO, other, MEMO):
        player.toggle(each)
    qtbot.waitUntil(lambda: len(speaker.calls) == 5)
    assert player.position_of(other) is None
    speaker.may_begin.set()
    settle(qtbot, tasks)
    assert [call[1] for call in speaker.calls if call[0] == "stop"] == [1, 2, 3]
    player.stop()
    settle(qtbot, tasks)
    assert speaker.calls[-1] == ("stop", 4)
    assert player.position_of(MEMO) is None


def test_what_cannot_be_played_is_told(
    qtbot: QtBot,
    chip: AttachmentChip,
    speaker: Speaker,
    tasks: TaskRunner,
    errors: list[FiresideError],
) -> None:
    button, _ = controls(chip)
    speaker.error = RequestError.of("speech_failed", reason="there are no loudspeakers.")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, tasks)
    assert button.accessibleName() == "Play memo.wav"
    speaker.error = None
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, tasks)
    speaker.reports(SpeechEnded(job=1, problem="the loudspeakers are gone."))
    assert button.accessibleName() == "Play memo.wav"
    assert ["loudspeakers" in error.sentence() for error in errors] == [True, True]


def test_the_sheet_follows_what_the_message_plays(
    qtbot: QtBot, chip: AttachmentChip, speaker: Speaker, tasks: TaskRunner
) -> None:
    sheet = AttachmentSheet(MEMO, parent=chip)
    qtbot.addWidget(sheet)
    button, _ = controls(chip)
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, tasks)
    speaker.reports(SoundPlayed(job=1, position_s=30.0, duration_s=60.0))
    (waveform,) = sheet.findChildren(Waveform)
    assert waveform.value() == 30
    assert [stop.accessibleName() for stop in chip.tab_stops] == [
        "memo.wav, Audio · 1 minute",
        "Pause memo.wav",
        "Position in memo.wav, in seconds",
    ]


def test_without_the_component_its_download_is_offered_and_then_the_sound_plays(
    qtbot: QtBot,
    chip: AttachmentChip,
    speaker: Speaker,
    tasks: TaskRunner,
    errors: list[FiresideError],
    set_ups: list[Callable[[], None]],
) -> None:
    button, _ = controls(chip)
    speaker.error = DownloadError.of("component_missing", name="Speech")
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)
    settle(qtbot, tasks)
    assert errors == []
    assert button.accessibleName() == "Play memo.wav"
    [play] = set_ups
    speaker.error = None
    play()
    settle(qtbot, tasks)
    assert speaker.calls == [("play", 1, len(MEMO.data))]
