"""A search field."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle

from fireside.core.i18n import tr
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.picture import Picture

_CROSS_PX: Final = 14
_ROW_ICON_PX: Final = 18
_ROW_INSET: Final = 11
_ROW_GAP: Final = 11
"""Pixels after the lens less the field's padding, in a field that is a row."""


class SearchField(QLineEdit):
    """A line edit with a magnifier and a clear button; Qt's own icons do not grow with the text size."""

    def __init__(
        self,
        placeholder: str,
        *,
        theme: Theme,
        name: str = "",
        can_clear: bool = True,
        is_row: bool = False,
    ) -> None:
        """``name`` is the accessible name, by default the placeholder; ``is_row`` aligns the field with rows
        of icons and labels."""
        super().__init__()
        self.setProperty("role", "search")
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name or placeholder)
        self._inset, self._gap = (_ROW_INSET, _ROW_GAP) if is_row else (SPACE_S + 1, SPACE_S)
        lens_px, tint = (_ROW_ICON_PX, "mute") if is_row else (16, "dim")
        self._lens = Picture("search", theme=theme, tint=tint, size=lens_px, parent=self)
        self._clear = IconButton(
            "x", name=tr("Clear"), theme=theme, size=_CROSS_PX, on_click=self.clear, parent=self
        )
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.hide()
        if can_clear:
            self.textChanged.connect(lambda text: self._clear.setVisible(bool(text)))
        theme.changed.connect(self._position_icons)
        self._position_icons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._position_icons()

    def _position_icons(self) -> None:
        """Position the icons, and set text margins that keep the text clear of them."""
        self._clear.adjustSize()
        lens, clear = self._lens.size(), self._clear.size()
        margins = (lens.width() + self._gap, clear.width() + SPACE_S)
        first, last = reversed(margins) if self.isRightToLeft() else margins
        self.setTextMargins(first, 0, last, 0)
        area = self.rect().adjusted(self._inset, 0, -SPACE_S, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        for part, size, side in (
            (self._lens, lens, Qt.AlignmentFlag.AlignLeft),
            (self._clear, clear, Qt.AlignmentFlag.AlignRight),
        ):
            part.setGeometry(QStyle.alignedRect(self.layoutDirection(), side | middle, size, area))
