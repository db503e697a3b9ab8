"""The list of all local models: toolbar, table or cards, and a summary."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from PySide6.QtCore import QEvent, QModelIndex, QRect, QRectF, QSize, Qt, QTimer, Slot
from PySide6.QtGui import QFont, QKeyEvent, QKeySequence, QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QFileDialog,
    QFrame,
    QHBoxLayout,
    QListView,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.ui.kit.file_dialogs import choose_files, choose_folder
from fireside.ui.kit.layout import column, row, stacked, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowPainter
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.columns import Column
from fireside.ui.library.filter_sort import LibraryQuery, Order
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.model_delegate import ModelDelegate, Part, name_tint, paint_problem
from fireside.ui.library.row_input import RowInput
from fireside.ui.library.rows import (
    ModelRow,
    kind_text,
    list_badge,
    location_text,
    name_of,
    params_text,
    problem_tint,
    quant_label,
    size_text,
    trained_context_text,
)
from fireside.ui.library.table import ModelTable
from fireside.ui.library.table_model import ROW_ROLE, LibraryModel
from fireside.ui.library.toolbar import ListLayout, ListToolbar
from fireside.ui.model_text import SEPARATOR
from fireside.ui.models_view import ModelsView
from fireside.ui.page import Page
from fireside.ui.theme import RADIUS_M, SPACE_L, SPACE_M, SPACE_S, SPACE_XL, theme
from fireside.ui.time_text import last_used_phrase
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import PAGE_SIDE
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.folding_button import FoldingButton
from fireside.ui.widgets.text import ElidedLabel

# The library as a grid of cards.

_MIN_WIDTH: Final = 268
"""Minimum width of a card at the normal text size."""
_HEIGHT: Final = 132
_GAP: Final = SPACE_M
_BUTTON_PX: Final = 28
_ICON_PX: Final = 16
_SCROLL_BAR_PX: Final = 22
"""Reserved for the scroll bar, so that cards do not move when it appears."""


class CardDelegate(ModelDelegate):
    """Draws one card."""

    def __init__(self, *, view: ModelCards, now: Callable[[], datetime]) -> None:
        super().__init__(view=view)
        self._cards = view
        self._now = now

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return self._cards.gridSize()

    def draw(self, painter: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ModelRow):
            return
        card = self._card(box)
        is_current = index.row() == self._cards.currentIndex().row()
        is_active = is_current or bool(option.state & QStyle.StateFlag.State_MouseOver)
        self._paint_background(painter.painter, card, option, row, is_current=is_current)
        inner = card.adjusted(SPACE_L, SPACE_M, -SPACE_M, -SPACE_M)
        line = theme().scaled(22)
        top = QRect(inner.left(), inner.top(), inner.width(), line + 2)
        self._paint_top(painter, row, top, is_active=is_active)
        second = QRect(inner.left(), top.bottom() + 3, inner.width(), line)
        self._paint_badges(painter, row, second)
        third = QRect(inner.left(), second.bottom() + 4, inner.width(), line)
        self._paint_facts(painter, row, third)
        foot = QRect(inner.left(), inner.bottom() - line + 1, inner.width(), line)
        self._paint_footer(painter, row, foot, is_active=is_active)

    def parts(self, index: Index) -> dict[Part, QRect]:
        row = index.data(ROW_ROLE)
        if not isinstance(row, ModelRow):
            return {}
        card = self._card(self._cards.visualRect(index))
        right, bottom = card.right() - SPACE_S, card.bottom() - SPACE_S
        side = theme().scaled_up(_BUTTON_PX)
        rects = {Part.MORE: QRect(right - side, bottom - side, side, side)}
        if row.entry.can_chat:
            rects[Part.CHAT] = rects[Part.MORE].translated(-side - 2, 0)
        if row.entry.spec is not None:
            rects[Part.STAR] = QRect(right - side, card.top() + SPACE_S, side, side)
        return rects

    def name_box(self, index: Index) -> QRect:
        card = self._card(self._cards.visualRect(index))
        return QRect(
            card.left() + SPACE_S, card.top() + SPACE_S, card.width() - 2 * SPACE_S, theme().scaled(32)
        )

    def _card(self, cell: QRect) -> QRect:
        return QRect(cell).adjusted(0, 0, -_GAP, -_GAP)

    def _paint_background(
        self,
        painter: QPainter,
        card: QRect,
        option: QStyleOptionViewItem,
        row: ModelRow,
        *,
        is_current: bool,
    ) -> None:
        has_focus = is_current and self._cards.hasFocus()
        is_hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        edge = "accent" if has_focus else "edge" if is_hovered or is_current else "line"
        if row.entry.spec is None and not has_focus:
            edge = "line" if row.entry.is_disconnected else problem_tint(row)
        painter.setBrush(theme().colour("hover" if is_hovered else "card"))
        painter.setPen(QPen(theme().colour(edge), 1.6 if has_focus else 1))
        painter.drawRoundedRect(QRectF(card).adjusted(0.8, 0.8, -0.8, -0.8), RADIUS_M, RADIUS_M)

    def _paint_top(self, painter: RowPainter, row: ModelRow, line: QRect, *, is_active: bool) -> None:
        name = line.adjusted(0, 0, -self.star_px - SPACE_S, 0)
        weight = QFont.Weight.DemiBold
        painter.draw_text(name_of(row), within=name, px=14.5, tint=name_tint(row), weight=weight)
        star = QRect(line.right() - self.star_px - 1, line.top(), self.star_px, line.height())
        self.paint_star(painter, row, star, is_active=is_active)

    def _paint_badges(self, painter: RowPainter, row: ModelRow, line: QRect) -> None:
        if paint_problem(painter, row, line):
            return
        left = line.left()
        for label in filter(None, (quant_label(row), params_text(row))):
            left = painter.draw_badge(
                label, within=QRect(left, line.top(), line.right() - left, line.height())
            )
        rest = QRect(left + 2, line.top(), line.right() - left, line.height())
        self.paint_second_line(painter, row, rest, fallback=kind_text(row))

    def _paint_facts(self, painter: RowPainter, row: ModelRow, line: QRect) -> None:
        context = trained_context_text(row)
        used = (
            last_used_phrase(row.entry.user_metadata.last_used_s, now=self._now()) if row.entry.spec else ""
        )
        parts = (
            size_text(row),
            tr("{context} context").format(context=context) if context else "",
            used,
        )
        painter.draw_text(SEPARATOR.join(filter(None, parts)), within=line, px=12.5, tint="mute")

    def _paint_footer(self, painter: RowPainter, row: ModelRow, line: QRect, *, is_active: bool) -> None:
        side = theme().scaled_up(_BUTTON_PX)
        area = line.adjusted(0, 0, -2 * side - SPACE_S, 0)
        text = location_text(row)
        if badge := list_badge(row):
            left = painter.draw_icon(badge.icon, at=area, tint=badge.tint, px=14) + 6
            area = area.adjusted(left - area.left(), 0, 0, 0)
            text = f"{badge.text}{SEPARATOR}{text}"
        painter.draw_text(text, within=area, px=12, tint="dim")
        right = line.right() + SPACE_M - SPACE_S
        icon = theme().scaled_up(_ICON_PX)
        more = QRect(right - (side + icon) // 2, line.top(), icon, line.height())
        painter.draw_icon("ellipsis", at=more, tint="mute" if is_active else "dim", px=_ICON_PX)
        if row.entry.can_chat and is_active:
            painter.draw_icon("message-square", at=more.translated(-side - 2, 0), tint="accent", px=_ICON_PX)


class ModelCards(QListView):
    """Shows the models as cards; arrow keys move between cards."""

    def __init__(
        self, *, model: LibraryModel, library: LibraryController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.setObjectName("modelCards")
        self.setAccessibleName(tr("Models"))
        self.setModel(model)
        self.setModelColumn(int(Column.NAME))
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setViewMode(QListView.ViewMode.IconMode)
        self.setFlow(QListView.Flow.LeftToRight)
        self.setWrapping(True)
        self.setMovement(QListView.Movement.Static)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setUniformItemSizes(True)
        self.setSelectionRectVisible(False)
        self._delegate = CardDelegate(view=self, now=model.now)
        self.setItemDelegate(self._delegate)
        self.input = RowInput(self, delegate=self._delegate, library=library)
        theme().changed.connect(self._on_theme_changed)
        self._fit()

    @property
    def n_columns(self) -> int:
        """The number of cards in a row."""
        return max(1, (self.width() - _SCROLL_BAR_PX) // self.gridSize().width())

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)

    def _fit(self) -> None:
        available_px = max(1, self.width() - _SCROLL_BAR_PX)
        n_columns = max(1, available_px // theme().scaled(_MIN_WIDTH))
        size = QSize(available_px // n_columns, theme().scaled(_HEIGHT) + _GAP)
        if size != self.gridSize():
            self.setGridSize(size)

    def _on_theme_changed(self) -> None:
        self._fit()
        self.scheduleDelayedItemsLayout()
        self.viewport().update()


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
