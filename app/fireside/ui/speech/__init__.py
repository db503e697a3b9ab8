"""Speech in a window: dictation, reading aloud, talk, and the models for it."""
