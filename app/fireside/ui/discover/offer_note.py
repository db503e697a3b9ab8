"""The error of a download that could not be queued, with actions that help."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from fireside.core.errors import ErrorInfo, NextStep
from fireside.core.i18n import tr
from fireside.ui.downloads.recovery_actions import licence_page
from fireside.ui.kit.layout import at_top, column, destroy, row, stretch
from fireside.ui.theme import SPACE_S, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import FlowLayout, flow_row
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import WrappedLabel

if TYPE_CHECKING:
    from fireside.ui.discover.discover_controller import DiscoverController

_FIXED_IN_SETTINGS = frozenset({"hub_gated", "hub_not_found", "hub_token_refused"})


def opens_settings(error: ErrorInfo) -> bool:
    """Return whether ``error`` can be fixed in the settings of the hub."""
    return error.next_step is NextStep.OPEN_SETTINGS or error.code in _FIXED_IN_SETTINGS


def token_actions(
    error: ErrorInfo, actions: DiscoverController, *, again: Callable[[], None]
) -> list[tuple[str, Callable[[], None]]]:
    """Return a button that calls ``again`` without the token if it was refused: public models need none."""
    if error.code != "hub_token_refused":
        return []
    return [(tr("Continue without token"), lambda: actions.retry_without_token(again))]


class OfferNote(QWidget):
    """An error message with buttons; hidden while there is no error."""

    def __init__(self, actions: DiscoverController) -> None:
        super().__init__()
        self._actions = actions
        self._error: ErrorInfo | None = None
        self.buttons: list[Button] = []
        self.message = WrappedLabel(role="error")
        self._steps: FlowLayout
        self._step_box, self._steps = flow_row(spacing=SPACE_S)
        column(
            row(at_top(Picture("circle-alert", tint="danger", size=15)), stretch(self.message)),
            self._step_box,
            spacing=SPACE_XS,
            on=self,
        )
        self.hide()

    def show_error(self, error: ErrorInfo | None) -> None:
        """Show ``error``; ``None`` hides it."""
        if error == self._error:
            return
        self._error = error
        destroy(*self.buttons)
        self.buttons = []
        self.setVisible(error is not None)
        if error is None:
            return
        self.message.setText(error.sentence)
        if page := licence_page(error):
            self._add(tr("Open licence page"), lambda: self._actions.open_link(page))
        if opens_settings(error):
            self._add(tr("Open settings"), self._actions.open_hub_settings)
        self._step_box.setVisible(bool(self.buttons))

    def _add(self, text: str, act: Callable[[], None]) -> None:
        button = Button(text, kind="link", on_click=act)
        self._steps.addWidget(button)
        self.buttons.append(button)
