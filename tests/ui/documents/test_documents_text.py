"""Texts about collections, files and passages."""

from __future__ import annotations

import pytest
from pytestqt.qtbot import QtBot

from fakes.passages import passage
from fireside.core.message import PassagesPart
from fireside.ui.documents.documents_text import attached_cost_text, snippet


@pytest.mark.parametrize(("question", "words"), [("Where is it?", "no passages"), (" \n", ""), ("", "")])
def test_nothing_is_missing_before_there_is_a_question(question: str, words: str) -> None:
    assert attached_cost_text(PassagesPart(question=question)) == words


@pytest.mark.parametrize(
    ("name", "text", "shown"),
    [
        (
            "pump.md",
            "## Oil\n\nUse **thin** oil, see [the list](https://a.example).",
            "Oil Use thin oil, see the list.",
        ),
        ("pump.md", "- one\n- `two`\n\n```sh\nmake *\n```", "- one - two make *"),
        ("pump.MD", "| Part | Price |\n|---|---|\n| Pump | 12 |", "Part Price Pump 12"),
        ("note.docx", "# Oil\n\nThin.", "Oil Thin."),
        ("pump.txt", "2 * 3 * 4\n# no heading", "2 * 3 * 4 # no heading"),
        ("pump.py", "# **kept**", "# **kept**"),
    ],
)
def test_a_snippet_reads_without_the_signs_of_markdown(
    qtbot: QtBot, name: str, text: str, shown: str
) -> None:
    assert snippet(passage(text, name=name)) == shown


def test_a_snippet_of_a_long_passage_says_that_it_goes_on(qtbot: QtBot) -> None:
    words = snippet(passage("Thin oil. " * 1000, name="pump.md"))
    assert words.endswith("…")
    assert len(words) < 450
