"""Remove what set-up and tools made in a checkout."""

from __future__ import annotations

from pathlib import Path

from provision.environment import remove
from provision.layout import Layout

_MADE = (
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
    """Remove it all, and half-finished builds of llama.cpp; return what there was.

    Finished builds stay in the user's cache: other checkouts share them.
    """
    made = [layout.root / name for name in _MADE]
    made += [path for name in _SOURCES for path in (layout.root / name).rglob("__pycache__")]
    made.append(layout.cache / "builds")
    return tuple(path for path in made if remove(path))
