"""Dictation, reading aloud, talk and transcription."""
