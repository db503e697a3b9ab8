"""The messages between the program and the speech host, sent in the frames of ``wire``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from enum import StrEnum
from typing import Final

import msgspec

from fireside.core.speech import (
    SentenceEnded,
    SentenceStarted,
    SoundPlayed,
    SpeechEnded,
    SpeechHeard,
    SpeechLevel,
    SpeechReady,
    TranscriptionProgressed,
    VoiceHeard,
)
from fireside.wire.frames import decode_body

SAMPLE_RATE: Final = 16_000
"""Of what is heard, in samples a second; one channel."""
MAX_AUDIO_BYTES: Final = 48 << 20
"""Of a file that is sent in a message: 25 minutes as a WAV of one channel at 16 kHz."""
MAX_COMMAND_BYTES: Final = MAX_AUDIO_BYTES + (1 << 20)
MAX_AUDIO_S: Final = 4 * 3600.0
"""Of one recording or file."""
NULL_DEVICE: Final = "null"
"""Name of a device without sound, for tests."""


class SpeechFormat(StrEnum):
    """How sherpa-onnx loads a model. Recognisers first, then voices."""

    WHISPER = "whisper"
    MOONSHINE = "moonshine"
    MOONSHINE_PARTS = "moonshine_parts"
    """Its older form, in four parts."""
    SENSE_VOICE = "sense_voice"
    TRANSDUCER = "transducer"
    STREAMING = "streaming"
    """A transducer that recognises while one speaks."""
    KOKORO = "kokoro"
    SUPERTONIC = "supertonic"
    PIPER = "piper"
    """A voice of Piper. It needs a lexicon, or the program espeak-ng."""

    @property
    def is_voice(self) -> bool:
        return self in (SpeechFormat.KOKORO, SpeechFormat.SUPERTONIC, SpeechFormat.PIPER)


class ModelFiles(msgspec.Struct, frozen=True, kw_only=True):
    """A model on this computer."""

    format: SpeechFormat
    files: dict[str, str]
    """Path of each part, such as ``encoder`` and ``tokens``."""
    language: str = ""
    """Of a voice, for its phonemizer."""
    phonemizer: str = ""
    """Path of the program espeak-ng, for a voice without a lexicon."""


class ListDevices(msgspec.Struct, frozen=True, kw_only=True, tag="devices"):
    job: int


class Listen(msgspec.Struct, frozen=True, kw_only=True, tag="listen"):
    """Recognise what the microphone hears until ``Stop``."""

    job: int
    recognizer: ModelFiles
    vad: str
    """Path of the model that detects speech."""
    language: str = ""
    """Code such as ``de``; empty for detection, where the model can."""
    device: str = ""
    """Empty for the system's choice."""
    recording: str = ""
    """Path of a WAV file in which all that is heard is kept; empty for none."""
    interrupts: bool = False
    """Whether the voice of this process is silent as soon as someone speaks."""


class Transcribe(msgspec.Struct, frozen=True, kw_only=True, tag="transcribe"):
    """Recognise a sound file."""

    job: int
    recognizer: ModelFiles
    vad: str
    path: str = ""
    data: bytes = b""
    """Its content, where there is no path."""
    language: str = ""


class Speak(msgspec.Struct, frozen=True, kw_only=True, tag="speak"):
    """Speak the sentences that follow."""

    job: int
    voice: ModelFiles
    speaker: int = 0
    speed: float = 1.0
    device: str | None = ""
    """``None`` for none: the sound is reported instead."""


class Sentence(msgspec.Struct, frozen=True, kw_only=True, tag="sentence"):
    """A text for ``Speak``; an empty one is the end."""

    job: int
    number: int
    text: str


class Play(msgspec.Struct, frozen=True, kw_only=True, tag="play"):
    """Play a sound file."""

    job: int
    data: bytes
    device: str = ""


class Control(msgspec.Struct, frozen=True, kw_only=True, tag="control"):
    """Change what a job plays; ``None`` leaves it as it is."""

    job: int
    is_paused: bool | None = None
    position_s: float | None = None
    speed: float | None = None
    """Of what is spoken from the next sentence on, or played."""


class Stop(msgspec.Struct, frozen=True, kw_only=True, tag="stop"):
    """End a job: what was heard is still recognised, unless it ``discards``."""

    job: int
    discards: bool = False


class DevicesListed(msgspec.Struct, frozen=True, kw_only=True, tag="devices_listed"):
    job: int
    microphones: tuple[str, ...]
    speakers: tuple[str, ...]


class Sound(msgspec.Struct, frozen=True, kw_only=True, tag="sound"):
    """Speech: samples of 16 bits, one channel."""

    job: int
    number: int
    samples: bytes
    sample_rate: int


Command = ListDevices | Listen | Transcribe | Speak | Sentence | Play | Control | Stop
Report = (
    DevicesListed
    | Sound
    | SpeechReady
    | SpeechLevel
    | VoiceHeard
    | SpeechHeard
    | SentenceStarted
    | SentenceEnded
    | SoundPlayed
    | TranscriptionProgressed
    | SpeechEnded
)
"""What a job reports: mostly events of the program."""

_COMMANDS: msgspec.msgpack.Decoder[Command] = msgspec.msgpack.Decoder(Command)
REPORTS: Final[msgspec.msgpack.Decoder[Report]] = msgspec.msgpack.Decoder(Report)
"""Decodes what the host sends."""


def decode_command(body: bytes) -> Command:
    """Decode the command in a frame. Raises ``FrameError``."""
    return decode_body(body, decoder=_COMMANDS)


def host_command(folders: Sequence[str]) -> tuple[str, ...]:
    """Return the command line that starts the host; ``folders`` are those of components."""
    return (sys.executable, "-P", "-m", "fireside.speech_host", *folders)
