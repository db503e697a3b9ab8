"""A button that shrinks to its icon where space is short."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QSizePolicy

from fireside.ui.widgets.buttons import Button, show_tip
from fireside.ui.widgets.text import escape_mnemonic, plain_tooltip


class FoldingButton(Button):
    """Folded, its tool tip has the label; the accessible name stays."""

    def __init__(self, text: str, *, icon: str, kind: str = "", tint: str = "mute") -> None:
        self._label = text
        super().__init__(text, icon=icon, kind=kind, tint=tint)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def fold(self, *, is_folded: bool) -> None:
        """Show the icon alone, or the label too."""
        self.setText("" if is_folded else f" {escape_mnemonic(self._label)}")
        self.setToolTip(plain_tooltip(self._label) if is_folded else "")

    def event(self, event: QEvent) -> bool:
        return show_tip(self, event) or super().event(event)

    def minimumSizeHint(self) -> QSize:
        # As if folded: otherwise the label would keep the page from getting narrow.
        height = super().minimumSizeHint().height()
        return QSize(height, height)
