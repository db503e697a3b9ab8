"""Headings and times of the list of chats, without a window."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.chat import ConversationSummary
from fireside.core.ids import ConversationId
from fireside.ui.sidebar.groups import Heading, Line, heading_of, rows_of, seconds_to_midnight, time_words

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)


def summary(
    *, days: float = 0, title: str = "Title", pinned: bool = False, number: int = 1
) -> ConversationSummary:
    at = (NOW - timedelta(days=days)).timestamp()
    return ConversationSummary(
        id=ConversationId(number), title=title, pinned=pinned, created_at=at, updated_at=at
    )


@pytest.mark.parametrize(
    ("days", "heading"),
    [
        (0, "Today"),
        (15.4 / 24, "Today"),
        (15.6 / 24, "Yesterday"),
        (1, "Yesterday"),
        (2, "Previous 7 days"),
        (7, "Previous 7 days"),
        (8, "Previous 30 days"),
        (30, "Previous 30 days"),
        (31, "October"),
        (330, "December 2025"),
        (-3, "Today"),
    ],
)
def test_a_chat_stands_under_the_heading_of_its_day(days: float, heading: str) -> None:
    assert heading_of(summary(days=days), now=NOW) == heading


def test_a_day_ends_at_local_midnight_not_at_utcs() -> None:
    now = datetime(2026, 11, 21, 0, 30, tzinfo=ZoneInfo("Pacific/Auckland"))
    before_midnight = (now - timedelta(hours=1)).timestamp()
    chat = ConversationSummary(
        id=ConversationId(1), title="", pinned=False, created_at=0, updated_at=before_midnight
    )
    assert heading_of(chat, now=now) == "Yesterday"


@pytest.mark.parametrize(
    ("days", "words"),
    [
        (0, "now"),
        (59 / 86400, "now"),
        (61 / 86400, "15:28"),
        (4 / 24, "11:30"),
        (1, "Fri"),
        (6, "Sun"),
        (7, "14 Nov"),
        (400, "17 Oct 2025"),
    ],
)
def test_the_time_of_a_chat_is_worded_by_its_age(days: float, words: str) -> None:
    assert time_words(summary(days=days).updated_at, now=NOW) == words


def test_pinned_chats_come_first_whatever_their_age() -> None:
    rows = rows_of([summary(number=1), summary(number=2, days=400, pinned=True)], now=NOW)
    assert [row.text if isinstance(row, Heading) else row.summary.id for row in rows] == [
        "Pinned",
        2,
        "Today",
        1,
    ]


def test_a_search_needs_every_word_in_any_order_and_case() -> None:
    chats = [summary(number=1, title="Straße nach Lisbon"), summary(number=2, title="Lisbon")]
    found = [row for row in rows_of(chats, now=NOW, words="LISBON strasse") if isinstance(row, Line)]
    assert [line.summary.id for line in found] == [1]


def test_a_search_without_a_hit_shows_no_heading_either() -> None:
    assert rows_of([summary()], now=NOW, words="nothing like it") == ()


@given(st.lists(st.tuples(st.floats(0, 2000), st.booleans()), max_size=40))
def test_no_chat_is_lost_or_doubled_and_each_group_is_in_one_piece(ages: list[tuple[float, bool]]) -> None:
    chats = [summary(days=days, pinned=pinned, number=n) for n, (days, pinned) in enumerate(ages)]
    rows = rows_of(chats, now=NOW)
    assert sorted(row.summary.id for row in rows if isinstance(row, Line)) == list(range(len(ages)))
    headings = [row.text for row in rows if isinstance(row, Heading)]
    assert len(headings) == len(set(headings))
    for before, after in pairwise(rows):
        assert not (isinstance(before, Heading) and isinstance(after, Heading))


def test_midnight_is_never_further_than_a_day_or_in_the_past() -> None:
    assert 1 <= seconds_to_midnight(datetime.now().astimezone()) <= 25 * 3600
