"""The page of the local models: the list, one model, disk use."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import PurePath
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.model import LibraryFailure
from fireside.settings.window_state import LibraryViewState
from fireside.ui.kit.layout import column, stacked, stretch
from fireside.ui.kit.sub_page import SubPage, take_titles
from fireside.ui.library.check_results import CheckResults
from fireside.ui.library.columns import SORTABLE, Column
from fireside.ui.library.detail import DetailPage
from fireside.ui.library.disk_page import DiskPage
from fireside.ui.library.filter_sort import Order
from fireside.ui.library.library_controller import LibraryController
from fireside.ui.library.list_page import ListPage
from fireside.ui.library.move_panel import move_text
from fireside.ui.library.toolbar import ListLayout
from fireside.ui.widgets.banner import BannerArea, Tone
from fireside.ui.widgets.text import one_line
from fireside.ui.window_context import WindowContext

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
