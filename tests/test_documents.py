"""What the developers' documents name is in the tree: files, classes, functions and fields."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / "app" / "ARCHITECTURE.md",
    *sorted((ROOT / "app" / "architecture").glob("*.md")),
    ROOT / "installer" / "README.md",
]
SOURCES = ("app", "installer", "tests")

FILE = re.compile(r"`([\w./*-]+\.(?:py|sql))`")
NAME = re.compile(r"`([A-Za-z_][\w.]*)(?:\([^`]*\))?`")
OF_OTHERS = re.compile(r"(?i)llama_\w+|load_mtp|ctx_other|calt|aalt|journalctl")
"""Names of llama.cpp, fonts and systems, which this tree need not contain."""
PATTERNS = frozenset({"storage/migrations/NNNN_name.sql"})
"""Files that a developer is told to make."""


@cache
def files() -> tuple[Path, ...]:
    """Return the sources of this tree."""
    found = (path for top in SOURCES for path in (ROOT / top).rglob("*"))
    return tuple(path for path in found if path.is_file() and "__pycache__" not in path.parts)


@cache
def names() -> frozenset[str]:
    """Return every word of the code, that of this test apart."""
    code = (
        path for path in files() if path.suffix in {".py", ".sql", ".sh", ".c"} and path != Path(__file__)
    )
    words = (
        re.findall(r"\w+", path.read_text(encoding="utf-8")) for path in (*code, ROOT / "pyproject.toml")
    )
    return frozenset(word for found in words for word in found)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_files_that_a_document_names_exist(document: Path) -> None:
    named = set(FILE.findall(document.read_text(encoding="utf-8"))) - PATTERNS
    missing = [name for name in sorted(named) if not any(path.match(name) for path in files())]
    assert missing == []


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_names_that_a_document_uses_are_those_of_the_code(document: Path) -> None:
    named = {
        name for name in NAME.findall(document.read_text(encoding="utf-8")) if not OF_OTHERS.fullmatch(name)
    }
    parts = {part for name in named if not name.endswith((".py", ".md")) for part in name.split(".")}
    assert sorted(parts - names()) == []
