"""The rows of the queue and of the finished downloads, in order; rows can be dragged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.hub import Download, DownloadState
from fireside.core.i18n import tr
from fireside.ui.downloads.download_row import DownloadRow
from fireside.ui.kit.layout import boxed, column, destroy, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, set_style_property

if TYPE_CHECKING:
    from fireside.ui.downloads.download_controller import DownloadController
    from fireside.ui.downloads.downloads_page import DownloadsPage


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
