"""A card with the file of a model that is recommended for this computer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QGridLayout

from fireside.core.discovery import HubAdvice, HubModel, HubQuant
from fireside.core.errors import ErrorInfo, format_bytes
from fireside.core.i18n import tr, tr_noop
from fireside.ui.discover.discover_text import name_of, size_text
from fireside.ui.discover.offer_box import OfferBox
from fireside.ui.kit.layout import column
from fireside.ui.model_text import SEPARATOR, format_context_size
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import WrappedLabel, set_style_property

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

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
            self._projector_text(),
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

    def _projector_text(self) -> str:
        if not self._model.projectors:
            return ""
        size = format_bytes(self._model.projectors[0].size_bytes)
        return tr("with projector, {size}").format(size=size)

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
