"""Fuzzy matching of the palette."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.ui.palette.matching import make_haystack, match
from fireside.ui.palette.targets import MAX_HITS, RECENT_LIMIT, Index, Target, TargetKind, with_recent

TITLES = (
    "New chat",
    "Search chats",
    "Previous chat",
    "Choose model",
    "Chat settings",
    "Larger text",
    "Text size",
    "Toggle sidebar",
)


def targets(*titles: str, location: str = "", kind: TargetKind = TargetKind.COMMAND) -> list[Target]:
    return [
        Target(kind=kind, key=title, label=title, location=location, action=lambda: None) for title in titles
    ]


def labels_for(query: str, *titles: str, recent: tuple[str, ...] = ()) -> list[str]:
    return [hit.target.label for hit in Index(targets(*titles), recent=recent).hits(query)]


@pytest.mark.parametrize(
    ("query", "titles", "first"),
    [
        pytest.param("ext", ("Next", "Extra"), ["Extra", "Next"], id="word starts before substrings"),
        pytest.param("text", TITLES, ["Text size", "Larger text"], id="a word before scattered letters"),
        pytest.param("nc", TITLES, ["New chat"], id="initials"),
        pytest.param("chat new", TITLES, ["New chat"], id="words in any order"),
        pytest.param("CAFE", ("Le café",), ["Le café"], id="case and accents are ignored"),
        pytest.param("sttng", TITLES, ["Chat settings"], id="an abbreviated word"),
    ],
)
def test_a_query_finds(query: str, titles: tuple[str, ...], first: list[str]) -> None:
    assert labels_for(query, *titles)[: len(first)] == first


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        pytest.param("set", ("Choose model", "DRY multiplier", "Smaller text"), id="no initials in words"),
        pytest.param("xz", ("A text that goes on and on until it meets a zebra",), id="letters far apart"),
        pytest.param("chat zebra", TITLES, id="every word must match"),
        pytest.param("chat new", TITLES[1:], id="all words in one title"),
    ],
)
def test_a_query_finds_nothing(query: str, titles: tuple[str, ...]) -> None:
    assert labels_for(query, *titles) == []


def test_the_location_matches_after_the_label() -> None:
    index = Index([*targets("Theme", location="Settings"), *targets("Settings")], recent=())
    assert [hit.target.label for hit in index.hits("settings")] == ["Settings", "Theme"]


def test_without_a_query_recent_targets_come_first() -> None:
    recent = ("command:Text size", "command:Previous chat")
    rest = [title for title in TITLES if title not in ("Text size", "Previous chat")]
    assert labels_for("", *TITLES, recent=recent) == ["Text size", "Previous chat", *rest]


def test_without_a_query_the_latest_chats_come_before_what_was_used() -> None:
    chats = targets(*(f"Chat {n}" for n in range(8)), kind=TargetKind.CHAT)
    index = Index([*targets("Next chat", "Text size"), *chats], recent=("command:Text size", "chat:Chat 7"))
    labels = [hit.target.label for hit in index.hits(" ")]
    assert labels[:8] == [*(f"Chat {n}" for n in range(5)), "Text size", "Chat 7", "Next chat"]
    assert sorted(labels) == sorted([*(f"Chat {n}" for n in range(8)), "Next chat", "Text size"])


def test_the_most_recent_of_equal_matches_is_first() -> None:
    assert labels_for("chat", "Chat b", "Chat a", recent=("command:Chat a",)) == ["Chat a", "Chat b"]


def test_a_much_better_match_ranks_before_a_recent_one() -> None:
    assert labels_for("text", "Next exit", "Text", recent=("command:Next exit",))[0] == "Text"


def test_the_matched_letters_have_positions() -> None:
    result = match("siz", make_haystack("Text size"))
    assert result is not None
    assert result.positions == (5, 6, 7)


def test_the_number_of_hits_is_limited() -> None:
    assert len(labels_for("chat", *(f"Chat {n}" for n in range(MAX_HITS + 5)))) == MAX_HITS


def test_recent_names_are_unique_and_limited() -> None:
    recent: tuple[str, ...] = ()
    for n in range(RECENT_LIMIT + 3):
        recent = with_recent(recent, f"chat:{n}")
    again = with_recent(recent, recent[3])
    assert (len(again), again[0], len(set(again))) == (RECENT_LIMIT, recent[3], RECENT_LIMIT)


def test_too_long_names_are_not_remembered() -> None:
    assert with_recent(("chat:1",), "model:" + "x" * 500) == ("chat:1",)


@given(st.text(max_size=60), st.text(max_size=300))
def test_matched_positions_are_letters_of_the_query(query: str, text: str) -> None:
    haystack = make_haystack(text)
    result = match(query, haystack)
    if result is not None:
        assert all(0 <= position < len(haystack.text) for position in result.positions)
        assert list(result.positions) == sorted(set(result.positions))
        letters = set(make_haystack(query).folded)
        assert {haystack.folded[position] for position in result.positions} <= letters


@given(st.text(alphabet="abcde fgh", min_size=1, max_size=30), st.data())
def test_any_substring_matches(text: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(text) - 1))
    assert match(text[start : start + 10], make_haystack(text)) is not None
