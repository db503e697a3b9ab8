"""What is known of the passphrase of the data."""

from __future__ import annotations

import msgspec


class PassphraseState(msgspec.Struct, frozen=True, kw_only=True):
    """Whether the data is encrypted, and how it is unlocked."""

    has_passphrase: bool = False
    in_keyring: bool = False
    """Whether the system's keyring unlocks it when Fireside starts."""
    n_damaged: int = 0
    """Files that were set aside as damaged, which are not encrypted."""
