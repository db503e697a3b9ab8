"""The preset of the chat in front, and the button that opens the library."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.core.preset import Preset, PresetKind
from fireside.ui.commands import Command
from fireside.ui.kit.layout import column
from fireside.ui.preset_names import localized_name
from fireside.ui.theme import SPACE_M, SPACE_XS
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.combo_box import ComboBox
from fireside.ui.widgets.flow import flow_row
from fireside.ui.window_context import WindowContext


class PresetBox(QWidget):
    """Shows what is passed to ``set_presets``."""

    preset_chosen = Signal(object)
    """Carries the ``Preset``; ``None`` for none."""

    def __init__(self, context: WindowContext) -> None:
        super().__init__()
        actions = context.commands.actions
        self._presets: tuple[Preset, ...] = ()
        self._current = ""
        self.select = ComboBox(name=tr("Preset"))
        self.select.activated.connect(self._on_activated)
        links, flow = flow_row(spacing=SPACE_M)
        for label, command in (
            (tr("All presets…"), Command.PRESETS),
            (tr("Save as preset…"), Command.SAVE_PRESET),
        ):
            flow.addWidget(Button(label, kind="link", on_click=actions[command].trigger))
        column(self.select, links, spacing=SPACE_XS, on=self)

    def set_presets(self, presets: Sequence[Preset], *, current: str) -> None:
        """Offer these presets; ``current`` is the name of the chat's preset, empty for none."""
        chat_presets = tuple(preset for preset in presets if preset.kind is PresetKind.CHAT)
        if self.select.count() and (chat_presets, current) == (self._presets, self._current):
            return  # rebuilding would close a list that is open
        self._presets, self._current = chat_presets, current
        self.select.clear()
        self.select.addItems([tr("No preset"), *map(localized_name, self._presets)])
        self._show_current()

    def _show_current(self) -> None:
        names = ["", *(preset.name for preset in self._presets)]
        if self._current not in names:
            # The chat's preset was renamed or deleted since.
            self.select.addItem(self._current)
            names.append(self._current)
        self.select.setCurrentIndex(names.index(self._current))

    def _on_activated(self, index: int) -> None:
        # The choice is shown once the chat has it: the user may be asked for values first, and cancel.
        self._show_current()
        if index == 0:
            self.preset_chosen.emit(None)
        elif index <= len(self._presets):
            self.preset_chosen.emit(self._presets[index - 1])
