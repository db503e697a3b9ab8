"""Show a focus ring where a key, not a click, moved the focus."""

from __future__ import annotations

from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from fireside.ui.widgets.text import set_style_property

_MODIFIERS: Final = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr}
)


class FocusRing(QObject):
    """Sets the property ``ring`` of the focused widget, for the style sheets.

    Style sheets have only ``:focus``, which fields use: they show their focus always.
    """

    def __init__(self, application: QApplication, *, parent: QObject) -> None:
        super().__init__(parent)
        self._by_keys = True
        application.focusChanged.connect(self._on_focus_changed)
        application.focusWindowChanged.connect(self._on_window_changed)
        self._on_window_changed(application.focusWindow())

    @Slot(QWindow)
    def _on_window_changed(self, window: QWindow | None) -> None:
        if window is not None:
            # On the window, which gets only input events: a filter of the application would see every event.
            window.installEventFilter(self)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, previous: QWidget | None, current: QWidget | None) -> None:
        if previous is not None and shiboken6.isValid(previous):
            _set_ring(previous, is_shown=False)
        if current is not None:
            _set_ring(current, is_shown=self._by_keys)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            # A window gets no key press for a shortcut, only its override event.
            case QEvent.Type.KeyPress | QEvent.Type.ShortcutOverride if (
                isinstance(event, QKeyEvent) and event.key() not in _MODIFIERS
            ):
                self._set_input(by_keys=True)
            case QEvent.Type.MouseButtonPress | QEvent.Type.TouchBegin:
                self._set_input(by_keys=False)
            case _:
                pass
        return super().eventFilter(watched, event)

    def _set_input(self, *, by_keys: bool) -> None:
        if by_keys is not self._by_keys:
            self._by_keys = by_keys
            if (focused := QApplication.focusWidget()) is not None:
                _set_ring(focused, is_shown=by_keys)


def _set_ring(widget: QWidget, *, is_shown: bool) -> None:
    if bool(widget.property("ring")) is not is_shown:
        set_style_property(widget, "ring", is_shown)
