"""Dictation in the message field."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.scripted_speech import ScriptedSpeech
from fireside.core.errors import DownloadError
from fireside.core.speech import Recording, SpeechFault
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech import dictation as dictation_module
from fireside.ui.speech.dictation import DictationState
from fireside.ui.speech.setup_sheet import SpeechSetupSheet

RECORDING = Recording(name="1.wav", recorded_at_s=0.0, duration_s=42.0)


@pytest.fixture
def speech(client: AppClient) -> ScriptedSpeech:
    return ScriptedSpeech(client)


class Desk:
    """A window in which one dictates."""

    def __init__(self, window: MainWindow, client: AppClient) -> None:
        self.window = window
        self.client = client
        self.settled = settled
        self.dictation = window.dictation
        self.composer = window.chat.composer

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        QTest.keyClick(self.composer.editor, key, modifiers)
        self.settled()

    def click(self, button: QWidget) -> None:
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        self.settled()

    def state(self) -> DictationState:
        return self.dictation.state


@pytest.fixture
def desk(speech: ScriptedSpeech, window: MainWindow, client: AppClient) -> Desk:
    return Desk(window, client)


def test_what_is_said_goes_into_the_field_at_the_cursor(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.composer.set_text("Dear,bye")
    cursor = desk.composer.editor.textCursor()
    cursor.setPosition(4)
    desk.composer.editor.setTextCursor(cursor)
    desk.click(desk.composer.dictate_button)
    assert desk.state() is DictationState.OPENING
    speech.open(0.5, 0.9)
    assert desk.state() is DictationState.LISTENING
    assert desk.dictation.bar.isVisible()
    assert desk.composer.dictate_button.accessibleName() == "Stop dictating"
    assert desk.dictation.bar.meter.levels[-1] > desk.dictation.bar.meter.levels[-2] > 0
    speech.hear("good mor")
    assert desk.dictation.bar.words.text() == "good mor"
    speech.hear("Good morning.", is_final=True)
    speech.hear("How are you?", start_s=3.0)
    assert desk.dictation.bar.words.text() == "Good morning. How are you?"
    desk.press(Qt.Key.Key_Return)
    assert desk.state() is DictationState.FINISHING
    assert desk.client.called("speech.stop") == [(speech.job, False)]
    assert desk.client.called("speech.acknowledge") == []
    speech.end()
    desk.settled()
    assert desk.composer.text() == "Dear Good morning. How are you? ,bye"
    assert desk.client.called("speech.acknowledge") == [(speech.job,)]
    assert not desk.dictation.bar.isVisible()
    assert desk.composer.editor.hasFocus()
    draft = desk.window.chat.draft_id
    assert draft is not None
    assert desk.client.draft(draft) == desk.composer.text(), "it is stored before the recording is deleted"


def test_escape_discards_and_undo_brings_the_words_back(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.press(Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    speech.open()
    speech.hear("Never mind.")
    desk.press(Qt.Key.Key_Escape)
    assert desk.client.called("speech.stop") == [(speech.job, True)]
    speech.end()
    desk.settled()
    assert desk.client.called("speech.acknowledge") == [(speech.job,)]
    assert desk.composer.text() == ""
    assert desk.window.toast.text == "Dictation discarded"
    desk.click(desk.window.toast._button)
    assert desk.composer.text() == "Never mind."


def test_a_button_that_is_held_dictates_until_it_is_let_go(
    desk: Desk, speech: ScriptedSpeech, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dictation_module, "HOLD_S", 0.0)
    QTest.mousePress(desk.composer.dictate_button, Qt.MouseButton.LeftButton)
    desk.settled()
    speech.open()
    assert desk.state() is DictationState.LISTENING
    QTest.mouseRelease(desk.composer.dictate_button, Qt.MouseButton.LeftButton)
    assert desk.state() is DictationState.FINISHING


def test_no_microphone_is_open_out_of_sight(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.click(desk.composer.dictate_button)
    speech.open()
    desk.window.show_page(Page.TOOLS)
    desk.settled()
    assert desk.state() is DictationState.FINISHING
    assert desk.client.called("speech.stop") == [(speech.job, False)]


def test_a_microphone_that_opens_late_is_closed(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.client.hold("speech.start_dictation")
    QTest.mouseClick(desk.composer.dictate_button, Qt.MouseButton.LeftButton)
    desk.client.wait_until(lambda: desk.state() is DictationState.OPENING)
    QTest.keyClick(desk.composer.editor, Qt.Key.Key_Escape)
    desk.client.release("speech.start_dictation")
    desk.settled()
    assert desk.client.called("speech.stop") == [(speech.job, True)]
    speech.end()
    desk.settled()
    assert desk.client.called("speech.acknowledge") == [(speech.job,)]
    assert desk.state() is DictationState.IDLE


def test_a_problem_is_said_with_the_next_steps(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.click(desk.composer.dictate_button)
    speech.end("No microphone was found.", SpeechFault.MICROPHONE)
    desk.settled()
    bar = desk.dictation.bar
    assert (bar.state.text(), bar.accept.text()) == ("No microphone was found.", "Try again")
    assert bar.help.isVisible()
    speech.next_job()
    desk.click(bar.accept)
    assert desk.state() is DictationState.OPENING
    desk.press(Qt.Key.Key_Return)
    speech.end()
    assert bar.state.text() == "No speech was heard."
    desk.click(bar.discard)
    assert not bar.isVisible()


def test_a_kept_recording_is_offered_and_recognised(
    client: AppClient, speech: ScriptedSpeech, show_window: Callable[..., MainWindow]
) -> None:
    speech.status(RECORDING)
    desk = Desk(show_window(), client)
    assert desk.state() is DictationState.OFFERING
    assert "0:42" in desk.dictation.bar.state.text()
    desk.click(desk.dictation.bar.accept)
    assert desk.state() is DictationState.FINISHING
    speech.hear("Kept words.", is_final=True)
    speech.status()
    speech.end()
    settled()
    assert desk.composer.text() == "Kept words."
    assert client.called("speech.acknowledge") == [(speech.job,)]
    assert desk.state() is DictationState.IDLE


def test_failed_recognition_keeps_the_recording_and_offers_it(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.click(desk.composer.dictate_button)
    speech.open()
    speech.hear("Half a")
    speech.status(RECORDING)
    speech.end("Speech stopped unexpectedly.")
    desk.settled()
    assert desk.client.called("speech.acknowledge") == []
    text = desk.dictation.bar.state.text()
    assert text.startswith("Speech stopped unexpectedly. A recording of 0:42")
    desk.click(desk.dictation.bar.discard)
    assert desk.client.called("speech.discard_recording") == [("1.wav",)]


def test_what_is_missing_is_offered_with_its_size_and_licence(
    desk: Desk, speech: ScriptedSpeech, qtbot: QtBot
) -> None:
    speech.set_component(is_installed=False)
    desk.client.fail("speech.start_dictation", DownloadError.of("component_missing", name="Speech"))
    desk.click(desk.composer.dictate_button)
    sheet = desk.window.findChild(SpeechSetupSheet)
    assert sheet is not None
    assert sheet.windowTitle() == "Speech needs 2 downloads"
    component, model = sheet.list.rows.values()
    assert "38.0 MB" in component.facts.text()
    assert model.facts.text() == "en, de, fr, es…  ·  161 MB  ·  MIT"
    desk.client.reply("components.install", None)
    desk.client.reply("speech_models.download", "1")
    desk.client.hold("components.install")
    QTest.mouseClick(sheet.start, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: component.bar.isVisible() and not sheet.start.isEnabled())
    qtbot.waitUntil(lambda: desk.client.called("speech_models.download") == [("ears/small",)])
    QTest.mouseClick(component.cancel, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: component.bar.isHidden())
    desk.client.release("components.install")
    sheet.reject()
