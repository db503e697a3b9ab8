"""The file of the engines that the user added. Their keys are stored with the other secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import msgspec

from fireside.core.errors import SettingsUnwritable
from fireside.core.os_errors import render_os_error
from fireside.core.remote import RemoteEngine
from fireside.files.atomic_replace import replace_file
from fireside.settings.secrets import SecretName

ENGINES_NAME: Final = "engines.json"
_SIZE_LIMIT: Final = 16_000_000


def key_name(engine_id: str) -> SecretName:
    """Return the name of the secret that is the key of an engine."""
    return SecretName(f"engine-key@{engine_id}")


class EnginesFile:
    """Reads and writes all engines at once. Blocks; one caller at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> tuple[RemoteEngine, ...]:
        """Return the engines. A damaged file counts as empty, so that nothing is sent to a wrong address."""
        try:
            with self._path.open("rb") as file:
                return msgspec.json.decode(file.read(_SIZE_LIMIT), type=tuple[RemoteEngine, ...])
        except (OSError, msgspec.DecodeError, RecursionError):
            return ()

    def write(self, engines: tuple[RemoteEngine, ...]) -> None:
        """Replace all engines. Raises ``SettingsUnwritable``."""
        try:
            replace_file(self._path, msgspec.json.format(msgspec.json.encode(engines), indent=2))
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._path), reason=render_os_error(exc)) from exc
