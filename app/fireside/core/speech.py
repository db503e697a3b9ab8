"""Speech: what was heard, what is spoken, and the models for it."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.attachment import clock_time
from fireside.core.i18n import Translatable


class SpeechTask(StrEnum):
    """What a speech model does."""

    RECOGNITION = "recognition"
    VOICE = "voice"


class SpeechModel(msgspec.Struct, frozen=True, kw_only=True):
    """A speech model: one of the program's list, or one that was found in the library folder."""

    repo: str
    """``owner/repo`` on the hub, which is its folder below the library folder, too."""
    name: str
    task: SpeechTask
    languages: tuple[str, ...]
    """Codes such as ``de``; empty where unknown."""
    about: str = ""
    """A sentence, to be translated."""
    licence: str = ""
    size_bytes: int
    """Of its download, as far as the list knows; of its files once it is here."""
    is_streaming: bool = False
    """Whether words appear while one speaks, without recognising them again and again."""
    needs_espeak: bool = False
    """Whether it has no lexicon, so that the program espeak-ng says how words sound."""
    is_installed: bool = False
    is_in_use: bool = False
    problem: Translatable = ""
    """Why it cannot be used on this computer, as a sentence."""


class SoundDevices(msgspec.Struct, frozen=True, kw_only=True):
    """Names of the sound devices of this computer."""

    microphones: tuple[str, ...]
    speakers: tuple[str, ...]


class Recording(msgspec.Struct, frozen=True, kw_only=True):
    """A recording whose text was not acknowledged: the program ended before, or recognition failed."""

    name: str
    recorded_at_s: float
    """Seconds since 1970."""
    duration_s: float


class SpeechStatus(msgspec.Struct, frozen=True, kw_only=True):
    """What is there for speech."""

    has_component: bool
    recognizer: SpeechModel | None
    """The one in use."""
    voice: SpeechModel | None
    """``None`` for the system's voice."""
    recordings: tuple[Recording, ...] = ()
    memory_bytes: int = 0
    """What the speech host takes now; 0 while it does not run."""


class Segment(msgspec.Struct, frozen=True, kw_only=True):
    """A part of a transcript; seconds from the start of the sound."""

    start_s: float
    end_s: float
    text: str


class SpeechTranscript(msgspec.Struct, frozen=True, kw_only=True):
    """What was said in a sound file."""

    segments: tuple[Segment, ...]
    duration_s: float

    @property
    def text(self) -> str:
        return " ".join(segment.text for segment in self.segments)

    @property
    def timed_text(self) -> str:
        """The text with the time at which each line begins: ``[1:02] And then …``."""
        return "".join(f"[{clock_time(each.start_s)}] {each.text}\n" for each in self.segments)


class SpeechReady(msgspec.Struct, frozen=True, kw_only=True, tag="speech_ready"):
    """The microphone of a job is open: show that until ``SpeechEnded``."""

    job: int


class SpeechLevel(msgspec.Struct, frozen=True, kw_only=True, tag="speech_level"):
    """How loud it is, 0 to 1; ten times a second."""

    job: int
    level: float


class VoiceHeard(msgspec.Struct, frozen=True, kw_only=True, tag="voice_heard"):
    """Someone began to speak; ``at_s`` counts from the start of the recording."""

    job: int
    at_s: float


class SpeechHeard(msgspec.Struct, frozen=True, kw_only=True, tag="speech_heard"):
    """What was recognised of an utterance; a later one of the same ``start_s`` replaces it."""

    job: int
    text: str
    start_s: float
    end_s: float
    is_final: bool


class SentenceStarted(msgspec.Struct, frozen=True, kw_only=True, tag="sentence_started"):
    """A sentence is heard from now on."""

    job: int
    number: int
    text: str = ""
    """As it stands in the message without markup; empty for a word instead of code, a table or a formula."""


class SentenceEnded(msgspec.Struct, frozen=True, kw_only=True, tag="sentence_ended"):
    """A sentence was spoken."""

    job: int
    number: int


class SoundPlayed(msgspec.Struct, frozen=True, kw_only=True, tag="sound_played"):
    """Where playback is; ten times a second."""

    job: int
    position_s: float
    duration_s: float


class TranscriptionProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="transcription_progressed"):
    """How much of a file is recognised; ``duration_s`` is 0 while it is not known."""

    job: int
    position_s: float
    duration_s: float


class SpeechFault(StrEnum):
    """What a problem of a job is about, which decides what helps."""

    MICROPHONE = "microphone"
    SPEAKER = "speaker"
    MODEL = "model"
    MEDIA = "media"
    """The component for media formats is not here."""
    FORMAT = "format"
    """The file itself: another try does not help."""
    OTHER = "other"


class SpeechEnded(msgspec.Struct, frozen=True, kw_only=True, tag="speech_ended"):
    """The last event of a job; ``problem`` is a sentence, empty where it did what it should."""

    job: int
    problem: Translatable = ""
    fault: SpeechFault = SpeechFault.OTHER
    """What the problem is about."""


class SpeechModelsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="speech_models_changed"):
    """A speech model was downloaded, removed or chosen."""


SpeechEvent = (
    SpeechReady
    | SpeechLevel
    | VoiceHeard
    | SpeechHeard
    | SentenceStarted
    | SentenceEnded
    | SoundPlayed
    | TranscriptionProgressed
    | SpeechEnded
    | SpeechModelsChanged
)
