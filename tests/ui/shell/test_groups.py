"""Rows, headings and times of the list of chats."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any
from zoneinfo import ZoneInfo

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.ids import ConversationId, FolderId
from fireside.ui.sidebar.groups import (
    ArchiveRow,
    ConversationRow,
    EmptyFolderRow,
    FolderRow,
    GroupHeading,
    Sort,
    rows_of,
    seconds_to_midnight,
    time_of,
)
from fireside.ui.time_text import format_relative_time

NOW = datetime(2026, 11, 21, 15, 30, tzinfo=UTC)


replace = msgspec.structs.replace


def summary(
    *, days: float = 0, title: str = "Title", pinned: bool = False, number: int = 1
) -> ConversationSummary:
    at = (NOW - timedelta(days=days)).timestamp()
    return ConversationSummary(
        id=ConversationId(number), title=title, pinned=pinned, created_at=at, updated_at=at
    )


def heading_of(chat: ConversationSummary, *, now: datetime) -> str:
    heading, _line = rows_of([chat], now=now)
    assert isinstance(heading, GroupHeading)
    return heading.text


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
def test_a_chat_is_under_the_heading_of_its_day(days: float, heading: str) -> None:
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
def test_the_time_of_a_chat_is_formatted_by_its_age(days: float, words: str) -> None:
    assert format_relative_time(summary(days=days).updated_at, now=NOW) == words


def test_pinned_chats_come_first_whatever_their_age() -> None:
    assert row_labels(summary(number=1), summary(number=2, days=400, pinned=True)) == [
        "Pinned",
        2,
        "Today",
        1,
    ]


def row_labels(*chats: ConversationSummary, **how: Any) -> list[str | int]:
    """Return the rows: texts of headings, names of folders, ids of chats."""
    labels: list[str | int] = []
    for row in rows_of(chats, now=NOW, **how):
        match row:
            case GroupHeading(text=text):
                labels.append(text)
            case FolderRow(folder=folder, n_chats=n):
                labels.append(f"{folder.name} {n}")
            case ArchiveRow(n_chats=n):
                labels.append(f"Archive {n}")
            case EmptyFolderRow():
                labels.append("empty")
            case ConversationRow():
                labels.append(row.summary.id)
    return labels


WORK, HOME = Folder(id=FolderId(1), name="Work"), Folder(id=FolderId(2), name="Home", is_open=False)


def test_folders_are_between_the_pinned_chats_and_the_others() -> None:
    chats = (
        summary(number=1, pinned=True),
        replace(summary(number=2), folder_id=WORK.id),
        replace(summary(number=3), folder_id=HOME.id),
        summary(number=4),
    )
    assert row_labels(*chats, folders=(WORK, HOME)) == [
        *("Pinned", 1, "Folders", "Work 1", 2, "Home 1"),
        *("Today", 4),
    ]


def test_the_archive_is_shown_while_not_empty_and_expands() -> None:
    away = replace(summary(number=1), archived=True, pinned=True, folder_id=WORK.id)
    assert row_labels(away, folders=(WORK,)) == ["Folders", "Work 0", "empty", "Archive 1"]
    assert row_labels(away, is_archive_open=True) == ["Archive 1", 1]
    assert row_labels(summary()) == ["Today", 1]


def test_a_pinned_chat_in_a_folder_is_first_in_it() -> None:
    chats = [replace(summary(number=n, days=n), folder_id=WORK.id, pinned=n == 3) for n in (1, 2, 3)]
    assert row_labels(*chats, folders=(WORK,)) == ["Folders", "Work 3", 3, 1, 2]


def test_a_chat_of_a_missing_folder_is_not_lost() -> None:
    assert row_labels(replace(summary(), folder_id=FolderId(9))) == ["Today", 1]


def test_sorted_by_name_there_are_no_days() -> None:
    chats = (
        summary(number=1, title="b"),
        summary(number=2, title="A", days=90),
        summary(number=3, title="c"),
    )
    assert row_labels(*chats, sort=Sort.NAME) == [2, 1, 3]
    assert row_labels(*chats, sort=Sort.NAME, folders=(HOME,)) == ["Folders", "Home 0", "Chats", 2, 1, 3]


def test_sorted_by_creation_a_chat_is_under_its_first_day() -> None:
    old = replace(summary(number=1), created_at=(NOW - timedelta(days=1)).timestamp())
    assert row_labels(old, summary(number=2, days=0.1), sort=Sort.CREATED) == ["Today", 2, "Yesterday", 1]
    assert time_of(old, Sort.CREATED) == old.created_at
    assert time_of(old, Sort.USED) == old.updated_at


@given(st.lists(st.floats(0, 3000), max_size=60))
def test_each_chat_of_a_long_list_is_under_the_heading_of_its_day(ages: list[float]) -> None:
    heading = ""
    for row in rows_of([summary(days=days, number=n) for n, days in enumerate(ages)], now=NOW):
        if isinstance(row, GroupHeading):
            heading = row.text
        elif isinstance(row, ConversationRow):
            assert heading_of(row.summary, now=NOW) == heading


@given(st.lists(st.tuples(st.floats(0, 2000), st.booleans()), max_size=40))
def test_no_chat_is_lost_or_duplicated_and_groups_are_contiguous(ages: list[tuple[float, bool]]) -> None:
    chats = [summary(days=days, pinned=pinned, number=n) for n, (days, pinned) in enumerate(ages)]
    rows = rows_of(chats, now=NOW)
    assert sorted(row.summary.id for row in rows if isinstance(row, ConversationRow)) == list(
        range(len(ages))
    )
    headings = [row.text for row in rows if isinstance(row, GroupHeading)]
    assert len(headings) == len(set(headings))
    for before, after in pairwise(rows):
        assert not (isinstance(before, GroupHeading) and isinstance(after, GroupHeading))


def test_midnight_is_never_further_than_a_day_or_in_the_past() -> None:
    assert 1 <= seconds_to_midnight(datetime.now().astimezone()) <= 25 * 3600


def test_chats_under_a_month_have_no_date_and_the_archive_is_last() -> None:
    away = replace(summary(number=3), archived=True)
    rows = rows_of([summary(number=1), summary(days=90, number=2), away], now=NOW)
    dated = {row.summary.id: row.is_dated for row in rows if isinstance(row, ConversationRow)}
    assert dated == {1: True, 2: False}
    assert isinstance(rows[-1], ArchiveRow)
