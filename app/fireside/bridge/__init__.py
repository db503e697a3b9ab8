"""The border between the engine thread and Qt: one signal a display frame, one façade for the window."""
