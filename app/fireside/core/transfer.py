"""Values of export, import, print and backup of conversations."""

from __future__ import annotations

from enum import StrEnum

import msgspec

from fireside.core.errors import ErrorInfo
from fireside.core.ids import ConversationId
from fireside.core.message import MessagePart, Role


class ExportFormat(StrEnum):
    """What a conversation can be written as."""

    MARKDOWN = "markdown"
    """The branch that is shown, to be read and edited anywhere."""
    HTML = "html"
    """The branch that is shown, as one page that needs nothing else."""
    PDF = "pdf"
    """The branch that is shown, on paper."""
    JSON = "json"
    """Everything, with all branches: Fireside can read it again."""


FILE_ENDINGS = {
    ExportFormat.MARKDOWN: ".md",
    ExportFormat.HTML: ".html",
    ExportFormat.PDF: ".pdf",
    ExportFormat.JSON: ".json",
}


class ExportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an export wrote, and where."""

    paths: tuple[str, ...]
    n_conversations: int
    n_unreadable: int = 0
    """Messages that are damaged; a placeholder stands in their places."""


class PrintedMessage(msgspec.Struct, frozen=True, kw_only=True):
    """A message as it goes on paper."""

    role: Role
    name: str
    """Who speaks."""
    parts: tuple[MessagePart, ...]
    thought: str
    """What is said above the model's reasoning."""
    note: str = ""
    """What went wrong with it; empty if nothing did."""


class PrintedPage(msgspec.Struct, frozen=True, kw_only=True):
    """One conversation ready for paper."""

    title: str
    facts: str
    """When it began and which models answered."""
    messages: tuple[PrintedMessage, ...]
    """Of the branch that is shown."""
    n_unreadable: int = 0


class SkippedItem(msgspec.Struct, frozen=True, kw_only=True):
    """Something that an import left out."""

    what: str
    """A conversation's title or a file's name."""
    reason: str
    """One sentence for the user."""


class ImportReport(msgspec.Struct, frozen=True, kw_only=True):
    """What an import took over and what it left out."""

    imported: tuple[ConversationId, ...] = ()
    n_already_there: int = 0
    skipped: tuple[SkippedItem, ...] = ()
    """At most some hundred of them; ``n_skipped`` counts all."""
    n_skipped: int = 0


class BackupKind(StrEnum):
    """Why a backup was made."""

    AUTOMATIC = "automatic"
    BY_HAND = "by-hand"
    BEFORE_RESTORE = "before-restore"
    """What there was before a backup was brought back."""
    BEFORE_UPDATE = "before-update"
    """What there was before a newer version of the program changed the database."""


class Backup(msgspec.Struct, frozen=True, kw_only=True):
    """A copy of all conversations in one file, checked when it was made."""

    path: str
    kind: BackupKind
    made_at: float
    """Seconds since the epoch, UTC."""
    size_bytes: int


class BackupState(msgspec.Struct, frozen=True, kw_only=True):
    """The backups that there are, the newest first."""

    folder: str
    backups: tuple[Backup, ...] = ()
    problem: ErrorInfo | None = None
    """Why the last automatic one could not be made."""


class RestoreResult(msgspec.Struct, frozen=True, kw_only=True):
    """What bringing a backup back did."""

    previous: Backup | None
    """The copy of what there was before; ``None`` where that was set aside as a damaged file."""
    needs_restart: bool = False
    """The conversations are there once Fireside is started again."""


class TransferProgressed(msgspec.Struct, frozen=True, kw_only=True, tag="transfer_progressed"):
    """An export or import goes on; conversations."""

    n_done: int
    n_total: int | None
    """``None`` while unknown."""


class BackupsChanged(msgspec.Struct, frozen=True, kw_only=True, tag="backups_changed"):
    """A backup was made or removed, or could not be made."""

    state: BackupState


class ConversationsRestored(msgspec.Struct, frozen=True, kw_only=True, tag="conversations_restored"):
    """All conversations are those of a backup now: ask for everything again."""
