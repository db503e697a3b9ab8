"""Speech of the window as a test plays it: no process, no sound, no model."""

from __future__ import annotations

from itertools import count

from fakes.client import AppClient
from fireside.core.components import COMPONENTS, SPEECH, Component
from fireside.core.speech import (
    Recording,
    SentenceStarted,
    SpeechEnded,
    SpeechFault,
    SpeechHeard,
    SpeechLevel,
    SpeechModel,
    SpeechReady,
    SpeechStatus,
    SpeechTask,
    TranscriptionProgressed,
)

EARS = SpeechModel(
    repo="ears/small",
    name="Small ears",
    task=SpeechTask.RECOGNITION,
    languages=("en", "de", "fr", "es", "it"),
    about="A hundred languages, for small computers.",
    licence="MIT",
    size_bytes=161_000_000,
)
BIG_EARS = SpeechModel(
    repo="ears/big",
    name="Big ears",
    task=SpeechTask.RECOGNITION,
    languages=("en",),
    about="A hundred languages, with fewer mistakes.",
    licence="CC-BY-4.0",
    size_bytes=670_000_000,
)
MOUTH = SpeechModel(
    repo="mouth/thorsten",
    name="Thorsten",
    task=SpeechTask.VOICE,
    languages=("de", "en"),
    about="Many natural voices.",
    licence="Apache-2.0",
    size_bytes=170_000_000,
)


class ScriptedSpeech:
    """Answers the window's requests for speech from now on; a job hears and ends as the test says."""

    def __init__(self, client: AppClient, *models: SpeechModel, has_component: bool = True) -> None:
        self._client = client
        self._jobs = count(1)
        self.job = 0
        self.status(has_component=has_component)
        client.reply("speech.models", models or (EARS, BIG_EARS, MOUTH))
        self.set_component(is_installed=has_component)
        for request in ("stop", "acknowledge", "control", "add_text", "discard_recording"):
            client.reply(f"speech.{request}", None)
        self.next_job()

    def status(self, *recordings: Recording, has_component: bool = True) -> None:
        """Set what is there."""
        status = SpeechStatus(
            has_component=has_component, recognizer=EARS, voice=MOUTH, recordings=recordings
        )
        self._client.reply("speech.status", status)

    def set_component(self, *, is_installed: bool) -> None:
        """Set whether the component is here."""
        made = (
            Component(
                id=id_,
                name=kind.name,
                purpose=kind.purpose,
                licence=kind.licence,
                version="1",
                download_bytes=38_000_000,
                disk_bytes=90_000_000 if is_installed else 0,
                is_installed=is_installed and id_ == SPEECH,
            )
            for id_, kind in COMPONENTS.items()
        )
        self._client.reply("components.components", tuple(made))

    def next_job(self) -> int:
        """Set and return the number of the job that begins next."""
        self.job = next(self._jobs)
        started = ("start_dictation", "recognise_again", "start_talk", "start_speaking")
        for request in (*started, "start_transcription"):
            self._client.reply(f"speech.{request}", self.job)
        return self.job

    def open(self, *levels: float) -> None:
        """Open the microphone of the job; it hears sounds of these levels."""
        self._client.publish(SpeechReady(job=self.job), *(SpeechLevel(job=self.job, level=x) for x in levels))

    def hear(self, text: str, *, start_s: float = 0.0, is_final: bool = False) -> None:
        """Have something recognised."""
        heard = SpeechHeard(job=self.job, text=text, start_s=start_s, end_s=start_s + 1, is_final=is_final)
        self._client.publish(heard)

    def speak(self, sentence: str) -> None:
        """Have a sentence spoken, as it stands in the message."""
        self._client.publish(SentenceStarted(job=self.job, number=1, text=sentence))

    def transcribe_until(self, position_s: float, *, duration_s: float) -> None:
        """Have a file recognised up to a second."""
        progressed = TranscriptionProgressed(job=self.job, position_s=position_s, duration_s=duration_s)
        self._client.publish(progressed)

    def end(self, problem: str = "", fault: SpeechFault = SpeechFault.OTHER) -> None:
        """End the job."""
        self._client.publish(SpeechEnded(job=self.job, problem=problem, fault=fault))
