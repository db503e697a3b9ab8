"""File integrity of one model: what is known, verifying and repairing the file."""

from __future__ import annotations

from datetime import datetime

from PySide6.QtWidgets import QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.library.check_results import Check
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.rows import OWN_FOLDER, Integrity, ModelRow, integrity, integrity_badge
from fireside.ui.time_text import format_iso_day
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import Label, WrappedLabel


class IntegrityBox(QWidget):
    """The integrity of a file: icon, sentence, progress bar, and the buttons to verify and repair."""

    def __init__(self, *, library: LibraryController) -> None:
        super().__init__()
        self._path = ""
        self._picture = Picture("shield", tint="dim")
        self._title = Label(role="strong")
        self.text = WrappedLabel(role="mute")
        self.bar = ProgressBar(name=tr("Progress"))
        self.check = Button(tr("Verify file"), on_click=lambda: library.check(self._path))
        self.repair = Button(tr("Repair"), kind="primary")
        self.repair.setAccessibleDescription(tr("Downloads the damaged parts again"))
        self.repair.clicked.connect(lambda: library.check(self._path, repair=True))
        self.cancel = Button(tr("Cancel"), on_click=lambda: library.cancel_check(self._path))
        column(
            row(self._picture, stretch(self._title), self.check, self.repair, self.cancel),
            self.text,
            self.bar,
            on=self,
        )

    def show_row(self, row: ModelRow, *, now: datetime) -> None:
        """Show the integrity of a model's file; relative times count from ``now``."""
        self._path = row.entry.path
        state = integrity(row)
        badge = integrity_badge(row)
        self._picture.set_icon(badge.icon, tint=badge.tint)
        self._title.setText(badge.text)
        self.text.setText(integrity_sentence(row, now=now))
        is_busy = state is Integrity.BUSY
        self.bar.setVisible(is_busy)
        if is_busy and row.check is not None:
            self.bar.set_fraction(row.check.fraction)
        is_away = state is Integrity.AWAY
        may_check = not is_away and (state is not Integrity.UNUSABLE or row.entry.source == OWN_FOLDER)
        self.check.setVisible(not is_busy and may_check and state is not Integrity.GROWING)
        self.repair.setVisible(state is Integrity.DAMAGED or (may_check and _is_known_damage(row)))
        self.cancel.setVisible(is_busy)


def integrity_sentence(row: ModelRow, *, now: datetime) -> str:
    """Return a sentence on what is known of a file's content, and since when."""
    check = row.check
    match integrity(row):
        case Integrity.BUSY if check is not None:
            return _busy_text(check)
        case Integrity.DAMAGED if check is not None:
            return _damage_text(check)
        case Integrity.FAILED if check is not None and check.error is not None:
            return check.error.sentence
        case Integrity.READ:
            return tr("Readable without errors; no checksum to compare with.")
        case Integrity.VERIFIED:
            return _verified_text(row, now=now)
        case Integrity.CHANGED if check is not None and check.error is not None:
            return check.error.sentence
        case Integrity.CHANGED:
            return tr("The file has changed since its download. “Verify file” compares it with the original.")
        case Integrity.UNUSABLE if _is_known_damage(row):
            return tr(
                "The file has changed since its download and cannot be used. “Repair” downloads only what "
                "is damaged."
            )
        case Integrity.UNUSABLE:
            return tr("Its header is unreadable, so it cannot be loaded.")
        case Integrity.GROWING:
            return tr("Still being copied.")
        case Integrity.AWAY:
            return row.entry.problem or ""
        case _:
            return tr("Not downloaded with Fireside. Verifying reads the whole file and stores its checksum.")


def _is_known_damage(row: ModelRow) -> bool:
    """Return whether the file is unusable and was downloaded by us, so that it can be repaired."""
    return integrity(row) is Integrity.UNUSABLE and row.entry.origin is not None


def _busy_text(check: Check) -> str:
    if not check.size_bytes:
        return tr("Queued; another file is being verified.")
    text = (
        tr("Downloaded and verified {done} of {all}.")
        if check.is_repairing
        else tr("Verified {done} of {all}.")
    )
    return text.format(done=format_bytes(check.n_bytes), all=format_bytes(check.size_bytes))


def _damage_text(check: Check) -> str:
    if check.error is not None:
        return tr("Not repaired: {reason}").format(reason=check.error.sentence)
    bad = sum(len(result.bad_blocks) for result in check.results)
    total = sum(result.n_blocks for result in check.results)
    if not total:
        return tr("Differs from the original. “Repair” downloads only the damaged parts.")
    return tr("{bad} of {whole} parts differ from the original. “Repair” downloads only those again.").format(
        bad=number(bad), whole=number(total)
    )


def _verified_text(row: ModelRow, *, now: datetime) -> str:
    check = row.check
    if check is not None and check.has_repaired:
        fetched = sum(result.fetched_bytes for result in check.results)
        return tr("Repaired: {fetched} downloaded again.").format(fetched=format_bytes(fetched))
    if check is not None and check.error is not None:
        return check.error.sentence
    if check is not None:
        return tr("Verified just now: the checksum matches.")
    day = format_iso_day(row.entry.origin.downloaded_at, now=now) if row.entry.origin is not None else ""
    if not day:
        return tr("Checksum verified when downloaded; unchanged since.")
    return tr("Checksum verified when downloaded on {day}; unchanged since.").format(day=day)
