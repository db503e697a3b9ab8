"""The unencrypted file of secrets, for users without a keyring who choose it."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import SettingsUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import WriteFile, replace_file
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.settings.secret import Secret

_NOTE: Final = "The secrets in this file are not encrypted. Fireside put them here because you chose so."
_SIZE_LIMIT: Final = 1_000_000
_LOSS: Final = tr_noop("The access tokens and keys in it must be entered again.")


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    note: str = _NOTE
    secrets: dict[str, str] = {}


class SecretFile:
    """Secrets by name, not encrypted, readable only by their owner. Blocks; any thread."""

    def __init__(
        self, path: Path, *, write: WriteFile = replace_file, on_damaged: OnDamaged = lambda _: None
    ) -> None:
        self._file = JsonFile(
            path,
            _Content,
            limit=_SIZE_LIMIT,
            loss=_LOSS,
            on_damaged=on_damaged,
            is_private=True,
            write=write,
        )
        self._lock = threading.Lock()

    def read(self, name: str) -> Secret | None:
        """Return a secret. A missing or damaged file counts as empty."""
        with self._lock:
            text = self._read_all().get(name)
        return Secret(text) if text else None

    def store(self, name: str, secret: Secret) -> None:
        """Store a secret. Raises ``SettingsUnwritable``."""
        with self._lock:
            self._replace({**self._read_all(), name: secret.reveal()})

    def remove(self, name: str) -> None:
        """Remove a secret, and with the last one the file. Raises ``SettingsUnwritable``."""
        with self._lock:
            secrets = self._read_all()
            if name in secrets:
                del secrets[name]
                self._replace(secrets)

    def _replace(self, secrets: dict[str, str]) -> None:
        try:
            if secrets:
                self._file.write(_Content(secrets=secrets))
            else:
                self._file.path.unlink(missing_ok=True)
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._file.path), reason=render_os_error(exc)) from exc

    def _read_all(self) -> dict[str, str]:
        # Others may read it after it was copied or restored from a backup: ``is_private``.
        content = self._file.read()
        return {} if content is None else dict(content.secrets)
