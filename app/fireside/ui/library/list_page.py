"""The list of all local models: toolbar, table or cards, and a summary."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QEvent, QModelIndex, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QAbstractButton, QFileDialog, QHBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.ui.kit.file_dialogs import choose_files, choose_folder
from fireside.ui.kit.layout import column, row, stacked, stretch
from fireside.ui.library.cards import ModelCards
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.filter_sort import LibraryQuery, Order
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.rows import ModelRow
from fireside.ui.library.table import ModelTable
from fireside.ui.library.table_model import ROW_ROLE, LibraryModel
from fireside.ui.library.toolbar import ListLayout, ListToolbar
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.theme import SPACE_S, SPACE_XL, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import PAGE_SIDE
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.folding_button import FoldingButton
from fireside.ui.widgets.text import ElidedLabel

_CHOICES_MS: Final = 50
"""Milliseconds; a load reports progress often, and counting thousands of rows each time takes too long."""
_FOLD_BELOW: Final = 560


class ListPage(QWidget):
    """Shows, filters and sorts the list."""

    def __init__(
        self, *, models: ModelsView, check_results: CheckResults, library: LibraryController
    ) -> None:
        super().__init__()
        self._models = models
        self._library = library
        self.model = LibraryModel(models=models, check_results=check_results, parent=self)
        self.toolbar = ListToolbar()
        self.table = ModelTable(model=self.model, library=library)
        self.cards = ModelCards(model=self.model, library=library)
        self._current = ""
        self._arrange()
        self._connect(check_results)
        self._show_filter_choices()
        self._show_summary()

    @property
    def view(self) -> ListLayout:
        return ListLayout(self.toolbar.views.selected_key)

    @property
    def current_view(self) -> ModelTable | ModelCards:
        """The table or the cards, whichever is shown."""
        return self.table if self.view is ListLayout.TABLE else self.cards

    def show_view(self, view: ListLayout) -> None:
        """Show the table or the cards; the current model stays current."""
        had_focus = self.current_view.hasFocus() or self.table.hasFocus() or self.cards.hasFocus()
        self.toolbar.views.select(view)
        self.toolbar.show_sorting(is_shown=view is ListLayout.CARDS)
        self._views.setCurrentWidget(self.current_view)
        self._restore_current()
        if had_focus:
            self.current_view.setFocus(Qt.FocusReason.OtherFocusReason)

    def set_order(self, order: Order) -> None:
        """Sort the list."""
        self.model.set_order(order)
        self.toolbar.show_order(order)

    def focus_list(self) -> None:
        """Focus the list at its current or first row; the search field if the list is empty."""
        if not self.model.rowCount():
            self.toolbar.filter.setFocus(Qt.FocusReason.OtherFocusReason)
            return
        view = self.current_view
        if not view.currentIndex().isValid():
            view.setCurrentIndex(self.model.index(0, 0))
        view.setFocus(Qt.FocusReason.OtherFocusReason)

    def show_path(self, path: str) -> None:
        """Make a file the current row and scroll to it."""
        self._current = path
        self._restore_current()

    @Slot()
    def choose_files(self) -> QFileDialog:
        """Open a non-modal dialog to add model files."""
        filters = (tr("Model files (*.gguf)"), tr("All files (*)"))
        return choose_files(self, tr("Add model files"), self._library.add, filters=filters)

    @Slot()
    def choose_folder(self) -> QFileDialog:
        """Open a dialog to add a folder of model files."""
        add = self._library.add
        return choose_folder(self, tr("Add model folder"), lambda path: add([path]))

    def event(self, event: QEvent) -> bool:
        # The window would use the shortcut to search the chat.
        if event.type() is QEvent.Type.ShortcutOverride and _is_find(event):
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if _is_find(event):
            self.toolbar.focus_filter("")
        else:
            super().keyPressEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < theme().scaled(_FOLD_BELOW)
        for button in (self.find_updates, self.disk_use):
            button.fold(is_folded=is_narrow)

    # Building

    def _arrange(self) -> None:
        self._views = stacked(self.table, self.cards)
        self._body = stacked(self._views, self._make_empty(), self._make_no_match())
        self._body.setMinimumHeight(1)  # the list scrolls, the toolbar above it cannot
        column(
            self.toolbar,
            stretch(self._body),
            self._make_footer(),
            margins=(PAGE_SIDE, SPACE_XL, PAGE_SIDE, SPACE_S),
            on=self,
        )

    def _make_footer(self) -> QHBoxLayout:
        self.summary = ElidedLabel(role="small")
        self.find_updates = FoldingButton(tr("Check for updates"), icon="download", kind="quiet")
        self.disk_use = FoldingButton(tr("Disk usage"), icon="hard-drive", kind="quiet")
        return row(stretch(self.summary), self.find_updates, self.disk_use)

    def _make_empty(self) -> EmptyState:
        self.empty = EmptyState(
            "boxes",
            title=tr("No models yet"),
            text=tr(
                "Download a model that fits this computer, or drop GGUF files anywhere on this "
                "window. Files stay where they are."
            ),
        )
        files = Button(tr("Add files…"), icon="file-plus", on_click=self.choose_files)
        find = Button(tr("Find models"), icon="compass", kind="primary", tint="on_accent")
        find.clicked.connect(self._on_discover)
        for button in (files, find):
            self.empty.add_button(button)
        return self.empty

    def _make_no_match(self) -> EmptyState:
        self.no_match = EmptyState("search", title=tr("No matching models"), text=tr("Try fewer filters."))
        self.clear = Button(tr("Clear filters"), on_click=self.toolbar.clear)
        self.no_match.add_button(self.clear)
        return self.no_match

    def _connect(self, check_results: CheckResults) -> None:
        tools, library = self.toolbar, self._library
        tools.query_changed.connect(self._on_query_changed)
        tools.order_requested.connect(self.set_order)
        tools.views.key_selected.connect(lambda key: self.show_view(ListLayout(key)))
        tools.list_focus_requested.connect(self.focus_list)
        tools.add_file.clicked.connect(self.choose_files)
        tools.add_folder.clicked.connect(self.choose_folder)
        tools.rescan.clicked.connect(lambda: _disable_while(tools.rescan, library.rescan()))
        tools.discover.clicked.connect(self._on_discover)
        self.find_updates.clicked.connect(lambda: _disable_while(self.find_updates, library.find_updates()))
        self.disk_use.clicked.connect(library.show_disk_use)
        self.table.order_requested.connect(self.set_order)
        for view in (self.table, self.cards):
            view.input.search_requested.connect(tools.focus_filter)
            view.selectionModel().currentChanged.connect(self._on_current_changed)
        self.model.rename_requested.connect(library.rename)
        self.model.modelReset.connect(self._on_arranged)
        self._choices_timer = QTimer(self, singleShot=True, interval=_CHOICES_MS)
        self._choices_timer.timeout.connect(self._show_filter_choices)
        for changed in (self._models.entries_changed, check_results.updates_changed):
            changed.connect(self._choices_timer.start)
        for signal in (self._models.state_changed, check_results.check_changed):
            signal.connect(lambda _which: self._choices_timer.start())
        self._models.entries_changed.connect(self._show_summary)

    # Events

    def _on_discover(self) -> None:
        self._library.router.show_page(Page.DISCOVER)

    def _on_query_changed(self, query: LibraryQuery) -> None:
        self.model.set_query(query)
        self._show_summary()

    @Slot(QModelIndex, QModelIndex)
    def _on_current_changed(self, current: QModelIndex, _previous: QModelIndex) -> None:
        row = current.data(ROW_ROLE) if current.isValid() else None
        if isinstance(row, ModelRow):
            self._current = row.entry.path

    def _on_arranged(self) -> None:
        self._restore_current()
        self._show_summary()

    def _restore_current(self) -> None:
        index = self.model.index_of(self._current)
        if index.isValid():
            view = self.current_view
            view.setCurrentIndex(index)
            view.scrollTo(index)

    def _show_filter_choices(self) -> None:
        self.toolbar.show_filter_choices(self.model.filter_choices())

    @Slot()
    def _show_summary(self) -> None:
        entries, rows = self._models.entries, self.model.rows
        self._body.setCurrentWidget(self._views if rows else self.no_match if entries else self.empty)
        connected = [row for row in rows if not row.entry.is_disconnected]
        n_all = sum(not entry.is_disconnected for entry in entries)
        self.summary.set_full_text(summary_text(connected, n_all=n_all) if entries else "")


def _is_find(event: QEvent) -> bool:
    return isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Find)


def _disable_while(button: QAbstractButton, task: asyncio.Task[Any] | None) -> None:
    """Disable ``button`` while ``task`` runs."""
    if task is not None:
        button.setEnabled(False)
        task.add_done_callback(lambda _task: button.setEnabled(True))


def summary_text(rows: Sequence[ModelRow], *, n_all: int) -> str:
    """Return count and total size: “12 models, 40 GB”, “3 of 12 models, 9 GB”."""
    n = len(rows)
    if n == n_all:
        count = tr("%n model|%n models", "", n)
    else:
        count = tr("{n_shown} of %n model|{n_shown} of %n models", "", n_all).format(n_shown=number(n))
    if not n:
        return count
    return f"{count}, {format_bytes(sum(row.entry.size_bytes for row in rows))}"
