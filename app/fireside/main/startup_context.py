"""Paths, settings and the environment of child processes, which come before anything is built."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from fireside.core.errors import SettingsDamaged
from fireside.core.options import SettingValue
from fireside.core.problems import Problems
from fireside.files.data_key import KeyFiles
from fireside.settings.conversions import backup_options, data_folder, models_folder
from fireside.settings.file import SettingsFile
from fireside.settings.paths import Paths, locate
from fireside.settings.service import Settings

if TYPE_CHECKING:
    from fireside.services.data_lock import DataLock, DataPlaces
    from fireside.services.transfer.backups import BackupLocation

BACKUPS_NAME: Final = "backups"
COLLECTIONS_NAME: Final = "collections.db"


class StartupContext(msgspec.Struct, frozen=True, kw_only=True):
    """Paths and settings of this run."""

    paths: Paths
    settings: Settings
    problems: Problems = msgspec.field(default_factory=Problems)
    """Damaged files and services that did not start."""
    held: list[DataLock] = msgspec.field(default_factory=list)
    """The lock of the data, once it was asked for."""

    @property
    def has_passphrase(self) -> bool:
        """Whether the data has a passphrase."""
        return KeyFiles(self.paths.data_folder).exist()

    @property
    def lock(self) -> DataLock:
        """The keys of the data. Imports what the window is painted without."""
        if not self.held:
            from fireside.services.data_lock import DataLock

            self.held.append(DataLock(_data_places(self.paths, self.settings)))
        return self.held[0]


def load_context(environ: Mapping[str, str], *, command_line: Mapping[str, SettingValue]) -> StartupContext:
    """Read the settings file and locate all folders, which settings may move."""
    settings = Settings(
        file=SettingsFile(locate(environ).settings_file), environ=environ, command_line=command_line
    )
    settings.load()
    problems = Problems()
    for problem in settings.problems():
        if isinstance(problem, SettingsDamaged):
            problems.add(problem)
    resolved = settings.resolved()
    paths = locate(environ, data=data_folder(resolved), models=models_folder(resolved))
    return StartupContext(paths=paths, settings=settings, problems=problems)


def backup_location(paths: Paths) -> BackupLocation:
    """Return where the database is, and where its backups go."""
    from fireside.services.transfer.backups import BackupLocation

    return BackupLocation(database=paths.database_file, usual_folder=paths.data_folder / BACKUPS_NAME)


def _data_places(paths: Paths, settings: Settings) -> DataPlaces:
    from fireside.services.data_lock import DataPlaces

    def backups() -> list[Path]:
        from fireside.services.transfer.backups import list_backups

        location = backup_location(paths)
        chosen = backup_options(settings.resolved()).folder
        folder = Path(chosen) if chosen else location.usual_folder
        return [Path(backup.path) for backup in list_backups(folder, location)]

    return DataPlaces(
        folder=paths.data_folder,
        databases=(paths.database_file, paths.data_folder / COLLECTIONS_NAME),
        states=paths.states_folder,
        backups=backups,
    )


def base_environment() -> dict[str, str]:
    """Return the environment of child processes that use the built-in runtime or none."""
    from fireside.engine.processes.environment import runner_environment

    return runner_environment(os.environ, app_folder=Path(__file__).resolve().parents[2])
