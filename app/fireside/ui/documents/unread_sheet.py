"""The files of a collection that could not be read, each with the reason."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QWidget

from fireside.core.collection import Source
from fireside.core.i18n import tr
from fireside.ui.kit.data_table import DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import stretch
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.theme import Theme


class UnreadSheet(Sheet):
    """Lists the files with their reasons, and offers to retry them."""

    def __init__(
        self, sources: Sequence[Source], on_retry: Callable[[], object], *, theme: Theme, parent: QWidget
    ) -> None:
        super().__init__(tr("Files with problems"), theme=theme, parent=parent, size=SheetSize.LARGE)
        self._on_retry = on_retry
        columns = (
            TableColumn(title=tr("File"), width=220),
            TableColumn(title=tr("Reason")),
            TableColumn(title=tr("Folder"), width=160, hide_priority=1),
        )
        self.table = DataTable(columns, name=tr("Files with problems"), theme=theme)
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        source.name,
                        source.error or " ".join(source.warnings),
                        source.path.removesuffix(source.name).rstrip("/\\"),
                    ),
                    key=source.path,
                )
                for source in sources
            ]
        )
        self.retry = self.make_button(tr("Try again"), self._retry, icon="refresh-cw")
        self.set_content(
            stretch(self.table), buttons=(self.retry, stretch(), self.make_close(is_default=True))
        )

    def _retry(self) -> None:
        self.accept()
        self._on_retry()
