"""A talk over the chat: listening, answers that are read, interrupting, leaving."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from fakes.client import AppClient, settled
from fakes.scripted_speech import EARS, ScriptedSpeech
from fireside.core.errors import DownloadError
from fireside.core.events import MessageReplaced
from fireside.core.ids import ConversationId
from fireside.core.message import TextPart, ToolCallPart, ToolResultPart
from fireside.core.speech import SentenceStarted, SpeechEnded, SpeechFault, SpeechStatus, VoiceHeard
from fireside.core.tools import CallState
from fireside.settings.definitions_speech import INTERRUPTS
from fireside.settings.values import AppLayer
from fireside.ui.commands import Command
from fireside.ui.page import Page
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech.setup_sheet import SpeechSetupSheet
from fireside.ui.speech.talk import TalkSheet


@pytest.fixture
def speech(client: AppClient) -> ScriptedSpeech:
    return ScriptedSpeech(client)


class Conversing:
    """A talk that listens; the voice's jobs have numbers of their own."""

    def __init__(self, window: MainWindow, client: AppClient, speech: ScriptedSpeech) -> None:
        self.window, self.client, self.speech, self.settled = window, client, speech, settled
        client.reply("speech.start_speaking", 77)
        window.command_controller.run(Command.TALK)
        settled()
        sheet = window.talk.sheet
        assert sheet is not None
        self.sheet: TalkSheet = sheet
        speech.open(0.9)

    @property
    def state(self) -> str:
        return self.sheet.state.text()

    def say(self, text: str) -> ConversationId:
        """Say something, to which an answer begins."""
        self.speech.hear(text, is_final=True)
        self.client.wait_until(lambda: self.window.chat.is_running)
        self.settled()
        assert self.window.chat.conversation_id is not None
        return self.window.chat.conversation_id

    def ask(self, chat: ConversationId, state: CallState) -> None:
        """Have the running answer call a tool, which is in ``state``."""
        answer = self.client.streaming_message(chat)
        call = ToolCallPart(id="1", name="delete_file", arguments="{}")
        result = ToolResultPart(call_id="1", name="delete_file", text="", state=state)
        said = tuple(part for part in answer.message.parts if isinstance(part, TextPart))
        message = replace(answer.message, parts=(*said, call, result))
        self.client.publish(MessageReplaced(message=replace(answer, message=message)))
        self.settled()

    def speak(self, sentence: str) -> None:
        self.client.publish(SentenceStarted(job=77, number=1, text=sentence))


@pytest.fixture
def talk(window: MainWindow, client: AppClient, speech: ScriptedSpeech) -> Conversing:
    return Conversing(window, client, speech)


def test_what_is_said_is_sent_and_the_answer_is_read_while_it_is_written(talk: Conversing) -> None:
    assert talk.state == "Listening…"
    assert talk.sheet.meter.levels[-1] > 0
    talk.speech.hear("What is")
    assert talk.sheet.words.text() == "What is"
    chat = talk.say("What is bread?")
    assert talk.state == "Thinking…"
    talk.client.stream(chat, text="Flour and water. ")
    talk.client.finish(chat)
    talk.settled()
    added = talk.client.called("speech.add_text")
    assert "".join(str(text) for _, text, _ in added) == "Flour and water. "
    assert added[-1][-1] is True
    talk.speak("Flour and water.")
    assert (talk.state, talk.sheet.words.text()) == ("Speaking", "Flour and water.")
    talk.client.publish(SpeechEnded(job=77))
    assert talk.state == "Listening…"
    texts = [entry.text.strip() for entry in talk.window.chat.transcript.entries]
    assert texts == ["What is bread?", "Flour and water."]
    second = talk.say("And salt?")
    assert second == chat


@pytest.mark.parametrize("is_spoken", [False, True])
def test_a_tool_that_waits_for_permission_is_said_until_it_has_it(talk: Conversing, is_spoken: bool) -> None:
    chat = talk.say("Delete the draft.")
    if is_spoken:
        talk.client.stream(chat, text="I delete it. ")
        talk.settled()
        talk.speak("I delete it.")
    talk.ask(chat, CallState.WAITING)
    assert talk.state == "Waiting for you"
    assert "in the chat" in talk.sheet.hint.text()
    assert talk.sheet.leave.hasFocus()
    talk.ask(chat, CallState.DONE)
    assert talk.state == "Thinking…"
    talk.client.stream(chat, text="It is deleted. ")
    talk.settled()
    added = talk.client.called("speech.add_text")
    assert "".join(str(text) for _, text, _ in added).endswith("It is deleted. ")
    talk.speak("It is deleted.")
    assert talk.state == "Speaking"


def test_who_speaks_interrupts_voice_and_answer(talk: Conversing) -> None:
    chat = talk.say("What is bread?")
    talk.client.stream(chat, text="Flour and water. ")
    talk.settled()
    talk.speak("Flour and water.")
    talk.client.publish(VoiceHeard(job=talk.speech.job, at_s=4.0))
    talk.settled()
    assert talk.state == "Listening…"
    assert talk.client.called("speech.stop") == [(77, True)]
    assert talk.client.called("generations.stop") == [(chat,)]


def test_a_voice_that_may_not_be_interrupted_does_not_hear_itself(talk: Conversing) -> None:
    talk.client.layers[AppLayer()] = {INTERRUPTS: False}
    talk.window.context.settings.read()
    talk.settled()
    chat = talk.say("What is bread?")
    talk.client.stream(chat, text="Flour. ")
    talk.settled()
    talk.speak("Flour.")
    talk.client.publish(VoiceHeard(job=talk.speech.job, at_s=4.0))
    talk.speech.hear("Flour.", start_s=4.0, is_final=True)
    talk.settled()
    assert talk.state == "Speaking"
    assert len(talk.window.chat.transcript.entries) == 2
    QTest.mouseClick(talk.sheet.interrupt, Qt.MouseButton.LeftButton)
    assert talk.state == "Listening…"


def test_a_voice_that_fails_says_so_with_what_helps(talk: Conversing) -> None:
    chat = talk.say("What is bread?")
    talk.client.stream(chat, text="Flour. ")
    talk.settled()
    talk.client.publish(SpeechEnded(job=77, problem="No speaker.", fault=SpeechFault.SPEAKER))
    talk.settled()
    assert talk.state == "No speaker."
    assert (talk.speech.job, True) in talk.client.called("speech.stop"), "no microphone without a voice"
    assert talk.sheet.again.isVisible()
    assert talk.sheet.help.text() == "Choose sound output…"
    talk.sheet.help.click()
    talk.settled()
    assert talk.window.talk.sheet is None
    assert talk.window.navigation.page is Page.SETTINGS


def test_escape_leaves_and_closes_the_microphone(talk: Conversing) -> None:
    QTest.keyClick(talk.sheet, Qt.Key.Key_Escape)
    talk.settled()
    assert talk.window.talk.sheet is None
    assert talk.client.called("speech.stop") == [(talk.speech.job, True)]


def test_a_window_out_of_sight_does_not_listen(talk: Conversing) -> None:
    talk.window.hide()
    talk.settled()
    assert talk.window.talk.sheet is None
    assert talk.client.called("speech.stop") == [(talk.speech.job, True)]


def test_a_microphone_that_fails_is_said_and_opened_again(talk: Conversing) -> None:
    talk.speech.end("No microphone was found.")
    assert talk.state == "No microphone was found."
    talk.speech.next_job()
    talk.sheet.again.click()
    talk.settled()
    talk.speech.open()
    assert talk.state == "Listening…"


def test_what_a_talk_lacks_is_offered(client: AppClient, window: MainWindow, speech: ScriptedSpeech) -> None:
    client.fail("speech.start_talk", DownloadError.of("component_missing", name="Speech"))
    speech.set_component(is_installed=False)
    window.command_controller.run(Command.TALK)
    settled()
    assert window.talk.sheet is None
    sheet = window.findChild(SpeechSetupSheet)
    assert sheet is not None
    assert [*sheet.list.rows] == ["speech", "ears/small", "mouth/thorsten"]
    sheet.reject()
    client.reply("speech.status", SpeechStatus(has_component=True, recognizer=EARS, voice=None))
    window.command_controller.run(Command.TALK)
    settled()
    assert window.talk.sheet is None
    assert client.called("speech.start_talk") == [()]
