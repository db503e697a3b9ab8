"""The paths of set-up: the checkout's environment, logs, and a cache that checkouts share."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

IS_WINDOWS = sys.platform == "win32"


@dataclass(frozen=True, kw_only=True)
class Layout:
    """Paths of one checkout; ``cache`` is shared with the other checkouts of the user."""

    root: Path
    cache: Path

    @property
    def app(self) -> Path:
        return self.root / "app"

    @property
    def version(self) -> str:
        """The version of the program."""
        return version_in(self.app / "fireside")

    @property
    def venv(self) -> Path:
        return self.root / ".venv"

    @property
    def scripts(self) -> Path:
        return scripts_of(self.venv)

    @property
    def python(self) -> Path:
        return python_of(self.venv)

    @property
    def site_packages(self) -> Path:
        return site_packages_of(self.venv)

    @property
    def models(self) -> Path:
        return self.venv / "share" / "fireside" / "models"

    @property
    def stamps(self) -> Path:
        return self.logs / "done.json"

    @property
    def build(self) -> Path:
        return self.root / "build"

    @property
    def logs(self) -> Path:
        return self.build / "setup"


def version_in(package: Path) -> str:
    """Return the ``__version__`` of a package without importing it."""
    text = (package / "__init__.py").read_text(encoding="utf-8")
    return text.partition('__version__ = "')[2].partition('"')[0]


def scripts_of(venv: Path) -> Path:
    """Return the folder of an environment's commands."""
    return venv / ("Scripts" if IS_WINDOWS else "bin")


def site_packages_of(venv: Path) -> Path:
    """Return the folder of an environment's packages."""
    base = {"base": str(venv), "platbase": str(venv)}
    return Path(sysconfig.get_path("purelib", "venv", vars=base))


def python_of(venv: Path) -> Path:
    """Return an environment's interpreter."""
    return scripts_of(venv) / ("python.exe" if IS_WINDOWS else "python")


def find_layout() -> Layout:
    """Return the layout of the checkout that contains this file."""
    root = Path(__file__).resolve().parents[2]
    return Layout(root=root, cache=_usable_cache(root))


def cache_folder(*, environ: Mapping[str, str], home: Path, platform: str) -> Path:
    """Return the folder for caches of this system."""
    if platform == "win32":
        return Path(environ.get("LOCALAPPDATA") or home / "AppData" / "Local") / "fireside" / "setup"
    if platform == "darwin":
        return home / "Library" / "Caches" / "fireside" / "setup"
    return Path(environ.get("XDG_CACHE_HOME") or home / ".cache") / "fireside" / "setup"


def _usable_cache(root: Path) -> Path:
    """Return the user's cache, or one in the checkout if the home folder is not writable."""
    try:
        folder = cache_folder(environ=os.environ, home=Path.home(), platform=sys.platform)
    except RuntimeError:  # no home folder
        return root / "build" / "cache"
    nearest = next(path for path in (folder, *folder.parents) if path.exists())
    return folder if os.access(nearest, os.W_OK) else root / "build" / "cache"
