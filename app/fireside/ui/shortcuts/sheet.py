"""The sheet that lists all shortcuts and edits those of the commands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, Qt, Signal, Slot
from PySide6.QtGui import QFocusEvent, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget

from fireside.core.i18n import tr, tr_noop
from fireside.ui.commands import COMMANDS, CommandId, CommandSpec
from fireside.ui.kit.layout import Part, boxed, column, row, stretch
from fireside.ui.kit.sheet import Sheet
from fireside.ui.shortcuts.keymap import Keymap, from_key_event, native_text, rejection_message
from fireside.ui.shortcuts.shortcut_controller import ShortcutController
from fireside.ui.theme import SPACE_L, SPACE_S
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.responsive_row import ResponsiveRow
from fireside.ui.widgets.search_field import SearchField
from fireside.ui.widgets.text import ElidedLabel, Label, WrappedLabel, set_style_property

LISTENING: Final = tr_noop("Press keys…")
NO_KEYS: Final = tr_noop("None")
_HINT: Final = tr_noop("Press to record new keys; Esc cancels, Backspace removes")


class KeyButton(Button):
    """A button that records a shortcut once it is clicked."""

    keys_pressed = Signal(str)
    """Carries the shortcut in the stored format; empty to remove it."""
    is_listening = False

    def __init__(self, *, label: str, parent: QWidget | None = None) -> None:
        super().__init__(tr(NO_KEYS), kind="key", parent=parent)
        self._label = label
        self._keys_text = ""
        self.setAccessibleDescription(tr(_HINT))
        self.setToolTip(tr(_HINT))
        self.clicked.connect(self._on_clicked)
        self._draw()

    def show_keys(self, text: str) -> None:
        """Show ``text``, in the system's notation."""
        self._keys_text = text
        self._draw()

    def stop_listening(self) -> None:
        """Stop recording and show the shortcut again."""
        self.is_listening = False
        self._draw()

    @Slot()
    def _on_clicked(self) -> None:
        self.is_listening = not self.is_listening
        self._draw()

    def _draw(self) -> None:
        text = tr(LISTENING) if self.is_listening else self._keys_text or tr(NO_KEYS)
        self.set_label(text)
        self.setAccessibleName(f"{self._label}: {text}")
        set_style_property(self, "listening", "true" if self.is_listening else "false")

    def event(self, event: QEvent) -> bool:
        # Before Qt handles Tab, and before existing shortcuts fire.
        if self.is_listening and isinstance(event, QKeyEvent):
            if event.type() is QEvent.Type.ShortcutOverride:
                event.accept()
                return True
            if event.type() is QEvent.Type.KeyPress:
                self._handle_key(event)
                return True
        return super().event(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self.stop_listening()
        super().focusOutEvent(event)

    def _handle_key(self, event: QKeyEvent) -> None:
        is_bare = event.modifiers() == Qt.KeyboardModifier.NoModifier
        if is_bare and event.key() == Qt.Key.Key_Escape:
            self.stop_listening()
            return
        if is_bare and event.key() in (Qt.Key.Key_Backspace, Qt.Key.Key_Delete):
            self.stop_listening()
            self.keys_pressed.emit("")
            return
        if keys := from_key_event(event.keyCombination()):
            self.stop_listening()
            self.keys_pressed.emit(keys)


class ShortcutRow(QWidget):
    """Shows a command's shortcut and requests changes; asks before it takes another command's shortcut."""

    keys_requested = Signal(str)
    """Carries the new shortcut; empty for none."""

    def __init__(self, spec: CommandSpec, *, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self._keymap = Keymap()
        self._pending_keys = ""
        self.button = KeyButton(label=tr(spec.label))
        self.button.keys_pressed.connect(self._on_keys)
        self.reset = Button(tr("Reset"), kind="link")
        self.reset.setAccessibleName(tr("Reset: {words}").format(words=tr(spec.label)))
        self.problem = WrappedLabel(role="error")
        self.take = Button(tr("Reassign"), kind="link", on_click=self._on_take)
        column(
            ResponsiveRow(
                ElidedLabel(tr(spec.label), role="body"), boxed(row(self.reset, self.button)), spacing=SPACE_S
            ),
            row(stretch(self.problem), self.take),
            spacing=2,
            on=self,
        )
        self._show_problem("")

    def show_keymap(self, keymap: Keymap) -> None:
        """Show the command's shortcut in ``keymap``."""
        self._keymap = keymap
        self.button.show_keys(self.shortcut_text)
        self.reset.setVisible(self.spec.command in keymap.changed)
        self._show_problem("")

    @property
    def shortcut_text(self) -> str:
        return native_text(self._keymap.keys(self.spec))

    def matches(self, query: str) -> bool:
        """Return whether label, menu or shortcut contain every word of ``query``."""
        text = f"{tr(self.spec.label)} {tr(self.spec.menu)} {self.shortcut_text}".casefold()
        return all(word in text for word in query.casefold().split())

    @Slot(str)
    def _on_keys(self, keys: str) -> None:
        if not keys:
            self.keys_requested.emit("")
            return
        if reason := rejection_message(keys):
            self._show_problem(
                tr("{keys} is not available. {reason}").format(keys=native_text((keys,)), reason=reason)
            )
            return
        current = self._keymap.command_with(keys, exclude=self.spec.command)
        if current is None:
            self.keys_requested.emit(keys)
            return
        self._pending_keys = keys
        self._show_problem(
            tr("{keys} is used by “{command}”.").format(keys=native_text((keys,)), command=tr(current.label)),
            can_take=True,
        )

    @Slot()
    def _on_take(self) -> None:
        self.button.setFocus()
        self.keys_requested.emit(self._pending_keys)

    def _show_problem(self, message: str, *, can_take: bool = False) -> None:
        self.problem.show_text(message)
        self.take.setVisible(can_take)
        if message:
            self.button.setAccessibleDescription(message)


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
        self.rows: dict[CommandId, ShortcutRow] = {}
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
