"""Audio and videos in the composer and in messages: chips, what a model takes, sheets, saving."""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QLabel
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fakes.model_entries import STARTER_ID, loaded_state, starter_spec
from fakes.sounds import sound, video
from fakes.widgets import child
from fakes.window import shown_pane
from fireside.core.attachment import clock_time
from fireside.core.errors import NextStep
from fireside.core.ids import DraftId
from fireside.core.message import AttachedPart, AudioPart
from fireside.core.model import ModelEntry
from fireside.core.status import ModelStatus
from fireside.ui.chat.answer.question import QuestionView
from fireside.ui.chat.composer.attachment_sheet import AttachmentSheet
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.kit.fact_grid import FactGrid
from fireside.ui.tasks import TaskRunner
from fireside.ui.theme import theme
from fireside.ui.widgets.waveform import Waveform


@pytest.fixture
def client(loop: asyncio.AbstractEventLoop) -> AppClient:
    client = AppClient()
    client.set_state(STARTER_ID, loaded_state(starter_spec()))
    return client


@pytest.fixture
def tasks(loop: asyncio.AbstractEventLoop) -> TaskRunner:
    def failing(error: BaseException) -> None:
        raise error

    return TaskRunner(loop, on_error=failing)


@pytest.fixture
def pane(qtbot: QtBot, tasks: TaskRunner, client: AppClient) -> ChatPane:
    pane = shown_pane(client, tasks=tasks, qtbot=qtbot)
    pane.open_new(draft="", draft_id=DraftId("new"))
    use(pane, client.entries[0], sees=False, hears=False)
    return pane


def use(pane: ChatPane, entry: ModelEntry, *, sees: bool, hears: bool) -> None:
    """Have a model answer whose projector sees and hears, or that has none."""
    assert entry.spec is not None
    path = "/models/mmproj.gguf" if sees or hears else None
    spec = msgspec.structs.replace(
        entry.spec, projector_path=path, projector_sees=sees, projector_hears=hears
    )
    entry = msgspec.structs.replace(entry, spec=spec)
    pane.set_model(entry, ModelStatus(model_id=STARTER_ID, state=loaded_state(spec)))


def attach(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, *parts: AttachedPart) -> None:
    pane.attachments.restore(parts)
    qtbot.waitUntil(lambda: tasks.n_running == 0)


def lines(pane: ChatPane) -> list[str]:
    return [chip.facts.line for chip in pane.composer.tray.chips]


def sent(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient, part: AttachedPart
) -> QuestionView:
    """Send a file without a text and return its message."""
    client.set_models(
        [
            msgspec.structs.replace(
                entry,
                spec=msgspec.structs.replace(
                    entry.spec, projector_path="/m/mmproj.gguf", projector_hears=True
                ),
            )
            for entry in client.entries
            if entry.spec is not None
        ]
    )
    use(pane, client.entries[0], sees=True, hears=True)
    attach(qtbot, pane, tasks, part)
    QTest.keyClick(pane.composer.editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: tasks.n_running == 0 and pane.transcript.findChild(QuestionView) is not None)
    return child(pane.transcript, QuestionView)


# What a model takes


def test_sound_waits_for_a_model_that_hears(qtbot: QtBot, pane: ChatPane, tasks: TaskRunner) -> None:
    attach(qtbot, pane, tasks, sound())
    assert lines(pane) == ["No audio support"]
    assert "does not support audio" in pane.composer.reason_not_to_send()
    assert pane.attachments.wanted_ability == "Audio"
    with qtbot.waitSignal(pane.step_requested) as caught:
        QTest.mouseClick(pane.composer.model_button, Qt.MouseButton.LeftButton)
    assert caught.args == [NextStep.CHOOSE_MODEL]
    assert pane.model is not None
    use(pane, pane.model, sees=False, hears=True)
    qtbot.waitUntil(lambda: "tokens" in lines(pane)[0])
    assert lines(pane)[0].startswith("Audio · 0:07 · 1.2 MB · ")
    assert pane.composer.reason_not_to_send() == ""
    assert pane.attachments.wanted_ability == ""
    assert not pane.composer.model_button.isVisible()


def test_a_video_needs_a_model_that_sees_and_says_that_its_sound_is_left_out(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner
) -> None:
    attach(qtbot, pane, tasks, video(track=sound()), video("silent.mp4"))
    assert lines(pane) == ["No video support"] * 2
    assert pane.attachments.wanted_ability == "Vision"
    assert pane.model is not None
    use(pane, pane.model, sees=True, hears=False)
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    with_sound, silent = pane.composer.tray.chips
    assert "without its sound" in with_sound.facts.line
    assert silent.facts.line.startswith("Video · 0:12 · ")
    assert "without its sound" not in silent.facts.line
    assert pane.composer.reason_not_to_send() == ""


# Chips and sheets


def test_a_message_shows_the_waveform_and_tells_a_screen_reader_the_duration(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    view = sent(qtbot, pane, tasks, client, sound(seconds=62.0))
    chip = view.tab_stops[0]
    assert chip.accessibleName() == "memo.wav, Audio · 1 minute 2 seconds"
    assert "memo.wav" in view.accessibleDescription()
    assert child(chip, Waveform).isVisible()
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Return)
    sheet = child(pane.window(), AttachmentSheet)
    assert child(sheet, FactGrid).facts == {
        "Duration": "1:02",
        "Size": "1.2 MB",
        "Sample rate": "44.1 kHz",
        "Channels": "2",
    }
    sheet.reject()


def test_a_video_shows_its_images_with_their_times(qtbot: QtBot, pane: ChatPane) -> None:
    sheet = AttachmentSheet(video(track=sound()), parent=pane)
    qtbot.addWidget(sheet)
    labels = sheet.findChildren(QLabel)
    assert sum(not label.pixmap().isNull() for label in labels) == 12
    assert [label.text() for label in labels if label.text().startswith("0:")] == [
        *(f"0:{n:02}" for n in range(12)),
        "0:12",
    ]
    assert sheet.findChild(Waveform) is not None


def test_a_sound_is_saved_where_the_user_says(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient, tmp_path: Path
) -> None:
    part = sound("Ada.m4a")
    view = sent(qtbot, pane, tasks, client, part)
    save = next(stop for stop in view.tab_stops if stop.accessibleName() == "Save Ada.m4a as…")
    QTest.mouseClick(save, Qt.MouseButton.LeftButton)
    dialog = child(pane, QFileDialog)
    assert Path(dialog.selectedFiles()[0]).name == "Ada.wav"
    target = tmp_path / "copy.wav"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert target.read_bytes() == part.data


def test_a_folder_that_is_gone_is_told(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    dialog = pane.attachments.save(sound())
    dialog.fileSelected.emit(str(tmp_path / "file" / "copy.wav"))
    dialog.reject()
    qtbot.waitUntil(lambda: tasks.n_running == 0)
    assert "copy.wav failed" in pane.notices.displayed_text


def test_a_removed_sound_is_gone_from_the_edited_message_alone(
    qtbot: QtBot, pane: ChatPane, tasks: TaskRunner, client: AppClient
) -> None:
    view = sent(qtbot, pane, tasks, client, sound())
    pane.transcript.editor.begin_last()
    assert not any(stop.accessibleName().startswith("Save memo") for stop in view.tab_stops)
    remove = next(stop for stop in view.tab_stops if stop.accessibleName() == "Remove memo.wav")
    QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert view.accessibleDescription().count("memo.wav") == 0
    [kept] = pane.transcript.entries[0].message.message.attached
    assert isinstance(kept, AudioPart)


def test_a_waveform_is_as_high_as_it_is_loud(qtbot: QtBot) -> None:
    wave = Waveform(sound().peaks, seconds=7.0)
    qtbot.addWidget(wave)
    wave.resize(200, 40)
    image = wave.grab().toImage()
    background = image.pixelColor(199, 0)

    def n_painted(x_range: range) -> int:
        return sum(image.pixelColor(x, y) != background for x in x_range for y in range(40))

    loud, quiet = n_painted(range(100)), n_painted(range(110, 200))
    assert loud > 8 * quiet > 0


def test_a_waveform_follows_the_scale_of_the_text(qtbot: QtBot) -> None:
    wave = Waveform(b"", seconds=7.0)  # an imported sound that was not measured
    qtbot.addWidget(wave)
    height = wave.sizeHint().height()
    theme().set_text_size(28)
    assert wave.sizeHint().height() == 2 * height
    theme().set_text_size(14)
    wave.grab()


@pytest.mark.parametrize(
    ("seconds", "text"), [(0.4, "0:00"), (7, "0:07"), (59.6, "1:00"), (3_725, "1:02:05")]
)
def test_a_duration_is_written_as_players_do(seconds: float, text: str) -> None:
    assert clock_time(seconds) == text
