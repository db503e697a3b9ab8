"""The presets that there are, as a list: two lines each, moved by dragging or by keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent, QFontMetrics, QKeyEvent, QPainter
from PySide6.QtWidgets import (
    QAbstractItemView,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from fireside.core.i18n import tr
from fireside.core.ids import PresetId
from fireside.core.preset import Preset, PresetKind
from fireside.ui.preset_names import shown_about, shown_name
from fireside.ui.theme import RADIUS_S, SPACE_M, SPACE_S, Theme

_PRESET: Final = Qt.ItemDataRole.UserRole
_ROW: Final = 50
_ICON: Final = 16
_Index = QModelIndex | QPersistentModelIndex


def icon_of(preset: Preset) -> str:
    """Return what stands for a preset of this kind."""
    return "file-text" if preset.kind is PresetKind.SNIPPET else "bookmark"


class _Delegate(QStyledItemDelegate):
    def __init__(self, theme: Theme, view: QWidget) -> None:
        super().__init__(view)
        self._theme = theme
        self._view = view

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:  # noqa: ARG002 - Qt's signature
        return QSize(0, self._theme.scaled(_ROW))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        preset = index.data(_PRESET)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setBrush(self._theme.colour("selected"))
            focused = option.state & QStyle.StateFlag.State_HasFocus
            painter.setPen(self._theme.colour("accent") if focused else Qt.PenStyle.NoPen)
            painter.drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), RADIUS_S, RADIUS_S)
        area = option.rect.adjusted(SPACE_M, 6, -SPACE_S, -6)
        ratio = self._view.devicePixelRatio()
        icon = self._theme.pixmap(icon_of(preset), "mute", _ICON, ratio=ratio)
        painter.drawPixmap(area.left(), area.center().y() - _ICON // 2, icon)
        if preset.favourite:
            star = self._theme.pixmap("star-filled", "accent", 13, ratio=ratio)
            painter.drawPixmap(area.right() - 13, area.top() + 3, star)
        area.setLeft(area.left() + _ICON + SPACE_M)
        self._line(painter, shown_name(preset), area.adjusted(0, 0, -18, 0), px=13.5, tint="text", top=True)
        self._line(painter, shown_about(preset), area, px=12, tint="dim", top=False)
        painter.restore()

    def _line(self, painter: QPainter, words: str, area: QRect, *, px: float, tint: str, top: bool) -> None:
        font = self._theme.ui_font(px)
        painter.setFont(font)
        painter.setPen(self._theme.colour(tint))
        shown = QFontMetrics(font).elidedText(words, Qt.TextElideMode.ElideRight, area.width())
        place = Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag.AlignBottom
        painter.drawText(area, int(Qt.AlignmentFlag.AlignLeft | place), shown)


class LibraryList(QListWidget):
    """Alt with an arrow key moves the line, Delete takes it away."""

    move_wanted = Signal(int, int)
    """Id of a preset, and its new place."""
    delete_wanted = Signal(int)

    def __init__(self, *, theme: Theme) -> None:
        super().__init__()
        self.setObjectName("presetList")
        self.setAccessibleName(tr("Presets"))
        self.setItemDelegate(_Delegate(theme, self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setDragDropMode(QAbstractItemView.DragDropMode.InternalMove)
        theme.changed.connect(self._redraw)

    @property
    def chosen(self) -> Preset | None:
        item = self.currentItem()
        preset = None if item is None else item.data(_PRESET)
        return preset if isinstance(preset, Preset) else None

    def put(self, presets: Sequence[Preset], *, chosen: PresetId | None) -> None:
        """Show these, with one of them chosen; without a signal."""
        self.blockSignals(True)
        self.clear()
        for preset in presets:
            item = QListWidgetItem(shown_name(preset))
            item.setData(_PRESET, preset)
            spoken = [shown_name(preset), shown_about(preset)]
            if preset.kind is PresetKind.SNIPPET:
                spoken.append(tr("text to insert"))
            if preset.favourite:
                spoken.append(tr("offered in new chats"))
            item.setData(Qt.ItemDataRole.AccessibleTextRole, ", ".join(part for part in spoken if part))
            self.addItem(item)
            if preset.id == chosen:
                self.setCurrentItem(item)
        self.blockSignals(False)

    def choose(self, preset_id: PresetId) -> None:
        """Choose a preset, as a person would."""
        for row in range(self.count()):
            if self.item(row).data(_PRESET).id == preset_id:
                self.setCurrentRow(row)

    @Slot()
    def _redraw(self) -> None:
        self.viewport().update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        preset, row = self.chosen, self.currentRow()
        step = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}.get(Qt.Key(event.key()), 0)
        if preset is not None and step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            if 0 <= row + step < self.count():
                self.move_wanted.emit(preset.id, row + step)
            return
        if preset is not None and event.key() == Qt.Key.Key_Delete:
            self.delete_wanted.emit(preset.id)
            return
        super().keyPressEvent(event)

    def dropEvent(self, event: QDropEvent) -> None:
        preset = self.chosen
        super().dropEvent(event)
        if preset is not None:
            ids = [self.item(row).data(_PRESET).id for row in range(self.count())]
            self.move_wanted.emit(preset.id, ids.index(preset.id))
