"""The downloads page: the summary, the queue, the finished downloads."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr
from fireside.core.model import ModelEntry
from fireside.ui.downloads.arrivals import DownloadedModels
from fireside.ui.downloads.download_text import LineText, ended_text, totals, totals_text
from fireside.ui.downloads.queue_list import DownloadQueue, position_after_steps, position_in_gap
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.kit.layout import column, row, stacked, stretch
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_M, SPACE_XL
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import ElidedLabel

if TYPE_CHECKING:
    from fireside.ui.downloads.download_controller import DownloadController

_EDGE_PX: Final = 40
"""Distance in pixels from the edge within which a dragged row scrolls the page."""


class DownloadsPage(QWidget):
    """Shows every download; the controller carries out the actions."""

    def __init__(self, actions: DownloadController, *, downloads: DownloadsView, models: ModelsView) -> None:
        super().__init__()
        self.setObjectName("page")
        self._actions = actions
        self._downloads = downloads
        self._models = models
        self._arrivals = DownloadedModels(models.entries)
        self.notices = BannerArea()
        self.queue = DownloadQueue(actions=actions, queue=self)
        self._tools = self._make_tools()
        self._body = stacked(self._make_scroll(), self._make_empty())
        column(self.notices, self._tools, stretch(self._body), spacing=0, on=self)
        downloads.queue_changed.connect(self._on_queue_changed)
        downloads.progressed.connect(self._on_progressed)
        models.entries_changed.connect(self._on_entries_changed)
        self._on_queue_changed()

    def focus_first_row(self) -> None:
        """Focus the button to more models, which changes nothing if pressed by mistake."""
        button = self.discover if self._downloads.downloads else self.empty_discover
        button.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_problem(self, sentence: str) -> None:
        """Show that an action of this page failed."""
        self.notices.show_banner("problem", sentence, tone=Tone.DANGER)

    @property
    def summary(self) -> str:
        return self._summary.text()

    def _make_tools(self) -> QWidget:
        self._summary = ElidedLabel(role="mute")
        self.pause_all_button = Button(tr("Pause all"), icon="pause", on_click=self._on_pause_all)
        self.discover = IconButton("compass", name=tr("Find models"))
        self.discover.clicked.connect(self._on_discover)
        return centred(
            row(stretch(self._summary), self.pause_all_button, self.discover),
            top=SPACE_XL,
            bottom=SPACE_M,
        )

    def _make_scroll(self) -> PageScroll:
        self._scroll = PageScroll()
        self._scroll.setWidget(centred(column(self.queue), bottom=SPACE_XL, in_page_scroll=True))
        self.queue.dragged_to.connect(self._on_dragged_to)
        return self._scroll

    def _make_empty(self) -> EmptyState:
        self.empty = EmptyState(
            "download",
            title=tr("No downloads"),
            text=tr("Models download in the background. Interrupted downloads resume."),
        )
        self.empty_discover = Button(tr("Find models"), icon="compass", kind="primary", tint="on_accent")
        self.empty_discover.clicked.connect(self._on_discover)
        self.empty.add_button(self.empty_discover)
        return self.empty

    # Events

    @Slot()
    def _on_queue_changed(self) -> None:
        downloads = self._downloads.downloads
        self.queue.show_downloads(downloads)
        self._show_models()
        self._body.setCurrentIndex(0 if downloads else 1)
        self._tools.setVisible(bool(downloads))
        self._show_totals()

    @Slot(str)
    def _on_progressed(self, download_id: str) -> None:
        download = self._downloads.download(download_id)
        if download is not None:
            self.queue.show_download(download)
            self._show_totals()

    def _show_totals(self) -> None:
        sums = totals(self._downloads.downloads)
        text = totals_text(sums)
        if text != self._summary.text():
            self._summary.set_full_text(text)
        is_in_progress = sums.n_in_progress > 0
        text = tr("Pause all") if is_in_progress else tr("Resume all")
        if text != self.pause_all_button.accessibleName():
            self.pause_all_button.set_icon("pause" if is_in_progress else "play")
            self.pause_all_button.set_label(text)
        self.pause_all_button.setVisible(sums.n_in_progress + sums.n_paused > 1)

    @Slot()
    def _on_entries_changed(self) -> None:
        self._arrivals = DownloadedModels(self._models.entries)
        self._show_models()

    def _show_models(self) -> None:
        """Offer to chat with each finished model that is in the library."""
        for download_row in self.queue.rows:
            if download_row.download.state is DownloadState.DONE:
                entry = self._entry(download_row.download)
                download_row.show_model(
                    can_chat=entry is not None and entry.can_chat,
                    is_in_library=entry is not None,
                    lost_text=self._lost_text(download_row.download) if entry is None else None,
                )

    def _lost_text(self, download: Download) -> LineText | None:
        """Return the texts for a finished download without a model; ``None`` while the library is not
        known."""
        if not self._arrivals.is_known:
            return None
        entry = self._arrivals.unusable(download)
        return ended_text(download, problem=(entry.problem or "") if entry is not None else "")

    def _entry(self, download: Download | None) -> ModelEntry | None:
        return None if download is None else self._arrivals.entry_for(download)

    # User actions

    def _on_discover(self) -> None:
        self._actions.router.show_page(Page.DISCOVER)

    def _on_pause_all(self) -> None:
        is_in_progress = totals(self._downloads.downloads).n_in_progress > 0
        (self._actions.pause_all if is_in_progress else self._actions.resume_all)()

    def move_by(self, download_id: str, steps: int) -> None:
        """Move a download down the queue by ``steps``; up if negative."""
        position = position_after_steps(self._downloads.downloads, download_id, steps=steps)
        if position is not None:
            self._actions.move(download_id, position)

    def move_to_gap(self, download_id: str, gap: int) -> None:
        """Move a download to the gap below ``gap`` rows of the queue."""
        position = position_in_gap(self._downloads.downloads, download_id, gap=gap)
        if position is not None:
            self._actions.move(download_id, position)

    def chat(self, download_id: str) -> None:
        """Open the chat with the downloaded model."""
        entry = self._entry(self._downloads.download(download_id))
        if entry is not None and entry.spec is not None:
            self._actions.router.use_model(entry.spec.id)

    def show_file(self, download_id: str) -> None:
        """Show the downloaded file in the file manager."""
        entry = self._entry(self._downloads.download(download_id))
        if entry is not None:
            self._actions.reveal(entry.path)

    def _on_dragged_to(self, y_in_queue: int) -> None:
        content = self._scroll.widget()
        if content is not None:
            y = self.queue.mapTo(content, self.queue.rect().topLeft()).y() + y_in_queue
            self._scroll.ensureVisible(0, y, 0, _EDGE_PX)
