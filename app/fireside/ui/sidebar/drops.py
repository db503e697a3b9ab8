"""What it means to drop chats or a folder on a row of the list. Pure."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from fireside.core.i18n import tr
from fireside.core.ids import FolderId
from fireside.ui.sidebar.groups import PINNED, ArchiveRow, ChatLine, FolderRow, Heading, Row


class IntoFolder(msgspec.Struct, frozen=True):
    """The chats go into a folder."""

    folder_id: FolderId


class IntoArchive(msgspec.Struct, frozen=True):
    """The chats are put away."""


class IntoPinned(msgspec.Struct, frozen=True):
    """The chats are pinned."""


class IntoList(msgspec.Struct, frozen=True):
    """The chats are taken out of where they are."""


DropTarget = IntoFolder | IntoArchive | IntoPinned | IntoList


def drop_target(row: Row | None) -> DropTarget:
    """Return where chats go that are dropped on ``row``; ``None`` is the free room below the list."""
    match row:
        case FolderRow(folder=folder):
            return IntoFolder(folder.id)
        case ArchiveRow():
            return IntoArchive()
        case ChatLine(summary=summary, is_inside=True):
            if summary.archived or summary.folder_id is None:
                return IntoArchive()
            return IntoFolder(summary.folder_id)
        case ChatLine(summary=summary) if summary.pinned:
            return IntoPinned()
        case Heading(text=text) if text == tr(PINNED):
            return IntoPinned()
        case _:
            return IntoList()


def folder_drop_position(rows: Sequence[Row], *, at: int, is_upper_half: bool) -> int:
    """Return before how many folders a line would stand that is drawn at row ``at``.

    On a folder it stands above or below it; on the chats inside of one, below it.
    """
    n_above = sum(isinstance(row, FolderRow) for row in rows[: at + 1])
    on_folder = 0 <= at < len(rows) and isinstance(rows[at], FolderRow)
    return n_above - 1 if on_folder and is_upper_half else n_above


def position_after_drop(rows: Sequence[Row], folder_id: FolderId, *, drop_position: int) -> int | None:
    """Return the new position of a folder dropped at ``drop_position``; ``None`` if it stays where it is."""
    order = [row.folder.id for row in rows if isinstance(row, FolderRow)]
    if folder_id not in order:
        return None
    now = order.index(folder_id)
    new = drop_position - 1 if drop_position > now else drop_position
    return new if new != now else None
