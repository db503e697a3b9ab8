"""Which widget gets a ring for having the focus: what keys led to, not what a click opened."""

from __future__ import annotations

from typing import Final

import shiboken6
from PySide6.QtCore import QEvent, QObject, Qt, Slot
from PySide6.QtGui import QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget

from fireside.ui.widgets.text import set_style_property

_NO_USE_ALONE: Final = frozenset(
    {Qt.Key.Key_Shift, Qt.Key.Key_Control, Qt.Key.Key_Alt, Qt.Key.Key_Meta, Qt.Key.Key_AltGr}
)


class FocusRing(QObject):
    """Sets the property ``ring`` of the widget that has the focus, for the style sheets.

    Style sheets know ``:focus`` alone, which is right for fields: they show it always.
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
            # Of the window system's events alone: a filter of the application would see all others.
            window.installEventFilter(self)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, before: QWidget | None, now: QWidget | None) -> None:
        if before is not None and shiboken6.isValid(before):
            _show(before, is_shown=False)
        if now is not None:
            _show(now, is_shown=self._by_keys)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            # A shortcut's key is never pressed as far as a window sees: it is only asked about.
            case QEvent.Type.KeyPress | QEvent.Type.ShortcutOverride if (
                isinstance(event, QKeyEvent) and event.key() not in _NO_USE_ALONE
            ):
                self._take(by_keys=True)
            case QEvent.Type.MouseButtonPress | QEvent.Type.TouchBegin:
                self._take(by_keys=False)
            case _:
                pass
        return super().eventFilter(watched, event)

    def _take(self, *, by_keys: bool) -> None:
        if by_keys is not self._by_keys:
            self._by_keys = by_keys
            if (focused := QApplication.focusWidget()) is not None:
                _show(focused, is_shown=by_keys)


def _show(widget: QWidget, *, is_shown: bool) -> None:
    if bool(widget.property("ring")) is not is_shown:
        set_style_property(widget, "ring", is_shown)
