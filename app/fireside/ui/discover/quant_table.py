"""The files (quantizations) of a model, smallest first, and which one is recommended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QHBoxLayout, QWidget

from fireside.core.discovery import HubAdvice, HubModel
from fireside.core.errors import ErrorInfo, format_bytes
from fireside.core.i18n import tr
from fireside.ui.discover.advice_card import AdviceCard
from fireside.ui.discover.availability import Availability
from fireside.ui.discover.discover_text import name_of
from fireside.ui.discover.offer_box import OfferBox
from fireside.ui.discover.quant_row import QuantRow
from fireside.ui.kit.layout import at_top, column, in_centre, row, stretch
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import Label, WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

_INITIAL_ROWS: Final = 60
"""Rows made at first; hardly any model has half as many."""


class QuantTable(QWidget):
    """Rows with buttons, below the advice."""

    def __init__(self, model: HubModel, *, actions: DiscoverController) -> None:
        super().__init__()
        self._model = model
        self._actions = actions
        self._rows: dict[str, QuantRow] = {}
        self._advice: HubAdvice | None = None
        self._is_folded = False
        self._availability: Mapping[str, Availability] = {}
        self._requested: frozenset[str] = frozenset()
        self._problems: Mapping[str, ErrorInfo] = {}
        self.advice = AdviceCard(model, actions=actions)
        nothing = WrappedLabel(tr("No GGUF files in this repository."), role="mute")
        self._column = column()
        self.more = Button("", on_click=lambda: self._add_rows(len(self._model.quants)))
        column(
            Label(tr("Files"), role="heading"),
            self.advice,
            self._make_projector_line() if model.projectors and model.quants else None,
            self._column,
            in_centre(self.more),
            on=self,
        )
        nothing.setParent(self)
        self._column.addWidget(nothing)
        nothing.setVisible(not model.quants)
        self.advice.setVisible(bool(model.quants))
        self._add_rows(_INITIAL_ROWS)

    @property
    def rows(self) -> tuple[QuantRow, ...]:
        return tuple(self._rows.values())

    def fold(self, *, folded: bool) -> None:
        """Show each row in two lines, or in one."""
        self._is_folded = folded
        self.advice.fold(folded=folded)
        for quant_row in self._rows.values():
            quant_row.fold(folded=folded)

    def show_advice(self, advice: HubAdvice) -> None:
        """Show which file is recommended and why, and how each would run."""
        self._advice = advice
        self.advice.show_advice(advice)
        self._show_best_availability()
        for quant_row in self._rows.values():
            self._show_row_advice(quant_row)

    def show_no_advice(self, error: ErrorInfo) -> None:
        self.advice.show_no_advice(error)

    def show_availability(
        self,
        availability: Mapping[str, Availability],
        *,
        requested: frozenset[str],
        problems: Mapping[str, ErrorInfo],
    ) -> None:
        """Show the availability of each file, by its path."""
        self._availability, self._requested, self._problems = availability, requested, problems
        self._show_best_availability()
        for quant_row in self._rows.values():
            self._show_row_availability(quant_row)

    def _make_projector_line(self) -> QHBoxLayout:
        size = format_bytes(self._model.projectors[0].size_bytes)
        return row(
            at_top(Picture("eye", size=16)),
            stretch(
                WrappedLabel(
                    tr("Each includes a vision projector ({size}).").format(size=size),
                    role="body",
                )
            ),
        )

    def _add_rows(self, n: int) -> None:
        name = name_of(self._model.repo)
        for quant in self._model.quants[len(self._rows) : n]:
            row = QuantRow(quant, model=name, actions=self._actions)
            row.fold(folded=self._is_folded)
            self._rows[quant.path] = row
            self._column.addWidget(row)
            self._show_row_advice(row)
            self._show_row_availability(row)
        n_left = len(self._model.quants) - len(self._rows)
        self.more.setVisible(n_left > 0)
        self.more.set_label(tr("Show %n more|Show %n more", "", n_left))

    def _show_row_advice(self, row: QuantRow) -> None:
        path = row.quant.path
        is_requested = path == self._model.requested_path
        if self._advice is None:
            row.show_mark(tr("Requested") if is_requested else "")
            return
        row.show_fit(next((advised.fit for advised in self._advice.fits if advised.path == path), None))
        is_best = path == self._advice.best
        row.show_mark(tr("Recommended") if is_best else tr("Requested") if is_requested else "")

    def _show_row_availability(self, row: QuantRow) -> None:
        self._show_offer_availability(row.offer, row.quant.path)

    def _show_best_availability(self) -> None:
        if self.advice.best is not None:
            self._show_offer_availability(self.advice.offer, self.advice.best.path)

    def _show_offer_availability(self, offer: OfferBox, path: str) -> None:
        if path in self._availability:
            offer.show_availability(
                self._availability[path],
                is_requested=path in self._requested,
                problem=self._problems.get(path),
            )
