"""Group conversations into folders and under headings by date. Pure functions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

import msgspec

from fireside.core.chat import ConversationSummary, Folder
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import FolderId
from fireside.ui.time_text import month_label

PINNED: Final = tr_noop("Pinned")
FOLDERS: Final = tr_noop("Folders")
ALL: Final = tr_noop("Chats")
_MAX_DAYS: Final = 30
"""Chats older than this number of days are grouped by month."""


class Sort(StrEnum):
    """How the chats are sorted."""

    USED = "used"
    """The most recently used first."""
    CREATED = "created"
    """The most recently created first."""
    NAME = "name"


class GroupHeading(msgspec.Struct, frozen=True):
    """A line above a group."""

    text: str


class FolderRow(msgspec.Struct, frozen=True):
    """A folder, with the number of its chats."""

    folder: Folder
    n_chats: int


class ArchiveRow(msgspec.Struct, frozen=True):
    """The archive, which expands as a folder does."""

    n_chats: int
    is_open: bool


class ConversationRow(msgspec.Struct, frozen=True):
    """A conversation."""

    summary: ConversationSummary
    is_inside: bool = False
    """Whether the row is inside a folder or the archive."""
    is_dated: bool = True
    """Whether its time is shown; a chat under a month's heading needs no date."""


class EmptyFolderRow(msgspec.Struct, frozen=True):
    """What an open folder without chats shows."""

    folder_id: FolderId


Row = GroupHeading | FolderRow | EmptyFolderRow | ArchiveRow | ConversationRow


def rows_of(
    summaries: Iterable[ConversationSummary],
    *,
    now: datetime,
    folders: Sequence[Folder] = (),
    sort: Sort = Sort.USED,
    is_archive_open: bool = False,
) -> tuple[Row, ...]:
    """Return the rows to show: pinned chats, folders, the others by date or name, then the archive.

    ``now`` carries the local time zone.

    A chat is listed once: in the archive, else in its folder, else among the pinned, else with the others.
    """
    inside: dict[FolderId, list[ConversationSummary]] = {folder.id: [] for folder in folders}
    pinned: list[ConversationSummary] = []
    archived: list[ConversationSummary] = []
    others: list[ConversationSummary] = []
    for summary in sorted(summaries, key=_sort_key(sort)):
        if summary.archived:
            archived.append(summary)
        elif summary.folder_id in inside:
            inside[summary.folder_id].append(summary)
        else:
            (pinned if summary.pinned else others).append(summary)
    rows: list[Row] = []
    if pinned:
        rows += [GroupHeading(tr(PINNED)), *map(ConversationRow, pinned)]
    if folders:
        rows.append(GroupHeading(tr(FOLDERS)))
    for folder in folders:
        rows.append(FolderRow(folder, len(inside[folder.id])))
        if folder.is_open:
            rows += (ConversationRow(summary, is_inside=True) for summary in inside[folder.id])
            if not inside[folder.id]:
                rows.append(EmptyFolderRow(folder.id))
    if sort is Sort.NAME:
        # Alone they need no heading: the sidebar has one for all chats.
        rows += [GroupHeading(tr(ALL))] if rows and others else []
        rows += map(ConversationRow, others)
    else:
        rows += _under_headings(others, now=now, sort=sort)
    if archived:
        rows.append(ArchiveRow(len(archived), is_archive_open))
        if is_archive_open:
            rows += (ConversationRow(summary, is_inside=True) for summary in archived)
    return tuple(rows)


def time_of(summary: ConversationSummary, sort: Sort) -> float:
    """Return the time, in seconds since the epoch, that is shown with a chat in this order."""
    return summary.created_at if sort is Sort.CREATED else summary.updated_at


def seconds_to_midnight(now: datetime) -> float:
    """Return for how many seconds today's headings stay valid; exact across a clock change too."""
    midnight = datetime.combine(now.date() + timedelta(days=1), datetime.min.time())
    return max(1.0, midnight.astimezone().timestamp() - now.timestamp())


def _sort_key(sort: Sort) -> Callable[[ConversationSummary], tuple[Any, ...]]:
    if sort is Sort.NAME:
        return lambda s: (not s.pinned, s.title.casefold(), -s.id)
    if sort is Sort.CREATED:
        return lambda s: (not s.pinned, -s.created_at, -s.id)
    return lambda s: (not s.pinned, -s.updated_at, -s.id)


def _under_headings(others: Sequence[ConversationSummary], *, now: datetime, sort: Sort) -> Iterator[Row]:
    start, is_month = float("inf"), False
    for summary in others:
        at = time_of(summary, sort)
        if at < start:
            text, start, is_month = _heading_at(at, now=now)
            yield GroupHeading(text)
        yield ConversationRow(summary, is_dated=not is_month)


def _heading_at(at: float, *, now: datetime) -> tuple[str, float, bool]:
    """Return the heading for a time, the start of its range, and whether it is a month's name."""
    day = datetime.fromtimestamp(at, tz=now.tzinfo).date()
    today = now.date()
    age = (today - day).days
    if age <= 0:
        text, first = tr("Today"), today
    elif age == 1:
        text, first = tr("Yesterday"), today - timedelta(days=1)
    elif age <= 7:
        text, first = tr("Previous 7 days"), today - timedelta(days=7)
    elif age <= _MAX_DAYS:
        text, first = tr("Previous 30 days"), today - timedelta(days=30)
    else:
        text, first = month_label(day, now=now), day.replace(day=1)
    start = datetime.combine(first, datetime.min.time(), tzinfo=now.tzinfo).timestamp()
    return text, start, age > _MAX_DAYS
