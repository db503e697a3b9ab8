"""The files (quantizations) of a model, smallest first, and which one is recommended."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QWidget

from fireside.core.discovery import HubAdvice, HubModel, HubQuant
from fireside.core.errors import ErrorInfo, format_bytes
from fireside.core.fit import DeviceShare, QuantFit, speed_text
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.availability import Availability
from fireside.ui.discover.discover_text import name_of, size_text, verdict_text
from fireside.ui.discover.fit_line import RATING_STYLES
from fireside.ui.discover.offer_box import OfferBox
from fireside.ui.kit.layout import at_top, boxed, clear, column, in_centre, in_middle, row, stretch
from fireside.ui.model_text import MEDIA_ICONS, SEPARATOR, format_context_size, media_labels
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.memory_bar import Hue, MemoryBar, MemorySegment
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import (
    ElidedLabel,
    Label,
    WrappedLabel,
    one_line,
    plain_tooltip,
    set_style_property,
)

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController


_FIT_WIDTH: Final = 256
_OFFER_WIDTH: Final = 216
_SIZE_WIDTH: Final = 72
_MAX_BARS: Final = 4
_ANY_WIDTH: Final = 16_777_215
"""Qt's maximum widget width."""


class QuantRow(QFrame):
    """A row of the table; two lines where the window is narrow."""

    def __init__(self, quant: HubQuant, *, model: str, actions: DiscoverController) -> None:
        """``model`` is the model's name, for screen readers."""
        super().__init__()
        self.quant = quant
        self._fit: QuantFit | None = None
        self.setObjectName("card")
        self._label = one_line(quant.title)
        self.mark = Label(role="badge")
        self.mark.setProperty("tone", "accent")
        self.mark.hide()
        self.offer = OfferBox(
            actions,
            subject=f"{model} {self._label}",
            primary=False,
            download=lambda: actions.download_quant(quant.path),
        )
        self._name = self._make_name()
        self._fit_box = QWidget()
        self._fit_column = column(spacing=SPACE_XS, on=self._fit_box)
        self._size = self._make_size()
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SPACE_L, SPACE_M, SPACE_M, SPACE_M)
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setVerticalSpacing(SPACE_S)
        self._is_folded = False
        self._arrange()
        self._describe()
        theme().changed.connect(self._arrange)

    def show_fit(self, fit: QuantFit | None) -> None:
        """Show how the file would run here; ``None`` while that is unknown."""
        self._fit = fit
        clear(self._fit_column)
        if fit is not None:
            self._fit_column.addWidget(self._make_placement(fit))
            self._fit_column.addWidget(self._make_bars(fit))
            self._fit_box.setToolTip(plain_tooltip(f"{fit.text}\n{shares_text(fit.shares)}".strip()))
        self._describe()

    def show_mark(self, text: str) -> None:
        """Mark the row with a badge and a border; an empty text removes both."""
        self.mark.show_text(text)
        set_style_property(self, "tone", "accent" if text else "")
        self._describe()

    def fold(self, *, folded: bool) -> None:
        """Use two lines, or one."""
        if folded != self._is_folded:
            self._is_folded = folded
            self._arrange()

    @property
    def accessible_text(self) -> str:
        """The text of the whole row for screen readers."""
        parts = [
            f"{self._label}{f', {self.mark.text()}' if self.mark.text() else ''}",
            self.quant.description,
            size_text(self.quant),
        ]
        text = ". ".join(part for part in parts if part) + "."
        if self._fit is None:
            return text
        speed = f" {speed_text(self._fit.speed)}." if self._fit.speed is not None else ""
        return f"{text} {self._fit.text}{speed}"

    def _describe(self) -> None:
        self.setAccessibleName(self._label)
        self.setAccessibleDescription(self.accessible_text)
        self.offer.set_description(self.accessible_text)

    def _make_name(self) -> QWidget:
        # The badge is placed below: beside a long name it would hide the part that differs.
        description = ElidedLabel(self.quant.description, role="small") if self.quant.description else None
        return boxed(
            column(
                ElidedLabel(self.quant.title, role="strong"),
                row(description, in_middle(self.mark), stretch(factor=1), spacing=SPACE_S),
                spacing=2,
            )
        )

    def _make_size(self) -> QWidget:
        layout = column(Label(format_bytes(self.quant.size_bytes), role="body"), spacing=2)
        if len(self.quant.files) > 1:
            layout.addWidget(Label(tr("%n file|%n files", "", len(self.quant.files)), role="small"))
        return boxed(layout)

    def _make_placement(self, fit: QuantFit) -> QWidget:
        icon, tint = RATING_STYLES[fit.rating]
        label = ElidedLabel(verdict_text(fit), role="body")
        label.setToolTip(plain_tooltip(fit.text))
        return boxed(row(Picture(icon, tint=tint, size=15), stretch(label), spacing=SPACE_S - 2))

    def _make_bars(self, fit: QuantFit) -> QWidget:
        layout = row(spacing=SPACE_S - 2)
        shares = [share for share in fit.shares if share.n_bytes > 0]
        for share in shares[:_MAX_BARS]:
            layout.addWidget(share_bar(share))
        total = sum(share.n_bytes for share in shares)
        label = ElidedLabel(
            tr("{size} of memory").format(size=format_bytes(total)) if shares else "", role="small"
        )
        label.setToolTip(plain_tooltip(shares_text(shares)))
        layout.addWidget(label, 1)
        return boxed(layout)

    def _arrange(self) -> None:
        for widget in (self._name, self._fit_box, self._size, self.offer, self.offer.note):
            self._grid.removeWidget(widget)
        middle, right = Qt.AlignmentFlag.AlignVCenter, Qt.AlignmentFlag.AlignRight
        # The same width in every row, so that the columns align.
        _set_width(self._fit_box, None if self._is_folded else theme().scaled(_FIT_WIDTH))
        _set_width(self._size, None if self._is_folded else theme().scaled(_SIZE_WIDTH))
        _set_width(self.offer, None if self._is_folded else theme().scaled(_OFFER_WIDTH))
        self._grid.addWidget(self._name, 0, 0, middle)
        if self._is_folded:
            self._grid.addWidget(self._size, 0, 1, middle | right)
            self._grid.addWidget(self._fit_box, 1, 0)
            self._grid.addWidget(self.offer, 1, 1, middle | right)
            self._grid.addWidget(self.offer.note, 2, 0, 1, 2)
        else:
            self._grid.addWidget(self._fit_box, 0, 1, middle)
            self._grid.addWidget(self._size, 0, 2, middle)
            self._grid.addWidget(self.offer, 0, 3, middle)
            self._grid.addWidget(self.offer.note, 1, 0, 1, 4)
        self._grid.setColumnStretch(0, 1)


def _set_width(widget: QWidget, width: int | None) -> None:
    widget.setMinimumWidth(width or 0)
    widget.setMaximumWidth(width or _ANY_WIDTH)


_WIDTH: Final = 44
_HEIGHT: Final = 6


def share_text(share: DeviceShare) -> str:
    """Return a device's share as text: how much is needed of what is free."""
    return tr("{name}: {size} of {free} free").format(
        name=one_line(share.name),
        size=format_bytes(share.n_bytes),
        free=format_bytes(share.free_bytes),
    )


def shares_text(shares: Sequence[DeviceShare]) -> str:
    return "; ".join(share_text(share) for share in shares)


def share_bar(share: DeviceShare) -> MemoryBar:
    """Return a bar whose track is the free memory; the fill exceeds it where the model needs more."""
    bar = MemoryBar(height=_HEIGHT)
    bar.setFixedWidth(_WIDTH)
    segment = MemorySegment(label=share.name, n_bytes=share.n_bytes, hue=Hue.FIRST)
    bar.show_memory(share.name, (segment,), total_bytes=share.free_bytes)
    bar.setAccessibleName(share_text(share))
    bar.setToolTip(plain_tooltip(share_text(share)))
    return bar


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
            self._make_heads_line() if model.heads and model.quants else None,
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
        found = self._model.found
        media = media_labels(sees=found.sees_images, hears=found.hears_audio)
        return row(
            *(at_top(Picture(MEDIA_ICONS[label], size=16)) for label in media),
            stretch(
                WrappedLabel(
                    tr("Each includes a projector ({size}): {media}.").format(
                        size=size, media=", ".join(map(tr, media))
                    ),
                    role="body",
                )
            ),
        )

    def _make_heads_line(self) -> WrappedLabel:
        text = tr("Each includes draft heads (MTP, {size}), which make answers faster.")
        return WrappedLabel(text.format(size=format_bytes(self._model.heads[0].size_bytes)), role="body")

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


# A card with the file of a model that is recommended for this computer


_CHECKING: Final = tr_noop("Checking what fits this computer…")


class AdviceCard(QFrame):
    """Shows the recommendation with its reason, or that it is being determined."""

    def __init__(self, model: HubModel, *, actions: DiscoverController) -> None:
        super().__init__()
        self.setObjectName("card")
        self._model = model
        self._actions = actions
        self.best: HubQuant | None = None
        """The recommended file; ``None`` while there is none."""
        self._icon = Picture("cpu", size=18)
        self.message = WrappedLabel(role="strong")
        self.details = WrappedLabel(role="mute")
        self.again = Button(tr("Check again"), on_click=self._on_again)
        self.again.setAccessibleName(tr("Check again what fits this computer"))
        self.offer = OfferBox(
            actions,
            download=self._on_download,
            subject=tr("the recommended file of {repo}").format(repo=name_of(model.repo)),
            primary=True,
        )
        texts = column(self.message, self.details, spacing=SPACE_XS)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(SPACE_L, SPACE_M, SPACE_M, SPACE_M)
        self._grid.setHorizontalSpacing(SPACE_M)
        self._grid.setVerticalSpacing(SPACE_S)
        self._grid.setColumnStretch(1, 1)
        self._grid.addWidget(self._icon, 0, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addLayout(texts, 0, 1)
        self._grid.addWidget(self.offer.note, 2, 1, 1, 2)
        self.fold(folded=False)
        self.show_checking()

    def fold(self, *, folded: bool) -> None:
        """Place the buttons below the text, or beside it."""
        right = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight
        for button in (self.offer, self.again):
            self._grid.removeWidget(button)
            if folded:
                self._grid.addWidget(button, 1, 1, 1, 2, right)
            else:
                self._grid.addWidget(button, 0, 2, right)

    def show_checking(self) -> None:
        self._show(tr(_CHECKING), details="", icon="cpu", tint="mute")

    def show_advice(self, advice: HubAdvice) -> None:
        """Show the recommended file and why, or that none fits."""
        best = next((quant for quant in self._model.quants if quant.path == advice.best), None)
        if best is None:
            self._show(
                advice.why, details=_context_sentence(advice.n_ctx), icon="triangle-alert", tint="warn"
            )
            return
        parts = (
            tr("{size} download").format(size=size_text(best)),
            *self._texts_of_files_beside(),
            _context_note(advice.n_ctx),
        )
        details = SEPARATOR.join(part for part in parts if part)
        self._show(advice.why, details=details, icon="star", tint="accent", best=best)
        self.offer.set_description(f"{advice.why} {details}")

    def show_no_advice(self, error: ErrorInfo) -> None:
        """Show why no advice is available; all files can still be downloaded."""
        if self._model.has_access:
            hint = tr("Any file can be downloaded.")
            details = f"{error.sentence} {hint}"
        else:
            details = tr("Needs access to the repository (see above).")
        self._show(
            tr("Could not check what fits this computer."),
            details=details,
            icon="info",
            tint="mute",
            can_retry=True,
        )

    def _on_again(self) -> None:
        self.show_checking()
        self._actions.advise()

    def _on_download(self) -> None:
        if self.best is not None:
            self._actions.download_quant(self.best.path)

    def _texts_of_files_beside(self) -> Sequence[str]:
        files = (
            (tr("with projector, {size}"), self._model.projectors),
            (tr("with draft heads (MTP), {size}"), self._model.heads),
        )
        return [text.format(size=format_bytes(found[0].size_bytes)) for text, found in files if found]

    def _show(
        self,
        text: str,
        *,
        details: str,
        icon: str,
        tint: str,
        best: HubQuant | None = None,
        can_retry: bool = False,
    ) -> None:
        self.best = best
        self.message.setText(text)
        self.details.show_text(details)
        self._icon.set_icon(icon, tint=tint)
        self.again.setVisible(can_retry)
        self.offer.setVisible(best is not None)
        if best is None:
            self.offer.note.show_error(None)
        set_style_property(self, "tone", "accent" if best is not None else "")
        self.setAccessibleName(f"{text} {details}".strip())


def _context_note(n_ctx: int) -> str:
    if n_ctx <= 0:
        return ""
    return tr("calculated for a context of {count} tokens").format(count=format_context_size(n_ctx))


def _context_sentence(n_ctx: int) -> str:
    if n_ctx <= 0:
        return ""
    return tr("Calculated for a context of {count} tokens").format(count=format_context_size(n_ctx))
