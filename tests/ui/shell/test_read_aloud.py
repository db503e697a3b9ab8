"""Reading answers aloud."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from fakes.client import AppClient, settled
from fakes.scripted_speech import ScriptedSpeech
from fireside.core.errors import RequestError
from fireside.core.generation import OutputKind
from fireside.settings.definitions_speech import SPEED, SYSTEM_VOICE, VOICE
from fireside.settings.values import AppLayer
from fireside.settings.window_state import WindowState
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.commands import Command
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech.setup_sheet import SpeechSetupSheet
from fireside.ui.speech.system_voice import ProgramSpeaker, VoiceProgram, make_speaker

READS = "import sys, pathlib; pathlib.Path(sys.argv[1]).write_bytes(sys.stdin.buffer.read())"
NEVER_ENDS = "import sys; sys.stdin.read(); import threading; threading.Event().wait()"


def voice(code: str, *arguments: str) -> VoiceProgram:
    return VoiceProgram(program=sys.executable, arguments=("-c", code, *arguments))


def test_the_text_goes_to_standard_input_and_to_no_process_list(qtbot: QtBot, tmp_path: Path) -> None:
    heard = tmp_path / "heard"
    speaker = ProgramSpeaker(voice(READS, str(heard)))
    speaker.speak("Grüße, -rf $(x)\n„Brot“")
    qtbot.waitUntil(lambda: not speaker.is_speaking)
    assert heard.read_text("utf-8") == "Grüße, -rf $(x)\n„Brot“"
    speaker.stop()


def test_a_voice_that_continues_is_cancelled(qtbot: QtBot) -> None:
    speaker = ProgramSpeaker(voice(NEVER_ENDS))
    speaker.speak("x")
    qtbot.waitUntil(lambda: speaker.is_speaking)
    speaker.stop()
    assert not speaker.is_speaking


def test_without_a_voice_there_is_no_speaker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(QStandardPaths, "findExecutable", staticmethod(lambda _name: ""))
    assert [make_speaker(platform=platform) for platform in ("linux", "darwin", "win32", "sunos")] == [
        None
    ] * 4


@pytest.mark.parametrize(
    ("platform", "program"), [("linux", "spd-say"), ("darwin", "say"), ("win32", "powershell.exe")]
)
def test_each_system_has_its_voice_program(
    monkeypatch: pytest.MonkeyPatch, platform: str, program: str
) -> None:
    looked: list[str] = []

    def find(name: str) -> str:
        looked.append(name)
        return f"/bin/{name}"

    monkeypatch.setattr(QStandardPaths, "findExecutable", staticmethod(find))
    assert isinstance(make_speaker(platform=platform), ProgramSpeaker)
    assert looked == [program]


class SpeakerLog(QObject):
    def __init__(self) -> None:
        super().__init__()
        self.spoken: list[str] = []
        self.is_speaking = False

    def speak(self, text: str) -> None:
        self.spoken.append(text)
        self.is_speaking = True

    def stop(self) -> None:
        self.is_speaking = False


def menu_lines(transcript: Transcript) -> dict[str, QAction]:
    """Return the entries of the answer's menu, by label."""
    view = transcript.live[1]
    at = view.mapToGlobal(view.rect().center())
    return {action.text(): action for action in transcript.menu.build(at).findChildren(QAction)}


@pytest.fixture
def speech(client: AppClient) -> ScriptedSpeech:
    return ScriptedSpeech(client)


def open_chat(client: AppClient, show_window: Callable[..., MainWindow], answer: str) -> MainWindow:
    chat = client.add_conversation("Bread", turns=("Why?", answer))
    window = show_window(state=WindowState(last_conversation=chat))
    window.read_aloud._system = None
    return window


def marked(window: MainWindow) -> list[str]:
    """Return what is marked in the answer."""
    views = window.chat.transcript.live[1].text_views
    return [each.cursor.selectedText() for view in views for each in view.extraSelections()]


def test_the_system_reads_where_there_is_no_other_voice_or_it_is_chosen(
    client: AppClient, show_window: Callable[..., MainWindow]
) -> None:
    window = open_chat(client, show_window, "Because **rye**.")
    transcript = window.chat.transcript
    speaker = SpeakerLog()
    window.read_aloud._system = speaker
    menu_lines(transcript)["Read aloud"].trigger()
    settled()
    assert speaker.spoken == ["Because rye."]
    menu_lines(transcript)["Stop reading aloud"].trigger()
    assert not speaker.is_speaking
    client.layers[AppLayer()] = {VOICE: SYSTEM_VOICE}
    window.context.settings.read()
    settled()
    ScriptedSpeech(client)
    menu_lines(transcript)["Read aloud"].trigger()
    settled()
    assert len(speaker.spoken) == 2
    assert client.called("speech.start_speaking") == []


def test_an_answer_is_read_with_the_spoken_sentence_marked(
    client: AppClient, speech: ScriptedSpeech, show_window: Callable[..., MainWindow]
) -> None:
    window = open_chat(client, show_window, "It is **rye**. Yes.\n\n- It is rye.\n- Yes.\n")
    menu_lines(window.chat.transcript)["Read aloud"].trigger()
    settled()
    bar = window.read_aloud.bar
    assert bar.isVisible()
    assert client.called("speech.add_text") == [
        (speech.job, "It is **rye**. Yes.\n\n- It is rye.\n- Yes.\n", True)
    ]
    seen = []
    for sentence in ("It is rye.", "Yes.", "It is rye.", ""):
        speech.speak(sentence)
        seen.append((bar.state.text(), marked(window)))
    assert seen == [
        ("It is rye.", ["It is rye."]),
        ("Yes.", ["Yes."]),
        ("It is rye.", ["It is rye."]),
        ("Reading aloud", []),
    ]
    assert window.chat.transcript.spoken._from[1] > len("It is rye. Yes."), (
        "the second one is that of the list"
    )
    bar.pause.click()
    bar.speed.setCurrentIndex(3)
    bar.speed.activated.emit(3)
    settled()
    assert client.called("speech.control") == [(speech.job, True), (speech.job, 1.5)]
    assert client.layers[AppLayer()][SPEED] == 1.5
    speech.end()
    assert not bar.isVisible()
    assert marked(window) == []


def test_an_answer_is_read_while_it_is_written(
    client: AppClient, speech: ScriptedSpeech, show_window: Callable[..., MainWindow]
) -> None:
    window = open_chat(client, show_window, "Because.")
    window.chat.send_controller.send("And?")
    settled()
    (chat,) = client.summaries
    client.stream(chat, text="First one. ")
    window.command_controller.run(Command.READ_ALOUD)
    settled()
    client.stream(chat, text="Hidden.", kind=OutputKind.REASONING)
    client.stream(chat, text="Then ")
    client.finish(chat)
    settled()
    job = speech.job
    added = [(job, "First one. ", False), (job, "Then ", False), (job, "", True)]
    assert client.called("speech.add_text") == added
    window.command_controller.run(Command.READ_ALOUD)
    settled()
    assert client.called("speech.stop") == [(job, True)]


def test_without_any_voice_one_is_offered(
    client: AppClient, speech: ScriptedSpeech, show_window: Callable[..., MainWindow]
) -> None:
    window = open_chat(client, show_window, "Because.")
    client.fail("speech.start_speaking", RequestError.of("voice_missing"))
    window.command_controller.run(Command.READ_ALOUD)
    settled()
    sheet = window.findChild(SpeechSetupSheet)
    assert sheet is not None
    assert [*sheet.list.rows] == ["mouth/thorsten"]
    assert not window.read_aloud.bar.isVisible()
    sheet.reject()
