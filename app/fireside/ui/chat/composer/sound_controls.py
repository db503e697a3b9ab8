"""What plays a sound: a button, and its waveform as a slider."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal, Slot
from PySide6.QtWidgets import QToolButton, QWidget

from fireside.core.attachment import clock_time
from fireside.core.i18n import tr
from fireside.core.message import AudioPart
from fireside.ui.sound_player import sound_player
from fireside.ui.theme import theme
from fireside.ui.widgets.buttons import tool_button
from fireside.ui.widgets.waveform import Waveform

_SIDE = 34
_ICON = 18


class SoundControls(QObject):
    """Makes both with their final parent, which lays them out; without a player the waveform is a picture."""

    moved = Signal(str)
    """The position is shown as this text, as ``0:12 / 1:42``; empty for a sound that is not played."""

    def __init__(self, sound: AudioPart, *, name: str, height: int = 20, parent: QWidget) -> None:
        super().__init__(parent)
        self._sound = sound
        self._name = name
        self._player = sound_player()
        self.waveform = Waveform(sound.peaks, seconds=sound.seconds, height=height, parent=parent)
        self.waveform.setAccessibleName(tr("Position in {name}, in seconds").format(name=name))
        self.button: QToolButton | None = None
        self.position_text = ""
        """The last ``moved``."""
        if self._player is None:
            self.waveform.setEnabled(False)
            return
        self.button = tool_button("", parent=parent, style="playSound")
        self.button.setFixedSize(theme().scaled_up(_SIDE), theme().scaled_up(_SIDE))
        self.button.clicked.connect(self._toggle)
        self.waveform.toggled.connect(self._toggle)
        self.waveform.sought.connect(self._seek)
        self._player.changed.connect(self.refresh)
        theme().changed.connect(self.refresh)
        self.refresh()

    @Slot()
    def refresh(self) -> None:
        """Show what is played."""
        if self._player is None or self.button is None:
            return
        position = self._player.position_of(self._sound)
        is_playing = self._player.is_playing(self._sound)
        name = tr("Pause {name}") if is_playing else tr("Play {name}")
        theme().set_icon(self.button, "pause" if is_playing else "play", "text", _ICON)
        self.button.setAccessibleName(name.format(name=self._name))
        self.button.setToolTip(tr("Pause") if is_playing else tr("Play"))
        self.waveform.show_position(position or 0.0)
        duration = clock_time(self._sound.seconds)
        text = "" if position is None else f"{clock_time(position)} / {duration}"
        if text != self.position_text:
            self.position_text = text
            self.moved.emit(text)

    @Slot()
    def _toggle(self) -> None:
        if self._player is not None:
            self._player.toggle(self._sound)

    @Slot(float)
    def _seek(self, seconds: float) -> None:
        if self._player is not None:
            self._player.seek(self._sound, seconds)
