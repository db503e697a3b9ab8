"""The chips above the composer for what is set in this chat alone: preset, system prompt, rule, seed."""

from __future__ import annotations

from typing import Final

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, destroy, row
from fireside.ui.theme import SPACE_S
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import escape_mnemonic, one_line, plain_tooltip, truncate_text

PRESET: Final = "preset"
RULE: Final = "rule"
SEED: Final = "seed"
SYSTEM: Final = "system"
_MAX_CHARS: Final = 48
_MIN_WIDTH: Final = 80


class ChipContent(msgspec.Struct, frozen=True, kw_only=True):
    """What a chip shows, and the accessible names of its two buttons."""

    kind: str
    label: str
    icon: str
    tooltip: str
    remove_label: str


class _Chip(QFrame):
    def __init__(self, content: ChipContent, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chatChip")
        self._label = truncate_text(one_line(content.label), length=_MAX_CHARS)
        self.open: QPushButton = Button(self._label, icon=content.icon, kind="bare", icon_px=14)
        self.open.setAccessibleName(one_line(content.label))
        self.open.setAccessibleDescription(content.tooltip)
        self.open.setToolTip(plain_tooltip(f"{content.label}\n{content.tooltip}"))
        self.remove = IconButton("x", name=content.remove_label, size=12)
        row(self.open, self.remove, spacing=0, margins=(3, 1, 2, 1), on=self)

    def sizeHint(self) -> QSize:
        """Return the width of the whole label."""
        hint = super().sizeHint()
        metrics = self.open.fontMetrics()
        displayed = self.open.text().strip().replace("&&", "&")
        hidden_px = metrics.horizontalAdvance(self._label) - metrics.horizontalAdvance(displayed)
        return QSize(hint.width() + max(0, hidden_px), hint.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_MIN_WIDTH, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        displayed, missing_px = self._label, self.sizeHint().width() - self.width()
        if missing_px > 0:
            metrics = self.open.fontMetrics()
            available_width = metrics.horizontalAdvance(self._label) - missing_px
            displayed = metrics.elidedText(self._label, Qt.TextElideMode.ElideRight, available_width)
        self.open.setText(f" {escape_mnemonic(displayed)}")


class ChatChips(QWidget):
    """Shows chips in groups, each set by another feature; hidden while there are none."""

    chip_clicked = Signal(str)
    """Kind of the chip that was clicked."""
    chip_removed = Signal(str)
    """Kind of the chip whose remove button was clicked."""

    def __init__(self, *, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Chat details"))
        self._groups: dict[str, tuple[ChipContent, ...]] = {}
        self._displayed: tuple[ChipContent, ...] = ()
        self.chips: dict[str, _Chip] = {}
        body, self._flow = flow_row(spacing=SPACE_S)
        column(body, on=self)
        self.hide()

    @property
    def displayed(self) -> tuple[ChipContent, ...]:
        return self._displayed

    def set_chips(self, chips: tuple[ChipContent, ...], *, group: str = "") -> None:
        """Replace the chips of a group."""
        self._groups[group] = chips
        chips = tuple(chip for group_chips in self._groups.values() for chip in group_chips)
        if chips == self._displayed:
            return
        focus = self.window().focusWidget() or self
        focused = next((kind for kind, chip in self.chips.items() if chip.isAncestorOf(focus)), "")
        self._displayed = chips
        for chip in self.chips.values():
            self._flow.removeWidget(chip)
            destroy(chip)
        self.chips = {}
        for content in chips:
            chip = _Chip(content, parent=self)
            chip.open.clicked.connect(lambda _checked=False, kind=content.kind: self.chip_clicked.emit(kind))
            chip.remove.clicked.connect(
                lambda _checked=False, kind=content.kind: self.chip_removed.emit(kind)
            )
            self._flow.addWidget(chip)
            self.chips[content.kind] = chip
            chip.show()
        self.setVisible(bool(chips))
        if focused in self.chips:
            self.chips[focused].open.setFocus(Qt.FocusReason.OtherFocusReason)
