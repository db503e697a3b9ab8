"""The files of a collection, those with problems first: what state each is in, and what helps."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from fireside.core.collection import Source
from fireside.core.i18n import number, tr
from fireside.ui.documents.documents_controller import DocumentsController
from fireside.ui.documents.documents_text import file_help, file_state, has_problem
from fireside.ui.kit.data_table import CellKind, DataTable, TableColumn, TableRow
from fireside.ui.kit.layout import column
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import WrappedLabel

_VISIBLE_ROWS: Final = 8
_SEARCHED_FROM: Final = 10
"""Files from which on one is searched for by name."""


class FileList(QWidget):
    """A table with what can be done with the selected file; the controller does it."""

    def __init__(self, *, controller: DocumentsController) -> None:
        super().__init__()
        self._controller = controller
        self._sources: dict[str, Source] = {}
        columns = (
            TableColumn(title=tr("File")),
            TableColumn(title=tr("Folder"), width=150, hide_priority=2),
            TableColumn(title=tr("State"), width=150),
            TableColumn(title=tr("Passages"), kind=CellKind.NUMBER, width=80, hide_priority=1),
        )
        self.search = SearchField(tr("Find a file"))
        self.table = DataTable(columns, name=tr("Files"), max_visible_rows=_VISIBLE_ROWS, marks_current=True)
        self.about = WrappedLabel(role="mute")
        self._actions: dict[str, tuple[str, Callable[[Source], object]]] = {
            tr("Open file"): ("external-link", controller.open_file),
            tr("Show in folder"): ("folder-open", controller.reveal),
            tr("Read again"): ("refresh-cw", controller.reread),
            tr("Remove"): ("x", controller.remove_file),
        }
        self.buttons = [
            Button(label, icon=icon, kind="quiet", on_click=partial(self._act, act))
            for label, (icon, act) in self._actions.items()
        ]
        buttons, _ = flow_row(*self.buttons, spacing=SPACE_S)
        self._buttons = buttons
        column(self.search, self.table, self.about, buttons, on=self)
        for part in (self.search, self.about, buttons):
            part.hide()
        self.hide()
        self.search.textChanged.connect(self._on_search)
        self.table.current_changed.connect(self._show_current)
        self.table.activated.connect(lambda _index: self._act(controller.open_file))
        self.table.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.table.customContextMenuRequested.connect(self._on_menu)

    def __contains__(self, path: str) -> bool:
        """Whether a path is one of the files."""
        return path in self._sources

    def focus_first(self) -> None:
        """Select the first file, which has a problem if any has."""
        if rows := self.table.row_model.rows:
            self.table.select_key(rows[0].key)
            self.table.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def current(self) -> Source | None:
        """The selected file."""
        return self._sources.get(self.table.current_key)

    def show_files(self, sources: Sequence[Source], *, roots: Sequence[str] = ()) -> None:
        """Show these files, found in these files and folders; a selected one stays so."""
        current = self.table.current_key
        self._sources = {source.path: source for source in sources}
        ordered = sorted(sources, key=lambda source: (not has_problem(source), source.path))
        self.table.set_rows(
            [
                TableRow(
                    cells=(
                        source.name,
                        _folder(source.path, roots),
                        file_state(source),
                        number(source.n_passages) if source.n_passages else "",
                    ),
                    key=source.path,
                )
                for source in ordered
            ]
        )
        self.search.setVisible(len(sources) >= _SEARCHED_FROM)
        self.setVisible(bool(sources))
        self.table.select_key(current)
        self._show_current()

    def _show_current(self) -> None:
        source = self.current
        self.about.show_text("" if source is None else file_help(source))
        self._buttons.setVisible(source is not None)

    def _on_search(self, text: str) -> None:
        self.table.set_filter(text)

    def _act(self, act: Callable[[Source], object], _checked: bool = False) -> None:
        if (source := self.current) is not None:
            act(source)

    def _on_menu(self, at: QPoint) -> None:
        if self.current is None:
            return
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setAccessibleName(tr("Actions"))
        for label, (icon, act) in self._actions.items():
            action = QAction(theme().icon(icon, "mute", 16), label, menu)
            # Deferred until the menu has closed, otherwise it takes the focus from what the action opens.
            do = partial(self._act, act)
            action.triggered.connect(lambda _checked=False, do=do: QTimer.singleShot(0, self, do))
            menu.addAction(action)
        menu.popup(self.table.viewport().mapToGlobal(at))


def _folder(path: str, roots: Sequence[str]) -> str:
    """Return the folder of a file, from that of the collection on which it is in."""
    folder = PurePath(path).parent
    for root in map(PurePath, roots):
        if root in (folder, *folder.parents):
            return str(folder.relative_to(root.parent))
    return str(folder)
