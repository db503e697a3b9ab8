"""The sheet that lists all shortcuts and edits those of the commands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Slot
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.commands import COMMANDS, Command
from fireside.ui.kit.layout import Part, boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.shortcuts.row import ShortcutRow
from fireside.ui.shortcuts.shortcut_controller import ShortcutController
from fireside.ui.theme import SPACE_L
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import Label, WrappedLabel

FROM_ANYWHERE: Final = tr_noop("Bind “fireside ask-window” to a system shortcut to ask from anywhere.")
_FIXED: Final = (
    (
        tr_noop("Message field"),
        (
            (tr_noop("Send"), "Return"),
            (tr_noop("New line"), "Shift+Return"),
            (tr_noop("Stop"), "Esc"),
            (tr_noop("Edit last message, in an empty field"), "Up"),
            (tr_noop("Go to the messages"), "PgUp"),
        ),
    ),
    (
        tr_noop("On a message"),
        (
            (tr_noop("Previous message"), "Ctrl+Up"),
            (tr_noop("Next message"), "Ctrl+Down"),
            (tr_noop("Previous version"), "Alt+Left"),
            (tr_noop("Next version"), "Alt+Right"),
            (tr_noop("Save edit"), "Ctrl+Return"),
            (tr_noop("Back to the message field"), "Esc"),
        ),
    ),
    (
        tr_noop("In the chat list"),
        (
            (tr_noop("Open"), "Return"),
            (tr_noop("Rename"), "F2"),
            (tr_noop("Delete"), "Del"),
            (tr_noop("Back to search"), "Esc"),
        ),
    ),
    (
        tr_noop("In downloads"),
        ((tr_noop("Move up"), "Alt+Up"), (tr_noop("Move down"), "Alt+Down")),
    ),
)


class ShortcutsSheet(Sheet):
    """Lists and edits the shortcuts; every change is saved at once."""

    def __init__(self, controller: ShortcutController, *, parent: QWidget) -> None:
        super().__init__(tr("Keyboard shortcuts"), parent=parent, fills=True)
        self._controller = controller
        self.rows: dict[Command, ShortcutRow] = {}
        self._groups: list[tuple[QWidget, list[ShortcutRow]]] = []
        self._fixed_lines: list[tuple[str, str]] = []
        self.reset_all = self.make_button(tr("Reset all"), controller.reset_all, kind="quiet")
        self.set_content(
            self._make_list(),
            above=self._make_filter(),
            about=tr("Click a shortcut to change it."),
            buttons=(self.reset_all, stretch(), self.make_close(is_default=True)),
        )
        controller.changed.connect(self._show_keys)
        self._show_keys()

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Every row: label and shortcut."""
        return [*((tr(row.spec.label), row.shortcut_text) for row in self.rows.values()), *self._fixed_lines]

    def _make_filter(self) -> QLineEdit:
        self.filter = SearchField(tr("Search shortcuts"))
        self.filter.textChanged.connect(self._show_matching)
        return self.filter

    def _make_list(self) -> QWidget:
        menus = dict.fromkeys(spec.menu for spec in COMMANDS)
        groups = column(
            *(self._make_group(tr(menu)) for menu in menus),
            *(self._make_fixed(tr(name), lines) for name, lines in _FIXED),
            self._make_note(tr("From other apps"), tr(FROM_ANYWHERE)),
            spacing=SPACE_L,
        )
        body = boxed(groups)
        body.setAccessibleName(tr("Keyboard shortcuts"))
        return body

    def _make_group(self, menu: str) -> QWidget:
        rows = []
        for spec in COMMANDS:
            if spec.menu == menu:
                line = ShortcutRow(spec)
                line.keys_requested.connect(
                    lambda keys, command=spec.command: self._controller.assign(
                        command, (keys,) if keys else ()
                    )
                )
                line.reset.clicked.connect(
                    lambda _checked=False, command=spec.command: self._controller.reset(command)
                )
                self.rows[spec.command] = line
                rows.append(line)
        group = _group(tr(menu), *rows)
        self._groups.append((group, rows))
        return group

    def _make_fixed(self, name: str, lines: tuple[tuple[str, str], ...]) -> QWidget:
        """Return a group of shortcuts that belong to one part of the window and cannot be changed."""
        rows: list[QHBoxLayout] = []
        for text, keys in lines:
            label = tr(text)
            keys_text = QKeySequence(keys).toString(QKeySequence.SequenceFormat.NativeText)
            self._fixed_lines.append((label, keys_text))
            cap = Label(keys_text)
            cap.setObjectName("keycap")
            rows.append(row(stretch(WrappedLabel(label, role="body")), cap))
        group = _group(name, *rows)
        self._groups.append((group, []))
        return group

    def _make_note(self, name: str, text: str) -> QWidget:
        """Return a group with a text in place of shortcuts."""
        self.note = WrappedLabel(text, role="body")
        self.note.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        group = _group(name, self.note)
        self._groups.append((group, []))
        return group

    @Slot()
    def _show_keys(self) -> None:
        for line in self.rows.values():
            line.show_keymap(self._controller.keymap)
        self.reset_all.setEnabled(bool(self._controller.keymap.changed))

    @Slot(str)
    def _show_matching(self, query: str) -> None:
        for group, rows in self._groups:
            for line in rows:
                line.setVisible(line.matches(query))
            group.setVisible(not query.strip() or any(line.matches(query) for line in rows))


def _group(name: str, *parts: Part) -> QWidget:
    return boxed(column(Label(name, role="heading"), *parts))
