"""Everything about one model file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import partial

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.ids import ModelId
from fireside.core.library import ModelDetail
from fireside.core.model import ModelEntry
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import at_left, column, scrolled, stacked, stretch
from fireside.ui.kit.sub_page import SubPage
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.detail.head import DetailHead
from fireside.ui.library.detail.overview import Overview
from fireside.ui.library.detail.template import TemplatePart
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.rows import ModelRow, make_row, name_of
from fireside.ui.library.table_model import local_now
from fireside.ui.loading.load_controller import LoadController
from fireside.ui.model_text import abbreviate_count
from fireside.ui.theme import SPACE_M, SPACE_XL
from fireside.ui.tuning import TuningController
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import Label
from fireside.ui.window_context import WindowContext


class Tab(StrEnum):
    """The parts of the page."""

    OVERVIEW = "overview"
    TEMPLATE = "template"
    METADATA = "metadata"
    TENSORS = "tensors"
    LOADING = "loading"
    TUNING = "tuning"


class DetailPage(SubPage):
    """Shows one model file in tabs. GUI thread only."""

    def __init__(
        self,
        context: WindowContext,
        *,
        check_results: CheckResults,
        library: LibraryController,
        now: Callable[[], datetime] = local_now,
    ) -> None:
        models = context.models
        super().__init__(back=tr("Back to models"))
        self._models = models
        self._check_results = check_results
        self._library = library
        self._now = now
        self._path = ""
        self._entry: ModelEntry | None = None
        self.head = DetailHead(self.back, library=library)
        self.overview = Overview(library=library)
        self.template = TemplatePart(self._use_template, lexers=Lexers())
        self.metadata = MetadataPart()
        self.tensors = TensorsPart()
        self.loading = LoadController(context).panel
        self.tuning = TuningController(context).panel
        self._arrange()
        models.entries_changed.connect(self._refresh)
        models.state_changed.connect(self._on_state_changed)
        check_results.check_changed.connect(self._on_check_changed)
        check_results.updates_changed.connect(self._refresh)

    @property
    def path(self) -> str:
        """The path of the displayed model; empty before the first."""
        return self._path

    def show_path(self, path: str) -> None:
        """Show a model file, and request the facts of its header."""
        self._path = path
        row = self._row()
        if row is None:
            return
        self.show_tab(Tab.OVERVIEW)
        self._reading_stack.setCurrentWidget(self._reading_state)
        self._refresh()
        self._overview_scroll.verticalScrollBar().setValue(0)
        self._read()
        self.focus_first_field()

    def show_detail(self, detail: ModelDetail) -> None:
        """Show the facts of the header, if they belong to the displayed model."""
        if detail.path != self._path:
            return
        for part in (self.overview, self.template, self.metadata, self.tensors):
            part.show_detail(detail)
        self._reading_stack.setCurrentWidget(self._parts)
        self.show_tab(self.tab)

    def _show_failure(self, path: str, sentence: str) -> None:
        if path == self._path:
            self._failed_state.explanation.setText(sentence)
            self._reading_stack.setCurrentWidget(self._failed_state)

    @property
    def tab(self) -> Tab:
        return Tab(self.tabs.selected_key)

    def show_tab(self, tab: Tab) -> None:
        """Show one tab."""
        self.tabs.select(tab)
        self.head.set_load_below(has_load_below=tab is Tab.LOADING)
        scroll_of = {
            Tab.OVERVIEW: self._overview_scroll,
            Tab.LOADING: self._loading_scroll,
            Tab.TUNING: self._tuning_scroll,
        }
        if tab in scroll_of:
            self._body.setCurrentWidget(scroll_of[tab])
            return
        self._body.setCurrentWidget(self._reading_page)
        part = {Tab.TEMPLATE: self.template, Tab.METADATA: self.metadata, Tab.TENSORS: self.tensors}[tab]
        self._parts.setCurrentWidget(part)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        row = self._row()
        if event.key() == Qt.Key.Key_Delete and row is not None and row.entry.removable:
            self._library.confirm_removal(self._path)
        else:
            super().keyPressEvent(event)

    # Building

    def _arrange(self) -> None:
        self.tabs = SegmentedControl(
            (
                (Tab.OVERVIEW, tr("Overview")),
                (Tab.LOADING, tr("Load settings", "on a tab, where there is little room")),
                (Tab.TUNING, tr("Benchmark")),
                (Tab.TEMPLATE, tr("Template")),
                (Tab.METADATA, tr("Metadata")),
                (Tab.TENSORS, tr("Tensors")),
            ),
            name=tr("Show"),
            wraps=True,
        )
        self.tabs.key_selected.connect(lambda key: self.show_tab(Tab(key)))
        self._overview_scroll = _scrolled(self.overview)
        self._loading_scroll = _scrolled(self.loading)
        self._tuning_scroll = _scrolled(self.tuning)
        self._body = stacked(
            self._overview_scroll, self._loading_scroll, self._tuning_scroll, self._make_reading()
        )
        column(
            centred(
                column(self.head, at_left(self.tabs), spacing=SPACE_M),
                top=SPACE_M,
                bottom=SPACE_M,
            ),
            stretch(self._body),
            spacing=0,
            on=self,
        )

    def _make_reading(self) -> QWidget:
        self._parts = stacked(self.template, self.metadata, self.tensors)
        self._reading_state = EmptyState("box", title=tr("Reading file…"), text="")
        self._failed_state = EmptyState("circle-alert", title=tr("File unreadable"), text="")
        self.retry = Button(tr("Try again"), on_click=self._read)
        self._failed_state.add_button(self.retry)
        self._reading_stack = stacked(self._reading_state, self._parts, self._failed_state)
        self._reading_page = centred(column(self._reading_stack), bottom=SPACE_XL)
        return self._reading_page

    # Events

    def _read(self) -> None:
        self._library.read_detail(self._path, self.show_detail, partial(self._show_failure, self._path))

    def _use_template(
        self, template: str, on_done: Callable[[ModelDetail], None], on_failed: Callable[[str], None]
    ) -> None:
        entry = self._models.entry_at(self._path)
        if entry is not None and entry.spec is not None:
            self._library.use_template(entry.spec.id, self._path, template, on_done, on_failed)

    def _row(self) -> ModelRow | None:
        entry = self._models.entry_at(self._path)
        check = self._check_results.check(self._path)
        if entry is None and check is not None and check.is_running:
            entry = self._entry  # a file under repair has another name
        self._entry = entry
        return (
            None if entry is None else make_row(entry, models=self._models, check_results=self._check_results)
        )

    @Slot()
    def _refresh(self) -> None:
        if not self._path:
            return
        row = self._row()
        if row is None:
            # The file was deleted, or its disk was removed.
            self._path = ""
            self.closed.emit()
            return
        self.head.show_row(row)
        self.setWindowTitle(name_of(row))
        self.overview.show_row(row, now=self._now())
        can_load = row.entry.can_chat
        for tab in (Tab.LOADING, Tab.TUNING):
            self.tabs.button(tab).setVisible(can_load)
        if can_load and row.entry.spec is not None:
            self.loading.show_model(row.entry.spec, row.state)
            self.tuning.show_model(row.entry.spec)

    @Slot(str)
    def _on_state_changed(self, model_id: str) -> None:
        entry = self._models.entry(ModelId(model_id))
        if entry is not None and entry.path == self._path:
            self._refresh()

    @Slot(str)
    def _on_check_changed(self, path: str) -> None:
        if path == self._path:
            self._refresh()


def _scrolled(part: QWidget) -> PageScroll:
    return scrolled(centred(column(part, stretch()), bottom=SPACE_XL, in_page_scroll=True))


# Contents of a file's header: its metadata, and its tensors by type and one by one


_MAX_KINDS = 6
"""Tensor types shown without scrolling."""


class MetadataPart(QWidget):
    """A table of all metadata of the header; Ctrl+C copies one entry."""

    def __init__(self) -> None:
        super().__init__()
        self.filter = SearchField(tr("Search metadata"))
        self.table = DataTable(
            (
                TableColumn(title=tr("Key"), kind=CellKind.CODE),
                TableColumn(title=tr("Value")),
                TableColumn(title=tr("Type"), width=130, hide_priority=1),
            ),
            name=tr("Metadata"),
        )
        self.filter.textChanged.connect(self.table.set_filter)
        column(self.filter, stretch(self.table), on=self)

    def show_detail(self, detail: ModelDetail) -> None:
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        line.key,
                        line.value,
                        f"{line.kind}, {number(line.n_items)}" if line.n_items != 1 else line.kind,
                    )
                )
                for line in detail.metadata
            ]
        )


class TensorsPart(QWidget):
    """Tensors by type as bars, and below a table of all tensors."""

    def __init__(self) -> None:
        super().__init__()
        self.kinds = DataTable(
            (
                TableColumn(title=tr("Type"), kind=CellKind.CODE, width=96),
                TableColumn(title=tr("Share", "a part of the whole"), kind=CellKind.BAR),
                TableColumn(title=tr("Size"), kind=CellKind.NUMBER, width=90),
                TableColumn(title=tr("Tensors"), kind=CellKind.NUMBER, width=80, hide_priority=1),
                TableColumn(title=tr("Elements"), kind=CellKind.NUMBER, width=80, hide_priority=2),
            ),
            name=tr("Tensors by type"),
            max_visible_rows=_MAX_KINDS,
        )
        self.filter = SearchField(tr("Filter by name, type or shape"))
        self.table = DataTable(
            (
                TableColumn(title=tr("Name"), kind=CellKind.CODE),
                TableColumn(title=tr("Type"), kind=CellKind.CODE, width=84),
                TableColumn(title=tr("Shape"), kind=CellKind.CODE, width=170, hide_priority=1),
                TableColumn(title=tr("Size"), kind=CellKind.NUMBER, width=90),
            ),
            name=tr("Tensors"),
        )
        self.summary = Label(role="small")
        self.filter.textChanged.connect(self.table.set_filter)
        column(self.kinds, self.filter, self.summary, stretch(self.table), on=self)

    def show_detail(self, detail: ModelDetail) -> None:
        total = sum(use.n_bytes for use in detail.tensor_kinds) or 1
        self.kinds.set_rows(
            [
                TableRow(
                    cells=(
                        use.kind,
                        f"{use.n_bytes / total:.0%}",
                        format_bytes(use.n_bytes),
                        number(use.n_tensors),
                        abbreviate_count(use.n_elements),
                    ),
                    share=use.n_bytes / total,
                )
                for use in detail.tensor_kinds
            ]
        )
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        tensor.name,
                        tensor.kind,
                        " × ".join(f"{n}" for n in tensor.shape),
                        format_bytes(tensor.n_bytes),
                    )
                )
                for tensor in detail.tensors
            ]
        )
        self.summary.setText(tr("%n tensor|%n tensors", "", len(detail.tensors)))
