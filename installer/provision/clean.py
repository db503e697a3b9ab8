"""Remove the files that set-up and tools created in a checkout."""

from __future__ import annotations

from pathlib import Path

from provision.environment import remove
from provision.layout import Layout

_GENERATED = (
    ".venv",
    "build",
    "dist",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".import_linter_cache",
    ".hypothesis",
)
_SOURCES = ("app", "installer", "tests")


def clean(layout: Layout) -> tuple[Path, ...]:
    """Remove generated files and unfinished builds of llama.cpp; return what was removed.

    Finished builds stay in the user's cache, since other checkouts share them.
    """
    paths = [layout.root / name for name in _GENERATED]
    paths += [path for name in _SOURCES for path in (layout.root / name).rglob("__pycache__")]
    paths.append(layout.cache / "builds")
    return tuple(path for path in paths if remove(path))
