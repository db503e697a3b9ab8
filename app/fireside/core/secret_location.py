"""Where a secret is stored."""

from __future__ import annotations

from enum import StrEnum


class SecretLocation(StrEnum):
    """Where a token, key or password is stored, strongest first."""

    SESSION = "session"
    """In memory, until the program ends."""
    FILE = "file"
    """In a file of the data folder, **not encrypted**, readable by its owner alone."""
    KEYRING = "keyring"
    ENVIRONMENT = "environment"
    NONE = "none"
