"""Collect the program's texts in the translation files, and compile them."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from provision.failure import SetupFailure
from provision.layout import Layout

ALIASES: Final = "tr+=tr,QT_TR_NOOP+=tr_noop"
"""Fireside's counterparts of Qt's functions; see ``fireside.core.i18n``."""


def translation_files(root: Path) -> tuple[Path, ...]:
    """Return the translation files, one per language."""
    return tuple(sorted((root / "resources" / "translations").glob("fireside_*.ts")))


def update_translations(layout: Layout) -> tuple[Path, ...]:
    """Update every ``.ts`` file from the sources, compile it, and return the compiled files.

    Raises ``SetupFailure``.
    """
    files = translation_files(layout.root)
    collect_texts(layout, files)
    return tuple(compile_translation(layout, file, to=file.with_suffix(".qm")) for file in files)


def collect_texts(layout: Layout, files: Sequence[Path]) -> None:
    """Write the texts of the sources to ``.ts`` files: obsolete ones are removed, new ones are unfinished."""
    sources = sorted(str(path) for path in (layout.root / "app" / "fireside").rglob("*.py"))
    options = ("-no-obsolete", "-locations", "none", "-sort-messages", "-tr-function-alias", ALIASES)
    _run(layout, "pyside6-lupdate", "-silent", *options, *sources, "-ts", *map(str, files))


def compile_translation(layout: Layout, file: Path, *, to: Path) -> Path:
    """Compile a ``.ts`` file to a ``.qm`` file, without unfinished texts, which stay English."""
    _run(layout, "pyside6-lrelease", "-silent", "-nounfinished", str(file), "-qm", str(to))
    return to


def _run(layout: Layout, tool: str, *arguments: str) -> None:
    command: Sequence[str] = (str(layout.scripts / tool), *arguments)
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise SetupFailure(
            sentence="The translations could not be brought up to date.",
            advice=done.stderr.strip() or f"{tool} ended with {done.returncode}.",
        )
