"""The tray of the composer with the chips of attached files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from fireside.core.i18n import tr
from fireside.ui.chat.composer.attachment_chip import CHIP_HEIGHT, AttachmentChip, ChipFacts
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row

_MAX_ROWS: Final = 2.8
"""Rows of chips that are visible at once; a part of a row hints that there are more. Of sounds, whose
chips are higher, two rows are shown whole."""


class AttachmentTray(QScrollArea):
    """Shows ``ChipFacts`` as chips in rows; hidden while there are none."""

    opened = Signal(int)
    """Index of the file whose chip was clicked."""
    removed = Signal(int)
    """Index of the file that the user removes."""
    cleared = Signal()
    """The user removes all files."""

    def __init__(self, *, parent: QWidget, tab_after: QWidget) -> None:
        """Tab leads here from ``tab_after``."""
        super().__init__(parent)
        self._tab_after = tab_after
        self.chips: list[AttachmentChip] = []
        self._max_height = self.maximumHeight()
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body, self._flow = flow_row(spacing=SPACE_S)
        self.setWidget(self._body)
        self.clear_button = Button(tr("Remove all"), kind="quiet")
        self.clear_button.setAccessibleName(tr("Remove all files"))
        self.clear_button.clicked.connect(self.cleared)
        self.clear_button.setParent(self._body)
        self.clear_button.hide()
        self.setAccessibleName(tr("Attached files"))
        theme().changed.connect(self._on_theme_changed)
        self.hide()

    def show_files(self, files: Sequence[ChipFacts]) -> None:
        """Show these files; a chip that stays keeps the focus."""
        if [chip.facts for chip in self.chips] != list(files):
            self._rebuild(files)

    def set_max_height(self, px: int) -> None:
        """Limit the height; what does not fit is scrolled."""
        self._max_height = px
        self._update_height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._update_height()

    def _rebuild(self, files: Sequence[ChipFacts], *, reuses_chips: bool = True) -> None:
        focused = next((index for index, chip in enumerate(self.chips) if chip.hasFocus()), None)
        before, self.chips = self.chips, []
        for chip in (*before, self.clear_button):
            self._flow.removeWidget(chip)
        for index, facts in enumerate(files):
            is_same = reuses_chips and index < len(before) and before[index].facts == facts
            chip = before[index] if is_same else self._make_chip(facts, index)
            self._flow.addWidget(chip)
            chip.show()
            self.chips.append(chip)
        destroy(*(chip for chip in before if chip not in self.chips))
        if len(files) > 1:
            self._flow.addWidget(self.clear_button)
        self.clear_button.setVisible(len(files) > 1)
        self._order_tabs()
        self.setVisible(bool(files))
        self._update_height()
        if focused is not None and focused < len(self.chips):
            self.chips[focused].setFocus(Qt.FocusReason.OtherFocusReason)
        if len(self.chips) > len(before):
            self._flow.activate()
            self.ensureWidgetVisible(self.chips[-1])

    def _order_tabs(self) -> None:
        parts = (stop for chip in self.chips for stop in chip.tab_stops)
        for previous, following in pairwise((self._tab_after, *parts, self.clear_button)):
            QWidget.setTabOrder(previous, following)

    def _make_chip(self, facts: ChipFacts, index: int) -> AttachmentChip:
        chip = AttachmentChip(facts, can_remove=True, parent=self._body)
        chip.opened.connect(lambda: self.opened.emit(index))
        if chip.remove_button is not None:
            chip.remove_button.clicked.connect(lambda: self.removed.emit(index))
        return chip

    def _update_height(self) -> None:
        """Set the height to that of the chips, up to ``_MAX_ROWS`` rows; more are scrolled."""
        chips_height = self._flow.heightForWidth(max(1, self.viewport().width()))
        rows_height = round(_MAX_ROWS * (theme().scaled(CHIP_HEIGHT) + SPACE_S))
        height = min(chips_height, rows_height, self._max_height)
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(max(1, height))

    def _on_theme_changed(self) -> None:
        self._rebuild([chip.facts for chip in self.chips], reuses_chips=False)
