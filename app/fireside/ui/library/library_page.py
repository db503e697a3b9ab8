"""The page of the local models: the list, one model, disk use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.library import DiskUse, FolderUse
from fireside.core.model import LibraryFailure
from fireside.settings.window_state import LibraryViewState
from fireside.ui.kit.data_table import TABLE_ROW_ROLE, CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import column, row, scrolled, stacked, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.sub_page import SubPage, take_titles
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.columns import SORTABLE, Column
from fireside.ui.library.detail import DetailPage
from fireside.ui.library.filter_sort import Order
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.list_page import ListPage
from fireside.ui.library.move_panel import MovePanel, move_text
from fireside.ui.library.rows import OWN_FOLDER
from fireside.ui.library.toolbar import ListLayout
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label, WrappedLabel, one_line
from fireside.ui.window_context import WindowContext

# Disk use by folder and by model, and moving the library to another folder.

_MAX_FOLDERS = 8
_MAX_MODELS = 12
"""Rows of a table before it scrolls."""


class DiskPage(SubPage):
    """Tables with bars, by folder and by model; Enter or a click on a model opens it."""

    def __init__(self, *, check_results: CheckResults, library: LibraryController) -> None:
        super().__init__(back=tr("Back to models"))
        self._check_results = check_results
        self._library = library
        self.move_panel = MovePanel(check_results=check_results, library=library)
        self.summary = WrappedLabel(tr("Calculating…"), role="body")
        self.folders = DataTable(
            (
                TableColumn(title=tr("Folder")),
                TableColumn(title=tr("Share", "a part of the whole"), kind=CellKind.BAR),
                TableColumn(title=tr("Models"), kind=CellKind.NUMBER, width=70, hide_priority=1),
                TableColumn(title=tr("Size"), kind=CellKind.NUMBER, width=84),
                TableColumn(title=tr("Free space"), kind=CellKind.NUMBER, width=88),
            ),
            name=tr("Disk usage by folder"),
            max_visible_rows=_MAX_FOLDERS,
        )
        self.filter = SearchField(tr("Search models"))
        self.models = DataTable(
            (
                TableColumn(title=tr("Model")),
                TableColumn(title=tr("Share", "a part of the whole"), kind=CellKind.BAR),
                TableColumn(title=tr("Size"), kind=CellKind.NUMBER, width=84),
            ),
            name=tr("Disk usage by model"),
            max_visible_rows=_MAX_MODELS,
        )
        self.filter.textChanged.connect(self.models.set_filter)
        self.models.activated.connect(self._on_model)
        self.models.clicked.connect(self._on_model)
        check_results.move_changed.connect(self._on_move_changed)
        self._arrange()

    def refresh(self) -> None:
        """Request the disk use."""
        self._library.read_disk_use(self.show_use, self.summary.setText)

    def show_use(self, use: DiskUse) -> None:
        """Show the disk use."""
        total = sum(folder.used_bytes for folder in use.folders) or 1
        self.folders.set_rows([_folder_row(folder, total=total) for folder in use.folders])
        largest = max((model.used_bytes for model in use.models), default=0) or 1
        self.models.set_rows(
            [
                TableRow(
                    cells=(model.name, f"{model.used_bytes / total:.0%}", format_bytes(model.used_bytes)),
                    share=model.used_bytes / largest,
                    key=model.path,
                )
                for model in use.models
            ]
        )
        self.summary.setText(disk_use_text(use))
        own = next((folder.path for folder in use.folders if folder.source == OWN_FOLDER), "")
        self.move_panel.show_folder(own)

    def _arrange(self) -> None:
        body = column(
            row(self.back, stretch(Label(tr("Disk usage"), role="title"))),
            self.summary,
            _titled(tr("By folder"), self.folders),
            self.move_panel,
            _titled(tr("By model"), self.filter, self.models),
            stretch(factor=1),
            spacing=SPACE_M,
        )
        page = centred(body, top=SPACE_M, bottom=SPACE_XL, in_page_scroll=True)
        column(scrolled(page), on=self)

    def _on_move_changed(self) -> None:
        move = self._check_results.move
        if move is not None and not move.is_running and not self.isHidden():
            self.refresh()

    def _on_model(self, index: Index) -> None:
        row = index.data(TABLE_ROW_ROLE)
        if isinstance(row, TableRow) and row.key:
            self._library.open(row.key)


def _titled(title: str, *parts: QWidget) -> QVBoxLayout:
    return column(Label(title, role="heading"), *parts, margins=(0, SPACE_S, 0, 0))


def _folder_row(folder: FolderUse, *, total: int) -> TableRow:
    location = folder.path if folder.source == folder.path else f"{tr(folder.source)}: {folder.path}"
    free = format_bytes(folder.free_bytes) if folder.free_bytes is not None else tr("unknown")
    return TableRow(
        cells=(
            location,
            f"{folder.used_bytes / total:.0%}",
            number(folder.n_models),
            format_bytes(folder.used_bytes),
            free,
        ),
        share=folder.used_bytes / total,
        key=folder.path,
    )


def disk_use_text(use: DiskUse) -> str:
    """Return a sentence on what all models take together."""
    n = len(use.models)
    if not n:
        return tr("No models yet")
    total = format_bytes(sum(folder.used_bytes for folder in use.folders))
    n_folders = len(use.folders)
    summary = tr("%n model, {size} in {folders}.|%n models, {size} in {folders}.", "", n).format(
        size=total, folders=tr("%n folder|%n folders", "in so many of them", n_folders)
    )
    copies = sum(model.copies_bytes for model in use.models)
    if not copies:
        return summary
    duplicates = tr("{size} in duplicates.").format(size=format_bytes(copies))
    return f"{summary} {duplicates}"


_NAMED_FAILURES: Final = 5
_COLUMN_NAMES: Final = {column.name.casefold(): column for column in SORTABLE}


class LibraryPage(QWidget):
    """Shows the list, one model or disk use; the latter two are created when first shown."""

    def __init__(self, context: WindowContext, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("page")
        self._context = context
        self._models = context.models
        self.check_results = CheckResults(self)
        self.controller = LibraryController(context, view=self, check_results=self.check_results)
        self.notices = BannerArea()
        self.list = ListPage(models=self._models, check_results=self.check_results, library=self.controller)
        self._detail: DetailPage | None = None
        self._disk: DiskPage | None = None
        self._pages = stacked(self.list)
        column(self.notices, stretch(self._pages), spacing=0, on=self)
        self.check_results.move_changed.connect(self._on_move_changed)
        self._models.entries_changed.connect(self._on_entries_changed)

    @property
    def detail(self) -> DetailPage:
        """The page of one model; created when first shown, so that the window starts sooner."""
        if self._detail is None:
            self._detail = DetailPage(
                self._context, check_results=self.check_results, library=self.controller
            )
            self._detail.closed.connect(self._on_detail_closed)
            self._pages.addWidget(self._detail)
            take_titles(self, self._pages, self._detail)
        return self._detail

    @property
    def disk(self) -> DiskPage:
        """The page of disk use; created when first shown."""
        if self._disk is None:
            self._disk = DiskPage(check_results=self.check_results, library=self.controller)
            self._disk.closed.connect(self.show_list)
            self._pages.addWidget(self._disk)
        return self._disk

    @property
    def view_state(self) -> LibraryViewState:
        """The state of the list to restore at the next start."""
        order = self.list.model.order
        return LibraryViewState(
            view=self.list.view.value, column=order.column.name.casefold(), descending=order.descending
        )

    def restore(self, state: LibraryViewState) -> None:
        """Restore the state of the list; unknown columns and views fall back to the defaults."""
        column = _COLUMN_NAMES.get(state.column, Column.NAME)
        self.list.set_order(Order(column=column, descending=state.descending))
        self.list.show_view(ListLayout.CARDS if state.view == ListLayout.CARDS else ListLayout.TABLE)

    def focus_current_page(self) -> None:
        """Focus the search field of the list, or the page shown in front of it."""
        current_page = self._pages.currentWidget()
        if current_page is self.list:
            self.list.toolbar.filter.setFocus(Qt.FocusReason.OtherFocusReason)
        elif isinstance(current_page, SubPage):
            current_page.focus_first_field()

    # Pages

    def show_list(self) -> None:
        """Show the list, at the model that was open."""
        self._pages.setCurrentWidget(self.list)
        self.list.focus_list()

    def show_model(self, path: str) -> None:
        """Show the page of one file."""
        self.list.show_path(path)
        self._pages.setCurrentWidget(self.detail)
        self.detail.show_path(path)

    def show_disk_use(self) -> None:
        """Show the page of disk use, and calculate it."""
        self._pages.setCurrentWidget(self.disk)
        self.disk.refresh()
        self.notices.remove("move")
        self.disk.focus_first_field()

    def shows_model(self, path: str) -> bool:
        """Return whether the page of this file is visible."""
        page = self._detail
        return page is not None and page.isVisible() and page.path == path

    # The controller's view

    def show_failures(self, failures: Sequence[LibraryFailure]) -> None:
        """Show which files or folders could not be added, and why; an empty sequence clears that."""
        if not failures:
            self.notices.remove("failures")
            return
        lines = [
            f"{one_line(PurePath(f.path).name or f.path)}: {f.reason}" for f in failures[:_NAMED_FAILURES]
        ]
        if len(failures) > _NAMED_FAILURES:
            lines.append(tr("and %n more.|and %n more.", "", len(failures) - _NAMED_FAILURES))
        self.notices.show_banner(
            "failures", tr("Not added: {reasons}").format(reasons="\n".join(lines)), tone=Tone.WARN
        )

    def show_problem(self, sentence: str) -> None:
        """Show an error of an action on this page."""
        self.notices.show_banner("problem", sentence, tone=Tone.DANGER)

    # Inside

    def _on_detail_closed(self) -> None:
        if self._pages.currentWidget() is self._detail:
            self.show_list()

    def _on_entries_changed(self) -> None:
        self.check_results.retain_only(self._models.entries)

    def _on_move_changed(self) -> None:
        move = self.check_results.move
        if move is None or self._pages.currentWidget() is self._disk:
            self.notices.remove("move")
            return
        show = (tr("Show"), self.show_disk_use)
        if move.is_running:
            # Without numbers: a banner replaced several times a second would take the keyboard focus each
            # time.
            if not self.notices.has("move"):
                self.notices.show_banner("move", tr("Moving library…"), tone=Tone.INFO, actions=(show,))
            return
        tone = Tone.INFO if move.error is None else Tone.DANGER
        self.notices.show_banner("move", move_text(move), tone=tone, actions=(show,))
