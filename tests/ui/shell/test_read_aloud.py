"""Reading answers aloud."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, QStandardPaths
from PySide6.QtGui import QAction
from pytestqt.qtbot import QtBot

from fakes.client import AppClient
from fireside.settings.window_state import WindowState
from fireside.ui.chat.answer.actions import MessageAction
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech.read_aloud import ProgramSpeaker, ReadAloud, VoiceProgram, make_speaker

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


def test_the_menu_of_an_answer_reads_it_and_stops(
    client: AppClient, show_window: Callable[..., MainWindow]
) -> None:
    chat = client.add_conversation("Bread", turns=("Why?", "Because **rye**."))
    window = show_window(state=WindowState(last_conversation=chat))
    transcript = window.chat.transcript
    transcript.message_actions._handlers.pop(MessageAction.READ_ALOUD, None)
    assert "Read aloud" not in menu_lines(transcript)
    speaker = SpeakerLog()
    ReadAloud(speaker, transcript=transcript, parent=window)
    menu_lines(transcript)["Read aloud"].trigger()
    assert speaker.spoken == ["Because rye."]
    menu_lines(transcript)["Stop reading aloud"].trigger()
    assert not speaker.is_speaking
