"""``fireside documents``: what can be typed, and what is printed."""

from __future__ import annotations

import pytest

from fireside.cli import run
from fireside.cli.command_line import parse
from fireside.cli.commands.documents import excerpt, state_text
from fireside.core.collection import CollectionState


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["add", "Manuals", "a", "b"], {"name": "Manuals", "paths": ["a", "b"]}),
        (["add", "A", "b", "--vision-model", "eyes"], {"vision_model": "eyes", "model": None}),
        (["list"], {"name": []}),
        (["remove", "My", "books"], {"name": ["My", "books"]}),
        (["search", "--in", "A", "the", "pump"], {"words": ["the", "pump"], "collections": ["A"]}),
        (
            ["ask", "Why", "so?", "--in", "A", "--in", "B"],
            {"words": ["Why", "so?"], "collections": ["A", "B"]},
        ),
        (["ask", "Why", "is", "it?", "--model", "tiny"], {"model": "tiny", "reads_all": False}),
        (["ask", "--all", "Why?"], {"words": ["Why?"], "reads_all": True}),
    ],
)
def test_the_arguments_of_documents_are_parsed(typed: list[str], expected: dict[str, object]) -> None:
    arguments = parse(["documents", *typed]).arguments
    assert arguments.items() >= expected.items()


@pytest.mark.parametrize(
    "typed",
    [
        [],
        ["add"],
        ["ask"],
        ["search", " "],
        ["remove"],
        ["list", "--in", "A"],
        ["forget", "A"],
        ["search", "x", "--all"],
        ["ask", "x", "--vision-model", "eyes"],
    ],
)
def test_missing_arguments_are_reported(typed: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        run(["documents", *typed])
    assert ended.value.code == 2
    assert "documents" in capsys.readouterr().err


def test_the_state_of_a_collection_is_one_line() -> None:
    state = CollectionState(n_files=430, n_searchable=412, n_unreadable=18, n_embedded=7)
    assert state_text(state) == "412 of 430 files searchable · 18 unreadable · 7 found by meaning"
    scanned = CollectionState(n_files=2, n_searchable=1, n_scans=30, n_scans_read=12, read_by="Eyes")
    assert state_text(scanned) == "1 of 2 files searchable · 12 of 30 pages read by Eyes"


def test_an_excerpt_shows_the_words_of_the_query() -> None:
    rows = " ".join(f"item {n}, brass valve, {n * 7} pieces." for n in range(40))
    text = excerpt(f"{rows} The rubber hoses are on shelf 9. {rows}", "where is the rubber hose")
    assert "rubber hoses are on shelf 9" in text
    assert text.startswith("… ")
    assert len(text) <= 244
    assert excerpt("Short.", "zebra") == "Short."
