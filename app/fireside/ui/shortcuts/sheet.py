"""List every key, and let a person change those of the commands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QDialog, QHBoxLayout, QLineEdit, QScrollArea, QVBoxLayout, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.commands import COMMANDS, Command
from fireside.ui.shortcuts.row import ShortcutRow
from fireside.ui.shortcuts.shortcut_controller import ShortcutController
from fireside.ui.theme import SPACE_L, SPACE_M, SPACE_S, SPACE_XL, Theme
from fireside.ui.tray import FROM_ANYWHERE
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, WrappedLabel

_IN_PLACE: Final = (
    (
        tr_noop("Writing"),
        (
            (tr_noop("Send"), "Return"),
            (tr_noop("New line"), "Shift+Return"),
            (tr_noop("Stop the answer"), "Esc"),
        ),
    ),
    (
        tr_noop("At a message"),
        (
            (tr_noop("Message above"), "Ctrl+Up"),
            (tr_noop("Message below"), "Ctrl+Down"),
            (tr_noop("Branch before"), "Alt+Left"),
            (tr_noop("Branch after"), "Alt+Right"),
            (tr_noop("Finish changing it"), "Ctrl+Return"),
        ),
    ),
    (
        tr_noop("In the list of chats"),
        (
            (tr_noop("Open"), "Return"),
            (tr_noop("Rename"), "F2"),
            (tr_noop("Delete"), "Del"),
            (tr_noop("Back to the search"), "Esc"),
        ),
    ),
    (
        tr_noop("In the list of downloads"),
        ((tr_noop("Move up"), "Alt+Up"), (tr_noop("Move down"), "Alt+Down")),
    ),
)
_SIZE: Final = (560, 680)


class ShortcutsSheet(QDialog):
    """Open it with ``open()``."""

    def __init__(self, controller: ShortcutController, *, theme: Theme, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Keyboard shortcuts"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._controller = controller
        self._theme = theme
        self.rows: dict[Command, ShortcutRow] = {}
        self._groups: list[tuple[QWidget, list[ShortcutRow]]] = []
        self._in_place: list[tuple[str, str]] = []
        whole = QVBoxLayout(self)
        whole.setContentsMargins(SPACE_XL, SPACE_XL, SPACE_XL, SPACE_L)
        whole.setSpacing(SPACE_M)
        whole.addWidget(Label(tr("Keyboard shortcuts"), role="title"))
        whole.addWidget(WrappedLabel(tr("Press a key’s button to choose another one."), role="mute"))
        whole.addWidget(self._make_filter())
        whole.addWidget(self._make_list(), 1)
        whole.addLayout(self._make_foot())
        width, height = (theme.scaled(px) for px in _SIZE)
        self.resize(min(width, parent.width()), min(height, parent.height()))
        controller.changed.connect(self._show_keys)
        self._show_keys()

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Every line: words and keys."""
        return [*((tr(row.spec.words), row.keys_in_words) for row in self.rows.values()), *self._in_place]

    def _make_filter(self) -> QLineEdit:
        self.filter = QLineEdit()
        self.filter.setProperty("role", "search")
        self.filter.setPlaceholderText(tr("Find a shortcut"))
        self.filter.setAccessibleName(tr("Find a shortcut"))
        self.filter.setClearButtonEnabled(True)
        self.filter.textChanged.connect(self._show_matching)
        return self.filter

    def _make_list(self) -> QScrollArea:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(0, 0, SPACE_M, 0)
        column.setSpacing(SPACE_L)
        for menu in dict.fromkeys(spec.menu for spec in COMMANDS):
            column.addWidget(self._make_group(tr(menu)))
        for name, lines in _IN_PLACE:
            column.addWidget(self._make_fixed(tr(name), lines))
        column.addWidget(self._make_note(tr("From other programs"), tr(FROM_ANYWHERE)))
        column.addStretch()
        scroll = QScrollArea()
        scroll.setWidgetResizable(True)
        scroll.setWidget(body)
        scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        scroll.setAccessibleName(tr("Keyboard shortcuts"))
        return scroll

    def _make_group(self, menu: str) -> QWidget:
        group, column = _group(tr(menu))
        rows = []
        for spec in COMMANDS:
            if spec.menu == menu:
                row = ShortcutRow(spec, theme=self._theme)
                row.keys_wanted.connect(
                    lambda keys, command=spec.command: self._controller.give(command, (keys,) if keys else ())
                )
                row.reset_wanted.connect(lambda command=spec.command: self._controller.reset(command))
                self.rows[spec.command] = row
                rows.append(row)
                column.addWidget(row)
        self._groups.append((group, rows))
        return group

    def _make_fixed(self, name: str, lines: tuple[tuple[str, str], ...]) -> QWidget:
        """Keys that belong to a place and stay as they are."""
        group, column = _group(name)
        for text, keys in lines:
            words = tr(text)
            shown = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            self._in_place.append((words, shown))
            cap = Label(shown)
            cap.setObjectName("keycap")
            line = QHBoxLayout()
            line.addWidget(Label(words, role="body"), 1)
            line.addWidget(cap)
            column.addLayout(line)
        self._groups.append((group, []))
        return group

    def _make_note(self, name: str, words: str) -> QWidget:
        """What no key of the window can do."""
        group, column = _group(name)
        self.note = WrappedLabel(words, role="body")
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column.addWidget(self.note)
        self._groups.append((group, []))
        return group

    def _make_foot(self) -> QHBoxLayout:
        self.reset_all = Button(tr("Reset all"), theme=self._theme, kind="quiet")
        self.reset_all.clicked.connect(self._controller.reset_all)
        close = Button(tr("Close"), theme=self._theme)
        close.clicked.connect(self.accept)
        row = QHBoxLayout()
        row.addWidget(self.reset_all)
        row.addStretch()
        row.addWidget(close)
        return row

    @Slot()
    def _show_keys(self) -> None:
        for row in self.rows.values():
            row.show_keymap(self._controller.keymap)
        self.reset_all.setEnabled(bool(self._controller.keymap.changed))

    @Slot(str)
    def _show_matching(self, words: str) -> None:
        for group, rows in self._groups:
            for row in rows:
                row.setVisible(row.has_words(words))
            group.setVisible(not words.strip() or any(row.has_words(words) for row in rows))


def _group(name: str) -> tuple[QWidget, QVBoxLayout]:
    group = QWidget()
    column = QVBoxLayout(group)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(SPACE_S)
    column.addWidget(Label(name, role="heading"))
    return group, column
