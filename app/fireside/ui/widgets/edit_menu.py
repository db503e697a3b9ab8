"""The context menu of every text field: Qt's own actions, in a menu like all others of the window."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QAction, QGuiApplication, QKeySequence
from PySide6.QtWidgets import QAbstractSpinBox, QApplication, QLineEdit, QPlainTextEdit, QTextEdit, QWidget

from fireside.ui.widgets.popup import Menu

TextField = QLineEdit | QTextEdit | QPlainTextEdit
_KEYS: Final = {
    "edit-undo": QKeySequence.StandardKey.Undo,
    "edit-redo": QKeySequence.StandardKey.Redo,
    "edit-cut": QKeySequence.StandardKey.Cut,
    "edit-copy": QKeySequence.StandardKey.Copy,
    "edit-paste": QKeySequence.StandardKey.Paste,
    "select-all": QKeySequence.StandardKey.SelectAll,
}
"""Keys of Qt's actions, by their object names. Qt leaves out those that the window uses as well."""


class EditMenus(QObject):
    """Gives each text field its menu when it first gets the focus, as by a right click. GUI thread only."""

    def __init__(self, application: QApplication, *, parent: QObject) -> None:
        super().__init__(parent)
        application.focusChanged.connect(self._on_focus_changed)

    @Slot(QWidget, QWidget)
    def _on_focus_changed(self, _previous: QWidget | None, current: QWidget | None) -> None:
        field = current.lineEdit() if isinstance(current, QAbstractSpinBox) else current
        if current is None or not isinstance(field, TextField):
            return
        policy = Qt.ContextMenuPolicy
        if current.contextMenuPolicy() is policy.DefaultContextMenu:
            current.setContextMenuPolicy(policy.CustomContextMenu)
            current.customContextMenuRequested.connect(lambda at: _open(field, current.mapToGlobal(at)))


def _open(field: TextField, position: QPoint) -> None:
    if (menu := edit_menu(field, field.mapFromGlobal(position))) is not None:
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(position)


def edit_menu(field: TextField, at: QPoint) -> Menu | None:
    """Return the menu of a text field for a click at ``at``; ``None`` if Qt has none for it."""
    standard = (
        field.createStandardContextMenu()
        if isinstance(field, QLineEdit)
        else field.createStandardContextMenu(at)
    )
    if standard is None:
        return None
    menu = Menu(field)
    # It owns the actions. As a part of the menu instead of a window it would take the clicks that close it.
    standard.setParent(menu, standard.windowFlags())
    for action in standard.actions():
        _complete(action)
        menu.addAction(action)
    return menu


def _complete(action: QAction) -> None:
    """Show the keys of an action, and no mnemonic, as in the other menus."""
    label, _, keys = action.text().partition("\t")
    key = _KEYS.get(action.objectName())
    if key is not None and QGuiApplication.styleHints().showShortcutsInContextMenus():
        keys = QKeySequence(key).toString(QKeySequence.SequenceFormat.NativeText)
    label = label.replace("&", "")
    action.setText(f"{label}\t{keys}" if keys else label)
