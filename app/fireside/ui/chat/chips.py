"""What is special about the chat in front, over the composer: preset, system prompt, rule, seed."""

from __future__ import annotations

from typing import Final

import msgspec
from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QPushButton, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, destroy, row
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import Button, IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import escape_mnemonic, one_line, plain_tooltip, truncate_text

PRESET: Final = "preset"
RULE: Final = "rule"
SEED: Final = "seed"
SYSTEM: Final = "system"
_LONGEST: Final = 48
_LEAST: Final = 80


class ChipContent(msgspec.Struct, frozen=True, kw_only=True):
    """One chip: what it says, what a click does in words, and how it is taken away."""

    kind: str
    words: str
    icon: str
    tip: str
    removal: str


class _Chip(QFrame):
    def __init__(self, words: ChipContent, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chatChip")
        self._words = truncate_text(one_line(words.words), length=_LONGEST)
        self.open: QPushButton = Button(self._words, theme=theme, icon=words.icon, kind="bare", icon_px=14)
        self.open.setAccessibleName(one_line(words.words))
        self.open.setAccessibleDescription(words.tip)
        self.open.setToolTip(plain_tooltip(f"{words.words}\n{words.tip}"))
        self.remove = IconButton("x", name=words.removal, theme=theme, size=12)
        row(self.open, self.remove, spacing=0, margins=(3, 1, 2, 1), on=self)

    def sizeHint(self) -> QSize:
        """As wide as all its words take."""
        hint = super().sizeHint()
        metrics = self.open.fontMetrics()
        shown = self.open.text().strip().replace("&&", "&")
        left_out = metrics.horizontalAdvance(self._words) - metrics.horizontalAdvance(shown)
        return QSize(hint.width() + max(0, left_out), hint.height())

    def minimumSizeHint(self) -> QSize:
        return QSize(_LEAST, self.sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        shown, missing = self._words, self.sizeHint().width() - self.width()
        if missing > 0:
            metrics = self.open.fontMetrics()
            room = metrics.horizontalAdvance(self._words) - missing
            shown = metrics.elidedText(self._words, Qt.TextElideMode.ElideRight, room)
        self.open.setText(f" {escape_mnemonic(shown)}")


class ChatChips(QWidget):
    """Takes no room where there is nothing to say."""

    wanted = Signal(str)
    """A chip was clicked; its kind."""
    removed = Signal(str)
    """A chip is to go; its kind."""

    def __init__(self, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Chat details"))
        self._theme = theme
        self._groups: dict[str, tuple[ChipContent, ...]] = {}
        self._shown: tuple[ChipContent, ...] = ()
        self.chips: dict[str, _Chip] = {}
        body, self._flow = flow_row(spacing=SPACE_S)
        column(body, on=self)
        self.hide()

    @property
    def shown(self) -> tuple[ChipContent, ...]:
        return self._shown

    def put(self, chips: tuple[ChipContent, ...], *, group: str = "") -> None:
        """Show these chips and no others of their group."""
        self._groups[group] = chips
        chips = tuple(chip for of_group in self._groups.values() for chip in of_group)
        if chips == self._shown:
            return
        had_focus = next((kind for kind, chip in self.chips.items() if chip.isAncestorOf(_focus(self))), "")
        self._shown = chips
        for chip in self.chips.values():
            self._flow.removeWidget(chip)
            destroy(chip)
        self.chips = {}
        for words in chips:
            chip = _Chip(words, theme=self._theme, parent=self)
            chip.open.clicked.connect(lambda _checked=False, kind=words.kind: self.wanted.emit(kind))
            chip.remove.clicked.connect(lambda _checked=False, kind=words.kind: self.removed.emit(kind))
            self._flow.addWidget(chip)
            self.chips[words.kind] = chip
            chip.show()
        self.setVisible(bool(chips))
        if had_focus in self.chips:
            self.chips[had_focus].open.setFocus(Qt.FocusReason.OtherFocusReason)


def _focus(widget: QWidget) -> QWidget:
    return widget.window().focusWidget() or widget
