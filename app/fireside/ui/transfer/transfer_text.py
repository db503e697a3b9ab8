"""The texts about exports, imports and backups. Pure: no Qt."""

from __future__ import annotations

from datetime import datetime
from pathlib import PurePath
from typing import Final

from fireside.core.i18n import number, tr, tr_noop
from fireside.core.transfer import BackupKind, BackupState, ExportFormat, ExportReport, ImportReport
from fireside.ui.time_text import format_day

FORMATS: Final = (
    (ExportFormat.MARKDOWN, "Markdown", tr_noop("As you see it, as plain text.")),
    (
        ExportFormat.HTML,
        tr_noop("HTML"),
        tr_noop("As you see it, as one web page."),
    ),
    (ExportFormat.PDF, "PDF", tr_noop("As you see it, on pages.")),
    (
        ExportFormat.DOCX,
        tr_noop("Word"),
        tr_noop("With headings, lists, tables, code, formulas and images."),
    ),
    (ExportFormat.PPTX, tr_noop("Slides"), tr_noop("PowerPoint: each heading begins a slide.")),
    (ExportFormat.XLSX, tr_noop("Workbook"), tr_noop("Excel: the tables, each on a sheet of its own.")),
    (ExportFormat.CSV, "CSV", tr_noop("The tables, as plain text.")),
    (
        ExportFormat.JSON,
        tr_noop("JSON (full)"),
        tr_noop("All branches and settings; can be imported again."),
    ),
)
_N_SHOWN: Final = 3
_KINDS: Final = {
    BackupKind.AUTOMATIC: tr_noop("Automatic"),
    BackupKind.BY_HAND: tr_noop("Manual"),
    BackupKind.BEFORE_RESTORE: tr_noop("Before a restore"),
    BackupKind.BEFORE_UPDATE: tr_noop("Before an update"),
}


def chat_count(n: int) -> str:
    """Return a number of chats as text."""
    return tr("%n chat|%n chats", "", n)


def saved_text(path: str) -> str:
    """Return that an answer was saved as a file."""
    return tr("Saved as {name}.").format(name=PurePath(path).name)


def export_summary(report: ExportReport) -> str:
    """Return the result of an export as text."""
    text = tr("%n chat exported.|%n chats exported.", "", report.n_conversations)
    if (n := report.n_unreadable) > 0:
        damaged = tr(
            "1 damaged message was replaced by a note.|%n damaged messages were replaced by notes.",
            "",
            n,
        )
        text = f"{text} {damaged}"
    if (n := report.n_failed) > 0:
        failed = tr("%n chat was not exported:|%n chats were not exported:", "", n)
        shown = "; ".join(f"{each.what} – {each.reason}" for each in report.failed[:_N_SHOWN])
        text = f"{text} {failed} {shown}"
    return text


def import_summary(report: ImportReport) -> str:
    """Return the result of an import as text."""
    n_new, n_there, n_skipped = len(report.imported), report.n_already_there, report.n_skipped
    parts = list(report.projects)
    parts += [tr("%n chat imported.|%n chats imported.", "", n_new)] if n_new else []
    if report.updated:
        parts.append(tr("%n chat got new messages.|%n chats got new messages.", "", len(report.updated)))
    if not parts:
        parts.append(tr("Nothing new to import."))
    if n_there:
        parts.append(tr("%n existing chat skipped.|%n existing chats skipped.", "", n_there))
    problems = [tr("%n incomplete|%n incomplete", "", report.n_incomplete)] if report.n_incomplete else []
    if n_skipped:
        problems.append(tr("%n failed|%n failed", "", n_skipped))
    if problems:
        parts.append(f"{', '.join(problems)}:")
    return " ".join(parts)


def skipped_summary(report: ImportReport) -> str:
    """Return a line for each item that was skipped or is incomplete."""
    items = (*report.incomplete, *report.skipped)
    lines = [f"{item.what} – {item.reason}" for item in items]
    if (n_more := report.n_incomplete + report.n_skipped - len(items)) > 0:
        lines.append(tr("and %n more|and %n more", "", n_more))
    return "\n".join(lines)


def progress_text(n_done: int, n_total: int | None) -> str:
    """Return the progress of an export or import as text."""
    if n_total is None:
        return tr("%n chat so far|%n chats so far", "", n_done)
    return tr("{n_done} of %n chat|{n_done} of %n chats", "", n_total).format(n_done=number(n_done))


def kind_label(kind: BackupKind) -> str:
    """Return why a backup was made, as text."""
    return tr(_KINDS[kind])


def moment_text(at: float, *, now: datetime) -> str:
    """Return a local day and time: “Today, 11:20”, “21 Nov 2026, 11:20”."""
    try:
        then = datetime.fromtimestamp(at, tz=now.tzinfo)
    except (OverflowError, OSError, ValueError):
        return tr("At an unknown time")
    age = (now.date() - then.date()).days
    day = {0: tr("Today"), 1: tr("Yesterday")}.get(age) or format_day(then)
    return tr("{day}, {time}").format(day=day, time=f"{then:%H:%M}")


def backups_summary(state: BackupState, *, now: datetime) -> str:
    """Return the state of the backups in one line."""
    if not state.folder:
        return tr("Temporary session: nothing to back up.")
    if not state.backups:
        return tr("No backups yet")
    newest = max(state.backups, key=lambda backup: backup.made_at)
    n = len(state.backups)
    return tr("Last: {when} · 1 backup|Last: {when} · %n backups", "", n).format(
        when=moment_text(newest.made_at, now=now)
    )
