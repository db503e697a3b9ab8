"""Set, change and remove the passphrase of the data, from the window."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import msgspec

from fireside.core.errors import FiresideError, StorageError
from fireside.core.for_window import for_window
from fireside.core.privacy import PassphraseState
from fireside.services.data_lock import DataLock
from fireside.settings.secrets import Secrets


class PassphraseParts(msgspec.Struct, frozen=True, kw_only=True):
    """The keys of the data, and the keyring that may hold one of them."""

    lock: DataLock
    secrets: Secrets


class PassphraseService:
    """The passphrase, on the engine's loop.

    ``begin`` and ``begin_removal`` only note what is wished: the window then closes everything, and the data
    is converted while nothing uses it.
    """

    def __init__(self, parts: PassphraseParts | None, *, is_answering: Callable[[], bool]) -> None:
        """Without ``parts`` there is no passphrase."""
        self._given = parts
        self._is_answering = is_answering

    @for_window
    async def state(self) -> PassphraseState:
        """Return whether there is a passphrase. Raises ``passphrase_file_unusable``."""
        if self._given is None:
            return PassphraseState()
        lock, _ = self._parts()
        content = await asyncio.to_thread(lock.read)
        n_damaged = await asyncio.to_thread(lock.n_damaged)
        if content is None:
            return PassphraseState(n_damaged=n_damaged)
        return PassphraseState(has_passphrase=True, in_keyring=content.in_keyring, n_damaged=n_damaged)

    @for_window
    async def is_answering(self) -> bool:
        """Return whether an answer is being written, which locking would stop."""
        return self._is_answering()

    @for_window
    async def begin(self, passphrase: str, *, in_keyring: bool) -> None:
        """Note that the data is to be encrypted. Raises ``passphrase_no_space``, ``StorageUnwritable`` or
        ``SecretsError``; nothing has changed then."""
        lock, secrets = self._parts()
        await asyncio.to_thread(lock.set_up, passphrase)
        if in_keyring:
            try:
                await lock.remember(secrets)
            except FiresideError:
                await asyncio.to_thread(lock.give_up)
                raise

    @for_window
    async def change(self, old: str, new: str) -> None:
        """Change the passphrase; nothing is rewritten. Raises ``passphrase_wrong``, ``StorageUnwritable``."""
        lock, _ = self._parts()
        await asyncio.to_thread(lock.change, old, new)

    @for_window
    async def begin_removal(self, passphrase: str) -> None:
        """Note that the data is to be decrypted. Raises ``passphrase_wrong``, ``passphrase_no_space``,
        ``StorageUnwritable`` or ``SecretsError``."""
        lock, secrets = self._parts()
        await asyncio.to_thread(lock.begin_removal, passphrase)
        content = await asyncio.to_thread(lock.read)
        if content is not None and content.in_keyring:
            await lock.forget(secrets)

    @for_window
    async def keep_in_keyring(self, *, is_kept: bool) -> None:
        """Let the system's keyring unlock the data at a start, or no longer. Raises ``SecretsError``."""
        lock, secrets = self._parts()
        await (lock.remember(secrets) if is_kept else lock.forget(secrets))

    def _parts(self) -> tuple[DataLock, Secrets]:
        if self._given is None:
            raise StorageError.of("passphrase_needed")
        return self._given.lock, self._given.secrets
