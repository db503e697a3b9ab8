"""How a model would run on this computer, as a line: in words, with a colour and an icon."""

from __future__ import annotations

from typing import Final

from PySide6.QtWidgets import QWidget

from fireside.core.discovery import FitEstimate
from fireside.core.fit import Rating
from fireside.ui.discover.discover_text import verdict_text
from fireside.ui.kit.layout import at_top, row, stretch
from fireside.ui.theme import SPACE_XS
from fireside.ui.widgets.picture import Picture
from fireside.ui.widgets.text import WrappedLabel, plain_tooltip, set_style_property

RATING_STYLES: Final = {
    Rating.GOOD: ("circle-check", "ok"),
    Rating.SLOW: ("clock", "warn"),
    Rating.NOT_NOW: ("triangle-alert", "warn"),
    Rating.NEVER: ("ban", "danger"),
}
"""Icon and colour of each rating."""
_ROLES: Final = {"ok": "success", "warn": "warning", "danger": "error"}


class FitLine(QWidget):
    """Takes its place before it is known how the model would run."""

    def __init__(self) -> None:
        super().__init__()
        self._icon = Picture("circle-check", tint="dim", size=15)
        self._icon.hide()
        self.words = WrappedLabel("\N{NO-BREAK SPACE}", role="small")
        row(at_top(self._icon), stretch(self.words), spacing=SPACE_XS, on=self)

    def show_estimate(self, estimate: FitEstimate | None) -> None:
        """Show how the model would run; nothing if it is not known."""
        if estimate is None:
            return
        icon, tint = RATING_STYLES[estimate.rating]
        self._icon.set_icon(icon, tint=tint)
        self._icon.show()
        set_style_property(self.words, "role", _ROLES[tint])
        self.words.setText(estimate.obstacle.rstrip(".") or verdict_text(estimate))
        self.setToolTip(plain_tooltip(estimate.obstacle))
