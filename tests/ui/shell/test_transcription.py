"""Recordings of a draft become transcripts: progress, end, failure, and what becomes of the recording."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from fakes.client import AppClient, settled
from fakes.model_entries import STARTER_ID, loaded_state
from fakes.scripted_speech import ScriptedSpeech
from fakes.sounds import sound, video
from fireside.core.errors import RequestError
from fireside.core.ids import DraftId
from fireside.core.message import AttachedPart, AudioPart, DocumentPart
from fireside.core.status import ModelStatus
from fireside.documents.messages import ReadReply
from fireside.ui.shell.main_window import MainWindow
from fireside.ui.speech.setup_sheet import SpeechSetupSheet


class Desk:
    """A window with recordings in its draft, for a model that hears or not."""

    def __init__(self, window: MainWindow, client: AppClient) -> None:
        self.window, self.client, self.settled = window, client, settled
        self.files = window.chat.attachments
        self.composer = window.chat.composer

    def use(self, *, sees: bool = False, hears: bool) -> None:
        """Have a model answer."""
        entry = self.client.entries[0]
        assert entry.spec is not None
        spec = msgspec.structs.replace(
            entry.spec, projector_path="/m/mmproj.gguf", projector_sees=sees, projector_hears=hears
        )
        entry = msgspec.structs.replace(entry, spec=spec)
        self.window.chat.set_model(entry, ModelStatus(model_id=STARTER_ID, state=loaded_state(spec)))

    def attach(self, *parts: AttachedPart) -> None:
        self.files.restore(parts)
        self.settled()

    def press(self) -> None:
        self.composer.transcribe_button.click()
        self.settled()

    @property
    def chips(self) -> list[tuple[str, str]]:
        return [(chip.facts.name, chip.facts.line) for chip in self.composer.tray.chips]

    @property
    def texts(self) -> list[str]:
        return [part.text for part in self.files.parts if isinstance(part, DocumentPart)]


@pytest.fixture
def speech(client: AppClient) -> ScriptedSpeech:
    return ScriptedSpeech(client)


@pytest.fixture
def desk(speech: ScriptedSpeech, window: MainWindow, client: AppClient) -> Desk:
    desk = Desk(window, client)
    desk.use(hears=False)
    return desk


def test_a_recording_becomes_a_text_with_times(desk: Desk, speech: ScriptedSpeech) -> None:
    assert not desk.composer.transcribe_button.isVisible()
    recording = sound(seconds=90, name="talk.mp3")
    desk.attach(recording)
    assert desk.composer.transcribe_button.isVisible()
    desk.press()
    assert desk.client.called("speech.start_transcription") == [(recording.data,)]
    assert "Still transcribing" in desk.files.reason_not_to_send()
    speech.transcribe_until(30, duration_s=90)
    assert desk.chips == [("talk.mp3", "Transcribing, 33%")]
    speech.hear("Good mor", start_s=0.5)
    speech.hear("Good morning.", start_s=0.5, is_final=True)
    speech.hear("How are you?", start_s=62, is_final=True)
    speech.end()
    desk.settled()
    assert desk.texts == ["[0:00] Good morning.\n[1:02] How are you?\n"]
    assert desk.files.parts[0].name == "talk (transcript).txt"
    assert desk.files.reason_not_to_send() == ""
    assert not desk.composer.transcribe_button.isVisible()
    draft = desk.window.chat.draft_id
    assert draft is not None
    stored = desk.client.draft_files(draft)
    assert [each.part for each in stored] == list(desk.files.parts)


def test_the_recording_can_be_sent_after_all_to_a_model_that_hears(
    desk: Desk, speech: ScriptedSpeech
) -> None:
    desk.use(hears=True)
    desk.attach(sound(seconds=9))
    desk.press()
    speech.hear("Yes.", is_final=True)
    assert not desk.composer.sound_button.isVisible()
    speech.end()
    desk.settled()
    assert desk.texts
    desk.composer.sound_button.click()
    desk.settled()
    assert [type(part) for part in desk.files.parts] == [AudioPart]
    assert desk.composer.transcribe_button.isVisible()


def test_the_text_of_a_video_goes_along_where_the_model_sees(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.use(sees=True, hears=False)
    film = video(seconds=4, track=sound(seconds=4))
    desk.attach(film)
    desk.press()
    speech.hear("Cut.", is_final=True)
    speech.end()
    desk.settled()
    assert desk.files.parts[0] == film
    assert desk.texts == ["[0:00] Cut.\n"]


def test_several_are_transcribed_one_after_the_other_and_stopped_together(
    desk: Desk, speech: ScriptedSpeech
) -> None:
    desk.attach(sound(seconds=5, name="a.wav"), sound(seconds=6, name="b.wav"))
    desk.press()
    assert desk.chips == [("a.wav", "Transcribing…"), ("b.wav", "Waiting to be transcribed")]
    first = speech.job
    speech.hear("One.", is_final=True)
    speech.next_job()
    desk.client.publish()
    desk.press()
    assert desk.client.called("speech.stop") == [(first, True)]
    assert len(desk.client.called("speech.start_transcription")) == 1
    assert desk.texts == []
    assert [type(part) for part in desk.files.parts] == [AudioPart, AudioPart]


def test_what_fails_says_so_and_loses_nothing(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.attach(sound(seconds=90, name="talk.mp3"))
    desk.press()
    speech.end()
    desk.settled()
    assert desk.chips == [("talk.mp3", "Not transcribed: No speech was heard.")]
    speech.next_job()
    desk.press()
    speech.hear("Half of it.", start_s=1, is_final=True)
    speech.end("Speech stopped unexpectedly.")
    desk.settled()
    names = [name for name, _ in desk.chips]
    assert names == ["talk.mp3", "talk (transcript).txt"]
    assert "Recognised up to 0:02 alone: Speech stopped unexpectedly." in desk.chips[1][1]
    assert isinstance(desk.files.parts[0], AudioPart)
    assert desk.composer.transcribe_button.isVisible(), "it can be tried again"


def test_a_recording_that_is_too_long_to_be_attached_is_transcribed_from_its_file(
    desk: Desk, speech: ScriptedSpeech, tmp_path: Path
) -> None:
    path = tmp_path / "meeting.MP3"
    path.write_bytes(b"ID3")
    desk.client.machine.readings["meeting.MP3"] = ReadReply(problem="it is longer than 15 minutes.")
    desk.files.add_files([str(path), str(tmp_path / "missing.txt")])
    desk.settled()
    assert desk.files.parts == ()
    desk.press()
    assert desk.client.called("speech.start_transcription") == [(str(path),)]
    speech.hear("Item one.", is_final=True)
    speech.end()
    desk.settled()
    assert desk.texts == ["[0:00] Item one.\n"]


def test_another_chat_does_not_end_it(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.attach(sound(seconds=5, name="a.wav"))
    desk.press()
    draft = desk.window.chat.draft_id
    assert draft is not None
    desk.files.switch_to(DraftId("other"), attached=())
    assert not desk.composer.transcribe_button.isVisible()
    speech.transcribe_until(2, duration_s=5)
    desk.files.switch_to(draft, attached=desk.client.draft_files(draft))
    assert desk.chips == [("a.wav", "Transcribing, 40%")]
    speech.hear("One.", is_final=True)
    speech.end()
    desk.settled()
    assert desk.texts == ["[0:00] One.\n"]


def test_a_removed_recording_is_not_worked_on(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.attach(sound(seconds=5))
    desk.press()
    desk.files.remove_all()
    desk.settled()
    assert desk.client.called("speech.stop") == [(speech.job, True)]


def test_without_a_model_it_asks_for_one_and_begins_then(desk: Desk, speech: ScriptedSpeech) -> None:
    desk.attach(sound(seconds=5))
    desk.client.fail("speech.start_transcription", RequestError.of("recognizer_missing"))
    desk.press()
    sheet = desk.window.findChild(SpeechSetupSheet)
    assert isinstance(sheet, SpeechSetupSheet)
    assert desk.composer.transcribe_button.text().strip() == "Transcribe"
    sheet._on_ready()
    desk.settled()
    speech.hear("One.", is_final=True)
    speech.end()
    desk.settled()
    assert desk.texts
