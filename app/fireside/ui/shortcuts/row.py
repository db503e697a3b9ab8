"""One command in the list of shortcuts: its words, its keys, and what is in the way."""

from __future__ import annotations

from PySide6.QtCore import Signal, Slot
from PySide6.QtWidgets import QWidget

from fireside.core.i18n import tr
from fireside.ui.commands import CommandSpec
from fireside.ui.kit.layout import column, row, stretch
from fireside.ui.shortcuts.key_button import KeyButton
from fireside.ui.shortcuts.keymap import Keymap, native, refusal
from fireside.ui.theme import Theme
from fireside.ui.widgets.buttons import Button
from fireside.ui.widgets.text import Label, WrappedLabel


class ShortcutRow(QWidget):
    """Says what the user wants; shows the keymap that it is told."""

    keys_wanted = Signal(str)
    """Carries the new keys; empty for none."""
    reset_wanted = Signal()

    def __init__(self, spec: CommandSpec, *, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.spec = spec
        self._keymap = Keymap()
        self._asked = ""
        self.button = KeyButton(words=tr(spec.words), theme=theme)
        self.button.keys_pressed.connect(self._on_keys)
        self.reset = Button(tr("Reset"), theme=theme, kind="link")
        self.reset.setAccessibleName(tr("Reset: {words}").format(words=tr(spec.words)))
        self.reset.clicked.connect(self.reset_wanted)
        self.problem = WrappedLabel(role="error")
        self.take = Button(tr("Use them here"), theme=theme, kind="link")
        self.take.clicked.connect(self._on_take)
        column(
            row(stretch(Label(tr(spec.words), role="body")), self.reset, self.button),
            row(stretch(self.problem), self.take),
            spacing=2,
            on=self,
        )
        self._show_problem("")

    def show_keymap(self, keymap: Keymap) -> None:
        """Show the keys in force."""
        self._keymap = keymap
        self.button.show_keys(self.keys_in_words)
        self.reset.setVisible(self.spec.command in keymap.changed)
        self._show_problem("")

    @property
    def keys_in_words(self) -> str:
        return native(self._keymap.keys(self.spec))

    def has_words(self, words: str) -> bool:
        """Tell whether the row is about ``words``."""
        text = f"{tr(self.spec.words)} {tr(self.spec.menu)} {self.keys_in_words}".casefold()
        return all(word in text for word in words.casefold().split())

    @Slot(str)
    def _on_keys(self, keys: str) -> None:
        if not keys:
            self.keys_wanted.emit("")
            return
        if reason := refusal(keys):
            self._show_problem(
                tr("{keys} cannot be used. {reason}").format(keys=native((keys,)), reason=reason)
            )
            return
        holder = self._keymap.holder(keys, besides=self.spec.command)
        if holder is None:
            self.keys_wanted.emit(keys)
            return
        self._asked = keys
        self._show_problem(
            tr("{keys} is for “{command}”.").format(keys=native((keys,)), command=tr(holder.words)),
            can_take=True,
        )

    @Slot()
    def _on_take(self) -> None:
        self.button.setFocus()
        self.keys_wanted.emit(self._asked)

    def _show_problem(self, words: str, *, can_take: bool = False) -> None:
        self.problem.setText(words)
        self.problem.setVisible(bool(words))
        self.take.setVisible(can_take)
        if words:
            self.button.setAccessibleDescription(words)
