"""What can be typed after ``documents``."""

from __future__ import annotations

import pytest

from fireside.cli.arguments import parse
from fireside.cli.document_arguments import DocumentArguments
from fireside.cli.documents import excerpt, state_text
from fireside.core.collection import CollectionState


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        (["add", "Manuals", "a", "b"], DocumentArguments(action="add", name="Manuals", paths=("a", "b"))),
        (["list"], DocumentArguments(action="list")),
        (["remove", "My", "books"], DocumentArguments(action="remove", name="My books")),
        (["search", "--in", "A", "the", "pump"], DocumentArguments(action="search", collections=("A",))),
        (
            ["ask", "Why so?", "--in", "A", "--in", "B"],
            DocumentArguments(action="ask", collections=("A", "B")),
        ),
    ],
)
def test_the_arguments_of_documents_are_parsed(typed: list[str], expected: DocumentArguments) -> None:
    arguments = parse(["documents", *typed]).documents
    assert (arguments.action, arguments.paths, arguments.collections) == (
        expected.action,
        expected.paths,
        expected.collections,
    )
    if expected.name:
        assert arguments.name == expected.name


def test_a_question_may_be_of_several_words_and_names_its_model() -> None:
    arguments = parse(["documents", "ask", "Why", "is", "it?", "--model", "tiny"])
    assert (arguments.documents.words, arguments.model) == ("Why is it?", "tiny")
    assert not arguments.documents.reads_all


def test_reading_everything_and_a_vision_model_are_options() -> None:
    assert parse(["documents", "ask", "--all", "Why?"]).documents.reads_all
    assert parse(["documents", "add", "A", "b", "--vision-model", "eyes"]).documents.vision_model == "eyes"


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
        parse(["documents", *typed])
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
