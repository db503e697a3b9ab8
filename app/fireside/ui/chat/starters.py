"""Presets that a new chat may begin with, as a row of buttons."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from fireside.core.i18n import tr
from fireside.core.preset import Preset
from fireside.ui.preset_names import shown_about, shown_name
from fireside.ui.theme import SPACE_S, Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.flow import flowing
from fireside.ui.widgets.text import plain_tooltip

_MOST: Final = 6
_LONGEST: Final = 28


class Starters(QWidget):
    """Shows the favourite ones; the one that the chat has is pressed."""

    wanted = Signal(object)
    """A ``Preset`` to begin with."""
    left = Signal()
    """The chat is to have none."""
    library_wanted = Signal()

    def __init__(self, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._theme = theme
        self._presets: tuple[Preset, ...] = ()
        self._taken = ""
        self.buttons: list[Button] = []
        body, self._flow = flowing(spacing=SPACE_S)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(body)
        self.all = Button(tr("All presets…"), theme=theme, kind="link", tint="accent")
        self.all.clicked.connect(self.library_wanted)
        self._flow.addWidget(self.all)
        self.hide()

    def put(self, presets: Sequence[Preset], *, taken: str) -> None:
        """Offer these; ``taken`` names the one that the chat has."""
        shown = tuple(preset for preset in presets if preset.favourite)[:_MOST]
        if (shown, taken) == (self._presets, self._taken):
            return
        self._presets, self._taken = shown, taken
        for button in self.buttons:
            self._flow.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(preset) for preset in shown]
        for place, button in enumerate(self.buttons):
            self._flow.insertWidget(place, button)
            button.show()
        self.setVisible(bool(presets))

    def _button(self, preset: Preset) -> Button:
        name = shown_name(preset)
        words = name if len(name) <= _LONGEST else f"{name[: _LONGEST - 1]}…"
        button = Button(words, theme=self._theme, icon="bookmark", kind="starter", icon_px=14)
        button.setAccessibleName(tr("Begin with the preset {name}").format(name=name))
        button.setAccessibleDescription(shown_about(preset))
        button.setToolTip(plain_tooltip(shown_about(preset) or name))
        button.setCheckable(True)
        button.setChecked(preset.name == self._taken)
        button.clicked.connect(lambda checked, preset=preset: self._on_clicked(preset, checked=checked))
        return button

    def _on_clicked(self, preset: Preset, *, checked: bool) -> None:
        if checked:
            self.wanted.emit(preset)
        else:
            self.left.emit()
