"""Decide what dropping chats or a folder on a row of the list does. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.i18n import tr
from fireside.core.ids import FolderId
from fireside.ui.sidebar.groups import (
    PINNED,
    ArchiveRow,
    ConversationRow,
    EmptyFolderRow,
    FolderRow,
    Heading,
    Row,
)


class IntoFolder(msgspec.Struct, frozen=True):
    """The chats are moved into a folder."""

    folder_id: FolderId


class IntoArchive(msgspec.Struct, frozen=True):
    """The chats are archived."""


class IntoPinned(msgspec.Struct, frozen=True):
    """The chats are pinned."""


class IntoList(msgspec.Struct, frozen=True):
    """The chats are moved out of their folder, the archive or the pinned group."""


DropTarget = IntoFolder | IntoArchive | IntoPinned | IntoList


def drop_target(row: Row | None) -> DropTarget:
    """Return the target of chats dropped on ``row``; ``None`` is the empty area below the list."""
    match row:
        case FolderRow(folder=folder):
            return IntoFolder(folder.id)
        case EmptyFolderRow(folder_id=folder_id):
            return IntoFolder(folder_id)
        case ArchiveRow():
            return IntoArchive()
        case ConversationRow(summary=summary, is_inside=True):
            if summary.archived or summary.folder_id is None:
                return IntoArchive()
            return IntoFolder(summary.folder_id)
        case ConversationRow(summary=summary) if summary.pinned:
            return IntoPinned()
        case Heading(text=text) if text == tr(PINNED):
            return IntoPinned()
        case _:
            return IntoList()


def folder_drop_position(rows: Sequence[Row], *, at: int, is_upper_half: bool) -> int:
    """Return the position among the folders, from 0, of a drop line drawn at row ``at``.

    On a folder's row the line is above or below it; on the rows of the chats inside it, below the folder.
    """
    n_above = sum(isinstance(row, FolderRow) for row in rows[: at + 1])
    on_folder = 0 <= at < len(rows) and isinstance(rows[at], FolderRow)
    return n_above - 1 if on_folder and is_upper_half else n_above


def position_after_drop(rows: Sequence[Row], folder_id: FolderId, *, drop_position: int) -> int | None:
    """Return the new position of a folder dropped at ``drop_position``; ``None`` if it does not move."""
    order = [row.folder.id for row in rows if isinstance(row, FolderRow)]
    if folder_id not in order:
        return None
    current = order.index(folder_id)
    new = drop_position - 1 if drop_position > current else drop_position
    return new if new != current else None
