"""Contents of a file's header: its metadata, and its tensors by type and one by one."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from fireside.core.errors import format_bytes
from fireside.core.i18n import number, tr
from fireside.core.library import ModelDetail
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import column, stretch
from fireside.ui.model_text import abbreviate_count
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label

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
