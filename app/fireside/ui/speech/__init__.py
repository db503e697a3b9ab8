"""Text to speech: read answers aloud with a local program; nothing is sent anywhere."""

from fireside.ui.speech.read_aloud import ReadAloud
from fireside.ui.speech.speaker import ProgramSpeaker, Speaker, VoiceProgram, make_speaker

__all__ = ["ProgramSpeaker", "ReadAloud", "Speaker", "VoiceProgram", "make_speaker"]
