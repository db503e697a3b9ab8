"""The card below the composer of a new chat that offers one model and shows its download."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QFrame

from fireside.core.discovery import SuggestedModel
from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr
from fireside.ui.downloads.download_text import line_text
from fireside.ui.kit.layout import boxed, make_card, row, stretch
from fireside.ui.start.offer_text import button_text, facts, headline
from fireside.ui.theme import SPACE_M
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel

_CAN_RESUME: Final = (DownloadState.PAUSED, DownloadState.FAILED)


class OfferCard(QFrame):
    """A view. It has the same height with every model, so that what stands below it stays where it is."""

    def __init__(self) -> None:
        super().__init__()
        self._has_suggestion = True  # until the contrary is known
        self.setAccessibleName(tr("A model for this computer"))
        self.title = WrappedLabel(tr("Looking for a model that suits this computer…"), role="strong")
        self.about = WrappedLabel(role="body")
        self.facts = WrappedLabel(role="small")
        self.problem = WrappedLabel(role="error")
        self.download = Button(tr("Download"), kind="primary")
        self.resume = Button(tr("Try again"), kind="primary")
        self.others = Button(tr("Other models"), kind="link", tint="accent")
        self.add_file = Button(tr("Add a file you have"), kind="link", tint="accent")
        self.cancel = Button(tr("Cancel"))
        self.bar = ProgressBar(name=tr("Download"))
        self.status = ElidedLabel(role="small")
        ways = (self.download, self.resume, self.others, self.add_file)
        self._choice, _ = flow_row(*ways, spacing=SPACE_M)
        self._progress = boxed(row(stretch(self.bar), self.status, self.cancel, spacing=SPACE_M))
        make_card(self, self.title, self.about, self.facts, self.problem, self._choice, self._progress)
        self.problem.hide()
        for label in (self.about, self.facts):
            label.setText("\u00a0")  # a line each, before it is known what they say
        self.download.setEnabled(False)
        self._show_parts(is_under_way=False, can_resume=False)

    def show_suggestion(self, suggested: SuggestedModel | None) -> None:
        """Show the model on offer; ``None`` where none is known to fit."""
        if suggested is None:
            self.title.setText(tr("No model of our list fits into the free memory of this computer"))
            self.about.show_text(tr("Close other programs, or choose a smaller model."))
        else:
            self.title.setText(headline(suggested))
            self.about.show_text(tr(suggested.model.about))
            self.facts.show_text(facts(suggested))
            self.download.set_label(button_text(suggested.model))
        self._has_suggestion = suggested is not None
        self.download.setEnabled(self._has_suggestion)
        self.download.setVisible(self._has_suggestion)

    def show_state(self, download: Download | None, *, is_requested: bool, problem: str) -> None:
        """Show the progress of the model's download; ``None`` before it is in the queue.

        ``is_requested`` is that the queue has not answered yet, ``problem`` is why it could not be queued.
        """
        can_resume = download is not None and download.state in _CAN_RESUME
        self._show_parts(is_under_way=download is not None or is_requested, can_resume=can_resume)
        if download is not None:
            line = line_text(download)
            self.bar.set_fraction(download.n_bytes / max(1, download.size_bytes))
            self.status.set_full_text(line.line)
            problem = line.problem
            self.resume.set_label(tr("Resume") if download.state is DownloadState.PAUSED else tr("Try again"))
        elif is_requested:
            self.bar.set_fraction(0)
            self.status.set_full_text(tr("Connecting…"))
        self.problem.show_text(problem)

    def _show_parts(self, *, is_under_way: bool, can_resume: bool) -> None:
        self._progress.setVisible(is_under_way and not can_resume)
        self._choice.setVisible(not is_under_way or can_resume)
        self.download.setVisible(self._has_suggestion and not can_resume)
        self.resume.setVisible(can_resume)
