"""Open the menu when a message begins with a slash, and do what is taken from it."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QInputMethodEvent, QKeyEvent
from PySide6.QtWidgets import QWidget

from fireside.ui.chat.composer import Composer
from fireside.ui.palette.targets import Target
from fireside.ui.slash.entries import Arguments, hits_of, query_of
from fireside.ui.slash.menu import PAGE, SlashMenu
from fireside.ui.theme import Theme

_TAKE = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab)
_STEPS = {
    Qt.Key.Key_Down: 1,
    Qt.Key.Key_Up: -1,
    Qt.Key.Key_PageDown: PAGE,
    Qt.Key.Key_PageUp: -PAGE,
}


class SlashController(QObject):
    """Listens to the composer's keys before the composer does. GUI thread only."""

    def __init__(
        self,
        *,
        composer: Composer,
        targets: Callable[[], Sequence[Target]],
        arguments: Arguments,
        theme: Theme,
        on_open: Callable[[], None],
        pane: QWidget,
    ) -> None:
        """Take ``targets`` as what returns everything that there is to take at this moment, and ``on_open``
        as what clears the place where the menu opens."""
        super().__init__(pane)
        self._composer = composer
        self._targets = targets
        self._arguments = arguments
        self._on_open = on_open
        self._dismissed = False
        self._by_hand = False
        """Opened by the button: what stands in the message is no query."""
        self.menu = SlashMenu(theme=theme, parent=pane, speaker=composer.editor)
        self.menu.taken.connect(self._on_taken)
        composer.menu_button.clicked.connect(self._on_button)
        editor = composer.editor
        editor.installEventFilter(self)
        editor.textChanged.connect(self._on_text)
        editor.focus_changed.connect(self._on_focus)
        pane.installEventFilter(self)

    def close(self) -> None:
        """Hide the menu until the message begins with a slash anew."""
        self._dismissed = True
        self._hide()

    @Slot()
    def _on_text(self) -> None:
        editor = self._composer.editor
        query = query_of(editor.toPlainText())
        if self._by_hand:
            self._hide()
        if query is None:
            self._dismissed = False
            self._hide()
        elif editor.is_composing or self._dismissed or not editor.hasFocus():
            self._hide()
        else:
            self._open(query)

    def _open(self, query: str) -> None:
        hits = hits_of(query, self._targets(), arguments=self._arguments)
        if hits:
            self._on_open()
            self.menu.open_with(hits, above=self._composer)
        else:
            self._hide()

    def _hide(self) -> None:
        self._by_hand = False
        self.menu.hide()

    def _on_button(self) -> None:
        if self.menu.isVisible():
            self.close()
            return
        self._composer.editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._dismissed = False
        self._by_hand = query_of(self._composer.editor.toPlainText()) is None
        self._open(query_of(self._composer.editor.toPlainText()) or "")

    def _on_focus(self) -> None:
        if self.menu.isVisible() and not self._composer.editor.hasFocus():
            self._hide()

    def _take(self) -> None:
        if (hit := self.menu.current) is not None:
            self._on_taken(hit.target)

    def _on_taken(self, target: Target) -> None:
        by_hand = self._by_hand
        self._hide()
        if not by_hand:
            self._composer.editor.clear()
        target.go()

    # Keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._composer.editor:
            if event.type() is QEvent.Type.Resize and self.menu.isVisible():
                self._hide()
            return super().eventFilter(watched, event)
        if isinstance(event, QInputMethodEvent) and event.preeditString():
            self._hide()
        if not self.menu.isVisible() or not isinstance(event, QKeyEvent):
            return super().eventFilter(watched, event)
        if event.type() is QEvent.Type.ShortcutOverride and Qt.Key(event.key()) in (*_TAKE, *_STEPS):
            event.accept()
            return True
        if event.type() is QEvent.Type.KeyPress and self._on_key(event):
            return True
        return super().eventFilter(watched, event)

    def _on_key(self, event: QKeyEvent) -> bool:
        """Return whether the key was for the menu."""
        key = Qt.Key(event.key())
        held = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if held:
            return False
        if key in _STEPS:
            self.menu.step(_STEPS[key])
        elif key in _TAKE:
            self._take()
        elif key is Qt.Key.Key_Escape:
            self.close()
        else:
            return False
        return True
