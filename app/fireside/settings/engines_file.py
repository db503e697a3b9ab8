"""The file of the engines that the user added. Their keys are stored with the other secrets."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from fireside.core.errors import SettingsUnwritable
from fireside.core.i18n import tr_noop
from fireside.core.os_errors import render_os_error
from fireside.core.remote import RemoteEngine
from fireside.files.json_file import JsonFile, OnDamaged
from fireside.settings.secrets import SecretName

ENGINES_NAME: Final = "engines.json"
_SIZE_LIMIT: Final = 16_000_000
_LOSS: Final = tr_noop("The servers in it must be added again.")


def key_name(engine_id: str) -> SecretName:
    """Return the name of the secret that is the key of an engine."""
    return SecretName(f"engine-key@{engine_id}")


class EnginesFile:
    """Reads and writes all engines at once. Blocks; one caller at a time."""

    def __init__(self, path: Path, *, on_damaged: OnDamaged = lambda _: None) -> None:
        self._file = JsonFile(
            path, tuple[RemoteEngine, ...], limit=_SIZE_LIMIT, loss=_LOSS, on_damaged=on_damaged
        )

    def read(self) -> tuple[RemoteEngine, ...]:
        """Return the engines. A damaged file counts as empty, so that nothing is sent to a wrong address."""
        return self._file.read() or ()

    def write(self, engines: tuple[RemoteEngine, ...]) -> None:
        """Replace all engines. Raises ``SettingsUnwritable``."""
        try:
            self._file.write(engines)
        except OSError as exc:
            raise SettingsUnwritable(path=str(self._file.path), reason=render_os_error(exc)) from exc
