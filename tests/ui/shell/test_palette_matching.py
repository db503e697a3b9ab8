"""A few letters find what was meant, the same each time."""

from __future__ import annotations

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


def targets(*titles: str, place: str = "") -> list[Target]:
    return [
        Target(kind=TargetKind.COMMAND, key=title, label=title, location=place, action=lambda: None)
        for title in titles
    ]


def found(query: str, *titles: str, recent: tuple[str, ...] = ()) -> list[str]:
    return [hit.target.label for hit in Index(targets(*titles), recent=recent).hits(query)]


def test_the_beginning_of_a_word_comes_before_its_middle() -> None:
    assert found("ext", "Next", "Extra") == ["Extra", "Next"]


def test_a_word_comes_before_scattered_letters() -> None:
    assert found("text", *TITLES)[:2] == ["Text size", "Larger text"]


def test_initials_find_a_command() -> None:
    assert found("nc", *TITLES)[0] == "New chat"


def test_words_may_come_in_any_order() -> None:
    assert found("chat new", *TITLES) == ["New chat"]


def test_capitals_and_accents_do_not_matter() -> None:
    assert found("CAFE", "Le café") == ["Le café"]


def test_a_word_with_letters_left_out_is_understood() -> None:
    assert found("sttng", *TITLES)[0] == "Chat settings"


def test_letters_in_the_middle_of_words_are_no_initials() -> None:
    assert found("set", "Choose model", "DRY multiplier", "Smaller text") == []


def test_letters_far_apart_mean_nothing() -> None:
    assert found("xz", "A text that goes on and on until it meets a zebra") == []


def test_every_word_must_fit() -> None:
    assert found("chat zebra", *TITLES) == []


def test_the_place_finds_too_but_after_the_words() -> None:
    index = Index([*targets("Theme", place="Settings"), *targets("Settings")], recent=())
    assert [hit.target.label for hit in index.hits("settings")] == ["Settings", "Theme"]


def test_without_a_query_the_last_used_come_first_and_the_others_keep_their_order() -> None:
    recent = ("command:Text size", "command:Previous chat")
    rest = [title for title in TITLES if title not in ("Text size", "Previous chat")]
    assert found("", *TITLES, recent=recent) == ["Text size", "Previous chat", *rest]


def test_of_two_that_fit_equally_the_last_used_comes_first() -> None:
    assert found("chat", "Chat b", "Chat a", recent=("command:Chat a",)) == ["Chat a", "Chat b"]


def test_what_fits_far_better_comes_before_what_was_used_last() -> None:
    assert found("text", "Next exit", "Text", recent=("command:Next exit",))[0] == "Text"


def test_the_letters_that_were_meant_are_marked() -> None:
    fit = match("siz", make_haystack("Text size"))
    assert fit is not None
    assert fit.positions == (5, 6, 7)


def test_no_more_is_shown_than_somebody_reads() -> None:
    assert len(found("chat", *(f"Chat {n}" for n in range(MAX_HITS + 5)))) == MAX_HITS


def test_what_was_used_is_remembered_once_and_not_for_ever() -> None:
    recent: tuple[str, ...] = ()
    for n in range(RECENT_LIMIT + 3):
        recent = with_recent(recent, f"chat:{n}")
    again = with_recent(recent, recent[3])
    assert (len(again), again[0], len(set(again))) == (RECENT_LIMIT, recent[3], RECENT_LIMIT)


def test_a_name_too_long_for_the_file_is_not_remembered() -> None:
    assert with_recent(("chat:1",), "model:" + "x" * 500) == ("chat:1",)


@given(st.text(max_size=60), st.text(max_size=300))
def test_marked_letters_are_those_of_the_query(query: str, words: str) -> None:
    haystack = make_haystack(words)
    fit = match(query, haystack)
    if fit is not None:
        assert all(0 <= place < len(haystack.text) for place in fit.positions)
        assert list(fit.positions) == sorted(set(fit.positions))
        letters = set(make_haystack(query).folded)
        assert {haystack.folded[place] for place in fit.positions} <= letters


@given(st.text(alphabet="abcde fgh", min_size=1, max_size=30), st.data())
def test_any_part_of_a_text_finds_it(words: str, data: st.DataObject) -> None:
    start = data.draw(st.integers(0, len(words) - 1))
    assert match(words[start : start + 10], make_haystack(words)) is not None
