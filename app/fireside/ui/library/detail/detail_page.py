"""Everything about one model file."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from functools import partial

from PySide6.QtCore import QPoint, Qt, Signal, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QMenu, QSizePolicy, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.ids import ModelId
from fireside.core.library import ModelDetail
from fireside.core.model import ModelEntry
from fireside.core.status import LoadingModel, Ready, Unloading
from fireside.ui.chat.answer.highlight import Lexers
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import at_left, column, row, scrolled, stacked, stretch
from fireside.ui.kit.sub_page import SubPage
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.detail.overview import Overview
from fireside.ui.library.detail.template import TemplatePart
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.menu import model_menu
from fireside.ui.library.rows import NAME_LIMIT, ModelRow, make_row, name_of, problem_of, state_badge
from fireside.ui.library.table_model import local_now
from fireside.ui.loading.load_controller import LoadController
from fireside.ui.model_text import abbreviate_count
from fireside.ui.theme import SPACE_M, SPACE_XL, SPACE_XS, theme
from fireside.ui.tuning import TuningController
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.empty_state import EmptyState
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.picture import Dot
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.segmented_control import SegmentedControl
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

# Head of a model's page: back button, editable name, and the most frequent actions.

_EDIT_WIDTH = 420


class _NameEdit(QLineEdit):
    """Emits ``committed`` on Enter and ``cancelled`` on Escape."""

    committed = Signal(str)
    cancelled = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.committed.emit(self.text())
            case Qt.Key.Key_Escape:
                self.cancelled.emit()
            case _:
                super().keyPressEvent(event)


class DetailHead(QWidget):
    """Shows name, state and buttons of one model."""

    def __init__(self, back: IconButton, *, library: LibraryController) -> None:
        super().__init__()
        self.back = back
        self._library = library
        self._row: ModelRow | None = None
        self._has_load_below = False
        self.problem = WrappedLabel(role="error")
        column(self._make_top(), self._make_state(), self.problem, spacing=SPACE_XS, on=self)

    def show_row(self, row: ModelRow) -> None:
        """Show a model and its current state."""
        self._row = row
        entry = row.entry
        name = name_of(row)
        self.name.set_full_text(name)
        is_usable = entry.spec is not None
        for button in (self.pencil, self.star):
            button.setVisible(is_usable)
        is_favourite = entry.user_metadata.favourite
        self.star.set_icon(
            "star-filled" if is_favourite else "star", tint="accent" if is_favourite else "mute"
        )
        self.star.set_name(tr("Remove from favourites") if is_favourite else tr("Add to favourites"))
        is_loaded = isinstance(row.state, Ready)
        self.use.setVisible(entry.can_chat)
        self.power.setVisible(entry.can_chat and (is_loaded or not self._has_load_below))
        self.power.set_label(tr("Unload") if is_loaded else tr("Load"))
        self.power.setEnabled(not isinstance(row.state, LoadingModel | Unloading))
        badge = state_badge(row)
        self._dot.setVisible(badge is not None)
        self._state.setText(badge.text if badge is not None else "")
        if badge is not None:
            self._dot.set_tint(badge.tint)
        original_name = one_line(entry.own_name)
        self._own_name.set_full_text(
            tr("Original name: {own}").format(own=original_name)
            if original_name and original_name != name
            else ""
        )
        self._state.setVisible(bool(self._state.text()))
        self._own_name.setVisible(bool(self._own_name.text()))
        self.problem.set_role("mute" if entry.is_disconnected else "error")
        self.problem.show_text(problem_of(row))

    def set_load_below(self, *, has_load_below: bool) -> None:
        """Set whether the tab shown below has a button to load the model, so that there is one."""
        self._has_load_below = has_load_below
        if self._row is not None:
            self.show_row(self._row)

    def rename(self) -> None:
        """Edit the name in place."""
        if self._row is None or self._row.entry.spec is None:
            return
        self.edit.setText(name_of(self._row))
        self.edit.setPlaceholderText(one_line(self._row.entry.own_name) or tr("Original name"))
        self._names.setCurrentWidget(self.edit)
        self._names.setMinimumWidth(min(theme().scaled(_EDIT_WIDTH), self.width() // 2))
        self.edit.selectAll()
        self.edit.setFocus(Qt.FocusReason.OtherFocusReason)

    def open_menu(self) -> QMenu | None:
        """Open the menu of all other actions."""
        if self._row is None:
            return None
        menu = model_menu(self._row, library=self._library, rename=self.rename, parent=self, is_on_page=True)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(self.more.mapToGlobal(QPoint(0, self.more.height())))
        return menu

    def _make_top(self) -> QHBoxLayout:
        library, router = self._library, self._library.router
        self.name = ElidedLabel(role="title")
        self.edit = _NameEdit()
        self.edit.setObjectName("nameEdit")
        self.edit.setAccessibleName(tr("Model name"))
        self.edit.setMaxLength(NAME_LIMIT)
        # Otherwise the name's label would be as wide as the editor, far from its pencil button.
        self.edit.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.edit.committed.connect(self._on_name_committed)
        self.edit.cancelled.connect(self._stop_editing)
        self.edit.editingFinished.connect(self._stop_editing)
        self._names = stacked(self.name, self.edit)
        self.pencil = IconButton("pencil", name=tr("Rename"), size=16)
        self.pencil.clicked.connect(self.rename)
        self.star = IconButton("star", name=tr("Add to favourites"))
        self.star.clicked.connect(
            self._with_model(
                lambda row, model: library.mark_favourite(model, not row.entry.user_metadata.favourite)
            )
        )
        self.power = Button(tr("Load"))
        self.power.clicked.connect(
            self._with_model(
                lambda row, model: (
                    router.unload_model if isinstance(row.state, Ready) else router.load_model
                )(model)
            )
        )
        self.use = Button(tr("Use in chat"), kind="primary")
        self.use.clicked.connect(self._with_model(lambda _row, model: router.use_model(model)))
        self.more = IconButton("ellipsis", name=tr("More"))
        self.more.clicked.connect(self.open_menu)
        return row(self.back, self._names, self.pencil, self.star, stretch(factor=1), self.more)

    def _make_state(self) -> QHBoxLayout:
        self._dot = Dot(tint="dim")
        self._state = Label(role="small")
        self._own_name = ElidedLabel(role="small")
        return row(
            self._dot,
            self._state,
            self._own_name,
            stretch(factor=1),
            self.power,
            self.use,
            spacing=6,
        )

    def _on_name_committed(self, text: str) -> None:
        row = self._row
        self._stop_editing()
        name = " ".join(text.split())
        if row is not None and row.entry.spec is not None and name != name_of(row):
            self._library.rename(row.entry.spec.id, name)

    def _stop_editing(self) -> None:
        if self._names.currentWidget() is self.edit:
            had_focus = self.edit.hasFocus()
            self._names.setCurrentWidget(self.name)
            self._names.setMinimumWidth(0)
            if had_focus:
                self.pencil.setFocus(Qt.FocusReason.OtherFocusReason)

    def _with_model(self, act: Callable[[ModelRow, ModelId], object]) -> Callable[[], None]:
        """Return a function that calls ``act`` with the id of the model shown, if the model is usable."""

        def run() -> None:
            if self._row is not None and self._row.entry.spec is not None:
                act(self._row, self._row.entry.spec.id)

        return run


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
