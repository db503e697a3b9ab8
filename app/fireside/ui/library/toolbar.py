"""The toolbar above the list of models: search, buttons to add models, quick filters, order and view."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from fireside.core.i18n import number, tr
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.library.columns import SORTABLE, SPECS
from fireside.ui.library.filter_sort import (
    BIGGEST_FIRST,
    QUICK_LABELS,
    FilterChoices,
    LibraryQuery,
    Order,
    QuickFilter,
)
from fireside.ui.library.rows import source_text
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.folding_button import FoldingButton
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.segmented_control import SegmentedControl

_FOLD_BELOW: Final = 720
_TYPING_MS: Final = 60
"""Milliseconds from the last key until the list is filtered; short enough not to be noticed."""


class ListLayout(StrEnum):
    """How the list of models is displayed."""

    TABLE = "table"
    CARDS = "cards"


class ListToolbar(QWidget):
    """Emits the query and order that the user chose; the list applies them."""

    query_changed = Signal(object)
    order_requested = Signal(object)
    list_focus_requested = Signal()
    """The list should get the keyboard focus."""

    def __init__(self) -> None:
        super().__init__()
        self._order = Order()
        self._sources: tuple[str, ...] = ()
        self._tags: tuple[str, ...] = ()
        self.chips: dict[QuickFilter, Button] = {}
        self._typing = QTimer(self, singleShot=True, interval=_TYPING_MS)
        self._typing.timeout.connect(self._emit_query)
        column(self._make_first_line(), self._make_second_line(), on=self)

    @property
    def query(self) -> LibraryQuery:
        """The query of the current state of the controls."""
        source, tag = self.source.currentIndex() - 1, self.tag.currentIndex() - 1
        return LibraryQuery(
            text=self.filter.text(),
            quick=frozenset(quick for quick, chip in self.chips.items() if chip.isChecked()),
            source=self._sources[source] if 0 <= source < len(self._sources) else "",
            tag=self._tags[tag] if 0 <= tag < len(self._tags) else "",
        )

    def clear(self) -> None:
        """Clear all filters."""
        for chip in self.chips.values():
            chip.setChecked(False)
        self.source.setCurrentIndex(0)
        self.tag.setCurrentIndex(0)
        self.filter.clear()
        self._emit_query()

    def focus_filter(self, text: str) -> None:
        """Focus the search field and append ``text``, which was typed in the list; select all where it is
        empty."""
        self.filter.setFocus(Qt.FocusReason.ShortcutFocusReason)
        if text:
            self.filter.setText(self.filter.text() + text)
        else:
            self.filter.selectAll()

    def show_filter_choices(self, choices: FilterChoices) -> None:
        """Show the filters that match any model, and those that are active."""
        for quick, chip in self.chips.items():
            n = choices.quick.get(quick, 0)
            chip.set_label(f"{tr(QUICK_LABELS[quick])} {number(n)}")
            chip.setVisible(n > 0 or chip.isChecked())
        self._sources = _refill(self.source, tr("All locations"), choices.sources, selected=self.query.source)
        self._tags = _refill(self.tag, tr("Any tag"), choices.tags, selected=self.query.tag)
        self.source.setVisible(len(self._sources) > 1)
        self.tag.setVisible(bool(self._tags))

    def show_sorting(self, *, is_shown: bool) -> None:
        """Show how to sort, where there are no headings to click."""
        self.sort.setVisible(is_shown)
        self.direction.setVisible(is_shown)

    def show_order(self, order: Order) -> None:
        """Show the order of the list."""
        self._order = order
        self.sort.setCurrentIndex(SORTABLE.index(order.column))
        self.direction.set_icon("arrow-down" if order.descending else "arrow-up")
        self.direction.set_name(
            tr("Descending; click to reverse") if order.descending else tr("Ascending; click to reverse")
        )

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self.filter and isinstance(event, QKeyEvent) and event.type() is QEvent.Type.KeyPress:
            match event.key():
                case Qt.Key.Key_Down | Qt.Key.Key_Return | Qt.Key.Key_Enter:
                    self._emit_query()
                    self.list_focus_requested.emit()
                    return True
                case Qt.Key.Key_Escape if self.filter.text():
                    self.filter.clear()
                    return True
        return super().eventFilter(watched, event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        is_narrow = self.width() < theme().scaled(_FOLD_BELOW)
        for button in (self.discover, self.add_file, self.add_folder):
            button.fold(is_folded=is_narrow)

    # Building

    def _make_first_line(self) -> QHBoxLayout:
        self.filter = SearchField(tr("Search models"))
        self.filter.setMinimumWidth(120)
        self.filter.installEventFilter(self)
        self.filter.textChanged.connect(lambda _text: self._typing.start())
        self.discover = FoldingButton(tr("Find models"), icon="compass", kind="primary", tint="on_accent")
        self.add_file = FoldingButton(tr("Add file…"), icon="file-plus")
        self.add_folder = FoldingButton(tr("Add folder…"), icon="folder-plus")
        self.rescan = IconButton("refresh-cw", name=tr("Rescan"))
        return row(stretch(self.filter), self.rescan, self.add_folder, self.add_file, self.discover)

    def _make_second_line(self) -> QWidget:
        body, flow = flow_row(spacing=6)
        self.views = SegmentedControl(
            ((ListLayout.TABLE, tr("Table")), (ListLayout.CARDS, tr("Cards"))), name=tr("Show as")
        )
        self.sort = self._make_select(tr("Sort by"))
        for sort_column in SORTABLE:
            self.sort.addItem(tr(SPECS[sort_column].title))
        self.sort.activated.connect(self._on_sort)
        self.direction = IconButton("arrow-up", name=tr("Reverse order"), size=16)
        self.direction.clicked.connect(self._on_direction)
        self.source = self._make_select(tr("Location"))
        self.tag = self._make_select(tr("Tag"))
        for select in (self.source, self.tag):
            select.activated.connect(lambda _index: self._emit_query())
            select.hide()
        for widget in (self.views, self.sort, self.direction, self.source, self.tag):
            flow.addWidget(widget)
        self.show_sorting(is_shown=False)
        for quick in QuickFilter:
            chip = Button("", kind="chip")
            chip.setCheckable(True)
            chip.toggled.connect(lambda _on: self._emit_query())
            chip.hide()
            self.chips[quick] = chip
            flow.addWidget(chip)
        return body

    def _make_select(self, name: str) -> ComboBox:
        select = ComboBox(name=name)
        select.setObjectName("listSelect")
        select.setSizeAdjustPolicy(ComboBox.SizeAdjustPolicy.AdjustToContents)
        select.setMinimumWidth(64)
        select.setMaximumWidth(theme().scaled(190))
        select.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        return select

    def _emit_query(self) -> None:
        self._typing.stop()
        self.query_changed.emit(self.query)

    def _on_sort(self, index: int) -> None:
        column = SORTABLE[index]
        self.order_requested.emit(Order(column=column, descending=column in BIGGEST_FIRST))

    def _on_direction(self) -> None:
        self.order_requested.emit(Order(column=self._order.column, descending=not self._order.descending))


def _refill(select: ComboBox, any_label: str, options: tuple[str, ...], *, selected: str) -> tuple[str, ...]:
    """Fill a combo box with ``options``; the selected one stays, even if no model has it any more."""
    values = options if not selected or selected in options else (*options, selected)
    labels = [any_label, *(source_text(value) for value in values)]
    if labels != [select.itemText(index) for index in range(select.count())]:
        select.clear()
        select.addItems(labels)
    select.setCurrentIndex(values.index(selected) + 1 if selected else 0)
    return values
