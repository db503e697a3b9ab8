"""Disk use by folder and by model, and moving the library to another folder."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.library import DiskUse, FolderUse
from fireside.ui.kit.data_table import TABLE_ROW_ROLE, CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import column, row, scrolled, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.sub_page import SubPage
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.move_panel import MovePanel
from fireside.ui.library.rows import OWN_FOLDER
from fireside.ui.theme import SPACE_M, SPACE_S, SPACE_XL
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label, WrappedLabel

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
