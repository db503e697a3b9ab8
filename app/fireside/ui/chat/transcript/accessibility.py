"""Accessibility roles: the transcript is a list, a message a list item, a sheet a modal dialog."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget

from fireside.ui.chat.answer.message import MessageView
from fireside.ui.chat.answer.text_view import TextView
from fireside.ui.chat.transcript.transcript import Transcript
from fireside.ui.kit.sheet import Sheet


class _Message(QAccessibleWidget):
    """A list item that keys can focus though Tab does not stop at it."""

    def state(self) -> QAccessible.State:
        state = super().state()
        state.focusable = True
        return state


class _Dialog(QAccessibleWidget):
    """A dialog over its window; Qt calls only windows modal."""

    def state(self) -> QAccessible.State:
        state = super().state()
        state.modal = True
        return state


def install_roles() -> None:
    """Register the roles with Qt. Call once per process, after the application object was made."""
    QAccessible.installFactory(_interface)


def _interface(_class_name: str, item: QObject | None) -> QAccessibleInterface | None:
    if isinstance(item, Transcript):
        return QAccessibleWidget(item, QAccessible.Role.List)
    if isinstance(item, MessageView):
        return _Message(item, QAccessible.Role.ListItem)
    if isinstance(item, Sheet):
        return _Dialog(item, QAccessible.Role.Dialog)
    if isinstance(item, TextView):
        _ = item.browser  # makes Qt's text widget, which a screen reader can read
    return None
