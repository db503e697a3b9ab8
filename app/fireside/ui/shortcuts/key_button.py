"""A button that shows keys and, once pressed, listens for others."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.shortcuts.keymap import pressed
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import set_look

LISTENING: Final = tr_noop("Press the new keys…")
NO_KEYS: Final = tr_noop("None")
_HOW: Final = tr_noop(
    "Press it and then the new keys. Escape leaves it as it is, Backspace takes the keys away."
)


class KeyButton(Button):
    """Says which keys were pressed; what becomes of them is for others to decide."""

    keys_pressed = Signal(str)
    """Carries the keys as they are kept; empty where there are to be none."""
    is_listening = False

    def __init__(self, *, words: str, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(tr(NO_KEYS), theme=theme, kind="key", parent=parent)
        self._words = words
        self._shown = ""
        self.setAccessibleDescription(tr(_HOW))
        self.setToolTip(tr(_HOW))
        self.clicked.connect(self._on_clicked)
        self._draw()

    def show_keys(self, shown: str) -> None:
        """Show ``shown``, as this system writes keys."""
        self._shown = shown
        self._draw()

    def stop_listening(self) -> None:
        """Show the keys again."""
        self.is_listening = False
        self._draw()

    @Slot()
    def _on_clicked(self) -> None:
        self.is_listening = not self.is_listening
        self._draw()

    def _draw(self) -> None:
        words = tr(LISTENING) if self.is_listening else self._shown or tr(NO_KEYS)
        self.set_words(words)
        self.setAccessibleName(f"{self._words}: {words}")
        set_look(self, "listening", "true" if self.is_listening else "false")

    def event(self, event: QEvent) -> bool:
        # Before Qt takes Tab for itself, and before keys that do something already do it.
        if self.is_listening and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress:
                self._hear(event)
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.stop_listening()
        super().focusOutEvent(event)

    def _hear(self, event: QKeyEvent) -> None:
        is_bare = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if is_bare and event.key() == Qt.Key.Key_Escape:
            self.stop_listening()
            return
        if is_bare and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.stop_listening()
            self.keys_pressed.emit("")
            return
        if keys := pressed(event.keyCombination()):
            self.stop_listening()
            self.keys_pressed.emit(keys)
