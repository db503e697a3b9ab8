"""Declares the settings of speech."""

from __future__ import annotations

from typing import Final

from fireside.core.i18n import tr_noop
from fireside.settings.values import Group, SettingSection

SPEECH_KEYS: Final = "speech."
"""The prefix of all keys."""
RECOGNIZER: Final = "speech.recognizer"
LANGUAGE: Final = "speech.language"
MICROPHONE: Final = "speech.microphone"
VOICE: Final = "speech.voice"
SYSTEM_VOICE: Final = "system"
SPEAKER: Final = "speech.speaker"
SPEED: Final = "speech.speed"
OUTPUT: Final = "speech.output"
INTERRUPTS: Final = "speech.interrupts"

_setting: Final = SettingSection(Group.SPEECH)

SPEECH: Final = (
    _setting.line(
        RECOGNIZER,
        tr_noop("Speech recognition"),
        tr_noop("The model that understands what you say. Empty for the best one that is here."),
        synonyms=tr_noop("dictation; speech to text; stt; asr; whisper; voice input"),
        hidden=True,
    ),
    _setting.line(
        LANGUAGE,
        tr_noop("Spoken language"),
        tr_noop("Such as “de” or “en”. Empty to have it recognised, where the model can."),
        synonyms=tr_noop("dictation language; language of speech"),
        hidden=True,
    ),
    _setting.line(
        MICROPHONE,
        tr_noop("Microphone"),
        tr_noop("Empty for the microphone of the system."),
        synonyms=tr_noop("input device; audio input; mic"),
        hidden=True,
    ),
    _setting.line(
        VOICE,
        tr_noop("Voice"),
        tr_noop("The model that reads aloud. Empty for the best one, “system” for your system’s own voice."),
        synonyms=tr_noop("text to speech; tts; read aloud; kokoro; piper"),
        hidden=True,
    ),
    _setting.integer(
        SPEAKER,
        tr_noop("Speaker"),
        tr_noop("The number of the voice, for models that have several."),
        default=0,
        within=(0, 10_000),
    ),
    _setting.decimal(
        SPEED,
        tr_noop("Speaking speed"),
        tr_noop("How fast the voice speaks; 1 is its own speed."),
        default=1.0,
        within=(0.5, 2.0),
        step=0.1,
    ),
    _setting.line(
        OUTPUT,
        tr_noop("Sound output"),
        tr_noop("Empty for the output of the system."),
        synonyms=tr_noop("output device; audio output; speakers; headphones"),
        hidden=True,
    ),
    _setting.switch(
        INTERRUPTS,
        tr_noop("Interrupt by speaking"),
        tr_noop("In a talk, your voice stops the computer’s. Use headphones, or it hears itself."),
        default=True,
        synonyms=tr_noop("barge-in; talk; hands-free; voice mode"),
    ),
)
