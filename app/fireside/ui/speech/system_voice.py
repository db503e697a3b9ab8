"""The system's voice: a local program that speaks a text; nothing is sent anywhere."""

from __future__ import annotations

import sys
from typing import Final, Protocol

import msgspec
from PySide6.QtCore import QObject, QProcess, QStandardPaths

_KILL_MS: Final = 1_000


class Speaker(Protocol):
    """Speaks one text at a time, on this computer. GUI thread only; methods do not block and do not raise."""

    @property
    def is_speaking(self) -> bool: ...

    def speak(self, text: str) -> None:
        """Speak ``text``; an earlier text is stopped."""

    def stop(self) -> None:
        """Stop speaking."""


class VoiceProgram(msgspec.Struct, frozen=True, kw_only=True):
    """A program that reads a text from its standard input, speaks it and ends."""

    program: str
    arguments: tuple[str, ...] = ()
    cancel_arguments: tuple[str, ...] = ()
    """Arguments of a second run that cancels the speech, where killing the program does not."""


_SPEECH_DISPATCHER: Final = VoiceProgram(
    program="spd-say", arguments=("--wait", "--pipe-mode"), cancel_arguments=("--cancel",)
)
_POWERSHELL: Final = VoiceProgram(
    program="powershell.exe",
    arguments=(
        "-NoProfile",
        "-NonInteractive",
        "-Command",
        "[Console]::InputEncoding = [Text.Encoding]::UTF8; Add-Type -AssemblyName System.Speech; "
        "(New-Object System.Speech.Synthesis.SpeechSynthesizer).Speak([Console]::In.ReadToEnd())",
    ),
)
_BY_PLATFORM: Final = {
    "darwin": (VoiceProgram(program="say", arguments=("-f", "-")),),
    "win32": (_POWERSHELL,),
    "linux": (
        _SPEECH_DISPATCHER,
        VoiceProgram(program="espeak-ng", arguments=("--stdin",)),
        VoiceProgram(program="espeak", arguments=("--stdin",)),
    ),
}


class ProgramSpeaker(QObject):
    """A ``Speaker`` that runs a program. The text goes to its standard input: no process list shows it."""

    def __init__(self, voice: VoiceProgram, *, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._voice = voice
        self._process: QProcess | None = None

    @property
    def is_speaking(self) -> bool:
        return self._process is not None and self._process.state() is not QProcess.ProcessState.NotRunning

    def speak(self, text: str) -> None:
        """Speak ``text``; an earlier text is stopped."""
        self.stop()
        process = QProcess(self)
        process.setStandardOutputFile(QProcess.nullDevice())
        process.setStandardErrorFile(QProcess.nullDevice())
        process.start(self._voice.program, list(self._voice.arguments))
        process.write(text.encode())
        process.closeWriteChannel()
        self._process = process

    def stop(self) -> None:
        """Stop speaking."""
        process, self._process = self._process, None
        if process is None:
            return
        if process.state() is not QProcess.ProcessState.NotRunning:
            process.kill()
            process.waitForFinished(_KILL_MS)
            if self._voice.cancel_arguments:
                QProcess.startDetached(self._voice.program, list(self._voice.cancel_arguments))
        process.deleteLater()


def make_speaker(*, parent: QObject | None = None, platform: str = sys.platform) -> Speaker | None:
    """Return a speaker for the first program found on this computer; ``None`` where there is none."""
    for voice in _BY_PLATFORM.get(platform, ()):
        if path := QStandardPaths.findExecutable(voice.program):
            return ProgramSpeaker(msgspec.structs.replace(voice, program=path), parent=parent)
    return None
