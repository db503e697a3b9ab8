"""A search field."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle

from fireside.core.i18n import tr
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.picture import Picture

_CROSS_PX: Final = 14
_ROW_ICON_PX: Final = 18
_ROW_INSET: Final = 11
_ROW_GAP: Final = 4
"""Pixels after the lens beside two spaces, in a field that is a row; the field's padding adds to them."""


class SearchField(QLineEdit):
    """A line edit with a magnifier and a clear button; Qt's own icons do not grow with the text size."""

    def __init__(
        self, placeholder: str, *, name: str = "", can_clear: bool = True, is_row: bool = False
    ) -> None:
        """``name`` is the accessible name, by default the placeholder; ``is_row`` aligns the field with rows
        of icons and labels."""
        super().__init__()
        self.setProperty("role", "search")
        self.setPlaceholderText(placeholder)
        self.setAccessibleName(name or placeholder)
        self._is_row = is_row
        self._inset = _ROW_INSET if is_row else SPACE_S + 1
        lens_px, tint = (_ROW_ICON_PX, "mute") if is_row else (16, "dim")
        self._lens = Picture("search", tint=tint, size=lens_px, parent=self)
        self._clear = IconButton("x", name=tr("Clear"), size=_CROSS_PX, on_click=self.clear, parent=self)
        self._clear.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._clear.hide()
        if can_clear:
            self.textChanged.connect(self._show_clear)
        theme().changed.connect(self._position_icons)
        self._position_icons()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._position_icons()

    @Slot(str)
    def _show_clear(self, text: str) -> None:
        if self._clear.isHidden() == bool(text):
            self._clear.setVisible(bool(text))
            self._position_icons()

    def _position_icons(self) -> None:
        """Position the icons, and set text margins that keep the text clear of them."""
        self._clear.adjustSize()
        lens, clear = self._lens.size(), self._clear.size()
        # As far from the lens as the labels of the rows are from their icons.
        gap = _ROW_GAP + self.fontMetrics().horizontalAdvance("  ") if self._is_row else SPACE_S
        margins = (lens.width() + gap, SPACE_S if self._clear.isHidden() else clear.width() + SPACE_S)
        first, last = reversed(margins) if self.isRightToLeft() else margins
        self.setTextMargins(first, 0, last, 0)
        area = self.rect().adjusted(self._inset, 0, -SPACE_S, 0)
        middle = Qt.AlignmentFlag.AlignVCenter
        for part, size, side in (
            (self._lens, lens, Qt.AlignmentFlag.AlignLeft),
            (self._clear, clear, Qt.AlignmentFlag.AlignRight),
        ):
            part.setGeometry(QStyle.alignedRect(self.layoutDirection(), side | middle, size, area))
