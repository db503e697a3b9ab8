"""The list of presets: two lines of text each, moved by dragging or by keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QStyle, QStyleOptionViewItem

from fireside.core.i18n import tr
from fireside.core.ids import PresetId
from fireside.core.preset import Preset, PresetKind
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.theme import RADIUS_S, SPACE_M, SPACE_S, theme

_PRESET: Final = Qt.ItemDataRole.UserRole
_ROW_HEIGHT: Final = 50
_ICON_PX: Final = 16


def icon_of(preset: Preset) -> str:
    """Return the icon name for this kind of preset."""
    return "file-text" if preset.kind is PresetKind.SNIPPET else "bookmark"


class _PresetDelegate(RowDelegate):
    def row_height(self, index: Index) -> float:  # noqa: ARG002 - all rows have one height
        return _ROW_HEIGHT

    def draw(self, row: RowPainter, box: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        preset: Preset = index.data(_PRESET)
        state = option.state
        if state & QStyle.StateFlag.State_Selected:
            focused = state & QStyle.StateFlag.State_HasFocus
            row.painter.setPen(theme().colour("accent") if focused else Qt.PenStyle.NoPen)
            row.painter.setBrush(theme().colour("selected"))
            row.painter.drawRoundedRect(QRectF(box).adjusted(1, 1, -1, -1), RADIUS_S, RADIUS_S)
        area = box.adjusted(SPACE_M, 6, -SPACE_S, -6)
        row.draw_icon(icon_of(preset), at=area.translated(0, -1), tint="mute", px=_ICON_PX)
        if preset.favourite:
            star_rect = QRect(area.left(), area.top() + 2, area.width(), theme().scaled_up(13))
            row.draw_icon("star-filled", at=star_rect, tint="accent", px=13, at_right=True)
        area.setLeft(area.left() + theme().scaled_up(_ICON_PX) + SPACE_M)
        half = area.height() // 2
        name, about = area.adjusted(0, -2, -theme().scaled_up(18), -half), area.adjusted(0, half, 0, 4)
        row.draw_text(localized_name(preset), within=name, px=13.5)
        row.draw_text(localized_about(preset), within=about, px=12, tint="dim")


class LibraryList(QListWidget):
    """Alt with an arrow key moves the preset, Delete removes it."""

    move_requested = Signal(int, int)
    """Carries the id of a preset and its new position."""
    delete_requested = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("presetList")
        self.setAccessibleName(tr("Presets"))
        self.setItemDelegate(_PresetDelegate(view=self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        theme().changed.connect(self._redraw)

    @property
    def selected(self) -> Preset | None:
        item = self.currentItem()
        preset = None if item is None else item.data(_PRESET)
        return preset if isinstance(preset, Preset) else None

    def set_presets(self, presets: Sequence[Preset], *, selected: PresetId | None) -> None:
        """Show these presets with one of them selected; emits no signal."""
        self.blockSignals(True)
        self.clear()
        for preset in presets:
            item = QListWidgetItem(localized_name(preset))
            item.setData(_PRESET, preset)
            accessible_parts = [localized_name(preset), localized_about(preset)]
            if preset.kind is PresetKind.SNIPPET:
                accessible_parts.append(tr("snippet"))
            if preset.favourite:
                accessible_parts.append(tr("on new-chat screen"))
            item.setData(
                Qt.ItemDataRole.AccessibleTextRole, ", ".join(part for part in accessible_parts if part)
            )
            self.addItem(item)
            if preset.id == selected:
                self.setCurrentItem(item)
        self.blockSignals(False)

    def select(self, preset_id: PresetId) -> None:
        """Select a preset, as a click would."""
        for row in range(self.count()):
            if self.item(row).data(_PRESET).id == preset_id:
                self.setCurrentRow(row)

    @Slot()
    def _redraw(self) -> None:
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        preset, row = self.selected, self.currentRow()
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if preset is not None and step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            if 0 <= row + step < self.count():
                self.move_requested.emit(preset.id, row + step)
            return
        if preset is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_requested.emit(preset.id)
            return
        super().keyPressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        preset = self.selected
        super().dropEvent(event)
        if preset is not None:
            ids = [self.item(row).data(_PRESET).id for row in range(self.count())]
            self.move_requested.emit(preset.id, ids.index(preset.id))
