"""The start page: suggested models by purpose. Needs no network."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QWidget

from fireside.core.discovery import CatalogueModel
from fireside.core.errors import ErrorInfo
from fireside.core.i18n import tr
from fireside.ui.discover.availability import Availability, catalogue_key
from fireside.ui.discover.catalogue_card import CatalogueCard
from fireside.ui.discover.discover_actions import DiscoverActions
from fireside.ui.kit.layout import column
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import Label, WrappedLabel

_TWO_COLUMNS: Final = 700
_MOST_COLUMNS: Final = 2


class StartPage(PageScroll):
    """Cards below headings."""

    def __init__(self, actions: DiscoverActions, *, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._actions = actions
        self.models: tuple[CatalogueModel, ...] = ()
        self._cards: dict[str, CatalogueCard] = {}
        self._grids: list[tuple[QGridLayout, list[QWidget]]] = []
        self._n_columns = 0

    @property
    def cards(self) -> tuple[CatalogueCard, ...]:
        """The cards from top to bottom."""
        return tuple(self._cards.values())

    def set_models(self, models: Sequence[CatalogueModel]) -> None:
        """Show these models, each purpose below a heading, in the given order."""
        self.models = tuple(models)
        self._cards, self._grids = {}, []
        layout = column(
            WrappedLabel(tr("Recommended models"), role="title"),
            WrappedLabel(
                tr("Picked for different computers and tasks. They run entirely on this computer."),
                role="mute",
            ),
        )
        for purpose, group in groupby(self.models, key=lambda model: model.purpose):
            layout.addSpacing(SPACE_M)
            layout.addWidget(Label(tr(purpose), role="heading"))
            grid = QGridLayout()
            grid.setSpacing(SPACE_M)
            cards: list[QWidget] = [self._make_card(model) for model in group]
            # A grid gives no width to a column without widgets; a lone card would be too wide.
            self._grids.append((grid, cards if len(cards) > 1 else [*cards, QWidget()]))
            layout.addLayout(grid)
        layout.addSpacing(SPACE_L)
        self.popular = Button(tr("Browse trending models"), theme=self._theme, icon="search")
        self.popular.clicked.connect(self._actions.search_all)
        layout.addWidget(self.popular, 0, Qt.AlignmentFlag.AlignLeft)
        layout.addStretch()
        self.setWidget(centred(layout, top=SPACE_S, bottom=SPACE_XL, in_page_scroll=True))
        self._n_columns = 0
        self._arrange()

    def show_availability(
        self,
        availability: Mapping[str, Availability],
        *,
        requested: frozenset[str],
        problems: Mapping[str, ErrorInfo],
    ) -> None:
        """Show the availability of each model, by ``catalogue_key``."""
        for key, card in self._cards.items():
            card.offer.show_availability(
                availability[key], is_requested=key in requested, problem=problems.get(key)
            )

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _make_card(self, model: CatalogueModel) -> CatalogueCard:
        card = CatalogueCard(model, actions=self._actions, theme=self._theme)
        self._cards[catalogue_key(model)] = card
        return card

    def _arrange(self) -> None:
        n_columns = 2 if self.viewport().width() >= _TWO_COLUMNS else 1
        if n_columns == self._n_columns:
            return
        self._n_columns = n_columns
        for grid, cards in self._grids:
            for card in cards:
                grid.removeWidget(card)
            for index, card in enumerate(cards):
                grid.addWidget(card, index // n_columns, index % n_columns)
            for index in range(_MOST_COLUMNS):
                grid.setColumnStretch(index, 1 if index < n_columns else 0)
