"""Documents of other makers: what their text must and must not have.

``expected.toml`` names the files by their package and path. A few are in ``files``; the others are fetched by
``make test-documents``.
"""

from __future__ import annotations

import os
import re
import tomllib
from pathlib import Path
from typing import Final

import msgspec
import pytest

from fakes.children import file_reading
from fireside.core.i18n import render
from fireside.documents.extraction import read
from fireside.documents.messages import ReadRequest

HERE: Final = Path(__file__).parent
KEPT: Final = HERE / "files"
FETCHED: Final = Path(os.environ.get("FIRESIDE_DOCUMENTS") or "/nowhere")
DEBIAN: Final = FETCHED / "debian"
"""Manuals, many of them large: only those of the table are read."""
MANUALS: Final = "debian/"
ENDINGS: Final = re.compile(
    r"\.(csv|docx?|eml|epub|html?|ipynb|md|od[gpst]|pdf|pptx?|rst|rtf|xls[mx]?)", re.IGNORECASE
)


class Expected(msgspec.Struct, forbid_unknown_fields=True):
    """What is expected of a file's text."""

    has: list[str] = []
    """Texts that it contains, white space aside."""
    lacks: list[str] = []
    in_order: list[str] = []
    """Texts that it contains one after the other."""
    once: list[str] = []
    """Texts that it contains once."""
    headings: list[str] = []
    """Titles of its first headings."""
    hidden: list[str] = []
    """Texts that its readers do not see."""
    warns: list[str] = []
    """Texts of which each is in a warning."""
    problem: str = ""
    """Why it is refused; empty for a file that is read."""


EXPECTED: Final = msgspec.convert(
    tomllib.loads((HERE / "expected.toml").read_text("utf-8")), dict[str, Expected]
)


def path_of(name: str) -> Path:
    """Return where a file of the table is, kept here or fetched."""
    kept = KEPT / name
    return kept if kept.exists() else FETCHED / name


@pytest.mark.parametrize("name", EXPECTED)
def test_a_file_is_read_as_expected(name: str) -> None:
    path, expected = path_of(name), EXPECTED[name]
    if not path.exists():
        if FETCHED.exists() and not name.startswith(MANUALS):
            pytest.fail("it is in none of the packages")
        pytest.skip("needs make test-documents")
    reply = read(ReadRequest(name=path.name, data=path.read_bytes()))
    assert render(reply.problem) == expected.problem
    text = _squeezed(reply.text)
    assert [each for each in expected.has if _squeezed(each) not in text] == []
    assert [each for each in expected.lacks if _squeezed(each) in text] == []
    assert [each for each in expected.once if text.count(_squeezed(each)) != 1] == []
    assert [each.title for each in reply.headings][: len(expected.headings)] == expected.headings
    hidden = [_squeezed(reply.text[start:end]) for start, end in reply.hidden]
    assert [each for each in expected.hidden if _squeezed(each) not in hidden] == []
    warnings = [render(warning) for warning in reply.warnings]
    assert [each for each in expected.warns if not any(each in warning for warning in warnings)] == []
    position = 0
    for each in map(_squeezed, expected.in_order):
        position = text.find(each, position)
        assert position >= 0, each


def _squeezed(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.timeout(1800)
def test_every_file_is_read_or_refused_in_a_sentence() -> None:
    paths = sorted(
        path
        for path in (*KEPT.rglob("*"), *FETCHED.rglob("*"))
        if ENDINGS.fullmatch(path.suffix) and path.is_file() and DEBIAN not in path.parents
    )
    requests = [ReadRequest(name=path.name, data=path.read_bytes()) for path in paths]
    for path, reply in zip(paths, file_reading()(requests), strict=True):
        said = [render(each) for each in (*reply.warnings, reply.problem) if each]
        assert all(sentence[-1] in ".…" and " " in sentence for sentence in said), path
        assert reply.text.strip() or reply.picture or said, path
        assert "it is damaged, or too complex to be read." not in said, path
        assert all(0 <= start < end <= len(reply.text) for start, end in (*reply.code, *reply.hidden)), path
        assert all(0 <= each.start <= each.end <= len(reply.text) for each in reply.headings), path
        assert all(0 <= each.start <= len(reply.text) for each in reply.sections), path
