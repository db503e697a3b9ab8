"""Values of export, import, print and backup of conversations."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ConversationId
from fireside.core.message import MessagePart, Role


class ExportFormat(StrEnum):
    """Format of an export."""

    MARKDOWN = "markdown"
    """The active branch, for other programs."""
    HTML = "html"
    """The active branch, as a self-contained page."""
    PDF = "pdf"
    """The active branch, for printing."""
    DOCX = "docx"
    """The active branch, as a Word document."""
    PPTX = "pptx"
    """Texts and pictures of the active branch, as slides."""
    XLSX = "xlsx"
    """The tables of the active branch, as a workbook."""
    CSV = "csv"
    """The tables of the active branch, one after the other."""
    JSON = "json"
    """Everything, with all branches, which Fireside can import."""


FILE_ENDINGS = {
    ExportFormat.MARKDOWN: ".md",
    ExportFormat.HTML: ".html",
    ExportFormat.PDF: ".pdf",
    ExportFormat.DOCX: ".docx",
    ExportFormat.PPTX: ".pptx",
    ExportFormat.XLSX: ".xlsx",
    ExportFormat.CSV: ".csv",
    ExportFormat.JSON: ".json",
}


class PrintedMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message for printing."""

    role: Role
    name: str
    """The name of the author."""
    parts: tuple[MessagePart, ...]
    thought: str
    """The heading of the reasoning."""
    note: str = ""
    """The error or interruption of the answer; empty for none."""


class PrintedPage(msgspec.Struct, frozen=True, kw_only=True):
    """A conversation for printing."""

    title: str
    facts: str
    """Its date and models."""
    messages: tuple[PrintedMessage, ...]
    """The active branch."""
    n_unreadable: int = 0


class SkippedItem(msgspec.Struct, frozen=True, kw_only=True):
    """An item that an import or an export skipped."""

    what: str
    """The title of a conversation, or a file name."""
    reason: str
    """A sentence for the user."""


class ExportReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an export."""

    paths: tuple[str, ...]
    n_conversations: int
    n_unreadable: int = 0
    """Damaged messages, which are replaced by a placeholder."""
    failed: tuple[SkippedItem, ...] = ()
    """A limited number of conversations that were not exported; ``n_failed`` counts all."""
    n_failed: int = 0


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """Result of an import."""

    imported: tuple[ConversationId, ...] = ()
    updated: tuple[ConversationId, ...] = ()
    """Conversations that were here already and got messages that were new elsewhere."""
    n_new_messages: int = 0
    """New or changed messages of those."""
    n_already_there: int = 0
    """Conversations in which nothing was new."""
    projects: tuple[str, ...] = ()
    """What became of each project, in sentences."""
    skipped: tuple[SkippedItem, ...] = ()
    """A limited number of skipped items; ``n_skipped`` counts all."""
    n_skipped: int = 0
    incomplete: tuple[SkippedItem, ...] = ()
    """A limited number of conversations of which something could not be read; ``n_incomplete`` counts all."""
    n_incomplete: int = 0


class BackupKind(StrEnum):
    """Why a backup was made."""

    AUTOMATIC = "automatic"
    BY_HAND = "by-hand"
    BEFORE_RESTORE = "before-restore"
    """Made before a backup was restored."""
    BEFORE_UPDATE = "before-update"
    """Made before a newer version of the program migrated the database."""


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of all conversations in one file, which was verified."""

    path: str
    kind: BackupKind
    made_at: float
    """Seconds since the epoch, UTC."""
    size_bytes: int


class BackupState(msgspec.Struct, frozen=True, kw_only=True):
    """The backups, the newest first."""

    folder: str
    backups: tuple[Backup, ...] = ()
    problem: ErrorInfo | None = None
    """Why the last automatic backup failed."""


class RestoreResult(msgspec.Struct, frozen=True, kw_only=True):
    """Result of restoring a backup."""

    previous: Backup | None
    """The backup of the replaced conversations; ``None`` if their file was damaged and was renamed."""
    needs_restart: bool = False
    """Whether the restored conversations are available only after a restart."""


class TransferProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="transfer_progressed"):
    """Progress of an export or import, in conversations."""

    n_done: int
    n_total: int | None
    """``None`` while unknown."""


class BackupsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="backups_changed"):
    """A backup was made or removed, or failed."""

    state: BackupState


class ConversationsRestored(msgspec.Struct, frozen=True, kw_only=True, tag="conversations_restored"):
    """All conversations were replaced by those of a backup; everything must be requested again."""
