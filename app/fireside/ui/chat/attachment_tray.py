"""The tray of the composer with the chips of attached files."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final, Protocol

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QWidget

from fireside.core.i18n import tr
from fireside.ui.chat.attachment_chip import CHIP_HEIGHT, AttachmentChip, ChipFacts
from fireside.ui.kit.layout import destroy
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flow_row

_LINES: Final = 2.5
"""Rows of chips that are visible at once; half a row hints that there are more."""


class FileHandler(Protocol):
    """Handles clicks on files, given by index from 0."""

    def open_file(self, index: int) -> None:
        """Show what the model is sent of it."""

    def remove_file(self, index: int) -> None:
        """Remove it."""

    def remove_all(self) -> None:
        """Remove all."""


class AttachmentTray(QScrollArea):
    """Shows ``ChipFacts`` as chips in rows; hidden while there are none."""

    def __init__(self, *, theme: Theme, parent: QWidget, tab_after: QWidget) -> None:
        """Tab leads here from ``tab_after``."""
        super().__init__(parent)
        self._theme = theme
        self._tab_after = tab_after
        self._handler: FileHandler | None = None
        self.chips: list[AttachmentChip] = []
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._body, self._flow = flow_row(spacing=SPACE_S)
        self.setWidget(self._body)
        self.clear_button = Button(tr("Remove all"), theme=theme, kind="quiet")
        self.clear_button.setAccessibleName(tr("Remove all files"))
        self.clear_button.clicked.connect(self._on_clear)
        self.clear_button.setParent(self._body)
        self.clear_button.hide()
        self.setAccessibleName(tr("Attached files"))
        theme.changed.connect(self._on_theme_changed)
        self.hide()

    def show_files(self, shown: Sequence[ChipFacts], *, handler: FileHandler) -> None:
        """Show these files and report clicks to ``handler``; a chip that stays keeps the focus."""
        self._handler = handler
        if [chip.facts for chip in self.chips] != list(shown):
            self._rebuild(shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _rebuild(self, shown: Sequence[ChipFacts], *, anew: bool = False) -> None:
        focused = next((index for index, chip in enumerate(self.chips) if chip.hasFocus()), None)
        n_before = len(self.chips)
        before, self.chips = self.chips, []
        for chip in (*before, self.clear_button):
            self._flow.removeWidget(chip)
        for index, facts in enumerate(shown):
            is_kept = not anew and index < len(before) and before[index].facts == facts
            chip = before[index] if is_kept else self._make_chip(facts, index)
            self._flow.addWidget(chip)
            chip.show()
            self.chips.append(chip)
        destroy(*(chip for chip in before if chip not in self.chips))
        if len(shown) > 1:
            self._flow.addWidget(self.clear_button)
        self.clear_button.setVisible(len(shown) > 1)
        self._order_tabs()
        self.setVisible(bool(shown))
        self._fit()
        if focused is not None and focused < len(self.chips):
            self.chips[focused].setFocus(Qt.FocusReason.OtherFocusReason)
        if len(self.chips) > n_before:
            self._flow.activate()
            self.ensureWidgetVisible(self.chips[-1])

    def _order_tabs(self) -> None:
        parts = (part for chip in self.chips for part in (chip, chip.remove_button) if part is not None)
        for one, other in pairwise((self._tab_after, *parts, self.clear_button)):
            QWidget.setTabOrder(one, other)

    def _on_clear(self) -> None:
        if self._handler is not None:
            self._handler.remove_all()

    def _make_chip(self, facts: ChipFacts, index: int) -> AttachmentChip:
        chip = AttachmentChip(facts, theme=self._theme, can_remove=True, parent=self._body)
        if self._handler is not None:
            self._connect(chip, index, self._handler)
        return chip

    def _connect(self, chip: AttachmentChip, index: int, handler: FileHandler) -> None:
        chip.opened.connect(lambda: handler.open_file(index))
        if chip.remove_button is not None:
            chip.remove_button.clicked.connect(lambda: handler.remove_file(index))

    def _fit(self) -> None:
        """Set the height to that of the chips, up to ``_LINES`` rows; more are scrolled."""
        wanted = self._flow.heightForWidth(max(1, self.viewport().width()))
        most = round(_LINES * (self._theme.scaled(CHIP_HEIGHT) + SPACE_S))
        height = min(wanted, most)
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(max(1, height))

    def _on_theme_changed(self) -> None:
        self._rebuild([chip.facts for chip in self.chips], anew=True)
