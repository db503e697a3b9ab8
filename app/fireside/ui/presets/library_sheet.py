"""The library of presets: search, create, edit, copy, move, delete, export and import them."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import Any, Final

from msgspec.structs import replace
from PySide6.QtCore import QRect, QRectF, Qt, Signal, Slot
from PySide6.QtGui import QDropEvent, QKeyEvent
from PySide6.QtWidgets import (
    QAbstractItemView,
    QFileDialog,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyleOptionViewItem,
    QWidget,
)

from fireside.bridge.client import EngineClient
from fireside.core.errors import FiresideError
from fireside.core.i18n import tr, tr_noop
from fireside.core.ids import PresetId
from fireside.core.model import ModelEntry
from fireside.core.preset import NAME_CHARACTERS, Preset, PresetImport, PresetKind
from fireside.ui.collection_offer import CollectionOffer
from fireside.ui.kit.file_dialogs import choose_file, choose_save_path
from fireside.ui.kit.layout import boxed, column, row, scrolled, stacked, stretch
from fireside.ui.kit.list_model import Index
from fireside.ui.kit.row_painter import RowDelegate, RowPainter
from fireside.ui.kit.sheet import Sheet, SheetSize
from fireside.ui.palette.matching import make_haystack, match
from fireside.ui.preset_names import localized_about, localized_name
from fireside.ui.presets.editor import PresetEditor
from fireside.ui.presets.rule_sheet import RuleSheet
from fireside.ui.tasks import Result, TaskRunner
from fireside.ui.theme import RADIUS_S, SPACE_L, SPACE_M, SPACE_S, theme
from fireside.ui.widgets.buttons import IconButton
from fireside.ui.widgets.folding_button import FoldingButton
from fireside.ui.widgets.popup import Menu
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label, WrappedLabel
from fireside.ui.widgets.toast import Toast

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
        for at in range(self.count()):
            if self.item(at).data(_PRESET).id == preset_id:
                self.setCurrentRow(at)

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


_LIST_WIDTH: Final = 270
_LIST_SHARE: Final = 0.28
"""The list's maximum share of the sheet's width in a small window."""
_FILES: Final = tr_noop("Presets (*.json)")
_NOTHING: Final = tr_noop("Choose a preset, or create one.")
_NO_COLLECTIONS: Final = CollectionOffer()


class LibrarySheet(Sheet):
    """The library of presets as a sheet; changes are saved as they are made."""

    use_requested = Signal(object)
    """Carries a ``Preset`` to use in the chat in front."""

    def __init__(
        self,
        presets: Sequence[Preset],
        *,
        client: EngineClient,
        tasks: TaskRunner,
        models: Callable[[], Sequence[ModelEntry]],
        collections: CollectionOffer = _NO_COLLECTIONS,
        parent: QWidget,
    ) -> None:
        super().__init__(tr("Presets"), parent=parent, size=SheetSize.LARGE, fills=True)
        self._client = client.presets
        self._tasks = tasks
        self._presets = tuple(presets)
        self.rule_sheet: RuleSheet | None = None
        self._pending_id = 0
        """Id of a preset to show once it is in the library; 0 for none."""
        self.filter = SearchField(tr("Search presets"))
        self.list = LibraryList()
        self.editor = PresetEditor(models=models, collections=collections)
        self.nothing = WrappedLabel(tr(_NOTHING), role="mute")
        self._arrange()
        self.toast = Toast(parent=self.card)
        self._connect()
        self._fill()
        self.filter.setFocus(Qt.FocusReason.OtherFocusReason)

    # Display

    def set_presets(self, presets: Sequence[Preset]) -> None:
        """Show the current library; the text being edited is left as typed."""
        self._presets = tuple(presets)
        self._fill()
        self._select_pending()

    def select(self, preset_id: PresetId) -> None:
        """Select a preset and show it in the editor."""
        self._pending_id = preset_id
        self.filter.clear()
        self._select_pending()

    def _select_pending(self) -> None:
        if any(preset.id == self._pending_id for preset in self._presets):
            self.list.select(PresetId(self._pending_id))
            self._pending_id = 0

    def _fill(self) -> None:
        query = self.filter.text()
        matching = [
            preset
            for preset in self._presets
            if match(
                query,
                make_haystack(
                    localized_name(preset),
                    hint=f"{preset.name} {localized_about(preset)} {preset.text[:120]}",
                ),
            )
            is not None
        ]
        current = self.editor.preset
        ids = [preset.id for preset in matching]
        selected = current.id if current is not None and current.id in ids else next(iter(ids), None)
        self.list.set_presets(matching, selected=selected)
        self.list.setDragEnabled(not query)
        self._show_selected()

    @Slot()
    def _show_selected(self) -> None:
        preset, current = self.list.selected, self.editor.preset
        self._stack.setCurrentIndex(0 if preset is None else 1)
        for button in (self.use, self.duplicate, self.delete):
            button.setEnabled(preset is not None)
        if preset is None:
            return
        if current is None or current.id != preset.id:
            self.editor.flush()
            self.editor.show_preset(preset)
        is_snippet = preset.kind is PresetKind.SNIPPET
        self.use.set_label(tr("Insert") if is_snippet else tr("Use in this chat"))

    # Layout

    def _arrange(self) -> None:
        self.more = IconButton("ellipsis", name=tr("More"), on_click=self._on_more)
        self.new = FoldingButton(tr("New preset"), icon="square-pen")
        self.new.clicked.connect(self._on_new)
        self.new.setAutoDefault(False)
        self.new.ensurePolished()
        width = min(theme().scaled(_LIST_WIDTH), round(_LIST_SHARE * self.card_width))
        self.new.fold(is_folded=self.new.sizeHint().width() > width)
        for part in (self.filter, self.list, self.new):
            part.setFixedWidth(width)
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self._stack = stacked(self.nothing, scrolled(self.editor))
        self.duplicate = self.make_button(tr("Duplicate"), self._on_duplicate, icon="copy", kind="quiet")
        self.delete = self.make_button(tr("Delete"), self._on_delete_clicked, icon="trash-2", kind="quiet")
        self.close_button = self.make_close()
        self.use = self.make_button(tr("Use in this chat"), self._on_use, kind="primary")
        self.set_content(
            stretch(row(column(self.filter, self.list, self.new), stretch(self._stack), spacing=SPACE_L)),
            heading=boxed(row(Label(tr("Presets"), role="title"), stretch(), self.more)),
            buttons=(self.duplicate, self.delete, stretch(), self.close_button, self.use),
            scrolls_inside=True,
        )

    def _connect(self) -> None:
        self.filter.textChanged.connect(self._fill)
        self.list.currentItemChanged.connect(self._show_selected)
        self.list.itemActivated.connect(lambda _item: self._on_use())
        self.list.move_requested.connect(
            lambda preset_id, position: self._run(self._client.move(PresetId(preset_id), position=position))
        )
        self.list.delete_requested.connect(lambda preset_id: self._on_delete(PresetId(preset_id)))
        self.editor.changed.connect(self._on_changed)
        self.editor.rule_requested.connect(self._on_rule_requested)

    # User actions

    def _on_changed(self, preset: Preset) -> None:
        def on_error(error: FiresideError) -> None:
            self.editor.show_error(error.sentence())

        self._tasks.run(
            self._client.save(preset), on_done=lambda _saved: self.editor.show_error(""), on_error=on_error
        )

    def _add(self, preset: Preset) -> None:
        def on_added(saved: Preset) -> None:
            self.select(saved.id)
            self.editor.name.setFocus(Qt.FocusReason.OtherFocusReason)
            self.editor.name.selectAll()

        self._run(self._client.save(preset), on_done=on_added)

    def _on_new(self) -> None:
        self._add(Preset(name=tr("New preset")))

    def _on_duplicate(self) -> None:
        self.editor.flush()
        preset = self.editor.preset
        if preset is not None:
            name = tr("{name} (copy)").format(name=preset.name[: NAME_CHARACTERS - 7])
            self._add(replace(preset, id=PresetId(0), name=name, source="", remembered={}))

    def _on_delete_clicked(self) -> None:
        if (preset := self.list.selected) is not None:
            self._on_delete(preset.id)

    def _on_delete(self, preset_id: PresetId) -> None:
        name = next((localized_name(preset) for preset in self._presets if preset.id == preset_id), "")
        self._run(
            self._client.delete(preset_id),
            on_done=lambda _none: self.toast.show_message(
                tr("“{name}” deleted").format(name=name),
                action=tr("Undo"),
                on_action=lambda: self._run(self._client.restore(preset_id)),
            ),
        )

    def _on_use(self) -> None:
        self.editor.flush()
        preset = self.editor.preset
        if preset is not None:
            self.accept()
            self.use_requested.emit(preset)

    def _on_rule_requested(self, form: str, rule: str) -> None:
        self.rule_sheet = RuleSheet(
            form=form,
            rule=rule,
            check=self._client.check_rule,
            tasks=self._tasks,
            parent=self,
            purpose=tr("Answers in chats with this preset must match this format."),
        )
        self.rule_sheet.rule_chosen.connect(self.editor.set_rule)
        self.rule_sheet.open()

    # Files

    def _on_more(self) -> None:
        menu = Menu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(tr("Import presets…"), self.import_presets)
        export_one = menu.addAction(tr("Export preset…"), lambda: self.export_presets(only_selected=True))
        export_one.setEnabled(self.list.selected is not None)
        menu.addAction(tr("Export all presets…"), lambda: self.export_presets(only_selected=False))
        menu.addSeparator()
        menu.addAction(tr("Restore built-in presets"), self._restore_built_in)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))

    def import_presets(self) -> QFileDialog:
        """Ask for a file of presets and import it."""

        def on_chosen(path: str) -> None:
            self._run(self._client.import_file(path), on_done=self._on_imported)

        return choose_file(self, tr("Import presets"), on_chosen, filters=(tr(_FILES),))

    def export_presets(self, *, only_selected: bool) -> QFileDialog:
        """Ask for a file and export presets to it; all, or only the selected one."""
        self.editor.flush()
        preset = self.list.selected if only_selected else None
        ids = () if preset is None else (preset.id,)

        def on_chosen(path: str) -> None:
            self._run(self._client.export(path, ids=ids), on_done=self._on_exported)

        name = "preset.json" if ids else "presets.json"
        return choose_save_path(self, tr("Export presets"), on_chosen, name=name, filters=(tr(_FILES),))

    def _on_exported(self, n_written: int) -> None:
        self.toast.show_message(tr("%n preset exported|%n presets exported", "", n_written))

    def _on_imported(self, result: PresetImport) -> None:
        n_added = len(result.names)
        sentences = [
            tr("%n preset added.|%n presets added.", "", n_added) if n_added else tr("No presets added.")
        ]
        if result.n_existing:
            sentences.append(tr("%n already existed.|%n already existed.", "", result.n_existing))
        self.toast.show_message(" ".join([*sentences, *result.skipped[:2]]))

    def _restore_built_in(self) -> None:
        self._run(
            self._client.restore_built_in(),
            on_done=lambda n_added: self.toast.show_message(
                tr("%n restored|%n restored", "", n_added) if n_added else tr("Nothing to restore")
            ),
        )

    def _run(
        self, work: Coroutine[Any, Any, Result], *, on_done: Callable[[Result], None] | None = None
    ) -> None:
        self._tasks.run(
            work, on_done=on_done, on_error=lambda error: self.toast.show_message(error.sentence())
        )

    def done(self, result: int) -> None:
        self.editor.flush()
        self.rule_sheet = None
        super().done(result)
