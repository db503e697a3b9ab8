"""Editor of a model's tags: removable chips, and a field to add one."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QWidget

from fireside.core.i18n import tr
from fireside.ui.kit.layout import column, row
from fireside.ui.theme import SPACE_S, theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.flow import flow_row
from fireside.ui.widgets.text import ElidedLabel, one_line

MAX_TAG = 40
_MAX_CHIP_PX = 220


class TagEditor(QWidget):
    """Enter or a comma adds the typed tag; Backspace in the empty field removes the last one."""

    changed = Signal(object)
    """Carries the new tags as a tuple."""

    def __init__(self) -> None:
        super().__init__()
        self._tags: tuple[str, ...] = ()
        self._chips: list[QWidget] = []
        body, self._flow = flow_row(spacing=6)
        self.field = _TagField()
        self.field.setObjectName("tagField")
        self.field.setAccessibleName(tr("Add tag"))
        self.field.setPlaceholderText(tr("Add tag"))
        self.field.setMaxLength(MAX_TAG)
        self.field.setFixedWidth(theme().scaled(150))
        self.field.returnPressed.connect(self._add)
        self.field.textEdited.connect(lambda text: self._add() if text.endswith(",") else None)
        self.field.emptied.connect(self._remove_last)
        self._flow.addWidget(self.field)
        column(body, on=self)

    @property
    def crosses(self) -> dict[str, IconButton]:
        """The button of each tag that removes it."""
        buttons = (chip.findChild(IconButton) for chip in self._chips)
        return {tag: cross for tag, cross in zip(self._tags, buttons, strict=True) if cross is not None}

    def show_tags(self, tags: tuple[str, ...]) -> None:
        """Show the tags of a model; unsaved input in the field stays."""
        if tags == self._tags and self._chips:
            return
        for chip in self._chips:
            self._flow.removeWidget(chip)
            chip.hide()
            chip.deleteLater()
        self._tags = tags
        self._chips = [self._make_chip(tag) for tag in tags]
        for index, chip in enumerate(self._chips):
            self._flow.insertWidget(index, chip)

    def _make_chip(self, tag: str) -> QWidget:
        chip = QFrame()
        chip.setObjectName("tagChip")
        label = ElidedLabel(tag)
        label.setMaximumWidth(theme().scaled(_MAX_CHIP_PX))
        cross = IconButton("x", name=tr("Remove tag {tag}").format(tag=one_line(tag)), size=12)
        cross.clicked.connect(partial(self._remove, tag))
        row(label, cross, spacing=2, margins=(SPACE_S, 1, 2, 1), on=chip)
        return chip

    def _add(self) -> None:
        tag = " ".join(self.field.text().replace(",", " ").split())
        self.field.clear()
        if tag and tag.casefold() not in {other.casefold() for other in self._tags}:
            self.changed.emit((*self._tags, tag))

    def _remove(self, tag: str) -> None:
        # The focused chip is removed: the field takes the focus.
        self.field.setFocus(Qt.FocusReason.OtherFocusReason)
        self.changed.emit(tuple(other for other in self._tags if other != tag))

    def _remove_last(self) -> None:
        if self._tags:
            self.changed.emit(self._tags[:-1])


class _TagField(QLineEdit):
    emptied = Signal()
    """Backspace was pressed with nothing to delete."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Backspace and not self.text():
            self.emptied.emit()
        elif event.key() == Qt.Key.Key_Escape and self.text():
            self.clear()
        else:
            super().keyPressEvent(event)
