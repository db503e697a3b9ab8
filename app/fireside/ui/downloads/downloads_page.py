"""The downloads page: the summary, the queue, the finished downloads."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr
from fireside.core.model import ModelEntry
from fireside.ui.downloads.arrivals import DownloadedModels
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.downloads.download_text import LineText, ended_text, totals, totals_text
from fireside.ui.downloads_view import DownloadsView
from fireside.ui.kit.layout import boxed, column, destroy, row, stacked, stretch
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import ElidedLabel, Label, set_style_property

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


# The rows of the queue and of the finished downloads, in order; rows can be dragged


class DownloadQueue(QWidget):
    """Keeps one row per download for as long as it exists, so that the row keeps the keyboard focus."""

    dragged_to = Signal(int)
    """Carries the vertical position to which a row is being dragged."""

    def __init__(self, *, actions: DownloadController, queue: DownloadsPage) -> None:
        super().__init__()
        self._actions = actions
        self._queue = queue
        self._rows: dict[str, DownloadRow] = {}
        self._n_unfinished = 0
        self._column = column(stretch(), on=self)
        self._finished = self._make_heading()
        self._drop_marker = QFrame(self)
        self._drop_marker.setObjectName("dropMark")
        self._drop_marker.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self._drop_marker.hide()

    def _make_heading(self) -> QWidget:
        self.clear = Button(tr("Clear list"), kind="quiet")
        self.clear.setAccessibleName(tr("Removes finished downloads from the list; models stay"))
        self.clear.clicked.connect(self._actions.clear)
        heading = boxed(
            row(stretch(Label(tr("Finished"), role="strong")), self.clear, margins=(SPACE_XS, SPACE_S, 0, 0))
        )
        heading.setParent(self)  # it is added to the layout only once a download is finished
        heading.hide()
        return heading

    @property
    def rows(self) -> tuple[DownloadRow, ...]:
        """The rows, from top to bottom."""
        widgets = (self._widget_at(index) for index in range(self._column.count()))
        return tuple(widget for widget in widgets if isinstance(widget, DownloadRow))

    def row(self, download_id: str) -> DownloadRow | None:
        return self._rows.get(download_id)

    def show_downloads(self, downloads: Sequence[Download]) -> None:
        """Show the whole queue; existing rows are updated instead of replaced."""
        ids = {download.id for download in downloads}
        for removed_id in [known for known in self._rows if known not in ids]:
            row = self._rows.pop(removed_id)
            self._column.removeWidget(row)
            destroy(row)
        for download in downloads:
            known = self._rows.get(download.id)
            if known is None:
                self._add(download)
            else:
                known.show_download(download)
        unfinished = [self._rows[d.id] for d in downloads if d.state is not DownloadState.DONE]
        finished = [self._rows[d.id] for d in downloads if d.state is DownloadState.DONE]
        self._n_unfinished = len(unfinished)
        self._arrange([*unfinished, *([self._finished] if finished else []), *finished])
        self._finished.setVisible(bool(finished))
        for row in unfinished:
            row.show_drag_handle(is_shown=len(unfinished) > 1)
        for row in finished:
            row.show_drag_handle(is_shown=False)

    def show_download(self, download: Download) -> None:
        row = self._rows.get(download.id)
        if row is not None:
            row.show_download(download)

    def _add(self, download: Download) -> None:
        row = DownloadRow(download, actions=self._actions, queue=self._queue, parent=self)
        self._rows[download.id] = row
        row.drag_handle.dragged.connect(lambda position: self._on_dragged(row, position))
        row.drag_handle.dropped.connect(lambda position: self._on_dropped(row, position))
        row.drag_handle.cancelled.connect(lambda: self._end_drag(row))

    def _arrange(self, rows: Sequence[QWidget]) -> None:
        """Put the widgets into their order, moving only those that are elsewhere."""
        if self._finished not in rows:
            self._column.removeWidget(self._finished)
        is_moved = False
        for index, widget in enumerate(rows):
            if self._widget_at(index) is not widget:
                self._column.removeWidget(widget)
                self._column.insertWidget(index, widget)
                is_moved = True
        if not is_moved:
            return
        # Tab follows the order of the rows.
        chain = [part for row in rows if isinstance(row, DownloadRow) for part in row.tab_order]
        for first, second in pairwise(chain):
            QWidget.setTabOrder(first, second)

    def _widget_at(self, index: int) -> QWidget | None:
        item = self._column.itemAt(index)
        return item.widget() if item is not None else None

    # Dragging

    def _on_dragged(self, row: DownloadRow, position: QPoint) -> None:
        set_style_property(row, "drop", "true")
        y = self.mapFromGlobal(position).y()
        gap = self._gap_at(y)
        self._drop_marker.setGeometry(0, self._y_of(gap), self.width(), 3)
        self._drop_marker.show()
        self._drop_marker.raise_()
        self.dragged_to.emit(y)

    def _on_dropped(self, row: DownloadRow, position: QPoint) -> None:
        gap = self._gap_at(self.mapFromGlobal(position).y())
        self._end_drag(row)
        self._queue.move_to_gap(row.download.id, gap)

    def _end_drag(self, row: DownloadRow) -> None:
        set_style_property(row, "drop", "false")
        self._drop_marker.hide()

    def _gap_at(self, y: int) -> int:
        unfinished = self.rows[: self._n_unfinished]
        return sum(y > row.geometry().center().y() for row in unfinished)

    def _y_of(self, gap: int) -> int:
        unfinished = self.rows[: self._n_unfinished]
        if gap < len(unfinished):
            return max(0, unfinished[gap].geometry().top() - SPACE_S // 2 - 1)
        return unfinished[-1].geometry().bottom() + SPACE_S // 2 - 1


def unfinished_ids(downloads: Sequence[Download]) -> list[str]:
    """Return the ids of the downloads that have an order: all but the finished ones."""
    return [download.id for download in downloads if download.state is not DownloadState.DONE]


def position_after_steps(downloads: Sequence[Download], download_id: str, *, steps: int) -> int | None:
    """Return the position in the whole queue ``steps`` rows further down; ``None`` if it does not move."""
    ids = unfinished_ids(downloads)
    if download_id not in ids:
        return None
    target = max(0, min(len(ids) - 1, ids.index(download_id) + steps))
    return _position(downloads, download_id, others_before=target)


def position_in_gap(downloads: Sequence[Download], download_id: str, *, gap: int) -> int | None:
    """Return the position in the whole queue for ``gap``: 0 is above the first row, 1 below it, and so on.

    ``None`` if it does not move.
    """
    ids = unfinished_ids(downloads)
    if download_id not in ids:
        return None
    is_below_itself = gap > ids.index(download_id)
    return _position(downloads, download_id, others_before=gap - 1 if is_below_itself else gap)


def _position(downloads: Sequence[Download], download_id: str, *, others_before: int) -> int | None:
    ids = unfinished_ids(downloads)
    if ids.index(download_id) == others_before:
        return None
    others = [other for other in ids if other != download_id]
    all_other_ids: list[str] = [download.id for download in downloads if download.id != download_id]
    if others_before < len(others):
        return all_other_ids.index(others[others_before])
    return all_other_ids.index(others[-1]) + 1
