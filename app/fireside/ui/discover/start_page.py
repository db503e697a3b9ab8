"""The start page: the model for this computer, and others by how they would run. Needs no network."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QWidget

from fireside.core.discovery import CatalogueModel, FitEstimate
from fireside.core.errors import ErrorInfo
from fireside.core.fit import Rating
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.availability import Availability, catalogue_key
from fireside.ui.discover.discover_text import (
    catalogue_accessible_text,
    catalogue_facts,
    outlook_text,
)
from fireside.ui.discover.fit_line import FitLine
from fireside.ui.discover.offer_box import OfferBox
from fireside.ui.kit.click_card import ClickCard
from fireside.ui.kit.layout import Placed, column, in_middle, row, space, stretch
from fireside.ui.model_text import media_labels
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.centred import centred
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController


class CatalogueCard(ClickCard):
    """Purpose and facts of a suggested model. A click, Enter or Space opens its page."""

    def __init__(self, model: CatalogueModel, *, is_first: bool = False, actions: DiscoverController) -> None:
        """``is_first`` makes it the one card that stands out."""
        super().__init__()
        self.model = model
        self._open = partial(actions.open_model, model.repo)
        self.clicked.connect(self._open)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAccessibleName(model.name)
        self.setAccessibleDescription(catalogue_accessible_text(model))
        self.offer = OfferBox(
            actions,
            subject=model.name,
            primary=is_first,
            download=partial(actions.download, catalogue_key(model)),
        )
        self.offer.setCursor(Qt.CursorShape.ArrowCursor)
        self.outlook = FitLine()
        if is_first:
            self.setProperty("tone", "accent")
        column(
            _title(model, is_first=is_first),
            WrappedLabel(tr(model.about), role="body"),
            self.outlook,
            stretch(factor=1),
            space(SPACE_XS),
            row(
                Placed(_facts(model, is_first=is_first), 1, Qt.AlignmentFlag.AlignVCenter),
                Placed(self.offer, 0, Qt.AlignmentFlag.AlignBottom),
            ),
            self.offer.note,
            spacing=SPACE_XS,
            margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M),
            on=self,
        )

    def show_outlook(self, outlook: FitEstimate | None) -> None:
        """Show how the model would run on this computer."""
        self.outlook.show_estimate(outlook)
        text = outlook_text(outlook)
        self.setAccessibleDescription(f"{catalogue_accessible_text(self.model)} {text}".strip())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.hasFocus() and event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space}:
            self._open()
        else:
            super().keyPressEvent(event)


def _title(model: CatalogueModel, *, is_first: bool) -> QHBoxLayout:
    name = ElidedLabel(model.name, role="title" if is_first else "strong")
    return row(
        name,
        ElidedLabel(model.publisher, role="small"),
        stretch(factor=1),
        None if is_first else in_middle(Label(tr(model.purpose), role="badge")),
    )


def _facts(model: CatalogueModel, *, is_first: bool) -> QWidget:
    media = media_labels(sees=model.sees_images, hears=model.hears_audio)
    facts = (*(tr(label) for label in media if is_first or label != model.purpose), *catalogue_facts(model))
    return flow_row(*(Label(fact, role="badge") for fact in facts), spacing=SPACE_XS)[0]


_TWO_COLUMNS: Final = 700
_MOST_COLUMNS: Final = 2
_UNKNOWN: Final[Mapping[str, FitEstimate]] = {}
_HEADINGS: Final = {
    Rating.GOOD: tr_noop("Also run well here"),
    Rating.SLOW: tr_noop("Run slowly here"),
    Rating.NOT_NOW: tr_noop("Do not fit right now"),
    Rating.NEVER: tr_noop("Too large for this computer"),
}


class StartPage(PageScroll):
    """One card that stands out, and others below headings."""

    def __init__(self, actions: DiscoverController) -> None:
        super().__init__()
        self._actions = actions
        self.models: tuple[CatalogueModel, ...] = ()
        self._cards: dict[str, CatalogueCard] = {}
        self._grids: list[tuple[QGridLayout, list[QWidget]]] = []
        self._n_columns = 0
        self.make_speech: Callable[[], QWidget] | None = None
        """Makes the section of speech models, which another feature shows below the others."""
        self.show_checking()

    @property
    def cards(self) -> tuple[CatalogueCard, ...]:
        """The cards from top to bottom."""
        return tuple(self._cards.values())

    def set_models(
        self,
        models: Sequence[CatalogueModel],
        *,
        estimates: Mapping[str, FitEstimate] = _UNKNOWN,
        first: str = "",
    ) -> None:
        """Show ``models`` in this order, in groups of how they would run.

        ``estimates`` and ``first``, the one for this computer, are by ``catalogue_key``.
        """
        self.models = tuple(models)
        self._cards, self._grids = {}, []
        layout = column(WrappedLabel(tr("For this computer"), role="title"))
        if estimates and not first:
            text = tr("No model of our list fits into the free memory of this computer")
            layout.addWidget(WrappedLabel(text, role="mute"))
        groups = groupby(self.models, key=lambda model: self._heading(model, estimates, first))
        for heading, group in groups:
            cards: list[QWidget] = [
                self._make_card(model, estimates, is_first=catalogue_key(model) == first) for model in group
            ]
            if not heading:
                layout.addWidget(cards[0])
                continue
            layout.addSpacing(SPACE_L)
            layout.addWidget(WrappedLabel(heading, role="heading"))
            grid = QGridLayout()
            grid.setSpacing(SPACE_M)
            # A grid gives no width to a column without widgets; a lone card would be too wide.
            self._grids.append((grid, cards if len(cards) > 1 else [*cards, QWidget()]))
            layout.addLayout(grid)
        if self.make_speech is not None:
            layout.addSpacing(SPACE_L)
            layout.addWidget(WrappedLabel(tr("Speech"), role="heading"))
            layout.addWidget(self.make_speech())
        layout.addSpacing(SPACE_L)
        self.popular = Button(tr("Browse trending models"), icon="search")
        self.popular.clicked.connect(self._actions.search_all)
        self.add_own = Button(tr("Add a file you have…"), icon="file-plus")
        self.add_own.clicked.connect(self._actions.add_own_files)
        layout.addWidget(flow_row(self.popular, self.add_own, spacing=SPACE_S)[0])
        layout.addStretch()
        self.setWidget(centred(layout, top=SPACE_S, bottom=SPACE_XL, in_page_scroll=True))
        self._n_columns = 0
        self._arrange()

    def show_checking(self) -> None:
        """Show that it is being checked what fits this computer."""
        text = tr("Checking what fits this computer…")
        layout = column(
            WrappedLabel(tr("For this computer"), role="title"), WrappedLabel(text, role="mute"), stretch()
        )
        self.setWidget(centred(layout, top=SPACE_S, bottom=SPACE_XL, in_page_scroll=True))

    def _heading(self, model: CatalogueModel, estimates: Mapping[str, FitEstimate], first: str) -> str:
        """Return the heading above a model; empty for the first."""
        if catalogue_key(model) == first:
            return ""
        if model.is_helper:
            return tr("To search documents, and to help other models")
        estimate = estimates.get(catalogue_key(model))
        if estimate is None:
            return tr("Recommended models")
        return tr(_HEADINGS[estimate.rating])

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

    def _make_card(
        self, model: CatalogueModel, estimates: Mapping[str, FitEstimate], *, is_first: bool
    ) -> CatalogueCard:
        card = CatalogueCard(model, is_first=is_first, actions=self._actions)
        card.show_outlook(estimates.get(catalogue_key(model)))
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
