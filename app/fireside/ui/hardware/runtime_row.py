"""One build of llama.cpp, installed or on offer, with its state and actions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QFrame, QWidget

from fireside.core.i18n import tr
from fireside.core.runtime import Runtime, RuntimeOffer, RuntimeState
from fireside.ui.hardware.runtime_text import about_text, badge_text, result_text, runtime_name
from fireside.ui.kit.layout import boxed, in_middle, make_card, row, stretch
from fireside.ui.kit.removal_confirmation import RemovalConfirmation
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, one_line

if TYPE_CHECKING:
    from fireside.ui.hardware.runtimes_controller import RuntimesController

_MIN_NAME_WIDTH: Final = 200


class OfferRow(QFrame):
    """A card of a runtime that can be downloaded."""

    def __init__(self, offer: RuntimeOffer, *, suits: bool, actions: RuntimesController) -> None:
        super().__init__()
        self.offer = offer
        name = one_line(offer.name)
        self.badge = Label(tr("Suits your GPU") if suits else tr("Not downloaded"), role="badge")
        self.badge.setProperty("tone", "ok" if suits else "")
        self.setAccessibleName(f"{name}: {self.badge.text()}")
        self.problem = WrappedLabel(role="small")
        self.download = Button(
            tr("Download"), kind="primary" if suits else "", on_click=lambda: actions.install(offer.name)
        )
        self.download.setAccessibleName(tr("Download {name}").format(name=name))
        _arrange_card(
            self,
            name,
            self.badge,
            buttons=(self.download,),
            details=(WrappedLabel(about_text(offer), role="mute"), self.problem),
        )
        self.download.setVisible(offer.fits)
        self.problem.show_text("" if offer.fits else tr("For another version of Fireside."))

    def set_busy(self, *, busy: bool) -> None:
        """Enable or disable the buttons: one operation at a time."""
        self.download.setEnabled(not busy)


class RuntimeRow(QFrame):
    """The card of an installed runtime. Removal asks for confirmation in place, as files skip the trash."""

    def __init__(
        self, runtime: Runtime, *, in_use: bool, actions: RuntimesController, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.runtime = runtime
        name = runtime_name(runtime.name)
        label, tone = badge_text(runtime, in_use=in_use)
        self.setAccessibleName(f"{name}: {label}")
        self.badge = Label(label, role="badge")
        self.badge.setProperty("tone", tone)
        self.result = WrappedLabel(
            result_text(runtime), role="error" if runtime.state is RuntimeState.FAILED else "small"
        )
        self.use = Button(tr("Use"), on_click=lambda: actions.use(runtime.name))
        self.use.setAccessibleName(tr("Use {name}").format(name=name))
        self.test = Button(tr("Test"), kind="quiet", on_click=lambda: actions.test(runtime.name))
        self.test.setAccessibleName(tr("Test {name}").format(name=name))
        self.remove = Button(tr("Remove"), kind="quiet")
        self.remove.setAccessibleName(tr("Remove {name}").format(name=name))
        self.removal = RemovalConfirmation(
            tr("Delete files?"),
            tr("Delete"),
            name=tr("Delete {name}").format(name=name),
            remove=self.remove,
            on_confirmed=lambda: actions.remove(runtime.name),
            alternatives=(self.test,),
        )
        _arrange_card(
            self,
            name,
            self.badge,
            buttons=(*self.removal.parts, self.remove, self.test, self.use),
            details=(WrappedLabel(about_text(runtime), role="mute"), self.result),
        )
        self.result.setVisible(bool(self.result.text()))
        self.use.setVisible(not in_use and (runtime.state is RuntimeState.WORKS or runtime.is_built_in))
        self.remove.setVisible(not in_use and not runtime.is_built_in)
        self.removal.hide()

    def set_busy(self, *, busy: bool) -> None:
        """Enable or disable the buttons: one operation at a time."""
        for button in (self.use, self.test, self.remove, self.removal.confirm):
            button.setEnabled(not busy)


def _arrange_card(
    card: QFrame, name: str, badge: Label, *, buttons: Sequence[QWidget], details: Sequence[QWidget]
) -> None:
    """Lay out a card: name, badge and buttons, with ``details`` below."""
    head = row(
        Picture("box", tint="mute"),
        ElidedLabel(name, role="strong"),
        in_middle(badge),
        stretch(factor=1),
    )
    actions = boxed(row(*map(in_middle, buttons)))
    make_card(
        card,
        ResponsiveRow(boxed(head), actions, min_first_width=_MIN_NAME_WIDTH, spacing=SPACE_S),
        *details,
        spacing=SPACE_XS,
        margins=(SPACE_L, SPACE_M, SPACE_M, SPACE_M),
    )
