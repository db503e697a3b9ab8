"""The unencrypted file of secrets, for users without a keyring who choose it."""

from __future__ import annotations

import contextlib
import os
import stat
import sys
import threading
from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import SettingsUnwritable
from fireside.core.os_errors import render_os_error
from fireside.files.atomic_replace import WriteFile, replace_file
from fireside.settings.secret import Secret

_NOTE: Final = "The secrets in this file are not encrypted. Fireside put them here because you chose so."
_SIZE_LIMIT: Final = 1_000_000


class _Content(msgspec.Struct, frozen=True, kw_only=True):
    note: str = _NOTE
    secrets: dict[str, str] = {}


class SecretFile:
    """Secrets by name, not encrypted, readable only by their owner. Blocks; any thread."""

    def __init__(self, path: Path, *, write: WriteFile = replace_file) -> None:
        self._path = path
        self._write = write
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
                content = msgspec.json.encode(_Content(secrets=secrets))
                self._write(self._path, msgspec.json.format(content, indent=2))
            else:
                self._path.unlink(missing_ok=True)
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._path), reason=render_os_error(exc)) from exc

    def _read_all(self) -> dict[str, str]:
        try:
            with self._path.open("rb") as file:
                _restrict_permissions(file.fileno())
                content = file.read(_SIZE_LIMIT)
            return dict(msgspec.json.decode(content, type=_Content).secrets)
        except (OSError, msgspec.DecodeError, RecursionError):
            return {}


def _restrict_permissions(descriptor: int) -> None:
    """Remove permissions of other users, which a copy or restored backup may have."""
    if sys.platform != "win32" and os.fstat(descriptor).st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        with contextlib.suppress(OSError):
            os.fchmod(descriptor, 0o600)
