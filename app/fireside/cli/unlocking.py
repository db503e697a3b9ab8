"""Unlock the data for a command: by the keyring, or by the passphrase, typed without being shown."""

from __future__ import annotations

import asyncio
import getpass
import sys
from typing import TYPE_CHECKING, Final

from fireside.core.errors import StorageError

if TYPE_CHECKING:
    from fireside.main.startup_context import StartupContext

_ATTEMPTS: Final = 3


def unlock(context: StartupContext, *, needs_data: bool = True) -> None:
    """Unlock the data, if it has a passphrase.

    Without ``needs_data`` nobody is asked: what the keyring does not unlock stays locked, and documents and
    saved states are not used. Raises ``StorageError``: wrong three times, nobody to ask, or half encrypted.
    """
    lock = context.lock
    if not lock.has_passphrase:
        return
    if lock.is_locked:
        from fireside.main.network import build_secrets
        from fireside.settings.redaction import Redaction

        asyncio.run(lock.unlock_from_keyring(build_secrets(context, redaction=Redaction())))
    if lock.is_locked and not needs_data:
        return
    if lock.is_locked:
        _ask(context)
    lock.check_ready()


def _ask(context: StartupContext) -> None:
    if not sys.stdin.isatty():
        raise StorageError.of("passphrase_needed")
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return context.lock.unlock(getpass.getpass("Passphrase of your chats: "))
        except EOFError:
            raise StorageError.of("passphrase_needed") from None
        except StorageError as exc:
            if exc.code != "passphrase_wrong" or attempt == _ATTEMPTS:
                raise
            sys.stderr.write(f"{exc.sentence()}\n")
    return None
