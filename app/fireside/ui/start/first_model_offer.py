"""Offers one model that suits this computer while there is none to work with, and begins to use it."""

from __future__ import annotations

from PySide6.QtCore import QObject, Slot

from fireside.core.discovery import SuggestedModel
from fireside.core.errors import ErrorInfo, FiresideError
from fireside.core.hub import Download, DownloadId
from fireside.core.i18n import tr
from fireside.ui.chat.chat_pane import ChatPane
from fireside.ui.discover.availability import AvailabilityIndex, BeingDownloaded
from fireside.ui.downloads.arrivals import DownloadedModels
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.kit.file_dialogs import choose_files
from fireside.ui.page import Page
from fireside.ui.start.offer_card import OfferCard
from fireside.ui.window_context import WindowContext


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
