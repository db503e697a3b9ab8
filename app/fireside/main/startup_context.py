"""Paths, settings and the environment of child processes, which come before anything is built."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import msgspec

from fireside.core.errors import SettingsDamaged
from fireside.core.options import SettingValue
from fireside.core.problems import Problems
from fireside.settings.conversions import data_folder, models_folder
from fireside.settings.file import SettingsFile
from fireside.settings.paths import Paths, locate
from fireside.settings.service import Settings


class StartupContext(msgspec.Struct, frozen=True, kw_only=True):
    """Paths and settings of this run."""

    paths: Paths
    settings: Settings
    problems: Problems = msgspec.field(default_factory=Problems)
    """Damaged files and services that did not start."""


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


def base_environment() -> dict[str, str]:
    """Return the environment of child processes that use the built-in runtime or none."""
    from fireside.engine.processes.environment import runner_environment

    return runner_environment(os.environ, app_folder=Path(__file__).resolve().parents[2])
