"""A newcomer's first model: offered below the composer of a new chat, downloaded and used in place."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Slot
from PySide6.QtWidgets import QFrame

from fireside.core.discovery import CatalogueModel, SuggestedModel
from fireside.core.errors import ErrorInfo, FiresideError, format_bytes
from fireside.core.fit import speed_text
from fireside.core.hub import Download, DownloadId, DownloadState
from fireside.core.i18n import tr
from fireside.ui.chat.pane.chat_pane import ChatPane
from fireside.ui.discover.availability import AvailabilityIndex, BeingDownloaded
from fireside.ui.discover.discover_text import licence_text
from fireside.ui.downloads.arrivals import DownloadedModels
from fireside.ui.downloads.download_text import line_text
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.kit.file_dialogs import choose_files
from fireside.ui.kit.layout import boxed, make_card, row, stretch
from fireside.ui.model_text import SEPARATOR
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_M
from fireside.ui.time_text import format_remaining
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.progress import ProgressBar
from fireside.ui.widgets.text import ElidedLabel, WrappedLabel
from fireside.ui.window_context import WindowContext

_MEGABITS: Final = 100
"""A second, of a usual connection: how fast this one is, is not known before the first download."""
_BYTES_PER_S: Final = _MEGABITS * 1_000_000 / 8


def headline(suggested: SuggestedModel) -> str:
    """Return that this model suits the computer, or is the fastest one."""
    text = (
        tr("{name} suits this computer")
        if suggested.is_comfortable
        else tr("{name} is the fastest good model for this computer")
    )
    return text.format(name=suggested.model.name)


def button_text(model: CatalogueModel) -> str:
    """Return the label of the main button, which names the model and its size."""
    return tr("Download {name} ({size})").format(name=model.name, size=format_bytes(model.size_bytes))


def facts(suggested: SuggestedModel) -> str:
    """Return how long the download takes, how fast the model answers here, and its licence.

    How large a file for images is, the catalogue does not know; its download is shown with the model's.
    """
    model, speed = suggested.model, suggested.estimate.speed
    duration = tr("{time} at {speed} Mbit/s").format(
        time=format_remaining(model.size_bytes / _BYTES_PER_S), speed=_MEGABITS
    )
    more = tr("plus a file for images") if model.sees_images else ""
    parts = (duration, more, "" if speed is None else speed_text(speed), licence_text(model.licence))
    line = SEPARATOR.join(part for part in parts if part)
    return line[:1].upper() + line[1:]


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


class FirstModelOffer(QObject):
    """Owns the card below the composer of a new chat. GUI thread only.

    Nothing is sent before its button is clicked: which model suits the computer is estimated here, from the
    catalogue that comes with the program.
    """

    def __init__(self, context: WindowContext, *, chat: ChatPane, downloads: DownloadsView) -> None:
        super().__init__(context.window)
        self._context = context
        self._chat = chat
        self._downloads = downloads
        self._suggested: SuggestedModel | None = None
        self._is_requested = False
        self._problem: ErrorInfo | None = None
        self.card = OfferCard()
        self.card.download.clicked.connect(self._on_download)
        self.card.resume.clicked.connect(self._on_resume)
        self.card.cancel.clicked.connect(self._on_cancel)
        self.card.others.clicked.connect(lambda: context.router.show_page(Page.DISCOVER))
        self.card.add_file.clicked.connect(self._on_add_file)
        chat.start.add_offer(self.card)
        context.models.entries_changed.connect(self.refresh)
        downloads.queue_changed.connect(self.refresh)
        downloads.progressed.connect(self.refresh)
        downloads.completed.connect(self._on_completed)
        context.tasks.run(
            context.client.hub.first_model(), on_done=self._on_suggestion, on_error=self._on_no_suggestion
        )
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show the state of the download; hide the card once there is a model to work with."""
        self.card.setVisible(not self._context.models.has_full_model)
        problem = "" if self._problem is None else self._problem.sentence
        self.card.show_state(self._download(), is_requested=self._is_requested, problem=problem)

    def _on_suggestion(self, suggested: SuggestedModel | None) -> None:
        self._suggested = suggested
        self.card.show_suggestion(suggested)
        self.refresh()

    def _on_no_suggestion(self, error: FiresideError) -> None:
        self._problem = error.info()
        self._on_suggestion(None)

    def _download(self) -> Download | None:
        """Return the download of the model on offer, wherever it was begun."""
        if self._suggested is None:
            return None
        index = AvailabilityIndex()
        index.set_downloads(self._downloads.downloads)
        found = index.of_catalogue(self._suggested.model)
        return found.download if isinstance(found, BeingDownloaded) else None

    # Actions

    def _on_download(self) -> None:
        if self._suggested is None or self._is_requested:
            return
        self._is_requested, self._problem = True, None
        self.refresh()
        # The button that had the focus is gone; what was being written goes on.
        self._chat.focus_composer()
        self._context.tasks.run(
            self._context.client.hub.download_named(self._suggested.model.download_name),
            on_done=self._on_queued,
            on_error=self._on_not_queued,
        )

    def _on_queued(self, _download_id: DownloadId) -> None:
        self._is_requested = False
        self.refresh()

    def _on_not_queued(self, error: FiresideError) -> None:
        self._is_requested, self._problem = False, error.info()
        self.refresh()

    def _on_resume(self) -> None:
        if (download := self._download()) is not None:
            self._context.tasks.run(self._context.client.downloads.resume(download.id))

    def _on_cancel(self) -> None:
        if (download := self._download()) is not None:
            self._context.tasks.run(self._context.client.downloads.cancel(download.id))

    def _on_add_file(self) -> None:
        choose_files(
            self._context.window,
            tr("Add model files"),
            self._context.router.add_files,
            filters=(tr("Model files (*.gguf)"), tr("All files (*)")),
        )

    @Slot(object)
    def _on_completed(self, download: Download) -> None:
        """Use a model that arrives while the user looks at a new chat, with what is written there."""
        entry = DownloadedModels(self._context.models.entries).entry_for(download)
        if entry is not None and entry.spec is not None and entry.can_chat and self._chat.start.isVisible():
            self._context.router.choose_model(entry.spec.id)
