"""The list of sections beside the settings: shows the current one and scrolls to others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Slot
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from fireside.core.i18n import tr
from fireside.ui.theme import theme
from fireside.ui.widgets.centred import ASIDE_WIDTH
from fireside.ui.widgets.page_scroll import PageScroll
from fireside.ui.widgets.tab_stops import is_tab_stop

_READING_OFFSET_PX: Final = 48
"""The current section is the one at this distance below the upper edge."""


class SectionList(QListWidget):
    """Follows the scrolling of ``scroll``; a click or an arrow key scrolls to a section."""

    def __init__(self, scroll: PageScroll) -> None:
        super().__init__()
        self._scroll = scroll
        self._boxes: tuple[QWidget, ...] = ()
        self._is_jumping = False
        self.setObjectName("sections")
        self.setAccessibleName(tr("Sections"))
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.currentRowChanged.connect(self._jump)
        self.itemClicked.connect(lambda _item: self._jump(self.currentRow()))
        scroll.verticalScrollBar().valueChanged.connect(self._update_current)
        theme().changed.connect(self._fit)
        self._fit()

    def set_sections(self, sections: Sequence[tuple[str, QWidget]]) -> None:
        """Set the sections, by their names."""
        self._boxes = tuple(box for _, box in sections)
        with QSignalBlocker(self):
            self.clear()
            for name, _ in sections:
                self.addItem(QListWidgetItem(name))
        self.update_visible()

    def update_visible(self) -> None:
        """Hide the entries of hidden sections."""
        for row, box in enumerate(self._boxes):
            self.setRowHidden(row, box.isHidden())
        self._update_current()

    def mark(self, box: QWidget) -> None:
        """Mark a section as current until the page is scrolled."""
        with QSignalBlocker(self):
            self.setCurrentRow(self._boxes.index(box))

    def go_to(self, box: QWidget) -> None:
        """Scroll to a section once the page has its new height, and focus the list."""
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self, lambda: self._on_selected(box))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Move the focus into the current section with Enter or the arrow key towards the page."""
        inward_key = Qt.Key.Key_Left if self.isRightToLeft() else Qt.Key.Key_Right
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, inward_key) and self.currentRow() >= 0:
            box = self._boxes[self.currentRow()]
            stops = [part for part in box.findChildren(QWidget) if is_tab_stop(part)]
            if stops:
                first = min(stops, key=self._scroll.top_of)
                first.setFocus(Qt.FocusReason.TabFocusReason)
                self._scroll.ensureWidgetVisible(first)
                self.mark(box)
        else:
            super().keyPressEvent(event)

    def _on_selected(self, box: QWidget) -> None:
        self.mark(box)
        self._jump(self.currentRow())

    @Slot(int)
    def _jump(self, row: int) -> None:
        if 0 <= row < len(self._boxes):
            self._is_jumping = True  # a section that cannot be scrolled to the top stays marked
            for _ in range(2):  # new rows change the height
                self._scroll.verticalScrollBar().setValue(self._scroll.top_of(self._boxes[row]))
            self._is_jumping = False

    @Slot()
    def _update_current(self) -> None:
        if self._is_jumping:
            return
        read_y = self._reading_y()
        visible = [row for row, box in enumerate(self._boxes) if not box.isHidden()]
        above = [row for row in visible if self._scroll.top_of(self._boxes[row]) <= read_y]
        with QSignalBlocker(self):
            self.setCurrentRow(above[-1] if above else visible[0] if visible else -1)

    def _reading_y(self) -> int:
        """Return the y position that the user reads: near the upper edge; further down on the last page,
        whose sections never reach the top."""
        bar = self._scroll.verticalScrollBar()
        last_page_px = min(self._scroll.viewport().height(), bar.maximum())
        remaining_px = bar.maximum() - bar.value()
        offset_px = (
            self._scroll.viewport().height() * (last_page_px - remaining_px) // last_page_px
            if remaining_px < last_page_px
            else 0
        )
        return bar.value() + max(_READING_OFFSET_PX, offset_px)

    @Slot()
    def _fit(self) -> None:
        self.setFixedWidth(theme().scaled(ASIDE_WIDTH))
