"""What exports, imports and backups say to a person. Pure: no Qt."""

from __future__ import annotations

from datetime import datetime
from typing import Final

from fireside.core.transfer import BackupKind, BackupState, ExportFormat, ExportReport, ImportReport

FORMATS: Final = (
    (ExportFormat.MARKDOWN, "Markdown", "The chat as you see it, as text that any editor opens."),
    (ExportFormat.HTML, "Web page", "The chat as you see it, in one file that any browser shows."),
    (ExportFormat.PDF, "PDF", "The chat as you see it, on numbered pages."),
    (ExportFormat.JSON, "Everything", "All branches and settings, as JSON that Fireside can import again."),
)
_KINDS: Final = {
    BackupKind.AUTOMATIC: "Made by itself",
    BackupKind.BY_HAND: "Made by you",
    BackupKind.BEFORE_RESTORE: "Before a backup was brought back",
    BackupKind.BEFORE_UPDATE: "Before an update",
}


def chats(n: int) -> str:
    """Return a number of chats in words."""
    return "1 chat" if n == 1 else f"{n:,} chats"


def exported_words(report: ExportReport) -> str:
    """Say what an export wrote."""
    text = f"Exported {chats(report.n_conversations)}."
    if report.n_unreadable:
        n = report.n_unreadable
        text += f" {'One damaged message' if n == 1 else f'{n:,} damaged messages'} could not be read; "
        text += "a note stands in place."
    return text


def imported_words(report: ImportReport) -> str:
    """Say what an import did."""
    n_new, n_there, n_skipped = len(report.imported), report.n_already_there, report.n_skipped
    parts = [f"{chats(n_new)} imported." if n_new else "Nothing new was imported."]
    if n_there:
        parts.append(f"{chats(n_there)} {'was' if n_there == 1 else 'were'} there already.")
    if n_skipped:
        parts.append(f"{n_skipped:,} could not be imported:")
    return " ".join(parts)


def skipped_words(report: ImportReport) -> str:
    """Return a line for each thing that was left out."""
    lines = [f"{skipped.what} – {skipped.reason}" for skipped in report.skipped]
    if report.n_skipped > len(lines):
        lines.append(f"and {report.n_skipped - len(lines):,} more")
    return "\n".join(lines)


def progress_words(n_done: int, n_total: int | None) -> str:
    """Say how far an export or import is."""
    return f"{n_done:,} of {chats(n_total)}" if n_total is not None else f"{chats(n_done)} so far"


def kind_words(kind: BackupKind) -> str:
    """Say why a backup was made."""
    return _KINDS[kind]


def moment_words(at: float, *, now: datetime) -> str:
    """Return a day and time as a person here says them: “Today, 11:20”, “21 Nov 2026, 11:20”."""
    try:
        then = datetime.fromtimestamp(at, tz=now.tzinfo)
    except (OverflowError, OSError, ValueError):
        return "At an unknown time"
    age = (now.date() - then.date()).days
    day = {0: "Today", 1: "Yesterday"}.get(age, f"{then.day} {then:%b %Y}")
    return f"{day}, {then:%H:%M}"


def backups_words(state: BackupState, *, now: datetime) -> str:
    """Say in one line how things stand with backups."""
    if not state.folder:
        return "This session keeps nothing, so there is nothing to back up."
    if not state.backups:
        return "There is no backup yet."
    newest = max(state.backups, key=lambda backup: backup.made_at)
    n = len(state.backups)
    kept = "one backup is kept" if n == 1 else f"{n} backups are kept"
    return f"Last one: {moment_words(newest.made_at, now=now)}; {kept}."
