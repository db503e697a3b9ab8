"""One model of the start page."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from fireside.core.discovery import CatalogueModel, FitEstimate
from fireside.core.i18n import tr
from fireside.ui.discover.availability import catalogue_key
from fireside.ui.discover.discover_text import (
    VISION_BADGE,
    catalogue_accessible_text,
    catalogue_facts,
    outlook_text,
)
from fireside.ui.discover.fit_line import FitLine
from fireside.ui.discover.offer_box import OfferBox
from fireside.ui.kit.click_card import ClickCard
from fireside.ui.kit.layout import Placed, column, in_middle, row, space, stretch
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_XS
from fireside.ui.widgets.flow import flow_row
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
                Placed(_facts(model), 1, Qt.AlignmentFlag.AlignVCenter),
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
    labels = dict.fromkeys((*(() if is_first else (model.purpose,)), *((VISION_BADGE,) * model.sees_images)))
    return row(
        name,
        ElidedLabel(model.publisher, role="small"),
        stretch(factor=1),
        *(in_middle(Label(tr(label), role="badge")) for label in labels),
    )


def _facts(model: CatalogueModel) -> QWidget:
    facts, _ = flow_row(*(Label(fact, role="badge") for fact in catalogue_facts(model)), spacing=SPACE_XS)
    return facts
