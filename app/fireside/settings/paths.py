"""The locations of all files and folders. Pure: nothing is created here."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import platformdirs

HOME_VARIABLE: Final = "FIRESIDE_HOME"
"""Puts settings, data and cache into one folder, for portable installations and tests."""

_PACKAGE: Final = Path(__file__).resolve().parents[1]


class Paths(msgspec.Struct, frozen=True, kw_only=True):
    """All files and folders that Fireside reads or writes. Absolute."""

    settings_file: Path
    state_file: Path
    """The state of the window: its size, the open conversation. Safe to delete."""
    data_folder: Path
    database_file: Path
    secrets_file: Path
    """Tokens that the user chose to store unencrypted; missing otherwise."""
    models_folder: Path
    logs_folder: Path
    runtimes_folder: Path
    """Builds of llama.cpp that the user added."""
    cache_folder: Path
    states_folder: Path
    """The prompt cache on disk. Contains text of conversations; safe to delete."""


def locate(environ: Mapping[str, str], *, data: str = "", models: str = "") -> Paths:
    """Return all locations.

    ``data`` and ``models`` are the settings ``folders.data`` and ``folders.models``; empty for the default.
    The settings file does not move with them, so that it can be found before it is read.
    """
    config, default_data, cache = _default_folders(environ.get(HOME_VARIABLE, ""))
    data_folder = Path(data) if data else default_data
    return Paths(
        settings_file=config / "settings.json",
        state_file=config / "state.json",
        data_folder=data_folder,
        database_file=data_folder / "fireside.db",
        secrets_file=data_folder / "secrets-not-encrypted.json",
        models_folder=Path(models) if models else data_folder / "models",
        logs_folder=data_folder / "logs",
        runtimes_folder=data_folder / "runtimes",
        cache_folder=cache,
        states_folder=cache / "states",
    )


def _default_folders(home: str) -> tuple[Path, Path, Path]:
    if home:
        root = Path(home).expanduser().absolute()
        return root / "config", root / "data", root / "cache"
    # Lower case by convention on Linux, as in ~/.local/share/fireside.
    name = "Fireside" if sys.platform in ("win32", "darwin") else "fireside"
    dirs = platformdirs.PlatformDirs(appname=name, appauthor=False)
    return dirs.user_config_path, dirs.user_data_path, dirs.user_cache_path


def resources_folder(package: Path = _PACKAGE) -> Path:
    """Return the folder of icons, fonts and themes: in the checkout, or inside the installed package."""
    checkout = package.parent.parent / "resources"
    if package.parent.name == "app" and checkout.is_dir():
        return checkout
    return package / "_resources"
