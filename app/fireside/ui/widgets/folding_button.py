"""A button that keeps its words while there is room and is only an icon else."""

from __future__ import annotations

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy

from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import escape_mnemonic, plain_tooltip


class FoldingButton(Button):
    """Its accessible name stays; folded, the tool tip says it too."""

    def __init__(
        self,
        text: str,
        *,
        theme: Theme,
        icon: str,
        kind: str = "",
        tint: str = "mute",
    ) -> None:
        self._whole = text
        super().__init__(text, theme=theme, icon=icon, kind=kind, tint=tint)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def fold(self, *, is_folded: bool) -> None:
        """Show the icon alone, or the words too."""
        self.setText("" if is_folded else f" {escape_mnemonic(self._whole)}")
        self.setToolTip(plain_tooltip(self._whole) if is_folded else "")

    def minimumSizeHint(self) -> QSize:
        # As if folded, else the words would keep the page from ever getting narrow.
        height = super().minimumSizeHint().height()
        return QSize(height, height)
