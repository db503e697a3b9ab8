"""The search results: the list, a note in its place, and the state of paging."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtWidgets import QWidget

from fireside.core.discovery import HubSearchHit
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.ui.discover.discover_text import is_repository
from fireside.ui.discover.offer_note import token_actions
from fireside.ui.discover.results_list import ResultsList, ResultsModel
from fireside.ui.discover.state_pane import (
    OFFLINE_CODES,
    Action,
    StatePane,
    empty_note,
    error_note,
    searching_note,
)
from fireside.ui.kit.layout import boxed, column, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import COLUMN_WIDTH, centred
from fireside.ui.widgets.page_scroll import SCROLL_BAR_PX
from fireside.ui.widgets.text import ElidedLabel, truncate_text

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

_MAX_EMPTY_PAGES: Final = 5
"""Empty pages requested in a row before the user is asked whether to continue."""
_LONGEST_NAME: Final = 36
"""Characters of a name on a button."""


class ResultsPane(QWidget):
    """The list of results, or a note in its place."""

    def __init__(self, actions: DiscoverController, *, now: datetime) -> None:
        super().__init__()
        self._actions = actions
        self._has_more = False
        self._n_empty_pages = 0
        """Pages in a row without results: a filter may exclude nearly everything."""
        self.has_failed = False
        """Whether the error of a search is shown."""
        self.model = ResultsModel(now=now, parent=self)
        self.list = ResultsList(model=self.model)
        self.list.picked.connect(self._open_model)
        self.list.more_requested.connect(self._on_more_requested)
        self._foot = self._make_foot()
        self.state = StatePane(
            centred(
                column(stretch(self.list), self._foot, spacing=SPACE_XS),
                width=COLUMN_WIDTH + SCROLL_BAR_PX,
                in_page_scroll=True,
            )
        )
        column(self.state, on=self)

    def focus_list(self) -> None:
        """Focus the list, or the default button of the note."""
        if self.state.note is None:
            self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        elif self.state.buttons:
            self.state.buttons[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def show_searching(self) -> None:
        """Show that a search runs; earlier results stay until it is answered."""
        self.has_failed = False
        if self.state.note is not None or not self.model.rowCount():
            self.state.show_note(searching_note())
        else:
            self._show_footer(tr("Searching…"))

    def show_results(self, hits: Sequence[HubSearchHit], *, text: str, has_more: bool, now: datetime) -> None:
        """Show the first page of results for ``text``."""
        self._has_more = has_more
        self._n_empty_pages = 0
        self.model.show_results(hits, now=now)
        self.list.scroll_to_top()
        self._show_footer("" if has_more else self._end_text())
        self._show_or_load_more(text)

    def show_more(self, hits: Sequence[HubSearchHit], *, text: str, has_more: bool) -> None:
        """Append a page of results."""
        self._has_more = has_more
        n_before = self.model.rowCount()
        self.model.extend(hits)
        self._n_empty_pages = self._n_empty_pages + 1 if self.model.rowCount() == n_before else 0
        self._show_footer("" if has_more else self._end_text())
        self._show_or_load_more(text)

    def show_loading_more(self) -> None:
        self._show_footer(tr("Loading more…"))

    def show_error(self, error: ErrorInfo) -> None:
        self.has_failed = True
        actions: list[Action] = []
        if error.code == "hub_offline":
            actions.append((tr("Open settings"), self._actions.open_hub_settings))
        actions += token_actions(error, self._actions, again=self._actions.repeat_search)
        actions.append((tr("Try again"), self._actions.repeat_search))
        if error.code in OFFLINE_CODES:
            actions.append((tr("Add a file you have…"), self._actions.add_own_files))
        self.model.replace(())
        self.state.show_note(error_note(error, title=tr("Search failed")), actions=actions)

    def show_more_error(self, error: ErrorInfo) -> None:
        """Show below the list why the next page failed."""
        self._has_more = False
        self._show_footer(error.sentence, can_retry=True)

    def _show_or_load_more(self, text: str) -> None:
        if self.model.rowCount():
            self.state.show_content()
            if self._has_more and self._has_too_many_empty_pages:
                self._show_footer(tr("No more matches in the latest results"), can_retry=True)
            # A page may be short or hold only duplicates; then no scrolling would request the next.
            QTimer.singleShot(0, self.list, self.list.request_more_near_end)
        elif self._has_more and not self._has_too_many_empty_pages:
            self.state.show_note(searching_note())
            self._actions.load_more()
        elif self._has_more:
            self.state.show_note(empty_note(text), actions=[(tr("Load more"), self._on_again)])
        else:
            name = text.strip()
            # The search lists neither private models nor those without a label of their format.
            label = tr("Open {name}").format(name=truncate_text(name, length=_LONGEST_NAME))
            actions = [(label, lambda: self._actions.open_model(name))] if is_repository(name) else []
            self.state.show_note(empty_note(text), actions=actions)

    def _open_model(self, index: QModelIndex) -> None:
        if (hit := self.model.item(index)) is not None:
            self._actions.open_model(hit.repo)

    def _on_more_requested(self) -> None:
        if self._has_more and self.state.note is None and not self._has_too_many_empty_pages:
            self._actions.load_more()

    @property
    def _has_too_many_empty_pages(self) -> bool:
        return self._n_empty_pages >= _MAX_EMPTY_PAGES

    def _end_text(self) -> str:
        n = self.model.rowCount()
        return tr("%n model|%n models", "", n) if n else ""

    def _make_foot(self) -> QWidget:
        self.footer_text = ElidedLabel(role="small")
        self.retry = Button(tr("Try again"), kind="link", on_click=self._on_again)
        self.retry.setAccessibleName(tr("Load more"))
        foot = boxed(row(self.footer_text, self.retry, stretch(factor=1), margins=(0, 0, 0, SPACE_S)))
        foot.hide()
        return foot

    def _on_again(self) -> None:
        self._has_more, self._n_empty_pages = True, 0
        self._actions.load_more()

    def _show_footer(self, text: str, *, can_retry: bool = False) -> None:
        self.footer_text.set_full_text(text)
        self.retry.setVisible(can_retry)
        self._foot.setVisible(bool(text))
